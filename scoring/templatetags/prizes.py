"""Prizes in templates."""

from django import template

from scoring.core.prizes import PrizeRow
from scoring.text.prizes import award_gives, row_name

register = template.Library()


@register.filter
def gives(prize: PrizeRow) -> str:
    """Return what one player of a prize gets; things that are not divided are named with each of them."""
    return award_gives(prize.cents, prize.things)


register.filter("prize_name", row_name)
