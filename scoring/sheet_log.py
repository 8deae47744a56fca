"""A table's sheet in the database: its rows, and the log that the core replays from them.

Opening a sheet takes one message: the function `open_sheet` of the database locks, and then all is read.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Exists, Model, OuterRef, Q
from django.utils import timezone

from scoring.core import sheet as core
from scoring.core.entries import FREE_TEXT, Entry
from scoring.core.marks import first_digest
from scoring.models import EntryBody, ParkedEntry, Sheet, SheetEntry
from tournaments import links
from tournaments.core.moments import iso_moment
from tournaments.core.refusal import Refusal
from tournaments.current_club import Club, current_club
from tournaments.models import Participant, Round, Seat, Table, Tournament

M = TypeVar("M", bound=Model)


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

    @property
    def waits_for_sign(self) -> bool:
        """Whether no phone may write yet: the rules ask for a sign, none was given, and no table of the round has begun.

        One query, and none once the sign is given.
        """
        released = self.table.round
        if not self.tournament.rules.starts_at_sign or released.started_at or self.has_begun:
            return False
        if released.state != Round.State.RELEASED:
            return False
        return not SheetEntry.objects.filter(sheet__table__round=released).exists()

    @property
    def is_final(self) -> bool:
        """Whether this is the table of the final of a knockout. One query, and none in other tournaments."""
        rules = self.tournament.rules
        return rules.is_final(1) and rules.is_final(self.table.round.tables.count())

    def check_in_play(self) -> None:
        """Refuse round_is_closed (round) unless the round is in play."""
        if self.table.round.state != Round.State.RELEASED:
            raise Refusal("round_is_closed", round=self.table.round.number)

    def seat(self, seat_number: int) -> Seat:
        return next(seat for seat in self.seats if seat.seat_number == seat_number)


@dataclass(frozen=True, slots=True)
class Coming:
    """The entries that a sheet is opened for: their ids, and phone and pen epoch under which they were made."""

    ids: Sequence[str] = ()
    device: str = ""
    pen_epoch: int = 0


NOTHING = Coming()

# In one message, so that it takes no longer than one statement. A statement of its own sees what others have committed
# while the function waited for the lock.
_OPEN = """
SELECT open_sheet(%s, %s, %s::uuid[], %s, %s);
SELECT entry_id, kind, data, text, by, made_at, initials FROM scoring_sheetentry
WHERE sheet_id = (SELECT id FROM scoring_sheet WHERE table_id = %s) ORDER BY sequence
"""


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
        cursor.execute(_OPEN, [table_id, lock, list(coming.ids), coming.device, coming.pen_epoch, table_id])
        [found] = cursor.fetchone()
        cursor.nextset()
        rows = cursor.fetchall()
    if found is None or not found["seats"]:
        raise Table.DoesNotExist
    table = _instance(Table, found["table"])
    table.round = _instance(Round, found["round"])
    table.round.tournament = _tournament(found["tournament"], current_club())
    row = _instance(Sheet, found["sheet"])
    row.table = table
    seats = _seats(found["seats"], current_club())
    last, _id, digest = found["last"] or [0, None, empty_digest(table, seats)]
    entries = [_entry_of(*columns) for columns in rows[:last]]
    return OpenSheet(
        row,
        table,
        seats,
        core.replay(table.round.tournament.rules, [seat.seat_number for seat in seats], entries),
        digest,
        has_parked=found["has_parked"],
        recorded=frozenset(found["recorded"]),
        parked=frozenset(found["parked"]),
        had_pen=found["had_pen"],
    )


def open_sheet_of(
    phone: Table | links.PhonePass, *, at: datetime, lock: bool = False, coming: Coming = NOTHING
) -> OpenSheet:
    """Return the sheet of a table or of a phone's table, as `open_sheet` does.

    Raises Table.DoesNotExist also if the phone's link was revoked or has ended.
    """
    if isinstance(phone, Table):
        return open_sheet(phone.pk, lock=lock, coming=coming)
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


def empty_digest(table: Table, seats: Iterable[Seat]) -> str:
    """Return the digest of a sheet before its first entry. seats: with their participants, in seat order."""
    return first_digest(
        round_number=table.round.number,
        table_number=table.number,
        start_numbers=[seat.participant.start_number for seat in seats],
    )


def entry_of(row: SheetEntry) -> Entry:
    """Return a row of the log as an entry of the core."""
    return _entry(row.entry_id, row.kind, with_text(row), row.by, row.made_at, row.initials)


def _entry_of(
    entry_id: UUID, kind: str, data: str, text: str, by: str, made_at: datetime, initials: str
) -> Entry:
    """Return the columns of `_OPEN` as an entry of the core."""
    return _entry(entry_id, kind, _with_text(kind, json.loads(data), text), by, made_at, initials)


def _entry(
    entry_id: UUID, kind: str, data: dict[str, Any], by: str, made_at: datetime, initials: str
) -> Entry:
    author: Literal["organiser", "scribe"] = "organiser" if by == EntryBody.Author.ORGANISER else "scribe"
    return Entry(str(entry_id), kind, data, author, made_at=made_at, initials=initials)


def with_text(row: EntryBody) -> dict[str, Any]:
    """Return the entry's data including its free text."""
    return _with_text(row.kind, row.data, row.text)


def _with_text(kind: str, data: Mapping[str, Any], text: str) -> dict[str, Any]:
    key = FREE_TEXT.get(kind)
    return {**data, key: text} if key and text else dict(data)


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
