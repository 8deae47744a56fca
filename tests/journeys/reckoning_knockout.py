"""Rule sheet 4, computed independently of the program: the qualified players, and the last round of each player."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from tests.journeys.reckoning import Line, Story, play_deals, ranked

GO_ON = 2


@dataclass
class KnockoutStory(Story):
    """The events at a table. Feuer ends a deal like Schnauz; only the lowest hands lose."""

    endings: ClassVar = {"knock": 10, "schnauz": 4, "feuer": 2}
    all_others_lose: ClassVar[tuple[str, ...]] = ()

    @property
    def going_on(self) -> set[int]:
        """The start numbers of the qualified players; all who share the rank at the cut go on."""
        return {number for seat, number in self.players.items() if self.ranks[seat] <= GO_ON}


def leaderboard(
    people: Mapping[int, str], stories: Iterable[KnockoutStory], *, rounds: int
) -> list[dict[str, Any]]:
    """Return the rows of leaderboard.json, by last round played, then rank and strokes in that round."""
    by_round: dict[int, list[int | None]] = {number: [None] * rounds for number in people}
    strokes = dict.fromkeys(people, 0)
    lines = {number: Line((0,), 0, 0, [], by_round[number]) for number in people}
    for story in sorted(stories, key=lambda story: story.round):
        for seat, number in story.players.items():
            rank, there = story.ranks[seat], story.strokes[seat]
            by_round[number][story.round - 1] = rank
            strokes[number] += there
            key = (story.round, -rank, there)
            lines[number] = Line(key, story.round, strokes[number], [rank, there], by_round[number])
    return ranked(people, lines)


def figures(*, final: int) -> Callable[[Mapping[str, Any]], list[str]]:
    """Return a function for the figures of a row on a page. final: the number of the final."""

    def shown(row: Mapping[str, Any]) -> list[str]:
        if not row["points"]:
            return ["–", "0"]
        rank, strokes = row["tie_break"]
        reached = "Finale" if row["points"] == final else f"{row['points']}. Runde"
        return [f"{reached}, Rang {rank}", str(strokes)]

    return shown


def play(
    chance: Random,
    story: KnockoutStory,
    *,
    going_on: int,
    by: Callable[[Random, KnockoutStory], KnockoutStory] = play_deals,
) -> KnockoutStory:
    """Play a table, repeated until so many players go on."""
    while True:
        played = by(chance, story)
        if len(played.going_on) == going_on:
            return played
