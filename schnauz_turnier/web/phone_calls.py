"""Requests of the scribes' phones, with a limit on how many are under way.

Each table has a queue of requests and uses one thread at a time: others would wait in theirs for the lock of the table. So
a phone that floods the program delays only its own table. Clubs take turns at the threads.

A phone without the cookie of a table is a guest. Its calls are refused without a thread. A request with a secret that this
program has signed joins the queue of its table; each address may have a few requests with other secrets under way, among the
guests.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpResponse, parse_cookie
from django.utils.translation import get_language_from_request

from schnauz_turnier.web import club_turns
from schnauz_turnier.web.address_limit import AddressLimit, host_of
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.django_threads import SPARE, THREADS, DjangoThreads, request_without_body
from schnauz_turnier.web.guest_line import GuestLine
from schnauz_turnier.web.outages import json_answer
from schnauz_turnier.web.request_limits import at_once
from schnauz_turnier.web.slow_refusals import wait_before_refusal
from tournaments.core import shares
from tournaments.core.strict_json import UnreadableJson, parse
from tournaments.current_club import of_this_club
from tournaments.links import PhonePass, table_id_of_own

LONGEST_ENTERING = 200  # bytes; a body with a secret of this program is shorter


def table_of(scope: Scope) -> Hashable | None:
    """Return the table of a phone, by its signed cookie, in its club; None without a valid one."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin1")
    phone_pass = PhonePass.from_cookie(parse_cookie(cookies).get(settings.PHONE_COOKIE_NAME, ""))
    return of_this_club(phone_pass.table_id) if phone_pass else None


@dataclass(slots=True)
class _Line:
    """The requests of one table that are under way. turn: held by the one that is being answered."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


@dataclass(eq=False)
class PhoneCalls:
    """ASGI application that answers phones at a table below `pages`, and leaves all others to `app`.

    RequestLimits, in front, reads the bodies. calls: the paths that answer 401 to a phone without a table. entering: the path
    that takes a secret. line_of: returns the key of a request's queue, None for a phone without a table.
    """

    app: App
    guests: GuestLine
    _: KW_ONLY
    pages: str
    calls: Collection[str]
    entering: str
    line_of: Callable[[Scope], Hashable | None] = table_of

    def __post_init__(self) -> None:
        self._django = DjangoThreads("phone", threads=THREADS + SPARE)
        self._lines: dict[Hashable, _Line] = {}
        self._under_way: Counter[Hashable] = Counter()  # by club
        self._places = club_turns.ClubPlaces(THREADS, SPARE)
        self._secrets = AddressLimit(settings.SECRETS_PER_ADDRESS)
        self._refusals: dict[Hashable, list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self.pages):
            await self.app(scope, receive, send)
        elif (table := self.line_of(scope)) is not None:
            await self._answer(table, scope, (await receive()).get("body", b""), send)
        elif scope["path"] == self.entering:
            await self._let_enter(scope, receive, send)
        elif scope["path"] in self.calls:
            await self._refuse_unknown(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _answer(self, table: Hashable, scope: Scope, body: bytes, send: Send) -> None:
        line = self._lines.setdefault(table, _Line())
        club = club_turns.club_here()
        has_place = shares.has_place(self._under_way, club, settings.PHONE_CALLS)
        try:
            line.length += 1
            self._under_way[club] += 1
            if not has_place or line.length > settings.PHONE_CALLS_OF_A_TABLE:
                response = _refusal(scope)
            else:
                async with line.turn, self._places.place(table):
                    with self.guests.ahead():
                        response = await self._django.respond(scope, body)
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[table]
            self._under_way[club] -= 1
            if not self._under_way[club]:
                del self._under_way[club]
        await self._django.send(response, send)

    async def _let_enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive()).get("body", b"")
        if (table := table_in(body)) is not None:
            await self._answer(table, scope, body, send)
            return
        host = host_of(scope)
        try:
            if has_place := self._secrets.take(host):
                await self.app(scope, at_once(body, receive), send)
        finally:
            self._secrets.give_back(host)
        if not has_place:
            await wait_before_refusal()
            await self._django.send(_refusal(scope), send)

    async def _refuse_unknown(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call without a table. Django answers the first of a kind; the others get the same answer."""
        kind = self._kind_of(scope)
        if kind in self._refusals:
            for message in self._refusals[kind]:
                await send(message)
            return
        answer: list[Message] = []

        async def send_and_note(message: Message) -> None:
            answer.append(message)
            await send(message)

        await self.app(scope, receive, send_and_note)
        if kind is not None and answer and answer[0]["status"] == 401:
            self._refusals[kind] = answer

    def _kind_of(self, scope: Scope) -> Hashable | None:
        """Return the properties that the refusal of a call depends on; None if Django refuses the request for another reason."""
        request = self._django.request_of(scope)
        try:
            if request is None or not request.get_host():
                return None
        except DisallowedHost:
            return None
        return scope["path"], scope["method"], scope.get("scheme"), get_language_from_request(request)


def _refusal(scope: Scope) -> HttpResponse:
    response = json_answer(request_without_body(scope), "database", status=429)
    response["Content-Length"] = len(response.content)
    return response


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
