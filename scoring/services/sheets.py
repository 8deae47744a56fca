"""Writing to a sheet: entries of a phone and of the organiser. Decisions on parked entries are in `parked_entries.py`.

Every writing function locks the sheet first. So entries have one order, and no writer decides on a stale state. Entries of
an organiser may change the standings, and lock the tournament before the sheet (`open_for_organiser`).
"""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from psycopg import sql

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.core.marks import next_digest
from scoring.core.reopening import standing_confirmations, to_confirm_anew
from scoring.metrics import ENTRIES
from scoring.models import ParkedEntry, SeatResult, Sheet, SheetEntry
from scoring.services.evenings import project_evening
from scoring.services.marks import mark_round
from scoring.sheet_log import (
    NOTHING,
    Coming,
    OpenSheet,
    open_sheet,
    open_sheet_of,
    with_text,
    without_text,
)
from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass
from tournaments.models import Round, Table
from tournaments.notify import notification, notify
from tournaments.page_cache import STANDINGS
from tournaments.services.tournaments import lock_tournament_of

Drafts = Iterable[tuple[str, Mapping[str, Any]]]
Outcomes = Literal["recorded", "duplicate", "refused", "parked"]
FACTS_OF_LIFE = frozenset({"voided", "corrected"})
SIGN_OF_LIFE = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Sent:
    """An entry as sent by a phone, which creates the id before its first attempt."""

    id: str
    kind: str
    data: Any
    made_at: datetime


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    id: str
    outcome: Outcomes
    refusal: Refusal | None = None


def enter(secret: str, *, device: str | None) -> tuple[Table, str]:
    """Return the table of a link that a phone opened, and the phone's device name (a new one if it has none).

    Refuses link_unknown (no such link, or revoked), round_not_released (round), link_of_closed_round (round, tournament).
    """
    table_id = links.table_id_of(secret) or 0
    table = Table.objects.select_related("round__tournament").filter(pk=table_id).first()
    if table is None or not links.is_secret_of(secret, table.pk, table.link_version):
        raise Refusal("link_unknown")
    if table.round.state == Round.State.DRAWN:
        raise Refusal("round_not_released", round=table.round.number)
    if table.round.state == Round.State.CLOSED:
        slug = table.round.tournament.slug
        raise Refusal("link_of_closed_round", round=table.round.number, tournament=slug)
    return table, device or links.new_device()


def take_pen(table: Table | PhonePass, *, device: str, at: datetime) -> OpenSheet:
    """Give the pen to this phone. Idempotent: a phone that already holds the pen keeps its epoch.

    Refuses round_is_closed (round), and pen_needs_supervisor if the ruleset requires the organiser to free the pen first.
    """
    with transaction.atomic():
        sheet = _opened(table, at=at)
        sheet.check_in_play()
        if sheet.row.pen_device != device:
            if sheet.row.pen_device and sheet.tournament.rules.pen_needs_supervisor:
                raise Refusal("pen_needs_supervisor")
            sheet.row.pen_device, sheet.row.seen_at = device, at
            raise_epoch(sheet.row, at)
            notify(sheet.tournament.slug, "sheet")
    return sheet


def check_holds_pen(table: Table, *, device: str) -> None:
    """Check that this phone holds the pen. Refuses what `check_writes` refuses."""
    check_writes(open_sheet(table.pk), device)


def check_writes(sheet: OpenSheet, device: str) -> None:
    """Check that this phone holds the pen of a sheet in a released round. Refuses round_is_closed (round) and no_pen."""
    sheet.check_in_play()
    if sheet.row.pen_device != device:
        raise Refusal("no_pen")


def free_pen(table: Table, *, at: datetime) -> None:
    """Take the pen away from the phone that holds it. The next phone that asks for it gets it."""
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        if sheet.row.pen_device:
            sheet.row.pen_device = ""
            raise_epoch(sheet.row, at)
            notify(sheet.tournament.slug, "sheet")


def record(
    table: Table | PhonePass, sent: Sequence[Sent], *, device: str, pen_epoch: int, at: datetime
) -> tuple[list[EntryOutcome], OpenSheet]:
    """Write the entries of a phone in their order, and return the outcome of each, and the sheet.

    One transaction: an answered entry is stored, and a stored entry is answered, now or at the next
    attempt. A refused entry does not stop the following ones.
    """
    with transaction.atomic():
        sheet = _opened(table, at=at, coming=Coming([entry.id for entry in sent], device, pen_epoch))
        recorder = SheetRecorder(sheet, device=device, pen_epoch=pen_epoch, at=at)
        recorder.load_parked(sent)
        recorder.waits_for_sign = sheet.waits_for_sign
        outcomes = [recorder.take(entry) for entry in sent]
        if sheet.row.seen_at is None or abs(at - sheet.row.seen_at) > SIGN_OF_LIFE:
            sheet.row.seen_at = at
        after = recorder.save()
    return outcomes, after


def _opened(table: Table | PhonePass, *, at: datetime, coming: Coming = NOTHING) -> OpenSheet:
    """Lock and return the sheet of a table, or that of a phone whose link is valid."""
    if isinstance(table, PhonePass):
        return open_sheet_of(table, at=at, lock=True, coming=coming)
    return open_sheet(table.pk, lock=True, coming=coming)


def open_for_organiser(table_id: int) -> OpenSheet:
    """Lock the tournament and then the sheet of a table, and return the sheet.

    A freeze stores the standings under the tournament's lock. Without it, a sheet accepted meanwhile would be public
    until the freeze is committed, and then vanish. Raises Table.DoesNotExist as `open_sheet` does.
    """
    lock_tournament_of(table_id)
    return open_sheet(table_id, lock=True)


def write(table: Table, drafts: Drafts, *, by: str, at: datetime, initials: str = "") -> OpenSheet:
    """Append entries of the organiser, as (kind, data), to a sheet: all or none.

    Refuses round_not_released (round), sheet_takes_no_more (most), and what the sheet refuses.
    """
    with transaction.atomic():
        return write_on(open_for_organiser(table.pk), drafts, by=by, at=at, initials=initials)


def write_on(sheet: OpenSheet, drafts: Drafts, *, by: str, at: datetime, initials: str = "") -> OpenSheet:
    """Append entries as `write` does, to a sheet that this transaction has opened with `open_for_organiser`."""
    _check_released(sheet)
    recorder = SheetRecorder(sheet, device="", pen_epoch=None, at=at)
    for kind, data in drafts:
        entry = Entry(str(uuid.uuid4()), kind, data, "organiser", made_at=at, initials=initials)
        recorder.append(entry, author=by)
    changing = (sheet.log.kind.facts | FACTS_OF_LIFE) - sheet.log.kind.approvals
    if any(row.kind in changing for row in recorder.rows):
        raise_epoch(sheet.row, at)
    return recorder.save()


def project(
    sheet: OpenSheet,
    *,
    since: core.SheetLog | None = None,
    rows: Sequence[SheetEntry] = (),
    notification: tuple[str, str] | None = None,
) -> None:
    """Store the results of each seat, projected from the log. The only writer of SeatResult.

    The same statement stores the new `rows` of the log since `since` and the last sign of life, and sends the NOTIFY.
    """
    channel, payload = notification or (None, None)
    values: dict[str, Any] = {
        "entries": _as_json(rows),
        "results": _as_json(results_of(sheet, since=since) if rows or since is None else ()),
        "sheet": sheet.row.pk,
        "seen_at": sheet.row.seen_at,
        "channel": channel,
        "payload": payload,
    }
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)


def results_of(sheet: OpenSheet, *, since: core.SheetLog | None = None) -> list[SeatResult]:
    """Return the results projected from the log, unsaved, one per seat; without those unchanged since `since`."""
    is_accepted = sheet.log.phase == "accepted"
    is_stored = since is not None and since.entries and (since.phase == "accepted") == is_accepted
    stored = since.results if since is not None and is_stored else ()
    return [
        SeatResult(
            seat=sheet.seat(score.seat_number),
            sheet=sheet.row,
            accepted=is_accepted,
            rank=score.rank,
            points=score.points,
            strokes=score.strokes,
            counts=dict(score.counts),
        )
        for score in sheet.log.results
        if score not in stored
    ]


def _columns(model: type[Model]) -> tuple[str, ...]:
    return tuple(column.attname for column in model._meta.concrete_fields if not column.primary_key)


def _as_json(rows: Sequence[Model]) -> str:
    listed = [{name: getattr(row, name) for name in _columns(type(row))} for row in rows]
    return json.dumps(listed, default=str)


def _identifiers(model: type[Model], *qualifier: str) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(*qualifier, name) for name in _columns(model))


_STORE = (
    sql.SQL("""
WITH entries AS (
    INSERT INTO scoring_sheetentry ({entry})
    SELECT {entry} FROM json_populate_recordset(NULL::scoring_sheetentry, %(entries)s)
), results AS (
    INSERT INTO scoring_seatresult ({result})
    SELECT {result} FROM json_populate_recordset(NULL::scoring_seatresult, %(results)s)
    ON CONFLICT (seat_id) DO UPDATE SET ({result}) = ROW ({excluded})
), seen AS (
    UPDATE scoring_sheet SET seen_at = %(seen_at)s
    WHERE id = %(sheet)s AND seen_at IS DISTINCT FROM %(seen_at)s
)
SELECT pg_notify(%(channel)s, %(payload)s) WHERE %(channel)s::text IS NOT NULL
""")
    .format(
        entry=_identifiers(SheetEntry),
        result=_identifiers(SeatResult),
        excluded=_identifiers(SeatResult, "excluded"),
    )
    .as_string(None)
)


@dataclass(slots=True)
class SheetRecorder:
    """A writer of one locked sheet. It appends to the log in memory and stores everything at the end.

    most: largest number of entries of the log. ever_parked: number of parked entries of the sheet, once counted.
    waits_for_sign: no phone may write yet. overtaken: ids of sent entries before a fact that is on the log already; a confirmation among them has ended with it.
    """

    sheet: OpenSheet
    device: str
    pen_epoch: int | None
    at: datetime
    most: int = field(init=False)
    log: core.SheetWriter = field(init=False)
    digest: str = field(init=False)
    rows: list[SheetEntry] = field(default_factory=list)
    parked: dict[str, ParkedEntry] = field(default_factory=dict)
    newly_parked: list[ParkedEntry] = field(default_factory=list)
    ever_parked: int | None = None
    overtaken: set[str] = field(default_factory=set)
    waits_for_sign: bool = False

    def __post_init__(self) -> None:
        self.log, self.digest = core.SheetWriter(self.sheet.log), self.sheet.digest
        self.most = settings.MOST_ENTRIES + (0 if self.device else settings.MORE_ENTRIES_OF_ORGANISER)

    def load_parked(self, sent: Sequence[Sent]) -> None:
        """Load those of `sent` that are already parked."""
        self._mark_overtaken(sent)
        if self.sheet.parked:
            wanted = {"tournament": self.sheet.tournament, "entry_id__in": self.sheet.parked}
            self.parked = {str(row.entry_id): row for row in ParkedEntry.objects.filter(**wanted)}

    def _mark_overtaken(self, sent: Sequence[Sent]) -> None:
        ending = (self.log.kind.facts - self.log.kind.approvals) | {"voided", "submitted"}
        is_overtaken = False
        for entry in reversed(sent):
            existing = self.log.entry(entry.id)
            is_overtaken = is_overtaken or (existing is not None and existing.kind in ending)
            if is_overtaken:
                self.overtaken.add(entry.id)

    def take(self, sent: Sent) -> EntryOutcome:
        """Handle one entry of a phone and return its outcome: recorded, duplicate, parked or refused."""
        try:
            return EntryOutcome(sent.id, self._take(sent))
        except Refusal as refusal:
            return EntryOutcome(sent.id, "refused", refusal)

    def _take(self, sent: Sent) -> Outcomes:
        existing = self.log.entry(sent.id)
        if existing is not None:
            self.check_same(sent, existing.kind, existing.data)
            return "duplicate"
        if sent.id in self.sheet.recorded:
            raise Refusal("id_taken")
        if sent.id in self.parked:
            return self._already_parked(sent, self.parked[sent.id])
        if self._holds_pen and self._is_released:
            if self.waits_for_sign:
                raise Refusal("waits_for_sign")
            if self.changes_nothing(sent):
                return "duplicate"
            self.append(Entry(sent.id, sent.kind, sent.data, "scribe", made_at=sent.made_at))
            return "recorded"
        if not (self._holds_pen or self.sheet.had_pen):
            raise Refusal("no_pen")
        self._park(sent)
        return "parked"

    @property
    def _holds_pen(self) -> bool:
        row = self.sheet.row
        return bool(self.device) and row.pen_device == self.device and row.pen_epoch == self.pen_epoch

    @property
    def _is_released(self) -> bool:
        return self.sheet.table.round.state == Round.State.RELEASED

    def changes_nothing(self, sent: Sent) -> bool:
        """Whether this is a confirmation that stands already, or that a later fact has ended."""
        if sent.kind != "confirmed":
            return False
        seat = core.normalised(self.log, sent.kind, sent.data)["seat_number"]
        return sent.id in self.overtaken or (
            self.log.phase == "open" and seat in standing_confirmations(self.log)
        )

    def check_same(self, sent: Sent, kind: str, data: Mapping[str, Any]) -> None:
        """Refuse id_taken if an id is repeated with another body."""
        if kind != sent.kind or core.normalised(self.log, sent.kind, sent.data) != data:
            raise Refusal("id_taken")

    def _already_parked(self, sent: Sent, parked: ParkedEntry) -> Outcomes:
        if parked.sheet_id != self.sheet.row.pk:
            raise Refusal("id_taken")
        self.check_same(sent, parked.kind, with_text(parked))
        if parked.outcome == ParkedEntry.Outcome.DISCARDED:
            raise Refusal("was_discarded", reason=parked.decided_reason)
        return "parked"

    def _park(self, sent: Sent) -> None:
        data, text = without_text(sent.kind, core.normalised(self.log, sent.kind, sent.data))
        if self.ever_parked is None:
            self.ever_parked = self.sheet.row.parked.count()
        if self.ever_parked >= settings.MOST_PARKED_ENTRIES:
            raise Refusal("too_many_parked", most=settings.MOST_PARKED_ENTRIES)
        parked = ParkedEntry(
            tournament=self.sheet.tournament,
            sheet=self.sheet.row,
            entry_id=uuid.UUID(sent.id),
            kind=sent.kind,
            data=data,
            text=text,
            made_at=sent.made_at,
            pen_epoch=self.pen_epoch,
            parked_at=self.at,
        )
        self.ever_parked += 1
        self.parked[sent.id] = parked
        self.newly_parked.append(parked)

    def append(self, entry: Entry, *, author: str = "") -> None:
        """Append an entry to the log in memory. Raises Refusal; then nothing is appended."""
        if len(self.log.entries) >= self.most:
            full = Refusal("sheet_is_full", most=self.most)
            raise full if self.device else Refusal("sheet_takes_no_more", most=self.most)
        if entry.kind == "submitted":
            self._check_confirmed_anew(entry)
        written = self.log.append(replace(entry, made_at=entry.made_at or self.at))
        self.digest = next_digest(self.digest, written)
        data, text = without_text(written.kind, written.data)
        self.rows.append(
            SheetEntry(
                tournament=self.sheet.tournament,
                sheet=self.sheet.row,
                sequence=len(self.log.entries),
                entry_id=uuid.UUID(written.id),
                kind=written.kind,
                data=data,
                text=text,
                by=written.by,
                author=author,
                initials=written.initials,
                made_at=written.made_at or self.at,
                recorded_at=self.at,
                digest=self.digest,
                pen_epoch=self.pen_epoch,
            )
        )

    def _check_confirmed_anew(self, entry: Entry) -> None:
        """Refuse confirmations_missing (seats) if the sheet was reopened; the sheet's own refusals come first."""
        if seats := to_confirm_anew(self.log):
            core.append(self.log.log, entry)
            raise Refusal("confirmations_missing", seats=seats)

    def save(self) -> OpenSheet:
        """Store the new entries, project the results, notify, and return the current sheet."""
        before = self.sheet.log
        has_parked = self.sheet.has_parked or bool(self.newly_parked)
        after = replace(self.sheet, log=self.log.log, digest=self.digest, has_parked=has_parked)
        if self.newly_parked:
            ParkedEntry.objects.bulk_create(self.newly_parked)
        message = None
        if self.rows or self.newly_parked:
            counts = "accepted" in (before.phase, after.log.phase)
            message = notification(self.sheet.tournament.slug, "sheet", keeps=() if counts else (STANDINGS,))
        project(after, since=before, rows=self.rows, notification=message)
        if self.rows and after.table.round.state == Round.State.CLOSED:
            mark_round(after.table.round, at=self.at)
            project_evening(after.tournament)
        if self.rows:
            transaction.on_commit(partial(ENTRIES.inc, len(self.rows)))
        return after


def raise_epoch(row: Sheet, at: datetime) -> None:
    """Raise the pen's epoch. Entries made under an older epoch are parked; the phone with the pen keeps it."""
    row.pen_epoch += 1
    row.save(update_fields=["pen_epoch", "pen_device", "seen_at"])
    row.grants.create(epoch=row.pen_epoch, device=row.pen_device, at=at)


def _check_released(sheet: OpenSheet) -> None:
    if sheet.table.round.state == Round.State.DRAWN:
        raise Refusal("round_not_released", round=sheet.table.round.number)
