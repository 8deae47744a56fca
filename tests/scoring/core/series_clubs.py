"""Clubs with a series, generated from a number, and their standing, worked out once more.

Nothing of the program is used here, but the lot, which is handed in. A club is a rule as in TOML and evenings with lists of
results; its standing is a row a player: rank or None, value, and the evenings that count.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

Result = dict[str, Any]
Lot = Callable[[int], Sequence[int]]
"""From the number of players who are equal to their order."""

LISTS = ([10, 8, 6, 5, 4, 3, 2, 1], [5, 3, 3, 1], [1], [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
TIES = ["best_evening", "wins", "table_wins", "strokes", "evenings", "last_evening"]


# --- generating ----------------------------------------------------------------------------------------------------


def club(number: int) -> tuple[dict[str, Any], list[list[Result]]]:
    """Return the rule and the evenings of a club: 1 to 200 evenings of 1 to 24 players, of whom some are guests."""
    chance = Random(number)
    held = chance.choice((1, 2, 3, 3, 5, 9, 9, 12, 20, 30, 60, 200))
    people = [f"p{index:02d}" for index in range(chance.randint(1, 24))]
    guests = {person for person in people if chance.random() < 0.2}
    return rule(chance, held), [evening(chance, people, guests) for _ in range(held)]


def rule(chance: Random, held: int) -> dict[str, Any]:
    value = chance.choice(("points", "place_points", "beaten", "strokes", "one"))
    found: dict[str, Any] = {
        "title": "Jahr",
        "value": value,
        "shared_places": chance.choice(("each", "split")),
        "attendance_points": chance.choice((0, 0, 1, 5)),
        "combine": chance.choice(("sum", "mean")),
        "least_evenings": chance.choice((1, 1, 2, held, held // 2 + 1)),
        "guests": chance.choice(("rank", "skip", "skip_with_place")),
        "ties": chance.sample(TIES, chance.randint(0, 6)) + chance.choice(([], ["lot"])),
    }
    if value == "place_points":
        found["place_points"] = chance.choice(LISTS)
    cut = chance.choice(("", "count_best", "strike_worst"))
    if cut:
        found[cut] = chance.randint(1, held + 1)
    return found


def evening(chance: Random, people: Sequence[str], guests: set[str]) -> list[Result]:
    came = [person for person in people if chance.random() < 0.7]
    points = {person: chance.choice((-3, 0, 4, 4, 6, 9, 12)) for person in came}
    return [
        {
            "player": person,
            "rank": 1 + sum(points[other] > points[person] for other in came),
            "points": points[person],
            "strokes": chance.randint(0, 3),
            "table_wins": chance.randint(0, 2),
            "is_guest": person in guests and chance.random() < 0.9,
        }
        for person in came
    ]


# --- working out ---------------------------------------------------------------------------------------------------


def standing(rule: dict[str, Any], evenings: Sequence[Sequence[Result]], lot: Lot | None) -> dict[str, Any]:
    """Return by player: rank, value, numbers of the evenings that count."""
    everybody = {result["player"] for results in evenings for result in results}
    sheets = {player: sheet_of(rule, evenings, player) for player in everybody}
    held = len(evenings)
    room = rule.get("count_best", held)
    if "strike_worst" in rule:
        room = max(1, held - rule["strike_worst"])
    found: dict[str, Any] = {}
    for player, sheet in sheets.items():
        left = dict(sheet)
        while len(left) > room:
            lowest = min(line["value"] for line in left.values())
            del left[max(number for number, line in left.items() if line["value"] == lowest)]
        value = sum((line["value"] for line in left.values()), Fraction(0))
        if rule["combine"] == "mean" and left:
            value /= len(left)
        found[player] = {"rank": None, "value": value, "counts": sorted(left)}
    able = sorted(player for player in everybody if len(sheets[player]) >= rule["least_evenings"])
    for player in able:
        better = [other for other in able if is_better(rule, found, sheets, held, other, player)]
        found[player]["rank"] = 1 + len(better)
    if lot and "lot" in rule["ties"]:
        for rank in {found[player]["rank"] for player in able}:
            tied = [player for player in able if found[player]["rank"] == rank]
            for later, index in enumerate(lot(len(tied))):
                found[tied[index]]["rank"] = rank + later
    return found


def sheet_of(rule: dict[str, Any], evenings: Sequence[Sequence[Result]], player: str) -> dict[int, Result]:
    """Return the player's evenings that have a value, by number, with what they are worth."""
    lines: dict[int, Result] = {}
    for number, results in enumerate(evenings):
        mine = [result for result in results if result["player"] == player]
        if not mine or (mine[0]["is_guest"] and rule["guests"] != "rank"):
            continue
        field = [result for result in results if rule["guests"] != "skip" or not result["is_guest"]]
        ahead = sum(result["rank"] < mine[0]["rank"] for result in field)
        level = sum(result["rank"] == mine[0]["rank"] for result in field)
        behind = len(field) - ahead - level
        worth = Fraction(rule["attendance_points"])
        if rule["value"] == "beaten":
            worth += Fraction(behind, max(1, behind + ahead + level - 1))
        elif rule["value"] == "place_points":
            ladder = rule["place_points"] + [0] * (len(field) + 1)
            used = ladder[ahead : ahead + level] if rule["shared_places"] == "split" else [ladder[ahead]]
            worth += Fraction(sum(used), len(used))
        else:
            worth += 1 if rule["value"] == "one" else mine[0][rule["value"]]
        lines[number] = mine[0] | {"value": worth, "won": ahead == 0}
    return lines


def is_better(
    rule: dict[str, Any], found: dict[str, Any], sheets: dict[str, Any], held: int, one: str, other: str
) -> bool:
    """Compare two players by their values, then by one criterion after the other."""
    if found[one]["value"] != found[other]["value"]:
        return bool(found[one]["value"] > found[other]["value"])
    mine, theirs = sheets[one], sheets[other]
    for tie in rule["ties"]:
        if tie == "best_evening":
            pair = [max(line["value"] for line in sheet.values()) for sheet in (mine, theirs)]
        elif tie == "wins":
            pair = [sum(line["won"] for line in sheet.values()) for sheet in (mine, theirs)]
        elif tie == "evenings":
            pair = [len(mine), len(theirs)]
        elif tie == "last_evening":
            was_there = [held - 1 in sheet for sheet in (mine, theirs)]
            both = all(was_there)
            pair = [sheet[held - 1]["value"] for sheet in (mine, theirs)] if both else list(was_there)
        elif tie == "lot":
            continue
        else:
            pair = [sum(line[tie] for line in sheet.values()) for sheet in (mine, theirs)]
        if pair[0] != pair[1]:
            return bool(pair[0] > pair[1])
    return False
