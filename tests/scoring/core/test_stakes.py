"""The pot of a table (RULES 1.10; Turnierablauf 3)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.ranking import competition_ranks
from scoring.core.stakes import payout
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Stakes

COINS = preset("schnauz-placing").stakes
assert COINS is not None
THREE_COINS: Stakes = COINS


def test_rules_1_10_the_worked_example_six_players_two_share_rank_2() -> None:
    result = payout({1: 2, 2: 1, 3: 2, 4: 4, 5: 5, 6: 6}, THREE_COINS)
    assert result.pot_cents == 360
    assert result.by_seat == {1: 60, 2: 240, 3: 60, 4: 0, 5: 0, 6: 0}


def test_rules_1_10_the_second_gets_his_stake_back_and_the_winner_the_rest() -> None:
    assert payout({1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, THREE_COINS).by_seat == {1: 240, 2: 60, 3: 0, 4: 0, 5: 0}


def test_rules_1_10_where_all_others_share_rank_2_everybody_gets_his_stake_back() -> None:
    assert payout({1: 2, 2: 2, 3: 1, 4: 2}, THREE_COINS).by_seat == dict.fromkeys((1, 2, 3, 4), 60)


def test_without_a_stake_returned_the_winner_takes_the_pot() -> None:
    assert payout({1: 2, 2: 1, 3: 3}, Stakes(50, ())).by_seat == {1: 0, 2: 150, 3: 0}


def test_rules_4_3_the_stakes_of_a_table_all_go_to_its_winner() -> None:
    """RULES 4.3."""
    assert payout({1: 2, 2: 1, 3: 2, 4: 4}, Stakes(60, ())).by_seat == {1: 0, 2: 240, 3: 0, 4: 0}


def test_winners_who_share_the_rank_share_the_rest_to_the_cent() -> None:
    assert payout({1: 1, 2: 3, 3: 1}, Stakes(35, (2,))).by_seat == {1: 53, 2: 0, 3: 52}


def test_nobody_has_won_a_pot_without_a_winner() -> None:
    with pytest.raises(ValueError, match="nobody has won"):
        payout({}, THREE_COINS)


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=12), st.integers(1, 1000), st.sets(st.integers(2, 12))
)
def test_what_is_paid_out_is_the_pot(keys: list[int], stake: int, returned: set[int]) -> None:
    ranks = dict(enumerate(competition_ranks(keys), start=1))
    result = payout(ranks, Stakes(stake, tuple(returned)))
    assert result.pot_cents == stake * len(ranks)
    assert sum(result.by_seat.values()) == result.pot_cents
    assert result.by_seat.keys() == ranks.keys()
    winners = [result.by_seat[seat] for seat, rank in ranks.items() if rank == 1]
    assert all(0 <= before - after <= 1 for before, after in pairwise(winners))
    for seat, rank in ranks.items():
        if rank != 1:
            assert result.by_seat[seat] == (stake if rank in returned else 0)
