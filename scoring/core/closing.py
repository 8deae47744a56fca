"""The closing of all desks: what the club keeps of an evening."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Closing:
    """Sums of all desks in cents, money paid in advance included.

    payouts: prizes paid out, less what came back. open: prizes in money that nobody has fetched. costs: of the prize plan.
    """

    fees_cents: int
    refunds_cents: int
    payouts_cents: int
    open_cents: int
    costs_cents: int

    @property
    def kept_cents(self) -> int:
        """The cents that the club keeps; negative if it pays."""
        paid = self.refunds_cents + self.payouts_cents + self.open_cents + self.costs_cents
        return self.fees_cents - paid
