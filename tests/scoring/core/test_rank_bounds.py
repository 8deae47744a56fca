"""The bounds of a rank in the last round, compared with every possible end of the round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.core.rank_bounds import Held, RankBounds, rank_bounds
from scoring.core.ranking import competition_ranks
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

RULES = preset("schnauz-placing")
MANY = 99
"""More strokes than any player's lead."""


def held(points: int, strokes: int = 0) -> Held:
    return Held(points, (strokes,))


def test_the_leader_falls_behind_who_is_close_and_one_of_those_who_have_to_win() -> None:
    """12 + 1 against 10 + 4 for a shared second rank, and 8 + 6 or 7 + 6 for the winner; there is one winner."""
    standing = {1: held(12), 2: held(10), 3: held(8), 4: held(7), 5: held(2)}
    assert rank_bounds(1, standing, [(1, 2, 3, 4, 5)], RULES) == RankBounds(1, 3)


def test_who_sits_at_no_open_table_gets_no_more_points_and_waits_for_the_others() -> None:
    standing = {1: held(10, 3), 2: held(6), 3: held(5), 4: held(0), 5: held(11)}
    assert rank_bounds(1, standing, [(2, 3, 4)], RULES) == RankBounds(2, 4)


def test_a_tie_is_open_as_long_as_somebody_plays_who_may_get_strokes() -> None:
    standing = {1: held(10, 3), 2: held(6), 3: held(0), 4: held(0)}
    assert rank_bounds(1, standing, [(2, 3, 4)], RULES) == RankBounds(1, 2)


def test_without_a_tie_break_equal_points_share_the_rank() -> None:
    rules = replace(RULES, tie_break=())
    standing = {1: Held(10, ()), 2: Held(4, ()), 3: Held(0, ()), 4: Held(0, ())}
    assert rank_bounds(1, standing, [(2, 3, 4)], rules) == RankBounds(1, 1)


def test_nothing_is_open_any_more() -> None:
    standing = {1: held(10, 3), 2: held(10, 2), 3: held(12)}
    found = rank_bounds(1, standing, [], RULES)
    assert found == RankBounds(2, 2)
    assert found.is_settled


def test_who_was_excluded_plays_and_is_not_ranked() -> None:
    standing = {1: held(0), 2: held(0)}
    assert rank_bounds(1, standing, [(1, 2, 99)], RULES) == RankBounds(1, 2)


def rankings(seats: int) -> Iterator[tuple[int, ...]]:
    """Yield every competition ranking with one winner."""
    for groups in product(range(seats), repeat=seats):
        ranks = tuple(1 + sum(other < own for other in groups) for own in groups)
        if ranks.count(1) == 1 and sorted(set(groups)) == list(range(len(set(groups)))):
            yield ranks


def test_all_competition_rankings_with_one_winner_are_tried() -> None:
    assert sorted(rankings(3)) == sorted({*permutations((1, 2, 3)), (1, 2, 2), (2, 1, 2), (2, 2, 1)})


def every_end(
    standing: Mapping[int, Held], tables: Sequence[Sequence[int]], rules: Ruleset
) -> Iterator[dict[int, int]]:
    """Yield the ranks of all players, for every possible end of the round."""
    players = [number for table in tables for number in table]
    for ends in product(*(list(rankings(len(table))) for table in tables)):
        ranks = dict(zip(players, (rank for end in ends for rank in end), strict=True))
        for strokes in product((0, MANY), repeat=len(players)):
            more = dict(zip(players, strokes, strict=True))
            keys = [
                (
                    own.points + (rules.points_for_rank(ranks[number]) or 0 if number in ranks else 0),
                    tuple(count + more.get(number, 0) for count in own.tie_break),
                )
                for number, own in standing.items()
            ]
            yield dict(zip(standing, competition_ranks(keys), strict=True))


@pytest.mark.parametrize("tie_break", [("strokes",), ()])
@settings(max_examples=15)
@given(data=st.data())
def test_best_and_worst_rank_are_those_of_all_ends_tried_out(
    data: st.DataObject, tie_break: tuple[str, ...]
) -> None:
    rules = replace(
        RULES, points=tuple(sorted(data.draw(st.lists(st.integers(-2, 6), min_size=1, max_size=4)))[::-1])
    )
    rules = replace(rules, tie_break=tie_break)
    points = data.draw(st.lists(st.integers(0, 9), min_size=7, max_size=7))
    strokes = data.draw(st.lists(st.integers(0, 2), min_size=7, max_size=7))
    standing = {
        number: Held(own, (count,) if tie_break else ())
        for number, (own, count) in enumerate(zip(points, strokes, strict=True), start=1)
    }
    tables: list[tuple[int, ...]] = data.draw(
        st.sampled_from(
            [[(1, 2, 3), (4, 5, 6)], [(1, 2, 3)], [(4, 5, 6)], [(2, 3, 4, 5)], [(6, 1)], [(1, 2, 99), (3, 4)]]
        )
    )
    ends = list(every_end(standing, tables, rules))
    for player in standing:
        found = rank_bounds(player, standing, tables, rules)
        ranks = {end[player] for end in ends}
        assert (found.best_rank, found.worst_rank) == (min(ranks), max(ranks))
