"""What was done to a draw by hand, and what it costs, in words."""

from collections.abc import Mapping

from django import template

from tournaments.core.draw import Step, change_from_dict
from tournaments.draw_words import word_step
from tournaments.models import SeatChange

register = template.Library()


@register.filter
def in_words(step: Step | SeatChange, names: Mapping[int, str]) -> str:
    """A step, or a line of the record; names: by start number."""
    return word_step(change_from_dict(step.data) if isinstance(step, SeatChange) else step, names)


@register.filter
def name_of(player: int, names: Mapping[int, str]) -> str:
    return names[player]
