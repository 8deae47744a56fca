"""Page model of one sheet: its log line by line, with all parked entries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from scoring.core import sheet as core
from scoring.core.plus_minus import is_circled
from scoring.models import ParkedEntry, SheetEntry
from scoring.queries.table_monitor import TableState, table_monitor
from scoring.sheet_log import with_text
from tournaments.models import Round, Table, Tournament
from tournaments.queries.seating import RoundRow


class Named(Protocol):
    """The player of a seat, by the name that the reader may see."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class NamedFact:
    """The content of an entry, with names in place of seats."""

    kind: str
    data: Mapping[str, Any]
    seats: Mapping[int, Named]

    @property
    def is_circled(self) -> bool:
        """Whether it is a Solo or Wenz, whose number has a circle on the list."""
        return self.kind == "deal" and "game" in self.data and is_circled(self.data)


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A line of the log. corrected_to: the content that counts instead. target: number of its line.

    The target is the line that it voids, corrects or marks. waits: whether it waits for the supervisor's
    mark. is_mark: whether it is such a mark.
    """

    number: int
    row: SheetEntry
    fact: NamedFact
    text: str
    is_fact: bool
    voided: bool = False
    corrected_to: NamedFact | None = None
    target: int | None = None
    before: NamedFact | None = None
    after: NamedFact | None = None
    waits: bool = False
    is_mark: bool = False

    @property
    def id(self) -> str:
        return str(self.row.entry_id)

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def counts(self) -> NamedFact:
        """The content that counts: of a correction the new content, of a corrected fact its replacement."""
        return self.after or self.corrected_to or self.fact

    @property
    def can_be_voided(self) -> bool:
        return not self.voided and (self.is_fact or self.kind in ("objected", "corrected"))

    @property
    def can_be_corrected(self) -> bool:
        return not self.voided and self.is_fact and not self.is_mark


@dataclass(frozen=True, slots=True)
class ParkedLine:
    """A parked entry with its content."""

    row: ParkedEntry
    fact: NamedFact

    @property
    def id(self) -> int:
        return self.row.pk


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A table with its whole log and all entries that were ever parked."""

    round: RoundRow
    table: TableState
    lines: tuple[EntryLine, ...]
    parked: tuple[ParkedLine, ...]

    @property
    def undecided(self) -> list[ParkedLine]:
        return [line for line in self.parked if not line.row.outcome]

    @property
    def decided(self) -> list[ParkedLine]:
        return [line for line in self.parked if line.row.outcome]

    @property
    def last_parked(self) -> int:
        """The id of the newest parked entry without a decision, 0 without one."""
        return max((line.id for line in self.undecided), default=0)

    def newest_lines(self, count: int) -> tuple[EntryLine, ...]:
        """Return the newest lines in their order, and those before them that wait for the supervisor's mark."""
        return tuple(line for line in self.lines if line.number > len(self.lines) - count or line.waits)

    def line(self, entry_id: str) -> EntryLine | None:
        return next((line for line in self.lines if line.id == entry_id), None)


def sheet_page(tournament: Tournament, number: int, table_number: int) -> SheetPage | None:
    """Return the sheet of a table of a released or closed round; None if there is none."""
    monitor = table_monitor(tournament, number, table=table_number)
    table = monitor.table(table_number) if monitor and not monitor.round.is_draft else None
    if monitor is None or table is None:
        return None
    rows = SheetEntry.objects.filter(sheet__table_id=table.id).order_by("sequence")
    parked = ParkedEntry.objects.filter(sheet__table_id=table.id)
    seats = {seat.seat_number: seat for seat in table.table.seats}
    return SheetPage(
        round=monitor.round,
        table=table,
        lines=entry_lines(rows, table.log, seats),
        parked=tuple(ParkedLine(row, NamedFact(row.kind, row.data, seats)) for row in parked),
    )


def table_at(tournament: Tournament, number: int, table_number: int) -> Table | None:
    """Return a table of a released or closed round, to write on its sheet."""
    tables = Table.objects.filter(round__tournament=tournament, round__number=number, number=table_number)
    return tables.exclude(round__state=Round.State.DRAWN).first()


def parked_place(tournament: Tournament, parked_id: int) -> tuple[int, int] | None:
    """Return round and table number of a parked entry of this tournament."""
    entries = ParkedEntry.objects.filter(tournament=tournament, pk=parked_id)
    return entries.values_list("sheet__table__round__number", "sheet__table__number").first()


def entry_lines(
    rows: Iterable[SheetEntry], log: core.SheetLog, seats: Mapping[int, Named]
) -> tuple[EntryLine, ...]:
    """Return the log line by line, in order. log: the replay of these rows."""
    lines: dict[str, EntryLine] = {}
    waiting = log.kind.waiting(log.state)
    for number, row in enumerate(rows, start=1):
        line = EntryLine(
            number=number,
            row=row,
            fact=NamedFact(row.kind, with_text(row), seats),
            text=row.text,
            is_fact=row.kind in log.kind.facts,
            voided=str(row.entry_id) in log.voided,
            waits=str(row.entry_id) in waiting,
            is_mark=row.kind in log.kind.approvals,
        )
        target = lines.get(row.data.get("entry", ""))
        if target is not None:
            line = replace(line, target=target.number, before=target.counts)
        if target is not None and row.kind == "corrected":
            new = NamedFact(target.kind, row.data["data"], seats)
            line = replace(line, after=new)
            if not line.voided:
                lines[target.id] = replace(target, corrected_to=new)
        lines[line.id] = line
    return tuple(lines.values())
