"""Players missing at their table, as reported and ended by an organiser or a phone of the table.

Each function locks the sheet, as changes of seats do. `by`: the organiser's account, "" for a phone.
"""

from datetime import datetime

from django.db import transaction

from scoring.sheet_log import OpenSheet, open_sheet, open_sheet_of
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass
from tournaments.models import Round, Table
from tournaments.notify import notify
from tournaments.page_cache import STANDINGS


def report_missing(table: Table | PhonePass, seat_number: int, *, by: str, at: datetime) -> frozenset[int]:
    """Report the player of this seat as missing; return all missing seats. Repeating it has no effect.

    Refuses round_not_released, round_is_closed (round), unknown_seat (seat).
    """
    with transaction.atomic():
        sheet = _locked(table, at=at)
        state, number = sheet.table.round.state, sheet.table.round.number
        if state != Round.State.RELEASED:
            raise Refusal(
                "round_not_released" if state == Round.State.DRAWN else "round_is_closed", round=number
            )
        seat = next((seat for seat in sheet.seats if seat.seat_number == seat_number), None)
        if seat is None:
            raise Refusal("unknown_seat", seat=seat_number)
        missing = _missing(sheet)
        if seat_number not in missing:
            sheet.table.missing.create(participant_id=seat.participant_id, reported_at=at, reported_by=by)
            _notify(sheet)
    return missing | {seat_number}


def end_missing(table: Table | PhonePass, seat_number: int, *, by: str, at: datetime) -> frozenset[int]:
    """End the search for the player of this seat; return the seats still missing. The first call counts."""
    with transaction.atomic():
        sheet = _locked(table, at=at)
        people = [seat.participant_id for seat in sheet.seats if seat.seat_number == seat_number]
        open_reports = sheet.table.missing.filter(participant__in=people, found_at=None)
        if open_reports.update(found_at=at, found_by=by):
            _notify(sheet)
    return _missing(sheet)


def _missing(sheet: OpenSheet) -> frozenset[int]:
    wanted = set(sheet.table.missing.filter(found_at=None).values_list("participant_id", flat=True))
    return frozenset(seat.seat_number for seat in sheet.seats if seat.participant_id in wanted)


def _locked(table: Table | PhonePass, *, at: datetime) -> OpenSheet:
    if isinstance(table, PhonePass):
        return open_sheet_of(table, at=at, lock=True)
    return open_sheet(table.pk, lock=True)


def _notify(sheet: OpenSheet) -> None:
    notify(sheet.tournament.slug, "sheet", keeps=(STANDINGS,))
