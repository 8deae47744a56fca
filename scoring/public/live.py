"""Content of the public pages, rendered once for each audience and language.

Audiences: `data` (JSON), `players`, `standings` and `tables` (tabs of the page on the phones), `screen` (the wall screen; `screen-2` and so on
for further ones, which may show other scenes), `wall` (the same for a browser that is paired: `wall-2` and so
on), `tree` (the bracket of a knockout). Each is a dictionary of parts: the data, or a fragment of HTML by the
id of its root element. Page views and the event stream get the same parts: a fragment is kept for as long as the view
that it shows, and rendered once.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, TypeVar
from weakref import ref

import segno
import segno.helpers
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language

from scoring.models import Screen
from scoring.public.data import leaderboard_document, progress_document
from scoring.public.pieces import Fragment
from scoring.public.prizes import public_plan
from scoring.public.wall import WallPage, wall_pages
from scoring.queries.bracket import Bracket, public_bracket
from scoring.queries.public_seats import KeptSeats
from scoring.queries.public_view import PublicView, public_view
from scoring.queries.screens import SCREENS, SentScene, scene_of, wall_prizes
from scoring.queries.standings import Leaderboard, visible_standings
from tournaments.current_club import origin
from tournaments.models import Tournament
from tournaments.page_cache import STANDINGS, page_cache
from tournaments.queries.publicity import public_until, tournament_by_slug

SHORT = 12
"""Ranks on the first tab of the players' page."""

Parts = dict[str, Any]

Html = TypeVar("Html", bound=str)


def screen_audience(number: int, *, is_paired: bool) -> str:
    """Return the audience of screen `number`, of browsers that are paired or of all others."""
    name = "wall" if is_paired else "screen"
    return name if number == 1 else f"{name}-{number}"


PAIRED_AUDIENCES = tuple(screen_audience(number, is_paired=True) for number in SCREENS)
_OPEN_SCREENS = tuple(screen_audience(number, is_paired=False) for number in SCREENS)
TABS = ("players", "standings", "tables")
AUDIENCES = ("data", *TABS, *_OPEN_SCREENS, *PAIRED_AUDIENCES, "tree")


def render(slug: str, audience: str, language: str) -> Parts | None:
    """Return the parts for an audience and language; None if there is no such public tournament."""
    with translation.override(language):
        try:
            made = partial(_made, slug, audience)
            parts, until = page_cache.get_or_make(slug, ("parts", audience, language), made)
        except Tournament.DoesNotExist:
            return None
    return parts if timezone.localdate() <= until else None


def _made(slug: str, audience: str) -> tuple[Parts, date]:
    """Return the parts, and the last day on which they are public."""
    tournament, parts = _RENDERERS[audience](slug)
    return parts, public_until(tournament)


def kept_view(slug: str, *, full_names: bool = False, with_moves: bool = False) -> PublicView:
    """Return the result of `public_view`, cached while nothing changes.

    Its standings and seats are cached while no result changes, since an entry that changes none changes no seat either.
    """
    names = {"full_names": full_names, "with_moves": with_moves}

    def make() -> PublicView:
        leaderboard = kept_standings(
            slug, **names
        )  # first: nothing is cached for a tournament that does not exist
        name = (STANDINGS, "seats", ref(leaderboard))
        seats = KeptSeats(page_cache.get(slug, name))
        view = public_view(slug, **names, standings=lambda *_slug, **_names: leaderboard, seats=seats)
        if seats.latest:
            page_cache.get_or_make(slug, name, lambda: seats.latest)
        return view

    return page_cache.get_or_make(slug, ("view", full_names, with_moves), make)


def kept_standings(slug: str, *, full_names: bool = False, with_moves: bool = False) -> Leaderboard:
    """Return the result of `visible_standings`, cached while no result changes."""
    make = partial(visible_standings, slug, full_names=full_names, with_moves=with_moves)
    return page_cache.get_or_make(slug, (STANDINGS, full_names, with_moves), make)


def players_context(view: PublicView) -> dict[str, Any]:
    return {"tournament": view.tournament, "view": view}


def tab_parts(view: PublicView, tab: str) -> Parts:
    """Return the fragments of a tab of the players' page: players, standings or tables."""
    return _TABS[tab](view)


def _first_tab(view: PublicView) -> Parts:
    """Return the fragments of the first tab: the first ranks, and the tables."""
    standings = _standings(view, most=SHORT)
    return {
        **_news(view),
        **_clock(view),
        "joining": _sign_up(view),
        "standings": standings,
        "seating": _seating(view, is_tab=False),
        **_plan(view),
    }


def _standings_tab(view: PublicView) -> Parts:
    return {**_news(view), "standings": _standings(view), **_plan(view)}


def _tables_tab(view: PublicView) -> Parts:
    return {**_news(view), **_clock(view), "seating": _seating(view, is_tab=True)}


_TABS: Mapping[str, Callable[[PublicView], Parts]] = {
    "players": _first_tab,
    "standings": _standings_tab,
    "tables": _tables_tab,
}


def _standings(view: PublicView, *, most: int | None = None) -> Fragment:
    """Return the standings, which stay when only a table has changed. most: so many rows, None for all."""
    context = {**players_context(view), "most": most}
    make = partial(_fragment, "scoring/public/_standings.html", context)
    return _once(view.leaderboard, ("standings", most, _release(view)), make)


def seating(view: PublicView, *, is_tab: bool) -> Fragment:
    """Return the tables of a view that may be of one reader; it is not kept."""
    context = {**players_context(view), "is_tab": is_tab}
    return _fragment("scoring/public/_seating.html", context)


def _seating(view: PublicView, *, is_tab: bool) -> Fragment:
    return _once(view, ("seating", is_tab), partial(seating, view, is_tab=is_tab))


def _news(view: PublicView) -> Parts:
    """Return what the organiser announces on the wall."""
    make = partial(_fragment, "scoring/public/_news.html", players_context(view))
    return {"news": _once(view, "news", make)}


def _clock(view: PublicView) -> Parts:
    make = partial(_fragment, "scoring/public/_clock.html", players_context(view))
    return {"clock": _once(view, "clock", make)}


def _sign_up(view: PublicView) -> Fragment:
    return _once(view, "joining", partial(_fragment, "scoring/public/_sign_up.html", players_context(view)))


def _plan(view: PublicView) -> Parts:
    make = partial(_plan_fragment, view.tournament)
    return {"prizes": _once(view.leaderboard, "prizes", make)}


def _plan_fragment(tournament: Tournament) -> Fragment:
    return _fragment("scoring/public/_prizes.html", {"plan": public_plan(tournament)})


def _release(view: PublicView) -> tuple[int, bool] | None:
    """Return what the standings show of the round."""
    return (view.round.number, view.round.is_closed) if view.round else None


def _once(shown: PublicView | Leaderboard, name: Hashable, make: Callable[[], Html]) -> Html:
    """Return the HTML of this name that shows a kept view or its standings, in the language of now. It is kept as they are."""
    group = STANDINGS if isinstance(shown, Leaderboard) else "html"
    # The reference tells it from the HTML of views that were read before or after, and keeps none of them alive.
    return page_cache.get_or_make(shown.tournament.slug, (group, ref(shown), name, get_language()), make)


def _fragment(template: str, context: dict[str, Any]) -> Fragment:
    return Fragment.of(render_to_string(template, context))


def bracket_context(bracket: Bracket) -> dict[str, Any]:
    return {"tournament": bracket.tournament, "bracket": bracket}


def screen_context(slug: str, number: int, *, is_paired: bool, page: int = 1) -> dict[str, Any]:
    """Return the context of screen `number`. page: the one to show without script.

    Without pairing, names are as on the web, and neither the Wi-Fi nor any prize is shown.
    """
    view = kept_view(slug, full_names=is_paired, with_moves=True)
    scene = page_cache.get_or_make(slug, ("scene", number), partial(scene_of, slug, number))
    if not is_paired:
        scene = replace(scene, network="", password="")
    gives_prizes = is_paired and scene.kind == Screen.Scene.PRIZES
    prizes = wall_prizes(view.tournament, scene) if gives_prizes else None
    plan = public_plan(view.tournament)
    pages = wall_pages(view, scene, prizes, plan=plan.lines if plan else ())
    shown = (page - 1) % len(pages) + 1
    return {
        "tournament": view.tournament,
        "view": view,
        "scene": scene,
        "prizes": prizes,
        "pages": pages,
        "shown": shown,
        "next": shown % len(pages) + 1,
        "previous": (shown - 2) % len(pages) + 1,
        "address": _address(view),
        "code": _code(segno.make(_address(view), micro=False)),
        **sign_up_context(view, renews=is_paired),
        "wifi_code": _code(_wifi(scene)) if scene.network and scene.kind == Screen.Scene.WELCOME else "",
    }


def sign_up_context(view: PublicView, code: str = "", *, renews: bool) -> dict[str, Any]:
    """Return the context of `_screen_sign_up.html`; {} if nobody is invited to register themselves.

    code: that of the hall, never for what is kept or sent to everybody. renews: whether the screen may fetch the code.
    """
    if not view.takes_sign_ups:
        return {}
    address = origin() + reverse("sign_up:form", args=[view.tournament.slug])
    return {
        "tournament": view.tournament,
        "renews": renews,
        "hall_code": code,
        "sign_up_address": address.partition("://")[2],
        "sign_up_qr": _code(segno.make(f"{address}#{code}" if code else address, micro=False)),
    }


def screen_parts(context: dict[str, Any]) -> Parts:
    """Return the fragment of a screen; it is kept unless it shows another page than the first.

    context: of `screen_context`.
    """

    def make() -> Fragment:
        sections = [_section(context, page) for page in context["pages"]]
        return _fragment("scoring/public/_screen.html", {**context, "sections": sections})

    if context["shown"] != 1:
        return {"screen": make()}
    return {"screen": _once(context["view"], ("screen", context["scene"], context["prizes"]), make)}


def _section(context: dict[str, Any], page: WallPage) -> str:
    """Return a page of a screen with the marks of its pieces. What shows the standings alone is kept as long as they are."""
    make = partial(render_to_string, "scoring/public/_screen_page.html", {**context, "page": page})
    if page.kind not in ("standings", "race"):
        return make()
    view = context["view"]
    is_shown = page.number == context["shown"]
    name = ("section", page.key, page.number, page.of, page.large, is_shown, _release(view))
    return _once(view.leaderboard, name, make)


def _code(code: segno.QRCode) -> str:
    return code.svg_inline(scale=1, border=2, omitsize=True)


def _wifi(scene: SentScene) -> segno.QRCode:
    """Return the code that phones read to join a network: WPA if there is a password."""
    security = "WPA" if scene.password else "nopass"
    return segno.helpers.make_wifi(scene.network, scene.password or None, security)


def _address(view: PublicView) -> str:
    return origin() + reverse("public:players", args=[view.tournament.slug])


def _data(slug: str) -> tuple[Tournament, Parts]:
    view = kept_view(slug)
    return view.tournament, {
        "leaderboard": leaderboard_document(view.leaderboard),
        "round": progress_document(view.round),
    }


def _tab(slug: str, tab: str) -> tuple[Tournament, Parts]:
    view = kept_view(slug)
    return view.tournament, tab_parts(view, tab)


def _screen(slug: str, number: int, *, is_paired: bool) -> tuple[Tournament, Parts]:
    context = screen_context(slug, number, is_paired=is_paired)
    return context["tournament"], screen_parts(context)


def _tree(slug: str) -> tuple[Tournament, Parts]:
    bracket = public_bracket(slug)
    if bracket is None:
        return tournament_by_slug(slug), {}
    return bracket.tournament, {"tree": render_to_string("scoring/_bracket.html", bracket_context(bracket))}


_RENDERERS: Mapping[str, Callable[[str], tuple[Tournament, Parts]]] = {
    "data": _data,
    **{tab: partial(_tab, tab=tab) for tab in TABS},
    **{
        screen_audience(number, is_paired=is_paired): partial(_screen, number=number, is_paired=is_paired)
        for number in SCREENS
        for is_paired in (False, True)
    },
    "tree": _tree,
}
