"""Confirmations and objections of players from their own phones, which need not hold the pen.

Whoever has the table's link may write there anyway, so this gives no new power. Such an entry is by `scribe` like one from the
scribe's phone, and its digest is made alike; it has no `pen_epoch`, since no pen wrote it.
"""

from datetime import datetime

from django.db import transaction

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.services.sheets import FACTS_OF_LIFE, Sent, SheetDesk
from scoring.sheet_log import Coming, OpenSheet, open_sheet_of
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass
from tournaments.models import Round

KINDS = frozenset({"confirmed", "objected"})


def speak(phone: PhonePass, one: Sent, *, seen: int, at: datetime) -> OpenSheet:
    """Append a player's confirmation or objection. The pen stays where it is, and keeps its epoch.

    seen: how many entries the phone showed to the player. The same entry again, and a confirmation that stands, change nothing.
    Refuses bad_entry (field), id_taken, round_is_closed (round), sheet_has_changed, has_objected (seat), sheet_is_full (most), and
    what the sheet refuses.
    """
    with transaction.atomic():
        sheet = open_sheet_of(phone, at=at, lock=True, coming=Coming([one.id], phone.device))
        if one.kind not in KINDS:
            raise Refusal("bad_entry", field="kind")
        desk = SheetDesk(sheet, device=phone.device, pen_epoch=None, at=at)
        known = desk.log.entry(one.id)
        if known is not None:
            desk.check_same(one, known.kind, known.data)
            return sheet
        if sheet.recorded or sheet.parked:
            raise Refusal("id_taken")
        if sheet.table.round.state != Round.State.RELEASED:
            raise Refusal("round_is_closed", round=sheet.table.round.number)
        core.check_open(sheet.log)
        _check_seen(sheet.log, seen)
        if desk.changes_nothing(one):
            return sheet
        _check_first_objection(sheet.log, one)
        desk.append(Entry(one.id, one.kind, one.data, "scribe", made_at=one.made_at))
        return desk.put_away()


def _check_seen(log: core.SheetLog, seen: int) -> None:
    """Refuse sheet_has_changed if facts were written that the player has not seen."""
    changing = (log.kind.facts - log.kind.approvals) | FACTS_OF_LIFE | {"reopened"}
    if any(entry.kind in changing for entry in log.entries[seen:]):
        raise Refusal("sheet_has_changed")


def _check_first_objection(log: core.SheetLog, one: Sent) -> None:
    """Refuse has_objected (seat) while an objection of this seat stands, so that nobody fills the sheet with them."""
    seat = core.normalised(log, one.kind, one.data)["seat_number"]
    if one.kind == "objected" and any(stands.seat_number == seat for stands in log.objections):
        raise Refusal("has_objected", seat=seat)
