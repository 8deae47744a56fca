"""Kept answers: public pages from memory, compressed once and sent without Django.

ASGI application in front of `app`. `pages` makes answers that are not in the cache. A view whose response is the same for
all readers calls the function under KEEP in the scope; then the answer is stored in the page cache, which removes it when
the tournament changes.

After a change a whole hall requests the same page. Concurrent requests share one answer, which is made at most five times a
second and for at most a fifth of the time. It is never older than the request, however fast the changes come.

Only requests whose answer depends on the key get a kept answer: GET or HEAD, no query, no session, an allowed host, no
condition but If-None-Match, no htmx. The key is path, language, encoding and scheme. All other requests go to `app`.
"""

import asyncio
import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache, partial
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import get_language_from_request

from schnauz_turnier.web.address_limit import host_of
from schnauz_turnier.web.asgi_types import App, Message, Receive, Scope, Send
from schnauz_turnier.web.current_request import current_request, name_route
from schnauz_turnier.web.guest_line import GuestLine
from scoring.public.responses import LONGEST_HEADER, OWN_COOKIES, accepts_gzip
from tournaments.current_club import everywhere
from tournaments.page_cache import KEEP, PageCache

Headers = Sequence[tuple[bytes, bytes]]

FOLD = 0.2  # minimum seconds between two makings of an answer for which others wait
SHARE = 5  # minimum time between them, in multiples of the time that the last one took

_PATH = re.compile(r"/t/([-\w]{1,60})/(?:.*(?:/|\.json))?", re.ASCII)
_DECIDING = {b"accept-encoding", b"accept-language", b"cookie", b"host", b"if-none-match"}
_DIFFERENT = {b"if-match", b"if-unmodified-since"}
_OF_THE_BODY = {b"content-encoding", b"content-length", b"content-type"}


@dataclass(frozen=True, slots=True)
class _Question:
    """A request that a kept answer may answer. name: of the answer in the page cache. etags: those that the client has."""

    slug: str
    name: tuple[str, ...]
    etags: Collection[str]
    is_head: bool

    @property
    def key(self) -> tuple[str, ...]:
        """The name of the answer among those of all tournaments and clubs."""
        return everywhere(self.slug), *self.name


@dataclass(slots=True)
class _Answer:
    """An answer of Django, with the headers of a 304.

    day: beginning and end of its day, since publicity may end with a day. route: the name of its address, for the log.
    """

    headers: Headers
    body: bytes
    day: tuple[float, float]
    route: str
    etag: str = field(init=False)
    headers_unmodified: Headers = field(init=False)

    def __post_init__(self) -> None:
        self.etag = dict(self.headers)[b"etag"].decode().removeprefix("W/")
        self.headers_unmodified = [header for header in self.headers if header[0] not in _OF_THE_BODY]


class _Making:
    """An answer that is being made.

    made: set when it is made. over: set when the next one may be made. has_others: whether other requests wait. answer: None
    until it is made, or if its view does not allow keeping it.
    """

    def __init__(self, forget: Callable[[], object] = lambda: None) -> None:
        self._forget = forget
        self._loop = asyncio.get_running_loop()
        self.begun_at = self._loop.time()
        self.made = asyncio.Event()
        self.over = asyncio.Event()
        self.has_others = False
        self.answer: _Answer | None = None

    def finish(self) -> None:
        """Release the requests that wait for the answer, and after a pause those that wait for the next one."""
        if not self.made.is_set():
            self.made.set()
            if self.has_others:
                pause = max(FOLD, SHARE * (self._loop.time() - self.begun_at))
                self._loop.call_at(self.begun_at + pause, self._end)
            else:
                self._end()

    def _end(self) -> None:
        self._forget()
        self.over.set()


class KeptAnswers:
    """ASGI application in front of `app`, for requests that a kept answer may answer.

    line: the line of the guests at `pages`. No request waits for an answer whose making would wait in that line.
    """

    def __init__(self, app: App, pages: App, cache: PageCache, line: GuestLine) -> None:
        self._app = app
        self._pages = pages
        self._cache = cache
        self._line = line
        self._under_way: dict[tuple[str, ...], _Making] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        question = _question(scope)
        if question is None:
            await self._app(scope, receive, send)
            return
        asked_at = asyncio.get_running_loop().time()
        while (answer := self._kept(question)) is None:
            if question.is_head:
                await self._app(scope, receive, send)
                return
            making = self._under_way.get(question.key)
            if making is None and not self._line.has_waiting(host_of(scope)):
                await self._make(question, scope, receive, send)
                return
            if making is not None:
                making.has_others = True
                await making.made.wait()
            if making is None or making.answer is None:
                await self._ask(question, _Making(), scope, receive, send)
                return
            if asked_at <= making.begun_at:
                answer = making.answer  # new enough for this client, whatever has changed since
                break
            if self._kept(question) is None:
                await making.over.wait()
        await _send(answer, question, send)

    def _kept(self, question: _Question) -> _Answer | None:
        answer: _Answer | None = self._cache.get(question.slug, question.name)
        return answer if answer is not None and answer.day[0] <= time.time() < answer.day[1] else None

    async def _make(self, question: _Question, scope: Scope, receive: Receive, send: Send) -> None:
        """Request the answer from `pages`, also for requests that come meanwhile."""
        making = self._under_way[question.key] = _Making(partial(self._under_way.pop, question.key))
        try:
            await self._ask(question, making, scope, receive, send)
        finally:
            making.finish()

    async def _ask(
        self, question: _Question, making: _Making, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Request the answer from `pages`, and keep it if its view allows it."""
        keep = self._cache.keeper(question.slug)  # before the view reads anything
        is_everybodys: list[bool] = []
        headers: Headers = ()
        parts: list[bytes] = []
        day = _today()

        async def passed_on(message: Message) -> None:
            nonlocal headers
            if message["type"] == "http.response.start" and message["status"] == HTTPStatus.OK:
                headers = [(name.lower(), value) for name, value in message["headers"]]
            elif message["type"] == "http.response.body" and headers and is_everybodys:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False) and b"set-cookie" not in dict(headers):
                    making.answer = _Answer(headers, b"".join(parts), day, _route())
                    keep(question.name, making.answer)
            if not message.get("more_body", False) and message["type"] == "http.response.body":
                making.finish()
            await send(message)

        await self._pages({**scope, KEEP: lambda: is_everybodys.append(True)}, receive, passed_on)


def _today() -> tuple[float, float]:
    """Return the timestamps at which today begins and ends. Twice a year a day has 23 or 25 hours."""
    today = timezone.localdate()
    days = (today, today + timedelta(days=1))
    begin, end = (timezone.make_aware(datetime.combine(day, datetime.min.time())).timestamp() for day in days)
    return begin, end


def _route() -> str:
    request = current_request()
    return request.route if request else ""


async def _send(answer: _Answer, question: _Question, send: Send) -> None:
    name_route(answer.route)
    if answer.etag in question.etags:
        status, headers, body = HTTPStatus.NOT_MODIFIED, answer.headers_unmodified, b""
    else:
        status, headers, body = HTTPStatus.OK, answer.headers, b"" if question.is_head else answer.body
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _question(scope: Scope) -> _Question | None:
    """Return the question of a request; None if only Django can answer it."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or scope["query_string"]:
        return None
    if scope["scheme"] not in ("http", "https"):
        return None
    path = _PATH.fullmatch(scope["path"])
    if path is None:
        return None
    deciding = dict.fromkeys(_DECIDING, b"")
    for name, value in scope["headers"]:
        if name in _DECIDING:
            if deciding[name] or len(value) > LONGEST_HEADER:
                return None
            deciding[name] = value
        elif name in _DIFFERENT or name.startswith(b"hx-"):
            return None
    language = _language(deciding[b"cookie"], deciding[b"accept-language"])
    if language is None or not _is_allowed(deciding[b"host"], tuple(settings.ALLOWED_HOSTS)):
        return None
    encoding = "gzip" if accepts_gzip(deciding[b"accept-encoding"].decode("latin1")) else ""
    name = ("answer", path[0], language, encoding, scope["scheme"])
    etags = _etags(deciding[b"if-none-match"])
    return _Question(path[1], name, etags, scope["method"] == "HEAD") if "*" not in etags else None


@lru_cache(maxsize=64)
def _etags(header: bytes) -> frozenset[str]:
    return frozenset(etag.removeprefix("W/") for etag in parse_etags(header.decode("latin1")))


@lru_cache(maxsize=1024)
def _language(cookies: bytes, accepted: bytes) -> str | None:
    """Return the reader's language, as Django's LocaleMiddleware does; None for a reader with personal pages."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies.decode("latin1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin1")
    return None if OWN_COOKIES & request.COOKIES.keys() else get_language_from_request(request)


@lru_cache(maxsize=256)
def _is_allowed(host: bytes, allowed: tuple[str, ...]) -> bool:
    """Whether Django accepts this Host header. allowed: ALLOWED_HOSTS, which may change while the program runs."""
    domain, _port = split_domain_port(host.decode("latin1"))
    return bool(domain) and validate_host(domain, allowed)
