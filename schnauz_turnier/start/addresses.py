"""Template tags with addresses that only the project knows.

They lead from pages of tournaments to pages of scoring, and from this machine into the local network.
"""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils import timezone

from schnauz_turnier.place import starting_command
from schnauz_turnier.start.address_watch import EVENING
from schnauz_turnier.start.network import is_local, lan_address, leads_here_only
from tournaments.current_club import current_club, public_address
from tournaments.own_address import latest_move, public_url, staff_url

register = template.Library()

_PAGES = {
    "overview": "organiser:overview",
    "seat": "organiser:seat",
    "players": "public:players",
    "substitute": "organiser:substitute",
    "erase_person": "organiser:erase_person",
    "draw_seats": "organiser:draw_seats",
    "read_copy": "organiser:read_copy",
    "read_club": "organiser:read_club",
    "club_file": "organiser:club_file",
    "all_series": "organiser:all_series",
    "club_people": "organiser:club_people",
    "exclude": "organiser:exclude",
    "readmit": "organiser:readmit",
    "again": "organiser:again",
    "delete": "organiser:delete",
    "delete_practice": "organiser:delete_practice",
}


@register.simple_tag
def leads_to(page: str, *arguments: object) -> str:
    """Return the address of a page of scoring. Raises KeyError for an unknown page."""
    return reverse(_PAGES[page], args=arguments)


@register.simple_tag
def is_only_here() -> bool:
    """Whether all codes and links lead to this machine only."""
    return leads_here_only(public_url())


@register.simple_tag
def is_of_this_network() -> bool:
    """Whether nobody outside of the local network can follow codes and links."""
    return is_local(urlsplit(public_url()).hostname or "")


@register.inclusion_tag("_only_here.html")
def only_here() -> dict[str, Any]:
    """Warn if other devices cannot follow codes and links, and say how to start the program for the local network."""
    port = urlsplit(public_url()).port or 80
    lan = lan_address() if is_only_here() else None
    return {
        "is_only_here": is_only_here(),
        "comes_by_itself": settings.FOLLOWS_ADDRESS,
        "here": public_address(),
        "lan": lan and f"http://{lan}:{port}",
        "command": ""
        if current_club()
        else starting_command(host="0.0.0.0", port=None if port == 8000 else port),
    }


@register.inclusion_tag("_new_address.html", takes_context=True)
def new_address(context: Context, *, is_open: bool = False) -> dict[str, Any]:
    """Say that this machine got another address this evening, and what to print again. is_open: whether to show details."""
    move = latest_move()
    is_new = move is not None and bool(move.former) and timezone.now() - move.at < EVENING
    if not is_new or is_only_here():
        return {}
    is_organiser = getattr(context["request"], "role", "") == "organiser"
    slug = getattr(context.get("tournament"), "slug", None) if is_organiser else None
    return {
        "move": move,
        "is_open": is_open,
        "print_url": reverse("organiser:print", args=[slug]) if slug else None,
        "elsewhere": staff_url() or public_address(),
    }
