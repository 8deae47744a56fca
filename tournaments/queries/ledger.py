"""The cash book: payments of a tournament with their running total."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Payment, Tournament


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of the cash book. `cents` is negative for a refund; `total_cents` is the total after the line."""

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
