"""Pages about the installation, for requests without a club or with a closed one."""

from http import HTTPStatus

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from schnauz_turnier.clubs.catalogue import State, all_clubs
from schnauz_turnier.clubs.texts import Kind, Text, texts_of_operator, why_incomplete
from tournaments.access import public_view
from tournaments.own_address import public_url
from tournaments.requests import Request


@public_view("GET")
def clubs(request: Request) -> HttpResponse:
    """Return the page with all open clubs."""
    entries = [entry for entry in all_clubs() if entry.state is State.OPEN and entry.is_listed]
    entries.sort(key=lambda entry: entry.name.casefold())
    return render(request, "clubs/clubs.html", {"clubs": entries, "may_register": not why_incomplete()})


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
