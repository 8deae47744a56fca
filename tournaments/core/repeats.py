"""Who meets whom again: for the preview of a draw.

Tables are as in `draw.py`; a *history* is the tables of the earlier rounds, one `Tables` a round. A pair is
two start numbers, the smaller first.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from tournaments.core.draw import Tables

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two players (start numbers, a < b) at one table, who sat together `times` times before."""

    table_number: int
    a: int
    b: int
    times: int


def pairs_met(history: Iterable[Tables]) -> Counter[Pair]:
    """How often each pair sat at one table; a pair that never met counts 0."""
    return Counter(pair for tables in history for table in tables for pair in combinations(sorted(table), 2))


def repeats(tables: Tables, history: Iterable[Tables]) -> tuple[Repeat, ...]:
    """The pairs at one of `tables` that met before, by table number, then start numbers."""
    met = pairs_met(history)
    return tuple(
        Repeat(number, a, b, met[a, b])
        for number, table in enumerate(tables, start=1)
        for a, b in combinations(sorted(table), 2)
        if (a, b) in met
    )
