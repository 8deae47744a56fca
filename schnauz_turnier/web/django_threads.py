"""Django in a few threads that stay.

Django's own ASGI handler starts a thread for each request and hops between it and the event loop, which takes longer than
a short answer. Here the same middleware and views run, so the answers are the same.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.http import HttpRequest
from django.urls import set_script_prefix

from schnauz_turnier.clubs.routing import as_django_reads
from schnauz_turnier.web.asgi_types import Receive, Scope

THREADS = 4  # more would wait for the interpreter
SPARE = THREADS // 2  # further ones for clubs that have none


def request_without_body(scope: Scope) -> HttpRequest:
    """Return a request for answers that no view makes, also without its query, which may be unreadable."""
    return ASGIRequest({**scope, "query_string": b""}, BytesIO())


class _Handler(ASGIHandler):
    """Django's handler without its event loop: `respond` runs middleware and view in the calling thread."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)  # that of ASGIHandler makes the middleware asynchronous
        self.load_middleware()

    def respond(self, scope: Scope, body: bytes) -> Any:
        scope = as_django_reads(scope)
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, BytesIO(body))
        response: Any = self.get_response(request) if request else refusal
        response.close()  # sends request_finished
        return response


class DjangoThreads:
    """ASGI application for short answers, not for streams. RequestLimits, in front, reads the bodies."""

    def __init__(self, name: str, *, threads: int = THREADS) -> None:
        self._handler = _Handler()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def __call__(self, scope: Scope, receive: Receive, send: Any) -> None:
        await self.send(await self.respond(scope, (await receive()).get("body", b"")), send)

    async def respond(self, scope: Scope, body: bytes) -> Any:
        """Return the response of Django."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, copy_context().run, self._handler.respond, scope, body
        )

    async def send(self, response: Any, send: Any) -> None:
        await self._handler.send_response(response, send)

    def request_of(self, scope: Scope) -> HttpRequest | None:
        """Return the request as Django reads it, without its body; None if Django cannot read it."""
        request: HttpRequest | None = self._handler.create_request(as_django_reads(scope), BytesIO())[0]
        return request
