"""The spread of the field: how many players have how many points, and where a player stands among them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

from scoring.pictures.shapes import written

MOST_STEPS = 12
PLOT = 6.0
HEAD = 1.75
EDGE = 6


@dataclass(frozen=True, slots=True)
class Step:
    """The players with `first` to `last` points. left, width: per cent; height: in the size of the text."""

    first: int
    last: int
    count: int
    is_own: bool
    left: float
    breadth: float
    tall: float

    @property
    def anchor(self) -> str:
        """Which end of the label lies at `label_x`: near an edge the one that keeps it in the picture."""
        return "start" if self.left < EDGE else "end" if self.left + self.breadth > 100 - EDGE else "middle"

    @property
    def label_x(self) -> str:
        place = {"start": 0.0, "middle": self.breadth / 2, "end": self.breadth}[self.anchor]
        return written(self.left + place, "%")

    @property
    def y(self) -> str:
        return written(HEAD + PLOT - self.tall, "em")

    @property
    def label_y(self) -> str:
        return written(HEAD + PLOT - self.tall - 0.4, "em")

    @property
    def is_one_value(self) -> bool:
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Spread:
    """The picture. ahead, level, behind: other players with more, as many and fewer points; middle: the median."""

    steps: tuple[Step, ...]
    mine: int
    ahead: int
    level: int
    behind: int
    middle: int

    @property
    def height(self) -> str:
        return written(HEAD + PLOT, "em")

    @property
    def lowest(self) -> int:
        return self.steps[0].first

    @property
    def highest(self) -> int:
        return self.steps[-1].last


def spread(points: Sequence[int], mine: int) -> Spread | None:
    """Return the picture of everybody's points; None unless they differ. mine: those of the player pointed out."""
    if len(set(points)) < 2 or mine not in points:
        return None
    lowest, highest = min(points), max(points)
    size = -(-(highest - lowest + 1) // MOST_STEPS)
    number = -(-(highest - lowest + 1) // size)
    counts = Counter((value - lowest) // size for value in points)
    tallest = max(counts.values())
    width = 100 / number
    steps = tuple(
        Step(
            first=lowest + index * size,
            last=min(lowest + (index + 1) * size - 1, highest),
            count=counts[index],
            is_own=index == (mine - lowest) // size,
            left=index * width + width * 0.08,
            breadth=width * 0.84,
            tall=PLOT * counts[index] / tallest,
        )
        for index in range(number)
    )
    ahead, behind = sum(value > mine for value in points), sum(value < mine for value in points)
    return Spread(steps, mine, ahead, len(points) - ahead - behind - 1, behind, median_low(points))
