"""Daily reports of open cash drawers: what a desk took in a day follows from its counts, not from its receipts.

A day ends at 5 in the morning: an evening that goes past midnight is one day.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

_AFTER_MIDNIGHT = timedelta(hours=5)
_COUNT, _FLOAT = "count", "float"
_RECEIPTS, _EXPENSES = ("fee", "refund"), ("payout", "back")
_DEPOSITS, _WITHDRAWALS = ("in", "received"), ("out", "transfer")


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the cash book. `cents` is negative for what leaves the desk; `total_cents` is the total after the line.

    A transfer is two lines, one at each desk. start_number: None for a line without a player. counted_cents: of a count.
    is_in_advance: the money never was in a drawer; the total is without it.
    """

    at: datetime
    by: str
    desk: str
    kind: str
    cents: int
    total_cents: int
    start_number: int | None
    name: str
    reason: str
    counted_cents: int
    is_in_advance: bool


@dataclass(frozen=True, slots=True)
class CashDay:
    """The report of one desk for one day, in cents.

    opening: what was in the desk before the first fee, the day's float included. closing: what was counted, or without a
    count (`is_counted`) what must be in the desk. receipts: fees less refunds. expenses: prizes less those that came back.
    deposits, withdrawals: with transfers of other desks and to others.
    """

    day: date
    desk: str
    opening_cents: int
    receipts_cents: int
    expenses_cents: int
    deposits_cents: int
    withdrawals_cents: int
    closing_cents: int
    is_counted: bool

    @property
    def takings_cents(self) -> int:
        """Takings of the drawer: its closing and what left it, less what was put into it."""
        left = self.closing_cents + self.withdrawals_cents + self.expenses_cents
        return left - self.deposits_cents - self.opening_cents

    @property
    def difference_cents(self) -> int:
        """The takings beyond the receipts; negative for too little."""
        return self.takings_cents - self.receipts_cents


def cash_days(lines: Iterable[LedgerLine], zone: tzinfo) -> list[CashDay]:
    """Return a report for each desk and day with a line, by day. lines: of one tournament, oldest first."""
    by_day: dict[tuple[date, str], list[LedgerLine]] = {}
    for line in lines:
        day = (line.at.astimezone(zone) - _AFTER_MIDNIGHT).date()
        by_day.setdefault((day, line.desk), []).append(line)
    carried: dict[str, int] = {}
    days = []
    for (day, desk), of_day in sorted(by_day.items()):
        report = _cash_day(day, desk, carried.get(desk, 0), of_day)
        carried[desk] = report.closing_cents
        days.append(report)
    return days


def _cash_day(day: date, desk: str, carried_cents: int, lines: list[LedgerLine]) -> CashDay:
    closing, is_counted = carried_cents, False
    for line in lines:
        is_counted = line.kind == _COUNT
        closing = line.counted_cents if is_counted else closing + line.cents
    return CashDay(
        day=day,
        desk=desk,
        opening_cents=carried_cents + _sum(lines, (_FLOAT,)),
        receipts_cents=_sum(lines, _RECEIPTS),
        expenses_cents=-_sum(lines, _EXPENSES),
        deposits_cents=_sum(lines, _DEPOSITS),
        withdrawals_cents=-_sum(lines, _WITHDRAWALS),
        closing_cents=closing,
        is_counted=is_counted,
    )


def _sum(lines: Iterable[LedgerLine], kinds: Iterable[str]) -> int:
    return sum(line.cents for line in lines if line.kind in kinds)
