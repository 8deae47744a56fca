"""The calls of the scribes' phones: Django in a few threads that stay, and a limit on how many calls wait for one.

Django's own ASGI handler starts a thread for each request and hops between it and the event loop, which takes longer
than the call, and its queue has no end. Here the same middleware and the same views run, so the answers are the same.

The calls of a table stand in a line of their own, and one of them is in a thread at a time: the others would wait there
for the lock of the table. So a phone that floods the program holds up its own table, and no other. All who name no table
stand in one line.
"""

import asyncio
import random
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.http import JsonResponse, parse_cookie
from django.urls import set_script_prefix
from django.utils.translation import get_language_from_request, gettext, override

from schnauz_turnier.live import App, Receive, Scope
from tournaments.links import PhonePass

THREADS = 4  # more would wait for the interpreter
RETRY_AFTER = (2, 6)  # seconds; not all after the same time, or they would come back together


class _Handler(ASGIHandler):
    """Django's handler without its event loop: `respond` runs middleware and view in the calling thread."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)  # that of ASGIHandler makes the middleware asynchronous
        self.load_middleware()

    def respond(self, scope: Scope, body: bytes) -> Any:
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, BytesIO(body))
        response: Any = self.get_response(request) if request else refusal
        response.close()  # sends request_finished
        return response

    def refuse(self, scope: Scope) -> JsonResponse:
        request, _ = self.create_request(scope, BytesIO())
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
        self._handler = _Handler()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="phone")
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
                response = self._handler.refuse(scope)
            else:
                async with line.turn:
                    loop = asyncio.get_running_loop()
                    response = await loop.run_in_executor(self._threads, self._handler.respond, scope, body)
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[name]
        await self._handler.send_response(response, send)


def table_of(scope: Scope) -> int:
    """Return the table of a phone, by its signed cookie; 0 without a valid one."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin1")
    known = PhonePass.from_cookie(parse_cookie(cookies).get(settings.PHONE_COOKIE_NAME, ""))
    return known.table_id if known else 0
