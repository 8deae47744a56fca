"""Outages of what the program stands on: the database, a pooler in front of it, room on a disk.

They are answered 503 with Retry-After and a sentence; phones keep their entries and try again. Every other failure is one of
the program, and stays 500.
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
"""Seconds; not all after the same time, or they would come back together."""
NO_ROOM = 16_000_000
"""Bytes. With less, the embedded database cannot write the next file of its log, and ends."""
_DISK_FULL = "53100"
_OF_THE_SERVER = ("08", "53", "57P", "58")
"""Classes of SQLSTATE: connections, resources, shutdown, errors of the system. A pooler reports its own as 08P01."""
logger = logging.getLogger("django.request")


def outage_in(error: BaseException | None) -> Outage | None:
    """Return the outage that an error comes from, itself or by what it was raised from; None if it comes from none."""
    found = [outage for one in _chain(error) if (outage := _outage(one)) is not None]
    if "disk" in found or (found and _is_own_disk_full()):
        return "disk"
    return "database" if found else None


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
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return "database"
    is_djangos_own = not isinstance(error.__cause__, psycopg.Error)
    if is_djangos_own and isinstance(error, django.db.OperationalError | django.db.InterfaceError):
        return "database"
    return None


def _is_own_disk_full() -> bool:
    is_embedded = settings.DATABASES["default"]["ENGINE"] == "schnauz_turnier.postgresql.embedded"
    return is_embedded and any(room.free < NO_ROOM for room in rooms() if room.folder == settings.DATA_DIR)


def failure(request: HttpRequest) -> HttpResponse:
    """Answer for an exception that no view has caught: Django's handler of 500."""
    outage = outage_in(sys.exc_info()[1])
    return server_error(request) if outage is None else answer(request, outage)


def refusal(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for a request that Django cannot use, its handler of 400. A session that cannot be stored is one as well."""
    outage = outage_in(exception)
    return bad_request(request, exception) if outage is None else answer(request, outage)


def answer(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return the answer 503: a page for who asks for one, JSON for scripts and phones. It reads nothing from the database."""
    if outage == "disk":
        failed_writes.note()
    language = get_language_from_request(request)
    with override(language):
        response: HttpResponse
        if "text/html" in request.headers.get("Accept", "") and "HX-Request" not in request.headers:
            page = render_to_string("503.html", {"outage": outage, "LANGUAGE_CODE": language})
            response = HttpResponse(page, status=503)
        else:
            response = JsonResponse({"error": sentence(outage)}, status=503)
    response["Retry-After"] = str(random.randint(*RETRY_AFTER[outage]))
    response["X-Content-Type-Options"] = "nosniff"
    add_never_cache_headers(response)
    return response


def sentence(outage: Outage) -> str:
    if outage == "disk":
        return gettext(
            "Die Festplatte des Turnier-Laptops ist voll. Bitte der Spielleitung Bescheid geben. Was auf einem Handy "
            "eingetragen ist, bleibt dort und wird nachgereicht."
        )
    return gettext("Das Turnier kann gerade nicht antworten. Es wird weiter versucht.")


class Outages:
    """ASGI application around `app`, for outages in front of Django's views, which answer for their own."""

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
