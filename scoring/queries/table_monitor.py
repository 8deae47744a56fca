"""Page model of a round in progress: each table with its sheet."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal

from django.conf import settings
from django.db.models import Prefetch, QuerySet

from scoring.core import sheet as core
from scoring.core.pace import end_of_round
from scoring.core.reopening import standing_confirmations
from scoring.core.sheet_kind import SeatScore
from scoring.core.stakes import Payout, payout
from scoring.models import Flag, MissingPlayer, ParkedEntry, Sheet
from scoring.sheet_log import OpenSheet, entry_of, is_begun
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, SeatRow, TableRow, rounds_with_seating
from tournaments.rulesets.schema import Ruleset

SheetStatus = Literal["untouched", "open", "objected", "submitted", "accepted"]

NEEDS = ("call", "missing", "objection", "flag", "waiting", "parked", "full", "submitted")
"""Why a table may need an organiser, the most urgent first."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat, its score on the sheet, and its share of the pot once the table is decided."""

    seat: SeatRow
    score: SeatScore
    lives: int | None
    is_in: bool
    payout_cents: int | None

    @property
    def number(self) -> int:
        return self.seat.seat_number

    @property
    def name(self) -> str:
        return self.seat.name

    @property
    def told_apart(self) -> str:
        return self.seat.told_apart


@dataclass(frozen=True, slots=True)
class TableState:
    """A table and its sheet.

    parked: entries without a decision. seen_at: time of the last entries or pen request of a phone, roughly.
    called_at: a call for the supervisor that has not ended, in a round in play; came_at, came_by: the end of the last one,
    "" where the table took it back. flags: open reports of a problem at the table. digest: of the last entry; "" if there is none.
    missing: the seats of players who are looked for.
    """

    table: TableRow
    log: core.SheetLog
    parked: tuple[ParkedEntry, ...] = ()
    has_phone: bool = False
    seen_at: datetime | None = None
    called_at: datetime | None = None
    came_at: datetime | None = None
    came_by: str = ""
    flags: tuple[Flag, ...] = ()
    missing: tuple[SeatRow, ...] = ()
    has_begun: bool = False
    digest: str = ""

    @property
    def id(self) -> int:
        return self.table.id

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def state(self) -> SheetStatus:
        return self.log.status if self.log.entries else "untouched"

    @property
    def needs(self) -> list[str]:
        """Why the table needs an organiser, the most urgent first: keys of `scoring.text.states.NEEDS`."""
        reasons = {
            "call": self.called_at,
            "missing": self.missing,
            "objection": self.state == "objected",
            "flag": self.flags,
            "waiting": self.waiting,
            "parked": self.parked,
            "full": self.is_full,
            "submitted": self.is_submitted,
        }
        return [reason for reason in NEEDS if reasons[reason]]

    @property
    def needs_somebody(self) -> bool:
        return bool(self.needs)

    @property
    def present(self) -> list[SeatRow]:
        """The seats of players who are not looked for."""
        return [seat for seat in self.table.seats if seat not in self.missing]

    @property
    def is_full(self) -> bool:
        """Whether the sheet takes no more entries of a phone."""
        return self.is_open and len(self.log.entries) >= settings.MOST_ENTRIES

    @property
    def waiting(self) -> frozenset[str]:
        """The entries that wait for the supervisor's mark."""
        return self.log.kind.waiting(self.log.state)

    @property
    def is_accepted(self) -> bool:
        return self.log.phase == "accepted"

    @property
    def is_from_paper(self) -> bool:
        """Whether the sheet is accepted and has its ranks or sums from paper, not its deals from a phone."""
        kinds = {fact.kind for fact in self.log.facts}
        return self.is_accepted and "deal" not in kinds and bool(kinds & {"ranked", "totalled"})

    @property
    def is_submitted(self) -> bool:
        return self.log.phase == "submitted"

    @property
    def is_open(self) -> bool:
        return self.log.phase == "open"

    @property
    def has_facts(self) -> bool:
        return bool(self.log.facts)

    @property
    def deals(self) -> int:
        return sum(1 for fact in self.log.facts if fact.kind == "deal")

    @property
    def deals_of(self) -> int | None:
        """The number of deals of the sheet, if it is fixed."""
        return self.log.ruleset.sheet.fixed_deals

    @property
    def part_written(self) -> float:
        """The part of the sheet that is written, by its deals or the lives lost; 1 once it is handed in."""
        if not self.is_open:
            return 1
        if self.deals_of:
            return min(self.deals / self.deals_of, 1)
        if not self.lives:
            return 0
        seats = [
            (self.log.kind.lives_left(self.log.state, seat.seat_number), seat) for seat in self.table.seats
        ]
        lost = sum(
            self.lives - left + (not self.log.kind.is_in(self.log.state, seat.seat_number))
            for left, seat in seats
            if left is not None
        )
        return min(lost / ((self.lives + 1) * max(len(seats) - 1, 1)), 1)

    @property
    def counts_strokes(self) -> bool:
        return self.log.ruleset.sheet.counts_strokes

    @property
    def strokes(self) -> int:
        return sum(score.strokes for score in self.log.results)

    @property
    def shows_result(self) -> bool:
        """Whether to show ranks: the sheet is submitted or accepted."""
        return self.log.phase != "open"

    @property
    def lives(self) -> int | None:
        """The lives at the start, if players have any."""
        return self.log.ruleset.sheet.lives

    @property
    def objections(self) -> list[tuple[SeatRow, str, str]]:
        """Seat, words and entry of each objection."""
        return [
            (self.seat(stands.seat_number), stands.note, stands.entry_id) for stands in self.log.objections
        ]

    @property
    def confirmed(self) -> int:
        return len(standing_confirmations(self.log))

    def seat(self, seat_number: int) -> SeatRow:
        return next(seat for seat in self.table.seats if seat.seat_number == seat_number)

    @property
    def pot(self) -> Payout | None:
        return payout_of(self.log)

    @property
    def seats(self) -> list[SeatState]:
        pot = self.pot
        return [
            SeatState(
                seat=seat,
                score=score,
                lives=self.log.kind.lives_left(self.log.state, seat.seat_number),
                is_in=self.log.kind.is_in(self.log.state, seat.seat_number),
                payout_cents=pot.by_seat[seat.seat_number] if pot else None,
            )
            for seat, score in zip(self.table.seats, self.log.results, strict=True)
        ]

    @property
    def standing(self) -> list[SeatState]:
        """The seats, best rank first, those without a rank last."""
        return sorted(
            self.seats, key=lambda seat: (seat.score.rank or len(self.table.seats) + 1, seat.number)
        )

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """A value that changes whenever the table has to look different on the page."""
        minute = self.seen_at.replace(second=0, microsecond=0) if self.seen_at else None
        return (
            self.number,
            self.table.link_version,
            self.table.scribe_agreed and self.table.scribe,
            len(self.log.entries),
            len(self.parked),
            tuple((flag.pk, flag.looked_at) for flag in self.flags),
            self.has_phone,
            self.called_at,
            tuple(seat.seat_number for seat in self.missing),
            minute,
        )


@dataclass(frozen=True, slots=True)
class TableMonitor:
    """A drawn round with all its tables."""

    round: RoundRow
    tables: tuple[TableState, ...]

    @property
    def number(self) -> int:
        return self.round.number

    @property
    def needing(self) -> list[TableState]:
        return [table for table in self.tables if table.needs_somebody]

    @property
    def most_urgent(self) -> list[TableState]:
        """The tables that need an organiser, the most urgent first, of calls the longest wait."""

        def urgency(table: TableState) -> tuple[int, float, int]:
            called_at = table.called_at.timestamp() if table.called_at else 0
            return NEEDS.index(table.needs[0]), called_at, table.number

        return sorted(self.needing, key=urgency)

    @property
    def submitted(self) -> list[TableState]:
        return [table for table in self.tables if table.is_submitted]

    @property
    def accepted(self) -> int:
        return sum(1 for table in self.tables if table.is_accepted)

    @property
    def missing(self) -> list[TableState]:
        """The tables that prevent the round from being closed without a reason."""
        return [table for table in self.tables if not table.is_accepted or table.parked]

    @property
    def without_scribe(self) -> list[TableRow]:
        """The tables whose scribe the organiser must still name."""
        return [table for table in self.round.tables if table.scribe is None]

    @property
    def waiting_for_paper(self) -> list[TableState]:
        return [table for table in self.tables if table.is_open]

    @property
    def started_at(self) -> datetime | None:
        return self.round.started_at or self.round.released_at

    def ends_at(self, at: datetime) -> datetime | None:
        """Return when the round will be over, from the pace of its tables; None if it cannot be told."""
        if self.started_at is None or not self.round.is_released:
            return None
        return end_of_round([table.part_written for table in self.tables], started_at=self.started_at, at=at)

    @property
    def is_untouched(self) -> bool:
        """Whether no table has begun, so that the round can still be drawn again."""
        return not any(table.has_begun for table in self.tables)

    @property
    def version(self) -> str:
        seats = self.round.seating
        state = (self.round.state, seats, tuple(table.fingerprint for table in self.tables))
        return hashlib.sha256(repr(state).encode()).hexdigest()[:16]

    def table(self, number: int) -> TableState | None:
        return next((table for table in self.tables if table.number == number), None)


def table_monitor(tournament: Tournament, number: int, *, table: int | None = None) -> TableMonitor | None:
    """Return the tables of a round with their sheets; None if it is not drawn. A fixed number of queries.

    table: the only one to read.
    """
    rounds = rounds_with_seating(tournament, [number], table=table)
    return monitor_of(tournament, rounds[0]) if rounds else None


@cache
def _sheets() -> QuerySet[Any]:
    """Return the query for all sheets, which is put together once."""
    return Sheet.objects.annotate(has_begun=is_begun("table"))


def monitor_of(tournament: Tournament, row: RoundRow) -> TableMonitor:
    """Return the tables of a round that was read with its seating."""
    tables = [table.id for table in row.tables]
    undecided = Prefetch("parked", queryset=ParkedEntry.objects.filter(outcome=""), to_attr="undecided")
    sheets = _sheets().filter(table__in=tables).prefetch_related("entries", undecided)
    by_table = {sheet.table_id: sheet for sheet in sheets}
    flags = list(Flag.objects.filter(table__in=tables, closed_at=None))
    missing = _missing(tables) if row.is_released else ()
    states = [
        _table_state(
            tournament.rules,
            table,
            by_table.get(table.id),
            is_in_play=row.is_released,
            flags=tuple(flag for flag in flags if flag.table_id == table.id),
            missing=tuple(seat for seat in table.seats if (table.id, seat.start_number) in missing),
        )
        for table in row.tables
    ]
    return TableMonitor(row, tuple(states))


def state_of(sheet: OpenSheet) -> TableState:
    """Return a table from its opened sheet, with seats and log only. No query."""
    seats = [
        SeatRow(
            seat.seat_number,
            seat.participant.start_number,
            seat.participant.name,
            seat.participant.club,
            sheet.table.number,
        )
        for seat in sheet.seats
    ]
    table = TableRow(sheet.table.pk, sheet.table.number, sheet.table.link_version, tuple(seats))
    return TableState(table, sheet.log, has_begun=sheet.has_begun)


def _missing(tables: Collection[int]) -> Collection[tuple[int, int]]:
    """Return the missing players of tables: the id of their table and their start number."""
    rows = MissingPlayer.objects.filter(table__in=tables, found_at=None)
    return set(rows.values_list("table_id", "participant__start_number"))


def _table_state(
    rules: Ruleset,
    table: TableRow,
    sheet: Sheet | None,
    *,
    is_in_play: bool,
    **of_table: Any,
) -> TableState:
    """Return a table. is_in_play: its round is released and not closed. of_table: fields that are not of its sheet."""
    seats = [seat.seat_number for seat in table.seats]
    if sheet is None:
        return TableState(table, core.empty(rules, seats), **of_table)
    entries = sheet.entries.all()
    return TableState(
        table=table,
        log=core.replay(rules, seats, [entry_of(entry) for entry in entries]),
        digest=entries[len(entries) - 1].digest if entries else "",
        parked=tuple(sheet.undecided),  # type: ignore[attr-defined]  # by the Prefetch above
        has_phone=bool(sheet.pen_device),
        seen_at=sheet.seen_at,
        called_at=sheet.open_call if is_in_play else None,
        came_at=sheet.came_at,
        came_by=sheet.came_by,
        **of_table,
        has_begun=sheet.has_begun,  # type: ignore[attr-defined]  # annotated in monitor_of
    )


def payout_of(log: core.SheetLog) -> Payout | None:
    """Return the shares of the pot; None if there are no stakes or the table is not decided."""
    ranks = {score.seat_number: score.rank for score in log.results if score.rank is not None}
    is_decided = log.is_complete or log.phase == "accepted"
    if log.ruleset.stakes is None or not is_decided or 1 not in ranks.values():
        return None
    return payout(ranks, log.ruleset.stakes)
