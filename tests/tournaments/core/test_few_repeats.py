"""The draw that lets as few pairs as possible meet again. The counts here share no code with it."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.core.chance import ONE_IN_A_MILLION, chi_square, fixed_seed, probability
from tournaments.core.draw import FEW_REPEATS, Tables, draw
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish

ROOT = Path(__file__).parents[3]


def fives_and_sixes(players: int) -> tuple[int, ...]:
    """Return as many tables of five as possible, the others of six; below 20 players some have four instead."""
    tables = max(players // 5, -(-players // 6))
    return tuple(players // tables + (number < players % tables) for number in range(tables))


def few_repeats(
    seed: str,
    players: Sequence[int],
    history: Sequence[Tables],
    *,
    sizes: Sequence[int] | None = None,
    wishes: Sequence[Wish] = (),
) -> Tables:
    return draw(
        version=2,
        mode=FEW_REPEATS,
        seed=seed,
        players=players,
        sizes=sizes or fives_and_sixes(len(players)),
        history=history,
        wishes=wishes,
    )


def an_evening(
    name: str,
    players: int,
    *,
    rounds: int = 3,
    sizes: Sequence[int] | None = None,
    wishes: Sequence[Wish] = (),
) -> list[Tables]:
    history: list[Tables] = []
    for number in range(rounds):
        seed = fixed_seed(name, players, number)
        history.append(few_repeats(seed, range(1, players + 1), history, sizes=sizes, wishes=wishes))
    return history


def met(rounds: Sequence[Tables]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2)
    )


def repeats(rounds: Sequence[Tables]) -> int:
    return sum(times * (times - 1) // 2 for times in met(rounds).values())


def thrice(rounds: Sequence[Tables]) -> int:
    return sum(times > 2 for times in met(rounds).values())


def least(sizes: Sequence[int], tables_before: int) -> int:
    """Return the least number of pairs that meet again at tables of these sizes, filled from so many tables."""
    pairs = 0
    for size in sizes:
        share, more = divmod(size, tables_before)
        pairs += more * (share + 1) * share // 2 + (tables_before - more) * share * (share - 1) // 2
    return pairs


# --- as few as can be ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(10, 61))
def test_three_rounds_reach_the_proven_minimum(players: int) -> None:
    sizes = fives_and_sixes(players)
    for name in ("one", "two", "three"):
        evening = an_evening(name, players)
        assert repeats(evening) == 3 * least(sizes, len(sizes))
        if players > 12:
            assert thrice(evening) == 0


@pytest.mark.parametrize(
    ("players", "pairs"),
    [(10, 24), (11, 30), (12, 36), (13, 12), (15, 18), (20, 12), (24, 24), (25, 0), (26, 3), (27, 6), (28, 9), (29, 12), (30, 0)],
)  # fmt: skip
def test_the_numbers_of_the_fewest_repeats(players: int, pairs: int) -> None:
    assert repeats(an_evening("numbers", players)) == pairs


@pytest.mark.parametrize(("players", "pairs"), [(10, 2), (11, 3), (12, 4), (13, 0)])
def test_nobody_meets_three_times_unless_there_are_only_two_tables(players: int, pairs: int) -> None:
    assert {thrice(an_evening(f"thrice {number}", players)) for number in range(5)} == {pairs}


@pytest.mark.parametrize("players", [16, 20, 32, 48])
def test_at_tables_of_four_nobody_meets_again_from_sixteen_players_on(players: int) -> None:
    assert repeats(an_evening("fours", players, sizes=[4] * (players // 4))) == 0


@pytest.mark.parametrize("players", [100, 301, 2003])
def test_in_a_large_hall_nobody_meets_again(players: int) -> None:
    assert repeats(an_evening("large", players)) == 0


@pytest.mark.parametrize("players", [36, 60])
def test_a_fourth_round_is_drawn_in_the_same_way(players: int) -> None:
    assert repeats(an_evening("four", players, rounds=4)) == 0


def test_a_single_table_is_drawn() -> None:
    evening = an_evening("one table", 6)
    assert [sorted(table) for (table,) in evening] == [[1, 2, 3, 4, 5, 6]] * 3
    assert len({table[0] for (table,) in evening}) == 3


@st.composite
def comings_and_goings(draw: st.DrawFn) -> list[list[int]]:
    """Draw the players of each of three rounds."""
    chance = Random(draw(st.integers(0, 10**9)))
    everybody = list(range(1, draw(st.integers(10, 45)) + 1))
    often = draw(st.sampled_from([0.95, 0.8, 0.5]))
    rounds = [[player for player in everybody if chance.random() < often] for _ in range(3)]
    return [playing if len(playing) > 9 else everybody for playing in rounds]


@settings(max_examples=40, deadline=None)
@given(comings_and_goings(), st.integers(0, 10**9))
def test_where_players_come_and_go_each_round_has_the_fewest_repeats(
    rounds: list[list[int]], number: int
) -> None:
    """The present players of an earlier table are spread over the tables as evenly as possible (de Werra)."""
    history: list[Tables] = []
    for index, players in enumerate(rounds):
        tables = few_repeats(fixed_seed("coming and going", number, index), players, history)
        now = {player: place for place, table in enumerate(tables) for player in table}
        for earlier in history:
            here = [sum(player in now for player in table) for table in earlier]
            again = sum(
                now.get(a, -1) == now.get(b, -2) for table in earlier for a, b in combinations(table, 2)
            )
            assert again == least(here, len(tables))
        history.append(tables)


# --- what else is wished for ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [13, 20, 25, 29, 34, 47, 60, 301])
def test_nobody_is_scribe_twice(players: int) -> None:
    scribes = [table[0] for tables in an_evening("scribes", players) for table in tables]
    assert len(scribes) == len(set(scribes))


@pytest.mark.parametrize("players", [41, 46, 52, 59, 72, 303])
def test_the_larger_tables_are_shared_out(players: int) -> None:
    """No repeat prevents this here; with fewer players one may, and avoiding it comes first."""
    evening = an_evening("sizes", players)
    at_a_six = Counter(
        player for tables in evening for table in tables if len(table) == 6 for player in table
    )
    times = [at_a_six[player] for player in range(1, players + 1)]
    assert max(times) - min(times) <= 1


@pytest.mark.parametrize("players", [30, 40, 60, 100, 300])
def test_neighbours_in_the_queue_sit_apart(players: int) -> None:
    together = met(an_evening("queue", players))
    assert not any(frozenset((player, player + 1)) in together for player in range(1, players))


# --- wishes --------------------------------------------------------------------------------------------------------


def table_of(tables: Tables, player: int) -> int:
    return next(number for number, table in enumerate(tables, start=1) if player in table)


@pytest.mark.parametrize("mode", ["random", FEW_REPEATS])
@pytest.mark.parametrize("players", [10, 13, 25, 30, 47])
def test_wishes_are_granted_in_every_round(mode: str, players: int) -> None:
    wishes: list[Wish] = [
        FixedTable(3, 1),
        FixedTable(7, 2),
        KeepApart(1, 2),
        KeepApart(3, 4),
        KeepApart(1, 9),
    ]
    history: list[Tables] = []
    for number in range(3):
        tables = draw(
            version=2,
            mode=mode,
            seed=fixed_seed("wishes", players, number),
            players=range(1, players + 1),
            sizes=fives_and_sixes(players),
            history=history,
            wishes=wishes,
        )
        history.append(tables)
        assert (table_of(tables, 3), table_of(tables, 7)) == (1, 2)
        assert all(table_of(tables, a) != table_of(tables, b) for a, b in ((1, 2), (3, 4), (1, 9)))
        assert sorted(chain.from_iterable(tables)) == list(range(1, players + 1))


@pytest.mark.parametrize("players", [25, 30, 36, 60])
def test_a_fixed_table_costs_no_repeat(players: int) -> None:
    evening = an_evening(
        "fixed", players, wishes=[FixedTable(5, 2), KeepApart(1, 30 if players >= 30 else 20)]
    )
    assert repeats(evening) == 0


def test_who_has_a_fixed_table_is_not_scribe_each_time() -> None:
    evening = an_evening("fixed scribe", 30, wishes=[FixedTable(5, 2)])
    assert sum(tables[1][0] == 5 for tables in evening) <= 1


def test_as_many_as_there_are_tables_are_kept_apart_from_each_other() -> None:
    wishes = [KeepApart(a, b) for a, b in combinations(range(1, 6), 2)]
    tables = few_repeats(fixed_seed("cliques"), range(1, 26), [], wishes=wishes)
    assert sorted(table_of(tables, player) for player in range(1, 6)) == [1, 2, 3, 4, 5]


def test_two_halves_that_will_not_sit_together() -> None:
    """Ten players are kept apart from ten others: there is only one way, up to the seats and the tables."""
    wishes = [KeepApart(a, b) for a in range(1, 11) for b in range(11, 21)]
    for mode in ("random", FEW_REPEATS):
        seed = fixed_seed("halves")
        tables = draw(
            version=2, mode=mode, seed=seed, players=range(1, 21), sizes=(5, 5, 5, 5), wishes=wishes
        )
        assert all(len({player < 11 for player in table}) == 1 for table in tables)


def refusal_of(call: Callable[[], object]) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code, caught.value.params


@pytest.mark.parametrize(
    ("wishes", "code", "params"),
    [
        ([KeepApart(4, 4)], "same_player", {}),
        ([KeepApart(4, 99)], "wish_not_playing", {"start_number": 99}),
        ([FixedTable(99, 1)], "wish_not_playing", {"start_number": 99}),
        ([FixedTable(4, 6)], "unknown_table", {"table": 6}),
        ([FixedTable(4, 0)], "unknown_table", {"table": 0}),
        ([FixedTable(4, 1), FixedTable(4, 2)], "wish_two_tables", {"start_number": 4}),
        ([FixedTable(n, 2) for n in range(1, 7)], "wish_table_full", {"table": 2, "seats": 5}),
        (
            [KeepApart(4, 7), FixedTable(4, 3), FixedTable(7, 3)],
            "wish_apart_at_one_table",
            {"a": 4, "b": 7, "table": 3},
        ),
        ([KeepApart(a, b) for a, b in combinations(range(1, 7), 2)], "wishes_impossible", {}),
    ],
)
@pytest.mark.parametrize("mode", ["random", FEW_REPEATS])
def test_impossible_wishes_are_refused(
    mode: str, wishes: list[Wish], code: str, params: dict[str, object]
) -> None:
    def ask() -> Tables:
        players = range(1, 26)
        return draw(version=2, mode=mode, seed="0" * 64, players=players, sizes=[5] * 5, wishes=wishes)

    assert refusal_of(ask) == (code, params)


def test_a_repeated_wish_counts_once() -> None:
    wishes: list[Wish] = [FixedTable(4, 2), FixedTable(4, 2), KeepApart(1, 2), KeepApart(2, 1)]
    assert table_of(few_repeats("0" * 64, range(1, 26), [], wishes=wishes), 4) == 2


def test_version_1_of_the_draw_has_no_wishes() -> None:
    wish = FixedTable(1, 1)
    code, _ = refusal_of(
        lambda: draw(version=1, mode="random", seed="0" * 64, players=range(5), sizes=[5], wishes=[wish])
    )
    assert code == "unknown_draw"


# --- chance --------------------------------------------------------------------------------------------------------
#
# Counts of pairs depend on each other, so they are not tested. A player's place in rounds from independent seeds
# is one throw of a die each, so chi-square is sound.

EVENINGS = 300
SHORT_EVENINGS = 100


@pytest.fixture(scope="module")
def seven_tables() -> list[list[Tables]]:
    return [an_evening(f"uniform {number}", 35) for number in range(EVENINGS)]


@pytest.fixture(scope="module")
def two_tables() -> list[list[Tables]]:
    return [an_evening(f"uniform {number}", 7, sizes=(4, 3)) for number in range(SHORT_EVENINGS)]


@pytest.mark.parametrize("index", range(3))
def test_in_every_round_a_player_sits_at_every_table_alike(
    seven_tables: list[list[Tables]], index: int
) -> None:
    for player in range(1, 36):
        counts = Counter(table_of(evening[index], player) for evening in seven_tables)
        expected = dict.fromkeys(range(1, 8), EVENINGS / 7)
        assert probability(chi_square(counts, expected), 6) > ONE_IN_A_MILLION


@pytest.mark.parametrize("index", range(3))
def test_in_every_round_a_player_sits_in_every_seat_alike(two_tables: list[list[Tables]], index: int) -> None:
    """At a four and a three, where every criterion of the draw has an effect."""
    for player in range(1, 8):
        seats = [list(chain.from_iterable(evening[index])).index(player) for evening in two_tables]
        expected = dict.fromkeys(range(7), SHORT_EVENINGS / 7)
        assert probability(chi_square(Counter(seats), expected), 6) > ONE_IN_A_MILLION


def test_the_same_count_detects_a_player_who_keeps_their_table(seven_tables: list[list[Tables]]) -> None:
    """The control: the first player always keeps the seat of the first evening."""
    counts = Counter({table_of(seven_tables[0][0], 1): EVENINGS})
    assert probability(chi_square(counts, dict.fromkeys(range(1, 8), EVENINGS / 7)), 6) < ONE_IN_A_MILLION


# --- the same everywhere -------------------------------------------------------------------------------------------

PRINTED = """
from hashlib import sha256
from tournaments.core.draw import draw
from tournaments.core.wishes import FixedTable, KeepApart
evenings = []
for players, sizes, wishes in (
    (17, (6, 6, 5), []), (29, (6, 6, 6, 6, 5), []), (47, (6, 6, *[5] * 7), [KeepApart(1, 2, "x"), FixedTable(3, 4, "y")]),
    (203, (6, 6, 6, *[5] * 37), []),
):
    history = []
    for number in range(4):
        seed = sha256(f"{players} {number}".encode()).hexdigest()
        history.append(draw(version=2, mode="few_repeats", seed=seed, players={*range(1, players + 1)}, sizes=sizes,
                            history=history, wishes=wishes))
    evenings.append(history)
print(sha256(repr(evenings).encode()).hexdigest())
"""
ALWAYS = "3dd560074c4661d6474f9bbb2b24dde014aa7ee6297c3f107318bae4e7c76ac2"
SEVENTEEN = ((10, 8, 2, 14, 4, 17), (3, 12, 9, 6, 16, 1), (7, 15, 5, 11, 13))


def printed_by(python: str, **environment: str) -> str:
    done = subprocess.run(
        [python, "-c", PRINTED],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def other_pythons() -> dict[str, dict[str, str]]:
    """Return the other installed versions of Python that start, with the variables that pyenv needs for them."""
    programs: dict[str, dict[str, str]] = {}
    for minor in range(11, 20):
        program, environment = shutil.which(f"python3.{minor}"), {"PYENV_VERSION": f"3.{minor}"}
        if program and minor != sys.version_info.minor:
            tried = subprocess.run(
                [program, "-c", ""], env={**os.environ, **environment}, capture_output=True, check=False
            )
            programs |= {program: environment} if tried.returncode == 0 else {}
    return programs


def test_vector() -> None:
    """A draw of version 2 always gives this result."""
    assert few_repeats(bytes(range(32)).hex(), range(1, 18), []) == SEVENTEEN
    assert printed_by(sys.executable) == ALWAYS


@pytest.mark.parametrize("hash_seed", ["1", "4711"])
def test_another_process_with_another_hash_seed_draws_the_same(hash_seed: str) -> None:
    assert printed_by(sys.executable, PYTHONHASHSEED=hash_seed) == ALWAYS


def test_every_version_of_python_draws_the_same() -> None:
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other version of Python here")
    printed = [printed_by(program, **environment) for program, environment in pythons.items()]
    assert printed == [ALWAYS] * len(pythons)


def test_another_seed_is_another_draw() -> None:
    assert few_repeats("0" * 64, range(1, 31), []) != few_repeats("0" * 63 + "1", range(1, 31), [])


def test_the_order_in_which_players_are_named_does_not_matter() -> None:
    history = an_evening("order", 30, rounds=1)
    players = list(range(1, 31))
    assert few_repeats("7" * 64, players, history) == few_repeats("7" * 64, players[::-1], history)


def test_a_history_with_a_player_at_two_tables_is_refused() -> None:
    history: list[Tables] = [((1, 2, 3), (3, 4, 5))]
    assert refusal_of(lambda: few_repeats("0" * 64, range(1, 11), history)) == (
        "player_twice",
        {"start_number": 3},
    )
