"""Random play at a table under rule sheet 1, and the result of the evening, computed independently of the program.

A table's story uses seat numbers, the standings use start numbers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, TypeVar

Fact = tuple[str, dict[str, Any]]
"""Kind and data of an entry."""

POINTS = {1: 6, 2: 4, 3: 3, 4: 2}
LOST_DEALS_UNTIL_OUT = 4
MOST_STROKES = 2
"""The most strokes in a round for any player but the favourite, so that the favourite wins a tie on points."""


@dataclass(frozen=True)
class Deal:
    """A deal: its losers, and its ending with the finisher."""

    losers: tuple[int, ...]
    ended_by: str = "knock"
    finisher: int | None = None

    @property
    def data(self) -> dict[str, Any]:
        return {"losers": list(self.losers), "ended_by": self.ended_by, "finisher": self.finisher}


@dataclass
class Story:
    """The events at a table: all its deals, or only ranks and strokes.

    players: the start numbers by seat.
    """

    round: int
    table: int
    players: dict[int, int]
    deals: list[Deal] = field(default_factory=list)
    placed: dict[int, int] = field(default_factory=dict)
    strokes_only: dict[int, int] = field(default_factory=dict)

    endings: ClassVar = {"knock": 10, "schnauz": 4, "feuer": 1, "handschnauz": 1}
    """The possible endings of a deal, with their weights."""
    all_others_lose: ClassVar[tuple[str, ...]] = ("feuer", "handschnauz")

    @property
    def seats(self) -> list[int]:
        return sorted(self.players)

    def still_in(self, deals: int) -> list[int]:
        """Return the seats that play on after so many deals."""
        lost = Counter(seat for deal in self.deals[:deals] for seat in deal.losers)
        return [seat for seat in self.seats if lost[seat] < LOST_DEALS_UNTIL_OUT]

    @property
    def ranks(self) -> dict[int, int]:
        """The rank of each seat: the last one left is first, every other seat comes after all that outlasted it."""
        if self.placed:
            return self.placed
        after_each_deal = [self.still_in(deals) for deals in range(len(self.deals) + 1)]
        lasted = {seat: sum(seat in still_in for still_in in after_each_deal) for seat in self.seats}
        return {seat: 1 + sum(other > own for other in lasted.values()) for seat, own in lasted.items()}

    @property
    def strokes(self) -> dict[int, int]:
        finished = Counter(deal.finisher for deal in self.deals)
        return {seat: finished[seat] + self.strokes_only.get(seat, 0) for seat in self.seats}

    def facts(self, chance: Random) -> list[Fact]:
        """Return the entries as a phone sends them; on paper a stroke is not marked as Schnauz or Feuer."""
        facts: list[Fact] = [("deal", deal.data) for deal in self.deals]
        for seat, strokes in self.strokes_only.items():
            mark = chance.choice(("schnauz", "feuer"))
            facts += [("stroke", {"seat_number": seat, "mark": mark})] * strokes
        if self.placed:
            facts.append(("ranked", {"ranks": {str(seat): rank for seat, rank in self.placed.items()}}))
        return facts


S = TypeVar("S", bound=Story)


# --- the standings -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """The values of a row in the standings. key: the ranking key, greatest first."""

    key: tuple[int, ...]
    points: int
    strokes: int
    tie_break: list[int]
    by_round: list[int | None]


def ranked(people: Mapping[int, str], lines: Mapping[int, Line]) -> list[dict[str, Any]]:
    """Return the rows of leaderboard.json; equal players share the better rank."""
    keys = [line.key for line in lines.values()]
    rows = [
        {
            "rank": 1 + sum(other > line.key for other in keys),
            "tied": keys.count(line.key) > 1,
            "start_number": number,
            "name": short(people[number]),
            "points": line.points,
            "strokes": line.strokes,
            "tie_break": line.tie_break,
            "by_round": line.by_round,
        }
        for number, line in lines.items()
    ]
    return sorted(rows, key=lambda row: (row["rank"], row["start_number"]))


def leaderboard(people: Mapping[int, str], stories: Iterable[Story], *, rounds: int) -> list[dict[str, Any]]:
    """Return the rows of leaderboard.json, from the results of the tables in `rounds` drawn rounds."""
    by_round: dict[int, list[int | None]] = {number: [None] * rounds for number in people}
    strokes = dict.fromkeys(people, 0)
    for story in stories:
        for seat, number in story.players.items():
            by_round[number][story.round - 1] = POINTS.get(story.ranks[seat], 1)
            strokes[number] += story.strokes[seat]
    points = {number: sum(points or 0 for points in by_round[number]) for number in people}
    return ranked(
        people,
        {n: Line((points[n], strokes[n]), points[n], strokes[n], [strokes[n]], by_round[n]) for n in people},
    )


def figures(row: Mapping[str, Any]) -> list[str]:
    """Return the figures of a row on a page."""
    return [str(row["points"]), str(row["strokes"])]


def short(name: str) -> str:
    """Return a name as shown in public: Sepp H."""
    first, last = name.split()[0], name.split()[-1]
    return f"{first} {last[0]}."


# --- chance --------------------------------------------------------------------------------------------------------


def play_deals(chance: Random, story: S, favourite: int = 0) -> S:
    """Play deals until one player is left, repeated until the favourite (a start number) wins with enough strokes.

    The first deal is a knock with a player other than the favourite who does not lose, so that it can be corrected.
    """
    while True:
        his_seat = next((seat for seat, number in story.players.items() if number == favourite), None)
        winner = his_seat or chance.choice(story.seats)
        played = replace(story, deals=_until_one_is_left(chance, story, winner))
        if played.ranks[winner] == 1 and played.deals[0].ended_by == "knock" and _suits(played, his_seat):
            return played


def _suits(played: Story, favourite: int | None) -> bool:
    return all(
        strokes > MOST_STROKES if seat == favourite else strokes <= MOST_STROKES
        for seat, strokes in played.strokes.items()
    )


def _until_one_is_left(chance: Random, story: Story, winner: int) -> list[Deal]:
    played = replace(story, deals=[])
    while len(still_in := played.still_in(len(played.deals))) > 1:
        before = played.deals[-1].finisher if played.deals else None
        lives = LOST_DEALS_UNTIL_OUT - 1 - sum(winner in deal.losers for deal in played.deals)
        deal = _deal(chance, story, still_in, winner, risky=lives <= 0)
        if deal.finisher is None or deal.finisher != before:  # the same twice might be a double tap
            played.deals.append(deal)
    return played.deals


def _deal(chance: Random, story: Story, still_in: Sequence[int], winner: int, *, risky: bool) -> Deal:
    """Return a random deal. risky: whether the intended winner would be out with one more lost deal."""
    (ended_by,) = chance.choices(list(story.endings), list(story.endings.values()))
    finisher = winner if risky or chance.random() < 0.6 else chance.choice(still_in)
    others = [seat for seat in still_in if seat != finisher]
    if ended_by == "handschnauz" and len(others) == 1:
        ended_by = "schnauz"  # with two players left the phone does not distinguish them
    if ended_by in story.all_others_lose:
        return Deal(tuple(others), ended_by, finisher)
    losers = tuple(sorted(chance.sample(others, min(chance.choice((1, 1, 2, 2, 3)), len(others)))))
    return Deal(losers) if ended_by == "knock" else Deal(losers, ended_by, finisher)


def place(chance: Random, story: S, favourite: int = 0) -> S:
    """Make up ranks and strokes only, as on a paper sheet; sometimes two players share a rank behind the winner."""
    order = chance.sample(story.seats, len(story.seats))
    order.sort(key=lambda seat: story.players[seat] != favourite)
    placed: dict[int, int] = {}
    for index, seat in enumerate(order):
        shares = index > 1 and chance.random() < 0.3
        placed[seat] = placed[order[index - 1]] if shares else index + 1
    strokes = {seat: chance.choice((0, 0, 0, 1, 1, MOST_STROKES)) for seat in story.seats}
    strokes |= {seat: MOST_STROKES + 2 for seat, number in story.players.items() if number == favourite}
    return replace(story, placed=placed, strokes_only=strokes)
