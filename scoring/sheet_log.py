"""A table's sheet in the database: its rows, and the log that the core replays from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.db.models import Exists, OuterRef, Q

from scoring.core import sheet as core
from scoring.core.entries import FREE_TEXT, Entry
from scoring.models import EntryBody, ParkedEntry, Sheet, SheetEntry
from tournaments.models import Seat, Table, Tournament


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A sheet with its log. `row` holds lock and pen, `log` is the replay of the entries.

    `seats` are in seat order, with their participants. `has_parked`: whether an entry was ever parked.
    """

    row: Sheet
    table: Table
    seats: tuple[Seat, ...]
    log: core.SheetLog
    has_parked: bool = False

    @property
    def tournament(self) -> Tournament:
        return self.table.round.tournament

    @property
    def has_begun(self) -> bool:
        """Whether the sheet has an entry or a parked entry; the same as `is_begun` of its table."""
        return bool(self.log.entries) or self.has_parked

    def seat(self, seat_number: int) -> Seat:
        return next(seat for seat in self.seats if seat.seat_number == seat_number)


def is_begun(table: str) -> Q:
    """Return the condition that a table has begun: its sheet has an entry, or ever had a parked one.

    table: the path from the filtered rows to the table, "pk" for the tables themselves. Until then its seats
    may change and its round may be drawn again.
    """
    entries = SheetEntry.objects.filter(sheet__table=OuterRef(table))
    parked = ParkedEntry.objects.filter(sheet__table=OuterRef(table))
    return Q(Exists(entries)) | Q(Exists(parked))


def open_sheet(table_id: int, *, lock: bool = False) -> OpenSheet:
    """Return the sheet of a table; with lock=True no other transaction writes on it until this one ends.

    Everything else is read while the lock is held. Raises Table.DoesNotExist if a redraw deleted the table.
    """
    row = _sheet_row(table_id, lock=lock)
    seats = _seats(table_id)
    if not seats:
        raise Table.DoesNotExist
    table = seats[0].table
    numbers = tuple(seat.seat_number for seat in seats)
    entries = [entry_of(entry) for entry in row.entries.order_by("sequence")]
    log = core.replay(table.round.tournament.rules, numbers, entries)
    return OpenSheet(row, table, seats, log, has_parked=getattr(seats[0], "has_parked", False))


def _seats(table_id: int) -> tuple[Seat, ...]:
    """Return the seats with their table, its round and its tournament, in one query."""
    parked = ParkedEntry.objects.filter(sheet__table=OuterRef("table"))
    seats = Seat.objects.filter(table_id=table_id).annotate(has_parked=Exists(parked))
    return tuple(seats.select_related("participant", "table__round__tournament").order_by("seat_number"))


def _sheet_row(table_id: int, *, lock: bool) -> Sheet:
    """Return the row; create it when a table's sheet is first opened.

    Locks the table before the sheet, as a redraw does, so that the two cannot deadlock.
    """
    rows = Sheet.objects.select_related("table")
    if lock:
        rows = rows.select_for_update(of=("table", "self"), no_key=True)
    row = rows.filter(table_id=table_id).first()
    if row is not None:
        return row
    tables = Table.objects.select_for_update(no_key=True) if lock else Table.objects.all()
    if tables.filter(pk=table_id).first() is None:
        raise Table.DoesNotExist
    try:
        Sheet.objects.get_or_create(table_id=table_id)
    except IntegrityError:  # the table was there a moment ago
        raise Table.DoesNotExist from None
    return rows.get(table_id=table_id)


def entry_of(row: SheetEntry) -> Entry:
    """Return a row of the log as an entry of the core."""
    return Entry(
        id=str(row.entry_id),
        kind=row.kind,
        data=with_text(row),
        by="organiser" if row.by == EntryBody.Author.ORGANISER else "scribe",
        made_at=row.made_at,
        initials=row.initials,
    )


def with_text(row: EntryBody) -> dict[str, Any]:
    """Return the entry's data including its free text."""
    key = FREE_TEXT.get(row.kind)
    return {**row.data, key: row.text} if key and row.text else dict(row.data)


def without_text(kind: str, data: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return data and free text separately, as they are stored."""
    key = FREE_TEXT.get(kind)
    rest = {name: value for name, value in data.items() if name != key}
    return rest, str(data.get(key) or "") if key else ""


def entry_document(entry: Any) -> dict[str, Any]:
    """Return an entry in the format of documents and phones."""
    made_at = entry.made_at.isoformat().replace("+00:00", "Z") if entry.made_at else None
    document = {
        "id": entry.id,
        "kind": entry.kind,
        "data": dict(entry.data),
        "by": entry.by,
        "made_at": made_at,
    }
    return {**document, "initials": entry.initials} if entry.initials else document
