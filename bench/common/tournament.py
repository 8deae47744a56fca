"""The document of an evening."""

import uuid
from typing import Any

TABLE = 5
MADE_AT = "2026-11-21T20:00:00Z"


def evening(players: int, *, slug: str = "", released: bool = True, strokes: int = 1) -> dict[str, Any]:
    """Return a document of sample players: two closed rounds from paper, and a third one, if it is released.

    strokes: of a table in a closed round.
    """
    rounds = [_round(players, number, strokes=strokes) for number in (1, 2)]
    return {
        "schema": "schnauz-turnier/1",
        "tournament": {
            "slug": slug or f"abend-{players}",
            "name": f"{players} Spieler",
            "date": "2026-11-21",
            "ruleset": "schnauz-placing",
        },
        "participants": [{"start_number": n, "name": f"Spieler {n}"} for n in range(1, players + 1)],
        "rounds": [*rounds, _round(players, 3)] if released else rounds,
    }


def _round(players: int, number: int, *, strokes: int = 0) -> dict[str, Any]:
    """Return a round that is closed, with this many strokes at each table, or one that is released, without any."""
    order = [(index * 7 ** (number - 1)) % players + 1 for index in range(players)]
    tables = [order[start : start + TABLE] for start in range(0, players, TABLE)]
    return {
        "number": number,
        "state": "closed" if strokes else "released",
        "tables": [
            {
                "number": index,
                "seats": [{"seat_number": seat, "start_number": p} for seat, p in enumerate(table, start=1)],
                "entries": _played(strokes) if strokes else [],
            }
            for index, table in enumerate(tables, start=1)
        ],
    }


def _played(strokes: int) -> list[dict[str, Any]]:
    ranks = {str(seat): seat for seat in range(1, TABLE + 1)}
    facts: list[tuple[str, dict[str, Any]]] = [
        *[("stroke", {"seat_number": 2, "mark": "schnauz"})] * strokes,
        ("ranked", {"ranks": ranks}),
        ("accepted", {"reason": "Papier"}),
    ]
    return [
        {"id": str(uuid.uuid4()), "kind": kind, "data": data, "by": "organiser", "made_at": MADE_AT}
        for kind, data in facts
    ]
