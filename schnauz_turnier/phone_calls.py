"""The calls of the scribes' phones, and a limit on how many of them are under way.

The calls of a table stand in a line of their own, and one of them is in a thread at a time: the others would wait there
for the lock of the table. So a phone that floods the program holds up its own table, and no other. All who name no table
stand in one line.
"""

import asyncio
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import JsonResponse, parse_cookie
from django.utils.translation import get_language_from_request, gettext, override

from schnauz_turnier.django_threads import DjangoThreads
from schnauz_turnier.live import App, Receive, Scope
from tournaments.current_club import of_this_club
from tournaments.links import PhonePass

RETRY_AFTER = (2, 6)  # seconds; not all after the same time, or they would come back together


@dataclass(slots=True)
class _Line:
    """The calls of one table that are under way."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class PhoneCalls:
    """ASGI application that answers `paths`, and leaves all others to `app`. RequestLimits, in front, reads the bodies.

    line_of: returns what the calls of one line have in common.
    """

    def __init__(self, app: App, paths: frozenset[str], line_of: Callable[[Scope], Hashable]) -> None:
        self._app = app
        self._paths = paths
        self._line_of = line_of
        self._django = DjangoThreads("phone")
        self._lines: dict[Hashable, _Line] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] not in self._paths:
            await self._app(scope, receive, send)
            return
        body = (await receive()).get("body", b"")
        name = self._line_of(scope)
        line = self._lines.setdefault(name, _Line())
        under_way = sum(one.length for one in self._lines.values())
        try:
            line.length += 1
            if under_way >= settings.PHONE_CALLS or line.length > settings.PHONE_CALLS_OF_A_TABLE:
                response = self._refusal(scope)
            else:
                async with line.turn:
                    response = await self._django.respond(scope, body)
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[name]
        await self._django.send(response, send)

    def _refusal(self, scope: Scope) -> JsonResponse:
        request = self._django.request_of(scope)
        with override(get_language_from_request(request) if request else None):
            sentence = gettext("Das Turnier kann gerade nicht antworten. Es wird weiter versucht.")
        headers = {
            "Retry-After": str(random.randint(*RETRY_AFTER)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        response = JsonResponse({"error": sentence}, status=429, headers=headers)
        response["Content-Length"] = len(response.content)
        return response


def table_of(scope: Scope) -> Hashable:
    """Return the table of a phone, by its signed cookie, in its club; table 0 without a valid one."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin1")
    known = PhonePass.from_cookie(parse_cookie(cookies).get(settings.PHONE_COOKIE_NAME, ""))
    return of_this_club(known.table_id if known else 0)
