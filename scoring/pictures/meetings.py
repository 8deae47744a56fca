"""Meetings of players at one table: whom a player has met, and everybody at once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST_LABELS = 12
DARKEST = 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """Another player, and the rounds in which both sat at one table."""

    start_number: int
    rounds: tuple[int, ...]


def met_by(player: int, tables: Iterable[tuple[int, Iterable[int]]]) -> tuple[Meeting, ...]:
    """Return whom a player has met, those met most often first. tables: round and players of each table."""
    rounds: defaultdict[int, list[int]] = defaultdict(list)
    for number, players in tables:
        at_table = set(players)
        if player in at_table:
            for other in at_table - {player}:
                rounds[other].append(number)
    met = [Meeting(other, tuple(sorted(there))) for other, there in rounds.items()]
    return tuple(
        sorted(met, key=lambda meeting: (-len(meeting.rounds), meeting.rounds, meeting.start_number))
    )


@dataclass(frozen=True, slots=True)
class Cells:
    """The fields of all pairs who have met as often. path: squares of 1, as the attribute `d`."""

    times: int
    path: str

    @property
    def shade(self) -> int:
        return min(self.times, DARKEST)


@dataclass(frozen=True, slots=True)
class Label:
    """The start number of a player on the diagonal."""

    start_number: int
    place: float


@dataclass(frozen=True, slots=True)
class Matrix:
    """The picture: a row and a column for each player, in the order of `numbers`. pairs: times by pair, smaller number first."""

    numbers: tuple[int, ...]
    cells: tuple[Cells, ...]
    labels: tuple[Label, ...]
    pairs: tuple[tuple[int, int, int], ...]

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def once(self) -> int:
        return self._count(1)

    @property
    def twice(self) -> int:
        return self._count(2)

    @property
    def more(self) -> int:
        return len(self.pairs) - self.once - self.twice

    def _count(self, wanted: int) -> int:
        return sum(1 for *_pair, times in self.pairs if times == wanted)


def matrix(tables: Iterable[Sequence[int]]) -> Matrix | None:
    """Return the picture of all tables of all rounds; None without any."""
    seatings = [sorted(players) for players in tables]
    numbers = sorted({player for players in seatings for player in players})
    if not numbers:
        return None
    met = Counter(pair for players in seatings for pair in combinations(players, 2))
    place = {number: index for index, number in enumerate(numbers)}
    squares: defaultdict[int, list[str]] = defaultdict(list)
    for (first, other), times in sorted(met.items()):
        for column, row in ((place[first], place[other]), (place[other], place[first])):
            squares[times].append(f"M{column} {row}h1v1h-1z")
    each = -(-len(numbers) // MOST_LABELS)
    return Matrix(
        numbers=tuple(numbers),
        cells=tuple(Cells(times, "".join(squares[times])) for times in sorted(squares)),
        labels=tuple(
            Label(number, (index + 0.5) / len(numbers) * 100)
            for index, number in enumerate(numbers)
            if index % each == 0
        ),
        pairs=tuple(
            sorted(
                ((first, other, times) for (first, other), times in met.items()),
                key=lambda pair: (-pair[2], pair[:2]),
            )
        ),
    )
