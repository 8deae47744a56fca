"""The prizes that a plan gives, and the properties of dividing them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.core import prizes as core
from scoring.core.prize_outlook import PlannedPrize, outlook
from scoring.core.prize_plan import LOWEST_RANK, Prize, PrizeKind, PrizePlan
from scoring.core.prizes import Contender, PrizeList, money_of
from scoring.core.ranking import competition_ranks

SEED = "5c" * 32
EXAMPLE = PrizePlan.from_dict(
    {
        "costs_cents": 2500,
        "rounding_cents": 50,
        "rest": "first",
        "prizes": [
            {"for": "rank", "from": 1, "to": 1, "share": 50},
            {"for": "rank", "from": 2, "to": 3, "cents": 1500},
            {"for": "rank", "from": 4, "to": 4, "thing": "Schinken"},
            {"for": "strokes", "cents": 500},
            {"for": "last", "thing": "Trostpreis"},
            {"for": "lot", "count": 2, "cents": 300},
        ],
    }
)


def players(*ranks: int, strokes: Sequence[int] = ()) -> list[Contender]:
    """Return players 1, 2, ... with these ranks."""
    return [
        Contender(number, rank, dict(enumerate(strokes, start=1)).get(number, 0))
        for number, rank in enumerate(ranks, start=1)
    ]


def plan(*prizes: dict[str, Any], **rules: Any) -> PrizePlan:
    return PrizePlan.from_dict({"prizes": list(prizes), **rules})


def given_to(prizes: PrizeList) -> list[tuple[str, int | None, tuple[int, ...], int, tuple[str, ...]]]:
    return [(row.kind, row.rank, row.start_numbers, row.cents, row.things) for row in prizes.rows]


def work_out(plan: PrizePlan, *, taken_cents: int, contenders: list[Contender]) -> PrizeList:
    return core.work_out(plan, taken_cents=taken_cents, contenders=contenders, seed=SEED)


# --- by example ----------------------------------------------------------------------------------------------------


def test_an_evening_of_47_players() -> None:
    """141.00 less 25.00 is 116.00; less 41.00 in amounts leaves 75.00, and half of it is 37.50."""
    found = work_out(
        EXAMPLE,
        taken_cents=14100,
        contenders=players(*range(1, 48), strokes=[0, 0, 0, 0, 7]),
    )
    lot = found.rows[-1]
    assert given_to(found)[:-1] == [
        ("rank", 1, (1,), 3750, ()),
        ("rank", 2, (2,), 1500, ()),
        ("rank", 3, (3,), 1500, ()),
        ("rank", 4, (4,), 0, ("Schinken",)),
        ("strokes", None, (5,), 500, ()),
        ("last", None, (47,), 0, ("Trostpreis",)),
    ]
    assert (lot.kind, lot.cents, len(lot.start_numbers)) == ("lot", 300, 2)
    assert not {1, 2, 3, 4, 5, 47} & set(lot.start_numbers)
    assert (found.given_cents, found.kept_cents, found.short_cents) == (7850, 3750, 0)


def test_half_third_and_sixth_of_36_euros() -> None:
    shares = [
        {"for": "rank", "from": rank, "to": rank, "share": share}
        for rank, share in ((1, "1/2"), (2, "1/3"), (3, "1/6"))
    ]
    for rounding in (1, 50, 100):
        found = plan(*shares, rounding_cents=rounding, rest="first")
        assert money_of(found, 3600).by_rank == {1: 1800, 2: 1200, 3: 600}
        assert money_of(found, 3601).by_rank == {1: 1801, 2: 1200, 3: 600}


def test_a_fraction_for_several_ranks_is_for_each_of_them() -> None:
    found = plan({"for": "rank", "from": 1, "to": 3, "share": "1/3"})
    assert money_of(found, 1000).by_rank == {1: 333, 2: 333, 3: 333}


EVERY_THIRD = plan(
    *(
        {"for": "rank", "from": rank, "to": rank, "share": share}
        for rank, share in ((1, 50), (2, 30), (3, 20))
    ),
    {"for": "rank", "from": 4, "to": LOWEST_RANK, "cents": 300},
    {"for": "last", "thing": "Trostpreis"},
    every_third=True,
)


@pytest.mark.parametrize(
    ("count", "ranks"), [(1, 1), (5, 1), (6, 2), (11, 3), (12, 4), (14, 4), (15, 5), (47, 15), (9000, 1000)]
)
def test_every_third_player_wins(count: int, ranks: int) -> None:
    in_force = EVERY_THIRD.for_players(count)
    assert in_force.lowest_rank == ranks
    assert [prize.kind for prize in in_force.for_others] == ["last"]
    assert sorted(money_of(in_force, 300 * count).by_rank) == list(range(1, ranks + 1))
    assert (
        sum(prize.number for prize in outlook(EVERY_THIRD, taken_cents=0, players=count).prizes) <= ranks + 1
    )


def test_without_every_third_an_open_end_is_for_all_who_play() -> None:
    open_end = plan({"for": "rank", "from": 2, "to": LOWEST_RANK, "cents": 100})
    assert open_end.for_players(10).lowest_rank == 10
    assert open_end.for_players(1).prizes == ()
    fixed = plan({"for": "rank", "from": 1, "to": 20, "cents": 100})
    assert fixed.for_players(10) is fixed


def test_the_rest_of_the_shares_goes_to_rank_1_or_to_the_club() -> None:
    """Shares of 101.01: 50.505, 33.3333 and 17.1717; rounded 50.50, 33.00 and 17.00; 0.51 is left over."""
    shares = [
        {"for": "rank", "from": rank, "to": rank, "share": share}
        for rank, share in ((1, 50), (2, 33), (3, 17))
    ]
    first = work_out(
        plan(*shares, rounding_cents=50, rest="first"), taken_cents=10101, contenders=players(1, 2, 3)
    )
    club = work_out(
        plan(*shares, rounding_cents=50, rest="club"), taken_cents=10101, contenders=players(1, 2, 3)
    )
    assert [row.cents for row in first.rows] == [5101, 3300, 1700]
    assert [row.cents for row in club.rows] == [5050, 3300, 1700]
    assert (first.kept_cents, club.kept_cents) == (0, 51)


def test_the_rest_stays_with_the_club_where_rank_1_gets_a_thing() -> None:
    found = work_out(
        plan(
            {"for": "rank", "from": 1, "to": 1, "thing": "Pokal"},
            {"for": "rank", "from": 2, "to": 2, "share": 33},
            rounding_cents=100,
            rest="first",
        ),
        taken_cents=1000,
        contenders=players(1, 2),
    )
    assert given_to(found) == [("rank", 1, (1,), 0, ("Pokal",)), ("rank", 2, (2,), 300, ())]
    assert found.kept_cents == 700


def test_a_shared_rank_puts_the_prizes_together_and_leaves_things_open() -> None:
    found = work_out(EXAMPLE, taken_cents=14100, contenders=players(1, 2, 3, 3, 5))
    (tied,) = [row for row in found.rows if row.rank == 3]
    assert (tied.start_numbers, tied.cents, tied.things, tied.is_open) == ((3, 4), 750, ("Schinken",), True)
    decided = work_out(EXAMPLE, taken_cents=14100, contenders=players(1, 2, 3, 4, 5))
    assert not any(row.is_open for row in decided.rows)


def test_money_that_is_divided_is_rounded_down_for_the_club() -> None:
    found = work_out(
        plan({"for": "rank", "from": 1, "to": 2, "cents": 1000}, rounding_cents=100),
        taken_cents=3000,
        contenders=players(1, 1, 1),
    )
    assert given_to(found) == [("rank", 1, (1, 2, 3), 600, ())]
    assert found.kept_cents == 1200


def test_who_went_home_gets_a_prize_unless_the_plan_says_otherwise() -> None:
    gone = [replace(player, has_gone=player.start_number == 2) for player in players(1, 2, 2, 4)]
    prizes = {"for": "rank", "from": 1, "to": 3, "cents": 1000}
    everybody = work_out(plan(prizes), taken_cents=9000, contenders=gone)
    present = work_out(plan(prizes, present_only=True), taken_cents=9000, contenders=gone)
    assert given_to(everybody)[1] == ("rank", 2, (2, 3), 1000, ())
    assert given_to(present)[1] == ("rank", 2, (3,), 1000, ())
    assert (everybody.kept_cents, present.kept_cents) == (6000, 7000)


def test_one_prize_each_gives_the_others_to_players_without_one() -> None:
    prizes = (
        {"for": "rank", "from": 1, "to": 1, "cents": 1000},
        {"for": "strokes", "cents": 500},
        {"for": "last", "cents": 100},
    )
    several = work_out(plan(*prizes), taken_cents=9000, contenders=players(1, 2, strokes=[4, 3]))
    one_each = work_out(
        plan(*prizes, one_each=True), taken_cents=9000, contenders=players(1, 2, strokes=[4, 3])
    )
    assert [row.start_numbers for row in several.rows] == [(1,), (1,), (2,)]
    assert [row.start_numbers for row in one_each.rows] == [(1,), (2,)]


def test_most_strokes_are_at_least_one() -> None:
    assert work_out(plan({"for": "strokes", "cents": 5}), taken_cents=9, contenders=players(1, 2)).rows == ()


def test_the_best_of_a_kind_of_fee_and_of_a_club() -> None:
    found = work_out(
        plan(
            {"for": "fee", "fee": "reduced", "cents": 200},
            {"for": "club", "club": "SV Hof", "thing": "Pokal"},
        ),
        taken_cents=9000,
        contenders=[
            Contender(1, 1, 0, fee="full", club="TSV Au"),
            Contender(2, 2, 0, fee="reduced", club="sv  hof"),
            Contender(3, 3, 0, fee="reduced", club="SV Hof"),
        ],
    )
    assert given_to(found) == [("fee", None, (2,), 200, ()), ("club", None, (2,), 0, ("Pokal",))]


def test_a_lot_gives_each_of_those_who_are_drawn_the_same() -> None:
    found = work_out(
        plan({"for": "lot", "count": 2, "cents": 300, "thing": "Wurst"}),
        taken_cents=1000,
        contenders=players(1, 2, 3),
    )
    (row,) = found.rows
    assert (len(row.start_numbers), row.cents, row.things, row.is_open) == (2, 300, ("Wurst",), False)
    assert found.given_cents == 600


def test_a_second_lot_is_drawn_among_those_whom_the_first_left_out() -> None:
    lot = {"for": "lot", "count": 2, "cents": 300}
    found = work_out(plan(lot, lot), taken_cents=5000, contenders=players(1, 2, 3))
    first, second = (row.start_numbers for row in found.rows)
    assert sorted((*first, *second)) == [1, 2, 3]


def test_a_plan_above_the_pot_says_what_is_missing() -> None:
    found = work_out(
        plan({"for": "rank", "from": 1, "to": 1, "cents": 5000}, {"for": "last", "share": 50}),
        taken_cents=3000,
        contenders=players(1, 2),
    )
    assert (found.given_cents, found.kept_cents, found.short_cents) == (5000, 0, 2000)


# --- the outlook ---------------------------------------------------------------------------------------------------


def test_the_outlook_names_alike_ranks_together_and_leaves_out_those_that_nobody_reaches() -> None:
    found = outlook(EXAMPLE, taken_cents=14100, players=3)
    assert found.prizes == (
        PlannedPrize("rank", 3750, "", 1, first=1, last=1),
        PlannedPrize("rank", 1500, "", 2, first=2, last=3),
        PlannedPrize("strokes", 500, "", 1),
        PlannedPrize("last", 0, "Trostpreis", 1),
        PlannedPrize("lot", 300, "", 2),
    )
    assert (found.pot_cents, found.given_cents, found.kept_cents) == (11600, 7850, 3750)


@given(st.integers(0, 30_000))
def test_the_outlook_is_what_is_given_where_nobody_is_tied(taken: int) -> None:
    foreseen = outlook(EXAMPLE, taken_cents=taken, players=30)
    found = work_out(EXAMPLE, taken_cents=taken, contenders=players(*range(1, 31), strokes=range(30)))
    assert (foreseen.given_cents, foreseen.kept_cents, foreseen.short_cents) == (
        found.given_cents,
        found.kept_cents,
        found.short_cents,
    )


# --- properties ----------------------------------------------------------------------------------------------------


@st.composite
def plans(draw: st.DrawFn) -> PrizePlan:
    step = draw(st.sampled_from((1, 50, 100, 500)))
    prizes, rank, percent = [], 1, 100
    for _ in range(draw(st.integers(0, 6))):
        last = rank + draw(st.integers(0, 3))
        number = last - rank + 1
        share = draw(st.integers(0, percent // number))
        cents = 0 if share else step * draw(st.integers(1, 40))
        thing = draw(st.sampled_from(("", "", "Schinken")))
        prizes.append(Prize(kind="rank", first=rank, last=last, thing=thing, cents=cents, share=share))
        percent -= share * number
        rank = last + draw(st.integers(1, 2))
    specials: tuple[PrizeKind, ...] = ("strokes", "last", "lot", "fee", "club")
    kinds = draw(st.lists(st.sampled_from(specials), max_size=4))
    prizes += [Prize(kind=kind, cents=500, of="a", count=2 if kind == "lot" else 1) for kind in kinds]
    return PrizePlan(
        prizes=tuple(prizes),
        costs_cents=draw(st.sampled_from((0, 2500))),
        rounding_cents=step,
        rest=draw(st.sampled_from(("first", "club"))),
        one_each=draw(st.booleans()),
        present_only=draw(st.booleans()),
    )


@st.composite
def evenings(draw: st.DrawFn) -> list[Contender]:
    points = draw(st.lists(st.integers(0, 8), min_size=1, max_size=20))
    return [
        Contender(
            number,
            rank,
            strokes=draw(st.integers(0, 2)),
            has_gone=draw(st.booleans()),
            fee=draw(st.sampled_from("ab")),
            club=draw(st.sampled_from("ab")),
        )
        for number, rank in enumerate(competition_ranks(points), start=1)
    ]


@given(plans(), st.integers(0, 20_000), evenings())
def test_what_is_given_and_what_the_club_keeps_add_up_to_the_pot(
    plan: PrizePlan, taken: int, contenders: list[Contender]
) -> None:
    found = work_out(plan, taken_cents=taken, contenders=contenders)
    by_hand = sum(row.cents * len(row.start_numbers) for row in found.rows)
    assert by_hand == found.given_cents
    assert found.given_cents + found.kept_cents - found.short_cents == found.pot_cents
    assert 0 in (found.kept_cents, found.short_cents)


@given(plans(), st.integers(0, 20_000), evenings())
def test_shares_alone_never_give_away_more_than_there_is(
    plan: PrizePlan, taken: int, contenders: list[Contender]
) -> None:
    shares = replace(plan, prizes=tuple(prize for prize in plan.prizes if not prize.cents))
    assert work_out(shares, taken_cents=taken, contenders=contenders).short_cents == 0


@given(plans(), st.integers(0, 20_000), evenings())
def test_a_better_rank_never_gets_less_money_where_the_plan_falls(
    plan: PrizePlan, taken: int, contenders: list[Contender]
) -> None:
    """The amounts of the plan are multiples of its rounding here; others could be overtaken by it."""
    by_rank = money_of(plan, max(0, taken - plan.costs_cents)).by_rank
    planned = [by_rank.get(rank, 0) for rank in range(1, 25)]
    assume(planned == sorted(planned, reverse=True))
    found = work_out(plan, taken_cents=taken, contenders=contenders)
    money = {row.rank: row.cents for row in found.rows if row.kind == "rank"}
    might = {player.rank for player in contenders if not (plan.present_only and player.has_gone)}
    falling = [money.get(rank, 0) for rank in sorted(might)]
    assert falling == sorted(falling, reverse=True)


@given(plans(), st.integers(0, 20_000), evenings(), st.data())
def test_no_rank_gets_more_because_a_player_may_not_have_their_prize(
    plan: PrizePlan, taken: int, contenders: list[Contender], data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(contenders))
    others = [replace(player, has_gone=player.has_gone or player == gone) for player in contenders]
    strict = replace(plan, present_only=True)

    def money(who: list[Contender]) -> dict[int, int]:
        rows = work_out(strict, taken_cents=taken, contenders=who).rows
        return {number: row.cents for row in rows if row.kind == "rank" for number in row.start_numbers}

    before, after = money(contenders), money(others)
    assert after == {number: cents for number, cents in before.items() if number != gone.start_number}


@given(plans(), evenings())
def test_one_prize_each_is_one_prize_each(plan: PrizePlan, contenders: list[Contender]) -> None:
    found = work_out(replace(plan, one_each=True), taken_cents=9000, contenders=contenders)
    winners = [number for row in found.rows for number in row.start_numbers]
    assert len(winners) == len(set(winners))


@pytest.mark.parametrize("rounding", [0, 1])
def test_no_rounding_is_rounding_to_the_cent(rounding: int) -> None:
    third = plan({"for": "rank", "from": 1, "to": 1, "share": 33}, rounding_cents=rounding)
    assert work_out(third, taken_cents=101, contenders=players(1)).given_cents == 33
