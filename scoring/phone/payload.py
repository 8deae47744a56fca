"""The sheet as JSON for the phone."""

import json
from functools import lru_cache
from typing import Any

from scoring.core.entries import LARGEST_VALUE, LONGEST_TEXT
from scoring.core.marks import mark_of
from scoring.core.registry import kind_of
from scoring.models import ParkedEntry
from scoring.sheet_log import OpenSheet, entry_document, with_text
from tournaments.core.moments import iso_moment
from tournaments.queries.seating import is_scribe
from tournaments.rulesets.schema import Ruleset

LIMITS = {"longest_text": LONGEST_TEXT, "largest_value": LARGEST_VALUE}
"""What an entry may hold; the phone gets it with the page, and refuses more before it is sent."""


def phone_sheet(sheet: OpenSheet, device: str) -> str:
    """Return the sheet as JSON for the phone (contract: "Phone, JSON over HTTP").

    Beyond the contract: `key` identifies the sheet, so that unsent entries of another are kept apart;
    `round_state` and `pen.taken` say whether it can be written; `parked` lists the parked entries. `hand_values` lists the
    possible values where a deal gives every player the points of a hand. `scribe` is null until one is named.
    `called_at` is the time of a call for the supervisor that has not ended. `started_at` is the sign to all tables to start;
    `waits_for_sign` is there, and true, while it is missing and the phone may not write; `is_final` in the final of a knockout. `mark` is the mark of a sheet that is handed in or accepted.
    """
    parts = (
        json.dumps(_changing(sheet, device))[1:-1],
        _of_ruleset(sheet.tournament.rules)[1:-1],
        f'"entries": {json.dumps([entry_document(entry) for entry in sheet.log.entries])}',
    )
    return f"{{{', '.join(parts)}}}"


def _changing(sheet: OpenSheet, device: str) -> dict[str, Any]:
    decided = sheet.log.status in ("submitted", "accepted")
    return {
        "key": str(sheet.table.pk),
        "tournament": sheet.tournament.slug,
        "tournament_name": sheet.tournament.name,
        "round": sheet.table.round.number,
        "round_state": sheet.table.round.state,
        "table": sheet.table.number,
        "state": sheet.log.status,
        "mark": mark_of(sheet.digest) if decided else None,
        "seats": [
            {
                "seat_number": seat.seat_number,
                "start_number": seat.participant.start_number,
                "name": seat.participant.name,
            }
            for seat in sheet.seats
        ],
        "scribe": _scribe(sheet),
        "started_at": iso_moment(sheet.table.round.started_at),
        "pen": {
            "epoch": sheet.row.pen_epoch,
            "mine": sheet.row.pen_device == device,
            "taken": bool(sheet.row.pen_device),
        },
        "results": [
            {
                "seat_number": score.seat_number,
                "rank": score.rank if decided else None,
                "points": score.points if decided else None,
                "strokes": score.strokes,
            }
            for score in sheet.log.results
        ],
        "called_at": iso_moment(sheet.row.open_call),
        **({"waits_for_sign": True} if sheet.waits_for_sign else {}),
        **({"is_final": True} if sheet.is_final else {}),
        "parked": [_parked_document(row) for row in sheet.row.parked.all()] if sheet.has_parked else [],
    }


def _scribe(sheet: OpenSheet) -> dict[str, Any] | None:
    """Return the scribe as JSON. agreed: whether the whole table agreed to a volunteer."""
    named, seat_1_writes = sheet.table.scribe_id, sheet.tournament.rules.scribe == "seat_1"
    for seat in sheet.seats:
        if is_scribe(named, seat.participant_id, seat.seat_number, seat_1_writes=seat_1_writes):
            return {"seat_number": seat.seat_number, "agreed": sheet.table.scribe_agreed}
    return None


@lru_cache(maxsize=64)
def _of_ruleset(rules: Ruleset) -> str:
    return json.dumps({"ruleset": rules.to_dict(), **hand_values(rules)})


def hand_values(rules: Ruleset) -> dict[str, list[int]]:
    """Return `hand_values` where deals are written down as points of hands; else nothing."""
    values = kind_of(rules).hand_values()
    return {"hand_values": list(values)} if values else {}


def _parked_document(row: ParkedEntry) -> dict[str, Any]:
    """Return a parked entry as JSON. outcome: "" before the decision, then "adopted" or "discarded", with the reason."""
    data = {"id": str(row.entry_id), "kind": row.kind, "data": with_text(row)}
    return {**data, "outcome": row.outcome, "reason": row.decided_reason}
