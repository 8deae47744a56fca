"""Public pages from memory: whole answers, compressed once, sent again without Django.

ASGI application in front of `app`. `pages` makes the answers that are not kept yet. A view that has made a response which
is the same for everybody calls the function under KEEP in the scope; then the answer is stored in the page cache, so a
change of the tournament removes it with all that was made of the same data.

After a change a whole hall asks at once. So an answer is made once for all who ask for it meanwhile, and as long as some do, at
most five times a second, and in a fifth of the time: however fast the changes come, it is new to each of them.

Only a request that cannot make a difference gets a kept answer: GET or HEAD, no query, no session, an allowed host, no
condition but If-None-Match, nothing of htmx. Path, language, encoding and scheme are the key. All other requests go to
`app`.
"""

import asyncio
import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
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

FOLD = 0.2  # seconds between two makings of an answer for which others wait
SHARE = 5  # or so many times as long as the last one took

_PATH = re.compile(r"/t/([-\w]{1,60})/(?:.*(?:/|\.json))?", re.ASCII)
_DECIDING = {b"accept-encoding", b"accept-language", b"cookie", b"host", b"if-none-match"}
_DIFFERENT = {b"if-match", b"if-unmodified-since"}
_OF_THE_BODY = {b"content-encoding", b"content-length", b"content-type"}


@dataclass(frozen=True, slots=True)
class _Question:
    """A request that a kept answer may answer. name: of the answer in the page cache. known: the ETags that the client has."""

    slug: str
    name: tuple[str, ...]
    known: Collection[str]
    is_head: bool

    @property
    def key(self) -> tuple[str, ...]:
        """The name of the answer among those of all tournaments and clubs."""
        return everywhere(self.slug), *self.name


@dataclass(slots=True)
class _Answer:
    """An answer of Django: its headers, and those of a 304.

    day: the beginning and the end of the day of which it is, as publicity may end with a day. route: the name of its
    address, for the log.
    """

    headers: Headers
    body: bytes
    day: tuple[float, float]
    route: str
    etag: str = field(init=False)
    headers_unmodified: Headers = field(init=False)

    def __post_init__(self) -> None:
        self.etag = dict(self.headers)[b"etag"].decode().removeprefix("W/")
        self.headers_unmodified = [one for one in self.headers if one[0] not in _OF_THE_BODY]


class _Making:
    """An answer that is being made, and others who wait for it.

    made: once it is made. over: once another one may be. answer: None until then, and where its view lets nobody keep it.
    """

    def __init__(self) -> None:
        self.begun_at = asyncio.get_running_loop().time()
        self.made = asyncio.Event()
        self.over = asyncio.Event()
        self.has_others = False
        self.answer: _Answer | None = None


class KeptAnswers:
    """ASGI application in front of `app`, for requests that a kept answer may answer.

    line: in which `pages` lets guests wait. Nobody waits for an answer that would be made for an address with a line.
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
        """Ask `pages` for all who ask meanwhile."""
        loop = asyncio.get_running_loop()
        making = self._under_way[question.key] = _Making()

        def end() -> None:
            del self._under_way[question.key]
            making.over.set()

        def made() -> None:
            if not making.made.is_set():
                making.made.set()
                if making.has_others:
                    pause = max(FOLD, SHARE * (loop.time() - making.begun_at))
                    loop.call_at(making.begun_at + pause, end)
                else:
                    end()

        try:
            await self._ask(question, making, scope, receive, send, made)
        finally:
            made()

    async def _ask(
        self,
        question: _Question,
        making: _Making,
        scope: Scope,
        receive: Receive,
        send: Send,
        made: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask `pages`, and keep the answer if its view says so. made: called before the answer is sent."""
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
                made()
            await send(message)

        await self._pages({**scope, KEEP: lambda: is_everybodys.append(True)}, receive, passed_on)


def _today() -> tuple[float, float]:
    """Return the beginning and the end of today, which has 23 or 25 hours twice a year."""
    today = timezone.localdate()
    days = (today, today + timedelta(days=1))
    begin, end = (timezone.make_aware(datetime.combine(day, datetime.min.time())).timestamp() for day in days)
    return begin, end


def _route() -> str:
    request = current_request()
    return request.route if request else ""


async def _send(answer: _Answer, question: _Question, send: Send) -> None:
    name_route(answer.route)
    if answer.etag in question.known:
        status, headers, body = HTTPStatus.NOT_MODIFIED, answer.headers_unmodified, b""
    else:
        status, headers, body = HTTPStatus.OK, answer.headers, b"" if question.is_head else answer.body
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _question(scope: Scope) -> _Question | None:
    """Return what a request asks for; None for one that Django has to look at."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or scope["query_string"]:
        return None
    if scope["scheme"] not in ("http", "https"):
        return None
    path = _PATH.fullmatch(scope["path"])
    if path is None:
        return None
    found = dict.fromkeys(_DECIDING, b"")
    for name, value in scope["headers"]:
        if name in _DECIDING:
            if found[name] or len(value) > LONGEST_HEADER:
                return None
            found[name] = value
        elif name in _DIFFERENT or name.startswith(b"hx-"):
            return None
    language = _language(found[b"cookie"], found[b"accept-language"])
    if language is None or not _is_allowed(found[b"host"], tuple(settings.ALLOWED_HOSTS)):
        return None
    encoding = "gzip" if accepts_gzip(found[b"accept-encoding"].decode("latin1")) else ""
    name = ("answer", path[0], language, encoding, scope["scheme"])
    known = _etags(found[b"if-none-match"])
    return _Question(path[1], name, known, scope["method"] == "HEAD") if "*" not in known else None


@lru_cache(maxsize=64)
def _etags(header: bytes) -> frozenset[str]:
    return frozenset(etag.removeprefix("W/") for etag in parse_etags(header.decode("latin1")))


@lru_cache(maxsize=1024)
def _language(cookies: bytes, accepted: bytes) -> str | None:
    """Return the language of a reader, as Django's LocaleMiddleware finds it; None for one with pages of their own."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies.decode("latin1"))
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted.decode("latin1")
    return None if OWN_COOKIES & request.COOKIES.keys() else get_language_from_request(request)


@lru_cache(maxsize=256)
def _is_allowed(host: bytes, allowed: tuple[str, ...]) -> bool:
    """Whether Django accepts this Host header. allowed: ALLOWED_HOSTS, which may change while the program runs."""
    domain, _port = split_domain_port(host.decode("latin1"))
    return bool(domain) and validate_host(domain, allowed)
