"""The scribe's phone: a page without secrets, and behind it JSON over HTTP.

What can be wrong with a request is answered in this order: 405 method, 401 no phone of a table, 403 foreign
page, 415 no JSON, 413 too large, 400 unreadable. Every such answer is {"error": a sentence}, and changed nothing.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import etag, require_POST, require_safe

from scoring import phone_words
from scoring.core.entries import canonical_id
from scoring.log import OpenSheet, open_sheet
from scoring.queries.phone import phone_sheet
from scoring.queries.supervision import link_of, sheet_page
from scoring.services import sheets
from scoring.services.sheets import Outcome, Sent
from scoring.wording import catalogue, word
from tournaments import links
from tournaments.access import Phone, phone_without_table, public_view, scribe_required
from tournaments.core.moments import moment_of
from tournaments.core.refusal import Refusal
from tournaments.core.strict_json import UnreadableJson, is_fit, parse
from tournaments.models import Table

LARGEST_BODY = 1_000_000
LARGEST_EPOCH = 2**31 - 1

_IMPORTED = (
    "sync",
    "store",
    "view",
    "beside",
    "tray",
    "moving",
    "result",
    "replay",
    "checks",
    "stakes",
    "words",
    "dom",
)
_KINDS = ("survival", "hand_points", "plus_minus")
MODULES = ["vendor/idb-8.0.4/index.js", *(f"js/sheet/{name}.js" for name in _IMPORTED)]
"""What the page's script imports, for the browser to fetch at once instead of one after the other."""

WORKER = "js/sheet/worker.js"
FILES = [
    *("icons/favicon.svg", "icons/sprite.svg"),
    *(f"css/{name}.css" for name in ("tokens", "dark", "phone", "marks")),
    *("js/sheet/main.js", *MODULES),
    *(f"js/sheet/{kind}{part}.js" for kind in _KINDS for part in ("", "_view")),
]
"""Everything that the page may load, for the service worker to keep; of the kinds of sheets a page needs one."""

View = Callable[..., HttpResponse]


@dataclass
class Unfit(Exception):
    """A request that is answered with {"error": sentence} and this status."""

    status: int
    sentence: str


@dataclass(slots=True)
class Batch:
    """Entries as they came: those that are fit to be recorded, and where the others stood."""

    pen_epoch: int
    ids: list[str]
    sent: list[Sent] = field(default_factory=list)
    unfit: dict[int, Outcome] = field(default_factory=dict)

    def in_order(self, outcomes: list[Outcome]) -> list[dict[str, Any]]:
        """One answer an entry, in the order they were sent, under the ids as they were sent."""
        judged = iter(outcomes)
        merged = [self.unfit.get(index) or next(judged) for index in range(len(self.ids))]
        return [_result(sent_id, outcome) for sent_id, outcome in zip(self.ids, merged, strict=True)]


def _phone_api(view: View) -> View:
    """For every address that a phone talks to: nothing is stored on the way, and what is unfit is said in JSON.

    Compressed, for the Wi-Fi of a hall: no answer repeats what a foreign page could choose next to a secret.
    """

    @csrf_exempt
    @gzip_page
    @cache_control(no_store=True)
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Table.DoesNotExist:  # a redraw took the table away
            return phone_without_table()
        except Unfit as unfit:
            return JsonResponse({"error": unfit.sentence}, status=unfit.status)

    return answered


def _version(request: HttpRequest | None = None) -> str:
    """Changes whenever a file of the page does: their names hold what is in them."""
    names = [static(name) for name in (*FILES, WORKER)]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


def for_people(view: View) -> View:
    """For a page among the addresses of phones: who has no table there reads that on a page too."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code == 401:
            sentence = json.loads(response.content)["error"]
            return render(request, "scoring/scribe/no_table.html", {"sentence": sentence}, status=401)
        return response

    return answered


@require_safe
@gzip_page
@cache_control(no_store=True)
@public_view
def page(request: HttpRequest) -> HttpResponse:
    """The shell: the same for everybody, the secret stays in the fragment of the address."""
    addresses = ("enter", "sheet", "pen", "entries", "link", "history", "worker")
    config = {
        "urls": {
            **{name: reverse(f"scribe:{name}") for name in addresses},
            **{name: reverse(f"standings:{name}", args=["SLUG"]) for name in ("rules", "hand")},
        },
        "icons": static("icons/sprite.svg"),
        "words": phone_words.words(),
        "refusals": catalogue(),
    }
    response = render(request, "scoring/scribe/page.html", {"config": json.dumps(config), "modules": MODULES})
    response["Referrer-Policy"] = "no-referrer"
    response["Sheet-Page"] = (
        _version()
    )  # by it the service worker knows the page from a network's log-in page
    return response


@require_safe
@cache_control(no_cache=True)
@etag(lambda _request: f'"{_version()}"')
@public_view
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker: at an address of its own below /s/, so that the page is what it answers for."""
    kept = {"version": _version(), "page": reverse("scribe:page"), "files": [static(name) for name in FILES]}
    script = f"importScripts({json.dumps(static(WORKER))});\nkeep({json.dumps(kept)});\n"
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@_phone_api
@require_POST
@public_view
def enter(request: HttpRequest) -> HttpResponse:
    """A phone shows the secret of a table's link and gets a cookie for it."""
    body = _json_object(request, {"secret"})
    if not isinstance(body["secret"], str) or not is_fit(body["secret"]):
        raise _unreadable()
    known = links.PhonePass.from_cookie(request.COOKIES.get(links.COOKIE, ""))
    try:
        table, device = sheets.enter(body["secret"], device=known.device if known else None)
    except Refusal as refusal:
        raise Unfit(401, word(refusal)) from None
    response = _answer(open_sheet(table.pk), device)
    _admit(response, links.PhonePass(table.pk, table.link_version, device))
    return response


@_phone_api
@require_safe
@scribe_required
def sheet(request: HttpRequest, phone: Phone) -> HttpResponse:
    return _answer(open_sheet(phone.table.pk), phone.device)


@_phone_api
@require_POST
@scribe_required
def pen(request: HttpRequest, phone: Phone) -> HttpResponse:
    """This phone writes from now on."""
    _json_object(request, set())
    _check_sheet_key(request, phone)
    try:
        taken = sheets.take_pen(phone.table, device=phone.device, at=timezone.now())
    except Refusal as refusal:
        raise Unfit(409, word(refusal)) from None
    return _answer(taken, phone.device)


@_phone_api
@require_POST
@scribe_required
def entries(request: HttpRequest, phone: Phone) -> HttpResponse:
    """Entries made on this phone; the answer names each with what became of it."""
    batch = _batch(_json_object(request, {"pen_epoch", "entries"}))
    _check_sheet_key(request, phone)
    outcomes, after = sheets.record(
        phone.table, batch.sent, device=phone.device, pen_epoch=batch.pen_epoch, at=timezone.now()
    )
    return JsonResponse({"results": batch.in_order(outcomes), "sheet": phone_sheet(after, phone.device)})


@_phone_api
@require_POST
@scribe_required
def link(request: HttpRequest, phone: Phone) -> HttpResponse:
    """The table's link once more, for another phone: only from the phone that writes, and as long as it is good."""
    _json_object(request, set())
    _check_sheet_key(request, phone)
    try:
        sheets.check_holds_pen(phone.table, device=phone.device)
    except Refusal as refusal:
        raise Unfit(409, word(refusal)) from None
    found = link_of(phone.table)
    return JsonResponse({"url": found.url, "picture": found.picture})


@require_safe
@cache_control(no_store=True)
@for_people
@scribe_required
def history(request: HttpRequest, phone: Phone) -> HttpResponse:
    """Everything that was ever written on the sheet, to be read by anybody at the table."""
    table = phone.table
    found = sheet_page(table.round.tournament, table.round.number, table.number)
    if found is None:
        return phone_without_table()
    return render(request, "scoring/scribe/history.html", {"page": found, "number": table.round.number})


def _answer(sheet: OpenSheet, device: str) -> JsonResponse:
    return JsonResponse(phone_sheet(sheet, device))


def _admit(response: HttpResponse, phone_pass: links.PhonePass) -> None:
    response.set_cookie(
        links.COOKIE,
        phone_pass.to_cookie(),
        max_age=links.COOKIE_SECONDS,
        path=reverse("scribe:page"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _result(sent_id: str, outcome: Outcome) -> dict[str, Any]:
    result: dict[str, Any] = {"id": sent_id, "outcome": outcome.outcome}
    if outcome.refusal is None:
        return result
    refusal = outcome.refusal
    return {**result, "reason": word(refusal), "code": refusal.code, "params": refusal.params}


def _check_sheet_key(request: HttpRequest, phone: Phone) -> None:
    """A phone has one cookie, its browser perhaps several tabs: what was written for another table stays there."""
    if request.headers.get("Sheet-Key", str(phone.table.pk)) != str(phone.table.pk):
        raise Unfit(
            409,
            _(
                "Dieses Handy ist inzwischen an einem anderen Tisch. Bitte den Code auf dem Tisch noch einmal scannen."
            ),
        )


# --- reading the body ----------------------------------------------------------------------------------------------


def _json_object(request: HttpRequest, keys: set[str]) -> dict[str, Any]:
    """The body: a JSON object of exactly these keys, sent by our own page."""
    _check_origin(request)
    if request.content_type != "application/json":
        raise Unfit(415, _("Hier wird nur JSON angenommen (Content-Type: application/json)."))
    body = _limited_body(request)
    try:
        value = parse(body)
    except UnreadableJson:
        raise _unreadable() from None
    if not isinstance(value, dict) or value.keys() != keys:
        raise _unreadable()
    return value


def _check_origin(request: HttpRequest) -> None:
    """JSON needs no CSRF token: no foreign page can send it without saying where it comes from."""
    origin = request.headers.get("Origin")
    if origin is None:
        allowed = request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")
    else:
        own = f"{request.scheme}://{request.get_host()}"
        allowed = origin.lower() in (_origin_of(settings.PUBLIC_URL), own.lower())
    if not allowed:
        raise Unfit(403, _("Diese Anfrage kommt von einer fremden Seite und wird nicht angenommen."))


def _origin_of(url: str) -> str:
    """Scheme and host as browsers write them: in small letters, without the usual port."""
    parts = urlsplit(url.lower())
    usual = {"http": ":80", "https": ":443"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.removesuffix(usual)}"


def _limited_body(request: HttpRequest) -> bytes:
    """What was announced may be a lie: what counts is what is read."""
    announced = request.headers.get("Content-Length", "")
    too_large = announced.isdecimal() and int(announced[:18]) > LARGEST_BODY
    body = b"" if too_large else request.read(LARGEST_BODY + 1)
    if too_large or len(body) > LARGEST_BODY:
        raise Unfit(413, _("Das ist zu viel auf einmal; angenommen wird höchstens 1 MB."))
    return body


def _batch(body: Mapping[str, Any]) -> Batch:
    """Entries are judged one by one: what is wrong with one stops nothing after it."""
    pen_epoch, listed = body["pen_epoch"], body["entries"]
    if type(pen_epoch) is not int or not 0 <= pen_epoch <= LARGEST_EPOCH or not isinstance(listed, list):
        raise _unreadable()
    batch = Batch(pen_epoch, [_sent_id(one) for one in listed])
    for index, one in enumerate(listed):
        made_at = moment_of(one.get("made_at"))
        misfit = "made_at" if made_at is None else _misfit(one)
        if made_at is None or misfit:
            batch.unfit[index] = Outcome(one["id"], "refused", Refusal("bad_entry", field=misfit))
        else:
            batch.sent.append(Sent(canonical_id(one["id"]), one["kind"], one["data"], made_at))
    return batch


def _sent_id(one: object) -> str:
    """The id under which an entry is answered; without one there is no answering."""
    try:
        canonical_id(one.get("id") if isinstance(one, dict) else None)
    except Refusal:
        raise _unreadable() from None
    return str(one["id"])  # type: ignore[index]


def _misfit(one: Mapping[str, Any]) -> str:
    """Which part of an entry is not of the shape of an entry, or cannot be kept; "" if all is well."""
    odd = sorted(one.keys() ^ {"id", "kind", "data", "made_at"})
    if odd:
        return odd[0][:40] if is_fit(odd[0]) else "?"
    if not isinstance(one["kind"], str) or not is_fit(one["kind"]):
        return "kind"
    return "" if is_fit(one["data"]) else "data"


def _unreadable() -> Unfit:
    return Unfit(400, _("Diese Anfrage ist unlesbar. Bitte die Seite neu laden und noch einmal versuchen."))
