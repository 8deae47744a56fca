"""Random logs of plus and minus: mostly by the rules, sometimes not."""

from dataclasses import replace
from random import Random
from typing import Any

from scoring.core.plus_minus import COUNTS, PlusMinus
from scoring.core.sheet import SheetLog
from tests.rulesets import sheet_as
from tests.scoring.core.values import by_seat, spoilt
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import PlusMinusRules, Solo

OFTEN = {"deal": 24, "approved": 5, "totalled": 2}
"""The weight of each fact."""
_LEVELS = ("normal", "normal", "schneider", "durch", "tout", "tout")


def size_of(chance: Random) -> int:
    """Return the number of players at the table: mostly four."""
    return chance.choice([4, 4, 4, 4, 4, 4, 3, 5])


def ruleset_of(chance: Random) -> Ruleset:
    """Return the preset with other numbers and switches."""
    ruleset = preset("schafkopf")
    solos: tuple[Solo, ...] = chance.choice([("solo", "wenz", "farbwenz"), ("solo", "wenz")])
    rules = replace(
        sheet_as(ruleset, PlusMinusRules),
        deals=chance.choice([1, 3, 6, 32]),
        solos=solos,
        tie_solo_games=chance.choice([("solo",), ("solo", "wenz", "farbwenz"), ("wenz",)]),
        early_acceptance=chance.random() < 0.7,
        not_in_first_deal=chance.choice([("durch", "tout"), ()]),
        needs_approval=chance.choice([("tout",), ("tout",), ()]),
    )
    return replace(
        ruleset,
        scribe_takes_back=chance.choice(["latest_deal", "latest_deal", "any", "none"]),
        objections_end=chance.choice(["next_deal", "voided"]),
        sheet=rules,
    )


def fact_data(chance: Random, sheet: SheetLog, kind: str) -> dict[str, Any]:
    sound = chance.random() < 0.85
    if kind == "approved":
        return _approved(chance, sheet)
    if kind == "totalled":
        return sensible_totals(chance, sheet) if sound else _spoilt_totals(chance, sheet)
    return sensible_deal(chance, sheet) if sound else spoilt_deal(chance, sheet)


def sensible_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a game of four players."""
    rules = sheet_as(sheet.ruleset, PlusMinusRules)
    game = chance.choice(["ruf", "ruf", *rules.solos])
    declarer, partner = chance.sample(sheet.seats, 2)
    level = chance.choice([level for level in _LEVELS if game != "ruf" or level != "tout"])
    won = chance.random() < 0.6
    return {
        "game": game,
        "declarer": declarer,
        "partner": partner if game == "ruf" else None,
        "won": won,
        "level": level,
    }


def spoilt_deal(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return a game with one value changed to a plausible typing error."""
    deal = sensible_deal(chance, sheet)
    changes: list[dict[str, Any]] = [
        {"game": chance.choice(["ruf", "solo", "farbwenz", "ramsch", None, ["ruf"]])},
        {"declarer": chance.choice([*sheet.seats, 99, None, "1", True])},
        {"partner": chance.choice([*sheet.seats, None, deal["declarer"], 99, "2"])},
        {"won": chance.choice([None, 1, "yes"])},
        {"level": chance.choice(["tout", "contra", None, ["normal"]])},
        {"points": {}},
    ]
    return deal | chance.choice(changes)


def _approved(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    state: PlusMinus = sheet.state
    waiting = [deal.entry_id for deal in state.deals if deal.waits]
    known = [*waiting * 3, *(entry.id for entry in sheet.entries), "7"]
    return chance.choice([{"entry": chance.choice(known)}, {"entry": chance.choice(known).upper()}, {}])


def sensible_totals(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    """Return the results of a list that was written on paper."""
    rules = sheet_as(sheet.ruleset, PlusMinusRules)
    first, *others = map(str, sheet.seats)
    points = {seat: chance.randint(-20, 20) for seat in others}
    sums: dict[str, dict[str, int]] = {"points": {first: -sum(points.values()), **points}}
    for name in COUNTS:
        sums[name] = dict.fromkeys((first, *others), 0)
    for _ in range(chance.randint(0, min(rules.deals, 4))):
        seat, is_tout, is_won = chance.choice((first, *others)), chance.random() < 0.3, chance.random() < 0.6
        sums["solo_played"][seat] += 1
        sums["solo_won"][seat] += is_won
        sums["tout_played"][seat] += is_tout
        sums["tout_won"][seat] += is_tout and is_won
    return sums


def _spoilt_totals(chance: Random, sheet: SheetLog) -> dict[str, Any]:
    sums = sensible_totals(chance, sheet)
    name = chance.choice(list(sums))
    worse = dict(zip(sums["points"], (40, -40, 7, -7, 0), strict=False))
    one_more = {seat: points + (seat == "1") for seat, points in sums["points"].items()}
    too_many = dict.fromkeys(sums["points"], sheet_as(sheet.ruleset, PlusMinusRules).deals + 1)
    changes = [
        {name: spoilt(chance, sums[name])},
        {name: worse},
        {"points": one_more},
        {"solo_played": too_many},
    ]
    return sums | chance.choice(changes)


def display(state: PlusMinus) -> dict[str, Any]:
    """Return the state in the shape that `plus_minus.js` gives it."""
    totals = state.totals
    return {
        "seats": list(state.seats),
        "deals": [
            {
                "entry_id": deal.entry_id,
                "points": by_seat(deal.points),
                "declarer": deal.declarer,
                "counts": sorted(deal.counts),
                "waits": deal.waits,
            }
            for deal in state.deals
        ],
        "waiting": list(state.waiting),
        "plus": by_seat({seat: state.plus(seat) for seat in state.seats}),
        "minus": by_seat({seat: state.minus(seat) for seat in state.seats}),
        "deduction": by_seat({seat: state.deduction(seat) for seat in state.seats}),
        "totals": totals and {name: by_seat(sums) for name, sums in totals.items()},
    }
