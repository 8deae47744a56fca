"""The club around its tournaments: what outlives one of them."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint


class ClubSettings(models.Model):
    """The club in its imprint, and the values with which its tournaments begin. One row; none: the club has no name yet.

    name to register: for the imprint, of which only the name is required. place, names: of new tournaments. retention_months: after
    how many months the club deletes a tournament, as its privacy page says. name_days: after how many days names become numbers in
    evenings that are over (see `scoring.services.retention`); None: never by itself. announcement, jpeg: on its start page and on the
    screens while they welcome; the picture is encoded by this program, and also that of certificates whose tournament has none of its own.
    """

    name = models.CharField(max_length=120)
    legal_form = models.CharField(max_length=80, blank=True)
    street = models.CharField(max_length=120, blank=True)
    town = models.CharField(max_length=120, blank=True)
    represented_by = models.CharField(max_length=200, blank=True)
    contact = models.CharField(max_length=120, blank=True)
    register = models.CharField(max_length=120, blank=True)
    place = models.CharField(max_length=120, blank=True)
    names = models.CharField(
        max_length=6,
        choices=[("full", "Full"), ("short", "Short"), ("number", "Number")],
        default="short",
        help_text="as of a tournament",
    )
    retention_months = models.PositiveSmallIntegerField(null=True)
    name_days = models.PositiveSmallIntegerField(null=True)
    announcement = models.CharField(max_length=200, blank=True)
    jpeg = models.BinaryField(null=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(pk=1), name="club_settings_once"),
            CheckConstraint(condition=~Q(name=""), name="club_has_name"),
            CheckConstraint(condition=Q(names__in=["full", "short", "number"]), name="club_names_known"),
            CheckConstraint(
                condition=Q(retention_months=None) | Q(retention_months__range=(1, 120)),
                name="club_retention_known",
            ),
            CheckConstraint(
                condition=Q(name_days=None) | Q(name_days__range=(30, 3650)), name="club_name_days_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ClubRole(models.Model):
    """An account that is an organiser or cashier of the club, and so of every tournament, also of later ones.

    The owner of the installation is an organiser of the club without a row.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_role")
    role = models.CharField(
        max_length=9,
        choices=[("organiser", "Organiser"), ("cashier", "Cashier")],
        help_text="as of a membership",
    )

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(role__in=["organiser", "cashier"]), name="club_role_known")
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class ClubPicture(models.Model):
    """A picture or coat of arms of the club, encoded by this program. Local, not exported.

    on_wall: whether the screens show it between their pages, with the caption; then anybody may see both.
    """

    tournament = models.OneToOneField("tournaments.Tournament", models.CASCADE, related_name="club_picture")
    jpeg = models.BinaryField()
    on_wall = models.BooleanField(default=False)
    caption = models.CharField(max_length=80, blank=True)

    def __str__(self) -> str:
        return f"{self.tournament}"


class Person(models.Model):
    """Somebody whom the club remembers beyond an evening: a member, or a player who has agreed to it.

    Doubles are not joined: `merged_into` names the person that this one is, so clearing it undoes the merging. words: those of the name
    in each spelling that a search knows, see `spelled_words`. table, apart: wishes for every draw, from the next evening on; apart goes
    both ways. An erased person keeps the row, without a word about them.
    """

    key = models.UUIDField(primary_key=True, default=uuid4)
    name = models.CharField(max_length=80, blank=True)
    words = models.TextField(blank=True)
    club = models.CharField(max_length=80, blank=True)
    town = models.CharField(max_length=80, blank=True)
    member_number = models.CharField(max_length=40, blank=True)
    member_from_on = models.DateField(null=True)
    member_until_on = models.DateField(null=True)
    fee = models.CharField(
        max_length=40, blank=True, help_text="key of the usual kind of fee, if an evening has it"
    )
    names = models.CharField(
        max_length=6,
        blank=True,
        choices=[("full", "full"), ("short", "short"), ("number", "number")],
        help_text="as of a participant",
    )
    table = models.PositiveSmallIntegerField(null=True)
    apart = models.ManyToManyField("self")
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="merged")
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            UniqueConstraint(
                fields=["member_number"], condition=~Q(member_number=""), name="member_number_once"
            ),
            CheckConstraint(condition=~Q(merged_into=F("key")), name="person_not_merged_into_itself"),
            CheckConstraint(
                condition=Q(Q(erased_at=None) & ~Q(name=""))
                | Q(erased_at__isnull=False, name="", words="", club="", town="", member_number=""),
                name="person_is_named_until_erased",
            ),
            CheckConstraint(
                condition=Q(names__in=["", "full", "short", "number"]), name="person_names_known"
            ),
            CheckConstraint(
                condition=Q(table=None) | Q(table__gte=1, erased_at=None), name="person_table_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.key)


class Appearance(models.Model):
    """A participant of an evening, as a person of the club. Without one a participant is known in that evening only."""

    class Way(models.TextChoices):
        TYPED = "typed"
        SUGGESTED = "suggested"
        LIST = "list"
        SIGN_UP = "sign_up"

    participant = models.OneToOneField("tournaments.Participant", models.CASCADE, related_name="appearance")
    person = models.ForeignKey(Person, models.PROTECT, related_name="appearances")
    how = models.CharField(max_length=9, choices=Way.choices)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(how__in=["typed", "suggested", "list", "sign_up"]), name="appearance_way_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.participant} {self.how}"


class Consent(models.Model):
    """A permission of a person, or its withdrawal. Append-only (trigger); the latest row of a kind holds."""

    class What(models.TextChoices):
        KEEP = "keep"
        FULL_NAME = "full_name"
        HONOURS = "honours"

    class Medium(models.TextChoices):
        DOOR = "door"
        PAPER = "paper"
        OWN_PHONE = "own_phone"

    person = models.ForeignKey(Person, models.PROTECT, related_name="consents")
    what = models.CharField(max_length=9, choices=What.choices)
    is_given = models.BooleanField()
    given_on = models.DateField(help_text="the day on which it was given or withdrawn")
    how = models.CharField(max_length=9, choices=Medium.choices)

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(what__in=["keep", "full_name", "honours"]), name="consent_kind_known"
            ),
            CheckConstraint(condition=Q(how__in=["door", "paper", "own_phone"]), name="consent_way_known"),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.is_given}"
