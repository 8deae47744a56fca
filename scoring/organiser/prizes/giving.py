"""The organiser's views of the prize-giving: prizes due, given, and not collected."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.core.prize_giving import Award, GivenRow
from scoring.forms import refusal_as_message
from scoring.open_screens import open_screens
from scoring.queries.prize_giving import PrizeGivingPage, prize_giving_page
from scoring.queries.screens import lowest_rank_of, prizes_ahead, screens_of
from scoring.services import prize_giving as services
from scoring.text.prizes import award_gives, prize_of_key, row_gives, row_name, step_name, why_open
from tournaments.access import organiser_view
from tournaments.models import Tournament
from tournaments.queries.desks import open_desk_names
from tournaments.requests import StaffRequest, desk_name, has_desk, number_in, signed

LONGEST_KEY = 100


@never_cache
@organiser_view("GET")
def prize_list(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the prizes by the current standings in the order of the prize-giving, and what was given."""
    page = prize_giving_page(tournament)
    if page.giving is None:
        return redirect("organiser:prize_plan", tournament.slug)
    kinds, has_results = tournament.fee_kinds, page.leaderboard.has_results
    context = {
        "tournament": tournament,
        "leaderboard": page.leaderboard,
        "prizes": page.prizes,
        "giving": page.giving,
        "rows": [_prize(tournament, page, row) for row in (page.giving.rows if has_results else ())],
        "over": [(prize_of_key(award.prize, kinds), _person(page, award)) for award in page.giving.over],
        **_paying_desk(request, tournament),
        "here": _next_prize(tournament),
        **(_wall(tournament) if page.leaderboard.final else {}),
    }
    return render(request, "scoring/organiser/prizes/list.html", context)


@organiser_view("POST")
def give_prize(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Record that a player got a prize or the rest of it; with `thing`, one shared by tied players."""
    thing = request.POST.get("thing", "")
    return _change(request, tournament, services.give_prize, thing=thing, desk=desk_name(request))


@organiser_view("POST")
def mark_absent(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Record that a player was absent when called."""
    return _change(request, tournament, services.mark_absent)


@organiser_view("POST")
def take_prize_back(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Record that a player returned the surplus; with `everything`, the whole prize."""
    number = _number(request)
    return _change(
        request,
        tournament,
        services.take_back,
        everything=request.POST.get("everything") == "yes",
        reason=_("Preis zurück von Nr. %(number)s") % {"number": number},
        desk=desk_name(request),
    )


def _change(
    request: StaffRequest, tournament: Tournament, service: Callable[..., object], **more: Any
) -> HttpResponse:
    number, prize = _number(request), request.POST.get("prize", "")[:LONGEST_KEY]
    seen = request.POST.get("seen", "")[:LONGEST_KEY]
    with refusal_as_message(request):
        service(tournament, number, prize, seen=seen, **more, **signed(request))
    return redirect(_next_prize(tournament))


def _next_prize(tournament: Tournament) -> str:
    """Return the address of the next prize in the list."""
    return reverse("organiser:prize_list", args=[tournament.slug]) + "#next"


def _number(request: StaffRequest) -> int:
    number = number_in(request.POST.get("player", ""))
    if number is None:
        raise Http404
    return number


def _prize(tournament: Tournament, page: PrizeGivingPage, prize_row: GivenRow) -> dict[str, Any]:
    """Return a prize in words, with its players. open: why a person must decide, "" otherwise."""
    row = prize_row.row
    return {
        "name": row_name(row, tournament.fee_kinds),
        "gives": row_gives(row),
        "open": why_open(row) if prize_row.loose else "",
        "is_next": page.leaderboard.final and page.giving and prize_row is page.giving.next,
        "is_settled": prize_row.is_settled,
        "decides_rank": row.kind == "rank" and prize_row.loose,
        "people": [_person(page, award, prize_row.loose) for award in prize_row.awards],
    }


def _person(page: PrizeGivingPage, award: Award, loose: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a player of a prize, with what they get in words. choices: things shared by tied players."""
    return {
        "name": page.names[award.start_number],
        "award": award,
        "rest": award_gives(award.rest_cents, award.rest_things),
        "had": award_gives(award.had_cents, award.had_things),
        "over": award_gives(award.over_cents, award.over_things),
        "choices": [
            (thing, award_gives(award.rest_cents, [*award.rest_things, thing]))
            for thing in dict.fromkeys(loose)
        ],
    }


def _paying_desk(request: StaffRequest, tournament: Tournament) -> Mapping[str, Any]:
    """Return the template context of the desk that pays. asks_desk: several can pay, and this device has chosen none of them."""
    names, chosen = open_desk_names(tournament), desk_name(request)
    has_chosen = has_desk(request) and chosen in names
    return {"own_desk": chosen, "open_desks": names, "asks_desk": any(names) and not has_chosen}


def _wall(tournament: Tournament) -> Mapping[str, Any]:
    """Return the template context that leads the prize-giving on the screens."""
    opened = {
        number: open_screens.browsers(tournament.slug, number) for number in open_screens.of(tournament.slug)
    }
    screens = screens_of(tournament, opened)
    scenes = [screen.scene for screen in screens if screen.scene.kind == "prizes"]
    ahead = prizes_ahead(tournament, scenes) if scenes else None
    return {
        "screens": screens,
        "ahead": ahead,
        "shown_name": step_name(ahead.revealed, tournament.fee_kinds) if ahead and ahead.revealed else "",
        "ahead_name": step_name(ahead.next, tournament.fee_kinds) if ahead and ahead.next else "",
        "following": [number for number, browsers in sorted(opened.items()) if any(browsers)],
        "unpaired": [number for number, browsers in sorted(opened.items()) if "" in browsers],
        "lowest_rank": lowest_rank_of(tournament, screens[0].scene),
    }
