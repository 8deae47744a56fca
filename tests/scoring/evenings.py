"""Random whole evenings as tournament documents, for properties of every document.

The sheets come from the log generator of the core. A table's log holds only entries that were accepted by the core.
"""

import json
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from scoring.core.sheet import append, empty
from tests.scoring.core.vectors import attempt_on, entry_id, ruleset_of
from tournaments.core.draw import draw
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.documents.schema import SCHEMA
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

NAMES = ("Übel, Jörg", "<b>fett</b>", '=1+1;"x"', "Ä" * 80, "Nguyễn Thị", "O’Brien", "Anna-Lena Weiß-Müller")

FEES = [{"key": "full", "name": "voll", "cents": 300}, {"key": "less", "name": "ermäßigt", "cents": 150}]
LATE = {"at": "2026-11-21T23:00:00Z", "by": "Kasse"}
DESKS = [
    {"name": "Kasse 2", "changes": [{"kind": "named", "reason": "Kase 2", **LATE}]},
    {
        "name": "Kasse 1",
        "changes": [
            {"kind": "closed", **LATE},
            {"kind": "opened", "reason": "verzählt", **LATE},
            {"kind": "closed", **LATE},
        ],
    },
    {"name": "Vorab bezahlt", "is_in_advance": True},
]
CASH: list[dict[str, Any]] = [
    {"desk": "Kasse 1", "kind": "float", "cents": 5000, **LATE},
    {"desk": "Kasse 2", "kind": "float", "cents": 0, "reason": None, **LATE},
    {"desk": "Kasse 1", "kind": "out", "cents": 1250, "reason": "=Karten", **LATE},
    {"desk": "Kasse 2", "kind": "in", "cents": 100, "reason": "Fund", **LATE},
    {"desk": "Kasse 1", "kind": "transfer", "cents": 2000, "to": "Kasse 2", **LATE},
    {"desk": "Kasse 1", "kind": "count", "cents": 1750, "pieces": {"50": 5, "500": 3}, **LATE},
    {"desk": "Kasse 2", "kind": "count", "cents": 2100, "reason": "passt", **LATE},
    {"desk": "Kasse 2", "kind": "back", "cents": 300, **LATE},
    {"desk": "Kasse 1", "kind": "transfer", "cents": 2000, "to": "Kasse 2", "takes_back": 4, **LATE},
]


def evening(seed: int, slug: str, *, rounds: int = 2) -> dict[str, Any]:
    """Return a tournament of 10 to 24 players under a random ruleset, its last round in play; deterministic by seed."""
    chance = Random(seed)
    ruleset = ruleset_of(chance)
    heads = chance.randint(10, 22)
    if ruleset.tables.sizes == (4,):
        heads += -heads % 4
    numbers = sorted(chance.sample(range(1, 60), heads))
    return {
        "schema": SCHEMA,
        "tournament": {
            "slug": slug,
            "name": "Preisschnauz",
            "date": "2026-11-21",
            "ruleset": ruleset.to_dict(),
            "fees": FEES,
            "starts_at": chance.choice([None, "2026-11-21T19:30:00+01:00"]),
            "admits_at": "2026-11-21T18:00:00+01:00",
            "prize_plan": chance.choice([None, {"rest": "club", "prizes": [{"for": "lot", "cents": 300}]}]),
        },
        "participants": [_participant(chance, number) for number in numbers],
        "desks": chance.choice([[], DESKS]),
        "cash": CASH[: chance.randint(0, len(CASH))],
        "rounds": [
            _round(chance, ruleset, number, numbers, "closed" if number < rounds else "released")
            for number in range(1, rounds + 1)
        ],
    }


def simple_evening(slug: str, players: int = 10, ruleset: str = "schnauz-placing") -> dict[str, Any]:
    """Return a released first round under a preset with empty sheets, players numbered from 1."""
    sizes = table_sizes(players, preset(ruleset).tables).sizes
    seats = iter(range(1, players + 1))
    return {
        "schema": SCHEMA,
        "tournament": {
            "slug": slug,
            "name": "Preisschnauz",
            "date": "2026-11-21",
            "ruleset": ruleset,
        },
        "participants": [{"start_number": n, "name": f"Spieler {n}"} for n in range(1, players + 1)],
        "rounds": [
            {
                "number": 1,
                "state": "released",
                "tables": [
                    {
                        "number": number,
                        "seats": [
                            {"seat_number": seat, "start_number": next(seats)} for seat in range(1, size + 1)
                        ],
                    }
                    for number, size in enumerate(sizes, start=1)
                ],
            }
        ],
    }


def sheet_entry(
    number: int, kind: str, data: dict[str, Any], by: str = "scribe", **more: Any
) -> dict[str, Any]:
    """Return an entry of a document, with its number as its id."""
    made_at = "2026-11-21T20:00:00Z"
    return {"id": entry_id(number), "kind": kind, "data": data, "by": by, "made_at": made_at, **more}


def accepted_sheet(name: str, seats: int, first: int) -> list[dict[str, Any]]:
    """Return the entries of a sheet under a preset; their ids count from `first`."""
    everybody = [str(seat) for seat in range(1, seats + 1)]
    nothing = dict.fromkeys(everybody, 0)
    match preset(name).sheet.kind:
        case "hand_points":
            points = {seat: 400 + int(seat) for seat in everybody}
            sums = {"points": points, "schnauz": nothing | {"1": 2}, "feuer": nothing}
            facts = [sheet_entry(first, "totalled", sums, "organiser", initials="AB")]
        case "plus_minus":
            ruf = {"game": "ruf", "declarer": 1, "partner": 2, "won": True, "level": "normal"}
            tout = {"game": "solo", "declarer": 1, "partner": None, "won": True, "level": "tout"}
            mark = {"entry": entry_id(first + 1)}
            facts = [
                sheet_entry(first, "deal", ruf),
                sheet_entry(first + 1, "deal", tout),
                sheet_entry(first + 2, "approved", mark, "organiser", initials="AB"),
            ]
        case _:
            deal = {"losers": list(range(2, seats + 1)), "ended_by": "knock", "finisher": None}
            facts = [sheet_entry(first + number, "deal", deal) for number in range(4)]
    accepted = sheet_entry(first + len(facts), "accepted", {"reason": "Abend zu Ende"}, "organiser")
    return [*facts, accepted]


def text_of(document: dict[str, Any], *, slug: str | None = None) -> str:
    """Return the document as text, under another slug if one is given."""
    copy = deepcopy(document)
    if slug is not None:
        copy["tournament"]["slug"] = slug
    return json.dumps(copy, ensure_ascii=False)


def _participant(chance: Random, number: int) -> dict[str, Any]:
    person: dict[str, Any] = {"start_number": number, "name": chance.choice(NAMES)}
    person |= chance.choice([{}, {"club": "Schützenverein Höß"}, {"club": None}])
    person |= chance.choice([{}, {"withdrawn": True}, {"excluded": "falsch eingetragen"}, {"excluded": None}])
    person |= chance.choice([{}, {"names": "number"}, {"names": "short"}, {"names": None}])
    person |= chance.choice([{}, {"town": "Höß"}, {"fee": "less"}, {"fee": None, "town": None}])
    payments = [("fee", 300), ("refund", 300), ("fee", 250), ("payout", 1250)][: chance.randint(0, 4)]
    person["payments"] = [
        {"kind": kind, "cents": cents, "at": "2026-11-21T19:25:00+01:00", "by": "Kasse"}
        | chance.choice([{}, {"desk": "Kasse 1"}, {"desk": "Kasse 3"}])
        for kind, cents in payments
    ]
    return person


def _round(chance: Random, ruleset: Ruleset, number: int, numbers: list[int], state: str) -> dict[str, Any]:
    sizes = table_sizes(len(numbers), ruleset.tables).sizes
    seed = chance.randbytes(32).hex()
    tables = draw(version=1, mode="random", seed=seed, players=numbers, sizes=sizes)
    return {
        "number": number,
        "state": state,
        "closed_reason": "Der Wirt macht zu" if state == "closed" else None,
        "draw": {"mode": "random", "seed": seed, "attempt": 1, "players": numbers, "changes": []},
        "tables": [
            {
                "number": table_number,
                "seats": [
                    {"seat_number": seat, "start_number": player}
                    for seat, player in enumerate(table, start=1)
                ],
                "entries": _entries(chance, ruleset, len(table), first=1000 * (100 * number + table_number)),
            }
            for table_number, table in enumerate(tables, start=1)
        ],
    }


def _entries(chance: Random, ruleset: Ruleset, seats: int, first: int) -> list[dict[str, Any]]:
    """Return the accepted ones of 40 attempted entries on a table's sheet; their ids count from `first`."""
    sheet = empty(ruleset, range(1, seats + 1))
    for number in range(first, first + 40):
        with suppress(Refusal):
            sheet = append(sheet, attempt_on(chance, sheet, number))
    return [
        {
            "id": entry.id,
            "kind": entry.kind,
            "data": entry.data,
            "by": entry.by,
            "made_at": "2026-11-21T20:00:00.5Z",
            "initials": chance.choice([None, "AB", "Ö"]) if entry.by == "organiser" else None,
        }
        for entry in sheet.entries
    ]
