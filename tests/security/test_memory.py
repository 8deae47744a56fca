"""Distinct addresses, of guests or of pages, do not add up in memory."""

import asyncio
import functools
import gc
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from schnauz_turnier.live.stream import Hub, LiveStream
from schnauz_turnier.web import address_limit
from schnauz_turnier.web.address_limit import AddressLimit
from scoring.open_screens import open_screens
from scoring.public.search import find
from scoring.queries.public_view import public_view
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tournaments.core import person_search
from tournaments.memory_size import size_of
from tournaments.models import Tournament
from tournaments.page_cache import OVERHEAD, STANDINGS, PageCache, page_cache

MANY = 10_000


ROOM = 100_000
ONE = size_of(("page", "x" * 1000)) + OVERHEAD
"""The bytes of an entry of these tests."""


def entries_of(cache: PageCache) -> list[tuple[str, Any]]:
    """Return slug and name of each entry, the least recently used first, and check what the cache says of itself."""
    slugs = {id(kept): slug for slug, kept in cache._tournaments.items()}
    listed = [(slugs[id(entry.tournament)], entry.name) for entry in cache._used]
    by_tournament = {(slug, name) for slug, kept in cache._tournaments.items() for name in kept.entries}
    assert set(listed) == by_tournament
    assert cache._size == sum(entry.size for entry in cache._used) <= cache._room
    assert not any(kept.making for kept in cache._tournaments.values())
    return listed


def test_the_page_cache_keeps_what_it_has_room_for_and_nothing_of_what_does_not_exist() -> None:
    cache = PageCache(ROOM)
    for number in range(MANY):
        cache.get_or_make(f"abend-{number}", "page", lambda: "x" * 1000)
        with pytest.raises(Tournament.DoesNotExist):
            cache.get_or_make(f"nie-{number}", "page", _nothing)
        with pytest.raises(Tournament.DoesNotExist):
            cache.get_or_make(f"abend-{number}", ("me", number), _nothing)
        cache.keeper(f"nie-{number}")
    assert entries_of(cache) == [(f"abend-{number}", "page") for number in range(MANY)][-(ROOM // ONE) :]


def test_a_tournament_alone_has_no_more_room_than_all_together() -> None:
    cache = PageCache(4 * ONE)
    for name in ("anna", "bert", "carl", "dora", "anna", "emil"):
        cache.get_or_make("abend", name, lambda: "x" * 1000)
    assert [name for _slug, name in entries_of(cache)] == ["carl", "dora", "anna", "emil"]
    assert cache.get("abend", "carl") == "x" * 1000
    cache.keeper("abend")("otto", "x" * 1000)
    assert [name for _slug, name in entries_of(cache)] == ["anna", "emil", "carl", "otto"]


def test_what_is_larger_than_the_room_pushes_nothing_out() -> None:
    cache = PageCache(ONE)
    cache.get_or_make("abend", "page", lambda: "x" * 1000)
    assert cache.get_or_make("abend", "tree", lambda: "x" * 10_000) == "x" * 10_000
    assert entries_of(cache) == [("abend", "page")]


def test_what_changes_gives_its_room_back() -> None:
    cache = PageCache(ROOM)
    for name in ("page", (STANDINGS, "rows"), "page"):
        cache.keeper("abend")(name, "x" * 1000)
    assert entries_of(cache) == [("abend", (STANDINGS, "rows")), ("abend", "page")]
    cache.invalidate("abend", "sheet", [STANDINGS])
    assert entries_of(cache) == [("abend", (STANDINGS, "rows"))]
    cache.invalidate("abend", "sheet")
    assert (entries_of(cache), cache._size) == ([], 0)


def _nothing() -> str:
    raise Tournament.DoesNotExist


def test_the_live_stream_keeps_nothing_of_tournaments_that_do_not_exist() -> None:
    async def scenario() -> int:
        hub = Hub(channel="x", listen_to=dict, write_to=dict, is_public=lambda _name: False)
        stream = LiveStream(_no_app, hub)
        answered = []

        async def send(message: Any) -> None:
            answered.append(message.get("status"))

        for number in range(MANY // 10):
            scope: dict[str, Any] = {"type": "http", "method": "GET", "path": f"/t/nie-{number}/live"}
            scope |= {"headers": [], "query_string": b""}
            await stream(scope, _never, send)
        kept = len(hub._channels)
        await hub.stop()
        assert answered.count(404) == MANY // 10
        return kept

    assert asyncio.run(scenario()) == 0


async def _no_app(*_arguments: object) -> None: ...


async def _never() -> Any:
    await asyncio.Event().wait()


def test_an_address_is_forgotten_when_it_uses_nothing() -> None:
    limit = AddressLimit(1)
    hosts = [f"10.0.{number // 250}.{number % 250}" for number in range(MANY)]
    assert [limit.take(host) for host in hosts] == [True] * MANY
    assert [limit.take(host) for host in hosts] == [False] * MANY
    assert len(limit) == MANY
    for host in hosts * 2:
        limit.give_back(host)
    assert len(limit) == 0


def test_this_computer_and_where_it_matters_a_proxy_are_exempt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_limit, "_PROXIES", {"10.0.0.1"})
    connections, requests = AddressLimit(0, exempts_proxies=True), AddressLimit(0)
    assert [connections.take(host) for host in ("127.0.0.1", "10.0.0.1", "10.0.0.2")] == [True, True, False]
    assert [requests.take(host) for host in ("127.0.0.1", "10.0.0.1", "10.0.0.2")] == [True, False, False]


def test_addresses_of_one_device_count_as_one() -> None:
    limit = AddressLimit(1)
    assert limit.take("2001:db8:0:1::1")
    assert not limit.take("2001:db8:0:1:ffff::2")
    assert limit.take("2001:db8:0:2::1")
    assert limit.take("::ffff:10.0.0.1")
    assert limit.take("::ffff:10.0.0.2")


@pytest.fixture
def tournament(committed: None) -> Iterator[Tournament]:
    """Yield a tournament with a released round. The page cache is enabled, as in the web server."""
    made = TournamentFactory.create(slug=f"viele-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    a_round(made)
    page_cache.is_enabled = True
    yield made
    page_cache.is_enabled = False
    page_cache.clear()


def test_pages_that_do_not_exist_leave_no_trace_in_any_cache(tournament: Tournament) -> None:
    ask_for(tournament, range(3))
    before = cached()
    ask_for(tournament, range(3, 15))
    assert cached() == before
    Client().get(f"/t/{tournament.slug}/me/1/")
    assert cached() != before


def ask_for(tournament: Tournament, numbers: range) -> None:
    """Ask for what exists, under distinct addresses, and for what does not."""
    own = f"/t/{tournament.slug}"
    for number in numbers:
        other = 100 + number
        client = Client(headers={"Accept-Language": f"de;q=0.{number}", "User-Agent": f"browser {number}"})
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = f"x{number}"
        assert client.get(f"{own}/?q={number}").status_code == 200
        assert client.get(f"{own}/hand/?a={number}").status_code == 200
        for path in (f"me/{other}/", f"screen/{other}/", f"rounds/{other}.json", f"rounds/1/tables/{other}/"):
            assert client.get(f"{own}/{path}").status_code == 404
        assert client.get(f"/t/nie-{number}/").status_code == 404
        assert client.get(f"/nowhere/{number}").status_code == 404
        assert client.get(f"{own}/me/{'9' * (20 + number)}/").status_code == 404


def cached() -> dict[str, int]:
    """Return the sizes of the caches that have no limit of their own."""
    gc.collect()  # a page that has been written leaves caches of its own
    found = Counter(
        {
            "open screens": len(open_screens._seen) + len(open_screens._told),
            "tournaments": len(page_cache._tournaments),
            "pages": len(entries_of(page_cache)),
        }
    )
    for one in gc.get_objects():
        if type(one) is functools._lru_cache_wrapper and one.cache_info().maxsize is None:
            found[f"{one.__module__}.{one.__qualname__}"] += one.cache_info().currsize
    return found


def test_what_is_typed_into_a_search_displaces_no_name(tournament: Tournament) -> None:
    view = public_view(tournament.slug)
    find(view, "Niemand")
    names = kept_words()
    for number in range(200):
        find(view, " ".join(f"wort{number}x{place}" for place in range(20)))
    assert kept_words() == names


def kept_words() -> list[int]:
    return [person_search.spelled_words.cache_info().currsize]


# --- many tournaments ------------------------------------------------------------------------------------------------

TOURNAMENTS = 16


@pytest.fixture
def many(committed: None) -> Iterator[list[str]]:
    """Yield the slugs of many tournaments in play, with an empty page cache."""
    slugs = [f"eins-von-vielen-{uuid4().hex}" for _ in range(TOURNAMENTS)]
    for slug in slugs:
        made = TournamentFactory.create(slug=slug)
        ParticipantFactory.create_batch(5, tournament=made)
        a_round(made)
    page_cache.is_enabled = True
    yield slugs
    page_cache.is_enabled = False
    page_cache.clear()


def queries_of(slugs: list[str]) -> int:
    """Return the queries that the players' pages of the tournaments take."""
    client = Client(headers={"Accept-Encoding": "gzip"})
    with CaptureQueriesContext(connection) as queries:
        for slug in slugs:
            assert client.get(f"/t/{slug}/").status_code == 200
    return len(queries)


def test_as_many_tournaments_are_kept_as_there_is_room_for(
    many: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control has room for half of them: those that are read in turns push each other out."""
    assert queries_of(many[:1]) > 0  # what the program keeps with its first page is no page
    page_cache.clear()
    gc.collect()
    tracemalloc.start()
    assert queries_of(many) > 0
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert page_cache._size / 2 < taken < page_cache._size * 2
    assert queries_of(many) == 0
    monkeypatch.setattr(page_cache, "_room", page_cache._size // 2)
    page_cache.clear()
    queries = queries_of(many)
    assert page_cache._size <= page_cache._room
    assert TOURNAMENTS // 3 < len(page_cache._tournaments) < TOURNAMENTS
    assert queries_of(many[-5:]) == 0
    assert queries_of(many) == queries - 1  # the settings of the club, which each page reads, have stayed
