"""The race: ranks over the rounds, as a bump chart of a few players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.core.ranking import Score, standings
from scoring.pictures.shapes import written
from tournaments.rulesets.schema import Ruleset

MOST_ROUNDS = 5
"""Columns that fit beside the names on a narrow phone."""
LEADERS = 5
HEAD = 2.0
ROW = 2.5

Ranks = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Stop:
    """The rank of a player after a round. place: of the row among the players shown, from 0; rows: how many are shown."""

    column: float
    place: int
    rank: int
    rows: int

    @property
    def y(self) -> str:
        """The height in per cent: Chromium does not move lines given in em when the size of the text changes."""
        return written(100 * (HEAD + (self.place + 0.5) * ROW) / (HEAD + self.rows * ROW), "%")


@dataclass(frozen=True, slots=True)
class Runner:
    """A player of the picture. ranks: after all rounds; stops: those of the latest rounds."""

    start_number: int
    is_own: bool
    stops: tuple[Stop, ...]
    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        return self.ranks[-1]

    @property
    def steps(self) -> list[tuple[Stop, Stop]]:
        return list(pairwise(self.stops))


@dataclass(frozen=True, slots=True)
class Column:
    number: int
    place: float


@dataclass(frozen=True, slots=True)
class Race:
    """The picture. runners: by their latest rank; their own player comes last when drawn, so that it lies on top."""

    columns: tuple[Column, ...]
    runners: tuple[Runner, ...]
    rounds: int

    @property
    def drawn(self) -> list[Runner]:
        return sorted(self.runners, key=lambda runner: runner.is_own)

    @property
    def numbers(self) -> range:
        return range(1, self.rounds + 1)

    @property
    def height(self) -> str:
        return written(HEAD + len(self.runners) * ROW, "em")


def ranks_by_round(
    people: Collection[int], scores: Iterable[Score], rules: Ruleset, latest: Ranks
) -> tuple[Ranks, ...]:
    """Return everybody's rank after each round that counts. latest: the ranks shown now, decisions included."""
    decided = [score for score in scores if score.is_decided]
    last = max((score.round_number for score in decided), default=0)
    earlier = [
        standings(
            people,
            [score for score in decided if score.round_number <= number],
            rounds=number,
            ruleset=rules,
        )
        for number in range(1, last)
    ]
    before = [{row.start_number: row.rank for row in rows} for rows in earlier]
    return (*before, latest) if last else ()


def race(
    history: Sequence[Ranks], leaders: Sequence[int], me: int | None = None, *, most: int = MOST_ROUNDS
) -> Race | None:
    """Return the picture of the leaders and of `me`; None before there are two rounds to compare.

    leaders: best first. me: a player to be pointed out, None for none. most: rounds shown; earlier ones are left out.
    """
    players = [*leaders, *([me] if me is not None and me not in leaders else [])]
    if len(history) < 2 or not players or any(player not in ranks for ranks in history for player in players):
        return None
    seen = history[-most:]
    width = 100 / len(seen)
    columns = [
        Column(len(history) - len(seen) + index + 1, (index + 0.5) * width) for index in range(len(seen))
    ]
    order = {player: place for place, player in enumerate(players)}
    stops: dict[int, list[Stop]] = {player: [] for player in players}
    for column, ranks in zip(columns, seen, strict=True):
        best_first = sorted(players, key=lambda player: (ranks[player], order[player]))
        for place, player in enumerate(best_first):
            stops[player].append(Stop(column.place, place, ranks[player], len(players)))
    runners = [
        Runner(player, player == me, tuple(stops[player]), tuple(ranks[player] for ranks in history))
        for player in players
    ]
    return Race(
        tuple(columns), tuple(sorted(runners, key=lambda runner: runner.stops[-1].place)), rounds=len(history)
    )
