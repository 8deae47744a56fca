"""The cash book: every line of every desk with the running total, and unpaid fees."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce, Greatest

from tournaments.core.fees import FeeKind
from tournaments.models import CashEntry, Participant, Payment, Tournament

_ZERO = Value(0)
SIGNED_PAYMENT = Case(When(kind=Payment.Kind.FEE, then=F("cents")), default=-F("cents"))
"""The cents by which a payment changes its desk."""
SIGNED_ENTRY = Case(
    When(kind__in=[CashEntry.CashKind.FLOAT, CashEntry.CashKind.IN], then=F("cents")),
    When(kind__in=[CashEntry.CashKind.OUT, CashEntry.CashKind.TRANSFER], then=-F("cents")),
    default=_ZERO,
)
"""The cents by which a line changes its own desk; a transfer changes another one as well."""


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the cash book. `cents` is negative for what leaves the desk; `total_cents` is the total after the line.

    A transfer is two lines, one at each desk. start_number: None for a line without a player. counted_cents: of a count.
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


@dataclass(frozen=True, slots=True)
class Ledger:
    """The cash book, oldest line first."""

    lines: tuple[LedgerLine, ...]

    @property
    def total_cents(self) -> int:
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
    payments = Payment.objects.filter(participant__tournament=tournament).order_by()
    if start_number is not None:
        payments = payments.filter(participant__start_number=start_number)
    rows = payments.values_list(
        *("at", _ZERO, "id", "by", "desk", "kind", SIGNED_PAYMENT),
        *("participant__start_number", "participant__name", Value(""), _ZERO),
    )
    if start_number is None:
        rows = rows.union(*_entries(tournament), all=True)
    lines, total = [], 0
    # By time, then payments before lines of desks, each in their order.
    for at, _source, _id, by, desk, kind, cents, number, name, reason, counted in sorted(rows):
        total += cents
        lines.append(LedgerLine(at, by, desk, kind, cents, total, number, name, reason, counted))
    return Ledger(tuple(lines))


def _entries(tournament: Tournament) -> list[QuerySet[Any, Any]]:
    """Return the lines of the desks, and those that transfers make at the other desk."""
    entries = tournament.cash_entries.order_by()
    counted = Case(When(kind=CashEntry.CashKind.COUNT, then=F("cents")), default=_ZERO)
    nobody = (Value(None, output_field=IntegerField()), Value(""))
    return [
        entries.values_list(
            *("at", Value(1), "id", "by", "desk__name", "kind", SIGNED_ENTRY), *nobody, "reason", counted
        ),
        entries.filter(kind=CashEntry.CashKind.TRANSFER).values_list(
            *("at", Value(2), "id", "by", "to__name", "kind", "cents"), *nobody, "reason", _ZERO
        ),
    ]


def cash_total(tournament: Tournament) -> Any:
    """Return an expression: the cents that must be in all desks together. It depends on no row."""
    payments = Payment.objects.filter(participant__tournament=tournament).order_by()
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
