"""The printed table sheets: blank, with the drawn names, and accepted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.core.marks import mark_of
from scoring.organiser.kinds.deal_rows import Columns, DealRow, empty_row
from scoring.organiser.kinds.registry import organiser_kind
from scoring.organiser.prints.paging import chunks
from scoring.queries.sheet_page import NamedFact
from scoring.queries.table_monitor import SeatState, TableMonitor, TableState
from scoring.sheet_link import Link, link_of
from scoring.text.hands import order_of_hands
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, SeatRow
from tournaments.rulesets.schema import Ruleset

DEALS_A_PAGE = 40
"""Largest number of rows with room for handwriting. A sheet with more deals has several pages."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table sheet; empty on a blank sheet."""

    seat_number: int
    start_number: int | None = None
    name: str = ""
    town: str = ""
    result: SeatState | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A change by the organiser of a written sheet, and the entry with its reason and initials."""

    kind: str
    entry: Entry
    before: NamedFact | None = None
    after: NamedFact | None = None


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A table sheet on paper. Without a link it has no code; without a round it is for any table.

    scribe: None if unknown. deals, columns: rows of the deals and totals of the columns; a sheet typed in from paper has
    only the sums. number, of: page number and number of pages of the table's sheet; the last has the sums. mark: of the log.
    """

    rules: Ruleset
    lines: tuple[Line, ...]
    round: RoundRow | None = None
    table_number: int | None = None
    link: Link | None = None
    scribe: SeatRow | None = None
    accepted_at: datetime | None = None
    mark: str = ""
    remarks: tuple[Remark, ...] = ()
    deals: tuple[DealRow, ...] = ()
    columns: tuple[Columns, ...] = ()
    number: int = 1
    of: int = 1

    @property
    def points_key(self) -> list[tuple[int, int]]:
        """The points for each rank at this table; empty if ranks give no points."""
        points = [(rank, self.rules.points_for_rank(rank)) for rank in range(1, len(self.lines) + 1)]
        return [(rank, rank_points) for rank, rank_points in points if rank_points is not None]

    @property
    def pot_cents(self) -> int:
        return self.rules.stakes.stake_cents * len(self.lines) if self.rules.stakes else 0

    @property
    def returned_to(self) -> str:
        """The ranks that get their stake back, e.g. "2" or "2, 3"."""
        return ", ".join(map(str, self.rules.stakes.returned_to_ranks)) if self.rules.stakes else ""

    @property
    def is_final(self) -> bool:
        """Whether the winner of this table wins the tournament.

        It is the only table of a round in a knockout, or too small to be one of several.
        """
        if self.rules.qualifying is None:
            return False
        tables = self.rules.tables
        return (
            len(self.round.tables) == 1
            if self.round
            else len(self.lines) not in (*tables.sizes, *tables.exceptions)
        )

    @property
    def has_named_scribe(self) -> bool:
        """Whether the sheet names a scribe: one other than seat 1, or one named by the organiser."""
        is_seat_1 = self.rules.scribe == "seat_1" and (self.scribe is None or self.scribe.seat_number == 1)
        return self.scribe is not None and not is_seat_1

    @property
    def hand_values(self) -> str:
        """The values of hands, e.g. „Schnauz 35, Feuer 33, Halbes 31“; "" if the sheet does not record them."""
        hands = self.rules.hands
        if hands is None or not organiser_kind(self.rules).prints_hand_values:
            return ""
        return ", ".join(f"{step.name} {step.points}" for step in order_of_hands(hands) if step.points)

    @property
    def template(self) -> str:
        """The template of this sheet."""
        kind = organiser_kind(self.rules)
        is_filled = any(line.result for line in self.lines)
        return kind.filled_template if is_filled else kind.sheet_template

    @property
    def needs_local_network(self) -> bool:
        """Whether phones must be in the local network: plain HTTP is served only there."""
        return self.link is not None and self.link.url.startswith("http:")


def drawn_sheets(
    tournament: Tournament, round_row: RoundRow, *, table_number: int | None = None
) -> list[PrintedSheet]:
    """Return the sheets of a round with the drawn names; each has a code while the round is released."""
    rules, drawn = tournament.rules, []
    for table in round_row.tables:
        if table_number in (None, table.number):
            lines = tuple(_line(rules, seat) for seat in table.seats)
            link = link_of(table) if round_row.is_released else None
            drawn.append(PrintedSheet(rules, lines, round_row, table.number, link, table.scribe))
    return [_with_deals(sheet) for sheet in drawn]


def _line(rules: Ruleset, seat: SeatRow) -> Line:
    town = seat.town if rules.towns_on_sheet else ""
    return Line(seat.seat_number, seat.start_number, seat.name, town)


def blank_sheets(rules: Ruleset, seats: int) -> list[PrintedSheet]:
    """Return a page of blank sheets for any table of this size."""
    lines = tuple(Line(number) for number in range(1, seats + 1))
    sheet = _with_deals(PrintedSheet(rules, lines))
    return [sheet] if sheet.deals else [sheet] * 2


def _with_deals(sheet: PrintedSheet, log: core.SheetLog | None = None) -> PrintedSheet:
    seats = [line.seat_number for line in sheet.lines]
    columns = organiser_kind(sheet.rules).columns(log, seats)
    return replace(sheet, deals=deal_rows(sheet.rules, seats, log), columns=columns)


def blank_sizes(rules: Ruleset) -> list[int]:
    """Return the table sizes that a ruleset allows; a final has one seat per remaining player."""
    finals = range(2, rules.qualifying.final + 1) if rules.qualifying else ()
    return sorted({*rules.tables.sizes, *rules.tables.exceptions, *finals})


def filled_sheets(
    rules: Ruleset, monitor: TableMonitor, *, table_number: int | None = None
) -> list[PrintedSheet]:
    """Return the accepted sheets of a round with their results and the organiser's changes."""
    return [
        _filled_sheet(rules, monitor.round, table)
        for table in monitor.tables
        if table.is_accepted and table_number in (None, table.number)
    ]


def _filled_sheet(rules: Ruleset, round_row: RoundRow, table: TableState) -> PrintedSheet:
    entries = table.log.entries
    sheet = PrintedSheet(
        rules=rules,
        lines=tuple(replace(_line(rules, state.seat), result=state) for state in table.seats),
        round=round_row,
        table_number=table.number,
        accepted_at=next((entry.made_at for entry in reversed(entries) if entry.kind == "accepted"), None),
        mark=mark_of(table.digest),
        remarks=_remarks(table),
    )
    return _with_deals(sheet, table.log)


def _remarks(table: TableState) -> tuple[Remark, ...]:
    """Return the remarks in the order of the log: corrections, facts voided or added later, reopenings, acceptances with a reason."""
    seats = {seat.seat_number: seat for seat in table.table.seats}
    facts: dict[str, NamedFact] = {}
    corrected: dict[str, tuple[str, NamedFact]] = {}
    remarks: list[Remark] = []
    was_reopened = False
    for entry in table.log.entries:
        if entry.kind in table.log.kind.facts:
            facts[entry.id] = NamedFact(entry.kind, entry.data, seats)
            if was_reopened and entry.by == "organiser":
                remarks.append(Remark("added", entry, after=facts[entry.id]))
        elif entry.kind == "corrected":
            before = facts[entry.data["entry"]]
            corrected[entry.id] = (entry.data["entry"], before)
            facts[entry.data["entry"]] = after = NamedFact(before.kind, entry.data["data"], seats)
            remarks.append(Remark(entry.kind, entry, before=before, after=after))
        elif entry.kind == "voided" and entry.data["entry"] in corrected:
            fact_id, earlier = corrected[entry.data["entry"]]
            remarks.append(Remark("corrected", entry, before=facts[fact_id], after=earlier))
            facts[fact_id] = earlier
        elif entry.kind == "voided" and entry.by == "organiser":
            remarks.append(Remark(entry.kind, entry, before=facts.get(entry.data["entry"])))
        elif entry.kind in ("reopened", "accepted") and "reason" in entry.data:
            was_reopened = was_reopened or entry.kind == "reopened"
            remarks.append(Remark(entry.kind, entry))
    return tuple(remarks)


def sheet_pages(sheets: Sequence[PrintedSheet]) -> list[tuple[PrintedSheet, ...]]:
    """Return the pages: two sheets a page; sheets with a row for each deal take one or more pages."""
    if not any(sheet.deals for sheet in sheets):
        return chunks(sheets, 2)
    return [(part,) for sheet in sheets for part in in_parts(sheet)]


def filled_pages(sheets: Sequence[PrintedSheet]) -> list[tuple[PrintedSheet, ...]]:
    """Return the pages: runs of consecutive sheets; sheets with a row for each deal have separate pages."""
    pages: list[tuple[PrintedSheet, ...]] = []
    for by_deals, group in groupby(sheets, key=lambda sheet: bool(sheet.deals)):
        run = tuple(group)
        pages += sheet_pages(run) if by_deals else [run]
    return pages


def in_parts(sheet: PrintedSheet) -> list[PrintedSheet]:
    """Return the sheet in parts, one for each page of deals."""
    cut = chunks(sheet.deals, DEALS_A_PAGE) or [()]
    return [
        replace(sheet, deals=deals, number=number, of=len(cut)) for number, deals in enumerate(cut, start=1)
    ]


def deal_rows(rules: Ruleset, seats: Sequence[int], log: core.SheetLog | None = None) -> tuple[DealRow, ...]:
    """Return the rows of all deals of a round; none if the kind of sheet has no deal rows, or only sums are known.

    log: the sheet as written so far.
    """
    deals = rules.sheet.fixed_deals
    if deals is None or (log and any(fact.kind == "totalled" for fact in log.facts)):
        return ()
    written = () if log is None else tuple(organiser_kind(rules).deal_rows(log))
    return (*written, *(empty_row(rules, seats, number) for number in range(len(written) + 1, deals + 1)))
