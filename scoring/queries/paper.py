"""What is put on paper: table sheets, seating plans, the standings.

Lists are cut into pages here and not by the browser, so that every browser prints the same pages, each with its
heading and its number. How many rows fit on a page belongs to the row heights in static/css/print.css.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Generic, TypeVar

from scoring.core.entries import Entry
from scoring.models import Decision
from scoring.queries.standings import Leaderboard, LeaderboardRow
from scoring.queries.supervision import Board, Fact, Link, SeatState, TableState, link_of
from tournaments.core.names import sort_key
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, SeatRow, TableRow
from tournaments.rulesets.schema import Ruleset

T = TypeVar("T")

NAMES_A_COLUMN = 24
STANDINGS_A_PAGE = 31
ROWS_OF_THE_WINNER = 5
ROWS_OF_A_DECISION = 3
MOST_ROUND_COLUMNS = 8
"""The standings show the points of each round up to this many rounds; more columns do not fit beside the names."""

_TABLE_GRID_MM, _CARD_HEAD_MM, _CARD_SEAT_MM = 246, 16.5, 7.5


# --- pages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list; `columns` side by side, each with its own rows."""

    number: int
    of: int
    columns: tuple[tuple[T, ...], ...]

    @property
    def rows(self) -> tuple[T, ...]:
        return tuple(row for column in self.columns for row in column)

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def is_last(self) -> bool:
        return self.number == self.of


def _numbered(pages: Sequence[tuple[tuple[T, ...], ...]]) -> list[Page[T]]:
    return [Page(number, len(pages), columns) for number, columns in enumerate(pages, start=1)]


def _chunks(rows: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(rows[start : start + size]) for start in range(0, len(rows), size)]


def _shares(rows: Sequence[T], parts: int) -> list[tuple[T, ...]]:
    """The rows in `parts` runs of nearly the same length, longer ones first."""
    size, more = divmod(len(rows), parts)
    starts = [part * size + min(part, more) for part in range(parts + 1)]
    return [tuple(rows[start:end]) for start, end in pairwise(starts)]


# --- table sheets --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table sheet; empty where somebody writes by hand."""

    seat_number: int
    start_number: int | None = None
    name: str = ""
    result: SeatState | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the organiser did to a sheet that was already written: what, why, and his initials."""

    kind: str
    at: datetime | None
    initials: str
    reason: str
    before: Fact | None = None
    after: Fact | None = None


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A table sheet on paper. Without a link there is no code on it, without a round number it is for any table."""

    rules: Ruleset
    lines: tuple[Line, ...]
    round: RoundRow | None = None
    table_number: int | None = None
    link: Link | None = None
    accepted_at: datetime | None = None
    remarks: tuple[Remark, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.lines)

    @property
    def points_key(self) -> list[tuple[int, int]]:
        """Rank and points, as far as ranks can go at this table; empty where ranks give no points."""
        points = [(rank, self.rules.points_for_rank(rank)) for rank in range(1, self.seats + 1)]
        return [(rank, given) for rank, given in points if given is not None]

    @property
    def pot_cents(self) -> int:
        return self.rules.stakes.stake_cents * self.seats if self.rules.stakes else 0

    @property
    def returned_to(self) -> str:
        """The ranks that get their stake back, e.g. "2" or "2, 3"."""
        return ", ".join(map(str, self.rules.stakes.returned_to_ranks)) if self.rules.stakes else ""

    @property
    def needs_local_network(self) -> bool:
        """Plain http is served in the hall's own network only; a phone has to be in it."""
        return self.link is not None and self.link.url.startswith("http:")

    @property
    def is_draft(self) -> bool:
        """Drawn, not released: seats may still change, and there is no code yet."""
        return self.round is not None and self.round.is_drawn_only


def drawn_sheets(
    tournament: Tournament, found: RoundRow, *, table_number: int | None = None
) -> list[PaperSheet]:
    """The sheets of a round with the drawn names, with a code each while the round is released."""
    rules = tournament.rules
    wanted = [table for table in found.tables if table_number in (None, table.number)]
    return [_drawn_sheet(rules, found, table) for table in wanted]


def _drawn_sheet(rules: Ruleset, found: RoundRow, table: TableRow) -> PaperSheet:
    lines = tuple(Line(seat.seat_number, seat.start_number, seat.name) for seat in table.seats)
    link = link_of(table) if found.is_released else None
    return PaperSheet(rules, lines, round=found, table_number=table.number, link=link)


def blank_sheets(rules: Ruleset, seats: int) -> list[PaperSheet]:
    """A page of sheets for any table of this size, with nothing on them but the columns."""
    lines = tuple(Line(number) for number in range(1, seats + 1))
    return [PaperSheet(rules, lines)] * 2


def blank_sizes(rules: Ruleset) -> list[int]:
    """The table sizes that can happen under a ruleset."""
    return sorted(rules.tables.sizes + rules.tables.exceptions)


def filled_sheets(rules: Ruleset, found: Board, *, table_number: int | None = None) -> list[PaperSheet]:
    """The accepted sheets of a round with their results, and what the organiser changed on them."""
    return [
        _filled_sheet(rules, found.round, table)
        for table in found.tables
        if table.is_accepted and table_number in (None, table.number)
    ]


def _filled_sheet(rules: Ruleset, found: RoundRow, table: TableState) -> PaperSheet:
    entries = table.log.entries
    return PaperSheet(
        rules=rules,
        lines=tuple(
            Line(state.number, state.seat.start_number, state.name, result=state) for state in table.seats
        ),
        round=found,
        table_number=table.number,
        accepted_at=next((entry.made_at for entry in reversed(entries) if entry.kind == "accepted"), None),
        remarks=_remarks(table),
    )


def _remarks(table: TableState) -> tuple[Remark, ...]:
    """In the order of the log: corrections, facts taken back or added later, reopenings, reasons given."""
    seats = {seat.seat_number: seat for seat in table.table.seats}
    facts: dict[str, Fact] = {}
    corrected: dict[str, tuple[str, Fact]] = {}
    remarks: list[Remark] = []
    was_reopened = False
    for entry in table.log.entries:
        if entry.kind in table.log.kind.facts:
            facts[entry.id] = Fact(entry.kind, entry.data, seats)
            if was_reopened and entry.by == "organiser":
                remarks.append(_remark("added", entry, after=facts[entry.id]))
        elif entry.kind == "corrected":
            before = facts[entry.data["entry"]]
            corrected[entry.id] = (entry.data["entry"], before)
            facts[entry.data["entry"]] = after = Fact(before.kind, entry.data["data"], seats)
            remarks.append(_remark(entry.kind, entry, before=before, after=after))
        elif entry.kind == "voided" and entry.data["entry"] in corrected:
            fact_id, earlier = corrected[entry.data["entry"]]
            remarks.append(_remark("corrected", entry, before=facts[fact_id], after=earlier))
            facts[fact_id] = earlier
        elif entry.kind == "voided" and entry.by == "organiser":
            remarks.append(_remark(entry.kind, entry, before=facts.get(entry.data["entry"])))
        elif entry.kind in ("reopened", "accepted") and "reason" in entry.data:
            was_reopened = was_reopened or entry.kind == "reopened"
            remarks.append(_remark(entry.kind, entry))
    return tuple(remarks)


def _remark(kind: str, entry: Entry, *, before: Fact | None = None, after: Fact | None = None) -> Remark:
    return Remark(kind, entry.made_at, entry.initials, str(entry.data.get("reason", "")), before, after)


def pairs(sheets: Sequence[PaperSheet]) -> list[tuple[PaperSheet, ...]]:
    """Two sheets a page."""
    return _chunks(sheets, 2)


# --- seating plans -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NameRow:
    """A line of the plan by name. opens_letter: the first one under its letter; has_namesake: its number is needed."""

    seat: SeatRow
    opens_letter: bool
    has_namesake: bool = False


def seating_by_name(found: RoundRow) -> list[Page[NameRow]]:
    """Everybody in the order of a German dictionary, in two columns a page, pages and columns evenly full."""
    seats = sorted(found.seats, key=lambda seat: (sort_key(seat.name), seat.start_number))
    names = Counter(seat.name for seat in seats)
    rows = [
        NameRow(
            seat,
            opens_letter=index == 0 or _letter(seats[index - 1]) != _letter(seat),
            has_namesake=names[seat.name] > 1,
        )
        for index, seat in enumerate(seats)
    ]
    count = max(1, -(-len(rows) // (2 * NAMES_A_COLUMN)))
    return _numbered([tuple(_shares(page, 2)) for page in _shares(rows, count)])


def letters(page: Page[NameRow]) -> tuple[str, str]:
    """The first and the last letter on a page of names, for its heading; "" on an empty one."""
    rows = page.rows
    return (_letter(rows[0].seat), _letter(rows[-1].seat)) if rows else ("", "")


def _letter(seat: SeatRow) -> str:
    return sort_key(seat.name)[0][:1].upper()


def seating_by_table(found: RoundRow) -> list[Page[TableRow]]:
    """The tables side by side, two in a row, whole tables on a page."""
    largest = max((len(table.seats) for table in found.tables), default=1)
    in_a_column = max(1, int(_TABLE_GRID_MM / (_CARD_HEAD_MM + _CARD_SEAT_MM * largest)))
    return _numbered([(tables,) for tables in _chunks(found.tables, 2 * in_a_column)])


# --- standings -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DecidedTie:
    """A decision that orders players who would share a rank, best first. seed: of a lot that the program drew."""

    kind: str
    reason: str
    seed: str
    players: tuple[LeaderboardRow, ...]


@dataclass(frozen=True, slots=True)
class StandingsPaper:
    """The standings, cut into pages."""

    board: Leaderboard
    decided: tuple[DecidedTie, ...]
    pages: tuple[Page[LeaderboardRow], ...]

    @property
    def round_numbers(self) -> range:
        """The rounds with a column of their own."""
        return range(1, self.board.rounds + 1 if self.board.rounds <= MOST_ROUND_COLUMNS else 1)

    @property
    def latest_round(self) -> int:
        """The last round that anything is known of; 0 before the first sheet counts."""
        results = [row.standing.by_round for row in self.board.rows]
        return max(
            (n for by_round in results for n, points in enumerate(by_round, 1) if points is not None),
            default=0,
        )

    @property
    def has_ties(self) -> bool:
        return any(row.standing.tied for row in self.board.rows)

    @property
    def has_clubs(self) -> bool:
        return any(row.club for row in self.board.rows)


def standings_paper(board: Leaderboard, decisions: Iterable[Decision]) -> StandingsPaper:
    decided = tuple(_decided_ties(board, decisions))
    first = STANDINGS_A_PAGE - ROWS_OF_THE_WINNER * len(board.winners[:3])
    notes = ROWS_OF_A_DECISION * len(decided)
    cut = [board.rows[:first], *_chunks(board.rows[first:], STANDINGS_A_PAGE)]
    room = first if len(cut) == 1 else STANDINGS_A_PAGE
    if notes and len(cut[-1]) + notes > room:
        keep = max(len(cut[-1]) - notes, 1)
        cut[-1:] = [cut[-1][:keep], cut[-1][keep:]]
    return StandingsPaper(board, decided, tuple(_numbered([(rows,) for rows in cut])))


def decisions_in_force(tournament: Tournament) -> list[Decision]:
    return list(tournament.decisions.filter(revoked_at=None).order_by("-id"))


def _decided_ties(board: Leaderboard, decisions: Iterable[Decision]) -> Iterable[DecidedTie]:
    """Those decisions that order anybody: the latest for all who are equal now."""
    groups: dict[tuple[int, ...], list[LeaderboardRow]] = {}
    for row in board.rows:
        groups.setdefault(row.standing.ranking_key, []).append(row)
    for equal in groups.values():
        if len(equal) > 1 and not equal[0].standing.tied:
            numbers = {row.start_number for row in equal}
            decision = next((found for found in decisions if numbers <= set(found.order)), None)
            if decision is not None:
                yield DecidedTie(decision.kind, decision.reason, decision.seed, tuple(equal))
