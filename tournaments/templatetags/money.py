"""Money in templates: stored in cents, shown as 3,00 €."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def euros(cents: int) -> str:
    """„3,00 €“ with a space that does not break and a real minus sign."""
    amount = number_format(Decimal(abs(cents)) / 100, decimal_pos=2)
    return f"{'−' if cents < 0 else ''}{amount}\u00a0€"
