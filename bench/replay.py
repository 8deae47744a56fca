"""Benchmark of the replay of one table's log, at 100, 1,000 and 10,000 entries.

    .venv/bin/python bench/replay.py [--most 10000]

*confirmations*  the same players confirm again and again; they are not stored, but an old log may hold them
*strokes*        facts, each of which counts
*taken back*     strokes, each of which is taken back at once

All ratios are against the time an entry of the log of 100 entries in the same line: x1.0 is linear.

On two cores the time an entry at 10,000 entries was at most 1.5 times that at 100. With a copy of the log and a search
through it for each entry, it was 16 to 26 times.
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parents[1]))

from scoring.core.entries import Entry
from scoring.core.sheet import replay
from tournaments.rulesets.loader import preset

RULES = preset("schnauz-placing")
SEATS = (1, 2, 3, 4, 5, 6)
SIZES = (100, 1_000, 10_000)
Maker = Callable[[int], Entry]


def entry_id(number: int) -> str:
    return str(UUID(int=number))


def confirmation(number: int) -> Entry:
    return Entry(entry_id(number), "confirmed", {"seat_number": SEATS[number % 6]}, "scribe")


def stroke(number: int) -> Entry:
    return Entry(entry_id(number), "stroke", {"seat_number": SEATS[number % 6], "mark": "schnauz"}, "scribe")


def stroke_or_back(number: int) -> Entry:
    if number % 2:
        return Entry(entry_id(number), "voided", {"entry": entry_id(number - 1)}, "scribe")
    return stroke(number)


def seconds(entries: list[Entry]) -> float:
    """Return the least time of a few replays; short logs are replayed more often."""
    times = []
    for _ in range(max(2, 3_000 // len(entries))):
        gc.collect()
        begun = time.perf_counter()
        replay(RULES, SEATS, entries)
        times.append(time.perf_counter() - begun)
    return min(times)


def measure(name: str, make: Maker, most: int) -> None:
    base = 0.0
    for size in (size for size in SIZES if size <= most):
        each = seconds([make(number) for number in range(size)]) / size
        base = base or each
        print(
            f"{name:14} {size:6,} entries {each * size * 1e3:9.1f} ms {each * 1e6:7.1f} µs an entry x{each / base:5.1f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=SIZES[-1])
    most = parser.parse_args().most
    print(f"{os.cpu_count()} cores; x: the time an entry against that of the log of 100 entries")
    makers = {"confirmations": confirmation, "strokes": stroke, "taken back": stroke_or_back}
    for name, make in makers.items():
        measure(name, make, most)


if __name__ == "__main__":
    main()
