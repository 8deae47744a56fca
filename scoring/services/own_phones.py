"""Confirmations and objections of players from their own phones, without the pen.

The table's link gives the right to write there anyway. Such an entry is by `scribe` and has the same digest as one from the
scribe's phone, but no `pen_epoch`.
"""

from datetime import datetime

from django.db import transaction

from scoring.core import sheet as core
from scoring.core.entries import Entry
from scoring.services.sheets import FACTS_OF_LIFE, Sent, SheetRecorder
from scoring.sheet_log import Coming, OpenSheet, open_sheet_of
from tournaments.core.refusal import Refusal
from tournaments.links import PhonePass

KINDS = frozenset({"confirmed", "objected"})


def speak(phone: PhonePass, sent: Sent, *, seen: int, at: datetime) -> OpenSheet:
    """Append a player's confirmation or objection. The pen stays where it is, and keeps its epoch.

    seen: the number of entries that the phone showed. The same entry again, and a repeated confirmation, change nothing.
    Refuses bad_entry (field), id_taken, round_is_closed (round), sheet_has_changed, has_objected (seat), sheet_is_full (most), and
    what the sheet refuses.
    """
    with transaction.atomic():
        sheet = open_sheet_of(phone, at=at, lock=True, coming=Coming([sent.id], phone.device))
        if sent.kind not in KINDS:
            raise Refusal("bad_entry", field="kind")
        recorder = SheetRecorder(sheet, device=phone.device, pen_epoch=None, at=at)
        existing = recorder.log.entry(sent.id)
        if existing is not None:
            recorder.check_same(sent, existing.kind, existing.data)
            return sheet
        if sheet.recorded or sheet.parked:
            raise Refusal("id_taken")
        sheet.check_in_play()
        core.check_open(sheet.log)
        _check_seen(sheet.log, seen)
        if recorder.changes_nothing(sent):
            return sheet
        _check_first_objection(sheet.log, sent)
        recorder.append(Entry(sent.id, sent.kind, sent.data, "scribe", made_at=sent.made_at))
        return recorder.save()


def _check_seen(log: core.SheetLog, seen: int) -> None:
    """Refuse sheet_has_changed if facts were written that the player has not seen."""
    changing = (log.kind.facts - log.kind.approvals) | FACTS_OF_LIFE | {"reopened"}
    if any(entry.kind in changing for entry in log.entries[seen:]):
        raise Refusal("sheet_has_changed")


def _check_first_objection(log: core.SheetLog, sent: Sent) -> None:
    """Refuse has_objected (seat) while an objection of this seat stands, so that they cannot fill the sheet."""
    seat = core.normalised(log, sent.kind, sent.data)["seat_number"]
    if sent.kind == "objected" and any(stands.seat_number == seat for stands in log.objections):
        raise Refusal("has_objected", seat=seat)
