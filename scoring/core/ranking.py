"""The standings of the tournament (RULES 1.11, 3.6, 4.3, 5.7).

Points are added up over all rounds, and the tie-breaks of the ruleset decide between equal points. In a knockout the
last round reached counts instead, and the result at the last table decides between equal players.

Ranks are standard competition ranks: equal players share the better rank, and the ranks that are used up are
left out. Players who are equal in everything may be ordered by a decision of the organiser (playoff, lot).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from tournaments.rulesets.schema import Ruleset


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=_Comparable)
Key = tuple[int, ...]
DecidedOrder = Sequence[int]
"""Start numbers of players who were equal, best first."""


class Score(NamedTuple):
    """A player's result in one round.

    rank: at the table; counts: values for tie-breaks. A sheet that gives neither points nor rank does not count.
    """

    start_number: int
    round_number: int
    points: int | None
    strokes: int
    rank: int | None = None
    counts: Mapping[str, int] = MappingProxyType({})

    @property
    def is_decided(self) -> bool:
        return self.points is not None or self.rank is not None

    def value(self, name: str) -> int:
        """Return what this round adds to the tie-break of this name."""
        return self.strokes if name == "strokes" else self.counts.get(name, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's row. tied: another row has the same rank. tie_break: in the order of the ruleset's chain.

    by_round: points of each round, None if there was no seat or the sheet does not count yet. In a knockout, points
    is the last round reached, by_round the rank at the table, and tie_break that of the last table, empty for a
    player without a table.
    """

    start_number: int
    rank: int
    tied: bool
    points: int
    strokes: int
    tie_break: tuple[int, ...]
    by_round: tuple[int | None, ...]

    @property
    def ranking_key(self) -> Key:
        """The sort key, most important value first: equal for players who are equal in everything."""
        return (self.points, *self.tie_break)


@dataclass(frozen=True, slots=True)
class _Total:
    """All rounds of a player taken together. key: the sort key, the greatest first."""

    points: int
    strokes: int
    tie_break: tuple[int, ...]
    by_round: tuple[int | None, ...]
    key: Key


def competition_ranks(keys: Sequence[K]) -> list[int]:
    """Return the rank of each key, the greatest first: 1 + the number of greater keys, so 1-2-2-4."""
    ranks = [0] * len(keys)
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
    for place, index in enumerate(order):
        equal = place > 0 and keys[index] == keys[order[place - 1]]
        ranks[index] = ranks[order[place - 1]] if equal else place + 1
    return ranks


def standings(
    players: Iterable[int],
    scores: Iterable[Score],
    *,
    rounds: int,
    ruleset: Ruleset,
    decisions: Sequence[DecidedOrder] = (),
) -> tuple[Standing, ...]:
    """Return a row for each player (start numbers), sorted by rank, then start number.

    rounds: number of drawn rounds; a player without a score in one has 0 points for it. Scores of others than
    `players` are left out. decisions: in the order they were recorded. A decision orders players who are equal on
    the whole key, and counts only if it names all who are equal now; the latest such decision applies.
    """
    totals = _totals(players, scores, rounds, ruleset)
    keys = {player: total.key for player, total in totals.items()}
    places = [{number: place for place, number in enumerate(decision)} for decision in reversed(decisions)]
    rows: list[Standing] = []
    best_first = sorted(sorted(keys), key=keys.__getitem__, reverse=True)
    for _, group in groupby(best_first, key=keys.__getitem__):
        equal = list(group)
        decided = _decided(equal, places)
        for offset, player in enumerate(decided or equal):
            total = totals[player]
            rows.append(
                Standing(
                    start_number=player,
                    rank=len(rows) + 1 if decided else len(rows) - offset + 1,
                    tied=decided is None and len(equal) > 1,
                    points=total.points,
                    strokes=total.strokes,
                    tie_break=total.tie_break,
                    by_round=total.by_round,
                )
            )
    return tuple(rows)


def _totals(
    players: Iterable[int], scores: Iterable[Score], rounds: int, ruleset: Ruleset
) -> dict[int, _Total]:
    by_player: dict[int, list[Score]] = {player: [] for player in players}
    for score in scores:
        if score.start_number in by_player and score.is_decided:
            by_player[score.start_number].append(score)
    total = _furthest if ruleset.qualifying else _added_up
    return {player: total(played, rounds, ruleset) for player, played in by_player.items()}


def _added_up(played: Sequence[Score], rounds: int, ruleset: Ruleset) -> _Total:
    """Add up points and tie-breaks over the rounds."""
    by_round: list[int | None] = [None] * rounds
    for score in played:
        by_round[score.round_number - 1] = score.points
    points = sum(score.points or 0 for score in played)
    tie_break = tuple(sum(score.value(name) for score in played) for name in ruleset.tie_break)
    strokes = sum(score.strokes for score in played)
    return _Total(points, strokes, tie_break, tuple(by_round), key=(points, *tie_break))


def _furthest(played: Sequence[Score], rounds: int, ruleset: Ruleset) -> _Total:
    """Return the last round reached, with the result at its table; a smaller rank is better (RULES 4.3)."""
    by_round: list[int | None] = [None] * rounds
    for score in played:
        by_round[score.round_number - 1] = score.rank
    strokes = sum(score.strokes for score in played)
    if not played:
        return _Total(0, strokes, (), tuple(by_round), key=(0,))
    last = max(played, key=lambda score: score.round_number)
    rank = last.rank or 0
    tie_break = tuple(rank if name == "rank" else last.value(name) for name in ruleset.tie_break)
    key = tuple(-rank if name == "rank" else last.value(name) for name in ruleset.tie_break)
    return _Total(last.round_number, strokes, tie_break, tuple(by_round), key=(last.round_number, *key))


def _decided(equal: Sequence[int], places: Iterable[Mapping[int, int]]) -> list[int] | None:
    """Return equal players in the order of the first of these decisions that names them all, None without one."""
    if len(equal) == 1:
        return None
    for place in places:
        if all(player in place for player in equal):
            return sorted(equal, key=place.__getitem__)
    return None
