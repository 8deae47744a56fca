"""Pages about the installation, for requests without a club or with a closed one."""

from http import HTTPStatus
from urllib.parse import quote, urlencode

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from schnauz_turnier.clubs.catalogue import State, UnknownClub, club_of
from schnauz_turnier.clubs.listing import LONGEST_QUERY, listed_clubs
from schnauz_turnier.clubs.texts import Kind, Text, texts_of_operator, why_incomplete
from tournaments.access import public_view
from tournaments.own_address import public_url
from tournaments.requests import Request


@public_view("GET")
def clubs(request: Request) -> HttpResponse:
    """Return a page of the listed clubs, all or those that ?q= finds."""
    text = request.GET.get("q", "")[:LONGEST_QUERY].strip()
    context = {
        "page": listed_clubs(text, page=request.GET.get("page", "1")[:6]),
        "text": text,
        "kept": f"{urlencode({'q': text})}&" if text else "",
        "longest": LONGEST_QUERY,
        "may_register": not why_incomplete(),
    }
    return render(request, "clubs/clubs.html", context)


@public_view("GET")
def text(request: Request, kind: Kind) -> HttpResponse:
    """Show a text of the operator, with its version and day."""
    return render(request, "clubs/text.html", {"text": _text_or_404(kind)})


@public_view("GET")
def text_file(request: Request, kind: Kind) -> HttpResponse:
    """Return a text as the file that the operator has written."""
    operator_text = _text_or_404(kind)
    disposition = f'attachment; filename="{kind}-{operator_text.dated_on}.txt"'
    headers = {"Content-Disposition": disposition, "Content-Language": operator_text.language}
    return HttpResponse(operator_text.source, content_type="text/plain; charset=utf-8", headers=headers)


def _text_or_404(kind: Kind) -> Text:
    for text in texts_of_operator():
        if text.kind is kind:
            return text
    raise Http404


@csrf_exempt
@never_cache
@public_view("GET", "POST")
def closed(request: Request, state: str) -> HttpResponse:
    """Answer for a club that is not open. state: as in the catalogue; "unknown" for a club that is not in it."""
    if state == State.ARCHIVED:
        status, start = HTTPStatus.GONE, ""
        title = _("Dieser Verein ist geschlossen")
        sentence = _("Seine Turniere bleiben gespeichert. Wer diese Seiten betreibt, kann ihn wieder öffnen.")
    else:
        status, start = HTTPStatus.NOT_FOUND, f"{public_url()}/"
        title = _("Diesen Verein gibt es hier nicht")
        sentence = _("Vielleicht ist die Adresse vertippt. Auf der Startseite stehen alle Vereine.")
    if _wants_json(request):
        return JsonResponse({"error": f"{title}. {sentence}"}, status=status)
    context = {"title": title, "sentence": sentence, "start": start}
    return render(request, "clubs/closed.html", context, status=status)


@csrf_exempt
@never_cache
@public_view("GET", "POST")
def moved(request: Request, slug: str) -> HttpResponse:
    """Lead on to where a club has moved. Field `path` of the query: what was asked for in the club."""
    try:
        entry = club_of(slug)
    except UnknownClub:  # deleted since the request was routed
        raise Http404 from None
    if not entry.moved_to:  # opened again since then
        return closed(request, entry.state)
    if _wants_json(request):
        sentence = _("Dieser Verein ist umgezogen: %(address)s") % {"address": entry.moved_to}
        return JsonResponse({"error": sentence}, status=HTTPStatus.GONE)
    address = f"{entry.moved_to}{quote(request.GET.get('path', '/'))}"
    context = {"moved_to": entry.moved_to, "address": address}
    return render(request, "clubs/moved.html", context, status=HTTPStatus.GONE)


def _wants_json(request: Request) -> bool:
    return "application/json" in (request.content_type, request.headers.get("Accept", ""))
