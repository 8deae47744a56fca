"""Volunteer scribes, chosen by the players of a table (RULES 3.1)."""

from datetime import datetime

from django.db import transaction

from scoring.core.sheet import check_open
from scoring.services.sheets import check_writes
from scoring.sheet_log import OpenSheet, open_sheet_of
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass
from tournaments.notify import notify


def give_to_volunteer(phone: PhonePass, *, seat_number: int, agreed: bool, at: datetime) -> OpenSheet:
    """Make the player on this seat the scribe, with the consent of the whole table. The pen does not move.

    Repeating it for the same volunteer changes nothing. Refuses no_volunteer_scribes (other rulesets), what
    `check_writes` and `check_open` refuse, not_at_this_table (seat) and consent_missing.
    """
    with transaction.atomic():
        sheet = open_sheet_of(phone, at=at, lock=True)
        if not sheet.tournament.rules.volunteer_scribe:
            raise Refusal("no_volunteer_scribes")
        check_writes(sheet, phone.device)
        check_open(sheet.log)
        volunteer = next((seat for seat in sheet.seats if seat.seat_number == seat_number), None)
        if volunteer is None:
            raise Refusal("not_at_this_table", seat=seat_number)
        if not agreed:
            raise Refusal("consent_missing")
        table = sheet.table
        if (table.scribe_id, table.scribe_agreed) != (volunteer.participant_id, True):
            table.scribe_id, table.scribe_by, table.scribe_at = volunteer.participant_id, "", at
            table.scribe_agreed = True
            table.save(update_fields=["scribe", "scribe_by", "scribe_at", "scribe_agreed"])
            notify(sheet.tournament.slug, "seating")
    return sheet
