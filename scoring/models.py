"""The sheet of a table, its append-only log, and the data derived from it.

A *sheet* (Tischliste) is its log of *entries*; all other data here is either separate from the log (the pen, parked
entries) or a projection of it (`SeatResult`, written by `project()` alone). The *pen* is the right of one phone to
write; its *epoch* counts how often a phone took the pen or the organiser wrote.
"""

from datetime import datetime

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from scoring.scenes import SCENES
from scoring.series_models import Evening as Evening
from scoring.series_models import EveningResult as EveningResult
from scoring.series_models import Honour as Honour
from scoring.series_models import Series as Series
from scoring.series_models import SeriesEvening as SeriesEvening
from tournaments.models import CashEntry, Commitment, Participant, Payment, Seat, Table, Tournament


class Sheet(models.Model):
    """The lock and the pen of one table's log. `pen_device` is empty until a phone takes the pen.

    Of this installation only, and never public: called_at is when the table last called the supervisor, came_at when the
    call ended, came_by the organiser who came, "" where the table took its call back.
    """

    table = models.OneToOneField(Table, models.CASCADE, related_name="sheet")
    pen_epoch = models.PositiveIntegerField(default=0)
    pen_device = models.CharField(max_length=64, blank=True)
    seen_at = models.DateTimeField(null=True, help_text="last sign of life of a phone")
    called_at = models.DateTimeField(null=True)
    came_at = models.DateTimeField(null=True)
    came_by = models.CharField(max_length=150, blank=True, db_default="")

    class Meta:
        constraints = [
            CheckConstraint(
                condition=Q(came_at=None, came_by="") | Q(called_at__isnull=False, came_at__isnull=False),
                name="call_ends_after_it_was_made",
            ),
        ]

    @property
    def open_call(self) -> datetime | None:
        """The time of a call for the supervisor; None if there is none, or it has ended."""
        return self.called_at if self.came_at is None else None


class PenGrant(models.Model):
    """The phone that had the pen under an epoch: its late entries are parked, those of other phones are refused."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="grants")
    epoch = models.PositiveIntegerField()
    device = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [UniqueConstraint(fields=["sheet", "epoch"], name="grant_epoch_once")]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.epoch}"


class EntryBody(models.Model):
    """The common fields of an entry of the log and a parked entry. Free text is kept apart from `data`."""

    class Author(models.TextChoices):
        SCRIBE = "scribe"
        ORGANISER = "organiser"

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="+")
    entry_id = models.UUIDField()
    kind = models.CharField(max_length=20)
    data = models.JSONField()
    text = models.CharField(
        max_length=500, blank=True, help_text="note or reason; the only column that may be blanked"
    )
    made_at = models.DateTimeField(help_text="by the writer's clock")
    pen_epoch = models.PositiveIntegerField(null=True, help_text="null where no phone wrote it")

    class Meta:
        abstract = True


class SheetEntry(EntryBody):
    """One fact of a sheet. The database refuses UPDATE, DELETE and TRUNCATE (trigger)."""

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="entries")
    sequence = models.PositiveIntegerField()
    by = models.CharField(max_length=9, choices=EntryBody.Author.choices)
    author = models.CharField(max_length=150, blank=True, help_text="account of the organiser who wrote it")
    initials = models.CharField(max_length=8, blank=True)
    recorded_at = models.DateTimeField()
    digest = models.CharField(max_length=64, help_text="as in scoring.core.marks, hexadecimal")

    class Meta:
        ordering = ["sequence"]
        constraints = [
            UniqueConstraint(fields=["tournament", "entry_id"], name="entry_once"),
            UniqueConstraint(fields=["sheet", "sequence"], name="entry_sequence_once"),
            CheckConstraint(condition=Q(by__in=["scribe", "organiser"]), name="entry_author_known"),
            CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="entry_has_digest"),
        ]


class ParkedEntry(EntryBody):
    """An entry made under an older epoch or for a closed round: outside the log until it is adopted or discarded."""

    class Outcome(models.TextChoices):
        ADOPTED = "adopted"
        DISCARDED = "discarded"

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="parked")
    parked_at = models.DateTimeField()
    outcome = models.CharField(max_length=9, choices=Outcome.choices, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)
    decided_initials = models.CharField(max_length=8, blank=True)
    decided_reason = models.CharField(max_length=500, blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint(fields=["tournament", "entry_id"], name="parked_once"),
            CheckConstraint(
                condition=Q(outcome="", decided_at=None)
                | (Q(outcome__in=["adopted", "discarded"], decided_at__isnull=False)),
                name="parked_outcome_known",
            ),
        ]


class SeatResult(models.Model):
    """The projection of a sheet's log for one seat. Written by `project()` only, rebuilt by `rebuild_results`."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="result")
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="results")
    accepted = models.BooleanField(help_text="the sheet is accepted: only then does it count")
    rank = models.PositiveIntegerField(null=True)
    points = models.IntegerField(null=True)
    strokes = models.PositiveIntegerField()
    counts = models.JSONField(help_text='what tie-breaks count, e.g. {"schnauz": 2, "feuer": 0}')


class RoundMark(models.Model):
    """A mark of a closed round (see `scoring.core.marks`), in the order of the tournament's chain. Append-only (trigger).

    value: what it is over, beside the mark before it. tables: those of which a sheet has changed since the round's mark before;
    none for the first one.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="marks")
    number = models.PositiveIntegerField()
    round_number = models.PositiveIntegerField()
    value = models.JSONField()
    tables = models.JSONField(default=list)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="mark_number_once"),
            CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="mark_has_digest"),
        ]


class Decision(models.Model):
    """The organiser's decision on players whom the ruleset leaves tied: their order, best first, and the reason.

    seed: of a lot that the program has drawn (`tournaments.core.lot`); the order follows from it. commitment: what the seed follows
    from, None if it was given.
    """

    class Kind(models.TextChoices):
        PLAYOFF = "playoff"
        LOT = "lot"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="decisions")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    order = models.JSONField(help_text="start numbers, best first")
    reason = models.CharField(max_length=500, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    commitment = models.OneToOneField(Commitment, models.PROTECT, null=True, related_name="lot")
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(condition=Q(kind__in=["playoff", "lot"]), name="decision_kind_known"),
            CheckConstraint(
                condition=Q(kind="lot") & ~Q(seed="") | Q(seed="") & ~Q(reason=""),
                name="decision_has_seed_or_reason",
            ),
        ]


class Publication(models.Model):
    """The results that are public from `at` on: all accepted ones (live), or only those of that moment (frozen).

    `results` is the data of the standings at the freeze, and how far each sheet was written (see
    `scoring.queries.standings.released_results`). The latest row is in force. No row: live.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="publications")
    is_frozen = models.BooleanField()
    results = models.JSONField(null=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            CheckConstraint(
                condition=Q(is_frozen=False, results=None) | Q(is_frozen=True, results__isnull=False),
                name="publication_frozen_has_results",
            ),
        ]


class Flag(models.Model):
    """A report by a person present that the sheet of a table is wrong, and the organiser's answer to it.

    Of this installation only: no document contains it. `origin` and `phone` identify the sender while it is open
    (digests under the server's key); closing it clears them. A redraw deletes it with its table.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="flags")
    table = models.ForeignKey(Table, models.CASCADE, related_name="flags")
    note = models.CharField(max_length=300)
    deal = models.PositiveSmallIntegerField(
        null=True, help_text="number of the deal that it is about, if any"
    )
    name = models.CharField(max_length=80, blank=True, help_text="as the sender calls himself")
    origin = models.CharField(max_length=32, blank=True)
    phone = models.CharField(max_length=32, blank=True)
    raised_at = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, help_text="since when an organiser looks into it")
    looked_by = models.CharField(max_length=150, blank=True, db_default="")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.CharField(max_length=150, blank=True)
    closed_word = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["tournament", "origin", "raised_at"], name="flag_of_a_sender")]
        constraints = [
            CheckConstraint(
                condition=Q(closed_at=None, closed_word="")
                | (Q(closed_at__isnull=False) & ~Q(closed_word="")),
                name="flag_closed_with_a_word",
            ),
            CheckConstraint(
                condition=Q(looked_at=None, looked_by="") | (Q(looked_at__isnull=False) & ~Q(looked_by="")),
                name="flag_looked_at_by_somebody",
            ),
        ]


class PrizeHandout(models.Model):
    """One fact of the prize-giving (see `scoring.core.prize_giving`). Append-only (trigger).

    prize: the key of the prize. number: of the facts about this prize of this player, from 1, so that two people cannot
    give the same prize. payment: the payout of a desk; cash: the line by which the money came back to one. The database
    checks that both are of this player, or of this tournament, and of the same amount.
    """

    class PrizeHandoutKind(models.TextChoices):
        GIVEN = "given"
        BACK = "back"
        ABSENT = "absent"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="handouts")
    participant = models.ForeignKey(Participant, models.PROTECT, related_name="handouts")
    prize = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=6, choices=PrizeHandoutKind.choices)
    cents = models.PositiveIntegerField(default=0)
    things = models.JSONField(default=list)
    payment = models.OneToOneField(Payment, models.PROTECT, null=True, related_name="handout")
    cash = models.OneToOneField(CashEntry, models.PROTECT, null=True, related_name="handout")
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint(fields=["participant", "prize", "number"], name="handout_number_once"),
            CheckConstraint(condition=Q(kind__in=["given", "back", "absent"]), name="handout_kind_known"),
            CheckConstraint(condition=Q(number__gte=1), name="handout_number_positive"),
            CheckConstraint(
                condition=Q(kind="absent", cents=0, things=[])
                | (~Q(kind="absent") & (Q(cents__gt=0) | ~Q(things=[]))),
                name="handout_gives_something",
            ),
            CheckConstraint(
                condition=Q(kind="given", cents__gt=0, payment__isnull=False)
                | (~Q(kind="given", cents__gt=0) & Q(payment=None)),
                name="handout_money_is_a_payout",
            ),
            CheckConstraint(
                condition=Q(kind="back", cents__gt=0, cash__isnull=False)
                | (~Q(kind="back", cents__gt=0) & Q(cash=None)),
                name="handout_money_back_is_cash",
            ),
        ]


class Screen(models.Model):
    """The scene that the organiser has sent to a public screen. No row: it follows the state of the evening.

    Local, not exported. text: of an announcement. network, password: of the Wi-Fi, for guests. lowest_rank: the
    prize-giving begins with it. revealed: the step that has been revealed last, a rank or the key of a special prize, ""
    before the first. It is no count, so that a tie that appears or disappears meanwhile reveals no player.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="screens")
    number = models.PositiveSmallIntegerField()
    scene = models.CharField(
        max_length=12, choices=[(key, key.capitalize()) for key in SCENES], default="automatic"
    )
    text = models.CharField(max_length=240, blank=True)
    network = models.CharField(max_length=32, blank=True)
    password = models.CharField(max_length=63, blank=True)
    lowest_rank = models.PositiveSmallIntegerField(default=3)
    revealed = models.CharField(max_length=100, blank=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            UniqueConstraint(fields=["tournament", "number"], name="screen_number_once"),
            CheckConstraint(condition=Q(number__range=(1, 9)), name="screen_number_known"),
            CheckConstraint(condition=Q(lowest_rank__range=(1, 60)), name="screen_lowest_rank_known"),
        ]


class RoundClock(models.Model):
    """The clock of a round in play: it counts down from the time at which the organiser has started it.

    Local, not exported: whoever takes an evening over starts it anew. stopped_at: null while it runs, also beyond its end.
    by, at: of the last start, change or stop.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="round_clock")
    round_number = models.PositiveIntegerField()
    minutes = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        constraints = [CheckConstraint(condition=Q(minutes__range=(1, 240)), name="clock_minutes_known")]


class ScreenPairing(models.Model):
    """A browser that shows the screens as the hall sees them: full names, the password of the Wi-Fi, the prizes.

    Local, not exported. Until `paired_at` it only asks: it shows `code`, which an organiser confirms. device: the random
    name in its signed cookie. number: the screen at which it was paired. origin: a digest of its address while it asks.
    seen_at: when a paired one asked for its page, to the minute.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="screen_pairings")
    number = models.PositiveSmallIntegerField()
    device = models.CharField(max_length=32, unique=True)
    code = models.CharField(max_length=6, blank=True)
    tries = models.PositiveSmallIntegerField(
        default=0, help_text="wrong codes that were entered while it was open"
    )
    origin = models.CharField(max_length=32, blank=True)
    asked_at = models.DateTimeField()
    paired_at = models.DateTimeField(null=True)
    paired_by = models.CharField(max_length=150, blank=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint(fields=["tournament", "code"], condition=~Q(code=""), name="pairing_code_once"),
            CheckConstraint(condition=Q(number__range=(1, 9)), name="pairing_screen_known"),
            CheckConstraint(
                condition=Q(paired_at=None) & ~Q(code="") | Q(paired_at__isnull=False, code="", origin=""),
                name="pairing_asks_or_is_paired",
            ),
        ]


class BackupNote(models.Model):
    """The result of the last attempt to make a backup. One row, and local: in no dump, no document.

    made_at: of the last backup that succeeded. failure: why the last attempt failed, at failed_at; "" if it succeeded.
    """

    made_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)
    failed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [CheckConstraint(condition=Q(pk=1), name="backup_note_once")]


class MissingPlayer(models.Model):
    """A player who is missing at a table, until they are found. Of this installation only: no document contains it.

    It counts only while the round is in play and the player has that seat. reported_by, found_by: the organiser's account,
    "" for a phone of the table. A redraw deletes it with its table.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="missing")
    participant = models.ForeignKey(Participant, models.CASCADE, related_name="missing")
    reported_at = models.DateTimeField()
    reported_by = models.CharField(max_length=150, blank=True)
    found_at = models.DateTimeField(null=True)
    found_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            UniqueConstraint(
                fields=["table", "participant"], condition=Q(found_at=None), name="missing_once_at_a_table"
            ),
            CheckConstraint(
                condition=Q(found_at__isnull=False) | Q(found_by=""), name="found_by_after_found"
            ),
        ]
