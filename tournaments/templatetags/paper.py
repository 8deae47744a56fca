"""Template filters for print."""

import unicodedata

from django import template

register = template.Library()

_SIZES = ((24, "short"), (50, "long"), (90, "very-long"))
_WIDE = frozenset("mwMW")


@register.filter
def name_size(name: str, club: str = "") -> str:
    """Return the type size of a name (data-size in print.css), so that 80 characters fit where 20 are usual.

    club: printed beside the name.
    """
    width = sum(map(_width, name + club))
    return next((size for most, size in _SIZES if width <= most), "longest")


def _width(character: str) -> float:
    """Return the approximate width, in lower-case letters."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.8
    if character in _WIDE:
        return 1.6
    return 1.25 if character.isupper() else 1.0
