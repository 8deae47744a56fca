"""The prizes of 2,000 evenings, and what was given of them: the same as `prize_evenings` and `cash_evenings`, to the cent."""

from collections import Counter
from typing import Any

from scoring.core.prize_giving import Handout, PrizeGiving, prize_giving
from scoring.core.prize_plan import PrizePlan
from scoring.core.prizes import Contender, PrizeList, PrizeRow, work_out
from scoring.core.ranking import Score, standings
from tests.scoring.core import cash_evenings, prize_evenings
from tournaments.rulesets.loader import preset

EVENINGS = 2000
RULES = preset("schnauz-placing")


def worked_out(evening: dict[str, Any]) -> PrizeList:
    people = {each["start_number"]: each for each in evening["people"] if not each["excluded"]}
    scores = [
        Score(seat["start_number"], number, prize_evenings.POINTS[seat["rank"] - 1], seat["strokes"])
        for number, tables in enumerate(evening["rounds"], start=1)
        for table in tables
        for seat in table
    ]
    decisions = [decision["order"] for decision in evening["decisions"] if not decision["revoked"]]
    rows = standings(people, scores, rounds=len(evening["rounds"]), ruleset=RULES, decisions=decisions)
    contenders = [
        Contender(
            row.start_number,
            row.rank,
            row.strokes,
            has_gone=people[row.start_number]["withdrawn"],
            fee=people[row.start_number]["fee"],
            club=people[row.start_number]["club"],
        )
        for row in rows
    ]
    sign = {"fee": 1, "refund": -1, "payout": 0}
    taken = sum(sign[kind] * cents for each in evening["people"] for kind, cents in each["payments"])
    plan = PrizePlan.from_dict(evening["plan"])
    return work_out(plan, taken_cents=taken, contenders=contenders, seed=evening["seed"])


def as_printed(row: PrizeRow) -> dict[str, Any]:
    return {
        "for": row.kind,
        "rank": row.rank,
        "start_numbers": list(row.start_numbers),
        "cents": row.cents,
        "things": list(row.things),
        "open": row.is_open,
        "key": row.key,
    }


def test_the_prizes_of_2000_evenings_are_the_same_to_the_cent() -> None:
    seen: Counter[str] = Counter()
    for number in range(EVENINGS):
        evening = prize_evenings.evening(number)
        prizes = worked_out(evening)
        expected = prize_evenings.prizes_of(evening)
        assert [as_printed(row) for row in prizes.rows] == expected, f"evening {number}"
        given = sum(row["cents"] * len(row["start_numbers"]) for row in expected)
        assert prizes.pot_cents == prize_evenings.pot(evening)
        assert given + prizes.kept_cents - prizes.short_cents == prizes.pot_cents
        seen.update(row["for"] for row in expected)
        seen.update(open=sum(row["open"] for row in expected), short=bool(prizes.short_cents))
        seen.update(shared=sum(row["rank"] is not None and len(row["start_numbers"]) > 1 for row in expected))
    assert min(seen.values()) > 100, seen


def left_open(giving: PrizeGiving) -> dict[tuple[str, int], tuple[int, list[str], int, list[str]]]:
    found = {
        (award.prize, award.start_number): (
            award.rest_cents,
            sorted(award.rest_things),
            award.over_cents,
            sorted(award.over_things),
        )
        for award in giving.awards
    }
    return {slot: left for slot, left in found.items() if any(left)}


def test_what_is_left_of_2000_corrected_evenings_is_the_same_to_the_cent() -> None:
    seen: Counter[str] = Counter()
    for number in range(EVENINGS):
        evening = cash_evenings.evening(number)
        facts = [
            Handout(each["prize"], each["start_number"], each["kind"], each["cents"], tuple(each["things"]))
            for each in evening["handouts"]
        ]
        giving = prize_giving(worked_out(evening), facts)
        expected = cash_evenings.open_of(evening)
        assert left_open(giving) == expected, f"evening {number}"
        given = sum(each["cents"] for each in evening["handouts"] if each["kind"] == "given")
        back = sum(each["cents"] for each in evening["handouts"] if each["kind"] == "back")
        assert giving.paid_cents == given - back
        seen.update(over=bool(giving.over), strays=bool(giving.strays), back=bool(back), done=not expected)
    assert min(seen.values()) > 50, seen
