"""The pages of the wall: what is shown in which phase of the evening, cut so that ten metres are no distance.

welcome     nothing is released yet
winner      the tournament is decided
seating     who sits where, by name, as long as a table has not begun
play        which tables are done, and how many strokes have fallen
standings   by rank
pause       a round is over, and there is nothing to show yet
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scoring.hall import Hall

Kind = Literal["welcome", "winner", "seating", "play", "standings", "pause"]

MOST_ROWS = 12
MOST_WINNERS = 6
LONGEST_NAME_IN_TWO_COLUMNS = 20


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
        return [WallPage("winner", (hall.podium[:MOST_WINNERS],)), *standings]
    if hall.round is None:
        return [WallPage("welcome")]
    if hall.round.is_closed:
        return standings or [WallPage("pause")]
    in_play = [] if hall.round.is_done else _of_the_round(hall)
    return [*in_play, *standings] or [WallPage("pause")]


def _of_the_round(hall: Hall) -> list[WallPage]:
    assert hall.round is not None
    seating = _seating(hall) if hall.round.somebody_may_be_looking else []
    play = _paged("play", hall.round.tables) if hall.round.is_begun else []
    return [*seating, *play]


def _seating(hall: Hall) -> list[WallPage]:
    """Two columns where every name fits into half the width: a name is never cut."""
    assert hall.round is not None
    seats = hall.round.by_name
    if max(len(seat.name) for seat in seats) > LONGEST_NAME_IN_TWO_COLUMNS:
        return _paged("seating", seats)
    return _paged("seating", seats, columns=2)


def _paged(kind: Kind, rows: Sequence[Any], *, columns: int = 1) -> list[WallPage]:
    """Column after column, page after page."""
    cut = [rows[start : start + MOST_ROWS] for start in range(0, len(rows), MOST_ROWS)]
    pages = [cut[start : start + columns] for start in range(0, len(cut), columns)]
    return [WallPage(kind, tuple(page), place) for place, page in enumerate(pages, start=1)]
