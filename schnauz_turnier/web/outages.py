"""Outages of what the program depends on: the database, a pooler in front of it, room on a disk.

They are answered with 503, Retry-After and a sentence; phones keep their entries and try again. Every other failure is an
error of the program, and is answered with 500.
"""

import errno
import logging
import random
import sys
from collections.abc import Iterator
from typing import Literal

import django.db
import psycopg
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language_from_request, gettext, override
from django.views.defaults import bad_request, server_error

from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.django_threads import request_without_body
from tournaments.disk_room import failed_writes, rooms

Outage = Literal["database", "disk"]

RETRY_AFTER = {"database": (2, 6), "disk": (10, 20)}
"""Range in seconds. Random, so that clients do not return all at once."""
NO_ROOM = 16_000_000
"""Bytes. With less, the embedded database cannot write the next file of its log, and stops."""
_DISK_FULL = "53100"
_OF_THE_SERVER = ("08", "53", "57P", "58")
"""Classes of SQLSTATE: connections, resources, shutdown, system errors. A pooler reports its own errors as 08P01."""
logger = logging.getLogger("django.request")


def outage_in(error: BaseException | None) -> Outage | None:
    """Return the outage that caused an error, directly or through the errors it was raised from; None without one."""
    outages = {_outage(cause) for cause in _chain(error)} - {None}
    if "disk" in outages or (outages and _is_own_disk_full()):
        return "disk"
    return "database" if outages else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _outage(error: BaseException) -> Outage | None:
    if isinstance(error, OSError):
        return "disk" if error.errno in (errno.ENOSPC, errno.EDQUOT) else None
    if isinstance(error, psycopg.Error) and error.sqlstate:
        if error.sqlstate == _DISK_FULL:
            return "disk"
        return "database" if error.sqlstate.startswith(_OF_THE_SERVER) else None
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError):
        return "database"  # InternalError without SQLSTATE: the answers of a server that was killed meanwhile
    is_djangos_own = not isinstance(error.__cause__, psycopg.Error)
    if is_djangos_own and isinstance(error, django.db.OperationalError | django.db.InterfaceError):
        return "database"
    return None


def _is_own_disk_full() -> bool:
    is_embedded = settings.DATABASES["default"]["ENGINE"] == "schnauz_turnier.postgresql.embedded"
    return is_embedded and any(room.free < NO_ROOM for room in rooms() if room.folder == settings.DATA_DIR)


def failure(request: HttpRequest) -> HttpResponse:
    """Answer a request whose view has raised an exception: Django's handler of 500."""
    outage = outage_in(sys.exc_info()[1])
    return server_error(request) if outage is None else answer(request, outage)


def refusal(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django refuses, or whose session it cannot store: Django's handler of 400."""
    outage = outage_in(exception)
    return bad_request(request, exception) if outage is None else answer(request, outage)


def answer(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return the answer 503: a page for browsers, JSON for scripts and phones. Reads nothing from the database."""
    if outage == "disk":
        failed_writes.note()
    if "text/html" not in request.headers.get("Accept", "") or "HX-Request" in request.headers:
        return json_answer(request, outage, status=503)
    language = get_language_from_request(request)
    with override(language):
        context = {"outage": outage, "is_hosted": bool(settings.CLUBS), "LANGUAGE_CODE": language}
        page = render_to_string("503.html", context)
    return _to_be_repeated(HttpResponse(page, status=503), outage)


def json_answer(request: HttpRequest, outage: Outage, *, status: int) -> HttpResponse:
    with override(get_language_from_request(request)):
        return _to_be_repeated(JsonResponse({"error": sentence(outage)}, status=status), outage)


def _to_be_repeated(response: HttpResponse, outage: Outage) -> HttpResponse:
    response["Retry-After"] = str(random.randint(*RETRY_AFTER[outage]))
    response["X-Content-Type-Options"] = "nosniff"
    add_never_cache_headers(response)
    return response


def sentence(outage: Outage) -> str:
    if outage == "disk" and settings.CLUBS:
        return gettext(
            "Wo diese Seiten betrieben werden, ist die Festplatte voll. Was auf einem Handy eingetragen ist, bleibt dort und wird "
            "nachgereicht."
        )
    if outage == "disk":
        return gettext(
            "Die Festplatte des Turnier-Laptops ist voll. Bitte der Spielleitung Bescheid geben. Was auf einem Handy "
            "eingetragen ist, bleibt dort und wird nachgereicht."
        )
    return gettext("Das Turnier kann gerade nicht antworten. Es wird weiter versucht.")


class Outages:
    """ASGI application around `app`. Answers outages outside of Django's views; see `failure` for those inside."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_answered = False

        async def send_and_note(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            outage = outage_in(error)
            if outage is None or is_answered or scope["type"] != "http":
                raise
            response = answer(request_without_body(scope), outage)
            logger.error("Service Unavailable: %s", scope["path"], exc_info=error)
            headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
            await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
            await send({"type": "http.response.body", "body": response.content})
