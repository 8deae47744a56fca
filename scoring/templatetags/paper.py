"""How things are set on paper."""

from django import template

register = template.Library()

_LONG, _VERY_LONG = 24, 48


@register.filter
def name_size(name: str) -> str:
    """How large a name is set, so that 80 characters fit where 20 usually stand (data-size in print.css)."""
    if len(name) > _VERY_LONG:
        return "very-long"
    return "long" if len(name) > _LONG else "short"
