"""Prizes in templates."""

from collections.abc import Sequence

from django import template

from scoring.core.prizes import PrizeRow
from scoring.text.prizes import award_gives, row_name
from tournaments.core.fees import FeeKind

register = template.Library()


@register.filter
def gives(prize: PrizeRow) -> str:
    """Return what one player of a prize gets; things that are not divided are named with each of them."""
    return award_gives(prize.cents, prize.things)


@register.filter
def prize_name(prize: PrizeRow, kinds: Sequence[FeeKind]) -> str:
    """Return for what a prize is."""
    return row_name(prize, kinds)
