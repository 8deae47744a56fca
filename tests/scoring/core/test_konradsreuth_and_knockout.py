"""What the sheets of konradsreuth and of the knockout have of their own (RULES 2 and 4); for all else see test_survival.py."""

from collections.abc import Callable

import pytest

from scoring.core.sheet import SheetLog
from scoring.core.survival import Survival
from tests.scoring.core.writing import (
    Line,
    drowned,
    feuer,
    handschnauz,
    knock,
    points,
    ranks,
    refused,
    schnauz,
    stroke,
    strokes,
    table_of,
    written,
)
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

# -- konradsreuth (RULES 2) -------------------------------------------------------------------------------------------


def konradsreuth(size: int, *lines: Line) -> SheetLog:
    return table_of(size, *lines, ruleset=preset("konradsreuth"))


def test_rules_2_1_three_chips_swim_drown_and_the_last_one_left_wins() -> None:
    """RULES 2.1."""
    sheet = konradsreuth(2, *[knock(1)] * 3)
    assert sheet.state.swimming == (1,)
    assert ranks(written(sheet, knock(1))) == {1: 2, 2: 1}


def test_rules_2_3_on_a_handschnauz_everybody_else_pays() -> None:
    """RULES 2.3."""
    state: Survival = konradsreuth(4, handschnauz(2, 1, 3, 4)).state
    assert [state.lives_left(seat) for seat in state.seats] == [2, 3, 2, 2]
    assert state.strokes_of(2) == 1


def test_rules_2_3_on_a_handschnauz_three_of_a_kind_does_not_pay() -> None:
    """RULES 2.3."""
    state: Survival = konradsreuth(4, handschnauz(2, 3)).state
    assert [state.lives_left(seat) for seat in state.seats] == [3, 3, 2, 3]


@pytest.mark.parametrize("ending", [schnauz, handschnauz])
def test_rules_2_3_where_all_others_hold_three_of_a_kind_nobody_pays(ending: Callable[..., Line]) -> None:
    """RULES 2.3."""
    sheet = konradsreuth(3, ending(2))
    assert (sheet.state.deals, sum(sheet.state.lost.values())) == (1, 0)
    assert strokes(sheet) == {1: 0, 2: 1, 3: 0}


def test_sheet_2_three_of_a_kind_never_pays_so_a_knock_may_cost_nobody_a_life() -> None:
    """RULES 2.3: nobody loses a life, and the deal counts."""
    sheet = konradsreuth(3, knock())
    assert (sheet.state.deals, sum(sheet.state.lost.values())) == (1, 0)
    assert strokes(sheet) == {1: 0, 2: 0, 3: 0}


def test_a_ruleset_from_before_spares_nobody_on_a_knock() -> None:
    """RULES 2.3: what was stored keeps its meaning. Sheet 1, which spares nobody, needs a loser as well."""
    stored = preset("konradsreuth").to_dict()
    stored["sheet"]["three_of_a_kind_spared"] = ["schnauz", "handschnauz"]
    assert refused(table_of(3, ruleset=Ruleset.from_dict(stored)), knock()).code == "no_losers"
    assert refused(table_of(3), knock()).code == "no_losers"


def test_rules_2_3_there_is_no_feuer_as_an_ending_or_a_mark() -> None:
    """RULES 2.3."""
    sheet = konradsreuth(3)
    assert refused(sheet, feuer(1, 2, 3)).code == "unknown_ending"
    assert refused(sheet, stroke(1, "feuer")).code == "unknown_mark"


def test_rules_2_3_all_who_tie_for_lowest_pay() -> None:
    """RULES 2.3."""
    state: Survival = konradsreuth(4, knock(1, 3)).state
    assert [state.lives_left(seat) for seat in state.seats] == [2, 3, 2, 3]


def test_rules_2_4_points_are_those_of_sheet_1() -> None:
    """RULES 2.4."""
    assert points(konradsreuth(3, *drowned(1), *drowned(2))) == {3: 6, 2: 4, 1: 3}


# -- knockout (RULES 4) -----------------------------------------------------------------------------------------------


def knockout(size: int, *lines: Line) -> SheetLog:
    return table_of(size, *lines, ruleset=preset("knockout"))


@pytest.mark.parametrize("ending", [schnauz, feuer])
def test_rules_4_1_on_schnauz_and_feuer_the_lowest_hands_lose_and_nobody_else_pays(
    ending: Callable[..., Line],
) -> None:
    """RULES 4.1."""
    sheet = knockout(4, ending(2, 1, 4))
    assert [sheet.state.lives_left(seat) for seat in sheet.seats] == [2, 3, 3, 2]
    assert strokes(sheet)[2] == 1
    assert refused(sheet, ending(2)).code == "no_losers"


def test_rules_4_1_a_schnauz_straight_from_the_deal_is_a_schnauz_like_any_other() -> None:
    """RULES 4.1: in the first deal the lowest hand pays, the two others do not, and it is one stroke."""
    sheet = knockout(4, schnauz(1, 3))
    assert [sheet.state.lives_left(seat) for seat in sheet.seats] == [3, 3, 2, 3]
    assert strokes(sheet) == {1: 1, 2: 0, 3: 0, 4: 0}
    assert refused(knockout(4), handschnauz(1, 2, 3, 4)).code == "unknown_ending"
    assert refused(knockout(4), handschnauz(1, 3)).code == "unknown_ending"


def test_rules_4_1_who_drowns_is_ranked_and_ranks_give_no_points() -> None:
    """RULES 4.1, 4.3."""
    sheet = knockout(3, *drowned(1), *drowned(2))
    assert ranks(sheet) == {3: 1, 2: 2, 1: 3}
    assert points(sheet) == {1: None, 2: None, 3: None}
