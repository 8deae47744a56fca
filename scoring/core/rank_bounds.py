"""Bounds of a player's final rank during the last round, if ranks at the tables give points (RULES 1.7 to 1.11).

The bounds cover everything that the rules allow, however unlikely. An undecided table may end in any way that has one
winner, with any number of strokes; so strokes can still decide every tie with a player who is still playing. Players
who would be equal share a rank; a later playoff or lot is ignored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Held:
    """A player's result in the rounds that count: points and tie-breaks, the greater the better."""

    points: int
    tie_break: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankBounds:
    """The best and worst rank in the final standings."""

    best_rank: int
    worst_rank: int

    @property
    def is_settled(self) -> bool:
        return self.best_rank == self.worst_rank


def rank_bounds(
    player: int, held: Mapping[int, Held], open_tables: Iterable[Sequence[int]], ruleset: Ruleset
) -> RankBounds:
    """Return the bounds for one of `held` (start numbers of all ranked players), in the last round.

    Ranks at the tables must give points. open_tables: the players at each table whose sheet does not count yet; a
    player missing from `held` (excluded) plays, and is not ranked. All other players keep their result.
    """
    tables = [tuple(table) for table in open_tables]
    own_table = next((table for table in tables if player in table), ())
    fewest = _points(ruleset, len(own_table)) if own_table else 0
    most = _points(ruleset, 1) if own_table else 0
    seated = {other for table in tables for other in table}
    settled = [other for number, other in held.items() if number not in seated and number != player]
    now = held[player]
    ahead_at_best, ahead_at_worst = (
        _Best(now, most, ruleset, plays=bool(own_table)),
        _Worst(now, fewest, ruleset),
    )
    best = sum(ahead_at_best.is_ahead(other, 0) for other in settled)
    worst = sum(_key(other) > (now.points + fewest, now.tie_break) for other in settled)
    for table in tables:
        others = [held[number] for number in table if number in held and number != player]
        best += ahead_at_best.fewest_of(others, first_rank=2 if player in table else 1, seats=len(table))
        worst += ahead_at_worst.most_of(others)
    return RankBounds(best + 1, worst + 1)


def _points(ruleset: Ruleset, rank: int) -> int:
    return ruleset.points_for_rank(rank) or 0


def _key(held: Held) -> tuple[int, tuple[int, ...]]:
    return held.points, held.tie_break


class _Best:
    """The best case: the player does as well as possible, and the others as badly as possible."""

    def __init__(self, now: Held, most: int, ruleset: Ruleset, *, plays: bool) -> None:
        self.points, self.tie_break = now.points + most, now.tie_break
        self.ruleset, self.plays = ruleset, plays

    def allowance(self, other: Held) -> int:
        """Return the most points that do not put the other ahead. A player at an open table can win any tie."""
        level = self.points - other.points
        return level if self.plays or other.tie_break <= self.tie_break else level - 1

    def is_ahead(self, other: Held, points: int) -> bool:
        return points > self.allowance(other)

    def fewest_of(self, others: Sequence[Held], *, first_rank: int, seats: int) -> int:
        """Return the least number of players of a table who come out ahead.

        Unshared ranks give the fewest points. The players with the smallest allowances take the smallest points.
        """
        points = sorted(_points(self.ruleset, rank) for rank in range(first_rank, seats + 1))
        left_behind = 0
        for allowance in sorted(self.allowance(other) for other in others):
            if left_behind < len(points) and points[left_behind] <= allowance:
                left_behind += 1
        return len(others) - left_behind


class _Worst:
    """The worst case: the player does as badly as possible, and the others as well as possible."""

    def __init__(self, now: Held, fewest: int, ruleset: Ruleset) -> None:
        self.points = now.points + fewest
        self.ruleset = ruleset

    def is_ahead(self, other: Held, rank: int) -> bool:
        """Return whether the other is ahead. Strokes, where they break ties, can still win a tie on points."""
        points = other.points + _points(self.ruleset, rank)
        return points > self.points or (points == self.points and bool(self.ruleset.tie_break))

    def most_of(self, others: Sequence[Held]) -> int:
        """Return the greatest number of players of a table who come out ahead: one wins, all others share rank 2."""
        sharing = [other for other in others if self.is_ahead(other, 2)]
        winner = any(self.is_ahead(other, 1) and not self.is_ahead(other, 2) for other in others)
        return len(sharing) + winner
