"""What anybody may look at: the players' page, the wall, and both as data."""

import hashlib
import json
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.forms import FlagForm
from scoring.live import kept_hall, players_context, screen_audience, screen_context, tree_context
from scoring.open_screens import open_screens
from scoring.queries.draw_report import report_on
from scoring.queries.hall import find, leaderboard_document, released_round
from scoring.queries.hands import hand_page
from scoring.queries.my_evening import MyEvening, my_evening
from scoring.queries.public_sheet import public_sheet
from scoring.queries.reaching import reachable
from scoring.queries.screens import SCREENS
from scoring.queries.standings import visible_standings
from scoring.queries.tree import public_tree
from scoring.rulebook import rulebook_of
from scoring.services.flags import LONGEST_NAME, raise_flag
from tournaments.access import public_view, role_in
from tournaments.core.refusal import Refusal
from tournaments.documents import public_round_document
from tournaments.memory import memory
from tournaments.models import Membership, Tournament
from tournaments.queries.publicity import is_public, public_until, tournament_by_slug

View = Callable[..., HttpResponse]

# Stands in a kept page for what differs at every view although nothing has changed; nobody can guess it.
VOLATILE = secrets.token_hex(32)
_OWN_COOKIES = {settings.SESSION_COOKIE_NAME, "messages"}


class _Ended(Exception):
    """The pages of the tournament are public no more."""


def _of_a_tournament(view: View) -> View:
    """404 where there is no such tournament, 410 where it is public no more."""

    @wraps(view)
    def looked_up(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, slug, **kwargs)
        except Tournament.DoesNotExist:
            raise Http404 from None
        except _Ended:
            return _gone(request)

    return looked_up


def _gone(request: HttpRequest) -> HttpResponse:
    response = render(request, "scoring/public/ended.html", {"tournament": None}, status=410)
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-cache"
    return response


@public_view
@require_safe
@_of_a_tournament
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """The page on sixty phones: where do I sit, and how does it stand?

    ?q= looks for somebody. ?me= is the number of whoever reads, where no script keeps it for him.
    """
    query = request.GET.get("q", "").strip()

    def content() -> _Content:
        hall = kept_hall(slug)
        mine = my_evening(hall, number) if (number := _number(request.GET.get("me", ""))) else None
        answer = find(hall, query) if query else None
        context = {
            **players_context(hall),
            "answer": answer,
            "reach": reachable(hall, answer.found[0].start_number) if answer and answer.is_unique else None,
            **_about(mine),
            "query": query,
            "csrf_token": VOLATILE,
        }
        return _Content.of(render_to_string("scoring/public/players.html", context, request), hall.tournament)

    return _kept_page(request, slug, "players", content, volatile=get_token(request))


@public_view
@require_safe
@_of_a_tournament
def me(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The part of the players' page that is about whoever reads it; 404 where there is nobody of that number."""

    def content() -> _Content:
        hall = kept_hall(slug)
        mine = my_evening(hall, number)
        if mine is None:
            raise Http404
        context = {**players_context(hall), **_about(mine), "csrf_token": VOLATILE}
        return _Content.of(render_to_string("scoring/public/_me.html", context, request), hall.tournament)

    return _kept_page(request, slug, ("me", number), content, volatile=get_token(request))


def _about(mine: MyEvening | None) -> dict[str, Any]:
    """What `_me.html` needs. In the form stands already who it is that says something."""
    if mine is None:
        return {"mine": None}
    number = "" if mine.person.is_number else f" ({mine.person.start_number})"
    form = FlagForm(initial={"name": f"{mine.person.name}{number}"[:LONGEST_NAME]}, auto_id="my_flag_%s")
    return {"mine": mine, "flag_form": form}


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
    tournament = tournament_by_slug(slug)
    token = get_token(request)
    context = {"tournament": tournament, "rulebook": rulebook_of(tournament.rules), "csrf_token": token}
    return _page(request, "scoring/public/rules.html", context, volatile=token)


@public_view
@require_safe
@_of_a_tournament
def screen(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """The wall, and further screens by their number. Without script it reloads itself, one page further each time."""
    if number not in SCREENS:
        raise Http404

    def content() -> _Content:
        context = {
            **screen_context(slug, number, page=_page_number(request)),
            **_reveal_context(request, slug),
            "number": number,
            "audience": screen_audience(number),
            "now": VOLATILE,
        }
        text = render_to_string("scoring/public/screen.html", context, request)
        return _Content.of(text, context["tournament"])

    now = timezone.localtime().strftime("%H:%M:%S")
    response = _kept_page(request, slug, f"screen-{number}", content, volatile=now)
    open_screens.note(slug, number)
    return response


def _reveal_context(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Whether the keys of this screen reveal the prizes: where an organiser is logged in."""
    if not request.user.is_authenticated:
        return {}
    role = role_in(request.user, tournament_by_slug(slug))
    return {"may_reveal": role == Membership.Role.ORGANISER}


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
    def document() -> _Content:
        board = visible_standings(slug)
        return _Content.of_json(leaderboard_document(board), board.tournament)

    return _kept_json(request, slug, "leaderboard", document)


@public_view
@require_safe
@_of_a_tournament
def draw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How a released round was drawn, for everybody: without what the organisers wrote about people."""
    tournament = tournament_by_slug(slug)
    drawn = report_on(tournament, number, is_public=True)
    if drawn is None or drawn.round.is_drawn_only:
        raise Http404
    token = get_token(request)
    context = {"tournament": tournament, "drawn": drawn, "csrf_token": token}
    return _page(request, "scoring/public/draw.html", context, volatile=token)


@public_view
@require_safe
@_of_a_tournament
def round_json(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Tables and draw of a round; before its release there is nothing to see."""

    def document() -> _Content:
        tournament = tournament_by_slug(slug)
        row = released_round(tournament, number)
        if row is None:
            raise Http404
        return _Content.of_json(public_round_document(row), tournament)

    return _kept_json(request, slug, ("round", number), document)


@public_view
@require_safe
@_of_a_tournament
def sheet(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """What stands on the sheet of a table, once it is accepted and not held back."""

    def content() -> _Content:
        found = public_sheet(slug, number, table)
        if found is None:
            raise Http404
        context = {"tournament": found.tournament, "sheet": found, "csrf_token": VOLATILE}
        context["flag_form"] = FlagForm(auto_id="flag_%s")
        return _Content.of(render_to_string("scoring/public/sheet.html", context, request), found.tournament)

    return _kept_page(request, slug, ("sheet", number, table), content, volatile=get_token(request))


@require_http_methods(["GET", "HEAD", "POST"])
@public_view
@_of_a_tournament
def flag(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """Tells the organiser that something on this sheet is wrong; changes nothing that the public sees.

    To be read there is only the sheet: a page that was answered here keeps itself current by it.
    """
    if request.method != "POST":
        return redirect("standings:sheet", slug, number, table)
    if not is_public(slug, timezone.localdate()):
        raise _Ended
    found = public_sheet(slug, number, table)
    if found is None:
        raise Http404
    form = FlagForm(request.POST, auto_id="flag_%s")
    status = 422
    if form.is_valid():
        try:
            raise_flag(found.tournament, number, table, **form.cleaned_data, **_sender(request))
        except Refusal as refusal:
            status = 429 if refusal.code == "flags_too_many" else 422
            form.refuse(refusal)
        else:
            messages.success(request, _("Danke. Die Spielleitung sieht es jetzt."))
            return _back(request, slug, number, table)
    me = _number(request.POST.get("me", ""))
    context = {"tournament": found.tournament, "sheet": found, "flag_form": form, "me": me}
    return render(request, "scoring/public/sheet.html", context, status=status)


def _sender(request: HttpRequest) -> dict[str, Any]:
    """Where it comes from: the address of the network, and what tells one browser behind it from another."""
    browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    return {"address": request.META.get("REMOTE_ADDR", ""), "browser": browser, "at": timezone.now()}


def _back(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """To the page that the form stood on."""
    me = _number(request.POST.get("me", ""))
    if me is None:
        return redirect("standings:sheet", slug, number, table)
    return redirect(f"{reverse('standings:players', args=[slug])}?me={me}")


@public_view
@require_safe
@_of_a_tournament
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The stream of events is answered in front of Django (schnauz_turnier.live); without it pages ask again."""
    if not is_public(slug, timezone.localdate()):
        raise _Ended
    return HttpResponse("No events here, please poll.", status=503, content_type="text/plain")


def _page_number(request: HttpRequest) -> int:
    number = _number(request.GET.get("page", ""))
    return 1 if number is None else number


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, volatile: str) -> HttpResponse:
    """volatile: what differs at every view although nothing has changed."""
    text = render_to_string(template, context, request).replace(volatile, VOLATILE)
    content = _Content.of(text, context["tournament"])
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile)


@dataclass(frozen=True, slots=True)
class _Content:
    """What is answered as long as nothing changes, and until which day."""

    text: str
    etag: str
    until: date

    @classmethod
    def of(cls, text: str, tournament: Tournament) -> "_Content":
        return cls(text, _etag(text), public_until(tournament))

    @classmethod
    def of_json(cls, document: dict[str, Any], tournament: Tournament) -> "_Content":
        return cls.of(json.dumps(document, ensure_ascii=False), tournament)


def _kept_page(
    request: HttpRequest, slug: str, name: Hashable, make: Callable[[], _Content], *, volatile: str
) -> HttpResponse:
    """A page that is the same for all who see it in their language, but for `volatile`, which takes VOLATILE's place.

    What somebody asks for in particular, or sees because he is logged in, is made for him alone.
    """
    is_everybodys = not request.GET and not _OWN_COOKIES & request.COOKIES.keys()
    content = memory.recall(slug, ("page", name, get_language()), make) if is_everybodys else make()
    return _answer(request, "text/html; charset=utf-8", content, volatile=volatile)


def _kept_json(request: HttpRequest, slug: str, name: Hashable, make: Callable[[], _Content]) -> HttpResponse:
    return _answer(request, "application/json", memory.recall(slug, ("json", name), make))


def _answer(
    request: HttpRequest, content_type: str, content: _Content, *, volatile: str = ""
) -> HttpResponse:
    """With an ETag: who has it already gets 304. Caches ask every time; search engines stay out.

    Raises _Ended once it is public no more.
    """
    if timezone.localdate() > content.until:
        raise _Ended
    conditional = get_conditional_response(request, etag=content.etag)
    response = conditional or HttpResponse(content_type=content_type)
    if conditional is None:
        response.content = content.text.replace(VOLATILE, volatile)
    response["ETag"] = content.etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def _etag(text: str) -> str:
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
