"""The document of an evening."""

import uuid
from collections.abc import Sequence
from typing import Any

Fact = tuple[str, dict[str, Any]]

TABLE = 5
FULL = 20  # strokes on a sheet at the end of a round
MADE_AT = "2026-11-21T20:00:00Z"


def evening(
    players: int, *, slug: str = "", released: bool = True, strokes: int = FULL, in_play: int = FULL
) -> dict[str, Any]:
    """Return a document of sample players: two closed rounds from paper, and a third one in play, if it is released.

    strokes: of each table in a closed round. in_play: of each table in the released one, written by its scribe.
    """
    rounds = [_round(players, number, _from_paper(strokes)) for number in (1, 2)]
    return {
        "schema": "schnauz-turnier/1",
        "tournament": {
            "slug": slug or f"abend-{players}",
            "name": f"{players} Spieler",
            "date": "2026-11-21",
            "ruleset": "schnauz-placing",
        },
        "participants": [{"start_number": n, "name": f"Spieler {n}"} for n in range(1, players + 1)],
        "rounds": [*rounds, _round(players, 3, _strokes(in_play), state="released")] if released else rounds,
    }


def _round(players: int, number: int, facts: Sequence[Fact], *, state: str = "closed") -> dict[str, Any]:
    """Return a round with the same facts at each table: from paper if it is closed, else by the scribe."""
    by = "organiser" if state == "closed" else "scribe"
    order = [(index * 7 ** (number - 1)) % players + 1 for index in range(players)]
    tables = [order[start : start + TABLE] for start in range(0, players, TABLE)]
    return {
        "number": number,
        "state": state,
        "tables": [
            {
                "number": index,
                "seats": [{"seat_number": seat, "start_number": p} for seat, p in enumerate(table, start=1)],
                "entries": [
                    {"id": str(uuid.uuid4()), "kind": kind, "data": data, "by": by, "made_at": MADE_AT}
                    for kind, data in facts
                ],
            }
            for index, table in enumerate(tables, start=1)
        ],
    }


def _strokes(number: int) -> list[Fact]:
    return [("stroke", {"seat_number": index % TABLE + 1, "mark": "schnauz"}) for index in range(number)]


def _from_paper(strokes: int) -> list[Fact]:
    ranks = {str(seat): seat for seat in range(1, TABLE + 1)}
    return [*_strokes(strokes), ("ranked", {"ranks": ranks}), ("accepted", {"reason": "Papier"})]
