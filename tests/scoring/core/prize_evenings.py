"""Evenings with a prize plan, generated from a number, and their prizes, worked out once more.

Nothing of the program is used here. An evening is made of the texts and numbers of a tournament document; its prizes
are rows as `manage.py prizes` prints them, with True or False under "open" and the key of the prize under "key", worked out
with fractions, rank by rank.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from random import Random
from typing import Any

Row = dict[str, Any]
HEAD_COUNTS = (5, 6, 10, 11, 12, 15, 16, 17, 18, 20, 25, 30, 47)
UNSEATABLE = (1, 2, 3, 4, 7, 8, 9, 13, 14, 19)
POINTS = (6, 4, 3, 2, 1, 1)
THINGS = ("Schinken", "Spanferkel", "Wurst", "Pokal", "Trostpreis")
CLUBS = ("", "", "SV Hof", "TSV Au", "KC Bach")


# --- generating ----------------------------------------------------------------------------------------------------


def evening(number: int) -> dict[str, Any]:
    """Return people, the tables of each round, decisions, plan and seed."""
    chance = Random(number)
    count = chance.choice(HEAD_COUNTS)
    people = [person(chance, start_number) for start_number in range(1, count + 1)]
    seated = [each["start_number"] for each in people]
    rounds = [tables(chance, seated) for _ in range(chance.choice((1, 1, 2, 3)))]
    late = range(count + 1, count + 1 + chance.choice((0, 0, 1, 2)))
    people += [person(chance, start_number) | {"withdrawn": False} for start_number in late]
    found: dict[str, Any] = {"people": people, "rounds": rounds, "decisions": [], "plan": plan(chance, count)}
    for tied in shared_ranks(found):
        if chance.random() < 0.3:
            order = chance.sample(tied, len(tied))
            found["decisions"].append({"order": order, "revoked": chance.random() < 0.2})
    found["seed"] = sha256(str(number).encode()).hexdigest()
    return found


def person(chance: Random, start_number: int) -> dict[str, Any]:
    fee = chance.choice(("full", "full", "reduced", "free"))
    cents = {"full": 300, "reduced": 150, "free": 0}[fee]
    payments = [("fee", cents)] if cents and chance.random() < 0.9 else []
    if payments and chance.random() < 0.1:
        payments = [("fee", 50), ("fee", cents - 50), ("refund", cents - 50)]
    if chance.random() < 0.05:
        payments.append(("payout", 700))
    return {
        "start_number": start_number,
        "club": chance.choice(CLUBS),
        "fee": fee,
        "payments": payments,
        "withdrawn": chance.random() < 0.15,
        "excluded": chance.random() < 0.05,
    }


def tables(chance: Random, seated: Sequence[int]) -> list[list[dict[str, int]]]:
    """Return tables of five and six; each player with the rank there and the strokes."""
    rest = chance.sample(seated, len(seated))
    found = []
    while rest:
        size = next(size for size in (5, 6) if len(rest) - size not in UNSEATABLE)
        at_table, rest = rest[:size], rest[size:]
        ranks = [1]
        while len(ranks) < size:
            alike = min(chance.choice((1, 1, 1, 2, 3)), size - len(ranks))
            ranks += [len(ranks) + 1] * alike
        found.append(
            [
                {"start_number": player, "rank": rank, "strokes": chance.choice((0, 0, 0, 1, 2))}
                for player, rank in zip(at_table, ranks, strict=True)
            ]
        )
    return found


def plan(chance: Random, count: int) -> dict[str, Any]:
    prizes: list[dict[str, Any]] = []
    rank, percent = 1, Fraction(100)
    while rank <= count + 2 and len(prizes) < 6 and chance.random() < 0.85:
        to = rank + chance.choice((0, 0, 0, 1, 2, count // 3))
        prize: dict[str, Any] = {"for": "rank", "from": rank, "to": to}
        share = chance.choice((5, 10, 17, 33, 50, "1/3", "1/6"))
        gives = chance.choice(("cents", "share", "thing", "nothing", "both"))
        if gives == "share" and per_cent(share) * (to - rank + 1) <= percent:
            prize["share"] = share
            percent -= per_cent(share) * (to - rank + 1)
        elif gives in ("cents", "share"):
            prize["cents"] = chance.choice((150, 333, 500, 1000, 2500))
        if gives in ("thing", "both"):
            prize["thing"] = chance.choice(THINGS)
        if gives == "both":
            prize["cents"] = 777
        if gives != "nothing":
            prizes.append(prize)
        rank = to + 1
    for _ in range(chance.choice((0, 1, 2, 3, 4))):
        prizes.append(special(chance, percent))
        percent -= per_cent(prizes[-1].get("share", 0)) * prizes[-1].get("count", 1)
    chance.shuffle(prizes)
    return {
        "costs_cents": chance.choice((0, 0, 2500, 1999, 100_000)),
        "rounding_cents": chance.choice((1, 10, 50, 100, 500)),
        "rest": chance.choice(("first", "club")),
        "one_each": chance.random() < 0.5,
        "present_only": chance.random() < 0.5,
        "prizes": prizes,
    }


def per_cent(share: int | str) -> Fraction:
    """Return a share per cent, of 50 as of "1/3"."""
    return Fraction(share) * 100 if isinstance(share, str) else Fraction(share)


def special(chance: Random, percent: Fraction) -> dict[str, Any]:
    kind = chance.choice(("strokes", "last", "lot", "fee", "club"))
    prize: dict[str, Any] = {"for": kind}
    if kind == "lot":
        prize["count"] = chance.choice((1, 2, 5, 100))
    if kind == "fee":
        prize["fee"] = chance.choice(("full", "reduced", "free", "nobody"))
    if kind == "club":
        prize["club"] = chance.choice(("SV Hof", "tsv au", "KC Bach", "Nobody"))
    gives = chance.choice(("cents", "thing", "share"))
    if gives == "share" and 3 * prize.get("count", 1) <= percent:
        return prize | {"share": 3}
    return prize | ({"thing": chance.choice(THINGS)} if gives == "thing" else {"cents": 500})


# --- working out ---------------------------------------------------------------------------------------------------


def totals_of(found: dict[str, Any]) -> dict[int, tuple[int, int]]:
    """Return points and strokes of everybody over all rounds."""
    totals = {each["start_number"]: (0, 0) for each in found["people"]}
    for seat in (seat for each in found["rounds"] for table in each for seat in table):
        points, strokes = totals[seat["start_number"]]
        totals[seat["start_number"]] = points + POINTS[seat["rank"] - 1], strokes + seat["strokes"]
    return totals


def ranked(found: dict[str, Any]) -> dict[int, int]:
    """Return the rank of each player who is not excluded; decisions separate players who are equal."""
    everybody = totals_of(found)
    totals = {
        each["start_number"]: everybody[each["start_number"]]
        for each in found["people"]
        if not each["excluded"]
    }
    falling = sorted(totals.values(), reverse=True)
    ranks = {}
    for player, mine in totals.items():
        better = falling.index(mine)
        equal = [other for other in totals if totals[other] == mine]
        for decision in found["decisions"]:
            if not decision["revoked"] and set(equal) <= set(decision["order"]):
                order = [other for other in decision["order"] if other in equal]
                ranks[player] = better + 1 + order.index(player)
        ranks.setdefault(player, better + 1)
    return ranks


def shared_ranks(found: dict[str, Any]) -> list[list[int]]:
    """Return the players of each shared rank who have played."""
    ranks = ranked(found)
    sat = {seat["start_number"] for table in found["rounds"][0] for seat in table}
    groups = [
        [player for player in ranks if ranks[player] == rank and player in sat]
        for rank in sorted(set(ranks.values()))
    ]
    whole = [group for group in groups if len(group) > 1]
    return [group for group in whole if len(group) == list(ranks.values()).count(ranks[group[0]])]


def pot(found: dict[str, Any]) -> int:
    payments = [payment for each in found["people"] for payment in each["payments"]]
    taken = sum(cents for kind, cents in payments if kind == "fee")
    returned = sum(cents for kind, cents in payments if kind == "refund")
    return max(0, int(taken - returned - found["plan"]["costs_cents"]))


def down(amount: Fraction, step: int) -> int:
    """Return the greatest multiple of `step` that is not above the amount."""
    return int(amount / step) * step


def times(prize: dict[str, Any]) -> int:
    return int(prize["to"] - prize["from"] + 1 if prize["for"] == "rank" else prize.get("count", 1))


def amounts(found: dict[str, Any]) -> list[int]:
    """Return the money of each prize of the plan, without the rest that may go to rank 1."""
    step, prizes = found["plan"]["rounding_cents"], found["plan"]["prizes"]
    left = max(0, pot(found) - sum(prize.get("cents", 0) * times(prize) for prize in prizes))
    shares = [left * per_cent(prize.get("share", 0)) / 100 for prize in prizes]
    return [prize.get("cents", 0) or down(share, step) for prize, share in zip(prizes, shares, strict=True)]


def rest_of_shares(found: dict[str, Any]) -> int:
    prizes = found["plan"]["prizes"]
    left = max(0, pot(found) - sum(prize.get("cents", 0) * times(prize) for prize in prizes))
    together = sum(left * per_cent(prize.get("share", 0)) * times(prize) / 100 for prize in prizes)
    each = zip(prizes, amounts(found), strict=True)
    return down(Fraction(together), 1) - sum(
        money * times(prize) for prize, money in each if "share" in prize
    )


def prizes_of(found: dict[str, Any]) -> list[Row]:
    """Return the rows: ranks first, then the others in the plan's order."""
    plan, ranks, each = found["plan"], ranked(found), amounts(found)
    money, things = {}, {}
    for prize, cents in zip(plan["prizes"], each, strict=True):
        if prize["for"] == "rank":
            for rank in range(prize["from"], prize["to"] + 1):
                if "cents" in prize or "share" in prize:
                    money[rank] = cents
                if "thing" in prize:
                    things[rank] = prize["thing"]
    if plan["rest"] == "first" and 1 in money:
        money[1] += rest_of_shares(found)
    gone = {each["start_number"] for each in found["people"] if each["withdrawn"] and plan["present_only"]}
    rows = [
        row
        for rank in sorted(set(ranks.values()))
        for row in of_rank(rank, [p for p in ranks if ranks[p] == rank], gone, money, things, plan)
    ]
    keys: list[str] = []
    for prize, cents in zip(plan["prizes"], each, strict=True):
        if prize["for"] != "rank":
            may = [player for player in ranks if player not in gone]
            keys.append(key_of(prize))
            number = "" if keys.count(keys[-1]) == 1 else f"#{keys.count(keys[-1])}"
            rows += [row | {"key": keys[-1] + number} for row in of_other(found, prize, cents, may, rows)]
    return rows


def key_of(prize: dict[str, Any]) -> str:
    kind = str(prize["for"])
    return f"{kind}:{prize[kind]}" if kind in prize else kind


def of_rank(
    rank: int,
    sharing: Sequence[int],
    gone: set[int],
    money: dict[int, int],
    things: dict[int, str],
    plan: dict[str, Any],
) -> Iterator[Row]:
    used = [rank + index for index in range(len(sharing))]
    put_together = sum(money.get(place, 0) for place in used)
    own = [things[place] for place in used if place in things]
    cents = put_together
    if len(sharing) > 1:
        cents = down(Fraction(put_together, len(sharing)), plan["rounding_cents"])
    getting = sorted(set(sharing) - gone)
    if getting and (cents or own):
        yield row_of("rank", rank, getting, cents, own, is_open=bool(own) and len(sharing) > 1)


def of_other(
    found: dict[str, Any], prize: dict[str, Any], cents: int, may: Sequence[int], rows: Sequence[Row]
) -> Iterator[Row]:
    kind, own = prize["for"], [prize["thing"]] if "thing" in prize else []
    have = {player for row in rows for player in row["start_numbers"]}
    if kind == "lot" or found["plan"]["one_each"]:
        may = [player for player in may if player not in have]
    getting = sorted(chosen(found, prize, may))
    if kind == "lot":
        if getting and (cents or own):
            yield row_of("lot", None, getting, cents, own, is_open=False)
        return
    if len(getting) > 1:
        cents = down(Fraction(cents, len(getting)), found["plan"]["rounding_cents"])
    if getting and (cents or own):
        yield row_of(kind, None, getting, cents, own, is_open=bool(own) and len(getting) > 1)


def chosen(found: dict[str, Any], prize: dict[str, Any], may: Sequence[int]) -> list[int]:
    ranks = ranked(found)
    people = {each["start_number"]: each for each in found["people"]}
    if prize["for"] == "lot":
        return lot(found["seed"], sorted(may))[: prize["count"]]
    if prize["for"] == "strokes":
        totals = totals_of(found)
        strokes = {player: totals[player][1] for player in may}
        return [player for player in may if strokes[player] == max(strokes.values()) and strokes[player] > 0]
    if prize["for"] == "last":
        return [player for player in may if ranks[player] == max(ranks[other] for other in may)]
    key = prize["for"]
    named = [player for player in may if people[player][key].lower() == prize[key].lower()]
    return [player for player in named if ranks[player] == min(ranks[other] for other in named)]


def lot(seed: str, players: list[int]) -> list[int]:
    """Shuffle from the back, with words of eight bytes of SHA-256 of the seed and a counter."""
    words = (
        int.from_bytes(sha256(bytes.fromhex(seed) + block.to_bytes(8, "big")).digest()[at : at + 8], "big")
        for block in range(10_000)
        for at in (0, 8, 16, 24)
    )
    for last in range(len(players) - 1, 0, -1):
        word = next(word for word in words if word < 2**64 - 2**64 % (last + 1))
        other = word % (last + 1)
        players[last], players[other] = players[other], players[last]
    return players


def row_of(
    kind: str, rank: int | None, getting: list[int], cents: int, things: list[str], *, is_open: bool
) -> Row:
    return {
        "for": kind,
        "rank": rank,
        "start_numbers": getting,
        "cents": cents,
        "things": things,
        "open": is_open,
        "key": kind,
    }
