"""The draw: complete, repeatable, uniform; and the changes made to it by hand."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.core.chance import ONE_IN_A_MILLION, chi_square, fixed_seed, probability
from tournaments.core.draw import (
    DRAW_VERSION,
    Change,
    Joined,
    Left,
    Moved,
    Replaced,
    Step,
    Swap,
    Tables,
    TakenBack,
    apply_changes,
    change_from_dict,
    draw,
    standing,
    touched,
)
from tournaments.core.random_stream import RandomStream
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.rulesets.loader import preset

COUNTING = bytes(range(32)).hex()
SEVENTEEN = ((7, 15, 5, 3, 9, 10), (8, 2, 14, 4, 1, 11), (12, 13, 6, 16, 17))
ROOT = Path(__file__).parents[3]

seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)
start_numbers = st.sets(st.integers(1, 10_000), min_size=4, max_size=90)


def random_draw(seed: str, players: Iterable[int], sizes: tuple[int, ...]) -> Tables:
    return draw(version=DRAW_VERSION, mode="random", seed=seed, players=players, sizes=sizes)


def refusal_of(call: Callable[[], object]) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code, caught.value.params


def test_vector() -> None:
    """A draw of version 1 always gives this result."""
    tables = draw(version=1, mode="random", seed=COUNTING, players=range(1, 18), sizes=(6, 6, 5))
    assert tables == SEVENTEEN


def test_by_lot_alone_the_second_version_draws_as_the_first() -> None:
    tables = draw(version=2, mode="random", seed=COUNTING, players=range(1, 18), sizes=(6, 6, 5))
    assert tables == SEVENTEEN


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_another_process_with_another_hash_seed_draws_the_same(hash_seed: str) -> None:
    code = (
        "from tournaments.core.draw import draw;"
        f"print(draw(version=1, mode='random', seed='{COUNTING}', players={{*range(1, 18)}}, sizes=(6, 6, 5)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(SEVENTEEN)


@given(seeds, start_numbers)
def test_every_player_sits_once_and_every_table_is_full(seed: str, players: set[int]) -> None:
    sizes = table_sizes(len(players), preset("schnauz-placing").tables).sizes
    tables = random_draw(seed, players, sizes)
    assert tuple(len(table) for table in tables) == sizes
    assert sorted(chain.from_iterable(tables)) == sorted(players)


@given(seeds, start_numbers, st.randoms())
def test_the_order_in_which_players_are_named_does_not_matter(
    seed: str, players: set[int], other_order: random.Random
) -> None:
    sizes = table_sizes(len(players), preset("schnauz-placing").tables).sizes
    shuffled = sorted(players)
    other_order.shuffle(shuffled)
    assert random_draw(seed, shuffled, sizes) == random_draw(seed.upper(), sorted(players), sizes)


def test_another_seed_is_another_draw() -> None:
    assert random_draw("0" * 64, range(1, 18), (6, 6, 5)) != random_draw(
        "0" * 63 + "1", range(1, 18), (6, 6, 5)
    )


def test_a_player_cannot_be_drawn_twice() -> None:
    assert refusal_of(lambda: random_draw(COUNTING, [3, 1, 2, 3], (4,))) == (
        "player_twice",
        {"start_number": 3},
    )


@pytest.mark.parametrize("sizes", [(), (5,), (6, 5), (4, 3), (12, 0), (13, -1)])
def test_seats_and_players_are_as_many(sizes: tuple[int, ...]) -> None:
    code, _ = refusal_of(lambda: random_draw(COUNTING, range(1, 13), sizes))
    assert code == "sizes_do_not_match"


@pytest.mark.parametrize("seed", ["", "0" * 63, "0" * 65, "g" * 64, "0" * 63 + "\n", "٠" * 64])
def test_a_seed_is_64_hexadecimal_digits(seed: str) -> None:
    assert refusal_of(lambda: random_draw(seed, range(4), (4,))) == ("seed_bad", {})


@pytest.mark.parametrize(
    ("version", "mode"), [(0, "random"), (3, "random"), (1, "few_repeats"), (1, "hat"), (2, "")]
)
def test_an_unknown_version_or_mode_is_refused(version: int, mode: str) -> None:
    refusal = refusal_of(
        lambda: draw(version=version, mode=mode, seed=COUNTING, players=range(4), sizes=(4,))
    )
    assert refusal == ("unknown_draw", {"version": version, "mode": mode})


# Uniformity. One player's place in draws from independent seeds is one throw of a die each, so the counts are
# multinomial and chi-square is sound (counts of pairs would depend on each other). The seeds are fixed.

DRAWS = 6000
SIZES = (6, 5)


def fixed_seeds(name: str) -> list[str]:
    return [fixed_seed(name, index) for index in range(DRAWS)]


@pytest.fixture(scope="module")
def many_draws() -> list[Tables]:
    return [random_draw(seed, range(1, 12), SIZES) for seed in fixed_seeds("uniform")]


def test_the_probabilities_are_those_of_a_table_of_chi_square() -> None:
    assert probability(10.828, 1) == pytest.approx(0.001, rel=1e-3)
    assert probability(29.588, 10) == pytest.approx(0.001, rel=1e-3)


@pytest.mark.parametrize("player", range(1, 12))
def test_every_seat_of_the_hall_is_equally_likely(many_draws: list[Tables], player: int) -> None:
    counts = Counter([*chain.from_iterable(tables)].index(player) for tables in many_draws)
    assert probability(chi_square(counts, dict.fromkeys(range(11), DRAWS / 11)), 10) > ONE_IN_A_MILLION


@pytest.mark.parametrize("player", range(1, 12))
def test_every_table_is_as_likely_as_it_has_seats(many_draws: list[Tables], player: int) -> None:
    counts = Counter(
        number for tables in many_draws for number, table in enumerate(tables) if player in table
    )
    expected = {number: DRAWS * size / 11 for number, size in enumerate(SIZES)}
    assert probability(chi_square(counts, expected), 1) > ONE_IN_A_MILLION


@pytest.mark.parametrize("other", range(2, 12))
def test_every_other_is_as_likely_a_table_companion(many_draws: list[Tables], other: int) -> None:
    """Together at one table: 6/11 * 5/10 + 5/11 * 4/10 = 5/11."""
    together = sum(any({1, other} <= set(table) for table in tables) for tables in many_draws)
    expected = {1: DRAWS * 5 / 11, 0: DRAWS * 6 / 11}
    assert (
        probability(chi_square(Counter({1: together, 0: DRAWS - together}), expected), 1) > ONE_IN_A_MILLION
    )


def test_the_same_test_finds_a_shuffle_that_is_not_fair() -> None:
    """The control: exchanging every player with any other, a well-known mistake, is caught."""
    worst = 0.0
    unfair = []
    for seed in fixed_seeds("uniform"):
        stream, players = RandomStream(bytes.fromhex(seed)), list(range(1, 12))
        for i in range(11):
            j = stream.below(11)
            players[i], players[j] = players[j], players[i]
        unfair.append(players)
    for player in range(1, 12):
        counts = Counter(players.index(player) for players in unfair)
        worst = max(worst, chi_square(counts, dict.fromkeys(range(11), DRAWS / 11)))
    assert probability(worst, 10) < ONE_IN_A_MILLION


# Changes by hand.


def test_two_players_swap_seats_across_tables_and_at_one() -> None:
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))
    assert apply_changes(tables, [Swap(2, 7)]) == ((1, 7, 3, 4), (5, 6, 2, 8))
    assert apply_changes(tables, [Swap(1, 4)]) == ((4, 2, 3, 1), (5, 6, 7, 8))
    assert apply_changes(tables, []) == tables


def test_changes_are_made_one_after_the_other() -> None:
    tables = ((1, 2), (3, 4))
    assert apply_changes(tables, [Swap(1, 3), Swap(1, 2)]) == ((3, 1), (2, 4))
    assert apply_changes(tables, [Swap(1, 3), Swap(3, 1)]) == tables


@pytest.mark.parametrize(("swap", "missing"), [(Swap(1, 9), 9), (Swap(9, 1), 9), (Swap(8, 9), 8)])
def test_only_seated_players_can_swap(swap: Swap, missing: int) -> None:
    refusal = refusal_of(lambda: apply_changes(((1, 2), (3, 4)), [swap]))
    assert refusal == ("not_at_a_table", {"start_number": missing})


def test_a_player_cannot_swap_with_themselves() -> None:
    assert refusal_of(lambda: apply_changes(((1, 2),), [Swap(1, 1)])) == ("same_player", {})


def test_a_change_survives_serialisation() -> None:
    assert Swap(2, 7).to_dict() == {"kind": "swap", "a": 2, "b": 7}
    assert change_from_dict({"kind": "swap", "a": 2, "b": 7}) == Swap(2, 7)


@pytest.mark.parametrize(
    ("change", "written", "after"),
    [
        (Left(2), {"kind": "left", "player": 2}, ((1, 3), (4, 5, 6))),
        (Joined(7, 1), {"kind": "joined", "player": 7, "table": 1}, ((1, 2, 3, 7), (4, 5, 6))),
        (Moved(1, 2), {"kind": "moved", "player": 1, "table": 2}, ((2, 3), (4, 5, 6, 1))),
        (Replaced(5, 7), {"kind": "replaced", "player": 5, "substitute": 7}, ((1, 2, 3), (4, 7, 6))),
    ],
)
def test_players_leave_join_move_and_stand_in(
    change: Change, written: dict[str, object], after: Tables
) -> None:
    assert change.apply(((1, 2, 3), (4, 5, 6))) == after
    assert change.to_dict() == written
    assert change_from_dict(written) == change


def test_a_table_that_everybody_has_left_keeps_its_number() -> None:
    assert apply_changes(((1, 2), (3, 4)), [Moved(1, 2), Moved(2, 2)]) == ((), (3, 4, 1, 2))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (Left(9), "not_at_a_table"),
        (Joined(1, 2), "already_at_a_table"),
        (Joined(9, 3), "unknown_table"),
        (Joined(9, 0), "unknown_table"),
        (Moved(9, 1), "not_at_a_table"),
        (Moved(1, 1), "same_table"),
        (Moved(1, 3), "unknown_table"),
        (Replaced(9, 8), "not_at_a_table"),
        (Replaced(1, 2), "already_at_a_table"),
        (Replaced(1, 1), "already_at_a_table"),
    ],
)
def test_an_impossible_change_is_refused(change: Change, code: str) -> None:
    assert refusal_of(lambda: change.apply(((1, 2), (3, 4))))[0] == code


def test_no_table_grows_beyond_the_largest() -> None:
    assert refusal_of(lambda: Joined(99, 1).apply((tuple(range(12)),))) == ("table_full", {"table": 1})


@pytest.mark.parametrize(
    "source",
    [
        {},
        {"kind": "left"},
        {"kind": "joined", "player": 1},
        {"kind": "moved", "player": 1, "table": "2"},
        {"kind": "move", "a": 1, "b": 2},
        {"kind": ["swap"], "a": 1, "b": 2},
        {"kind": "swap", "a": 1},
        {"kind": "swap", "a": 1, "b": "2"},
        {"kind": "swap", "a": True, "b": 2},
        {"kind": "swap", "a": 1, "b": 2, "c": 3},
    ],
)
def test_an_unknown_kind_of_change_is_refused(source: dict[str, object]) -> None:
    code, _ = refusal_of(lambda: change_from_dict(source))
    assert code == "unknown_change"


@given(seeds, start_numbers, st.data())
def test_no_change_loses_or_doubles_anybody(seed: str, players: set[int], data: st.DataObject) -> None:
    sizes = table_sizes(len(players), preset("schnauz-placing").tables).sizes
    pair = st.lists(st.sampled_from(sorted(players)), min_size=2, max_size=2, unique=True)
    swaps = [Swap(a, b) for a, b in data.draw(st.lists(pair, max_size=6))]
    tables = apply_changes(random_draw(seed, players, sizes), swaps)
    assert sorted(chain.from_iterable(tables)) == sorted(players)
    assert tuple(len(table) for table in tables) == sizes


# --- taking back ---------------------------------------------------------------------------------------------------


def test_an_undone_change_has_no_effect() -> None:
    tables: Tables = ((1, 2, 3), (4, 5, 6))
    steps: list[Step] = [Left(1), Moved(4, 1), TakenBack(2), Joined(7, 2)]
    assert standing(steps) == (Joined(7, 2),)
    assert apply_changes(tables, steps) == ((1, 2, 3), (4, 5, 6, 7))
    assert apply_changes(tables, [*steps, TakenBack(1)]) == tables


@pytest.mark.parametrize("steps", [[TakenBack(1)], [Left(1), TakenBack(2)], [Left(1), TakenBack(0)]])
def test_undoing_more_steps_than_were_made_is_refused(steps: list[Step]) -> None:
    assert refusal_of(lambda: apply_changes(((1, 2), (3, 4)), steps))[0] == "nothing_to_take_back"


def test_touched_tables_are_those_whose_seating_differs() -> None:
    assert touched(((1, 2), (3, 4), (5, 6)), ((1, 2), (4, 3))) == (2, 3)
