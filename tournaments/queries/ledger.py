"""The cash book: payments of a tournament with their running total, and who owes the fee."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

from tournaments.models import Participant, Payment, Tournament


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the cash book. `cents` is negative for a refund or a payout; `total_cents` is the total after the line."""

    at: datetime
    by: str
    desk: str
    kind: str
    cents: int
    total_cents: int
    start_number: int
    name: str


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
    """Return all payments, or those of one participant. One query."""
    payments = Payment.objects.filter(participant__tournament=tournament).select_related("participant")
    if start_number is not None:
        payments = payments.filter(participant__start_number=start_number)
    lines, total = [], 0
    for payment in payments.order_by("at", "id"):
        cents = payment.cents if payment.kind == Payment.Kind.FEE else -payment.cents
        total += cents
        person = payment.participant
        lines.append(
            LedgerLine(
                at=payment.at,
                by=payment.by,
                desk=payment.desk,
                kind=payment.kind,
                cents=cents,
                total_cents=total,
                start_number=person.start_number,
                name=person.name,
            )
        )
    return Ledger(tuple(lines))


def with_balance(people: QuerySet[Participant], fee_cents: int) -> QuerySet[Any]:
    """Annotate participants with paid_cents and owes_fee, the one definition of an unpaid player.

    A player owes the fee who has come and takes part, present or absent, and has not paid all of it. An announced
    player owes nothing yet.
    """
    takes_part = Q(withdrawn_at=None, excluded_at=None)
    has_come = ~Q(presence=Participant.Presence.ANNOUNCED)
    signed = Case(When(kind=Payment.Kind.FEE, then=F("cents")), default=-F("cents"))
    payments = Payment.objects.filter(participant=OuterRef("pk")).exclude(kind=Payment.Kind.PAYOUT)
    balance = payments.order_by().values("participant").annotate(balance=Sum(signed)).values("balance")
    paid = Coalesce(Subquery(balance), 0)
    owes = Case(
        When(takes_part & has_come & Q(paid_cents__lt=fee_cents), then=True), default=Value(value=False)
    )
    return people.annotate(paid_cents=paid).annotate(owes_fee=owes)


@dataclass(frozen=True, slots=True)
class Unpaid:
    """The number of players who owe their fee, and the sum."""

    players: int
    cents: int


def unpaid(tournament: Tournament) -> Unpaid:
    """Return how many players owe how much. One query."""
    fee = tournament.rules.entry_fee_cents
    people = with_balance(Participant.objects.filter(tournament=tournament), fee).filter(owes_fee=True)
    missing = [fee - cents for cents in people.values_list("paid_cents", flat=True)]
    return Unpaid(len(missing), sum(missing))
