"""What the organiser does at a table's sheet in one go: type in a paper sheet, correct, accept whatever was handed in."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from scoring.core import sheet as core
from scoring.core.entries import Data, Entry
from scoring.core.paper import Draft
from scoring.queries.table_monitor import table_monitor
from scoring.services import sheets
from scoring.sheet_log import OpenSheet, open_sheet
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament


def type_in(
    table: Table,
    paper: Sequence[Draft],
    *,
    replace: bool,
    reason: str,
    by: str,
    at: datetime,
    initials: str = "",
) -> OpenSheet:
    """A paper sheet becomes the table's sheet, accepted at once, with the reason that it comes from paper.

    paper: the facts that say the same. replace: what a phone has written so far is taken back first. Refuses paper_replaces without it, and whatever
    the sheet refuses.
    """
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        drafts = paper_drafts(sheet.log, paper, replace=replace, reason=reason)
        return sheets.write(table, drafts, by=by, at=at, initials=initials)


def paper_drafts(log: core.SheetLog, paper: Sequence[Draft], *, replace: bool, reason: str) -> list[Draft]:
    """What has to be written so that the sheet says what the paper says. Refuses paper_replaces."""
    if log.facts and log.phase == "open" and not replace:
        raise Refusal("paper_replaces", entries=len(log.facts))
    taken_back = [
        *(fact.entry_id for fact in reversed(log.facts)),
        *(found.entry_id for found in log.objections),
    ]
    voids: list[Draft] = [("voided", {"entry": entry, "reason": reason}) for entry in taken_back if replace]
    return [*voids, *paper, ("accepted", {"reason": reason})]


def as_if_written(log: core.SheetLog, drafts: Iterable[Draft]) -> core.SheetLog:
    """The sheet as it would be after these entries of the organiser; nothing is stored. Refuses as it would."""
    for kind, data in drafts:
        log = core.append(log, Entry(str(uuid.uuid4()), kind, data, "organiser"))
    return log


def correct(
    table: Table,
    entry_id: str,
    data: Data,
    *,
    reason: str,
    accept: bool,
    by: str,
    at: datetime,
    initials: str = "",
) -> OpenSheet:
    """An entry counts with other data. A sheet handed in or accepted is opened for it.

    accept: it is accepted again in the same step. Refuses whatever the sheet refuses; then nothing has changed.
    """
    with transaction.atomic():
        sheet = open_sheet(table.pk, lock=True)
        drafts: list[Draft] = [("corrected", {"entry": entry_id, "data": data, "reason": reason})]
        if sheet.log.phase != "open":
            drafts.insert(0, ("reopened", {"reason": reason}))
        if accept:
            drafts.append(("accepted", {"reason": reason}))
        return sheets.write(table, drafts, by=by, at=at, initials=initials)


def accept_submitted(tournament: Tournament, number: int, *, by: str, at: datetime) -> list[int]:
    """Accepts every sheet of the round that is handed in now, and says which tables that were.

    A sheet that somebody reopens in the same moment is left alone.
    """
    found = table_monitor(tournament, number)
    accepted = []
    for table in found.submitted if found else []:
        with transaction.atomic():
            sheet = open_sheet(table.id, lock=True)
            if sheet.log.phase == "submitted":
                sheets.write(sheet.table, [("accepted", {})], by=by, at=at)
                accepted.append(table.number)
    return accepted
