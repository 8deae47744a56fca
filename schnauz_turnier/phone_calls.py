"""The calls of the scribes' phones: Django in a few threads that stay, and a limit on how many calls wait for one.

Django's own ASGI handler starts a thread for each request and hops between it and the event loop, which takes longer
than the call, and its queue has no end. Here the same middleware and the same views run, so the answers are the same.
"""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.http import JsonResponse
from django.urls import set_script_prefix
from django.utils.translation import get_language_from_request, gettext, override

from schnauz_turnier.live import App, Receive, Scope

THREADS = 4  # more would wait for each other: for the interpreter, or for the lock of a table
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


class PhoneCalls:
    """ASGI application that answers `paths`, and leaves all others to `app`. RequestLimits, in front, reads the bodies."""

    def __init__(self, app: App, paths: frozenset[str]) -> None:
        self._app = app
        self._paths = paths
        self._handler = _Handler()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="phone")
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] not in self._paths:
            await self._app(scope, receive, send)
            return
        body = (await receive()).get("body", b"")
        if self._under_way >= THREADS + settings.PHONE_CALLS_WAITING:
            response = self._handler.refuse(scope)
        else:
            response = await self._respond(scope, body)
        await self._handler.send_response(response, send)

    async def _respond(self, scope: Scope, body: bytes) -> Any:
        self._under_way += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._handler.respond, scope, body)
        finally:
            self._under_way -= 1
