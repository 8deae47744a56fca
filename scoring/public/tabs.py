"""Views of the tabs of the players' page: me, standings, tables, rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.template import Library
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from scoring.public.forms import FlagForm
from scoring.public.parts import (
    fragment,
    kept_view,
    players_context,
    prizes_part,
    seating,
    seating_part,
    standings_part,
)
from scoring.public.player import MyEvening, mark_mine, my_evening, own_table_first, rank_bounds_of
from scoring.public.responses import found_or_404, kept_page, of_tournament
from scoring.public.search import find
from scoring.queries.public_view import PublicView
from scoring.services.flags import LONGEST_NAME
from scoring.text.rulebook.book import rulebook_of
from tournaments.access import public_view
from tournaments.core.names import MOST_IN_A_NAME
from tournaments.current_club import origin
from tournaments.queries.publicity import tournament_with_draws
from tournaments.requests import Request, number_in
from tournaments.rulesets.schema import Ruleset

SHORT = 12
"""Ranks on the first tab."""

Parts = dict[str, SafeString]
"""Fragments of HTML by the id of their root element."""

register = Library()


@of_tournament
@public_view("GET")
def players(request: Request, slug: str) -> HttpResponse:
    """Show the first tab: the reader's own evening, the search for a seat, and in short how it stands.

    ?q= searches for a player. ?me= is the reader's start number, if no script remembers it.
    """
    query = request.GET.get("q", "").strip()[:MOST_IN_A_NAME]

    def context() -> dict[str, Any]:
        view = kept_view(slug)
        answer = find(view, query) if query else None
        player = answer.players[0] if answer and answer.is_unique else None
        bounds = rank_bounds_of(view, player.start_number) if player else None
        return {**_tab(request, view, "players"), "answer": answer, "bounds": bounds, "query": query}

    return kept_page(request, slug, "players", "scoring/public/players.html", context)


@of_tournament
@public_view("GET")
def standings(request: Request, slug: str) -> HttpResponse:
    """Show the whole standings. ?me= as above."""
    return kept_tab(request, slug, "standings", "scoring/public/standings.html")


@of_tournament
@public_view("GET")
def tables(request: Request, slug: str) -> HttpResponse:
    """Show the tables of the released round. ?me= as above: that player's table comes first."""
    return kept_tab(request, slug, "tables", "scoring/public/tables.html")


@of_tournament
@public_view("GET")
def rules(request: Request, slug: str) -> HttpResponse:
    """Show the tournament's ruleset in sentences, and the ways to check draws and results."""

    def context() -> dict[str, Any]:
        tournament = tournament_with_draws(slug)
        return {
            "tournament": tournament,
            "tab": "rules",
            "me": number_in(request.GET.get("me", "")),
            "rulebook": rulebook_of(tournament.rules, tournament.fee_kinds),
        }

    return kept_page(request, slug, "rules", "scoring/public/rules.html", context)


@of_tournament
@public_view("GET")
def me(request: Request, slug: str, number: int) -> HttpResponse:
    """Return the part of the first tab for one player; 404 for an unknown number."""

    def context() -> dict[str, Any]:
        view = kept_view(slug)
        mine = found_or_404(my_evening(view, number))
        return {**players_context(view), **_about(mine, view.tournament.rules)}

    return kept_page(request, slug, ("me", number), "scoring/public/_me.html", context)


@of_tournament
@public_view("GET")
def my_row(request: Request, slug: str, number: int) -> HttpResponse:
    """Return the line of one player that the standings show at all times; 404 for an unknown number."""

    def context() -> dict[str, Any]:
        view = kept_view(slug)
        return {**players_context(view), "mine": found_or_404(my_evening(view, number))}

    return kept_page(request, slug, ("my_row", number), "scoring/public/_my_row.html", context)


def kept_tab(request: Request, slug: str, key: str, template: str) -> HttpResponse:
    """Show a tab that consists of its parts."""
    return kept_page(request, slug, key, template, lambda: _tab(request, kept_view(slug), key))


def _tab(request: Request, view: PublicView, tab: str) -> dict[str, Any]:
    """Return the context of a tab, with its parts as they are for the reader whom ?me= names."""
    number = number_in(request.GET.get("me", ""))
    mine = my_evening(view, number) if number else None
    parts = tab_parts(view, tab)
    if mine and tab == "tables":
        parts["seating"] = seating(own_table_first(view, mine), is_tab=True)
    return {
        **players_context(view),
        "tab": tab,
        "me": mine.person.start_number if mine else None,
        "parts": {name: mark_mine(part, mine) for name, part in parts.items()} if mine else parts,
        **_about(mine, view.tournament.rules),
        "origin": origin(),
    }


def _about(mine: MyEvening | None, rules: Ruleset) -> dict[str, Any]:
    """Return the context of `_me.html`. The report form is prefilled with the player's name."""
    if mine is None:
        return {"mine": None}
    number = "" if mine.person.is_number else f" ({mine.person.start_number})"
    name = f"{mine.person.name}{number}"[:LONGEST_NAME]
    form = FlagForm(initial={"name": name}, rules=rules, auto_id="my_flag_%s")
    return {"mine": mine, "flag_form": form}


def tab_parts(view: PublicView, key: str) -> Parts:
    """Return the fragments of a tab of the players' page."""
    return TABS[key].parts(view)


def _parts_of_players(view: PublicView) -> Parts:
    """Return the fragments of the first tab: the first ranks, and the tables."""
    return {
        "news": fragment("scoring/public/_news.html", view),
        "clock": fragment("scoring/public/_clock.html", view),
        "joining": fragment("scoring/public/_sign_up.html", view),
        "standings": standings_part(view, most=SHORT),
        "seating": seating_part(view, is_tab=False),
        "prizes": prizes_part(view),
    }


def _parts_of_standings(view: PublicView) -> Parts:
    return {
        "news": fragment("scoring/public/_news.html", view),
        "standings": standings_part(view),
        "prizes": prizes_part(view),
    }


def _parts_of_tables(view: PublicView) -> Parts:
    return {
        "news": fragment("scoring/public/_news.html", view),
        "clock": fragment("scoring/public/_clock.html", view),
        "seating": seating_part(view, is_tab=True),
    }


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the players' page. parts: the fragments that its page fetches anew after a change; {} if it stays as it is."""

    label: Promise
    icon: str
    view: Callable[..., HttpResponseBase]
    path: str
    parts: Callable[[PublicView], Parts] = lambda _view: {}


TABS: dict[str, Tab] = {
    "players": Tab(gettext_lazy("Ich"), "person", players, "", _parts_of_players),
    "standings": Tab(gettext_lazy("Stand"), "ranks", standings, "standings/", _parts_of_standings),
    "tables": Tab(gettext_lazy("Tische"), "table", tables, "tables/", _parts_of_tables),
    "rules": Tab(gettext_lazy("Regeln"), "book", rules, "rules/"),
}
"""Registry of the tabs, by the names of their URLs: addresses, links and parts derive from it."""


@register.simple_tag
def tab_links(slug: str) -> list[tuple[str, Tab, str]]:
    """Return the tabs with key and address."""
    return [(key, tab, reverse(f"public:{key}", args=[slug])) for key, tab in TABS.items()]
