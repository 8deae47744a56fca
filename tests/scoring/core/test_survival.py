"""Survival, read along the rule sheet `schnauz-placing` (RULES 1; SE = its Spielende, TA = its Turnierablauf)."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.sheet import SheetLog, append, empty
from scoring.core.survival import Survival
from tests.rulesets import sheet_as
from tests.scoring.core.playing_survival import ruleset_of, sensible_deal, spoilt_deal
from tests.scoring.core.vectors import Log, logs, seats_of, steps
from tests.scoring.core.writing import (
    SCHNAUZ_PLACING,
    Line,
    drowned,
    entry,
    feuer,
    handschnauz,
    knock,
    points,
    ranked,
    ranks,
    refused,
    schnauz,
    stroke,
    strokes,
    table_of,
    written,
)
from tournaments.core.refusal import Refusal
from tournaments.rulesets.sheets import SurvivalRules

SURVIVAL = sheet_as(SCHNAUZ_PLACING, SurvivalRules)
THE_WORKED_EXAMPLE = [
    *(knock(4), knock(4), knock(4, 5), knock(2), knock(6), knock(2), knock(6), knock(2, 6)),
    knock(4),  # deal 9: seat 4 drowns
    *(knock(1), knock(1)),
    knock(2, 6),  # deal 12: seats 2 and 6 drown
    knock(1),
    knock(1),  # deal 14: seat 1 drowns
    *(knock(5), knock(5)),
    knock(5),  # deal 17: seat 5 drowns, seat 3 is left
]


# -- Lives (RULES 1.4, SE) --------------------------------------------------------------------------------------------


def test_rules_1_4_everybody_starts_with_three_lives_three_coins() -> None:
    state: Survival = table_of(6).state
    assert [state.lives_left(seat) for seat in state.seats] == [3] * 6
    assert (state.still_in, state.swimming, state.drowned_in) == (seats_of(6), (), {})


def test_rules_1_4_the_loser_gives_one_life() -> None:
    state: Survival = table_of(5, knock(2)).state
    assert [state.lives_left(seat) for seat in state.seats] == [3, 2, 3, 3, 3]


def test_rules_1_4_all_who_tie_for_the_worst_hand_give_one_life_each() -> None:
    state: Survival = table_of(5, knock(2, 4)).state
    assert [state.lives_left(seat) for seat in state.seats] == [3, 2, 3, 2, 3]


def test_rules_1_4_who_has_lost_three_lives_swims_and_still_plays() -> None:
    state: Survival = table_of(5, knock(2), knock(2), knock(2)).state
    assert (state.swimming, state.still_in) == ((2,), seats_of(5))


def test_rules_1_4_who_swims_and_loses_once_more_drowns() -> None:
    state: Survival = table_of(5, knock(1), *drowned(2)).state
    assert (state.swimming, state.still_in, state.drowned_in) == ((), (1, 3, 4, 5), {2: 5})
    assert state.lives_left(2) == 0


def test_rules_1_4_who_has_drowned_can_neither_lose_nor_finish() -> None:
    sheet = table_of(5, *drowned(2))
    assert (refused(sheet, knock(2)).code, refused(sheet, knock(2)).params) == (
        "already_drowned",
        {"seat": 2},
    )
    assert refused(sheet, knock(1, 2)).code == "already_drowned"
    assert refused(sheet, schnauz(2, 1)).code == "already_drowned"


def test_rules_1_4_the_number_of_lives_is_the_rulesets() -> None:
    one_life = replace(SCHNAUZ_PLACING, sheet=replace(SURVIVAL, lives=1))
    state: Survival = table_of(3, knock(1), knock(1), ruleset=one_life).state
    assert state.drowned_in == {1: 2}


# -- How a deal ends (RULES 1.5, SE) ----------------------------------------------------------------------------------


def test_rules_1_5_somebody_loses_every_deal() -> None:
    assert refused(table_of(5), knock()).code == "no_losers"


def test_rules_1_5_nobody_finishes_by_knocking() -> None:
    line = Line("deal", {"losers": [2], "ended_by": "knock", "finisher": 1})
    assert refused(table_of(5), line).code == "finisher_on_knock"


@pytest.mark.parametrize("ended_by", ["schnauz", "feuer", "handschnauz"])
def test_rules_1_5_every_other_ending_has_a_finisher(ended_by: str) -> None:
    line = Line("deal", {"losers": [2, 3, 4, 5], "ended_by": ended_by, "finisher": None})
    assert refused(table_of(5), line).code == "finisher_needed"


def test_rules_1_5_on_schnauz_the_lowest_hands_lose() -> None:
    state: Survival = table_of(5, schnauz(1, 3, 5)).state
    assert [state.lives_left(seat) for seat in state.seats] == [3, 3, 2, 3, 2]


def test_rules_1_5_the_finisher_cannot_lose() -> None:
    refusal = refused(table_of(5), schnauz(1, 1, 3))
    assert (refusal.code, refusal.params) == ("finisher_cannot_lose", {"seat": 1})


@pytest.mark.parametrize("ending", [feuer, handschnauz])
def test_rules_1_5_feuer_and_handschnauz_make_all_others_lose(ending: Callable[..., Line]) -> None:
    state: Survival = table_of(5, ending(2, 1, 3, 4, 5)).state
    assert [state.lives_left(seat) for seat in state.seats] == [2, 3, 2, 2, 2]


@pytest.mark.parametrize("ending", [feuer, handschnauz])
def test_rules_1_5_on_feuer_and_handschnauz_nobody_is_spared(ending: Callable[..., Line]) -> None:
    refusal = refused(table_of(5), ending(2, 1, 3))
    assert (refusal.code, refusal.params) == ("all_others_lose", {"seats": [1, 3, 4, 5]})


def test_rules_1_5_who_has_drowned_does_not_pay_for_a_feuer() -> None:
    sheet = table_of(5, *drowned(4))
    assert refused(sheet, feuer(2, 1, 3, 4, 5)).code == "already_drowned"
    assert written(sheet, feuer(2, 1, 3, 5)).state.deals == 5


def test_rules_1_5_any_seat_still_in_may_finish_a_handschnauz_for_the_dealer_is_not_recorded() -> None:
    for seat in seats_of(5):
        others = [other for other in seats_of(5) if other != seat]
        assert strokes(table_of(5, handschnauz(seat, *others)))[seat] == 1


def test_rules_1_5_an_ending_the_ruleset_does_not_know_is_refused() -> None:
    without_feuer = replace(
        SURVIVAL, endings=("knock", "schnauz", "handschnauz"), all_others_lose=("handschnauz",)
    )
    sheet = table_of(3, ruleset=replace(SCHNAUZ_PLACING, sheet=without_feuer))
    assert refused(sheet, feuer(1, 2, 3)).code == "unknown_ending"


# -- There must be one winner (RULES 1.6, SE "WICHTIG") ---------------------------------------------------------------


def test_rules_1_6_two_who_swim_and_tie_play_again() -> None:
    sheet = table_of(4, *drowned(3), *drowned(4), *[knock(1, 2)] * 3)
    assert refused(sheet, knock(1, 2)).code == "would_drown_everybody"
    assert ranks(written(sheet, knock(1))) == {1: 2, 2: 1, 3: 4, 4: 3}


def test_rules_1_6_a_whole_table_that_would_drown_at_once_plays_again() -> None:
    """Ours: the sheet says so for the last two only."""
    sheet = table_of(5, *[knock(1, 2, 3, 4, 5)] * 3)
    assert sheet.state.swimming == seats_of(5)
    assert refused(sheet, knock(1, 2, 3, 4, 5)).code == "would_drown_everybody"


def test_rules_1_6_all_may_lose_at_once_as_long_as_one_has_a_life_left() -> None:
    sheet = table_of(3, *[knock(1, 2)] * 3, knock(1, 2, 3))
    assert ranks(sheet) == {1: 2, 2: 2, 3: 1}


def test_rules_1_6_no_deal_is_played_after_one_is_left() -> None:
    sheet = table_of(3, *drowned(1), *drowned(2))
    refusal = refused(sheet, knock(3))
    assert (refusal.code, refusal.params) == ("table_decided", {"seat": 3})


def test_rules_1_6_a_sheet_is_complete_when_one_is_left() -> None:
    sheet = table_of(3, *drowned(1), *[knock(2)] * 3)
    assert sheet.missing is not None
    assert (sheet.missing.code, sheet.missing.params) == ("no_winner_yet", {"left": 2})
    assert written(sheet, knock(2)).is_complete


# -- Ranks and points (RULES 1.7, 1.8, TA 7) --------------------------------------------------------------------------


def test_rules_1_7_1_8_the_worked_example_of_the_rules() -> None:
    sheet = table_of(6, *THE_WORKED_EXAMPLE)
    assert sheet.state.drowned_in == {4: 9, 2: 12, 6: 12, 1: 14, 5: 17}
    assert ranks(sheet) == {3: 1, 5: 2, 1: 3, 2: 4, 6: 4, 4: 6}
    assert points(sheet) == {3: 6, 5: 4, 1: 3, 2: 2, 6: 2, 4: 1}
    assert sheet.state.winner == 3
    assert sheet.is_complete


def test_rules_1_7_who_drowned_has_his_rank_while_the_others_play_on() -> None:
    sheet = table_of(6, *THE_WORKED_EXAMPLE[:12])
    assert ranks(sheet) == {1: None, 2: 4, 3: None, 4: 6, 5: None, 6: 4}
    assert points(sheet) == {1: None, 2: 2, 3: None, 4: 1, 5: None, 6: 2}


def test_rules_1_7_who_drowns_in_one_deal_shares_the_better_rank_and_the_next_is_left_out() -> None:
    sheet = table_of(4, *drowned(4), *[knock(2, 3)] * 4)
    assert ranks(sheet) == {1: 1, 2: 2, 3: 2, 4: 4}


def test_rules_1_8_the_winner_6_the_second_4_the_third_3_the_fourth_2_fifth_and_sixth_1() -> None:
    sheet = table_of(6, *[line for seat in (6, 5, 4, 3, 2) for line in drowned(seat)])
    assert list(points(sheet).values()) == [6, 4, 3, 2, 1, 1]


def test_rules_1_8_the_seventh_gets_one_point_as_well() -> None:
    """RULES 1.8: from rank 5 on always 1."""
    sheet = table_of(7, *[line for seat in (7, 6, 5, 4, 3, 2) for line in drowned(seat)])
    assert list(points(sheet).values()) == [6, 4, 3, 2, 1, 1, 1]


@st.composite
def drowning_orders(draw: st.DrawFn) -> list[list[int]]:
    """Draw the seats of a table in groups that drown together, the first to drown first, the winner last."""
    seats = draw(st.integers(2, 7).map(seats_of).flatmap(st.permutations))
    *others, winner = seats
    cuts = draw(st.lists(st.booleans(), min_size=len(others), max_size=len(others)))
    groups: list[list[int]] = []
    for seat, is_cut in zip(others, cuts, strict=True):
        if is_cut or not groups:
            groups.append([])
        groups[-1].append(seat)
    return [*groups, [winner]]


@given(drowning_orders(), st.randoms(use_true_random=True))
def test_any_order_of_drowning_gives_the_ranks_of_a_competition(
    order: list[list[int]], chance: Random
) -> None:
    """Counted from the end: a group's rank is 1 + the number of players who stayed in longer (RULES 1.7)."""
    expected = {
        seat: 1 + sum(len(later) for later in order[place + 1 :])
        for place, group in enumerate(order)
        for seat in group
    }
    early = [knock(*group) for group in order[:-1] for _ in range(3)]
    chance.shuffle(early)
    sheet = table_of(len(expected), *early, *(knock(*group) for group in order[:-1]))
    assert ranks(sheet) == expected
    assert points(sheet) == {seat: (6, 4, 3, 2, 1, 1, 1)[rank - 1] for seat, rank in expected.items()}


def played_out(chance: Random) -> SheetLog:
    """Play a table at random until one player is left."""
    sheet = empty(ruleset_of(chance), seats_of(chance.randint(2, 7)))
    while len(sheet.state.still_in) > 1:
        with suppress(Refusal):
            sheet = append(sheet, entry(sheet, Line("deal", sensible_deal(chance, sheet))))
    return sheet


@given(st.randoms(use_true_random=True))
def test_ranks_of_a_played_table_follow_from_who_lost_which_deal(chance: Random) -> None:
    """An independent count: the deal with which a seat had lost one more than its lives."""
    sheet = played_out(chance)
    last_deal = {}
    for seat in sheet.seats:
        lost = [number for number, fact in enumerate(sheet.facts, start=1) if seat in fact.data["losers"]]
        last_deal[seat] = lost[sheet.state.lives] if len(lost) > sheet.state.lives else len(sheet.facts) + 1
    assert ranks(sheet) == {
        seat: 1 + sum(last_deal[other] > last_deal[seat] for other in sheet.seats) for seat in sheet.seats
    }


# -- The tally (RULES 1.9, TA 6) --------------------------------------------------------------------------------------


def test_rules_1_9_every_deal_ended_by_schnauz_or_feuer_is_one_stroke_for_who_ended_it() -> None:
    sheet = table_of(3, schnauz(1, 2), knock(1), feuer(1, 2, 3), handschnauz(3, 1, 2))
    assert strokes(sheet) == {1: 2, 2: 0, 3: 1}


def test_rules_1_9_strokes_are_counted_apart_and_a_handschnauz_is_a_schnauz() -> None:
    sheet = table_of(3, schnauz(1, 2), feuer(1, 2, 3), handschnauz(1, 2, 3))
    assert sheet.results[0].counts == {"schnauz": 2, "feuer": 1}


def test_rules_1_9_a_table_that_does_not_track_deals_keeps_its_tally_by_hand() -> None:
    sheet = table_of(4, stroke(2), stroke(2, "feuer"), stroke(4), ranked(1, 2, 3, 4))
    assert strokes(sheet) == {1: 0, 2: 2, 3: 0, 4: 1}
    assert sheet.results[1].counts == {"schnauz": 1, "feuer": 1}


def test_rules_1_9_strokes_can_be_added_for_the_drowned_and_after_the_end() -> None:
    sheet = table_of(2, *drowned(1), stroke(1), stroke(2))
    assert strokes(sheet) == {1: 1, 2: 1}


def test_rules_1_9_there_is_no_stroke_for_knocking() -> None:
    assert refused(table_of(4), stroke(1, "knock")).code == "unknown_mark"


# -- Data that no table can have --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"losers": [1], "ended_by": "knock"}, "bad_entry"),
        ({"losers": [1], "ended_by": "knock", "finisher": None, "note": None}, "bad_entry"),
        ({"losers": None, "ended_by": "knock", "finisher": None}, "bad_entry"),
        ({"losers": "1", "ended_by": "knock", "finisher": None}, "bad_entry"),
        ({"losers": [True], "ended_by": "knock", "finisher": None}, "bad_entry"),
        ({"losers": [1, 1], "ended_by": "knock", "finisher": None}, "bad_entry"),
        ({"losers": [1.0], "ended_by": "knock", "finisher": None}, "bad_entry"),
        ({"losers": [6], "ended_by": "knock", "finisher": None}, "unknown_seat"),
        ({"losers": [1], "ended_by": "schnauz", "finisher": 6}, "unknown_seat"),
        ({"losers": [1], "ended_by": "schnauz", "finisher": "2"}, "bad_entry"),
        ({"losers": [1], "ended_by": "gong", "finisher": 2}, "unknown_ending"),
        ({"losers": [1], "ended_by": ["knock"], "finisher": None}, "unknown_ending"),
    ],
)
def test_a_deal_has_exact_keys_types_and_values(data: dict[str, object], code: str) -> None:
    assert refused(table_of(5), Line("deal", data)).code == code


@pytest.mark.parametrize(
    "ranks_given", [None, [1, 2], {"1": "1", "2": 2}, {"1": True, "2": 2}, {"1": None, "2": 1}]
)
def test_ranks_are_whole_numbers_by_seat(ranks_given: object) -> None:
    assert refused(table_of(2), Line("ranked", {"ranks": ranks_given})).code == "bad_entry"


def test_losers_and_ranks_are_written_in_the_order_of_the_seats() -> None:
    sheet = table_of(3, knock(3, 1), Line("ranked", {"ranks": {"3": 1, "1": 3, "2": 2}}))
    assert sheet.entries[0].data["losers"] == [1, 3]
    assert list(sheet.entries[1].data["ranks"].items()) == [("1", 3), ("2", 2), ("3", 1)]


def can_be_played(sheet: SheetLog, deal: Mapping[str, Any]) -> bool:
    """Implement RULES 1.4 to 1.6 a second time, from the deals so far alone."""
    rules = sheet_as(sheet.ruleset, SurvivalRules)
    losses = [seat for fact in sheet.facts for seat in fact.data["losers"]]
    lost = {seat: losses.count(seat) for seat in sheet.seats}
    still_in = [seat for seat in sheet.seats if lost[seat] <= rules.lives]
    losers, finisher = deal["losers"], deal["finisher"]
    if set(deal) != {"losers", "ended_by", "finisher"} or deal["ended_by"] not in rules.endings:
        return False
    if not isinstance(losers, list) or any(type(seat) is not int or seat not in still_in for seat in losers):
        return False
    if (finisher is None) != (deal["ended_by"] == "knock") or len(set(losers)) < len(losers):
        return False
    if finisher is not None and (type(finisher) is not int or finisher not in still_in or finisher in losers):
        return False
    spares = deal["ended_by"] in rules.three_of_a_kind_spared
    if deal["ended_by"] in rules.all_others_lose and not spares and len(losers) < len(still_in) - 1:
        return False
    survivors = [seat for seat in still_in if seat not in losers or lost[seat] < rules.lives]
    return bool(losers or spares) and bool(survivors) and len(still_in) > 1


@given(st.randoms(use_true_random=True), st.integers(0, 30))
def test_a_deal_is_written_exactly_if_it_can_be_played(chance: Random, attempts: int) -> None:
    sheet = empty(ruleset_of(chance), seats_of(chance.randint(2, 7)))
    for _ in range(attempts):
        deal = chance.choice([sensible_deal, spoilt_deal])(chance, sheet)
        before = sheet
        with suppress(Refusal):
            sheet = append(sheet, entry(sheet, Line("deal", deal)))
        assert (sheet is not before) == can_be_played(before, deal)


# -- What always holds ------------------------------------------------------------------------------------------------


@given(logs("survival"))
def test_on_every_sheet_the_lives_the_drowned_and_the_tally_add_up(log: Log) -> None:
    sheet, _ = steps(log)
    state: Survival = sheet.state
    deals = [fact for fact in sheet.facts if fact.kind == "deal"]
    assert state.deals == len(deals)
    assert sum(state.lost.values()) == sum(len(deal.data["losers"]) for deal in deals)
    assert all(0 <= lost <= state.lives + 1 for lost in state.lost.values())
    assert {seat for seat, lost in state.lost.items() if lost > state.lives} == set(state.drowned_in)
    assert len(state.still_in) >= 1
    marks = sum(1 for fact in sheet.facts if fact.kind == "stroke" or fact.data.get("finisher") is not None)
    assert sum(score.strokes for score in sheet.results) == marks
    assert all(sum(score.counts.values()) == score.strokes for score in sheet.results)


@given(logs("survival"))
def test_a_complete_sheet_has_one_winner_and_points_for_everybody(log: Log) -> None:
    sheet, _ = steps(log)
    decided = [score.rank for score in sheet.results if score.rank is not None]
    assert decided.count(1) == (1 if sheet.is_complete else 0)
    assert sheet.is_complete == (len(decided) == len(sheet.seats))
    for score in sheet.results:
        assert score.points == (None if score.rank is None else log.ruleset.points_for_rank(score.rank))
