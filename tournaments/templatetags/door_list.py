"""Links to other pages of the list of participants."""

from typing import Protocol
from urllib.parse import quote, urlencode

from django import template

register = template.Library()


class ListPart(Protocol):
    """The part of the list that is shown: a search, a choice, the whole list or the latest."""

    @property
    def text(self) -> str: ...

    @property
    def only(self) -> str: ...

    @property
    def every(self) -> bool: ...


@register.simple_tag
def page_query(part: ListPart, number: int) -> str:
    """Return the query of a page of the list that is shown."""
    parts = {"every": "1" if part.every else "", "only": part.only, "q": part.text, "page": str(number)}
    return urlencode({name: value for name, value in parts.items() if value}, safe="/", quote_via=quote)
