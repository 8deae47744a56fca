"""What the public pages are made of, rendered once for each audience and language.

Audiences: `data` (programs), `players` (the page on sixty phones), `screen` (the wall), `tree` (of a knockout). Each is a dictionary of
parts: the data, or the HTML of a fragment under the id of its root element. Page views and the stream of events
get the same parts.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any

import segno
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from scoring.queries.hall import Hall, hall_of, leaderboard_document, progress_document
from scoring.queries.tree import Tree, public_tree
from scoring.queries.wall import wall_pages
from tournaments.memory import memory
from tournaments.models import Tournament
from tournaments.queries.publicity import public_until, tournament_by_slug

Parts = dict[str, Any]
AUDIENCES = ("data", "players", "screen", "tree")


def render(slug: str, audience: str, language: str) -> Parts | None:
    """The parts for an audience, in its language; None if there is no such tournament, or its pages are public no more."""
    with translation.override(language):
        try:
            made = partial(_made, slug, audience)
            parts, until = memory.recall(slug, ("parts", audience, language), made)
        except Tournament.DoesNotExist:
            return None
    return parts if timezone.localdate() <= until else None


def _made(slug: str, audience: str) -> tuple[Parts, date]:
    """The parts, and the last day on which they are public."""
    tournament, parts = _RENDERERS[audience](slug)
    return parts, public_until(tournament)


def kept_hall(slug: str, *, full_names: bool = False) -> Hall:
    """As `hall_of`, which is asked only once for as long as nothing changes."""
    return memory.recall(slug, ("hall", full_names), partial(hall_of, slug, full_names=full_names))


def players_context(hall: Hall) -> dict[str, Any]:
    return {"tournament": hall.tournament, "hall": hall}


def tree_context(tree: Tree) -> dict[str, Any]:
    return {"tournament": tree.tournament, "tree": tree}


def screen_context(hall: Hall, *, page: int = 1) -> dict[str, Any]:
    """page: the one that is shown where no script turns the pages."""
    pages = wall_pages(hall)
    shown = (page - 1) % len(pages) + 1
    return {
        "tournament": hall.tournament,
        "hall": hall,
        "pages": pages,
        "shown": shown,
        "next": shown % len(pages) + 1,
        "previous": (shown - 2) % len(pages) + 1,
        "address": _address(hall),
        "code": segno.make(_address(hall), micro=False).svg_inline(scale=1, border=2, omitsize=True),
    }


def _address(hall: Hall) -> str:
    return settings.PUBLIC_URL + reverse("standings:players", args=[hall.tournament.slug])


def _data(slug: str) -> tuple[Tournament, Parts]:
    hall = kept_hall(slug)
    return hall.tournament, {
        "leaderboard": leaderboard_document(hall.board),
        "round": progress_document(hall.round),
    }


def _players(slug: str) -> tuple[Tournament, Parts]:
    hall = kept_hall(slug)
    context = players_context(hall)
    return hall.tournament, {
        "standings": render_to_string("scoring/public/_standings.html", context),
        "seating": render_to_string("scoring/public/_seating.html", context),
    }


def _screen(slug: str) -> tuple[Tournament, Parts]:
    hall = kept_hall(slug, full_names=True)
    context = screen_context(hall)
    return hall.tournament, {"screen": render_to_string("scoring/public/_screen.html", context)}


def _tree(slug: str) -> tuple[Tournament, Parts]:
    tree = public_tree(slug)
    if tree is None:
        return tournament_by_slug(slug), {}
    return tree.tournament, {"tree": render_to_string("scoring/_tree.html", tree_context(tree))}


_RENDERERS: Mapping[str, Callable[[str], tuple[Tournament, Parts]]] = {
    "data": _data,
    "players": _players,
    "screen": _screen,
    "tree": _tree,
}
