"""Calls of a table: for the supervisor, and for players who are missing there.

A phone of the table or an organiser makes and ends them, each under the lock of the sheet, as changes of seats take it. `by`: the
organiser's account, "" for a phone.
"""

from datetime import datetime

from django.db import transaction

from scoring.sheet_log import OpenSheet, open_sheet, open_sheet_of
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass
from tournaments.models import Round, Table
from tournaments.notify import notify
from tournaments.page_cache import STANDINGS


def call_supervisor(phone: PhonePass, *, at: datetime) -> OpenSheet:
    """Show a call of this table to the organisers. Any phone of the table may call; an open call keeps its time.

    Refuses round_is_closed (round).
    """
    with transaction.atomic():
        sheet = open_sheet_of(phone, at=at, lock=True)
        sheet.check_in_play()
        if sheet.row.open_call is None:
            sheet.row.called_at, sheet.row.came_at, sheet.row.came_by = at, None, ""
            _store(sheet)
    return sheet


def take_call_back(phone: PhonePass, *, at: datetime) -> OpenSheet:
    """Take back the call of a table. Without a call nothing changes."""
    with transaction.atomic():
        sheet = open_sheet_of(phone, at=at, lock=True)
        _end(sheet, by="", at=at)
    return sheet


def come(table: Table, *, by: str, at: datetime) -> OpenSheet:
    """Mark the call of a table as answered by an organiser. The first answer counts."""
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        _end(sheet, by=by, at=at)
    return sheet


def take_come_back(table: Table, *, by: str) -> OpenSheet:
    """Undo `come` of the same organiser: the call is open again, with its time. A call that others have ended stays ended.

    Refuses round_is_closed (round).
    """
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        sheet.check_in_play()
        if sheet.row.came_by == by:
            sheet.row.came_at, sheet.row.came_by = None, ""
            _store(sheet)
    return sheet


def _end(sheet: OpenSheet, *, by: str, at: datetime) -> None:
    if sheet.row.open_call is not None:
        sheet.row.came_at, sheet.row.came_by = at, by
        _store(sheet)


def _store(sheet: OpenSheet) -> None:
    sheet.row.save(update_fields=["called_at", "came_at", "came_by"])
    _notify(sheet)


def report_missing(table: Table | PhonePass, seat_number: int, *, by: str, at: datetime) -> frozenset[int]:
    """Report the player of this seat as missing; return all missing seats. Repeating it has no effect.

    Refuses round_not_released, round_is_closed (round), unknown_seat (seat).
    """
    with transaction.atomic():
        sheet = open_sheet_of(table, at=at, lock=True)
        if sheet.table.round.state == Round.State.DRAWN:
            raise Refusal("round_not_released", round=sheet.table.round.number)
        sheet.check_in_play()
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
        sheet = open_sheet_of(table, at=at, lock=True)
        people = [seat.participant_id for seat in sheet.seats if seat.seat_number == seat_number]
        open_reports = sheet.table.missing.filter(participant__in=people, found_at=None)
        if open_reports.update(found_at=at, found_by=by):
            _notify(sheet)
    return _missing(sheet)


def take_found_back(table: Table, seat_number: int, *, by: str) -> frozenset[int]:
    """Undo `end_missing` of the same organiser: the report is open again, with its time; return all missing seats.

    A search that others have ended stays ended. Refuses round_is_closed (round).
    """
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        sheet.check_in_play()
        people = [seat.participant_id for seat in sheet.seats if seat.seat_number == seat_number]
        latest = sheet.table.missing.filter(participant__in=people).last()
        if latest is not None and latest.found_at is not None and latest.found_by == by:
            latest.found_at, latest.found_by = None, ""
            latest.save(update_fields=["found_at", "found_by"])
            _notify(sheet)
    return _missing(sheet)


def _missing(sheet: OpenSheet) -> frozenset[int]:
    wanted = set(sheet.table.missing.filter(found_at=None).values_list("participant_id", flat=True))
    return frozenset(seat.seat_number for seat in sheet.seats if seat.participant_id in wanted)


def _notify(sheet: OpenSheet) -> None:
    notify(sheet.tournament.slug, "sheet", keeps=(STANDINGS,))
