"""Amounts as text: stored in cents, shown as 3,00 €."""

from decimal import Decimal

from django.utils.formats import number_format


def gain(cents: int) -> str:
    """Return the amount with its sign: „+1,80 €“, „−0,60 €“, or „0,00 €“."""
    return f"+{euros(cents)}" if cents > 0 else euros(cents)


def euros(cents: int) -> str:
    """Return „3,00 €“ with a no-break space and a real minus sign."""
    amount = number_format(Decimal(abs(cents)) / 100, decimal_pos=2)
    return f"{'−' if cents < 0 else ''}{amount}\u00a0€"
