"""Evenings of `prize_evenings` with cash desks, payouts, and a sheet that was corrected after those; worked out once more.

Nothing of the program is used here. Prizes are given by the standings before the correction; who has too much, and what
every desk must contain, is counted line by line.
"""

from copy import deepcopy
from random import Random
from typing import Any

from tests.scoring.core.prize_evenings import evening as prize_evening
from tests.scoring.core.prize_evenings import prizes_of

DESKS = ("", "Kasse 1", "Kasse 2")
Slot = tuple[str, int]


# --- generating ----------------------------------------------------------------------------------------------------


def evening(number: int) -> dict[str, Any]:
    """Return an evening as it is in the end, with the lines of its desks and the handouts in the order of writing."""
    chance = Random(f"cash {number}")
    before = prize_evening(number)
    for person in before["people"]:
        person["desks"] = [chance.choice(DESKS) for _payment in person["payments"]]
    found = deepcopy(before)
    found["lines"] = [line(chance) for _ in range(chance.choice((0, 1, 3, 8)))]
    found["handouts"] = handouts(chance, before)
    book(chance, found)
    found["lines"] += [
        {"desk": desk, "kind": "count", "cents": chance.choice((0, 4999, 15_000)), "to": None}
        for desk in DESKS
        if chance.random() < 0.4
    ]
    if chance.random() < 0.7:
        correct(chance, found)
    return found


def line(chance: Random) -> dict[str, Any]:
    kind = chance.choice(("float", "in", "out", "transfer", "count"))
    desk, to = chance.sample(DESKS, 2)
    cents = chance.choice((50, 350, 5000))
    return {"desk": desk, "kind": kind, "cents": cents, "to": to if kind == "transfer" else None}


def handouts(chance: Random, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was given by these standings: not all of it, some twice asked for, some brought back."""
    facts = []
    for row in prizes_of(found):
        free = list(row["things"]) if row["open"] else []
        for player in row["start_numbers"]:
            if chance.random() < 0.2:
                facts.append(fact(row, player, "absent"))
            if chance.random() < 0.3:
                continue
            things = [] if row["open"] else list(row["things"])
            if free and chance.random() < 0.6:
                things.append(free.pop())
            if row["cents"] or things:
                facts.append(fact(row, player, "given", row["cents"], things))
                if chance.random() < 0.1:
                    facts.append(fact(row, player, "back", row["cents"], things))
    return facts


def fact(
    row: dict[str, Any], player: int, kind: str, cents: int = 0, things: list[str] | None = None
) -> dict[str, Any]:
    return {"prize": row["key"], "start_number": player, "kind": kind, "cents": cents, "things": things or []}


def book(chance: Random, found: dict[str, Any]) -> None:
    """Write the money of the handouts: a payout of the player, or a line of a desk; each is named by its number."""
    people = {person["start_number"]: person for person in found["people"]}
    for each in found["handouts"]:
        each["payment"] = each["cash"] = None
        desk = chance.choice(DESKS)
        if each["cents"] and each["kind"] == "given":
            person = people[each["start_number"]]
            each["payment"] = len(person["payments"])
            person["payments"].append(("payout", each["cents"]))
            person["desks"].append(desk)
        if each["cents"] and each["kind"] == "back":
            each["cash"] = len(found["lines"])
            found["lines"].append({"desk": desk, "kind": "back", "cents": each["cents"], "to": None})


def correct(chance: Random, found: dict[str, Any]) -> None:
    """Swap the results of two players at one table, or exclude a player, after the prizes were given."""
    table = chance.choice(found["rounds"][-1])
    one, other = chance.sample(table, 2)
    one["start_number"], other["start_number"] = other["start_number"], one["start_number"]
    if chance.random() < 0.2:
        chance.choice(found["people"])["excluded"] = True


# --- working out ---------------------------------------------------------------------------------------------------


def figures_of(found: dict[str, Any]) -> dict[str, dict[str, int | None]]:
    """Return the figures of every desk that a payment or a line names."""
    payments = [
        (desk, kind, cents)
        for person in found["people"]
        for desk, (kind, cents) in zip(person["desks"], person["payments"], strict=True)
    ]
    lines = found["lines"]
    named = {desk for desk, _kind, _cents in payments} | {each["desk"] for each in lines}
    named |= {each["to"] for each in lines if each["to"] is not None}
    return {desk: figures_of_desk(desk, payments, lines) for desk in named}


def figures_of_desk(
    desk: str, payments: list[tuple[str, str, int]], lines: list[dict[str, Any]]
) -> dict[str, int | None]:
    own = [each for each in lines if each["desk"] == desk]
    found: dict[str, int | None] = {"float": 0, "fees": 0, "refunds": 0, "in": 0, "out": 0, "payouts": 0}
    inside, counted = 0, None
    for at, kind, cents in payments:
        if at == desk:
            column = {"fee": "fees", "refund": "refunds", "payout": "payouts"}[kind]
            found[column] = (found[column] or 0) + cents
            inside += cents if kind == "fee" else -cents
    for each in lines:
        if each["to"] == desk:
            found["in"] = (found["in"] or 0) + each["cents"]
            inside += each["cents"]
    for each in own:
        column = "out" if each["kind"] == "transfer" else each["kind"]
        if column == "count":
            counted = each["cents"]
            continue
        if column == "back":
            found["payouts"] = (found["payouts"] or 0) - each["cents"]
            inside += each["cents"]
            continue
        found[column] = (found[column] or 0) + each["cents"]
        inside += -each["cents"] if column == "out" else each["cents"]
    difference = None if counted is None else counted - inside
    return found | {"expected": inside, "counted": counted, "difference": difference}


def open_of(found: dict[str, Any]) -> dict[Slot, tuple[int, list[str], int, list[str]]]:
    """Return the money and things that a player still gets, and those that they had too much, where there are any."""
    had: dict[Slot, tuple[int, list[str]]] = {}
    for each in found["handouts"]:
        slot = (each["prize"], each["start_number"])
        cents, things = had.get(slot, (0, []))
        if each["kind"] == "given":
            had[slot] = (cents + each["cents"], [*things, *each["things"]])
        if each["kind"] == "back":
            had[slot] = (cents - each["cents"], less(things, each["things"]))
    result = {}
    for row in prizes_of(found):
        free = list(row["things"])
        for player in row["start_numbers"]:
            slot = (row["key"], player)
            cents, things = had.pop(slot, (0, []))
            due = list(row["things"])
            if row["open"]:
                due = less(free, less(free, things))
                free = less(free, due)
            result[slot] = (
                max(0, row["cents"] - cents),
                sorted(less(due, things)),
                max(0, cents - row["cents"]),
                sorted(less(things, due)),
            )
    result |= {slot: (0, [], cents, sorted(things)) for slot, (cents, things) in had.items()}
    return {slot: left for slot, left in result.items() if any(left)}


def less(things: list[str], taken: list[str]) -> list[str]:
    left = list(things)
    for thing in taken:
        if thing in left:
            left.remove(thing)
    return left
