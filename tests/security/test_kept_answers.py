"""Answers that are sent again from memory: each is what Django would answer, whoever has asked before."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django import urls
from django.core.asgi import get_asgi_application
from django.db import close_old_connections
from django.utils import timezone
from pytest_django import Settings

from schnauz_turnier.urls import urlpatterns as real
from schnauz_turnier.web import kept_answers
from schnauz_turnier.web.django_threads import DjangoThreads
from schnauz_turnier.web.guest_line import GuestLine
from schnauz_turnier.web.kept_answers import KeptAnswers
from scoring.public import tabs
from scoring.services import standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round
from tests.scoring.paired import live_pages
from tests.security.installation import logged_in
from tournaments.memory_size import size_of
from tournaments.models import Tournament
from tournaments.page_cache import KEEP, OVERHEAD, STANDINGS, PageCache, page_cache
from tournaments.services import door

PAGES = ("", "me/1/", "rules/", "hand/", "check/", "rounds/1/", "rounds/1/tables/1/")
JSON = ("leaderboard.json", "record.json", "rounds/1.json")
ADDRESSES = (*PAGES, *JSON)
BROWSER = {"host": "localhost", "accept-encoding": "gzip, deflate, br", "accept-language": "de,en;q=0.5"}
CHANGES_WITH_EACH = {b"date", b"server"}


@dataclass(frozen=True)
class Answered:
    status: int
    headers: Mapping[bytes, bytes]
    body: bytes

    def without_length(self) -> "Answered":
        """Without the length that Django gives a 304, which has no body."""
        return Answered(
            self.status, {k: v for k, v in self.headers.items() if k != b"content-length"}, self.body
        )


@dataclass(frozen=True)
class Asked:
    """A request, with the headers of a browser and others."""

    method: str = "GET"
    path: str = ""
    query: str = ""
    scheme: str = "http"
    headers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}?{self.query} {dict(self.headers)}"


class House:
    """Django alone, and behind kept answers. reached: how many requests have come through to it."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.reached = 0
        self._runner = runner
        self._django = get_asgi_application()
        self._pages = DjangoThreads("pages")
        self._kept = KeptAnswers(self._other, self._page, page_cache, GuestLine())

    async def _other(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        await self._django(scope, receive, send)

    async def _page(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        await self._pages(scope, receive, send)

    def django(self, slug: str, asked: Asked) -> Answered:
        return self._answer_of(self._django, slug, asked)

    def kept(self, slug: str, asked: Asked) -> Answered:
        return self._answer_of(self._kept, slug, asked)

    def from_memory(self, slug: str, asked: Asked) -> bool:
        before = self.reached
        self.kept(slug, asked)
        return self.reached == before

    def _answer_of(self, app: Any, slug: str, asked: Asked) -> Answered:
        return self._runner.run(_ask(app, slug, asked), context=copy_context())


async def _ask(app: Any, slug: str, asked: Asked, client: str = "127.0.0.1") -> Answered:
    names = {name for name, _value in asked.headers}
    headers = [*((name, value) for name, value in BROWSER.items() if name not in names), *asked.headers]
    path = asked.path if asked.path.startswith("/") else f"/t/{slug}/{asked.path}"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": asked.scheme,
        "path": path,
        "raw_path": path.encode(),
        "query_string": asked.query.encode(),
        "headers": [(name.encode(), value.encode("latin1")) for name, value in headers],
        "client": (client, 1),
        "server": ("127.0.0.1", 80),
    }
    sent: list[Any] = []
    body = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if not body:
            await asyncio.Event().wait()
        return body.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    found = {name.lower(): value for name, value in sent[0]["headers"]}
    return Answered(
        sent[0]["status"],
        {name: value for name, value in found.items() if name not in CHANGES_WITH_EACH},
        b"".join(
            message.get("body", b"") for message in sent[1:] if asked.method != "HEAD"
        ),  # as a server does
    )


@pytest.fixture
def house(committed: None) -> Iterator[House]:
    """Enable the page cache, as in the web server."""
    page_cache.is_enabled = True
    with asyncio.Runner() as runner:
        yield House(runner)
    page_cache.is_enabled = False
    page_cache.clear()
    close_old_connections()


@pytest.fixture
def tournament(committed: None) -> Tournament:
    made = TournamentFactory.create(slug=f"kept-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    a_played_round(made)
    return made


def test_what_is_kept_is_what_django_answers(house: House, tournament: Tournament) -> None:
    languages, encodings = ("de", "en"), ("gzip", "", "br, gzip;q=0")
    for address, language, encoding in product(ADDRESSES, languages, encodings):
        headers = (("accept-language", language), ("accept-encoding", encoding))
        asked = Asked(path=address, headers=headers)
        django = house.django(tournament.slug, asked)
        assert django.status == 200, address
        assert house.kept(tournament.slug, asked) == django
        assert house.from_memory(tournament.slug, asked)
        assert house.kept(tournament.slug, asked) == django

        head = Asked("HEAD", address, headers=headers)
        assert house.from_memory(tournament.slug, head)
        assert house.kept(tournament.slug, head) == Answered(200, django.headers, b"")

        etag = django.headers[b"etag"].decode()
        for known in (etag, f'"other", {etag}', etag.removeprefix("W/")):
            again = Asked(path=address, headers=(*headers, ("if-none-match", known)))
            assert house.from_memory(tournament.slug, again)
            unchanged = house.kept(tournament.slug, again)
            assert (unchanged.status, unchanged.body) == (304, b"")
            assert unchanged == house.django(tournament.slug, again).without_length()


def test_etags_tell_encodings_and_languages_apart(house: House, tournament: Tournament) -> None:
    """One that stands for the bytes of one encoding would make a range of another."""
    answers = [
        house.kept(
            tournament.slug, Asked(headers=(("accept-language", language), ("accept-encoding", coding)))
        )
        for language, coding in product(("de", "en"), ("gzip", ""))
        for _ in range(2)
    ]
    assert len({answer.headers[b"etag"] for answer in answers}) == 4
    assert len({answer.body for answer in answers}) == 4
    for answer in answers:
        vary = answer.headers[b"vary"].decode().lower().split(", ")
        assert {"accept-encoding", "accept-language", "cookie"} <= set(vary)
        assert answer.headers[b"cache-control"] == b"no-cache"


# --- poisoning -----------------------------------------------------------------------------------------------------


def _of(name: str, *values: str) -> list[Asked]:
    return [Asked(headers=((name, value),)) for value in values]


DIFFERENT: Sequence[Asked] = [
    *_of("host", "evil.example", "localhost:99", "localhost.evil.example", "evil.example:80", "", "a b", "[::1]"),
    Asked(headers=(("host", "localhost"), ("host", "evil.example"))),
    Asked(headers=(("x-forwarded-host", "evil.example"), ("x-forwarded-proto", "https"))),
    Asked(headers=(("forwarded", "host=evil.example"), ("x-original-url", "/o/"), ("x-rewrite-url", "/o/"))),
    Asked(scheme="https"),
    *[Asked(query=text) for text in ("q=1", "q=%3Cb%3E", "me=1", "page=2", "a=kreuz-7", "utm=1", "=", "%00", "lang=en")],
    *_of("cookie", "sessionid=x", "messages=x", "language=en", "language=xx", "csrftoken=" + "a" * 32, "screen=x", "=", "a"),
    *_of("cookie", "language=en; sessionid=x", 'language="en"', "flag=x", "x" * 400, "language=en; language=de"),
    Asked(headers=(("cookie", "language=en"), ("cookie", "sessionid=x"))),
    *_of("accept-language", "en", "fr", "de;q=0", "en-GB,de;q=0.1", "*", "", "x" * 600, "en\x80", "de-AT"),
    *_of("accept-encoding", "br", "identity", "gzip;q=0", "*", "", "GZIP", "gzip;q=0.001", "x" * 600),
    *[Asked(method) for method in ("HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "get", "BREW")],
    Asked("POST", headers=(("x-http-method-override", "GET"),)),
    *_of("hx-request", "true", "false"),
    Asked(headers=(("hx-request", "true"), ("hx-target", "hand-answer"))),
    *_of("if-none-match", "*", '"x"', "x", 'W/"x"', '"' * 9),
    *_of("if-match", "*", '"x"'),
    *_of("if-modified-since", "Sat, 21 Nov 2099 00:00:00 GMT"),
    *_of("if-unmodified-since", "Sat, 21 Nov 1999 00:00:00 GMT"),
    *_of("range", "bytes=0-9", "bytes=0-", "bytes=-1", "lines=1"),
    *_of("content-type", "application/json", "text/html; charset=utf-7"),
    *_of("accept", "application/json", "image/png", "*/*"),
    *_of("referer", "https://evil.example/"),
    *_of("origin", "https://evil.example", "null"),
    *_of("authorization", "Basic eDp4"),
    *_of("user-agent", "x" * 300, "<b>"),
    *_of("sec-fetch-site", "cross-site"),
    *_of("x-requested-with", "XMLHttpRequest"),
    *_of("schnauz-turnier-keep", "1"),
]  # fmt: skip
OTHER_PATHS = (
    "//t/{}/",
    "/t/{}//",
    "/t/{}/#mine",
    "/t/{}/?q=1",
    "/t/{}/../",
    "/T/{}/",
    "/t/{}/%2e",
    "/t/{}/\n",
    "/t/{}",
)


@pytest.mark.parametrize("address", ["", "hand/", "leaderboard.json"])
def test_nobody_changes_what_others_get(house: House, tournament: Tournament, address: str) -> None:
    slug = tournament.slug
    plain = Asked(path=address)
    expected = house.django(slug, plain)
    tries = [Asked(one.method, address, one.query, one.scheme, one.headers) for one in DIFFERENT]
    tries += [Asked(path=path.format(slug) + address) for path in OTHER_PATHS]
    for one in tries:
        page_cache.invalidate(slug)
        first = house.kept(slug, one)
        assert house.kept(slug, plain) == expected, f"after {one}"
        assert house.from_memory(slug, plain)
        alone = house.django(slug, one)
        assert first.without_length() == alone.without_length(), one
        assert house.kept(slug, one).without_length() == alone.without_length(), f"{one} from memory"
    assert len(DIFFERENT) + len(OTHER_PATHS) > 90


def test_somebody_who_is_logged_in_gets_and_leaves_nothing(house: House, tournament: Tournament) -> None:
    user = UserFactory.create(username=f"chef-{tournament.pk}")
    session = logged_in(user).cookies["sessionid"].value
    own = Asked(headers=(("cookie", f"sessionid={session}"), ("accept-encoding", "")))
    others = Asked(headers=(("accept-encoding", ""),))
    for _ in range(2):
        assert user.username.encode() in house.kept(tournament.slug, own).body
        assert user.username.encode() not in house.kept(tournament.slug, others).body
    assert house.from_memory(tournament.slug, others)
    assert not house.from_memory(tournament.slug, own)


def test_an_answer_with_a_cookie_is_for_one_reader(house: House, tournament: Tournament) -> None:
    own = Asked(headers=(("cookie", "csrftoken=not-one-of-ours"),))
    assert b"set-cookie" in house.kept(tournament.slug, own).headers
    assert b"set-cookie" not in house.kept(tournament.slug, Asked()).headers
    assert house.from_memory(tournament.slug, Asked())


def test_nothing_of_another_tournament(house: House, tournament: Tournament) -> None:
    other = TournamentFactory.create(slug=f"{tournament.slug[:40]}-x", name="Ganz anderes Turnier")
    plain = Asked(headers=(("accept-encoding", ""),))
    for _ in range(2):
        assert b"Ganz anderes Turnier" in house.kept(other.slug, plain).body
        assert b"Ganz anderes Turnier" not in house.kept(tournament.slug, plain).body


@pytest.mark.parametrize("address", ["screen/", "screen/2/"])
def test_a_screen_is_asked_each_time(house: House, tournament: Tournament, address: str) -> None:
    """The program counts the screens that are open, and some are paired."""
    asked = Asked(path=address)
    assert house.kept(tournament.slug, asked).status == 200
    assert not house.from_memory(tournament.slug, asked)


def test_what_is_not_there_uses_no_memory(house: House, tournament: Tournament) -> None:
    before = page_cache.get(tournament.slug, "x")
    for path in (
        "me/99/",
        "rounds/9.json",
        "rounds/9/tables/1/",
        "/t/gibt-es-nicht/",
        "/t/gibt-es-nicht/rules/",
    ):
        asked = Asked(path=path)
        assert house.kept(tournament.slug, asked).status == 404
        assert not house.from_memory(tournament.slug, asked)
    assert before is None


# --- memory --------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_use(house: House, tournament: Tournament) -> int:
    """Return the bytes of the page cache once everything is kept under its own address."""
    for address, language, encoding, scheme in product(ADDRESSES, ("de", "en"), ("gzip", ""), SCHEMES):
        headers = (("accept-language", language), ("accept-encoding", encoding))
        assert house.kept(tournament.slug, Asked("GET", address, "", scheme, headers)).status == 200
    return page_cache._size


SCHEMES = ("http", "https")
NUMBERED = ("me/{}/", "rounds/{}/", "rounds/{}.json", "rounds/{}/tables/1/", "rounds/1/tables/{}/")
SPELLINGS = ("01", "0001", "0" * 50 + "1", "+1", "%31", "\u0661", "\uff11", "1;a", "1/", "/1", "./1", "1%00")


def test_a_page_is_kept_once_however_it_is_asked_for(
    house: House, tournament: Tournament, in_use: int
) -> None:
    slug = tournament.slug
    asked = [Asked(path=path.format(one)) for path, one in product(NUMBERED, SPELLINGS)]
    asked += [
        Asked(path=f"{path}{end}")
        for path in ADDRESSES
        for end in ("/", "//", ";a", ".json", "?", "%2f", ".")
    ]
    asked += [Asked(path=path.format(slug)) for path in OTHER_PATHS]
    asked += [
        Asked(path=f"/t/{other}/") for other in (slug.upper(), f"%6b{slug[1:]}", f"{slug};a", f"./{slug}")
    ]
    asked += [Asked(scheme=scheme) for scheme in ("HTTPS", "wss", "ws", "ftp", "")]
    asked += DIFFERENT
    asked += [
        Asked(headers=((name, value.format(number)),))
        for number in range(20)
        for name, value in (
            ("accept-language", "en;q=0.9,x-{}"),
            ("accept-language", "de-x{}"),
            ("accept-encoding", "gzip, x-{}"),
            ("cookie", "language=x{}"),
            ("cookie", "language=en; x{}=1"),
            ("host", "localhost:8{}"),
            ("if-none-match", '"x{}"'),
        )
    ]  # fmt: skip
    for one in asked:
        house.kept(slug, one)
    assert page_cache._size == in_use
    assert len(asked) > 300


urlpatterns = [urls.path("t/<slug:slug>/again/<int:number>/", tabs.me, name="again"), *real]


def test_under_another_spelling_a_page_is_answered_and_not_kept(
    house: House, tournament: Tournament, settings: Settings
) -> None:
    """No route of the program has several; the planted one is kept under the spelling that Django writes."""
    settings.ROOT_URLCONF = __name__
    for spelling, is_kept in (("1", True), ("01", False), ("0001", False)):
        asked = Asked(path=f"again/{spelling}/")
        assert house.kept(tournament.slug, asked).status == 200
        assert house.from_memory(tournament.slug, asked) == is_kept


def test_pages_of_one_tournament_take_no_more_memory_than_there_is(
    house: House, tournament: Tournament, in_use: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control has room for all: then each page is made once."""
    queries = tuple(product(ADDRESSES, ("de", "en"), ("gzip", ""), SCHEMES))

    def reached(room: int) -> int:
        monkeypatch.setattr(page_cache, "_room", room)
        page_cache.invalidate(tournament.slug)
        before = house.reached
        for address, language, encoding, scheme in (*queries, *queries):
            headers = (("accept-language", language), ("accept-encoding", encoding))
            assert house.kept(tournament.slug, Asked("GET", address, "", scheme, headers)).status == 200
            assert page_cache._size <= room
        return house.reached - before

    assert reached(in_use) == len(queries)
    assert reached(in_use // 3) > len(queries)


def test_an_entry_of_the_cache_has_its_size_from_the_beginning(
    house: House, tournament: Tournament, in_use: int
) -> None:
    """What is put together later, as compressed bytes or seats, would not be counted."""
    live_pages(tournament)
    house.kept(tournament.slug, Asked())
    for path, query in (
        ("", "q=1"),
        ("", "me=1"),
        ("tables/", "me=1"),
        ("screen/", ""),
        ("screen/", "page=2"),
    ):
        assert house.django(tournament.slug, Asked(path=path, query=query)).status == 200
    later = {
        entry.name: size_of((entry.name, entry.value)) + OVERHEAD - entry.size for entry in page_cache._used
    }
    assert max(later.values()) < 500  # a property or two of a view
    assert {name[0] for name in later if isinstance(name, tuple)} >= {
        "answer",
        "page",
        "html",
        "view",
        STANDINGS,
    }


# --- changes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["", "leaderboard.json"])
def test_a_change_counts_before_it_is_answered(house: House, tournament: Tournament, address: str) -> None:
    asked = Asked(path=address, headers=(("accept-encoding", ""),))
    other = TournamentFactory.create(slug=f"{tournament.slug[:40]}-y")
    for name in ("Erste Neue", "Zweite Neue"):
        house.kept(tournament.slug, asked)
        house.kept(other.slug, asked)
        door.register(tournament, door.Newcomer(name), paid=False, by="x", at=AT)
        assert house.from_memory(other.slug, asked)
        assert name.encode() in house.kept(tournament.slug, asked).body
        assert house.from_memory(tournament.slug, asked)


def test_a_freeze_holds(house: House, tournament: Tournament) -> None:
    asked = Asked(path="leaderboard.json", headers=(("accept-encoding", ""),))

    def points() -> int:
        assert house.kept(tournament.slug, asked) == house.kept(tournament.slug, asked)
        return sum(row["points"] for row in json.loads(house.kept(tournament.slug, asked).body)["rows"])

    after_one_round = points()
    standings.freeze(tournament, by="x", at=AT)
    a_played_round(tournament, 2)
    assert points() == after_one_round
    standings.release(tournament, by="x", at=AT)
    assert points() == 2 * after_one_round


def test_publicity_ends_at_midnight(
    house: House, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, today = Asked(), timezone.localdate()
    Tournament.objects.filter(pk=tournament.pk).update(public_until_on=today)
    assert house.kept(tournament.slug, asked).status == 200
    assert house.from_memory(tournament.slug, asked)
    tomorrow = time.time() + timedelta(days=1).total_seconds()
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    monkeypatch.setattr(timezone, "localdate", lambda *_args: today + timedelta(days=1))
    assert house.kept(tournament.slug, asked).status == 410


def test_a_page_that_was_kept_while_the_clock_was_ahead_is_made_anew(
    house: House, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be shown from memory for as long as the clock was ahead, even after its tournament is public no more."""
    asked, now, today = Asked(), time.time(), timezone.localdate()
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: now + timedelta(days=365).total_seconds())
        ahead.setattr(timezone, "localdate", lambda *_args: today + timedelta(days=365))
        assert house.kept(tournament.slug, asked).status == 200
    assert not house.from_memory(tournament.slug, asked)


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 24), 24), (date(2026, 10, 25), 25)]
)
def test_the_day_of_a_kept_page_is_as_long_as_the_day(
    monkeypatch: pytest.MonkeyPatch, day: date, hours: int
) -> None:
    monkeypatch.setattr(timezone, "localdate", lambda *_args: day)
    begin, end = kept_answers._today()
    assert (end - begin) / 3600 == hours


def test_without_news_of_changes_nothing_is_kept(house: House, tournament: Tournament) -> None:
    asked = Asked()
    house.kept(tournament.slug, asked)
    page_cache.is_enabled = False
    page_cache.clear()
    for _ in range(2):
        assert not house.from_memory(tournament.slug, asked)


def test_what_was_begun_before_a_change_is_not_kept() -> None:
    cache = PageCache(10**8)
    for change in (partial(cache.invalidate, "abend"), cache.clear):
        keep = cache.keeper("abend")
        change()
        keep("page", "old")
        assert cache.get("abend", "page") is None
    keep = cache.keeper("abend")
    cache.invalidate("another")
    keep("page", "new")
    assert cache.get("abend", "page") == "new"


# --- many who ask at once ------------------------------------------------------------------------------------------


class Pages:
    """An application whose answers are the same for everybody, made when the test says so; it counts them."""

    def __init__(self) -> None:
        self.begun = 0
        self.version = 1
        self.may_end = asyncio.Event()

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.begun += 1
        read = self.version
        await self.may_end.wait()
        scope[KEEP]()
        etag = (b"etag", b'"%d"' % read)
        await send({"type": "http.response.start", "status": 200, "headers": [etag]})
        await send({"type": "http.response.body", "body": b"%d" % read})


async def _is(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def test_an_answer_is_made_once_for_all_who_ask_meanwhile() -> None:
    async def scenario() -> None:
        pages = Pages()
        kept = KeptAnswers(pages, pages, PageCache(10**8), GuestLine())
        asking = [asyncio.create_task(_ask(kept, "abend", Asked())) for _ in range(50)]
        await _is(lambda: pages.begun == 1)
        pages.may_end.set()
        assert {(await one).body for one in asking} == {b"1"}
        assert pages.begun == 1

    asyncio.run(scenario())


def test_who_asks_after_a_change_gets_no_answer_that_was_begun_before_it() -> None:
    """However many changes come: each gets what is new to them, and all who wait share one answer."""

    async def scenario() -> None:
        pages, cache = Pages(), PageCache(10**8)
        kept = KeptAnswers(pages, pages, cache, GuestLine())
        first = asyncio.create_task(_ask(kept, "abend", Asked()))
        await _is(lambda: pages.begun == 1)
        pages.version = 2
        cache.invalidate("abend")
        later = [asyncio.create_task(_ask(kept, "abend", Asked())) for _ in range(20)]
        await asyncio.sleep(0)
        pages.may_end.set()
        assert (await first).body == b"1"
        pages.may_end.clear()
        await _is(lambda: pages.begun == 2)
        pages.version = 3
        cache.invalidate("abend")
        pages.may_end.set()
        assert {(await one).body for one in later} == {b"2"}
        assert (await _ask(kept, "abend", Asked())).body == b"3"
        assert pages.begun == 3

    asyncio.run(scenario())


def test_nobody_waits_for_the_line_of_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuestLine, "has_waiting", lambda _line, host: host == "10.0.0.1")

    async def scenario() -> None:
        pages = Pages()
        kept = KeptAnswers(pages, pages, PageCache(10**8), GuestLine())
        hostile = asyncio.create_task(_ask(kept, "abend", Asked(), client="10.0.0.1"))
        await _is(lambda: pages.begun == 1)
        other = asyncio.create_task(_ask(kept, "abend", Asked(), client="10.0.0.2"))
        await _is(lambda: pages.begun == 2)
        pages.may_end.set()
        assert {(await hostile).body, (await other).body} == {b"1"}

    asyncio.run(scenario())


def test_what_is_not_the_same_for_everybody_is_made_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pages, "__call__", _own_answer)

    async def scenario() -> None:
        pages = Pages()
        kept = KeptAnswers(pages, pages, PageCache(10**8), GuestLine())
        asking = [asyncio.create_task(_ask(kept, "abend", Asked())) for _ in range(5)]
        await _is(lambda: pages.begun == 1)
        pages.may_end.set()
        assert sorted([(await one).body for one in asking]) == [b"1", b"2", b"3", b"4", b"5"]

    asyncio.run(scenario())


async def _own_answer(pages: Pages, _scope: Any, _receive: Any, send: Any) -> None:
    pages.begun += 1
    number = pages.begun
    await pages.may_end.wait()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d" % number})
