"""Links to other pages of the list of participants."""

from typing import Any
from urllib.parse import quote, urlencode

from django import template

register = template.Library()


@register.simple_tag
def page_query(part: Any, number: int) -> str:
    """Return the query of another page of the list. part: the shown part, a `Selection`."""
    parts = {"every": "1" if part.every else "", "only": part.only, "q": part.text, "page": str(number)}
    return urlencode({name: value for name, value in parts.items() if value}, safe="/", quote_via=quote)
