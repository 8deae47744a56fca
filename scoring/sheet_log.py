"""A table's sheet in the database: its rows, and the log that the core replays from them.

Opening a sheet takes one statement: the function `open_sheet` of the database locks and reads. The log itself is read
only as far as this process does not remember it.
"""

import json
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from threading import Lock
from typing import Any, Generic, TypeVar

from django.db import connection, transaction
from django.db.models import Exists, Model, OuterRef, Q
from django.utils import timezone

from scoring.core import sheet as core
from scoring.core.entries import FREE_TEXT, Entry
from scoring.core.marks import first_digest
from scoring.models import EntryBody, ParkedEntry, Sheet, SheetEntry
from tournaments import links
from tournaments.core.moments import iso_moment
from tournaments.current_club import Club, current_club, of_this_club
from tournaments.models import Participant, Round, Seat, Table, Tournament
from tournaments.rulesets.schema import Ruleset

M = TypeVar("M", bound=Model)
T = TypeVar("T")

MOST_REMEMBERED = 10_000  # entries; as many sheets as have them


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A sheet with its log. `row` holds lock and pen, `log` is the replay of the entries, `digest` that of the last of them.

    `seats` are in seat order, with their participants; they and the tournament are shared by all who open the sheet while
    they stay the same, so they must not be changed. `has_parked`: whether an entry was ever parked. About the
    entries that the sheet was opened for: `recorded` and `parked` are the ids that the tournament has already,
    `had_pen` is whether their phone had the pen under their epoch.
    """

    row: Sheet
    table: Table
    seats: tuple[Seat, ...]
    log: core.SheetLog
    digest: str
    has_parked: bool = False
    recorded: frozenset[str] = frozenset()
    parked: frozenset[str] = frozenset()
    had_pen: bool = False

    @property
    def tournament(self) -> Tournament:
        return self.table.round.tournament

    @property
    def has_begun(self) -> bool:
        """Whether the sheet has an entry or a parked entry; the same as `is_begun` of its table."""
        return bool(self.log.entries) or self.has_parked

    def seat(self, seat_number: int) -> Seat:
        return next(seat for seat in self.seats if seat.seat_number == seat_number)


@dataclass(frozen=True, slots=True)
class Coming:
    """The entries that a sheet is opened for: their ids, and phone and pen epoch under which they were made."""

    ids: Sequence[str] = ()
    device: str = ""
    pen_epoch: int = 0


NOTHING = Coming()


def is_begun(table: str) -> Q:
    """Return the condition that a table has begun: its sheet has an entry, or ever had a parked one.

    table: the path from the filtered rows to the table, "pk" for the tables themselves. Until then its seats
    may change and its round may be drawn again.
    """
    entries = SheetEntry.objects.filter(sheet__table=OuterRef(table))
    parked = ParkedEntry.objects.filter(sheet__table=OuterRef(table))
    return Q(Exists(entries)) | Q(Exists(parked))


def open_sheet(table_id: int, *, lock: bool = False, coming: Coming = NOTHING) -> OpenSheet:
    """Return the sheet of a table; with lock=True no other transaction writes on it until this one ends.

    The lock is that of the table's row, as a redraw takes it. Everything is read while it is held. Raises
    Table.DoesNotExist if a redraw deleted the table.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT open_sheet(%s, %s, %s::uuid[], %s, %s)",
            [table_id, lock, list(coming.ids), coming.device, coming.pen_epoch],
        )
        [found] = cursor.fetchone()
    if found is None or not found["seats"]:
        raise Table.DoesNotExist
    table = _instance(Table, found["table"])
    table.round = _instance(Round, found["round"])
    table.round.tournament = _tournament(found["tournament"], current_club())
    row = _instance(Sheet, found["sheet"])
    row.table = table
    seats = _seats(found["seats"], current_club())
    *last, digest = found["last"] or [empty_digest(table, seats)]
    return OpenSheet(
        row,
        table,
        seats,
        _log(row, seats, last),
        digest,
        has_parked=found["has_parked"],
        recorded=frozenset(found["recorded"]),
        parked=frozenset(found["parked"]),
        had_pen=found["had_pen"],
    )


def open_sheet_of(
    phone: links.PhonePass, *, at: datetime, lock: bool = False, coming: Coming = NOTHING
) -> OpenSheet:
    """Return the sheet of a phone's table, as `open_sheet` does.

    Raises Table.DoesNotExist also if the phone's link was revoked or has ended.
    """
    sheet = open_sheet(phone.table_id, lock=lock, coming=coming)
    if sheet.table.link_version != phone.link_version or links.has_ended(sheet.table, timezone.localdate(at)):
        raise Table.DoesNotExist
    return sheet


def _instance(model: type[M], columns: Mapping[str, Any]) -> M:
    """Return a row that the database has given as JSON."""
    fields = model._meta.concrete_fields
    return model.from_db(
        None, [one.attname for one in fields], [one.to_python(columns[one.attname]) for one in fields]
    )


@lru_cache(maxsize=64)
def _tournament(columns: str, _club: Club | None) -> Tournament:
    return _instance(Tournament, json.loads(columns))


@lru_cache(maxsize=256)
def _seats(rows: str, _club: Club | None) -> tuple[Seat, ...]:
    """Return the seats of this JSON: pairs of a seat and its player. Those of another club are others, even if they look alike."""
    seats = []
    for columns, person in json.loads(rows):
        seats.append(_instance(Seat, columns))
        seats[-1].participant = _instance(Participant, person)
    return tuple(seats)


# --- the log -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Memory(Generic[T]):
    """Values that this process keeps for the sheets used last, by the id of the sheet; for `most` entries in all."""

    most: int = MOST_REMEMBERED
    _kept: OrderedDict[Hashable, tuple[T, int]] = field(default_factory=OrderedDict)
    _size: int = 0
    _lock: Lock = field(default_factory=Lock)

    def get(self, sheet_id: int) -> T | None:
        sheet = of_this_club(sheet_id)
        with self._lock:
            if sheet not in self._kept:
                return None
            self._kept.move_to_end(sheet)
            return self._kept[sheet][0]

    def keep(self, sheet_id: int, value: T, size: int) -> None:
        """Keep a value for a sheet of this many entries, and forget what was not used for the longest time."""
        sheet = of_this_club(sheet_id)
        with self._lock:
            self._size += size - self._kept.pop(sheet, (value, 0))[1]
            self._kept[sheet] = value, size
            while self._size > self.most:
                self._size -= self._kept.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._size = 0


logs: Memory[core.SheetLog] = Memory()
"""Logs that were replayed or written. One is used only if the stored log has its last entry at the same place.

Entries never change, and their ids are random. Only free text may be blanked, so a log with free text is not kept.
"""


def keep_on_commit(row: Sheet, log: core.SheetLog) -> None:
    """Keep the log of a sheet as soon as it is certain that it is stored."""
    _keep_on_commit(row.pk, log)


def _keep_on_commit(sheet_id: int, log: core.SheetLog) -> None:
    if not any(FREE_TEXT[entry.kind] in entry.data for entry in log.entries if entry.kind in FREE_TEXT):
        transaction.on_commit(partial(logs.keep, sheet_id, log, len(log.entries)))


def empty_digest(table: Table, seats: Iterable[Seat]) -> str:
    """Return the digest of a sheet before its first entry. seats: with their participants, in seat order."""
    return first_digest(
        round_number=table.round.number,
        table_number=table.number,
        start_numbers=[seat.participant.start_number for seat in seats],
    )


def _log(row: Sheet, seats: Sequence[Seat], last: Sequence[Any]) -> core.SheetLog:
    """Return the log up to its last entry, given by sequence and id; without any if there is none."""
    rules, numbers = row.table.round.tournament.rules, tuple(seat.seat_number for seat in seats)
    log = core.empty(rules, numbers)
    if not last:
        return log
    kept = logs.get(row.pk)
    if kept is not None and kept.seats == numbers and kept.ruleset == rules:
        if _last_of(kept) == list(last):
            return kept
        log = kept
    stored = _stored(row, log, last[0])
    if stored is None:
        log = core.empty(rules, numbers)
        stored = _stored(row, log, last[0]) or []
    log = core.go_on(log, stored)
    keep_on_commit(row, log)
    return log


def logs_up_to(
    rules: Ruleset, sheets: Mapping[int, tuple[tuple[int, ...], int, str]]
) -> dict[int, core.SheetLog]:
    """Return the logs of several sheets, by id. One query for those that are not kept, none if all are.

    sheets: for each its seat numbers, and sequence and id of the last entry wanted. A log that cannot be replayed is left out.
    """
    found: dict[int, core.SheetLog] = {}
    missing: dict[int, list[Entry]] = {}
    for sheet_id, (seats, *last) in sheets.items():
        kept = logs.get(sheet_id)
        if kept and (kept.seats, kept.ruleset) == (seats, rules) and _last_of(kept) == last:
            found[sheet_id] = kept
        else:
            missing[sheet_id] = []
    rows = SheetEntry.objects.filter(sheet__in=missing).order_by("sequence") if missing else ()
    for row in rows:
        if row.sequence <= sheets[row.sheet_id][1]:
            missing[row.sheet_id].append(entry_of(row))
    for sheet_id, entries in missing.items():
        with suppress(core.ReplayRefused):
            found[sheet_id] = core.replay(rules, sheets[sheet_id][0], entries)
            _keep_on_commit(sheet_id, found[sheet_id])
    return found


def _last_of(log: core.SheetLog) -> list[Any]:
    """Return sequence and id of the last entry, none of an empty log."""
    return [len(log.entries), log.entries[-1].id] if log.entries else []


def _stored(row: Sheet, log: core.SheetLog, last: int) -> list[Entry] | None:
    """Return the stored entries after those of the log; None if the log is not the beginning of what is stored."""
    known = len(log.entries)
    rows = row.entries.filter(sequence__range=(known, last)).order_by("sequence")
    entries = [entry_of(one) for one in rows]
    if not known:
        return entries
    return entries[1:] if entries and entries[0].id == log.entries[-1].id else None


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
    document = {
        "id": entry.id,
        "kind": entry.kind,
        "data": dict(entry.data),
        "by": entry.by,
        "made_at": iso_moment(entry.made_at),
    }
    return {**document, "initials": entry.initials} if entry.initials else document
