"""Sign-ups: who has registered themselves, from home or in the hall, and on which terms the organiser lets them.

A sign-up is no participant. Nothing of it is public, and nobody is drawn because of it, until a desk confirms it; then a
participant is made from it, and the name is kept there only.
"""

from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint


class SignUpTerms(models.Model):
    """The terms on which players register themselves for a tournament; without a row they cannot.

    closes_at: when it ends from home; who has the hall's code is let in later as well. most: the number of players from
    which on sign-ups wait, null for no limit. only_in_hall: nobody without the hall's code. without_desk: who has that code
    takes part at once, and a desk looks at it, and takes the money, later. last_number: of the sign-ups.
    """

    tournament = models.OneToOneField(
        "tournaments.Tournament", models.CASCADE, related_name="sign_up_terms", primary_key=True
    )
    is_open = models.BooleanField(default=False)
    closes_at = models.DateTimeField()
    most = models.PositiveIntegerField(null=True)
    only_in_hall = models.BooleanField(default=False)
    without_desk = models.BooleanField(default=False)
    last_number = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [CheckConstraint(condition=Q(most=None) | Q(most__gte=1), name="sign_up_most_positive")]

    def __str__(self) -> str:
        return f"{self.tournament}"


class SignUp(models.Model):
    """A player who has registered themselves.

    number: the one to remember, which is no start number. code_hash: of the code that brings one back to it. placed_at: null
    on the waiting list. arrived_at: when they said that they are in the hall. participant: the player that was made from it.
    confirmed_at: when a desk looked at it; a participant without it is one that takes part without a desk. payment: the fee
    that was booked with it. discarded_with: the sign-up at which the desk discarded all of a sender, this one with them. name
    and club are empty as soon as there is a participant. origin, phone: digests of the sender, see `tournaments.senders`.
    """

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="sign_ups")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80, blank=True)
    club = models.CharField(max_length=80, blank=True)
    names = models.CharField(max_length=6, blank=True, help_text="as of a participant")
    code_hash = models.CharField(max_length=64, unique=True)
    in_hall = models.BooleanField(default=False, help_text="made with the hall's code")
    made_at = models.DateTimeField()
    placed_at = models.DateTimeField(null=True)
    arrived_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=150, blank=True, help_text="of the desk; empty: themselves")
    discarded_with = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True)
    participant = models.OneToOneField(
        "tournaments.Participant", models.CASCADE, related_name="sign_up", null=True
    )
    confirmed_at = models.DateTimeField(null=True)
    payment = models.OneToOneField("tournaments.Payment", models.SET_NULL, related_name="+", null=True)
    origin = models.CharField(max_length=32, blank=True)
    phone = models.CharField(max_length=32, blank=True)

    class Meta:
        ordering = ["number"]
        indexes = [Index(fields=["tournament", "origin", "made_at"], name="sign_up_of_sender")]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="sign_up_number_once"),
            CheckConstraint(condition=Q(number__gte=1), name="sign_up_number_positive"),
            CheckConstraint(
                condition=Q(names__in=["", "full", "short", "number"]), name="sign_up_names_known"
            ),
            CheckConstraint(
                condition=Q(participant=None) & ~Q(name="") | Q(participant__isnull=False, name="", club=""),
                name="sign_up_name_kept_once",
            ),
            CheckConstraint(
                condition=Q(withdrawn_at=None, withdrawn_by="")
                | Q(withdrawn_at__isnull=False, participant=None),
                name="sign_up_withdrawn_is_no_player",
            ),
            CheckConstraint(
                condition=Q(confirmed_at=None) | Q(participant__isnull=False),
                name="sign_up_confirmed_is_player",
            ),
            CheckConstraint(
                condition=Q(payment=None) | Q(confirmed_at__isnull=False), name="sign_up_paid_is_confirmed"
            ),
            CheckConstraint(
                condition=Q(discarded_with=None) | ~Q(withdrawn_by=""), name="sign_up_discarded_by_desk"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"
