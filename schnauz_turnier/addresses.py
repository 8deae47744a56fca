"""Addresses for the pages of both apps, which only the project knows.

They lead from the pages of tournaments into those of scoring, and from this machine into the local network.
"""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.urls import reverse

from schnauz_turnier.network import is_loopback, lan_address
from schnauz_turnier.place import starting_command
from tournaments.current_club import public_address

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


@register.simple_tag
def is_only_here() -> bool:
    """Whether PUBLIC_URL, and with it every code and link, leads to this machine only."""
    url = urlsplit(settings.PUBLIC_URL)
    return url.scheme == "http" and is_loopback(url.hostname or "")


@register.inclusion_tag("_only_here.html")
def only_here() -> dict[str, Any]:
    """Warn if no other device can follow a code or a link, and say how to start the program for the local network."""
    port = urlsplit(settings.PUBLIC_URL).port or 80
    lan = lan_address() if is_only_here() else None
    return {
        "is_only_here": is_only_here(),
        "here": public_address(),
        "lan": lan and f"http://{lan}:{port}",
        "command": starting_command(host="0.0.0.0", port=None if port == 8000 else port),
    }
