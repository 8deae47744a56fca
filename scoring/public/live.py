"""What the public pages are made of, rendered once for each audience and language.

Audiences: `data` (programs), `players` (the page on sixty phones), `screen` (the wall; `screen-2` and so on the further ones, which may show
something else), `tree` (of a knockout). Each is a dictionary of parts: the data, or the HTML of a fragment under the id of its root element. Page views and the stream of events
get the same parts.
"""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any

import segno
import segno.helpers
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from scoring.models import Screen
from scoring.public.data import leaderboard_document, progress_document
from scoring.public.wall import wall_pages
from scoring.queries.bracket import Tree, public_tree
from scoring.queries.public_view import Hall, hall_of
from scoring.queries.screens import SCREENS, Scene, scene_of, wall_prizes
from tournaments.models import Tournament
from tournaments.page_cache import memory
from tournaments.queries.publicity import public_until, tournament_by_slug

Parts = dict[str, Any]


def screen_audience(number: int) -> str:
    """Whom the stream of screen `number` is for."""
    return "screen" if number == 1 else f"screen-{number}"


AUDIENCES = ("data", "players", *map(screen_audience, SCREENS), "tree")


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


def screen_context(slug: str, number: int, *, page: int = 1) -> dict[str, Any]:
    """What screen `number` shows. page: the one that is shown where no script turns the pages."""
    hall = kept_hall(slug, full_names=True)
    scene = memory.recall(slug, ("scene", number), partial(scene_of, slug, number))
    prizes = wall_prizes(hall.tournament, scene) if scene.kind == Screen.Scene.PRIZES else None
    pages = wall_pages(hall, scene, prizes)
    shown = (page - 1) % len(pages) + 1
    return {
        "tournament": hall.tournament,
        "hall": hall,
        "scene": scene,
        "prizes": prizes,
        "pages": pages,
        "shown": shown,
        "next": shown % len(pages) + 1,
        "previous": (shown - 2) % len(pages) + 1,
        "address": _address(hall),
        "code": _code(segno.make(_address(hall), micro=False)),
        "wifi_code": _code(_wifi(scene)) if scene.network and scene.kind == Screen.Scene.WELCOME else "",
    }


def _code(code: segno.QRCode) -> str:
    return code.svg_inline(scale=1, border=2, omitsize=True)


def _wifi(scene: Scene) -> segno.QRCode:
    """What phones read to join a network: WPA where there is a password."""
    security = "WPA" if scene.password else "nopass"
    return segno.helpers.make_wifi(scene.network, scene.password or None, security)


def _address(hall: Hall) -> str:
    return settings.PUBLIC_URL + reverse("public:players", args=[hall.tournament.slug])


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


def _screen(slug: str, number: int) -> tuple[Tournament, Parts]:
    context = screen_context(slug, number)
    return context["tournament"], {"screen": render_to_string("scoring/public/_screen.html", context)}


def _tree(slug: str) -> tuple[Tournament, Parts]:
    tree = public_tree(slug)
    if tree is None:
        return tournament_by_slug(slug), {}
    return tree.tournament, {"tree": render_to_string("scoring/_bracket.html", tree_context(tree))}


_RENDERERS: Mapping[str, Callable[[str], tuple[Tournament, Parts]]] = {
    "data": _data,
    "players": _players,
    **{screen_audience(number): partial(_screen, number=number) for number in SCREENS},
    "tree": _tree,
}
