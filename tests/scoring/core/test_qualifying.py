"""Knockout: the players who go on (RULES 4.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.qualifying import going_on
from tournaments.rulesets.schema import Qualifying

TWO_OF_EACH = Qualifying(go_on=2, final=7)


def test_rules_4_2_the_best_two_of_each_table_go_on() -> None:
    """RULES 4.2."""
    assert going_on({11: 3, 12: 1, 13: 4, 14: 2}, TWO_OF_EACH) == {12, 14}


@pytest.mark.parametrize(
    ("ranks", "on"),
    [
        ({1: 1, 2: 2, 3: 2, 4: 4}, {1, 2, 3}),
        ({1: 1, 2: 2, 3: 2, 4: 2}, {1, 2, 3, 4}),
        ({1: 1, 2: 2, 3: 3, 4: 3}, {1, 2}),
    ],
)
def test_rules_4_2_all_who_share_the_rank_at_the_cut_go_on(ranks: dict[int, int], on: set[int]) -> None:
    """RULES 4.2."""
    assert going_on(ranks, TWO_OF_EACH) == on


def test_rules_4_2_how_many_go_on_is_the_rulesets() -> None:
    """RULES 4.2."""
    assert going_on({1: 1, 2: 2, 3: 3, 4: 4}, Qualifying(go_on=3, final=7)) == {1, 2, 3}


@given(st.lists(st.integers(0, 9), min_size=2, max_size=7), st.integers(1, 3))
def test_who_goes_on_is_nobody_behind_whom_enough_are_better(deals: list[int], go_on: int) -> None:
    """Return the ranks of players who drowned in these deals, the winner in none."""
    drowned = dict(enumerate([*deals, 10]))
    ranks = {player: 1 + sum(other > deal for other in drowned.values()) for player, deal in drowned.items()}
    on = going_on(ranks, Qualifying(go_on, 7))
    assert len(on) >= min(go_on, len(ranks))
    assert on == {p for p in drowned if sum(drowned[q] > drowned[p] for q in drowned) < go_on}
