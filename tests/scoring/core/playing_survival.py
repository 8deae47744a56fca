"""Random logs of survival: mostly by the rules, sometimes not."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from scoring.core.sheet import SheetLog
from scoring.core.survival import Survival
from tests.rulesets import sheet_as
from tests.scoring.core.values import by_seat
from tournaments.rulesets.loader import MAIN_PRESET, PRESETS, preset
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import SurvivalRules

SURVIVAL = (MAIN_PRESET, *(name for name in PRESETS if preset(name).sheet.kind == "survival"))
"""The main rule sheet twice as often as the others."""
OFTEN = {"deal": 24, "stroke": 3, "ranked": 1}
"""The weight of each fact."""


def size_of(chance: Random) -> int:
    """Return the number of players at the table."""
    return chance.randint(2, 7)


def ruleset_of(chance: Random) -> Ruleset:
    """Return one of the variations of the survival presets."""
    ruleset = preset(chance.choice(SURVIVAL))
    survival = sheet_as(ruleset, SurvivalRules)
    endings = chance.choice([survival.endings, ("knock", "schnauz", "handschnauz")])
    everybody_pays = chance.choice([("feuer", "handschnauz"), ("handschnauz",), ()])
    spared = chance.choice([survival.three_of_a_kind_spared, ("knock",), ("schnauz", "handschnauz")])
    rules = replace(
        survival,
        lives=chance.randint(0, 4),
        endings=endings,
        three_of_a_kind_spared=tuple(ending for ending in spared if ending in endings),
        all_others_lose=tuple(ending for ending in everybody_pays if ending in endings),
        marks=chance.choice([("schnauz", "feuer"), ("schnauz",)]),
    )
    return replace(ruleset, sheet=rules)


def sensible_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a deal of the players who are still in; all may tie for the worst hand."""
    state: Survival = sheet.state
    rules = sheet_as(sheet.ruleset, SurvivalRules)
    ended_by = chance.choice(["knock", "knock", *rules.endings])
    finisher = None if ended_by == "knock" else chance.choice(state.still_in)
    others = [seat for seat in state.still_in if seat != finisher]
    losers = others or [chance.choice(sheet.seats)]
    if ended_by in rules.three_of_a_kind_spared:
        losers = [seat for seat in others if chance.random() < 0.6]
    elif others and ended_by not in rules.all_others_lose:
        losers = chance.sample(others, chance.choice([1, 1, 1, 2, 2, len(others)]) if len(others) > 1 else 1)
    return {"losers": losers, "ended_by": ended_by, "finisher": finisher}


def spoilt_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a deal with one value changed to a plausible typing error."""
    deal = sensible_deal(chance, sheet)
    table = list(sheet.seats)
    spoils: list[dict[str, Any]] = [
        {"losers": chance.choice([[], None, "1", [0], [99], [True], [1, 1], ["1"], table])},
        {"losers": chance.sample(table, chance.randint(1, len(table)))},
        {"ended_by": chance.choice(["knock", "schnauz", "feuer", "handschnauz", "gong", None, []])},
        {"finisher": chance.choice([*table, *table, None, 99, True, "1"])},
        {chance.choice(["note", "losers "]): 1},
    ]
    return deal | chance.choice(spoils)


def ranking(chance: Random, table: Sequence[int]) -> dict[str, Any]:
    """Return ranks for every seat from drowning in some order, with one winner."""
    winner = chance.choice(table)
    drowned_in = {seat: len(table) if seat == winner else chance.randrange(1, len(table)) for seat in table}
    later = {seat: sum(deal > drowned_in[seat] for deal in drowned_in.values()) for seat in table}
    return {"ranks": {str(seat): 1 + count for seat, count in later.items()}}


def spoilt_ranking(chance: Random, table: Sequence[int]) -> dict[str, Any]:
    """Return ranks that are mostly impossible."""
    named = chance.choice([table, table, table[1:], (*table, 99)])
    ranks: dict[str, Any] = {str(seat): chance.randint(0, len(table) + 1) for seat in named}
    return {"ranks": chance.choice([ranks, ranks, ranks, ranks | {"1": "1"}, ranks | {"1": None}, None])}


def _stroke(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    seat = chance.choice([*sheet.seats, *sheet.seats, 99])
    return {
        "seat_number": seat,
        "mark": chance.choice([*sheet_as(sheet.ruleset, SurvivalRules).marks * 3, "feuer", "knock", None]),
    }


def fact_data(chance: Random, sheet: SheetLog, kind: str) -> dict[str, Any]:
    sound = chance.random() < 0.8
    match kind:
        case "stroke":
            return _stroke(chance, sheet)
        case "ranked":
            return ranking(chance, sheet.seats) if sound else spoilt_ranking(chance, sheet.seats)
    return sensible_deal(chance, sheet) if sound else spoilt_deal(chance, sheet)


def display(state: Survival) -> dict[str, Any]:
    """Return the state in the shape that `survival.js` gives it."""
    return {
        "lives": state.lives,
        "lost": by_seat(state.lost),
        "lives_left": {str(seat): state.lives_left(seat) for seat in state.seats},
        "still_in": list(state.still_in),
        "swimming": list(state.swimming),
        "drowned_in": by_seat(state.drowned_in),
        "deals": state.deals,
        "schnauz": by_seat(state.schnauz),
        "feuer": by_seat(state.feuer),
        "ranked": None if state.ranked is None else by_seat(state.ranked),
        "winner": state.winner,
    }
