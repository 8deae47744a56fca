"""The lower bounds, checked against every possible seating of few players."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from tournaments.core.bounds import forced_pairs, forced_repeats, forced_triples

Seating = list[tuple[int, ...]]


def seatings(players: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Seating]:
    """Yield every way to seat the players at tables of these sizes."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        rest = tuple(player for player in players if player not in table)
        for others in seatings(rest, sizes[1:]):
            yield [table, *others]


def meet(tables: Seating, earlier: Seating) -> int:
    then = {pair for table in earlier for pair in combinations(table, 2)}
    return sum(pair in then for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize(
    ("players", "tables", "pairs"),
    [(5, 5, 0), (6, 5, 1), (6, 4, 2), (5, 3, 2), (6, 2, 6), (4, 1, 6), (0, 3, 0), (7, 3, 5)],
)
def test_spread_over_tables_so_many_pairs_stay_together(players: int, tables: int, pairs: int) -> None:
    assert forced_pairs(players, tables) == pairs


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ([3, 3], (3, 3)),
        ([4, 4], (4, 4)),
        ([5, 4], (5, 4)),
        ([3, 3, 2], (3, 3, 2)),
        ([4, 4], (3, 3, 2)),
        ([3, 3, 3], (5, 4)),
        ([6, 2], (4, 4)),
        ([4, 1, 1], (3, 3, 2)),
        ([2, 2], (4, 4)),
    ],
)
def test_the_bound_is_what_the_best_of_all_seatings_reaches(then: list[int], now: tuple[int, ...]) -> None:
    """Absent players (the last numbers, if `now` has more seats) met no other player."""
    numbers = iter(range(sum(now)))
    earlier = [tuple(next(numbers) for _ in range(size)) for size in then]
    best = min(meet(tables, earlier) for tables in seatings(tuple(range(sum(now))), now))
    assert forced_repeats(then, now) == best


@pytest.mark.parametrize(("then", "now"), [([3, 3, 3], (7, 2)), ([2, 2, 2, 2], (6, 2)), ([4, 4], (6, 2))])
def test_with_tables_that_differ_more_it_is_a_bound_all_the_same(
    then: list[int], now: tuple[int, ...]
) -> None:
    numbers = iter(range(sum(now)))
    earlier = [tuple(next(numbers) for _ in range(size)) for size in then]
    best = min(meet(tables, earlier) for tables in seatings(tuple(range(sum(now))), now))
    assert 0 < forced_repeats(then, now) <= best


def test_players_who_may_stay_away_lower_the_bound() -> None:
    assert [forced_repeats([6, 6, 6], (6, 6, 6), leaving=leaving) for leaving in (0, 3, 18)] == [9, 6, 0]


def test_without_earlier_players_no_repeat_is_certain() -> None:
    assert forced_repeats([], (5, 5)) == 0
    assert forced_repeats([0, 0], (5, 5)) == 0


def test_who_met_twice_meets_a_third_time_where_there_are_too_few_tables() -> None:
    """10 players at two tables: of three who sat together twice, two meet again; the same at the other table."""
    first = [0] * 5 + [1] * 5
    second = [0, 0, 0, 1, 1, 0, 0, 1, 1, 1]
    assert forced_triples([first, second], 2) == 2
    assert forced_triples([first, second], 3) == 0
    assert forced_triples([first, [-1] * 10], 2) == 0
