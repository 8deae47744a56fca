"""The sheets of the rounds in the document: their logs and their parked entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.core.marks import next_digest
from scoring.models import EntryBody, ParkedEntry, Sheet, SheetEntry
from scoring.services.sheets import project
from scoring.sheet_log import OpenSheet, empty_digest, with_text, without_text
from tournaments.core.document_reader import DocumentError, Reader
from tournaments.core.refusal import Refusal
from tournaments.documents.fields import IMPORT_TIME, Field, FieldTable, parts_of
from tournaments.documents.rounds import ReadRound, ReadTable, round_document
from tournaments.models import Round, Seat, SeatChange, Table, Tournament
from tournaments.queries.seating import rounds_with_seating
from tournaments.services.rounds import lay_tables

ENTRIES = FieldTable(
    SheetEntry,
    Field("id", "entry_id", write=str),
    Field("kind", required=True),
    "data",
    "by",
    "made_at",
    Field("initials", or_null=True),
    Field("author", or_null=True),
    Field("recorded_at", default=IMPORT_TIME),
    "pen_epoch",
)
PARKED_ENTRIES = FieldTable(
    ParkedEntry,
    Field("id", "entry_id", write=str),
    Field("kind", required=True),
    "data",
    "made_at",
    "pen_epoch",
    Field("parked_at", default=IMPORT_TIME),
    Field("outcome", or_null=True),
    Field("decided_by", or_null=True),
    Field("decided_reason", or_null=True),
    "decided_at",
    Field("decided_initials", or_null=True),
)


# --- writing -------------------------------------------------------------------------------------------------------


def documents_of_rounds(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the rounds with the logs of their sheets."""
    entries = SheetEntry.objects.filter(tournament=tournament).order_by("sequence").select_related("sheet")
    logs, digests = _by_table(ENTRIES, entries), {row.sheet.table_id: row.digest for row in entries}
    parked = ParkedEntry.objects.filter(tournament=tournament).order_by("id").select_related("sheet")
    waiting = _by_table(PARKED_ENTRIES, parked)
    rounds = []
    for row in rounds_with_seating(tournament):
        rounds.append(round_document(row))
        for table, written in zip(row.tables, rounds[-1]["tables"], strict=True):
            written["digest"] = digests.get(table.id)
            written["entries"] = logs.get(table.id, [])
            written["parked"] = waiting.get(table.id, [])
    return rounds


def _by_table(fields: FieldTable[Any], rows: Iterable[Any]) -> dict[int, list[dict[str, Any]]]:
    """Return the documents of entries by the id of their table."""
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        document = fields.write(row, data=_sorted(with_text(row)))
        tables.setdefault(row.sheet.table_id, []).append(document)
    return tables


def _sorted(value: Any) -> Any:
    """Sort the keys of a JSON value, since the database does not keep their order."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


# --- reading -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A sheet with the rows of its log and of its parked entries, to be stored unchanged."""

    sheet: OpenSheet
    entries: list[SheetEntry]
    parked: list[ParkedEntry]


def store_round(read: ReadRound, ids: set[str], *, at: datetime) -> None:
    """Store a round with its draws, tables and sheets. ids: of the tournament's entries so far; this round's are added."""
    read.round.save()
    for draw in read.attempts:
        draw.attempt.save()
        SeatChange.objects.bulk_create(draw.changes)
    tables = lay_tables(read.round, {table.number: table.seats for table in read.tables})
    _store_scribes(tables, read.tables)
    seats = _seats_by_table(tables)
    sheets = Sheet.objects.bulk_create(Sheet(table=table) for table in tables)
    replayed = []
    for sheet, table in zip(sheets, read.tables, strict=True):
        replayed.append(_replay(sheet, seats[sheet.table_id], table, ids, at))
        _check_state(read, table, replayed[-1].sheet.log)
    SheetEntry.objects.bulk_create(chain.from_iterable(replayed_sheet.entries for replayed_sheet in replayed))
    ParkedEntry.objects.bulk_create(chain.from_iterable(replayed_sheet.parked for replayed_sheet in replayed))
    for replayed_sheet in replayed:
        if replayed_sheet.entries:
            project(replayed_sheet.sheet)


def _seats_by_table(tables: Sequence[Table]) -> dict[int, tuple[Seat, ...]]:
    by_table: dict[int, list[Seat]] = {table.pk: [] for table in tables}
    seats = Seat.objects.filter(table__in=tables).select_related("participant")
    for seat in seats.order_by("seat_number"):
        by_table[seat.table_id].append(seat)
    return {table: tuple(seats) for table, seats in by_table.items()}


def _store_scribes(tables: Sequence[Table], read: Sequence[ReadTable]) -> None:
    named = [(table, row.scribe) for table, row in zip(tables, read, strict=True) if row.scribe]
    for table, columns in named:
        for column, value in columns.items():
            setattr(table, column, value)
    if named:
        Table.objects.bulk_update((table for table, _columns in named), list(named[0][1]))


def _check_state(read: ReadRound, table: ReadTable, log: core.SheetLog) -> None:
    """Check that a drawn round has no entries, and that the sheet of a closed round is accepted or has a reason.

    The reason is that of closing the round, or of reopening an accepted sheet afterwards.
    """
    if read.round.state == Round.State.DRAWN and log.entries:
        raise table.reader.key("entries").error("round_not_released", round=read.round.number)
    settled = log.phase == "accepted" or (log.was_accepted and log.last_reopened) or read.round.closed_reason
    if read.round.state == Round.State.CLOSED and not settled:
        error = read.reader.key("closed_reason").error
        raise error("sheets_not_accepted", round=read.round.number, tables=[table.number])


def _replay(row: Sheet, seats: tuple[Seat, ...], read: ReadTable, ids: set[str], at: datetime) -> _Replayed:
    """Replay the entries of one table, and read its parked entries."""
    table = row.table
    numbers = tuple(seat.seat_number for seat in seats)
    writer = core.SheetWriter(core.empty(table.round.tournament.rules, numbers))
    rows = [_read_entry(item, row, writer, ids, at) for item in parts_of(read.reader, "entries")]
    digest = empty_digest(table, seats)
    for stored, entry in zip(rows, writer.entries, strict=True):
        stored.digest = digest = next_digest(digest, entry)
    _check_digest(read.reader.key("digest"), digest if rows else None)
    parked_ids: set[str] = set()
    waiting = parts_of(read.reader, "parked")
    parked = [_read_parked(item, row, writer, ids, parked_ids, at) for item in waiting]
    ids |= parked_ids
    return _Replayed(OpenSheet(row, table, seats, writer.log, digest), rows, parked)


def _check_digest(reader: Reader, digest: str | None) -> None:
    """Check the digest of the document's entries, if it has one."""
    if not reader.is_null and reader.value != digest:
        raise reader.error("digest_does_not_match")


def _read_entry(
    reader: Reader, sheet: Sheet, writer: core.SheetWriter, ids: set[str], at: datetime
) -> SheetEntry:
    row = ENTRIES.read(reader, at=at, sheet=sheet, sequence=len(writer.entries) + 1)
    entry = Entry(
        id=_new_id(reader.key("id"), ids),
        kind=row.kind,
        data=reader.key("data").value,
        by="organiser" if row.by == EntryBody.Author.ORGANISER else "scribe",
        made_at=row.made_at,
        initials=row.initials,
    )
    ids.add(entry.id)
    try:
        written = writer.append(entry)
    except Refusal as refusal:
        raise _misfit(reader, refusal) from None
    _fill(row, entry.id, written.data)
    return row


def _read_parked(
    reader: Reader, sheet: Sheet, writer: core.SheetWriter, ids: set[str], parked_ids: set[str], at: datetime
) -> ParkedEntry:
    row = PARKED_ENTRIES.read(reader, at=at, sheet=sheet)
    try:
        data = core.normalised(writer, row.kind, reader.key("data").value)
    except Refusal as refusal:
        raise _misfit(reader, refusal) from None
    adopted = row.outcome == ParkedEntry.Outcome.ADOPTED
    entry_id = _new_id(reader.key("id"), parked_ids if adopted else ids | parked_ids)
    logged = writer.entry(entry_id)
    if adopted and (logged is None or (logged.kind, logged.data) != (row.kind, data)):
        raise reader.key("outcome").error("document_adopted_not_in_log", entry=entry_id)
    parked_ids.add(entry_id)
    row.decided_at = (row.decided_at or at) if row.outcome else None
    _fill(row, entry_id, data)
    return row


def _misfit(reader: Reader, refusal: Refusal) -> DocumentError:
    """Return a DocumentError with the path of an entry's kind, of a field of its data, or of the entry itself."""
    place = "kind" if refusal.code == "unknown_kind" else str(refusal.params.get("field", ""))
    return DocumentError(f"{reader.path}.{place}" if place else reader.path, refusal)


def _fill(row: SheetEntry | ParkedEntry, entry_id: str, data: Any) -> None:
    """Fill the columns without a field."""
    row.tournament, row.entry_id = row.sheet.table.round.tournament, UUID(entry_id)
    row.data, row.text = without_text(row.kind, data)


def _new_id(reader: Reader, ids: set[str]) -> str:
    entry_id = reader.identifier()
    if entry_id in ids:
        raise reader.error("duplicate_id", entry=entry_id)
    return entry_id
