"""The pages of the wall: what is shown in which phase of the evening, cut so that ten metres are no distance.

welcome     nothing is released yet
winner      the tournament is decided
seating     who sits where, by name, as long as a table has not begun
play        which tables are done, and how many strokes have fallen
onward      knockout, between two rounds: who goes on, and from which table
standings   by rank
pause       a round is over, and there is nothing to show yet
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

from scoring.queries.hall import Hall, HallRow, HallSeat

Kind = Literal["welcome", "winner", "seating", "play", "onward", "standings", "pause"]

MOST_ROWS = 12
MOST_WINNERS = 5
LONGEST_NAME_IN_TWO_COLUMNS = 20
NUMBER_BESIDE_A_NAME = 7


@dataclass(frozen=True, slots=True)
class WallPage:
    """One picture. columns: side by side, each of at most MOST_ROWS rows. number, of: among all pages."""

    kind: Kind
    columns: tuple[Sequence[Any], ...] = ()
    place: int = 1
    number: int = 1
    of: int = 1

    @property
    def key(self) -> str:
        """The same for the same page after an update, also when others came before it."""
        return f"{self.kind}-{self.place}"

    @property
    def rows(self) -> Sequence[Any]:
        return self.columns[0] if self.columns else ()


def wall_pages(hall: Hall) -> list[WallPage]:
    """In the order in which they are shown, round and round."""
    pages = _pages(hall)
    return [replace(page, number=number, of=len(pages)) for number, page in enumerate(pages, start=1)]


def _pages(hall: Hall) -> list[WallPage]:
    standings = _paged("standings", hall.rows) if hall.board.has_results else []
    if hall.winners and standings:
        return [_winner(hall), *standings]
    if hall.round is None:
        return [WallPage("welcome")]
    if hall.round.is_closed:
        return [*_named("onward", hall.going_on, hall.namesakes), *standings] or [WallPage("pause")]
    in_play = [] if hall.round.is_done else _of_the_round(hall)
    return [*in_play, *standings] or [WallPage("pause")]


def _of_the_round(hall: Hall) -> list[WallPage]:
    assert hall.round is not None
    play = _paged("play", hall.round.tables) if hall.round.is_begun else []
    return [*_named("seating", hall.round.on_their_way, hall.namesakes), *play]


def _named(kind: Kind, seats: Sequence[HallSeat], namesakes: Collection[str]) -> list[WallPage]:
    """Two columns where every name fits into half the width, with the number that tells namesakes apart."""
    lengths = [len(seat.name) + (NUMBER_BESIDE_A_NAME if seat.name in namesakes else 0) for seat in seats]
    is_narrow = max(lengths, default=0) <= LONGEST_NAME_IN_TWO_COLUMNS
    return _paged(kind, seats, columns=2 if is_narrow else 1)


def _winner(hall: Hall) -> WallPage:
    """Two columns: who has won, and the ranks after them as far as there is room for all who share one."""
    winners = hall.winners[:MOST_WINNERS]
    others: list[HallRow] = []
    for _rank, group in groupby((row for row in hall.podium if row.rank > 1), key=lambda row: row.rank):
        shared = list(group)
        if len(winners) + len(others) + len(shared) > MOST_WINNERS:
            break
        others += shared
    return WallPage("winner", (winners, others))


def _paged(kind: Kind, rows: Sequence[Any], *, columns: int = 1) -> list[WallPage]:
    """Column after column, page after page."""
    cut = [rows[start : start + MOST_ROWS] for start in range(0, len(rows), MOST_ROWS)]
    pages = [cut[start : start + columns] for start in range(0, len(cut), columns)]
    return [WallPage(kind, tuple(page), place) for place, page in enumerate(pages, start=1)]
