"""Addresses that lead from the pages of tournaments into those of scoring. Only the project knows both."""

from django import template
from django.urls import reverse

register = template.Library()

_PAGES = {
    "overview": "organiser:overview",
    "seat": "organiser:seat",
    "players": "public:players",
    "substitute": "organiser:substitute",
    "erase_person": "organiser:erase_person",
    "delete": "organiser:delete",
    "delete_practice": "organiser:delete_practice",
}


@register.simple_tag
def leads_to(page: str, *arguments: object) -> str:
    """Return the address of a page of scoring. Raises KeyError for an unknown page."""
    return reverse(_PAGES[page], args=arguments)
