"""Pages about the installation, for requests without a club or with a closed one."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from schnauz_turnier.clubs.listing import LONGEST_QUERY, listed_clubs
from tournaments.access import public_view
from tournaments.own_address import public_url
from tournaments.requests import Request


@public_view("GET")
def clubs(request: Request) -> HttpResponse:
    """Return a page of the listed clubs, all or those that ?q= finds."""
    text = request.GET.get("q", "")[:LONGEST_QUERY].strip()
    listed, page = listed_clubs(text, page=request.GET.get("page", "1")[:6])
    context = {
        "clubs": listed,
        "page": page,
        "text": text,
        "kept": f"{urlencode({'q': text})}&" if text else "",
        "longest": LONGEST_QUERY,
    }
    return render(request, "clubs/clubs.html", context)


@csrf_exempt
@never_cache
@public_view("GET", "POST")
def closed(request: Request, state: str) -> HttpResponse:
    """Answer for a club that is not open. state: as in the catalogue; "unknown" for a club that is not in it."""
    title, sentence, status = {
        "archived": (
            _("Dieser Verein ist geschlossen"),
            _("Seine Turniere sind aufgehoben. Wer diese Seiten betreibt, kann ihn wieder öffnen."),
            HTTPStatus.GONE,
        ),
    }.get(
        state,
        (
            _("Diesen Verein gibt es hier nicht"),
            _("Vielleicht ist die Adresse vertippt. Auf der Startseite stehen alle Vereine."),
            HTTPStatus.NOT_FOUND,
        ),
    )
    wants_json = "application/json" in (request.content_type, request.headers.get("Accept", ""))
    response: HttpResponse
    if wants_json:
        response = JsonResponse({"error": f"{title}. {sentence}"}, status=status)
    else:
        start = f"{public_url()}/" if status == HTTPStatus.NOT_FOUND else ""
        context = {"title": title, "sentence": sentence, "start": start}
        response = render(request, "clubs/closed.html", context, status=status)
    return response
