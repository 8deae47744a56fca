"""The lines and columns of a printed table sheet that is written deal by deal."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class DealCell:
    """The points that a deal gives a player; empty on a sheet to be filled in by hand. deals: whether the player deals."""

    points: int | None = None
    total: int | None = None
    deals: bool = False

    @property
    def plus(self) -> str:
        return _column(self.points)

    @property
    def minus(self) -> str:
        return _column(None if self.points is None else -self.points)


def _column(points: int | None) -> str:
    """Return one of the two columns of a player: a dash where the deal stands in the other."""
    if points is None:
        return ""
    return str(points) if points > 0 else "–"


@dataclass(frozen=True, slots=True)
class DealRow:
    """A numbered line. game: the game played. mark: the supervisor's mark, or the word that it is missing."""

    number: int
    cells: tuple[DealCell, ...]
    game: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """The two columns of a player on a plus-and-minus sheet, added up; all empty on a sheet to be filled in by hand.

    The deduction is the smaller column, subtracted from the larger one, where it is written (RULES 5.4).
    """

    plus: str = ""
    minus: str = ""
    plus_deduction: str = ""
    minus_deduction: str = ""
    result: str = ""


def dealers(rules: Ruleset, seats: Sequence[int], number: int) -> list[bool]:
    """Return for each seat whether it deals in this deal.

    Seat 1 deals first where it writes, then in turn (RULES 1.3); a scribe who is appointed need not deal first.
    """
    if rules.scribe != "seat_1":
        return [False] * len(seats)
    return [index == (number - 1) % len(seats) for index in range(len(seats))]


def empty_row(rules: Ruleset, seats: Sequence[int], number: int) -> DealRow:
    """Return a line to be filled in by hand."""
    return DealRow(number, tuple(DealCell(deals=deals) for deals in dealers(rules, seats, number)))
