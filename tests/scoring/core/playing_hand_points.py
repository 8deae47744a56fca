"""Random logs of hand points: mostly possible hands, sometimes impossible ones."""

from dataclasses import replace
from random import Random
from typing import Any

from scoring.core.cards import possible_values
from scoring.core.hand_points import HandPoints
from scoring.core.sheet import SheetLog
from tests.rulesets import sheet_as
from tests.scoring.core.values import by_seat, spoilt
from tournaments.rulesets.hands import HandRules
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import HandPointsRules

_OTHER_HANDS = HandRules(
    lowest_card="9",
    card_names="german",
    schnauz="ace_king_ten",
    schnauz_points=40,
    feuer="above_schnauz",
    feuer_points=50,
    three_of_a_kind_name=None,
    three_of_a_kind_half_points=64,
    threes="equal",
)
OFTEN = {"deal": 24, "totalled": 2}
"""The weight of each fact."""


def size_of(chance: Random) -> int:
    """Return the number of players at the table."""
    return chance.randint(2, 7)


def ruleset_of(chance: Random) -> Ruleset:
    """Return the preset with other numbers and switches."""
    ruleset = preset("fce")
    rules = replace(
        sheet_as(ruleset, HandPointsRules),
        deals=chance.choice([1, 3, 6, 24]),
        early_acceptance=chance.random() < 0.7,
    )
    return replace(ruleset, hands=chance.choice([ruleset.hands, ruleset.hands, _OTHER_HANDS]), sheet=rules)


def hands_of(sheet: SheetLog) -> HandRules:
    """Return the values of three cards at this table."""
    assert sheet.ruleset.hands is not None
    return sheet.ruleset.hands


def fact_data(chance: Random, sheet: SheetLog, kind: str) -> dict[str, Any]:
    sound = chance.random() < 0.85
    if kind == "totalled":
        return sensible_totals(chance, sheet) if sound else _spoilt_totals(chance, sheet)
    return sensible_deal(chance, sheet) if sound else spoilt_deal(chance, sheet)


def sensible_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a deal of hands that can be dealt together."""
    endings = sheet_as(sheet.ruleset, HandPointsRules).endings
    hands = hands_of(sheet)
    others = sorted(map(int, possible_values(hands) - {hands.feuer_points}))
    points = {str(seat): chance.choice([*others, hands.schnauz_points]) for seat in sheet.seats}
    if chance.random() < 0.2:
        points[str(chance.choice(sheet.seats))] = hands.feuer_points or 0
    said: list[dict[str, Any]] = [{}, {}, {"ended_by": None}, {"ended_by": chance.choice(endings)}]
    return {"points": points, **chance.choice(said)}


def spoilt_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a deal with one value changed to a plausible typing error."""
    deal = sensible_deal(chance, sheet)
    wrong = {str(chance.choice(sheet.seats)): chance.choice([0, 7, 12, 32, 34, 36, -8])}
    changes: list[dict[str, Any]] = [
        {"points": deal["points"] | wrong},
        {"points": dict.fromkeys(deal["points"], hands_of(sheet).feuer_points)},
        {"points": spoilt(chance, deal["points"])},
        {"ended_by": chance.choice(["handschnauz", "gong", 7, ["knock"]])},
        {"note": 1},
    ]
    return deal | chance.choice(changes)


def sensible_totals(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return the sums of a sheet that was played on paper."""
    rules, hands = sheet_as(sheet.ruleset, HandPointsRules), hands_of(sheet)
    values = sorted(map(int, possible_values(hands)))
    sums: dict[str, dict[str, int]] = {"points": {}, "schnauz": {}, "feuer": {}}
    for seat in map(str, sheet.seats):
        feuer = 1 if seat == "1" and chance.random() < 0.3 else 0
        schnauz = chance.randint(0, rules.deals - feuer)
        rest = [chance.choice(values) for _ in range(rules.deals - schnauz - feuer)]
        named = schnauz * hands.schnauz_points + feuer * (hands.feuer_points or 0)
        sums["points"][seat] = named + sum(rest)
        sums["schnauz"][seat], sums["feuer"][seat] = schnauz, feuer
    return sums


def _spoilt_totals(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    sums = sensible_totals(chance, sheet)
    name = chance.choice(list(sums))
    worse = {name: chance.choice([-1, 0, 500, 5000]) for name in sums["points"]}
    return sums | {name: chance.choice([spoilt(chance, sums[name]), worse, worse])}


def display(state: HandPoints) -> dict[str, Any]:
    """Return the state in the shape that `hand_points.js` gives it."""
    return {
        "seats": list(state.seats),
        "deals": state.deals,
        "points": by_seat(state.points),
        "schnauz": by_seat(state.schnauz),
        "feuer": by_seat(state.feuer),
        "is_totalled": state.is_totalled,
    }
