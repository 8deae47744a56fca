"""Knockout: how many rounds it takes, and who goes on (RULES 4.2)."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.qualifying import Stage, going_on, sizes_of_round, stages
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Qualifying

RULESET = preset("knockout")
TWO_OF_EACH = Qualifying(go_on=2, final=7)


@pytest.mark.parametrize(
    ("players", "rounds"), [(4, 1), (7, 1), (8, 2), (18, 2), (20, 3), (60, 4), (1000, 7)]
)
def test_rules_4_2_the_number_of_rounds_follows_from_the_entries(players: int, rounds: int) -> None:
    """RULES 4.2."""
    assert len(stages(players, RULESET)) == rounds


def test_rules_4_2_what_is_said_before_the_start() -> None:
    """RULES 4.2: 47 players, nine tables, four, and the final."""
    assert stages(47, RULESET) == (
        Stage(1, 47, (6, 6, 5, 5, 5, 5, 5, 5, 5)),
        Stage(2, 18, (6, 6, 6)),
        Stage(3, 6, (6,)),
    )
    assert [stage.is_final for stage in stages(47, RULESET)] == [False, False, True]


@pytest.mark.parametrize("players", range(2, 8))
def test_rules_4_2_up_to_seven_players_are_the_final_at_one_table(players: int) -> None:
    """RULES 4.2."""
    assert sizes_of_round(players, RULESET.tables, TWO_OF_EACH).sizes == (players,)


def test_rules_4_2_tables_of_4_to_7_fives_and_sixes_first() -> None:
    """RULES 4.2."""
    assert sizes_of_round(8, RULESET.tables, TWO_OF_EACH).sizes == (4, 4)
    assert sizes_of_round(16, RULESET.tables, TWO_OF_EACH) == table_sizes(16, RULESET.tables)


def test_rules_4_2_nobody_plays_a_final_alone() -> None:
    """RULES 4.2."""
    with pytest.raises(Refusal) as caught:
        sizes_of_round(1, RULESET.tables, TWO_OF_EACH)
    assert caught.value.code == "too_few_players"


def test_where_nobody_drops_out_the_rounds_do_not_follow_from_the_entries() -> None:
    assert stages(47, preset("schnauz-placing")) == ()
    assert sizes_of_round(7, preset("schnauz-placing").tables, None).exceptional == (7,)


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
    one = replace(RULESET, qualifying=Qualifying(go_on=1, final=7))
    assert [stage.players for stage in stages(60, one)] == [60, 12, 2]


@given(st.integers(4, 3000), st.integers(1, 3), st.integers(7, 12))
def test_every_round_has_fewer_players_until_one_table_is_left(players: int, go_on: int, final: int) -> None:
    ahead = stages(players, replace(RULESET, qualifying=Qualifying(go_on, final)))
    assert [stage.number for stage in ahead] == list(range(1, len(ahead) + 1))
    assert all(sum(stage.sizes) == stage.players for stage in ahead)
    assert all(later.players < stage.players for stage, later in pairwise(ahead))
    assert [stage.is_final for stage in ahead] == [False] * (len(ahead) - 1) + [True]
    assert ahead[-1].players <= final


@given(st.lists(st.integers(0, 9), min_size=2, max_size=7), st.integers(1, 3))
def test_who_goes_on_is_nobody_behind_whom_enough_are_better(deals: list[int], go_on: int) -> None:
    """Ranks of players who drowned in these deals, the winner in none."""
    drowned = dict(enumerate([*deals, 10]))
    ranks = {player: 1 + sum(other > deal for other in drowned.values()) for player, deal in drowned.items()}
    on = going_on(ranks, Qualifying(go_on, 7))
    assert len(on) >= min(go_on, len(ranks))
    assert on == {p for p in drowned if sum(drowned[q] > drowned[p] for q in drowned) < go_on}
