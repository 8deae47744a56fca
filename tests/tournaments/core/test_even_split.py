"""Former companions are spread as evenly as the theorem says, for any earlier rounds."""

from collections import Counter
from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.core.even_split import even_out, split

NOT_THERE = -1


@st.composite
def halls(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Draw players at tables of sizes that differ by at most one, and their tables in one or two earlier rounds.

    The earlier tables have any size, and players may have been absent, as after any coming and going.
    """
    players, tables = draw(st.integers(2, 40)), draw(st.integers(1, 9))
    order = draw(st.permutations(range(players)))
    hall = [list(order[number::tables]) for number in range(min(tables, players))]
    at = st.lists(st.integers(NOT_THERE, 8), min_size=players, max_size=players)
    return hall, draw(st.lists(at, min_size=1, max_size=2))


def table_of(tables: list[list[int]]) -> list[int]:
    tables_by_player = {player: number for number, table in enumerate(tables) for player in table}
    return [tables_by_player[player] for player in range(len(tables_by_player))]


def spread(group: list[int], table_of: list[int], tables: int) -> list[int]:
    """Count the players of a group at each table."""
    counts = Counter(table_of[player] for player in group)
    return [counts[table] for table in range(tables)]


def groups(places: list[int]) -> list[list[int]]:
    by_table: dict[int, list[int]] = {}
    for player, table in enumerate(places):
        if table != NOT_THERE:
            by_table.setdefault(table, []).append(player)
    return list(by_table.values())


@settings(max_examples=300)
@given(halls())
def test_everybody_stays_and_every_table_keeps_its_size(
    hall: tuple[list[list[int]], list[list[int]]],
) -> None:
    tables, rounds = hall
    before, seated = [len(table) for table in tables], table_of(tables)
    even_out(tables, seated, rounds)
    assert [len(table) for table in tables] == before
    assert sorted(chain.from_iterable(tables)) == list(range(len(seated)))
    assert seated == table_of(tables)


@settings(max_examples=300)
@given(halls())
def test_the_players_of_an_earlier_table_are_spread_with_a_difference_of_one_at_most(
    hall: tuple[list[list[int]], list[list[int]]],
) -> None:
    tables, rounds = hall
    seated = table_of(tables)
    even_out(tables, seated, rounds)
    for places in rounds:
        for group in groups(places):
            counts = spread(group, seated, len(tables))
            assert max(counts) - min(counts) <= 1


@settings(max_examples=300)
@given(halls())
def test_pairs_who_met_twice_are_spread_too(hall: tuple[list[list[int]], list[list[int]]]) -> None:
    tables, rounds = hall
    seated = table_of(tables)
    even_out(tables, seated, rounds)
    if len(rounds) == 2:
        for first_round, second_round in combinations([groups(places) for places in rounds], 2):
            for both in (set(first) & set(second) for first in first_round for second in second_round):
                counts = spread(sorted(both), seated, len(tables))
                assert max(counts) - min(counts) <= 1


@given(halls())
def test_the_result_says_whether_players_meet_again(hall: tuple[list[list[int]], list[list[int]]]) -> None:
    tables, rounds = hall
    seated = table_of(tables)
    meet = even_out(tables, seated, rounds)
    again = any(max(spread(group, seated, len(tables))) > 1 for places in rounds for group in groups(places))
    assert meet == again


def test_after_two_rounds_without_repeats_a_third_always_exists() -> None:
    """König: also if players came and went. Four tables of four; 0 to 3 of each round were not in the other."""
    rows = [player // 4 for player in range(16)]
    columns = [player % 4 for player in range(16)]
    for newcomers in range(4):
        first = [*rows[: 16 - newcomers], *[NOT_THERE] * newcomers]
        tables = [list(range(start, start + 4)) for start in range(0, 16, 4)]
        assert not even_out(tables, table_of(tables), [first, columns])


def test_two_tables_are_split_into_halves_of_whom_sat_together() -> None:
    """1 to 5 sat at one table, 6 to 10 at another: each sends two or three to either table."""
    first, second = split([0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [[0] * 5 + [1] * 5])
    assert sorted(len({*half} & {0, 1, 2, 3, 4}) for half in (first, second)) == [2, 3]
    assert sorted([*first, *second]) == list(range(10))
