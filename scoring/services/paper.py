"""The organiser's combined steps on a table's sheet: type in a paper sheet, correct an entry, accept submitted sheets."""

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from scoring.core import sheet as core
from scoring.core.entries import Data, Entry
from scoring.core.paper import Draft
from scoring.queries.table_monitor import table_monitor
from scoring.services import sheets
from scoring.sheet_log import OpenSheet
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
    """Write a paper sheet as the table's sheet and accept it, with the reason that it comes from paper.

    paper: facts equivalent to the paper sheet. replace: void the facts of a phone first.
    Refuses paper_replaces (entries) if there are such facts and `replace` is false, and what the sheet refuses.
    """
    with transaction.atomic():
        sheet = sheets.open_for_organiser(table.pk)
        drafts = paper_drafts(sheet.log, paper, replace=replace, reason=reason)
        return sheets.write_on(sheet, drafts, by=by, at=at, initials=initials)


def paper_drafts(log: core.SheetLog, paper: Sequence[Draft], *, replace: bool, reason: str) -> list[Draft]:
    """Return the entries that make the sheet match the paper sheet. Refuses paper_replaces (entries)."""
    if log.facts and log.phase == "open" and not replace:
        raise Refusal("paper_replaces", entries=len(log.facts))
    taken_back = [
        *(fact.entry_id for fact in reversed(log.facts)),
        *(objection.entry_id for objection in log.objections),
    ]
    voids: list[Draft] = [("voided", {"entry": entry, "reason": reason}) for entry in taken_back if replace]
    return [*voids, *paper, ("accepted", {"reason": reason})]


def as_if_written(log: core.SheetLog, drafts: Iterable[Draft]) -> core.SheetLog:
    """Return the log after these entries of the organiser, unsaved. Refuses what the sheet refuses."""
    writer = core.SheetWriter(log)
    for kind, data in drafts:
        writer.append(Entry(str(uuid.uuid4()), kind, data, "organiser"))
    return writer.log


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
    """Correct the data of an entry. A submitted or accepted sheet is reopened first.

    accept: accept the sheet again in the same step. Refuses nothing_changes, and what the sheet refuses, without any change.
    """
    with transaction.atomic():
        sheet = sheets.open_for_organiser(table.pk)
        fact = next((fact for fact in sheet.log.facts if fact.entry_id == entry_id), None)
        if fact is not None and core.normalised(sheet.log, fact.kind, data) == fact.data:
            raise Refusal("nothing_changes")
        drafts: list[Draft] = [("corrected", {"entry": entry_id, "data": data, "reason": reason})]
        if sheet.log.phase != "open":
            drafts.insert(0, ("reopened", {"reason": reason}))
        if accept:
            drafts.append(("accepted", {"reason": reason}))
        return sheets.write_on(sheet, drafts, by=by, at=at, initials=initials)


def accept_submitted(
    tournament: Tournament, number: int, *, by: str, at: datetime, initials: str = ""
) -> list[int]:
    """Accept every submitted sheet of the round and return the numbers of their tables.

    Each sheet is checked again under its lock, so one that is reopened meanwhile is skipped.
    """
    monitor = table_monitor(tournament, number)
    accepted = []
    for table in monitor.submitted if monitor else []:
        with transaction.atomic():
            sheet = sheets.open_for_organiser(table.id)
            if sheet.log.phase == "submitted":
                sheets.write_on(sheet, [("accepted", {})], by=by, at=at, initials=initials)
                accepted.append(table.number)
    return accepted
