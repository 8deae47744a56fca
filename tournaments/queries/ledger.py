"""The cash book: every line of every desk with the running total, daily reports, and unpaid fees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from tournaments.core.cash_days import CashDay, LedgerLine, cash_days
from tournaments.core.fees import FeeKind
from tournaments.models import CashDesk, CashEntry, Participant, Payment, Tournament

_ZERO = Value(0)
SIGNED_PAYMENT = Case(When(kind=Payment.Kind.FEE, then=F("cents")), default=-F("cents"))
"""The cents by which a payment changes its desk."""
SIGNED_CENTS = Case(When(takes_back=None, then=F("cents")), default=-F("cents"), output_field=IntegerField())
"""The cents of a line of a desk; negative if it takes another one back."""
SIGNED_ENTRY = Case(
    When(kind__in=[CashEntry.CashKind.OUT, CashEntry.CashKind.TRANSFER], then=-SIGNED_CENTS),
    When(kind=CashEntry.CashKind.COUNT, then=_ZERO),
    default=SIGNED_CENTS,
    output_field=IntegerField(),
)
"""The cents by which a line changes its own desk; a transfer changes another one as well."""
RECEIVED = "received"
"""The kind of the line that a transfer makes at the other desk."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The cash book, oldest line first."""

    lines: tuple[LedgerLine, ...]

    @property
    def total_cents(self) -> int:
        """The cash in all desks."""
        return self.lines[-1].total_cents if self.lines else 0

    @property
    def desks(self) -> tuple[tuple[str, int], ...]:
        """The total in cents of each desk, by name."""
        totals: dict[str, int] = {}
        for line in self.lines:
            totals[line.desk] = totals.get(line.desk, 0) + line.cents
        return tuple(sorted(totals.items()))


def ledger(tournament: Tournament, start_number: int | None = None) -> Ledger:
    """Return all lines, or the payments of one participant. One query."""
    payments = Payment.objects.filter(participant__tournament=tournament)
    if start_number is not None:
        return Ledger(_lines(payments.filter(participant__start_number=start_number)).get(tournament.pk, ()))
    return Ledger(_lines(payments, tournament.cash_entries.all()).get(tournament.pk, ()))


def daily_reports(tournament: Tournament) -> list[CashDay]:
    """Return the report of each desk and day. One query."""
    return _reports(ledger(tournament).lines)


@dataclass(frozen=True, slots=True)
class YearBook:
    """The cash of a year over all tournaments, practice aside. days: with the tournament's name.

    sums: of the columns of all days. in_advance_cents: fees less refunds that never were in a drawer, of tournaments of this year.
    """

    year: int
    days: tuple[tuple[str, CashDay], ...]
    sums: Mapping[str, int]
    in_advance_cents: int


_SUMMED = ("takings_cents", "deposits_cents", "withdrawals_cents", "expenses_cents", "difference_cents")


def year_book(year: int) -> YearBook:
    """Return the cash of a year. Two queries. Money of an evening can be booked months before it or after it."""
    near = Tournament.objects.filter(played_on__year__range=(year - 1, year + 1), is_practice=False)
    played = {tournament.pk: tournament for tournament in near}
    lines = _lines(
        Payment.objects.filter(participant__tournament__in=played),
        CashEntry.objects.filter(tournament__in=played),
    )
    reports = [(played[key].name, day) for key in lines for day in _reports(lines[key])]
    in_advance = [
        line.cents
        for key in lines
        if played[key].played_on.year == year
        for line in lines[key]
        if line.is_in_advance
    ]
    of_year = (report for report in reports if report[1].day.year == year)
    days = sorted(of_year, key=lambda report: (report[1].day, report[0], report[1].desk))
    sums = {column: sum(getattr(day, column) for _name, day in days) for column in _SUMMED}
    return YearBook(year, tuple(days), sums, sum(in_advance))


def _reports(lines: Sequence[LedgerLine]) -> list[CashDay]:
    return cash_days([line for line in lines if not line.is_in_advance], timezone.get_current_timezone())


def _lines(
    payments: QuerySet[Payment], entries: QuerySet[CashEntry] | None = None
) -> dict[int, tuple[LedgerLine, ...]]:
    """Return the lines of each tournament, oldest first, by its id. One query."""
    desks = CashDesk.objects.filter(tournament=OuterRef("participant__tournament"), name=OuterRef("desk"))
    rows = payments.order_by().values_list(
        *("at", _ZERO, "id", "participant__tournament", "by", "desk", "kind", SIGNED_PAYMENT),
        *("participant__start_number", "participant__name", Value(""), _ZERO),
        Exists(desks.filter(is_in_advance=True)),
    )
    if entries is not None:
        rows = rows.union(*_lines_of_desks(entries.order_by()), all=True)
    lines: dict[int, list[LedgerLine]] = {}
    totals: dict[int, int] = {}
    # By time, then payments before lines of desks, each in their order.
    for at, _source, _id, key, by, desk, kind, cents, number, name, reason, counted, in_advance in sorted(
        rows
    ):
        totals[key] = totals.get(key, 0) + (0 if in_advance else cents)
        line = LedgerLine(at, by, desk, kind, cents, totals[key], number, name, reason, counted, in_advance)
        lines.setdefault(key, []).append(line)
    return {key: tuple(lines[key]) for key in lines}


def _lines_of_desks(entries: QuerySet[CashEntry]) -> list[QuerySet[Any, Any]]:
    """Return the lines of the desks, and those that transfers make at the other desk."""
    counted = Case(When(kind=CashEntry.CashKind.COUNT, then=F("cents")), default=_ZERO)
    nobody = (Value(None, output_field=IntegerField()), Value(""))
    in_drawer = Value(value=False, output_field=BooleanField())
    return [
        entries.values_list(
            *("at", Value(1), "id", "tournament", "by", "desk__name", "kind", SIGNED_ENTRY),
            *(*nobody, "reason", counted, in_drawer),
        ),
        entries.filter(kind=CashEntry.CashKind.TRANSFER).values_list(
            *("at", Value(2), "id", "tournament", "by", "to__name", Value(RECEIVED), SIGNED_CENTS),
            *(*nobody, "reason", _ZERO, in_drawer),
        ),
    ]


def cash_total(tournament: Tournament) -> Any:
    """Return an expression: the cash that must be in all desks together, in cents. It depends on no row."""
    in_advance = tournament.desks.filter(is_in_advance=True).order_by().values("name")
    payments = (
        Payment.objects.filter(participant__tournament=tournament).exclude(desk__in=in_advance).order_by()
    )
    entries = tournament.cash_entries.exclude(kind=CashEntry.CashKind.TRANSFER).order_by()
    paid = payments.values("participant__tournament").annotate(sum=Sum(SIGNED_PAYMENT)).values("sum")
    moved = entries.values("tournament").annotate(sum=Sum(SIGNED_ENTRY)).values("sum")
    return Coalesce(Subquery(paid), 0) + Coalesce(Subquery(moved), 0)


def with_balance(people: QuerySet[Participant], kinds: Sequence[FeeKind]) -> QuerySet[Any]:
    """Annotate participants with fee_cents, paid_cents and owed_cents, the one definition of an unpaid player.

    Only players who have checked in, and are neither withdrawn nor excluded, owe the unpaid part of their fee.
    """
    default, *others = kinds
    fee = Case(*(When(fee=kind.key, then=kind.cents) for kind in others), default=Value(default.cents))
    takes_part = Q(withdrawn_at=None, excluded_at=None)
    has_come = ~Q(presence=Participant.Presence.ANNOUNCED)
    payments = Payment.objects.filter(participant=OuterRef("pk")).exclude(kind=Payment.Kind.PAYOUT)
    balance = (
        payments.order_by().values("participant").annotate(balance=Sum(SIGNED_PAYMENT)).values("balance")
    )
    owed = Case(
        When(takes_part & has_come, then=Greatest(F("fee_cents") - F("paid_cents"), 0)), default=Value(0)
    )
    with_payments = people.annotate(fee_cents=fee, paid_cents=Coalesce(Subquery(balance), 0))
    return with_payments.annotate(owed_cents=owed)


@dataclass(frozen=True, slots=True)
class Unpaid:
    """The number of players who owe their fee or a part of it, and the sum."""

    players: int
    cents: int


def unpaid(tournament: Tournament) -> Unpaid:
    """Return how many players owe how much. One query."""
    people = with_balance(Participant.objects.filter(tournament=tournament), tournament.fee_kinds)
    owed = list(people.filter(owed_cents__gt=0).values_list("owed_cents", flat=True))
    return Unpaid(len(owed), sum(owed))
