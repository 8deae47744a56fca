"""The ranks of one player over the rounds, as a short line."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.pictures.shapes import share

TOP, BOTTOM = 26.0, 74.0
"""Where the best and the worst rank lie, in per cent of the height: a rank is written on each."""


@dataclass(frozen=True, slots=True)
class LineStop:
    """The rank after a round. across, down: its place, in per cent."""

    number: int
    rank: int
    across: float
    down: float


@dataclass(frozen=True, slots=True)
class RankLine:
    """The line. stops: by round, at least two."""

    stops: tuple[LineStop, ...]

    @property
    def steps(self) -> list[tuple[LineStop, LineStop]]:
        return list(pairwise(self.stops))


def rank_line(ranks: Sequence[tuple[int, int]], *, most: int) -> RankLine | None:
    """Return the line through ranks by round; None if there are fewer than two. most: rounds shown, the latest ones."""
    seen = ranks[-most:]
    if len(seen) < 2:
        return None
    best, worst = min(rank for _, rank in seen), max(rank for _, rank in seen)
    width = 100 / len(seen)

    def down(rank: int) -> float:
        return TOP + share(rank, best, worst) / 100 * (BOTTOM - TOP) if worst > best else (TOP + BOTTOM) / 2

    return RankLine(
        tuple(
            LineStop(number, rank, (place + 0.5) * width, down(rank))
            for place, (number, rank) in enumerate(seen)
        )
    )
