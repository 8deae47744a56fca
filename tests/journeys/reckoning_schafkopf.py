"""Rule sheet 5, computed independently of the program: plus and minus of every game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any

from tests.journeys.reckoning import Fact, Line, ranked

RUF = {"normal": 1, "schneider": 2, "durch": 3}
SOLO = {"normal": (6, 2), "schneider": (9, 3), "durch": (12, 4), "tout": (24, 8)}
"""Points won or lost by the declarer, and by each of the other three."""
CHAIN = ("tout_won", "tout_played", "solo_won", "solo_played")


@dataclass(frozen=True)
class Game:
    """A game with its players and its outcome."""

    declarer: int
    partner: int | None = None
    game: str = "ruf"
    won: bool = True
    level: str = "normal"

    @property
    def data(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "declarer": self.declarer,
            "partner": self.partner,
            "won": self.won,
            "level": self.level,
        }

    def points(self, seat: int) -> int:
        if self.game == "ruf":
            on_his_side = seat in (self.declarer, self.partner)
            return RUF[self.level] if on_his_side == self.won else -RUF[self.level]
        alone, each = SOLO[self.level]
        return (alone if self.won else -alone) if seat == self.declarer else (-each if self.won else each)

    def counts(self, seat: int) -> dict[str, int]:
        """Return the tie-break counts of a player for this game: Solos alone count, a Tout of one in both."""
        is_solo = self.game == "solo" and seat == self.declarer
        is_tout = is_solo and self.level == "tout"
        return dict(zip(CHAIN, (is_tout and self.won, is_tout, is_solo and self.won, is_solo), strict=True))


@dataclass(frozen=True)
class SchafkopfStory:
    """The events at a table. players: the start numbers by seat."""

    round: int
    table: int
    players: dict[int, int]
    games: list[Game] = field(default_factory=list)

    @property
    def seats(self) -> list[int]:
        return sorted(self.players)

    @property
    def points(self) -> dict[int, int]:
        return {seat: sum(game.points(seat) for game in self.games) for seat in self.seats}

    def count(self, seat: int, name: str) -> int:
        return sum(game.counts(seat)[name] for game in self.games)

    def facts(self, chance: Random) -> list[Fact]:
        return [("deal", game.data) for game in self.games]


# --- the standings -------------------------------------------------------------------------------------------------


def leaderboard(
    people: Mapping[int, str],
    stories: Iterable[SchafkopfStory],
    *,
    rounds: int,
    lots: Sequence[Sequence[int]] = (),
) -> list[dict[str, Any]]:
    """Return the rows of leaderboard.json. people: without excluded players.

    lots: start numbers, best first, as drawn between players who are equal in every criterion.
    """
    by_round: dict[int, list[int | None]] = {number: [None] * rounds for number in people}
    chain = {number: dict.fromkeys(CHAIN, 0) for number in people}
    for story in stories:
        points_there = story.points
        for seat, number in story.players.items():
            if number in people:
                by_round[number][story.round - 1] = points_there[seat]
                for name in CHAIN:
                    chain[number][name] += story.count(seat, name)
    lines = {}
    for n in people:
        points, tie_break = sum(filter(None, by_round[n])), [chain[n][name] for name in CHAIN]
        luck = sum(-lot.index(n) for lot in lots if n in lot)
        lines[n] = Line((points, *tie_break, luck), points, 0, tie_break, by_round[n])
    return ranked(people, lines)


def figures(row: Mapping[str, Any]) -> list[str]:
    """Return the figures of a row on a page."""
    tout_won, tout_played, solo_won, solo_played = row["tie_break"]
    return [str(row["points"]).replace("-", "−"), f"{tout_won}/{tout_played}", f"{solo_won}/{solo_played}"]


def lot_of_two(seed: str, players: Sequence[int]) -> list[int]:
    """Return the order of two players, computed from the seed.

    The first eight bytes of SHA-256(seed || 0) determine whether they swap.
    """
    one, other = sorted(players)
    word = int.from_bytes(sha256(bytes.fromhex(seed) + bytes(8)).digest()[:8], "big")
    return [one, other] if word % 2 else [other, one]


# --- chance --------------------------------------------------------------------------------------------------------


def play(chance: Random, story: SchafkopfStory, *, games: int) -> SchafkopfStory:
    """Play a table without a Tout; a caller that needs one adds it."""
    return replace(story, games=[_game(chance, story.seats, is_first=not n) for n in range(games)])


def _game(chance: Random, seats: Sequence[int], *, is_first: bool) -> Game:
    declarer, partner = chance.sample(seats, 2)
    won = chance.random() < 0.6
    if chance.random() < 0.7:
        return Game(declarer, partner, "ruf", won, chance.choice(("normal", "schneider", "durch")))
    levels = ("normal", "schneider") if is_first else ("normal", "schneider", "durch")
    return Game(declarer, None, chance.choice(("solo", "wenz", "farbwenz")), won, chance.choice(levels))
