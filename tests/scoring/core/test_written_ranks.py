"""Ranks that are written down instead of deals (RULES 1.6)."""

import pytest

from tests.scoring.core.writing import (
    drowned,
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


def test_rules_1_6_ranks_can_be_written_down_without_any_deal() -> None:
    sheet = table_of(5, ranked(3, 1, 2, 3, 5))
    assert ranks(sheet) == {1: 3, 2: 1, 3: 2, 4: 3, 5: 5}
    assert points(sheet) == {1: 3, 2: 6, 3: 4, 4: 3, 5: 1}
    assert (sheet.is_complete, sheet.state.winner) == (True, 2)


def test_rules_1_6_ranks_written_after_deals_decide_and_the_strokes_stay() -> None:
    sheet = table_of(4, schnauz(3, 1), *drowned(2), ranked(1, 2, 3, 4))
    assert ranks(sheet) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert strokes(sheet)[3] == 1


def test_rules_1_6_ranks_may_differ_from_what_the_deals_of_a_decided_table_say() -> None:
    sheet = table_of(2, *drowned(1), ranked(1, 2))
    assert ranks(sheet) == {1: 1, 2: 2}


def test_rules_1_6_no_deal_and_no_second_ranking_follows_a_ranking() -> None:
    sheet = table_of(3, ranked(1, 2, 3))
    assert refused(sheet, knock(1)).code == "already_ranked"
    assert refused(sheet, ranked(3, 2, 1)).code == "already_ranked"
    assert written(sheet, stroke(1)).is_complete


@pytest.mark.parametrize(
    ("given_ranks", "code"),
    [
        ((1, 2), "ranks_incomplete"),
        ((1, 2, 3, 4), "ranks_incomplete"),
        ((1, 1, 3), "ranks_two_winners"),
        ((1, 1, 1), "ranks_two_winners"),
        ((2, 2, 2), "ranks_no_competition_ranking"),
        ((1, 2, 4), "ranks_no_competition_ranking"),
        ((1, 3, 3), "ranks_no_competition_ranking"),
        ((0, 1, 2), "ranks_no_competition_ranking"),
        ((2, 3, 4), "ranks_no_competition_ranking"),
    ],
)
def test_rules_1_6_ranks_are_a_competition_ranking_with_one_winner(
    given_ranks: tuple[int, ...], code: str
) -> None:
    assert refused(table_of(3), ranked(*given_ranks)).code == code
