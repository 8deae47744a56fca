"""Limits of requests: the size of a body, the time until it is complete, its encoding, and how many an address sends at once.

This layer reads a body before Django does, and passes it on only when it is complete. So requests are refused at once,
a slow sender occupies neither a thread nor a database connection, and nothing is written to the disk.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.formats import number_format
from django.utils.http import parse_header_parameters
from django.utils.translation import get_language_from_request, gettext_lazy, override

from schnauz_turnier.web.address_limit import AddressLimit, host_of
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.django_threads import request_without_body

LINGER = 2.0  # seconds in which the rest of a refused body is discarded, so that the sender reads the answer

_TOO_LARGE = gettext_lazy(
    "Das ist zu viel auf einmal; angenommen werden hier höchstens %(most)s kB. Nichts wurde gespeichert."
)
_NO_UTF_8 = gettext_lazy(
    "Angenommen wird nur Text in UTF-8. Bitte die Seite neu laden und noch einmal senden."
)
_TOO_SLOW = gettext_lazy("Die Anfrage kam nicht vollständig an. Bitte noch einmal versuchen.")
_TOO_MANY = gettext_lazy(
    "Von dieser Adresse kommt gerade zu viel auf einmal. Bitte in einer Minute noch einmal versuchen."
)


@dataclass
class Refused(Exception):
    """A refusal with the status and sentence of its answer. most: the limit in bytes, for the sentence."""

    status: int
    sentence: Any  # lazy, in the language of the answer
    most: int = 0


class Disconnected(Exception):
    """The client has closed the connection before its request was complete."""


class RequestLimits:
    """ASGI application in front of `app`."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._requests = AddressLimit(settings.CONNECTIONS_PER_ADDRESS)
        self._large_bodies = AddressLimit(settings.LARGE_BODIES_PER_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            with ExitStack() as places:
                host = host_of(scope)
                places.enter_context(_place(self._requests, host))
                _check_encoding(scope)
                receive_body = await self._receive_body(scope, receive, places, host)
                await self._app(scope, receive_body, send)
        except Refused as refused:
            await _answer(refused, scope, receive, send)
        except Disconnected:
            return

    async def _receive_body(self, scope: Scope, receive: Receive, places: ExitStack, host: str) -> Receive:
        """Return a `receive` that yields the whole body at once. Raises Refused, Disconnected."""
        headers = dict(scope["headers"])
        announced = int(headers.get(b"content-length", 0))
        if not announced and b"transfer-encoding" not in headers:
            return receive
        most = body_limit(scope["path"])
        if announced > most:
            raise Refused(413, _TOO_LARGE, most)
        body = bytearray()
        try:
            async with asyncio.timeout(settings.BODY_SECONDS):
                async for chunk in _chunks(receive):
                    was_small = len(body) <= settings.BODY_BYTES
                    body += chunk
                    if len(body) > most:
                        raise Refused(413, _TOO_LARGE, most)
                    if was_small and len(body) > settings.BODY_BYTES:
                        places.enter_context(_place(self._large_bodies, host))
        except TimeoutError:
            raise Refused(408, _TOO_SLOW) from None
        return at_once(bytes(body), receive)


def _check_encoding(scope: Scope) -> None:
    """Check that the text of a request is UTF-8, as browsers send it. Some of Python's codecs fail when Django reads a query."""
    stated = b",".join(value for name, value in scope["headers"] if name == b"content-type")
    if b"charset" in stated.lower():
        _type, parameters = parse_header_parameters(stated.decode("latin1"))
        if parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise Refused(415, _NO_UTF_8)


_WITH_A_FILE = frozenset(
    {
        "account:club",
        "door:import_list",
        "organiser:club_members",
        "organiser:read_club",
        "organiser:read_copy",
        "organiser:set_picture",
    }
)


def body_limit(path: str) -> int:
    """Return the maximum size of a request body for this path, in bytes."""
    try:
        route = resolve(path)
    except Resolver404:
        return settings.BODY_BYTES
    if route.namespace == "phone":
        return settings.PHONE_BODY_BYTES
    return settings.IMPORT_BODY_BYTES if route.view_name in _WITH_A_FILE else settings.BODY_BYTES


@contextmanager
def _place(limit: AddressLimit, host: str) -> Iterator[None]:
    """Use one of the address's places inside the block. Raises Refused if none is left."""
    try:
        if not limit.take(host):
            raise Refused(429, _TOO_MANY)
        yield
    finally:
        limit.give_back(host)


async def _chunks(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the parts of a body. Raises Disconnected."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


def at_once(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body first, and then what `receive` yields."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


# --- answers to refused requests ---------------------------------------------------------------------------------


async def _answer(refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the refusal, discard further data of the client for a moment, and close the connection."""
    request = request_without_body(scope)
    with override(get_language_from_request(request)):
        sentence = str(refused.sentence) % {"most": number_format(refused.most // 1000, force_grouping=True)}
    is_json = scope["path"].startswith("/s/") or request.content_type == "application/json"
    content = json.dumps({"error": sentence}) if is_json else f"{sentence}\n"
    body = content.encode()
    answer = [
        (b"content-type", b"application/json" if is_json else b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        (b"connection", b"close"),
        *([(b"retry-after", b"60")] if refused.status == 429 else []),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": answer})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    await _discard(receive)
    await send({"type": "http.response.body", "body": b""})


async def _discard(receive: Receive) -> None:
    """Discard data for up to LINGER. Closing a connection with unread data would lose the answer."""
    size = 0
    with suppress(TimeoutError, Disconnected):
        async with asyncio.timeout(LINGER):
            async for chunk in _chunks(receive):
                size += len(chunk)
                if size > settings.IMPORT_BODY_BYTES:
                    return
