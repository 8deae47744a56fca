"""Pairs that meet again."""

import pytest

from tournaments.core.bounds import forced_repeats
from tournaments.core.draw import Left, Moved, Swap
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import (
    Cost,
    Forced,
    Repeat,
    SoFar,
    cost_of,
    least_repeats,
    pairs_met,
    repeats,
    report,
)
from tournaments.core.wishes import FixedTable, KeepApart

FIRST = ((3, 1, 2), (4, 5, 6))
SECOND = ((1, 4, 2), (3, 5, 6))


def test_pairs_are_counted_over_the_rounds() -> None:
    met = pairs_met([FIRST, SECOND])
    assert (met[1, 2], met[5, 6], met[1, 3], met[1, 4], met[1, 6]) == (2, 2, 1, 1, 0)
    assert met.total() == 12


def test_nobody_has_met_before_the_first_round() -> None:
    assert pairs_met([]) == {}
    assert repeats(FIRST, []) == ()


def test_a_repeat_names_table_pair_and_how_often_before() -> None:
    assert repeats(SECOND, [FIRST]) == (Repeat(1, 1, 2, 1), Repeat(2, 5, 6, 1))
    third = ((6, 5), (2, 1), (3, 4))
    assert repeats(third, [FIRST, SECOND]) == (Repeat(1, 5, 6, 2), Repeat(2, 1, 2, 2))


# --- an evening ----------------------------------------------------------------------------------------------------


def test_a_pair_that_met_three_times_counts_three_repeats() -> None:
    rounds = [((1, 2),), ((1, 2),), ((1, 2),)]
    counted = [repeats(rounds[number], rounds[:number]) for number in range(3)]
    assert sum(repeat.times for in_round in counted for repeat in in_round) == 3


@pytest.mark.parametrize(
    ("sizes", "least"),
    [((5, 5), 24), ((6, 5), 30), ((5, 4, 4), 12), ((6, 6, 6, 6), 24), ((6, 5, 5, 5, 5), 3), ((5,) * 6, 0)],
)
def test_the_certain_repeats_of_three_rounds(sizes: tuple[int, ...], least: int) -> None:
    assert 3 * forced_repeats(sizes, sizes) == least


# --- the report on a draw ------------------------------------------------------------------------------------------

THIRD = ((6, 5, 1), (2, 3, 4))


def test_a_report_counts_actual_and_unavoidable_repeats() -> None:
    counted = report(SECOND, [FIRST])
    assert counted.repeats == (Repeat(1, 1, 2, 1), Repeat(2, 5, 6, 1))
    assert (counted.reached, counted.least, counted.could_be_fewer) == (2, 2, False)
    assert report(FIRST, [FIRST]).could_be_fewer


def test_a_report_says_why_a_repeat_could_not_be_avoided() -> None:
    """Three players who sat together are spread over two tables."""
    assert report(SECOND, [FIRST]).forced == (Forced(1, 1, 3, 2, 1), Forced(1, 2, 3, 2, 1))
    assert report(((1, 4), (2, 5), (3, 6)), [FIRST]).forced == ()


def test_a_report_names_who_meets_a_third_time() -> None:
    assert report(THIRD, [FIRST, SECOND]).thrice == (Repeat(1, 5, 6, 2),)


def test_a_report_tells_sizes_and_scribes_so_far() -> None:
    counted = report(((1, 2), (3, 4, 5)), [((5, 1, 2), (3, 4))])
    assert counted.so_far == (
        SoFar(1, ((2, 1), (3, 1)), 1),
        SoFar(2, ((2, 1), (3, 1)), 0),
        SoFar(3, ((2, 1), (3, 1)), 2),
        SoFar(4, ((2, 1), (3, 1)), 0),
        SoFar(5, ((3, 2),), 1),
    )


def test_a_report_shows_changes_and_wishes() -> None:
    counted = report(FIRST, [], changes=[Swap(1, 4)], wishes=[KeepApart(1, 4, "x")])
    assert (counted.changes, counted.wishes) == ((Swap(1, 4),), (KeepApart(1, 4, "x"),))


def test_who_has_the_same_fixed_table_cannot_help_meeting_again() -> None:
    """Without the wishes two of three must meet at two tables; with them all three do."""
    tables, wishes = ((1, 2, 3), (4, 5, 6)), [FixedTable(player, 1, "x") for player in (1, 2, 3)]
    assert report(tables, [((1, 2, 3), (4, 7, 8))], wishes=wishes).least == 3


def test_with_some_of_them_staying_away_fewer_repeats_are_certain() -> None:
    assert [least_repeats([FIRST], range(1, 7), (3, 3), leaving=leaving) for leaving in (0, 1, 2)] == [
        2,
        1,
        0,
    ]


# --- what a change costs -------------------------------------------------------------------------------------------


def test_what_a_swap_costs_is_known_before_it_is_made() -> None:
    cost = cost_of([Swap(3, 4)], ((1, 4, 5), (3, 2, 6)), [FIRST])
    assert cost.more == (Repeat(1, 1, 3, 1), Repeat(2, 4, 6, 1))
    assert cost.fewer == (Repeat(1, 4, 5, 1), Repeat(2, 2, 3, 1))
    assert cost.repeats == 0


def test_a_swap_at_one_table_costs_nothing() -> None:
    assert cost_of([Swap(1, 2)], FIRST, [FIRST]) == Cost((), ())


def test_the_cost_of_moving_a_player_is_known_before_the_move() -> None:
    assert cost_of([Moved(1, 2)], SECOND, [FIRST]).repeats == 0
    assert cost_of([Left(2)], SECOND, [FIRST]).fewer == (Repeat(1, 1, 2, 1),)


def test_an_impossible_change_has_no_cost() -> None:
    with pytest.raises(Refusal) as caught:
        cost_of([Swap(1, 99)], FIRST, [])
    assert caught.value.code == "not_at_a_table"
