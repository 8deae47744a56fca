"""A tournament with its people, payments, rounds, tables and seats.

Terminology: a *round* (Spielrunde) is one of the rounds of the evening; it is *drawn* (only the organisers
see the tables), *released* (the tables are public, and the sheets can be written), *closed*. A *draw attempt* is
one drawing of lots with all data that is needed to repeat it; later changes by hand are recorded separately
as *seat changes*: attempt plus changes = tables.

The database guards the invariants as well; see the constraints here and the triggers and composite foreign
keys in the migrations.
"""

import json
from functools import lru_cache

from django.conf import settings
from django.db import models
from django.db.models import CheckConstraint, Deferrable, F, Index, Q, UniqueConstraint

from tournaments.club_models import Appearance as Appearance
from tournaments.club_models import ClubPicture as ClubPicture
from tournaments.club_models import ClubRole as ClubRole
from tournaments.club_models import ClubSettings as ClubSettings
from tournaments.club_models import Consent as Consent
from tournaments.club_models import Person as Person
from tournaments.core.fees import FeeKind, kinds_of_fees
from tournaments.draw_models import Commitment as Commitment
from tournaments.draw_models import DrawAttempt as DrawAttempt
from tournaments.draw_models import SeatChange as SeatChange
from tournaments.rulesets.schema import Ruleset


def one_of(column: str, values: list[str], name: str) -> CheckConstraint:
    """Return the constraint that a column has one of these values."""
    return CheckConstraint(condition=Q(**{f"{column}__in": values}), name=name)


class Tournament(models.Model):
    class Names(models.TextChoices):
        FULL = "full"
        SHORT = "short"
        NUMBER = "number"

    class DrawMode(models.TextChoices):
        FEW_REPEATS = "few_repeats"
        RANDOM = "random"

    class Ceremony(models.TextChoices):
        """Whether the organisers see a draw first, or it is made in front of the hall."""

        QUIET = "quiet"
        HALL = "hall"

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    played_on = models.DateField()
    place = models.CharField(max_length=120, blank=True)
    names = models.CharField(max_length=6, choices=Names.choices, default=Names.FULL)
    ruleset = models.JSONField(help_text="Ruleset.to_dict(): this tournament's own copy")
    ceremony = models.CharField(max_length=5, choices=Ceremony.choices, default=Ceremony.QUIET)
    draw_mode = models.CharField(max_length=20, choices=DrawMode.choices, default=DrawMode.FEW_REPEATS)
    wishes = models.JSONField(default=list, help_text="as in tournaments.core.wishes, for the draws to come")
    fees = models.JSONField(default=list, help_text="as in tournaments.core.fees; empty: the ruleset's fee")
    prize_plan = models.JSONField(null=True)
    starts_at = models.DateTimeField(null=True)
    admits_at = models.DateTimeField(null=True, help_text="from when on players are let in")
    is_practice = models.BooleanField(default=False)
    public_until_on = models.DateField(
        null=True, help_text="last day of the public pages, where the organiser has named one; not exported"
    )
    is_hidden = models.BooleanField(
        default=False,
        help_text="not listed on the start page; whoever has the link sees the pages; not exported",
    )
    hides_amounts = models.BooleanField(default=False, help_text="the club has a till of its own")
    imported_at = models.DateTimeField(null=True, help_text="when a document was imported here; not exported")
    ended_at = models.DateTimeField(
        null=True, help_text="when the organiser ended it before its last planned round"
    )
    ended_by = models.CharField(max_length=150, blank=True)
    ended_reason = models.CharField(max_length=500, blank=True, help_text="for the organisers only")
    created_at = models.DateTimeField()

    class Meta:
        indexes = [Index(fields=["-played_on", "-id"], name="tournament_latest_first")]
        constraints = [
            one_of("names", ["full", "short", "number"], "tournament_names_known"),
            one_of("draw_mode", ["few_repeats", "random"], "tournament_draw_mode_known"),
            one_of("ceremony", ["quiet", "hall"], "tournament_ceremony_known"),
            CheckConstraint(
                condition=Q(ended_at=None, ended_by="", ended_reason="")
                | (Q(ended_at__isnull=False) & ~Q(ended_reason="")),
                name="tournament_end_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> Ruleset:
        return _rules(json.dumps(self.ruleset, sort_keys=True))

    @property
    def fee_kinds(self) -> tuple[FeeKind, ...]:
        return kinds_of_fees(self.fees, self.rules.entry_fee_cents, hides_amounts=self.hides_amounts)


@lru_cache(maxsize=64)
def _rules(ruleset: str) -> Ruleset:
    """Return the ruleset of this JSON. Cached: every page needs it, and validation takes longer than most queries."""
    return Ruleset.from_dict(json.loads(ruleset))


class Membership(models.Model):
    class Role(models.TextChoices):
        ORGANISER = "organiser"
        CASHIER = "cashier"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role.choices)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["tournament", "user"], name="membership_once"),
            one_of("role", ["organiser", "cashier"], "membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Invitation(models.Model):
    """A one-time link that makes its user an organiser or cashier. Only a hash of its code is stored. tournament: None for the club."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="invitations")
    role = models.CharField(max_length=9, choices=Membership.Role.choices)
    code_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.CharField(max_length=150)
    invited_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.tournament} ({self.role})"


class PasswordLink(models.Model):
    """A one-time link with which an account sets a new password. Only a hash of its code is stored."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="password_link")
    code_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user}"


class EventKind(models.TextChoices):
    """Kind of a line of the security log."""

    LOG_IN = "log_in"
    LOG_IN_FAILED = "log_in_failed"
    REFUSED = "refused"
    INVITED = "invited"
    WITHDRAWN = "withdrawn"
    JOINED = "joined"
    REMOVED = "removed"
    CLUB_ROLE = "club_role"
    CLUB_CHANGED = "club_changed"
    CLOSED = "closed"
    LINK_MADE = "link_made"
    PASSWORD = "password"
    EMAIL = "email"
    SECOND_FACTOR = "second_factor"
    DOWNLOADED = "downloaded"
    PURGED = "purged"


class SecurityEvent(models.Model):
    """One line of the security log (see `tournaments.security_log`). Append-only (trigger); refers to no other row."""

    kind = models.CharField(max_length=20, help_text="an EventKind")
    at = models.DateTimeField()
    account = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=45, blank=True)
    about = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [Index(fields=["kind", "at"], name="security_event_kind_at")]

    def __str__(self) -> str:
        return f"{self.kind} {self.account}"


class Deletion(models.Model):
    """A tournament that was deleted, a person who was erased, or names that became numbers in time. Append-only (trigger).

    It refers to no other row and names nobody but the account: not the person, and no title, which may name one. played_on: the day
    of the evening. players: their number, of a tournament or of names. start_number: of a person.
    """

    class DeletionKind(models.TextChoices):
        TOURNAMENT = "tournament"
        PRACTICE = "practice"
        PERSON = "person"
        NAMES = "names"

    kind = models.CharField(max_length=10, choices=DeletionKind.choices)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    played_on = models.DateField()
    players = models.PositiveIntegerField(null=True)
    start_number = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            one_of("kind", ["tournament", "practice", "person", "names"], "deletion_kind_known"),
            CheckConstraint(
                condition=Q(kind="person", players=None, start_number__isnull=False)
                | (~Q(kind="person") & Q(players__isnull=False, start_number=None)),
                name="deletion_of_a_person_or_of_players",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.played_on}"


class WrongPasswords(models.Model):
    """The number of wrong passwords in a row from one origin; see services/log_ins.py. Belongs to this installation."""

    origin = models.CharField(max_length=64, primary_key=True, help_text="a keyed digest")
    number = models.PositiveIntegerField()
    latest_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.origin[:8]}: {self.number}"


class ImportedList(models.Model):
    """A list of people that was read in, so that it can be taken out again. Belongs to this installation.

    The row stays when its people are taken out: as the trace of what was there. number: 1, 2, ... in its tournament. count: how
    many people it added. cents: what it has booked as paid in advance, by people who were there before as well.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="imported_lists", db_index=False)
    number = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    cents = models.PositiveIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    changed = models.JSONField(default=list, help_text="of others: start_number, columns before and after")
    taken_out_at = models.DateTimeField(null=True)
    taken_out_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="list_number_once"),
            CheckConstraint(condition=Q(number__gte=1), name="list_number_positive"),
            CheckConstraint(
                condition=Q(taken_out_at=None, taken_out_by="")
                | (Q(taken_out_at__isnull=False) & ~Q(taken_out_by="")),
                name="list_taken_out_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


class Participant(models.Model):
    """A player of one tournament. Deleted only while nothing but a list is known of them: see `services.people_lists`.

    So a start number that somebody has played or paid with is never assigned twice.

    Presence: *announced* on a list but not arrived yet, *present*, or *absent* from the next draw.
    """

    class Presence(models.TextChoices):
        ANNOUNCED = "announced"
        PRESENT = "present"
        ABSENT = "absent"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="participants", db_index=False)
    start_number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    club = models.CharField(max_length=80, blank=True)
    town = models.CharField(max_length=80, blank=True)
    fee = models.CharField(max_length=40, blank=True, help_text="key of a kind of fee; empty: the default")
    names = models.CharField(
        max_length=6,
        blank=True,
        choices=Tournament.Names.choices,
        help_text="how he wants to be named in public, on the wall as well; empty: as the tournament does",
    )
    presence = models.CharField(max_length=9, choices=Presence.choices, default=Presence.PRESENT)
    pauses_round = models.PositiveIntegerField(
        null=True, help_text="a round that is to be drawn without them, as they wish; not exported"
    )
    withdrawn_at = models.DateTimeField(null=True)
    excluded_at = models.DateTimeField(null=True)
    excluded_reason = models.CharField(max_length=500, blank=True)
    registered_at = models.DateTimeField()
    registered_by = models.CharField(max_length=150)
    imported_list = models.ForeignKey(
        ImportedList, models.SET_NULL, null=True, related_name="people", help_text="not exported"
    )

    class Meta:
        constraints = [
            UniqueConstraint(fields=["tournament", "start_number"], name="participant_number_once"),
            UniqueConstraint(fields=["tournament", "id"], name="participant_of_tournament"),
            CheckConstraint(condition=Q(start_number__gte=1), name="participant_number_positive"),
            CheckConstraint(condition=~Q(name=""), name="participant_has_name"),
            one_of("names", ["", "full", "short", "number"], "participant_names_known"),
            one_of("presence", ["announced", "present", "absent"], "participant_presence_known"),
            CheckConstraint(
                condition=Q(excluded_at=None, excluded_reason="")
                | (Q(excluded_at__isnull=False) & ~Q(excluded_reason="")),
                name="participant_exclusion_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.start_number} {self.name}"

    @property
    def state(self) -> str:
        """The state in one word: excluded, withdrawn, or the presence."""
        if self.excluded_at is not None:
            return "excluded"
        return "withdrawn" if self.withdrawn_at is not None else self.presence

    @property
    def has_left(self) -> bool:
        return self.state in ("excluded", "withdrawn")


class PersonChange(models.Model):
    """A recorded change of a player. Append-only (trigger). text: the earlier name or kind of fee, or the reason."""

    class ChangeKind(models.TextChoices):
        RENAMED = "renamed"
        NAMING = "naming"
        WITHDRAWN = "withdrawn"
        RETURNED = "returned"
        EXCLUDED = "excluded"
        READMITTED = "readmitted"
        FEE = "fee"

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=20, choices=ChangeKind.choices)
    text = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} {self.participant}"


class Payment(models.Model):
    """One payment of or to a player. Append-only: a mistake is reversed by another payment (trigger).

    desk: the name of the cash desk; it changes with that name.
    """

    class Kind(models.TextChoices):
        FEE = "fee"
        REFUND = "refund"
        PAYOUT = "payout"

    participant = models.ForeignKey(Participant, models.CASCADE, related_name="payments")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    cents = models.PositiveIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=150)
    desk = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            one_of("kind", ["fee", "refund", "payout"], "payment_kind_known"),
            CheckConstraint(condition=Q(cents__gt=0), name="payment_cents_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"


class Round(models.Model):
    class State(models.TextChoices):
        DRAWN = "drawn"
        RELEASED = "released"
        CLOSED = "closed"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAWN)
    drawn_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True)
    released_reason = models.CharField(max_length=500, blank=True, help_text="why without all scribes")
    started_at = models.DateTimeField(null=True, help_text="sign to all tables to start")
    closed_at = models.DateTimeField(null=True)
    closed_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            UniqueConstraint(fields=["tournament", "id"], name="round_of_tournament"),
            CheckConstraint(condition=Q(number__gte=1), name="round_number_positive"),
            one_of("state", ["drawn", "released", "closed"], "round_state_known"),
            CheckConstraint(
                condition=Q(started_at=None) | Q(released_at__isnull=False), name="round_starts_when_released"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


class Table(models.Model):
    """A table of one round. `link_version` is raised to revoke the link on its QR code.

    scribe: the named scribe, null for the ruleset's default.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", db_index=False)
    number = models.PositiveIntegerField()
    link_version = models.PositiveIntegerField(default=1)
    scribe = models.ForeignKey(Participant, models.PROTECT, null=True, related_name="+")
    scribe_by = models.CharField(max_length=150, blank=True)
    scribe_at = models.DateTimeField(null=True)
    scribe_agreed = models.BooleanField(
        default=False, help_text="named at the table, with the consent of all its players"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            UniqueConstraint(fields=["round", "id"], name="table_of_round"),
            CheckConstraint(condition=Q(number__gte=1), name="table_number_positive"),
            CheckConstraint(
                condition=Q(scribe=None, scribe_at=None) | Q(scribe__isnull=False, scribe_at__isnull=False),
                name="table_scribe_has_moment",
            ),
            CheckConstraint(
                condition=Q(scribe_agreed=False) | Q(scribe__isnull=False), name="table_agrees_on_a_scribe"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} / {self.number}"


class Seat(models.Model):
    """A player's seat at a table. Tournament and round are repeated here for composite foreign keys:
    a player sits once a round, at a table of that round, in their own tournament."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats", db_index=False)
    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", db_index=False)
    participant = models.ForeignKey(Participant, models.PROTECT, related_name="seats")
    seat_number = models.PositiveIntegerField()

    class Meta:
        ordering = ["seat_number"]
        constraints = [
            # Checked at the end of each statement, so that one UPDATE can swap two players.
            UniqueConstraint(
                fields=["round", "participant"], name="seat_once_a_round", deferrable=Deferrable.IMMEDIATE
            ),
            UniqueConstraint(fields=["table", "seat_number"], name="seat_number_once"),
            CheckConstraint(condition=Q(seat_number__gte=1), name="seat_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.table} / {self.seat_number}"


# --- cash desks and their append-only ledger ---------------------------------------------------------------------


class CashDesk(models.Model):
    """A cash desk of a tournament. Append-only but for its name (trigger).

    name: "" for the desk of payments without a name. is_in_advance: its money was paid before the evening and never was in
    a drawer; nobody counts it.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="desks", db_index=False
    )
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=40, blank=True)
    is_in_advance = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="desk_number_once"),
            UniqueConstraint(fields=["tournament", "name"], name="desk_name_once"),
            UniqueConstraint(fields=["tournament", "id"], name="desk_of_tournament"),
            CheckConstraint(condition=Q(number__gte=1), name="desk_number_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class DeskChange(models.Model):
    """Closing, reopening or renaming of a desk. Append-only (trigger).

    A closed desk takes no line, no payment and no name (triggers). reason: the name before, of a renaming.
    """

    class DeskChangeKind(models.TextChoices):
        CLOSED = "closed"
        OPENED = "opened"
        NAMED = "named"

    desk = models.ForeignKey(CashDesk, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=6, choices=DeskChangeKind.choices)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        constraints = [
            one_of("kind", ["closed", "opened", "named"], "desk_change_kind_known"),
            CheckConstraint(condition=~Q(kind="opened") | ~Q(reason=""), name="desk_opened_with_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.desk}: {self.kind}"


class CashEntry(models.Model):
    """One line of a desk's ledger that concerns no player. Append-only: a mistake is reversed by another line (trigger).

    to: the desk that gets a transfer. pieces: notes and coins of a count (see `tournaments.core.cash`). takes_back: the line
    that this one reverses; both are alike but for the sign (trigger).
    """

    class CashKind(models.TextChoices):
        FLOAT = "float"
        IN = "in"
        OUT = "out"
        TRANSFER = "transfer"
        COUNT = "count"
        BACK = "back"

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="cash_entries")
    desk = models.ForeignKey(CashDesk, models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=8, choices=CashKind.choices)
    cents = models.PositiveIntegerField()
    to = models.ForeignKey(CashDesk, models.CASCADE, null=True, related_name="received")
    reason = models.CharField(max_length=500, blank=True)
    pieces = models.JSONField(null=True)
    takes_back = models.OneToOneField("self", models.CASCADE, null=True, related_name="taken_back")
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        constraints = [
            one_of("kind", ["float", "in", "out", "transfer", "count", "back"], "cash_kind_known"),
            CheckConstraint(
                condition=Q(cents__gt=0) | Q(kind__in=["float", "count"]), name="cash_cents_positive"
            ),
            CheckConstraint(condition=~Q(kind__in=["in", "out"]) | ~Q(reason=""), name="cash_reason_needed"),
            CheckConstraint(
                condition=(Q(kind="transfer", to__isnull=False) & ~Q(to=F("desk")))
                | (~Q(kind="transfer") & Q(to=None)),
                name="cash_transfer_to_another_desk",
            ),
            CheckConstraint(condition=Q(pieces=None) | Q(kind="count"), name="cash_pieces_of_a_count"),
            CheckConstraint(
                condition=Q(takes_back=None) | ~Q(kind__in=["count", "back"]),
                name="cash_takes_back_a_movement",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"


MOVEMENTS = (
    CashEntry.CashKind.FLOAT,
    CashEntry.CashKind.IN,
    CashEntry.CashKind.OUT,
    CashEntry.CashKind.TRANSFER,
)
"""The kinds of lines that can be taken back."""


# --- sign-ups of players -----------------------------------------------------------------------------------------


class SignUpTerms(models.Model):
    """The terms of a tournament's sign-ups; without a row there are none.

    closes_at: the end of sign-ups from home; the hall code is valid later too. most: number of places, null for no limit;
    further sign-ups wait. only_in_hall: the hall code is required. without_desk: a sign-up with the hall code becomes a
    participant immediately; a desk checks it and takes the fee later. last_number: the last number assigned to a sign-up.
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
    """A player's own sign-up. It is no participant, and is never public.

    When a desk confirms it, it becomes a participant, and the name is stored only there.

    number: shown as A17; no start number. code_hash: of the code that gives access to it. placed_at: null
    on the waiting list. arrived_at: when the player reported to be in the hall. participant: null until confirmed or admitted.
    confirmed_at: when a desk confirmed it; null with a participant: admitted without a desk. payment: the fee
    booked by the confirmation. discarded_with: the sign-up with which the desk discarded all of a sender. name
    and club are empty once there is a participant. origin, phone: digests of the sender, see `tournaments.senders`.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="sign_ups", db_index=False
    )
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
            one_of("names", ["", "full", "short", "number"], "sign_up_names_known"),
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


class Receipt(models.Model):
    """The answer to a form that changed something, for the case that it is sent again; see `tournaments.once`. Not in dumps."""

    key = models.BinaryField(primary_key=True, help_text="digest of account, address and content of the form")
    at = models.DateTimeField(db_index=True)
    answer = models.BinaryField(null=True, help_text="encrypted; None while the form is being answered")
