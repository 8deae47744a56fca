"""Amounts as text: stored in cents, shown as 3,00 €."""

from decimal import Decimal

from django.utils.formats import number_format


def euros(cents: int) -> str:
    """Return „3,00 €“ with a no-break space and a real minus sign."""
    amount = number_format(Decimal(abs(cents)) / 100, decimal_pos=2)
    return f"{'−' if cents < 0 else ''}{amount}\u00a0€"
