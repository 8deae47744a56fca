"""What a table plays, made up by chance, and how the evening ends by the rule sheet: worked out here a second time.

Nothing of the program is used. A table's story is told by seat numbers, the standings by start numbers.
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
"""Of everybody but the favourite, in one round: whoever else wins all his tables has fewer strokes than he."""


@dataclass(frozen=True)
class Deal:
    losers: tuple[int, ...]
    ended_by: str = "knock"
    finisher: int | None = None

    @property
    def data(self) -> dict[str, Any]:
        return {"losers": list(self.losers), "ended_by": self.ended_by, "finisher": self.finisher}


@dataclass
class Story:
    """What happened at a table: all its deals, or only who came where and the strokes.

    players: who sat there, by seat.
    """

    round: int
    table: int
    players: dict[int, int]
    deals: list[Deal] = field(default_factory=list)
    placed: dict[int, int] = field(default_factory=dict)
    strokes_only: dict[int, int] = field(default_factory=dict)

    endings: ClassVar = {"knock": 10, "schnauz": 4, "feuer": 1, "handschnauz": 1}
    """How a deal may end, and how often it does."""
    all_others_lose: ClassVar[tuple[str, ...]] = ("feuer", "handschnauz")

    @property
    def seats(self) -> list[int]:
        return sorted(self.players)

    def still_in(self, deals: int) -> list[int]:
        """Who plays on after so many deals."""
        lost = Counter(seat for deal in self.deals[:deals] for seat in deal.losers)
        return [seat for seat in self.seats if lost[seat] < LOST_DEALS_UNTIL_OUT]

    @property
    def ranks(self) -> dict[int, int]:
        """The last one left is first; everybody else comes after all who outlived him."""
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
        """As a phone sends it; on paper nobody says whether a stroke was a Schnauz or a Feuer."""
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
    """What stands in somebody's row of the standings; key: what he is ranked by, the greatest first."""

    key: tuple[int, ...]
    points: int
    strokes: int
    tie_break: list[int]
    by_round: list[int | None]


def ranked(people: Mapping[int, str], lines: Mapping[int, Line]) -> list[dict[str, Any]]:
    """The rows of leaderboard.json: whoever is equal shares the better rank."""
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
    """The rows of leaderboard.json, from what the tables have played in `rounds` drawn rounds."""
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
    """What the pages show of a row."""
    return [str(row["points"]), str(row["strokes"])]


def short(name: str) -> str:
    """As the public sees a name: Sepp H."""
    first, last = name.split()[0], name.split()[-1]
    return f"{first} {last[0]}."


# --- chance --------------------------------------------------------------------------------------------------------


def play_deals(chance: Random, story: S, favourite: int = 0) -> S:
    """Deals until one is left, made up again until they suit: the favourite (a start number) wins, with strokes.

    The first deal is a knock with somebody beside the favourite who does not lose, for whoever wants to correct it.
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
        if deal.finisher is None or deal.finisher != before:  # the same twice running might be a double tap
            played.deals.append(deal)
    return played.deals


def _deal(chance: Random, story: Story, still_in: Sequence[int], winner: int, *, risky: bool) -> Deal:
    """risky: one more lost deal, and the winner to be would be out."""
    (ended_by,) = chance.choices(list(story.endings), list(story.endings.values()))
    finisher = winner if risky or chance.random() < 0.6 else chance.choice(still_in)
    others = [seat for seat in still_in if seat != finisher]
    if ended_by == "handschnauz" and len(others) == 1:
        ended_by = "schnauz"  # at a table of two the phone cannot tell them apart, and need not
    if ended_by in story.all_others_lose:
        return Deal(tuple(others), ended_by, finisher)
    losers = tuple(sorted(chance.sample(others, min(chance.choice((1, 1, 2, 2, 3)), len(others)))))
    return Deal(losers) if ended_by == "knock" else Deal(losers, ended_by, finisher)


def place(chance: Random, story: S, favourite: int = 0) -> S:
    """Only ranks and strokes, as they stand on a sheet of paper; now and then two share a rank behind the winner."""
    order = chance.sample(story.seats, len(story.seats))
    order.sort(key=lambda seat: story.players[seat] != favourite)
    placed: dict[int, int] = {}
    for index, seat in enumerate(order):
        shares = index > 1 and chance.random() < 0.3
        placed[seat] = placed[order[index - 1]] if shares else index + 1
    strokes = {seat: chance.choice((0, 0, 0, 1, 1, MOST_STROKES)) for seat in story.seats}
    strokes |= {seat: MOST_STROKES + 2 for seat, number in story.players.items() if number == favourite}
    return replace(story, placed=placed, strokes_only=strokes)
