"""Content of the public pages: the views that they show, and their parts, fragments of HTML.

Views, standings and large fragments are kept while what they show does not change.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import ref

import segno
import segno.helpers
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scoring.public.bars import bar_scale
from scoring.public.prizes import public_plan
from scoring.public.wall import WITH_MORE, WallPage, wall_pages, wanted_on
from scoring.queries.public_view import PublicView, public_view
from scoring.queries.screens import SentScene, scene_of, wall_prizes
from scoring.queries.series import series_of
from scoring.queries.standings import Leaderboard, visible_standings
from tournaments.current_club import origin, public_address
from tournaments.links import sign_up_url
from tournaments.page_cache import STANDINGS, page_cache
from tournaments.queries.club import club
from tournaments.queries.pictures import wall_picture_of


def screen_audience(number: int, *, is_paired: bool) -> str:
    """Return the audience of screen `number`, of browsers that are paired or of all others."""
    name = "wall" if is_paired else "screen"
    return name if number == 1 else f"{name}-{number}"


def kept_view(slug: str, *, full_names: bool = False, with_moves: bool = False) -> PublicView:
    """Return the result of `public_view`, cached while nothing changes.

    Its standings and seats are cached while no result changes, since an entry that changes none changes no seat either.
    """
    names = {"full_names": full_names, "with_moves": with_moves}

    def make() -> PublicView:
        # First: nothing is cached for a tournament that does not exist.
        leaderboard = kept_standings(slug, **names)
        name = (STANDINGS, "seats", ref(leaderboard))
        seating = page_cache.get(slug, name)
        view = public_view(slug, **names, leaderboard=leaderboard, seating=seating)
        if view.seating:
            page_cache.get_or_make(slug, name, lambda: view.seating)
        return view

    return page_cache.get_or_make(slug, ("view", full_names, with_moves), make)


def kept_standings(slug: str, *, full_names: bool = False, with_moves: bool = False) -> Leaderboard:
    """Return the result of `visible_standings`, cached while no result changes."""
    make = partial(visible_standings, slug, full_names=full_names, with_moves=with_moves)
    return page_cache.get_or_make(slug, (STANDINGS, full_names, with_moves), make)


def players_context(view: PublicView) -> dict[str, Any]:
    return {"tournament": view.tournament, "view": view}


def standings_part(view: PublicView, *, most: int | None = None) -> SafeString:
    """Return the standings, cached until a result changes. most: the number of rows, None for all."""
    make = partial(fragment, "scoring/public/_standings.html", view, most=most)
    return _once(view.leaderboard, ("standings", most, _release(view)), make)


def seating(view: PublicView, *, is_tab: bool) -> SafeString:
    """Return the tables of a view, uncached, since it may be that of one reader."""
    return fragment("scoring/public/_seating.html", view, is_tab=is_tab)


def seating_part(view: PublicView, *, is_tab: bool) -> SafeString:
    return _once(view, ("seating", is_tab), partial(seating, view, is_tab=is_tab))


def prizes_part(view: PublicView) -> SafeString:
    make = partial(fragment, "scoring/public/_prizes.html", view, plan=public_plan(view.tournament))
    return _once(view.leaderboard, "prizes", make)


def _release(view: PublicView) -> tuple[int, bool] | None:
    """Return what the standings show of the round."""
    return (view.round.number, view.round.is_closed) if view.round else None


def _once(source: PublicView | Leaderboard, name: Hashable, make: Callable[[], SafeString]) -> SafeString:
    """Return the cached HTML of a view or its standings, in the current language. It is valid as long as `source` is."""
    group = STANDINGS if isinstance(source, Leaderboard) else "html"
    # A weak reference tells one view from the next and keeps none of them alive.
    return page_cache.get_or_make(source.tournament.slug, (group, ref(source), name, get_language()), make)


def fragment(template: str, view: PublicView, **more: Any) -> SafeString:
    return render_to_string(template, {**players_context(view), **more})


def screen_context(slug: str, number: int, *, is_paired: bool, page: int = 1) -> dict[str, Any]:
    """Return the context of screen `number`. page: the one to show without script.

    Without pairing, names are as on the web, and neither the Wi-Fi nor any prize is shown.
    """
    view = kept_view(slug, full_names=is_paired, with_moves=True)
    scene = page_cache.get_or_make(slug, ("scene", number), partial(scene_of, slug, number))
    if not is_paired:
        scene = replace(scene, network="", password="")
    gives_prizes = is_paired and scene.kind == "prizes"
    prizes = wall_prizes(view.tournament, scene) if gives_prizes else None
    plan = public_plan(view.tournament)
    get_picture = partial(wall_picture_of, view.tournament)
    picture = page_cache.get_or_make(slug, "picture", get_picture) if scene.kind in WITH_MORE else None
    get_series = partial(series_of, view.tournament, today=timezone.localdate())
    series = page_cache.get_or_make(slug, "series", get_series) if scene.kind == "series" else []
    welcomes = scene.kind == "welcome" or view.round is None
    named = club() if welcomes else None
    lines = plan.lines if plan else ()
    pages = wall_pages(view, scene, prizes, plan=lines, picture=picture, series=series, club=named)
    page_number = (page - 1) % len(pages) + 1
    return {
        "tournament": view.tournament,
        "view": view,
        "scene": scene,
        "prizes": prizes,
        "picture": picture,
        "club": named,
        "pages": pages,
        "wanted": wanted_on(view.round),
        "scale": 0 if view.leaderboard.is_knockout else bar_scale(row.points for row in view.rows),
        "shown": page_number,
        "next": page_number % len(pages) + 1,
        "previous": (page_number - 2) % len(pages) + 1,
        "address": _address(view),
        "code": _code(segno.make(_address(view), micro=False)),
        **sign_up_context(view, renews=is_paired),
        "wifi_code": _code(_wifi(scene)) if scene.network and scene.kind == "welcome" else "",
    }


def sign_up_context(view: PublicView, code: str = "", *, renews: bool) -> dict[str, Any]:
    """Return the context of `_screen_sign_up.html`; {} if nobody is invited to register themselves.

    code: that of the hall, never for what is kept or sent to everybody. renews: whether the screen may fetch the code.
    """
    if not view.takes_sign_ups:
        return {}
    address = sign_up_url(view.tournament.slug)
    # Typed by hand, the address of the start page is enough, as long as that names the tournament and its button.
    is_listed = not view.tournament.is_hidden and view.round is None
    return {
        "tournament": view.tournament,
        "renews": renews,
        "hall_code": code,
        "is_on_start_page": is_listed,
        "sign_up_address": (public_address() if is_listed else address).partition("://")[2],
        "sign_up_qr": _code(segno.make(f"{address}#{code}" if code else address, micro=False)),
    }


def screen_part(context: dict[str, Any]) -> SafeString:
    """Return the fragment of a screen; it is kept unless it shows another page than the first.

    context: of `screen_context`.
    """

    def make() -> SafeString:
        sections = [_section(context, page) for page in context["pages"]]
        return render_to_string("scoring/public/_screen.html", {"sections": sections})

    if context["shown"] != 1:
        return make()
    name = ("screen", *(context[what] for what in ("scene", "prizes", "picture", "club")))
    return _once(context["view"], name, make)


def _section(context: dict[str, Any], page: WallPage) -> SafeString:
    """Return a page of a screen. A page of standings alone is cached as long as they are."""
    make = partial(render_to_string, page.template, {**context, "page": page})
    if page.kind not in ("standings", "race"):
        return make()
    view = context["view"]
    is_shown = page.number == context["shown"]
    name = ("section", page.key, page.number, page.of, page.large, page.stays, is_shown, _release(view))
    return _once(view.leaderboard, name, make)


def _code(code: segno.QRCode) -> str:
    return code.svg_inline(scale=1, border=2, omitsize=True)


def _wifi(scene: SentScene) -> segno.QRCode:
    """Return the code that phones read to join a network: WPA if there is a password."""
    security = "WPA" if scene.password else "nopass"
    return segno.helpers.make_wifi(scene.network, scene.password or None, security)


def _address(view: PublicView) -> str:
    return origin() + reverse("public:players", args=[view.tournament.slug])
