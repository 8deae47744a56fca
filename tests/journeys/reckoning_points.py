"""Rule sheet 3, computed independently of the program: points of the hands, deal by deal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

from tests.journeys.reckoning import Fact, Line, ranked

SCHNAUZ, FEUER, HALBES = 35, 33, 31


@dataclass(frozen=True)
class PointsDeal:
    """A deal. values: the value of each hand, by seat. ended_by: the hand on the table that ended it, if any."""

    values: dict[int, int]
    ended_by: str = ""

    @property
    def data(self) -> dict[str, Any]:
        points = {str(seat): value for seat, value in self.values.items()}
        return {"points": points, "ended_by": self.ended_by or None}


@dataclass(frozen=True)
class PointsStory:
    """The events at a table. players: the start numbers by seat."""

    round: int
    table: int
    players: dict[int, int]
    deals: list[PointsDeal] = field(default_factory=list)

    @property
    def seats(self) -> list[int]:
        return sorted(self.players)

    @property
    def points(self) -> dict[int, int]:
        return {seat: sum(deal.values[seat] for deal in self.deals) for seat in self.seats}

    def hands(self, value: int) -> dict[int, int]:
        """Return the number of such hands by seat.

        A hand on the table belongs to no player, and in such a deal no player gets a stroke.
        """
        own = [deal.values for deal in self.deals if not deal.ended_by]
        return {seat: sum(values[seat] == value for values in own) for seat in self.seats}

    def facts(self, chance: Random) -> list[Fact]:
        return [("deal", deal.data) for deal in self.deals]


# --- the standings -------------------------------------------------------------------------------------------------


def leaderboard(
    people: Mapping[int, str], stories: Iterable[PointsStory], *, rounds: int
) -> list[dict[str, Any]]:
    """Return the rows of leaderboard.json: points, then Schnauz, then Feuer."""
    by_round: dict[int, list[int | None]] = {number: [None] * rounds for number in people}
    schnauz: Counter[int] = Counter()
    feuer: Counter[int] = Counter()
    for story in stories:
        points_there, schnauz_there, feuer_there = story.points, story.hands(SCHNAUZ), story.hands(FEUER)
        for seat, number in story.players.items():
            by_round[number][story.round - 1] = points_there[seat]
            schnauz[number] += schnauz_there[seat]
            feuer[number] += feuer_there[seat]
    lines = {}
    for n in people:
        points, tie_break = sum(filter(None, by_round[n])), [schnauz[n], feuer[n]]
        lines[n] = Line((points, *tie_break), points, sum(tie_break), tie_break, by_round[n])
    return ranked(people, lines)


def figures(row: Mapping[str, Any]) -> list[str]:
    """Return the figures of a row on a page."""
    return [str(row["points"]), *map(str, row["tie_break"])]


def deciding(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the criterion that separates each two neighbours who are equal on points."""
    for one, other in pairwise(rows):
        if one["points"] == other["points"]:
            (schnauz, feuer), (less, fewer) = one["tie_break"], other["tie_break"]
            yield "schnauz" if schnauz > less else "feuer" if feuer > fewer else "shared"


# --- chance --------------------------------------------------------------------------------------------------------


@cache
def values_of_hands() -> tuple[int, ...]:
    """Return every value that three of the 32 cards can have; rare ones are repeated so that they occur."""
    worth = {"7": 7, "8": 8, "9": 9, "10": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
    values = {_value(hand, worth) for hand in combinations(product(worth, "ESHL"), 3)}
    return (*sorted(values), *[SCHNAUZ] * 3, *[FEUER] * 3, *[HALBES] * 2)


def _value(hand: tuple[tuple[str, str], ...], worth: Mapping[str, int]) -> int:
    ranks = {rank for rank, _ in hand}
    if len(ranks) == 1:
        return FEUER if "A" in ranks else HALBES
    best = max(sum(worth[rank] for rank, suit in hand if suit == one) for one in "ESHL")
    return SCHNAUZ if best == 31 else best


def play(chance: Random, story: PointsStory, *, deals: int) -> PointsStory:
    """Play a table. There are four aces, so a deal has one Feuer at most."""
    played: list[PointsDeal] = []
    while len(played) < deals:
        values = {seat: chance.choice(values_of_hands()) for seat in story.seats}
        if list(values.values()).count(FEUER) <= 1:
            played.append(PointsDeal(values))
    return replace(story, deals=played)
