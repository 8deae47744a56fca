"""The standings of the tournament: points over all rounds, then the tie-breaks of the ruleset (RULES 1.11).

Ranks are standard competition ranks: who is equal shares the better rank, and the ranks that are used up are
left out. Who is equal in everything may be ordered by a decision of the organiser (playoff, lot).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, TypeVar

from tournaments.rulesets.schema import Ruleset


class _Comparable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=_Comparable)
Key = tuple[int, ...]
Decision = Sequence[int]
"""Start numbers of players who were equal, best first."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a player has from one round that counts. points is None while the sheet does not count."""

    start_number: int
    round_number: int
    points: int | None
    strokes: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's row. tied: another row has the same rank. tie_break: in the order of the ruleset's chain.

    by_round: points of each round, None where there was no seat or the sheet does not count yet.
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
        """What decides, most important first; more is better."""
        return (self.points, *self.tie_break)


@dataclass(slots=True)
class _Sum:
    """A player's scores being added up."""

    by_round: list[int | None]
    points: int = 0
    strokes: int = 0

    def add(self, score: Score) -> None:
        if score.points is None:
            return
        self.by_round[score.round_number - 1] = score.points
        self.points += score.points
        self.strokes += score.strokes


_TIE_BREAKS: Mapping[str, Callable[[_Sum], int]] = {"strokes": lambda total: total.strokes}
"""What each name in a ruleset's `tie_break` compares; more is better."""


def competition_ranks(keys: Sequence[K]) -> list[int]:
    """The rank of each key, the greatest first: 1 + the number of greater keys, so 1-2-2-4."""
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
    decisions: Sequence[Decision] = (),
) -> tuple[Standing, ...]:
    """A row for each player (start numbers), sorted by rank, then start number.

    rounds: how many were drawn; a player without a score in one has 0 points for it. Scores of others than
    `players` are left out. decisions: in the order they were recorded. One orders players who are equal on
    the whole key, and counts only where it names all who are equal now; the latest such decides.
    """
    totals = _added_up(players, scores, rounds)
    keys = {player: _ranking_key(total, ruleset) for player, total in totals.items()}
    places = [{number: place for place, number in enumerate(decision)} for decision in reversed(decisions)]
    rows: list[Standing] = []
    best_first = sorted(sorted(keys), key=keys.__getitem__, reverse=True)
    for key, group in groupby(best_first, key=keys.__getitem__):
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
                    tie_break=key[1:],
                    by_round=tuple(total.by_round),
                )
            )
    return tuple(rows)


def _added_up(players: Iterable[int], scores: Iterable[Score], rounds: int) -> dict[int, _Sum]:
    totals = {player: _Sum([None] * rounds) for player in players}
    for score in scores:
        if score.start_number in totals:
            totals[score.start_number].add(score)
    return totals


def _ranking_key(total: _Sum, ruleset: Ruleset) -> Key:
    return (total.points, *(_TIE_BREAKS[name](total) for name in ruleset.tie_break))


def _decided(equal: Sequence[int], places: Iterable[Mapping[int, int]]) -> list[int] | None:
    """Players who are equal, in the order of the first of these decisions that names them all."""
    if len(equal) == 1:
        return None
    for place in places:
        if all(player in place for player in equal):
            return sorted(equal, key=place.__getitem__)
    return None
