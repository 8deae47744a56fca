"""Views of the scribe's phone: the page, its service worker, and the JSON API of the sheet."""

import json
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import etag

from scoring.metrics import REFUSALS
from scoring.phone.assets import FILES, MODULES, WORKER
from scoring.phone.errors import PageError, error_limit
from scoring.phone.payload import LIMITS, phone_sheet
from scoring.phone.requests import (
    Unfit,
    batch_of,
    call_of,
    json_object,
    missing_of,
    say,
    unreadable,
    volunteer_of,
    word_of,
)
from scoring.queries.sheet_page import sheet_page
from scoring.services import calls, own_phones, scribes, sheets
from scoring.sheet_link import link_of
from scoring.sheet_log import OpenSheet, open_sheet, open_sheet_of
from scoring.text.refusals import catalogue, message
from tournaments import links
from tournaments.access import (
    Phone,
    View,
    pass_of,
    phone_at,
    phone_without_table,
    public_view,
    scribe_view,
    sheet_view,
)
from tournaments.core.refusal import Refusal
from tournaments.core.strict_json import is_fit
from tournaments.edition import edition
from tournaments.models import Table
from tournaments.requests import Request, address_of
from tournaments.signed_values import set_cookie
from tournaments.text.sentences import sentences_beside, translated_section

_SENTENCES = sentences_beside(__file__)


def _phone_api(view: View) -> View:
    """Wrap a view of the phone API: disable caching, answer invalid requests in JSON.

    Compressed, as the Wi-Fi may be slow. This is safe: no answer contains both a secret and input of a
    foreign page. A phone whose link was revoked or has ended is told so, whatever it sends. A refusal is
    answered with 409 and its sentence.
    """

    @csrf_exempt
    @gzip_page
    @cache_control(no_store=True)
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = _answered(view, request, *args, **kwargs)
        response["Sheet-Page"] = edition()  # a page of another edition is reloaded once its entries are sent
        return response

    return answered


def _answered(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except Table.DoesNotExist:  # a redraw took the table away
        return phone_without_table()
    except Refusal as refusal:
        REFUSALS.labels(refusal.code).inc()
        unfit = Unfit(409, message(refusal))
    except Unfit as error:
        unfit = error
    if view.__dict__["access"] == "scribe" and phone_at(request) is None:
        return phone_without_table()
    return JsonResponse({"error": unfit.sentence, **unfit.more}, status=unfit.status)


def for_people(view: View) -> View:
    """Wrap a page among the phone's URLs: answer 401 with a page instead of JSON."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code == 401:
            sentence = json.loads(response.content)["error"]
            return render(request, "scoring/phone/no_table.html", {"sentence": sentence}, status=401)
        return response

    return answered


@gzip_page
@cache_control(no_store=True)
@public_view("GET")
def page(request: Request) -> HttpResponse:
    """Return the page shell. It is the same for every phone; the secret stays in the fragment of the URL."""
    addresses = ("enter", "sheet", "pen", "entries", "scribe", "call", "missing", "own", "link", "words")
    config = {
        "urls": {
            **{name: reverse(f"phone:{name}") for name in (*addresses, "history", "worker")},
            **{name: reverse(f"public:{name}", args=["SLUG"]) for name in ("rules", "hand", "players")},
            "round": reverse("public:round_json", args=["SLUG", 0]),
        },
        "edition": edition(),
        "icons": static("icons/phone.svg"),
        "limits": LIMITS,
        "words": translated_section(_SENTENCES["sheet"]),
        "refusals": catalogue(),
    }
    response = render(request, "scoring/phone/page.html", {"config": _as_text(config), "modules": MODULES})
    response["Referrer-Policy"] = "no-referrer"
    response["Sheet-Page"] = edition()  # by it the service worker knows the page from a network's log-in page
    return response


@gzip_page
@cache_control(no_store=True)
@public_view("GET")
def words(request: Request) -> HttpResponse:
    """Return the texts of the modules that the page loads when it needs them, in the reader's language."""
    response = _json(json.dumps(translated_section(_SENTENCES["extras"]), ensure_ascii=False))
    response["Sheet-Page"] = edition()
    return response


@cache_control(no_cache=True)
@etag(lambda _request: f'"{edition()}"')
@public_view("GET")
def worker(request: Request) -> HttpResponse:
    """Return the service worker. Its URL lies below /s/, so that the page is in its scope."""
    kept = {
        "version": edition(),
        "page": reverse("phone:page"),
        "words": reverse("phone:words"),
        "files": [static(name) for name in FILES],
    }
    script = f"importScripts({json.dumps(static(WORKER))});\nkeep({json.dumps(kept)});\n"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@_phone_api
@public_view("POST", once=False)
def enter(request: Request) -> HttpResponse:
    """Exchange the secret of a table's link for a cookie."""
    body = json_object(request, {"secret"})
    if not isinstance(body["secret"], str) or not is_fit(body["secret"]):
        raise unreadable()
    phone = pass_of(request)
    try:
        table, device = sheets.enter(body["secret"], device=phone.device if phone else None)
        if links.has_ended(table, timezone.localdate()):
            raise Refusal("link_of_ended_tournament")
    except Refusal as refusal:
        named = {key: str(refusal.params[key]) for key in ("tournament",) if key in refusal.params}
        raise Unfit(401, message(refusal), named) from None
    response = _answer(open_sheet(table.pk), device)
    _admit(response, links.PhonePass(table.pk, table.link_version, device))
    return response


@_phone_api
@sheet_view("GET")
def sheet(request: Request, phone: links.PhonePass) -> HttpResponse:
    return _answer(open_sheet_of(phone, at=timezone.now()), phone.device)


@_phone_api
@sheet_view("POST")
def pen(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Give this phone the pen."""
    _of_this_sheet(request, phone.table_id, set())
    taken = sheets.take_pen(phone, device=phone.device, at=timezone.now())
    return _answer(taken, phone.device)


@_phone_api
@sheet_view("POST")
def entries(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Record entries of this phone; return the outcome of each."""
    batch = batch_of(_of_this_sheet(request, phone.table_id, {"pen_epoch", "entries"}))
    outcomes, after = sheets.record(
        phone, batch.sent, device=phone.device, pen_epoch=batch.pen_epoch, at=timezone.now()
    )
    results = batch.in_order(outcomes)
    for result in results:
        if "code" in result:
            REFUSALS.labels(result["code"]).inc()
    listed = json.dumps(results, cls=DjangoJSONEncoder)
    return _json(f'{{"results": {listed}, "sheet": {phone_sheet(after, phone.device)}}}')


@_phone_api
@sheet_view("POST")
def scribe(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Give the scribe's office to a player of the table. Only for the phone with the pen."""
    seat_number, agreed = volunteer_of(_of_this_sheet(request, phone.table_id, {"seat_number", "agreed"}))
    after = scribes.give_to_volunteer(phone, seat_number=seat_number, agreed=agreed, at=timezone.now())
    return _answer(after, phone.device)


@_phone_api
@sheet_view("POST")
def call(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Call the supervisor to the table, or take the call back."""
    is_called = call_of(_of_this_sheet(request, phone.table_id, {"called"}))
    change = calls.call_supervisor if is_called else calls.take_call_back
    called = change(phone, at=timezone.now())
    return _answer(called, phone.device)


@_phone_api
@sheet_view("POST")
def missing(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Say that the player of a seat is missing, or found; answer with the seats whose players are missing."""
    seat_number, is_missing = missing_of(_of_this_sheet(request, phone.table_id, {"seat_number", "missing"}))
    change = calls.report_missing if is_missing else calls.end_missing
    seats = change(phone, seat_number, by="", at=timezone.now())
    return JsonResponse({"missing": sorted(seats)})


@_phone_api
@sheet_view("POST")
def own_phone(request: Request, phone: links.PhonePass) -> HttpResponse:
    """Record a player's confirmation or objection from their own phone."""
    seen, entry = word_of(_of_this_sheet(request, phone.table_id, {"seen", "entry"}))
    after = own_phones.speak(phone, entry, seen=seen, at=timezone.now())
    return _answer(after, phone.device)


@_phone_api
@scribe_view("POST")
def link(request: Request, phone: Phone) -> HttpResponse:
    """Return the table's link for another phone. Only for the phone with the pen, while the link is valid."""
    _of_this_sheet(request, phone.table.pk, set())
    sheets.check_holds_pen(phone.table, device=phone.device)
    table_link = link_of(phone.table)
    return JsonResponse({"url": table_link.url, "picture": table_link.picture})


@_phone_api
@public_view("POST", once=False)
def error(request: Request) -> HttpResponse:
    """Note an error of a script. A page can fail before its phone is let in."""
    told = PageError.of(json_object(request, {"file", "line", "column", "kind", "version"}))
    phone = pass_of(request)
    if not error_limit.take(address_of(request), phone.device if phone else ""):
        raise Unfit(429, say("too_many_errors"))
    told.note()
    return JsonResponse({})


@cache_control(no_store=True)
@for_people
@scribe_view("GET")
def history(request: Request, phone: Phone) -> HttpResponse:
    """Show the full log of the sheet to all at the table."""
    table = phone.table
    sheet = sheet_page(table.round.tournament, table.round.number, table.number)
    if sheet is None:
        return phone_without_table()
    return render(request, "scoring/phone/history.html", {"page": sheet, "number": table.round.number})


def _as_text(config: dict[str, Any]) -> SafeString:
    """Return the JSON as the text of an element, without white space and escapes that it does not need: the first load is small."""
    text = json.dumps(config, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _answer(sheet: OpenSheet, device: str) -> HttpResponse:
    return _json(phone_sheet(sheet, device))


def _json(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="application/json")


def _admit(response: HttpResponse, phone_pass: links.PhonePass) -> None:
    set_cookie(
        response,
        settings.PHONE_COOKIE_NAME,
        phone_pass.to_cookie(),
        seconds=links.COOKIE_SECONDS,
        path=settings.PHONE_COOKIE_PATH,
        same_site="Strict",
    )


def _of_this_sheet(request: HttpRequest, table_id: int, keys: set[str]) -> dict[str, Any]:
    """Return the body of a request, see `json_object`.

    Refuse one for another table: the tabs of a browser share one cookie, but each has its own sheet.
    """
    body = json_object(request, keys)
    if request.headers.get("Sheet-Key", str(table_id)) != str(table_id):
        raise Unfit(409, say("other_table"))
    return body
