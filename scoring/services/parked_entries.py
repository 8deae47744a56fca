"""Decisions of the organiser on parked entries: a single one, or all of a sheet.

initials: of the deciding person, if the rule sheet requires them (RULES 5.5).
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from scoring.core.entries import Entry
from scoring.models import ParkedEntry
from scoring.services.sheets import SheetRecorder, open_for_organiser, raise_epoch
from scoring.sheet_log import OpenSheet, open_sheet, with_text
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.notify import notify


def adopt(
    tournament: Tournament, parked_id: int, *, reason: str, by: str, at: datetime, initials: str = ""
) -> OpenSheet:
    """Append a parked entry to the log, under its own id.

    Refuses reason_needed, unknown_parked, parked_is_decided, sheet_takes_no_more (most), and what the sheet refuses.
    """
    with transaction.atomic():
        parked, sheet = _undecided(tournament, parked_id)
        recorder = SheetRecorder(sheet, device="", pen_epoch=parked.pen_epoch, at=at)
        _append(recorder, parked)
        raise_epoch(sheet.row, at)
        _decide([parked], ParkedEntry.Outcome.ADOPTED, reason=reason, by=by, at=at, initials=initials)
        return recorder.save()


def discard(
    tournament: Tournament, parked_id: int, *, reason: str, by: str, at: datetime, initials: str = ""
) -> None:
    """Keep a parked entry out of the log for good. Refuses reason_needed, unknown_parked, parked_is_decided."""
    with transaction.atomic():
        parked, _ = _undecided(tournament, parked_id)
        _decide([parked], ParkedEntry.Outcome.DISCARDED, reason=reason, by=by, at=at, initials=initials)
        notify(tournament.slug, "sheet")


def adopt_all(
    table: Table, *, up_to: int, reason: str, by: str, at: datetime, initials: str = ""
) -> tuple[int, dict[int, Refusal]]:
    """Append the parked entries of a sheet to its log, in the order in which they came.

    Return the number of adopted entries, and the refusals of those still parked by row id.

    up_to: the last parked entry that the organiser has seen; later ones stay parked. An entry that the sheet refuses
    stays parked as well and stops none after it. Refuses reason_needed.
    """
    with transaction.atomic():
        sheet = open_for_organiser(table.pk)
        recorder = SheetRecorder(sheet, device="", pen_epoch=None, at=at)
        adopted: list[ParkedEntry] = []
        refused: dict[int, Refusal] = {}
        for parked in _all_undecided(sheet, up_to):
            recorder.pen_epoch = parked.pen_epoch
            try:
                _append(recorder, parked)
            except Refusal as refusal:
                refused[parked.pk] = refusal
            else:
                adopted.append(parked)
        _decide(adopted, ParkedEntry.Outcome.ADOPTED, reason=reason, by=by, at=at, initials=initials)
        if adopted:
            raise_epoch(sheet.row, at)
        recorder.save()
    return len(adopted), refused


def discard_all(table: Table, *, up_to: int, reason: str, by: str, at: datetime, initials: str = "") -> int:
    """Keep the parked entries of a sheet out of its log for good, and return their number.

    up_to: as in `adopt_all`. Refuses reason_needed.
    """
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        parked = _all_undecided(sheet, up_to)
        _decide(parked, ParkedEntry.Outcome.DISCARDED, reason=reason, by=by, at=at, initials=initials)
        notify(sheet.tournament.slug, "sheet")
    return len(parked)


def _append(recorder: SheetRecorder, parked: ParkedEntry) -> None:
    entry = Entry(str(parked.entry_id), parked.kind, with_text(parked), "scribe", made_at=parked.made_at)
    recorder.append(entry)


def _undecided(tournament: Tournament, parked_id: int) -> tuple[ParkedEntry, OpenSheet]:
    """Return an undecided parked entry and its sheet, with tournament and sheet locked."""
    parked = ParkedEntry.objects.filter(tournament=tournament, pk=parked_id).select_related("sheet").first()
    if parked is None:
        raise Refusal("unknown_parked")
    sheet = open_for_organiser(parked.sheet.table_id)
    parked.refresh_from_db()
    if parked.outcome:
        raise Refusal("parked_is_decided")
    return parked, sheet


def _all_undecided(sheet: OpenSheet, up_to: int) -> list[ParkedEntry]:
    return list(sheet.row.parked.filter(outcome="", pk__lte=up_to).order_by("pk"))


def _decide(
    parked: Sequence[ParkedEntry],
    outcome: ParkedEntry.Outcome,
    *,
    reason: str,
    by: str,
    at: datetime,
    initials: str,
) -> None:
    ParkedEntry.objects.filter(pk__in=[row.pk for row in parked]).update(
        outcome=outcome,
        decided_by=by,
        decided_at=at,
        decided_reason=clean_text(reason, most=500, required=True),
        decided_initials=clean_text(initials, most=8),
    )
