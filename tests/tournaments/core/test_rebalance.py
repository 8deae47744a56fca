"""The proposals when players do not come, or come late."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.draw import Joined, Left, Moved, Tables, apply_changes
from tournaments.core.rebalance import free_seats, rebalance
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.rulesets.loader import preset

SHEET_1 = preset("schnauz-placing").tables
SCHAFKOPF = preset("schafkopf").tables


def tables_of(*sizes: int) -> Tables:
    numbers = iter(range(1, sum(sizes) + 1))
    return tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)


# --- too few at a table --------------------------------------------------------------------------------------------


def test_a_five_plays_on_with_four() -> None:
    assert rebalance(apply_changes(tables_of(5, 5), [Left(3)]), [], SHEET_1) == ()


def test_one_from_a_six_makes_three_four() -> None:
    """Two of a five are missing. The last player of the six without a repeat moves, not the scribe, none of the five."""
    tables = apply_changes(tables_of(6, 5, 5), [Left(15), Left(16)])
    assert rebalance(tables, [], SHEET_1) == (Moved(2, 3),)
    history = [((2, 12), (3, 13), (4, 14), (6, 12))]
    assert rebalance(tables, history, SHEET_1) == (Moved(5, 3),)


def test_the_scribe_goes_only_if_nobody_else_can() -> None:
    tables = apply_changes(tables_of(6, 5), [Left(10), Left(11)])
    assert rebalance(tables, [], SHEET_1, fixed=[2, 3, 4, 5, 6]) == (Moved(1, 2),)


def test_who_has_a_fixed_table_stays() -> None:
    tables = apply_changes(tables_of(6, 5), [Left(10), Left(11)])
    assert rebalance(tables, [], SHEET_1, fixed=[2, 3]) == (Moved(4, 2),)


def test_where_nobody_can_be_spared_the_table_is_dissolved() -> None:
    """Three of a four are left, and all other tables are fours: each becomes a five."""
    tables = apply_changes(tables_of(4, 4, 4, 4), [Left(16)])
    moves = rebalance(tables, [], SHEET_1)
    assert moves == (Moved(13, 1), Moved(14, 2), Moved(15, 3))
    assert [len(table) for table in apply_changes(tables, moves)] == [5, 5, 5, 0]


def test_two_tables_that_have_too_few_become_one() -> None:
    tables = apply_changes(tables_of(4, 4), [Left(1), Left(2), Left(5), Left(6)])
    assert [len(table) for table in apply_changes(tables, rebalance(tables, [], SHEET_1))] == [0, 4]


def test_an_impossible_rebalancing_is_reported() -> None:
    with pytest.raises(Refusal) as caught:
        rebalance(apply_changes(tables_of(4, 4), [Left(8)]), [], SCHAFKOPF)
    assert (caught.value.code, caught.value.params) == ("cannot_be_mended", {"table": 2})


@given(st.integers(20, 60), st.data())
def test_whoever_stays_away_every_table_has_enough_in_the_end(players: int, data: st.DataObject) -> None:
    tables = tables_of(*table_sizes(players, SHEET_1).sizes)
    gone = data.draw(st.lists(st.integers(1, players), max_size=5, unique=True))
    tables = apply_changes(tables, [Left(player) for player in gone])
    after = apply_changes(tables, rebalance(tables, [], SHEET_1))
    assert all(len(table) in (0, 4, 5, 6, 7) for table in after)
    assert sorted(chain.from_iterable(after)) == sorted(chain.from_iterable(tables))


# --- late ----------------------------------------------------------------------------------------------------------


def test_a_five_becomes_a_six() -> None:
    seats = free_seats(99, tables_of(6, 5, 5), [], SHEET_1)
    assert [(seat.change, seat.is_regular) for seat in seats] == [
        (Joined(99, 2), True),
        (Joined(99, 3), True),
        (Joined(99, 1), False),
    ]


def test_a_latecomer_gets_the_seat_with_the_fewest_repeats_then_the_smallest_table() -> None:
    tables = tables_of(5, 5, 4)
    assert [seat.change.table for seat in free_seats(99, tables, [], SHEET_1)] == [3, 1, 2]
    seats = free_seats(99, tables, [((99, 11, 1), (6, 7))], SHEET_1)
    assert [(seat.change.table, seat.repeats) for seat in seats] == [(2, 0), (3, 1), (1, 1)]


def test_where_tables_have_one_size_only_there_is_no_free_seat() -> None:
    assert free_seats(99, tables_of(4, 4), [], SCHAFKOPF) == ()
    assert free_seats(99, apply_changes(tables_of(4, 4), [Left(3)]), [], SCHAFKOPF)[0].change == Joined(99, 1)


def test_a_seated_player_gets_no_second_seat() -> None:
    with pytest.raises(Refusal) as caught:
        free_seats(1, tables_of(5), [], SHEET_1)
    assert caught.value.code == "already_at_a_table"
