"""Benchmark of the draw in mode few_repeats: repeats and processor time over three rounds of the same players.

    .venv/bin/python bench/draw.py [--seeds 200] [--players 10 25 60 10000]

*bound*     the minimum of repeats in three rounds
*reached*   the maximum of repeats drawn over all seeds; *mean*: their mean; *thrice*: pairs that met in all rounds
*uniform*   the mean of repeats in mode random
*ms*        processor time of the draw of one round; x: ratio to `random.shuffle` of the same list in the same run

Repeats, bounds and table sizes are computed here by other algorithms than in the draw.
"""

import argparse
import hashlib
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tournaments.core.draw import draw

ROUNDS = 3
PLAYERS = [*range(10, 61), 72, 100, 150, 300, 1000, 10_000]
FEWER_SEEDS_ABOVE, FEWER_SEEDS = 300, {1000: 20, 10_000: 10}

Tables = tuple[tuple[int, ...], ...]


# --- expected values -----------------------------------------------------------------------------------------------


def sizes_of(players: int) -> list[int]:
    """Return table sizes: as few fours as possible, then as few sixes as possible, all others fives."""
    for fours in range(players):
        for sixes in range(players):
            rest = players - 4 * fours - 6 * sixes
            if rest >= 0 and rest % 5 == 0:
                return [6] * sixes + [5] * (rest // 5) + [4] * fours
    raise ValueError(players)


def bound_of(sizes: list[int]) -> int:
    """Return the minimum of repeats: deal each table's players out to all tables in turn, for all pairs of rounds."""
    pairs = 0
    for size in sizes:
        at = [0] * len(sizes)
        for player in range(size):
            pairs += at[player % len(at)]
            at[player % len(at)] += 1
    return pairs * ROUNDS * (ROUNDS - 1) // 2


def repeats_of(rounds: list[Tables]) -> tuple[int, int]:
    """Return the number of pairs that meet again, summed over pairs of rounds, and of pairs that meet in all rounds."""
    tables_of = [
        {player: number for number, table in enumerate(tables) for player in table} for tables in rounds
    ]
    for seats, tables in zip(tables_of, rounds, strict=True):
        if len(seats) != sum(map(len, tables)):
            raise AssertionError("a player sits at two tables")
    repeats = thrice = 0
    for later in range(1, ROUNDS):
        for earlier in range(later):
            cells: dict[tuple[int, int], int] = {}
            for player, table in tables_of[later].items():
                cell = (table, tables_of[earlier][player])
                repeats += cells.get(cell, 0)
                cells[cell] = cells.get(cell, 0) + 1
    always: dict[tuple[int, ...], int] = {}
    for player in tables_of[0]:
        path = tuple(seats[player] for seats in tables_of)
        thrice += always.get(path, 0)
        always[path] = always.get(path, 0) + 1
    return repeats, thrice


# --- measurements --------------------------------------------------------------------------------------------------


@dataclass
class Line:
    """Results of one head count: repeats and pairs met three times per evening, milliseconds per draw."""

    repeats: list[int]
    thrice: list[int]
    took: list[float]


def evenings(players: int, mode: str, seeds: int) -> Line:
    sizes, numbers = sizes_of(players), range(1, players + 1)
    line = Line([], [], [])
    for seed in range(seeds):
        history: list[Tables] = []
        for number in range(ROUNDS):
            text = hashlib.sha256(f"{players} {seed} {number}".encode()).hexdigest()
            started = time.process_time()
            tables = draw(version=2, mode=mode, seed=text, players=numbers, sizes=sizes, history=history)
            line.took.append((time.process_time() - started) * 1000)
            history.append(tables)
        repeats, thrice = repeats_of(history)
        line.repeats.append(repeats)
        line.thrice.append(thrice)
    return line


def shuffle_takes(players: int) -> float:
    """Return the median of the milliseconds of `random.shuffle`."""
    numbers = list(range(1, players + 1))
    times = max(1, 2000 // players)

    def once() -> None:
        for _ in range(times):
            random.shuffle(numbers)

    return statistics.median(timed(once) for _ in range(25)) / times


def timed(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000


def seeds_for(players: int, seeds: int) -> int:
    if players <= FEWER_SEEDS_ABOVE:
        return seeds
    return min(seeds, FEWER_SEEDS.get(players, 20))


def lines(counts: list[int], seeds: int) -> Iterator[tuple[str, bool]]:
    """Yield each line of the report, and whether all draws of it reached the bound."""
    for players in counts:
        bound, often = bound_of(sizes_of(players)), seeds_for(players, seeds)
        drawn, by_lot = evenings(players, "few_repeats", often), evenings(players, "random", often)
        base = shuffle_takes(players)
        mean, worst = statistics.mean(drawn.took), max(drawn.took)
        line = (
            f"{players:6} {often:5} {bound:6} {max(drawn.repeats):7} {statistics.mean(drawn.repeats):7.2f}"
            f" {max(drawn.thrice):6} {statistics.mean(by_lot.repeats):8.1f}"
            f" {mean:8.2f} {worst:8.2f} x{mean / base:7.1f}"
        )
        yield line, max(drawn.repeats) == bound


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; three rounds; x: against random.shuffle")
    print("     n seeds  bound reached    mean thrice  uniform  ms mean    worst")
    missed = []
    for (line, reached), players in zip(lines(options.players, options.seeds), options.players, strict=True):
        print(line, flush=True)
        missed += [] if reached else [players]
    print(f"bound not reached: {missed}" if missed else "bound reached everywhere")


if __name__ == "__main__":
    main()
