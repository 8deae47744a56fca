"""What anybody may look at: the players' page, the wall, and both as data."""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from scoring.live import players_context, screen_context, tree_context
from scoring.queries.hall import find, hall_of, leaderboard_document, released_round
from scoring.queries.hands import hand_page
from scoring.queries.standings import visible_standings
from scoring.queries.tree import public_tree
from scoring.rulebook import rulebook_of
from tournaments.access import public_view
from tournaments.documents import public_round_document
from tournaments.models import Tournament

View = Callable[..., HttpResponse]


def _of_a_tournament(view: View) -> View:
    """404 where there is no such tournament."""

    @wraps(view)
    def looked_up(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except Tournament.DoesNotExist:
            raise Http404 from None

    return looked_up


@public_view
@require_safe
@_of_a_tournament
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """The page on sixty phones: where do I sit, and how does it stand?"""
    hall = hall_of(slug)
    query = request.GET.get("q", "").strip()
    answer = find(hall, query) if query else None
    token = get_token(request)
    context = {**players_context(hall), "answer": answer, "query": query, "csrf_token": token}
    return _page(request, "scoring/public/players.html", context, volatile=token)


@public_view
@require_safe
@_of_a_tournament
def hand(request: HttpRequest, slug: str) -> HttpResponse:
    """What do these three cards count, and whose hand is better? 404 where nobody holds three."""
    page = hand_page(slug, request.GET.getlist("a"), request.GET.getlist("b"))
    if page is None:
        raise Http404
    is_part = request.htmx.target == "hand-answer"  # type: ignore[attr-defined]
    template = "scoring/public/_hand_answer.html" if is_part else "scoring/public/hand.html"
    token = get_token(request)
    context = {
        "tournament": page.tournament,
        "page": page,
        "shown": 2 if request.GET.get("hand") == "2" else 1,
        "csrf_token": token,
    }
    response = _page(request, template, context, volatile=token)
    patch_vary_headers(response, ["HX-Target"])
    return response


@public_view
@require_safe
@_of_a_tournament
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """What is played here, and how: the tournament's ruleset in sentences."""
    tournament = Tournament.objects.get(slug=slug)
    token = get_token(request)
    context = {"tournament": tournament, "rulebook": rulebook_of(tournament.rules), "csrf_token": token}
    return _page(request, "scoring/public/rules.html", context, volatile=token)


@public_view
@require_safe
@_of_a_tournament
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """The wall. Without script it reloads itself, one page further each time."""
    context = screen_context(hall_of(slug, full_names=True), page=_page_number(request))
    now = timezone.localtime().strftime("%H:%M:%S")
    return _page(request, "scoring/public/screen.html", {**context, "now": now}, volatile=now)


@public_view
@require_safe
@_of_a_tournament
def tree(request: HttpRequest, slug: str) -> HttpResponse:
    """Who went on from which table; not there where nobody drops out."""
    found = public_tree(slug)
    if found is None:
        raise Http404
    token = get_token(request)
    context = {**tree_context(found), "csrf_token": token}
    return _page(request, "scoring/public/tree.html", context, volatile=token)


@public_view
@require_safe
@_of_a_tournament
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    return _json(request, leaderboard_document(visible_standings(slug)))


@public_view
@require_safe
@_of_a_tournament
def round_json(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Tables and draw of a round; before its release there is nothing to see."""
    row = released_round(slug, number)
    if row is None:
        raise Http404
    return _json(request, public_round_document(row))


@public_view
@require_safe
@_of_a_tournament
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The stream of events is answered in front of Django (schnauz_turnier.live); without it pages ask again."""
    visible_standings(slug)
    return HttpResponse("No events here, please poll.", status=503, content_type="text/plain")


def _page_number(request: HttpRequest) -> int:
    page = request.GET.get("page", "")
    return int(page) if page.isascii() and page.isdigit() and len(page) < 9 else 1


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, volatile: str) -> HttpResponse:
    """volatile: what differs at every view although nothing has changed."""
    content = render_to_string(template, context, request)
    return _answer(request, HttpResponse(content), content.replace(volatile, ""))


def _json(request: HttpRequest, document: dict[str, Any]) -> HttpResponse:
    content = json.dumps(document, ensure_ascii=False)
    return _answer(request, HttpResponse(content, content_type="application/json"), content)


def _answer(request: HttpRequest, response: HttpResponse, content: str) -> HttpResponse:
    """With an ETag: who has it already gets 304. Caches ask every time; search engines stay out."""
    etag = f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"'
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    conditional = get_conditional_response(request, etag=etag, response=response)
    return conditional if conditional is not None else response
