"""Requests of the scribes' phones, and a limit on how many of them are under way.

The requests of a table stand in a line of their own, and one of them is in a thread at a time: the others would wait there
for the lock of the table. So a phone that floods the program holds up its own table, and no other.

A phone without the cookie of a table is a guest. Its calls are refused without a thread. Only a secret that was made here
has the line of its table already; of other secrets an address has a few under way, in the line of the guests.
"""

import asyncio
import random
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import JsonResponse, parse_cookie
from django.utils.translation import get_language_from_request, gettext, override

from schnauz_turnier.web.address_limit import AddressLimit, host_of
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.django_threads import DjangoThreads
from schnauz_turnier.web.guest_line import GuestLine
from schnauz_turnier.web.request_limits import at_once
from schnauz_turnier.web.slow_refusals import wait_before_refusal
from tournaments.core.strict_json import UnreadableJson, parse
from tournaments.current_club import of_this_club
from tournaments.links import PhonePass, table_id_of_own

RETRY_AFTER = (2, 6)  # seconds; not all after the same time, or they would come back together
LONGEST_ENTERING = 200  # bytes; a body with a secret that was made here is shorter

LineOf = Callable[[Scope], Hashable | None]


@dataclass(slots=True)
class _Line:
    """The requests of one table that are under way."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class PhoneCalls:
    """ASGI application that answers phones at a table below `pages`, and leaves all others to `app`.

    RequestLimits, in front, reads the bodies. calls: the paths that answer 401 to a phone without a table. entering: that of
    them which takes a secret. line_of: returns what the requests of one line have in common, None for a phone without a table.
    """

    def __init__(
        self,
        app: App,
        guests: GuestLine,
        *,
        pages: str,
        calls: Collection[str],
        entering: str,
        line_of: LineOf | None = None,
    ) -> None:
        self._app = app
        self._guests = guests
        self._pages = pages
        self._calls = calls
        self._entering = entering
        self._line_of = line_of or table_of
        self._django = DjangoThreads("phone")
        self._lines: dict[Hashable, _Line] = {}
        self._secrets = AddressLimit(settings.SECRETS_PER_ADDRESS)
        self._refusals: dict[Hashable, list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self._pages):
            await self._app(scope, receive, send)
        elif (table := self._line_of(scope)) is not None:
            await self._answer(table, scope, (await receive()).get("body", b""), send)
        elif scope["path"] == self._entering:
            await self._let_enter(scope, receive, send)
        elif scope["path"] in self._calls:
            await self._refuse_unknown(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, table: Hashable, scope: Scope, body: bytes, send: Send) -> None:
        line = self._lines.setdefault(table, _Line())
        under_way = sum(one.length for one in self._lines.values())
        try:
            line.length += 1
            if under_way >= settings.PHONE_CALLS or line.length > settings.PHONE_CALLS_OF_A_TABLE:
                response = self._refusal(scope)
            else:
                async with line.turn:
                    with self._guests.ahead():
                        response = await self._django.respond(scope, body)
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[table]
        await self._django.send(response, send)

    async def _let_enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive()).get("body", b"")
        if (table := table_in(body)) is not None:
            await self._answer(table, scope, body, send)
            return
        host = host_of(scope)
        try:
            if has_place := self._secrets.take(host):
                await self._app(scope, at_once(body, receive), send)
        finally:
            self._secrets.give_back(host)
        if not has_place:
            await wait_before_refusal()
            await self._django.send(self._refusal(scope), send)

    async def _refuse_unknown(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call without a table: the first of its kind by Django, all others with the same answer."""
        kind = self._kind_of(scope)
        if kind in self._refusals:
            for message in self._refusals[kind]:
                await send(message)
            return
        answer: list[Message] = []

        async def send_and_note(message: Message) -> None:
            answer.append(message)
            await send(message)

        await self._app(scope, receive, send_and_note)
        if kind is not None and answer and answer[0]["status"] == 401:
            self._refusals[kind] = answer

    def _kind_of(self, scope: Scope) -> Hashable | None:
        """Return what the refusal of a call depends on; None for a request that Django refuses before it looks at the phone."""
        request = self._django.request_of(scope)
        try:
            if request is None or not request.get_host():
                return None
        except DisallowedHost:
            return None
        return scope["path"], scope["method"], scope.get("scheme"), get_language_from_request(request)

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


def table_of(scope: Scope) -> Hashable | None:
    """Return the table of a phone, by its signed cookie, in its club; None without a valid one."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin1")
    known = PhonePass.from_cookie(parse_cookie(cookies).get(settings.PHONE_COOKIE_NAME, ""))
    return of_this_club(known.table_id) if known else None


def table_in(body: bytes) -> Hashable | None:
    """Return the table whose secret a body holds, in its club; None for any other body."""
    if len(body) > LONGEST_ENTERING:
        return None
    try:
        sent: Any = parse(body)
    except UnreadableJson:
        return None
    secret = sent.get("secret") if isinstance(sent, dict) else None
    table_id = table_id_of_own(secret) if isinstance(secret, str) else None
    return None if table_id is None else of_this_club(table_id)
