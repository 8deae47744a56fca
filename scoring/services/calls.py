"""Calls for the supervisor: made by a table's phone, ended by an organiser who comes, or taken back by the table."""

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
        if sheet.table.round.state != Round.State.RELEASED:
            raise Refusal("round_is_closed", round=sheet.table.round.number)
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


def _end(sheet: OpenSheet, *, by: str, at: datetime) -> None:
    if sheet.row.open_call is not None:
        sheet.row.came_at, sheet.row.came_by = at, by
        _store(sheet)


def _store(sheet: OpenSheet) -> None:
    sheet.row.save(update_fields=["called_at", "came_at", "came_by"])
    notify(sheet.tournament.slug, "sheet", keeps=(STANDINGS,))
