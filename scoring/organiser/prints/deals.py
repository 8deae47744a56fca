"""The lines of a table sheet that is written deal by deal, empty or from the log.

Hand points: a column a player, what each deal gives and the sum so far. Plus and minus: a pair of columns a player, as
on the sample of rule sheet 5, with total, deduction and result.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.core.entries import Entry
from scoring.core.hand_points import HandPoints
from scoring.core.plus_minus import PlusMinus
from scoring.core.sheet import SheetLog
from scoring.core.sheet_kind import Fact
from scoring.text.entries import game_words, with_sign
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.sheets import SurvivalRules

DEALS_A_PAGE = 40
"""More lines than this cannot be written on by hand; then a table's sheet has several pages."""


@dataclass(frozen=True, slots=True)
class DealCell:
    """What a deal gives a player; empty where somebody writes by hand. deals: whether he gives the cards."""

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
    """One of the two columns of a player: a dash where the deal stands in the other."""
    if points is None:
        return ""
    return str(points) if points > 0 else "–"


@dataclass(frozen=True, slots=True)
class DealRow:
    """A numbered line. game: what was played; mark: the supervisor's, or what a deal still waits for."""

    number: int
    cells: tuple[DealCell, ...]
    game: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """A player's two columns of a plus-and-minus sheet, added up; all empty where somebody writes by hand.

    The deduction is the smaller column, taken off the larger one, where it is written (RULES 5.4).
    """

    plus: str = ""
    minus: str = ""
    plus_deduction: str = ""
    minus_deduction: str = ""
    result: str = ""


def deal_rows(rules: Ruleset, seats: Sequence[int], log: SheetLog | None = None) -> tuple[DealRow, ...]:
    """The lines of all deals of a round; none where nobody writes them one by one, or only their sums are known.

    log: what stands on the sheet.
    """
    sheet = rules.sheet
    if isinstance(sheet, SurvivalRules) or (log and any(fact.kind == "totalled" for fact in log.facts)):
        return ()
    written = () if log is None else tuple(_written(log))
    empty = [_empty_row(rules, seats, number) for number in range(len(written) + 1, sheet.deals + 1)]
    return (*written, *empty)


def columns_of(log: SheetLog | None, seats: Sequence[int]) -> tuple[Columns, ...]:
    """A player's columns each, of a plus-and-minus sheet; empty ones otherwise."""
    state = None if log is None else log.state
    if not isinstance(state, PlusMinus):
        return tuple(Columns() for _seat in seats)
    return tuple(_columns(state, seat) for seat in seats)


def _columns(state: PlusMinus, seat: int) -> Columns:
    result = with_sign(state.result(seat))
    if state.totals is not None:
        return Columns(result=result)
    plus, minus, deduction = state.plus(seat), state.minus(seat), str(state.deduction(seat))
    if plus >= minus:
        return Columns(str(plus), str(minus), deduction, "–", result)
    return Columns(str(plus), str(minus), "–", deduction, result)


def _empty_row(rules: Ruleset, seats: Sequence[int], number: int) -> DealRow:
    return DealRow(number, tuple(DealCell(deals=deals) for deals in _dealers(rules, seats, number)))


def _dealers(rules: Ruleset, seats: Sequence[int], number: int) -> list[bool]:
    """Seat 1 deals first where it writes, then in turn (RULES 1.3); who writes by order need not deal first."""
    if rules.scribe != "seat_1":
        return [False] * len(seats)
    return [index == (number - 1) % len(seats) for index in range(len(seats))]


def _written(log: SheetLog) -> Iterable[DealRow]:
    deals = [fact for fact in log.facts if fact.kind == "deal"]
    if isinstance(log.state, HandPoints):
        return _hand_point_rows(log, deals)
    return _plus_minus_rows(log, log.state, deals) if isinstance(log.state, PlusMinus) else ()


def _hand_point_rows(log: SheetLog, deals: Sequence[Fact]) -> Iterable[DealRow]:
    totals = dict.fromkeys(log.seats, 0)
    for number, fact in enumerate(deals, start=1):
        points: Mapping[int, int] = {int(seat): value for seat, value in fact.data["points"].items()}
        totals = {seat: totals[seat] + points[seat] for seat in log.seats}
        dealers = _dealers(log.ruleset, log.seats, number)
        cells = zip(log.seats, dealers, strict=True)
        yield DealRow(number, tuple(DealCell(points[seat], totals[seat], deals) for seat, deals in cells))


def _plus_minus_rows(log: SheetLog, state: PlusMinus, deals: Sequence[Fact]) -> Iterable[DealRow]:
    initials = _marks(log.entries)
    for number, (fact, deal) in enumerate(zip(deals, state.deals, strict=True), start=1):
        cells = tuple(DealCell() if deal.waits else DealCell(deal.points[seat]) for seat in log.seats)
        mark = _("wartet") if deal.waits else initials(fact)
        yield DealRow(number, cells, game_words(fact.data, str), mark)


def _marks(entries: Iterable[Entry]) -> Callable[[Fact], str]:
    """Whose mark a deal bears; a tick where no initials were given."""
    marked = {entry.data["entry"]: entry.initials or "✓" for entry in entries if entry.kind == "approved"}
    return lambda fact: marked.get(fact.entry_id, "")
