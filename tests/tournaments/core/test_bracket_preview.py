"""The rounds of a knockout and their tables (RULES 4.2)."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.bracket_preview import Stage, stages
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes, fewest, outlook, sizes_of_round
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


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (4, (4,)),
        (5, (5,)),
        (6, (6,)),
        (7, (7,)),
        (8, (4, 4)),
        (9, (5, 4)),
        (10, (5, 5)),
        (11, (6, 5)),
        (12, (6, 6)),
        (13, (5, 4, 4)),
        (14, (5, 5, 4)),
        (16, (6, 5, 5)),
        (18, (6, 6, 6)),
        (19, (5, 5, 5, 4)),
        (22, (6, 6, 5, 5)),
        (23, (6, 6, 6, 5)),
    ],
)
def test_rules_4_2_tables_of_4_to_7_fives_and_sixes_first(players: int, sizes: tuple[int, ...]) -> None:
    """RULES 4.2."""
    assert sizes_of_round(players, RULESET.tables, TWO_OF_EACH).sizes == sizes


def test_rules_4_2_nobody_plays_a_final_alone() -> None:
    """RULES 4.2."""
    with pytest.raises(Refusal) as caught:
        sizes_of_round(1, RULESET.tables, TWO_OF_EACH)
    assert caught.value.code == "too_few_players"


def test_where_nobody_drops_out_the_rounds_do_not_follow_from_the_entries() -> None:
    assert stages(47, preset("schnauz-placing")) == ()
    assert sizes_of_round(7, preset("schnauz-placing").tables, None).exceptional == (7,)


def test_rules_4_2_how_many_rounds_if_one_of_each_table_goes_on() -> None:
    """RULES 4.2."""
    rules = replace(RULESET, qualifying=Qualifying(go_on=1, final=7))
    assert [stage.players for stage in stages(60, rules)] == [60, 12, 2]


def test_rules_4_2_the_outlook_before_the_draw_knows_the_final() -> None:
    """RULES 4.2: with one player there is nothing to play for."""
    seen = dict(outlook(3, RULESET.tables, TWO_OF_EACH, span=2))
    assert [seen[players] for players in (2, 3, 4, 5)] == [Sizes((players,)) for players in (2, 3, 4, 5)]
    alone = seen[1]
    assert isinstance(alone, Refusal)
    assert (alone.code, alone.params["needed"]) == ("too_few_players", fewest(RULESET.tables, TWO_OF_EACH))


@given(st.integers(4, 3000), st.integers(1, 3), st.integers(7, 12))
def test_every_round_has_fewer_players_until_one_table_is_left(players: int, go_on: int, final: int) -> None:
    ahead = stages(players, replace(RULESET, qualifying=Qualifying(go_on, final)))
    assert [stage.number for stage in ahead] == list(range(1, len(ahead) + 1))
    assert all(sum(stage.sizes) == stage.players for stage in ahead)
    assert all(later.players < stage.players for stage, later in pairwise(ahead))
    assert [stage.is_final for stage in ahead] == [False] * (len(ahead) - 1) + [True]
    assert ahead[-1].players <= final
