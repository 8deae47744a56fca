"""The rows and columns of a printed table sheet that is written deal by deal."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.rulesets.schema import Ruleset


@dataclass(frozen=True, slots=True)
class DealCell:
    """A player's points in a deal; empty on a blank sheet. deals: whether the player deals."""

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
    """Return the text of one of a player's two columns; a dash if the points belong in the other one."""
    if points is None:
        return ""
    return str(points) if points > 0 else "–"


@dataclass(frozen=True, slots=True)
class DealRow:
    """A numbered row. game: the game played. mark: the supervisor's mark, or a note that it is missing.

    is_circled: whether the number has a circle around it.
    """

    number: int
    cells: tuple[DealCell, ...]
    game: str = ""
    mark: str = ""
    is_circled: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """The totals of a player's two columns on a plus-and-minus sheet; all empty on a blank sheet.

    The deduction is the smaller column. It is written in the larger column, from which it is subtracted (RULES 5.4).
    """

    plus: str = ""
    minus: str = ""
    plus_deduction: str = ""
    minus_deduction: str = ""
    result: str = ""


def dealers(rules: Ruleset, seats: Sequence[int], number: int) -> list[bool]:
    """Return for each seat whether it deals in this deal.

    If seat 1 writes, it deals first, then the others in turn (RULES 1.3). An appointed scribe need not deal first.
    """
    if rules.scribe != "seat_1":
        return [False] * len(seats)
    return [index == (number - 1) % len(seats) for index in range(len(seats))]


def empty_row(rules: Ruleset, seats: Sequence[int], number: int) -> DealRow:
    """Return a row to be filled in by hand."""
    return DealRow(number, tuple(DealCell(deals=deals) for deals in dealers(rules, seats, number)))
