"""Views of the public pages of a tournament."""

import json
import secrets
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _

from scoring.open_screens import open_screens
from scoring.public import evening_card as cards
from scoring.public.check_file import file_context
from scoring.public.data import leaderboard_document, manifest_document
from scoring.public.forms import FlagForm
from scoring.public.hand import hand_page
from scoring.public.pairing import ScreenBrowser, is_paired, screen_browser
from scoring.public.parts import (
    kept_standings,
    kept_view,
    screen_audience,
    screen_context,
    screen_part,
    sign_up_context,
)
from scoring.public.record import record_of
from scoring.public.reports import remember_report, reports_in
from scoring.public.responses import (
    VOLATILE,
    check_public,
    found_or_404,
    in_a_frame,
    kept_json,
    kept_page,
    of_tournament,
)
from scoring.public.sheet import public_sheet
from scoring.queries.bracket import public_bracket
from scoring.queries.draw_report import report_on
from scoring.queries.flags import flags_of
from scoring.queries.marks import public_marks
from scoring.queries.released import released_round
from scoring.queries.screens import SCREENS
from scoring.queries.seals import seals_of
from scoring.screen_cookie import device_in, set_device
from scoring.services import screen_pairings as services
from scoring.services.flags import raise_flag
from scoring.text.record_words import record_words
from scoring.text.refusals import message
from tournaments.access import form_of_everybody, organiser_view, public_view
from tournaments.core.refusal import Refusal
from tournaments.documents.commitments import announced_round
from tournaments.hall_codes import hall_code
from tournaments.models import Tournament
from tournaments.page_cache import STANDINGS, page_cache
from tournaments.queries.pictures import picture_of
from tournaments.queries.publicity import tournament_by_slug
from tournaments.requests import Request, StaffRequest, address_of, number_in
from tournaments.signed_values import set_cookie

_FLAG_SECONDS = 24 * 60 * 60


@of_tournament
@public_view("GET")
def hand(request: Request, slug: str) -> HttpResponse:
    """Evaluate three cards and compare two hands; 404 if players of this ruleset do not hold three."""
    is_part = request.htmx.target == "hand-answer"

    def context() -> dict[str, Any]:
        page = found_or_404(hand_page(slug, request.GET.getlist("a"), request.GET.getlist("b")))
        chosen = 2 if request.GET.get("hand") == "2" else 1
        return {"tournament": page.tournament, "page": page, "shown": chosen}

    template = "scoring/public/_hand_answer.html" if is_part else "scoring/public/hand.html"
    response = kept_page(request, slug, ("hand", is_part), template, context)
    patch_vary_headers(response, ["HX-Target"])
    return response


@of_tournament
@public_view("GET")
def screen(request: Request, slug: str, number: int = 1) -> HttpResponse:
    """Show a wall screen. Without script it reloads itself, one page further each time.

    A browser that is not paired gets what anybody may see.
    """
    if number not in SCREENS:
        raise Http404
    browser = screen_browser(request, slug, number)
    response = _screen(request, slug, number, browser)
    open_screens.note(slug, number, browser.device if browser.is_paired else "")
    if browser.is_new:
        set_device(response, slug, browser.device)
    return response


@organiser_view("GET", by_itself=True)
def screen_preview(request: StaffRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show what a screen shows, in a frame of the organiser's page. It pairs no browser and counts as no open screen."""
    if number not in SCREENS:
        raise Http404
    return _framed(request, tournament.slug, number=number)


@in_a_frame
@of_tournament
def _framed(request: Request, slug: str, number: int) -> HttpResponse:
    """Return the page that a browser which shows this screen gets: as for a paired one, if there is one or none at all."""
    browsers = open_screens.browsers(slug, number)
    is_as_paired = not browsers or any(is_paired(slug, device) for device in browsers)
    return _screen(request, slug, number, ScreenBrowser(is_paired=is_as_paired), is_preview=True)


def _screen(
    request: Request,
    slug: str,
    number: int,
    browser: ScreenBrowser,
    *,
    problem: str = "",
    is_preview: bool = False,
) -> HttpResponse:
    """Return the page of a screen. problem: why the browser gets no code."""
    audience = screen_audience(number, is_paired=browser.is_paired)

    def context() -> dict[str, Any]:
        content = screen_context(slug, number, is_paired=browser.is_paired, page=_page_number(request))
        return {
            **content,
            "screen": screen_part(content),
            "browser": browser,
            "problem": problem,
            "number": number,
            "audience": audience,
            "is_preview": is_preview,
            "now": VOLATILE,
        }

    now = timezone.localtime().strftime("%H:%M:%S")
    name = None if browser.code or problem or is_preview else audience
    response = kept_page(request, slug, name, "scoring/public/wall.html", context, volatile=now)
    if browser.is_paired:
        response["Cache-Control"] = "private, no-cache"
    return response


@of_tournament
@form_of_everybody
@public_view("POST")
def ask_for_code(request: Request, slug: str) -> HttpResponse:
    """Give the browser a code for the organiser to confirm, and redirect to the screen, which shows it."""
    number = number_in(request.POST.get("screen", "")) or 0
    if number not in SCREENS:
        raise Http404
    check_public(slug)
    browser = screen_browser(request, slug, number)
    back = redirect("public:screen", slug) if number == 1 else redirect("public:screen_number", slug, number)
    if browser.is_paired or browser.code:
        return back
    tournament, address = tournament_by_slug(slug), address_of(request)
    try:
        asked = services.ask_for_code(tournament, number, address=address, at=timezone.now())
    except Refusal as refusal:
        refused = _screen(request, slug, number, browser, problem=message(refusal))
        refused.status_code = 429
        return refused
    set_device(back, slug, asked.device)
    return back


@of_tournament
@public_view("GET")
def hall_code_of_now(request: Request, slug: str) -> HttpResponse:
    """Return the part of the wall with the code of the hall for a paired screen, as long as players are invited; else 204."""
    check_public(slug)
    response = HttpResponse(status=204)
    view = kept_view(slug, full_names=True, with_moves=True)
    if view.takes_sign_ups and is_paired(slug, device_in(request.COOKIES, slug)):
        context = sign_up_context(view, hall_code(view.tournament, timezone.now()), renews=True)
        response = render(request, "scoring/public/_screen_sign_up.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


@of_tournament
@public_view("GET")
def club_picture(request: Request, slug: str) -> HttpResponse:
    """Return the picture of the club as long as the screens show it. Its address there names its version."""
    check_public(slug)
    response = HttpResponse(
        found_or_404(picture_of(tournament_by_slug(slug), on_wall=True)), content_type="image/jpeg"
    )
    response["Cache-Control"] = "private, max-age=3600"
    response["X-Robots-Tag"] = "noindex"
    return response


@of_tournament
@public_view("GET")
def evening_card(request: Request, slug: str, number: int) -> HttpResponse:
    """Return the card of a player's evening; 404 until everybody may see the final standings."""
    check_public(slug)
    card = found_or_404(cards.evening_card(kept_view(slug), number))
    response = get_conditional_response(request, etag=(etag := cards.etag_of(card)))
    if response is None:
        png = page_cache.get_or_make(slug, (STANDINGS, "card", etag), partial(cards.png_of, card))
        response = HttpResponse(png, content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


@of_tournament
@public_view("GET")
def tree(request: Request, slug: str) -> HttpResponse:
    """Show the bracket; 404 unless it is a knockout."""

    def context() -> dict[str, Any]:
        bracket = found_or_404(public_bracket(slug))
        return {"tournament": bracket.tournament, "bracket": bracket}

    return kept_page(request, slug, "tree", "scoring/public/bracket.html", context)


@of_tournament
@public_view("GET")
def leaderboard(request: Request, slug: str) -> HttpResponse:
    def document() -> tuple[dict[str, Any], Tournament]:
        leaderboard = kept_standings(slug)
        return leaderboard_document(leaderboard), leaderboard.tournament

    return kept_json(request, slug, "leaderboard", document)


@of_tournament
@public_view("GET")
def draw(request: Request, slug: str, number: int) -> HttpResponse:
    """Show how a round was drawn, without what the organisers wrote about people; before its release, only its seals."""

    def context() -> dict[str, Any]:
        tournament = tournament_by_slug(slug)
        drawn = report_on(tournament, number, is_public=True)
        drawn = drawn if drawn and not drawn.round.is_draft else None
        seals = seals_of(tournament, number)
        if drawn is None and not seals:
            raise Http404
        return {
            "tournament": tournament,
            "number": number,
            "drawn": drawn,
            "seals": seals,
            "marks": public_marks(tournament),
        }

    return kept_page(request, slug, ("draw", number), "scoring/public/draw.html", context)


@of_tournament
@public_view("GET")
def round_json(request: Request, slug: str, number: int) -> HttpResponse:
    """Return commitments, tables and draw of a round; before its release the commitments, 404 without any."""

    def document() -> tuple[dict[str, Any], Tournament]:
        tournament = tournament_by_slug(slug)
        commitments = list(tournament.commitments.filter(round_number=number).order_by("number"))
        row = released_round(tournament, number)
        announced = found_or_404(announced_round(number, row, commitments))
        is_final = row is not None and tournament.rules.is_final(len(row.tables))
        return {**announced, "is_final": is_final}, tournament

    return kept_json(request, slug, ("round", number), document)


@of_tournament
@public_view("GET")
def record(request: Request, slug: str) -> HttpResponse:
    """Return the public record, with which anyone can check draws and results. An entry in play leaves it as it is."""
    return kept_json(request, slug, "record", partial(record_of, slug), group=STANDINGS)


@of_tournament
@public_view("GET")
def manifest(request: Request, slug: str) -> HttpResponse:
    """Describe the players' page as an app for the home screen of a phone."""

    def document() -> tuple[dict[str, Any], Tournament]:
        tournament = tournament_by_slug(slug)
        return manifest_document(tournament), tournament

    return kept_json(request, slug, "manifest", document)


@of_tournament
@public_view("GET")
def check(request: Request, slug: str) -> HttpResponse:
    """Show the page on which the visitor's browser checks the record."""
    return kept_page(request, slug, "check", "scoring/public/check.html", partial(_check_context, slug))


@of_tournament
@public_view("GET")
def check_file(request: Request, slug: str) -> HttpResponse:
    """Return the same page as one file, which checks saved records without a network."""

    def context() -> dict[str, Any]:
        return {**_check_context(slug), **file_context()}

    response = kept_page(request, slug, "check_file", "scoring/public/check_file.html", context)
    response["Content-Disposition"] = f'attachment; filename="{slug}-check.html"'
    return response


def _check_context(slug: str) -> dict[str, Any]:
    return {"tournament": tournament_by_slug(slug), "config": json.dumps(record_words())}


@of_tournament
@public_view("GET")
def sheet(request: Request, slug: str, number: int, table: int) -> HttpResponse:
    """Show the sheet of a table, once it is accepted and released."""

    def context() -> dict[str, Any]:
        sheet = found_or_404(public_sheet(slug, number, table))
        form = FlagForm(rules=sheet.tournament.rules, auto_id="flag_%s")
        return {"tournament": sheet.tournament, "sheet": sheet, "flag_form": form}

    return kept_page(request, slug, ("sheet", number, table), "scoring/public/sheet.html", context)


@of_tournament
@form_of_everybody
@public_view("GET", "POST")
def flag(request: Request, slug: str, number: int, table: int) -> HttpResponse:
    """Report a problem with this sheet to the organiser; nothing public changes.

    GET redirects to the sheet, as a page answered here reloads its own URL to update itself.
    """
    if request.method != "POST":
        return redirect("public:sheet", slug, number, table)
    check_public(slug)
    sheet = found_or_404(public_sheet(slug, number, table))
    form = FlagForm(request.POST, rules=sheet.tournament.rules, auto_id="flag_%s")
    browser = request.COOKIES.get(settings.FLAG_COOKIE_NAME, "")
    status = 422
    if form.is_valid():
        try:
            raised = raise_flag(
                *(sheet.tournament, number, table),
                **form.cleaned_data,
                address=address_of(request),
                browser=browser,
                at=timezone.now(),
            )
        except Refusal as refusal:
            status = 429 if refusal.code == "flags_too_many" else 422
            form.refuse(refusal)
        else:
            messages.success(request, _("Danke. Die Spielleitung sieht es jetzt."))
            response = _back(request, slug, number, table)
            remember_report(response, request.COOKIES, slug, raised.pk)
            if not browser:
                _name_browser(response, slug)
            return response
    me = number_in(request.POST.get("me", ""))
    context = {"tournament": sheet.tournament, "sheet": sheet, "flag_form": form, "me": me}
    return render(request, "scoring/public/sheet.html", context, status=status)


@of_tournament
@public_view("GET")
def reports(request: Request, slug: str) -> HttpResponse:
    """Show what has become of the problems that this browser has reported; nobody else's."""
    check_public(slug)
    tournament = tournament_by_slug(slug)
    context = {"tournament": tournament, "flags": flags_of(tournament, reports_in(request.COOKIES, slug))}
    response = render(request, "scoring/public/reports.html", context)
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


def _name_browser(response: HttpResponse, slug: str) -> None:
    """Give the browser a name that tells it apart from others behind its address from now on."""
    set_cookie(
        response,
        settings.FLAG_COOKIE_NAME,
        secrets.token_hex(16),
        seconds=_FLAG_SECONDS,
        path=reverse("public:players", args=[slug]),
    )


def _back(request: Request, slug: str, number: int, table: int) -> HttpResponse:
    """Redirect to the page of the form."""
    me = number_in(request.POST.get("me", ""))
    if me is None:
        return redirect("public:sheet", slug, number, table)
    return redirect(f"{reverse('public:players', args=[slug])}?me={me}")


@of_tournament
@public_view("GET")
def live(request: Request, slug: str) -> HttpResponse:
    """Answer 503, so that pages poll. The event stream is served in front of Django (schnauz_turnier.live.stream)."""
    check_public(slug)
    return HttpResponse("No events here, please poll.", status=503, content_type="text/plain")


def _page_number(request: Request) -> int:
    number = number_in(request.GET.get("page", ""))
    return 1 if number is None else number
