"""Decisions of the organiser on parked entries: one of them, or all of a sheet in one go.

The initials are of whoever decides, where the rule sheet wants them (RULES 5.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from scoring.core.entries import Entry
from scoring.models import ParkedEntry
from scoring.services.sheets import SheetDesk, open_for_organiser, raise_epoch
from scoring.sheet_log import OpenSheet, open_sheet, with_text
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.notify import notify


@dataclass(frozen=True, slots=True)
class Adopted:
    """The outcome of adopting all: how many are on the log now, and by the id of its row why another stays parked."""

    count: int
    refused: dict[int, Refusal]


def adopt(
    tournament: Tournament, parked_id: int, *, reason: str, by: str, at: datetime, initials: str = ""
) -> OpenSheet:
    """Append a parked entry to the log, under its own id.

    Refuses reason_needed, unknown_parked, parked_is_decided, sheet_takes_no_more (most), and what the sheet refuses.
    """
    with transaction.atomic():
        parked, sheet = _undecided(tournament, parked_id)
        desk = SheetDesk(sheet, device="", pen_epoch=parked.pen_epoch, at=at)
        _append(desk, parked)
        raise_epoch(sheet.row, at)
        _decide([parked], ParkedEntry.Outcome.ADOPTED, reason=reason, by=by, at=at, initials=initials)
        return desk.put_away()


def discard(
    tournament: Tournament, parked_id: int, *, reason: str, by: str, at: datetime, initials: str = ""
) -> None:
    """Keep a parked entry out of the log for good. Refuses reason_needed, unknown_parked, parked_is_decided."""
    with transaction.atomic():
        parked, _ = _undecided(tournament, parked_id)
        _decide([parked], ParkedEntry.Outcome.DISCARDED, reason=reason, by=by, at=at, initials=initials)
        notify(tournament.slug, "sheet")


def adopt_all(table: Table, *, up_to: int, reason: str, by: str, at: datetime, initials: str = "") -> Adopted:
    """Append the parked entries of a sheet to its log, in the order in which they came.

    up_to: the last parked entry that the organiser has seen; later ones stay parked. An entry that the sheet refuses
    stays parked as well and stops none after it. Refuses reason_needed.
    """
    with transaction.atomic():
        sheet = open_for_organiser(table.pk)
        desk = SheetDesk(sheet, device="", pen_epoch=None, at=at)
        adopted: list[ParkedEntry] = []
        refused: dict[int, Refusal] = {}
        for parked in _all_undecided(sheet, up_to):
            desk.pen_epoch = parked.pen_epoch
            try:
                _append(desk, parked)
            except Refusal as refusal:
                refused[parked.pk] = refusal
            else:
                adopted.append(parked)
        _decide(adopted, ParkedEntry.Outcome.ADOPTED, reason=reason, by=by, at=at, initials=initials)
        if adopted:
            raise_epoch(sheet.row, at)
        desk.put_away()
    return Adopted(len(adopted), refused)


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


def _append(desk: SheetDesk, parked: ParkedEntry) -> None:
    entry = Entry(str(parked.entry_id), parked.kind, with_text(parked), "scribe", made_at=parked.made_at)
    desk.append(entry)


def _undecided(tournament: Tournament, parked_id: int) -> tuple[ParkedEntry, OpenSheet]:
    """Return a parked entry that is not decided on yet, and its sheet, with tournament and sheet locked."""
    found = ParkedEntry.objects.filter(tournament=tournament, pk=parked_id).select_related("sheet").first()
    if found is None:
        raise Refusal("unknown_parked")
    sheet = open_for_organiser(found.sheet.table_id)
    found.refresh_from_db()
    if found.outcome:
        raise Refusal("parked_is_decided")
    return found, sheet


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
    given = clean_text(reason, most=500, required=True)
    signed = clean_text(initials, most=8)
    for row in parked:
        row.outcome, row.decided_by, row.decided_at, row.decided_reason = outcome, by, at, given
        row.decided_initials = signed
    decided = ("by", "at", "reason", "initials")
    ParkedEntry.objects.bulk_update(parked, ["outcome", *(f"decided_{name}" for name in decided)])
