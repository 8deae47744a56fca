"""Rules of a reopened sheet: players confirm anew before it is handed in again.

Not part of the fold: logs that were written before this rule stay valid. Services check it when they write a hand-in, and
`static/js/sheet/replay.js` mirrors it for display.
"""

from itertools import takewhile

from scoring.core.sheet import SheetLog, SheetWriter


def standing_confirmations(sheet: SheetLog | SheetWriter) -> frozenset[int]:
    """Return the seats whose confirmation stands and was given after the last reopening, if there was one."""
    if not sheet.last_reopened:
        return sheet.confirmed
    since = takewhile(lambda entry: entry.kind != "reopened", reversed(tuple(sheet.entries)))
    anew = {entry.data["seat_number"] for entry in since if entry.kind == "confirmed"}
    return sheet.confirmed & anew


def to_confirm_anew(sheet: SheetLog | SheetWriter) -> list[int]:
    """Return the seats that have to confirm a reopened sheet before it is handed in again.

    All seats where the ruleset requires confirmations, even if nothing has changed: the reason of the reopening is free text.
    Where it leaves them open, those that have confirmed the sheet before. None where paper is signed.
    """
    if not sheet.last_reopened or sheet.ruleset.confirmation == "paper":
        return []
    before = {entry.data["seat_number"] for entry in sheet.entries if entry.kind == "confirmed"}
    asked = sheet.seats if sheet.ruleset.confirmation == "required" else before
    return sorted(set(asked) - standing_confirmations(sheet))
