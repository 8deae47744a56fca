"""Request ids: one in each answer, in the log lines of the request, and on the page for a failure.

A user can read the id out, and the log says what happened. It is random and reveals nothing about the user. The id that a
trusted proxy gives a request is kept, so that both logs have the same one.
"""

import logging
import re

from django.conf import settings
from django.urls import Resolver404, resolve

from schnauz_turnier.web.address_limit import host_of, is_trusted_proxy
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.current_request import CurrentRequest, begin, new_id
from schnauz_turnier.web.metrics import ADDRESS, count_answer

HEADER = b"x-request-id"
logger = logging.getLogger(__name__)
_OF_A_CLUB = re.compile(r"^/c/[^/]*")
_HARMLESS = re.compile(rb"[A-Za-z0-9-]{8,64}")


class RequestIds:
    """ASGI application around `app`. Must wrap ProxyHeadersMiddleware: it accepts ids only from the proxy's own address."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = CurrentRequest(_id_for(scope), scope["method"])
        begin(request)
        header = (HEADER, request.id.encode())

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.status = message["status"]
                # a copy, as a kept answer is sent again
                message = {**message, "headers": [*message["headers"], header]}
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            request.route = request.route or _route_of(scope["path"])
            count_answer(request)
            if settings.LOG_FORMAT == "json":
                logger.info("answered")


def _route_of(path: str) -> str:
    """Return the route of a request that was answered without a view; "" for an unknown address."""
    if path.startswith(settings.STATIC_URL):
        return "static"
    if path == ADDRESS:
        return "metrics"
    try:
        return resolve(_OF_A_CLUB.sub("", path)).view_name
    except Resolver404:
        return ""


def _id_for(scope: Scope) -> str:
    """Return the id from a trusted proxy if it is harmless in a log and on a page, else a new one."""
    ids: list[bytes] = [value for name, value in scope["headers"] if name == HEADER]
    if len(ids) == 1 and is_trusted_proxy(host_of(scope)) and _HARMLESS.fullmatch(ids[0]):
        return ids[0].decode()
    return new_id()
