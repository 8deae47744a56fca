"""Two clubs at one server: while one floods it, the other is answered; and the database refuses both."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.db import connection
from psycopg import sql

from schnauz_turnier.web.django_threads import THREADS
from scoring.models import SheetEntry
from scoring.services.sheets import take_pen
from tests.clubs.conftest import Account
from tests.clubs.test_changes import an_evening
from tests.factories import AT
from tests.faults.house import wait_until
from tests.security.conftest import Server
from tests.security.test_guests import a_device
from tournaments import links
from tournaments.current_club import Club, in_club

SLUGS = ("alpha", "beta")
PAGE = {"Accept": "text/html"}
PHONE_CALLS = 10  # of tests.served_with_few_calls
TOO_MANY = 5

Cookies = dict[str, list[str]]
"""By club, those of the scribes of its two tables."""


@pytest.fixture
def clubs(new_club: Callable[..., Club]) -> dict[str, Club]:
    return {slug: new_club(slug) for slug in SLUGS}


@pytest.fixture
def cookies(clubs: dict[str, Club]) -> Cookies:
    return {slug: [_cookie(club, name) for name in ("herbst", "winter")] for slug, club in clubs.items()}


def _cookie(club: Club, name: str) -> str:
    table = an_evening(club, name)
    with in_club(club):
        take_pen(table, device="a", at=AT)
        return f"sheet={links.PhonePass(table.pk, table.link_version, 'a').to_cookie()}"


@pytest.fixture
def server(hosting: Account, clubs: dict[str, Club]) -> Iterator[Server]:
    with hosting.serving("tests.served_with_few_calls") as server:
        yield server


def ask(server: Server, method: str, path: str, **more: Any) -> httpx.Response:
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
        return client.request(method, path, **more)


def send_entry(server: Server, slug: str, cookie: str) -> int:
    data = {"seat_number": 1, "mark": "schnauz"}
    entry = {"id": str(uuid4()), "kind": "stroke", "data": data, "made_at": "2026-11-21T19:30:00Z"}
    body = {"pen_epoch": 1, "entries": [entry]}
    return ask(server, "POST", f"/c/{slug}/s/entries", headers={"cookie": cookie}, json=body).status_code


def stored(club: Club) -> int:
    with in_club(club):
        return SheetEntry.objects.count()


def test_a_club_within_its_share_is_answered_while_another_floods(
    server: Server, hosting: Account, clubs: dict[str, Club], cookies: Cookies
) -> None:
    """The control: another table of the club that floods is refused by the same limit."""
    flooding, other_table = cookies["alpha"]
    seen: list[int] = []
    is_full = threading.Event()

    def flood() -> None:
        seen.append(send_entry(server, "alpha", flooding))
        if len(seen) == TOO_MANY:
            is_full.set()

    with ThreadPoolExecutor(PHONE_CALLS + TOO_MANY) as threads:
        with hosting.another_connection(clubs["alpha"]) as other:
            other.execute("SELECT FROM tournaments_table FOR UPDATE")
            under_way = [threads.submit(flood) for _ in range(PHONE_CALLS + TOO_MANY)]
            assert is_full.wait(60)
            assert send_entry(server, "alpha", other_table) == 429
            assert send_entry(server, "beta", cookies["beta"][0]) == 200
            assert seen == [429] * TOO_MANY
        assert [one.exception() for one in under_way] == [None] * (PHONE_CALLS + TOO_MANY)
    assert Counter(seen) == {200: PHONE_CALLS, 429: TOO_MANY}
    assert (stored(clubs["alpha"]), stored(clubs["beta"])) == (PHONE_CALLS, 1)


# --- a club waits for its tables -------------------------------------------------------------------------------------

FLOOD = 20  # more than the connections of the server


def test_a_club_is_answered_while_the_staff_and_the_streams_of_another_wait_for_its_tables(
    server: Server, hosting: Account, clubs: dict[str, Club], cookies: Cookies
) -> None:
    """The control: the other club is told nothing before the locks are free."""
    devices = {slug: _device(club) for slug, club in clubs.items()}

    def ask_as_staff(slug: str) -> int:
        headers = {**PAGE, "cookie": f"{devices[slug]}; sessionid={'x' * 32}"}
        return ask(server, "GET", f"/c/{slug}/account/login/", headers=headers).status_code

    def watch(slug: str) -> int:
        address = f"{server.url}/c/{slug}/t/herbst/live"
        with httpx.stream("GET", address, trust_env=False, timeout=60) as stream:
            return stream.status_code

    with ThreadPoolExecutor(2 * FLOOD) as threads:
        with hosting.another_connection(clubs["alpha"]) as other:
            other.execute("LOCK TABLE django_session, tournaments_tournament IN ACCESS EXCLUSIVE MODE")
            flood = [threads.submit(call, "alpha") for _ in range(FLOOD) for call in (ask_as_staff, watch)]
            with hosting.another_connection(clubs["alpha"]) as watching:
                assert wait_until(lambda: _waiting(watching) >= THREADS), server.log
                assert [ask_as_staff("beta"), watch("beta")] == [200, 200]
                assert send_entry(server, "beta", cookies["beta"][0]) == 200
                assert THREADS <= _waiting(watching) <= THREADS + 1  # the backup may wait, too
            assert [one.done() for one in flood] == [False] * 2 * FLOOD
        assert [one.result() for one in flood] == [200] * 2 * FLOOD


def _device(club: Club) -> str:
    with in_club(club):
        return a_device()


def _waiting(connection: psycopg.Connection[Any]) -> int:
    """Return how many transactions wait for the sessions."""
    asking = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'django_session'::regclass"
    [(number,)] = connection.execute(asking).fetchall()
    return int(number)


# --- the database is away --------------------------------------------------------------------------------------------


@contextmanager
def refusing(account: Account) -> Iterator[None]:
    """End all connections to the database of the clubs, and let it refuse new ones."""
    name = sql.Identifier(account.name)
    elsewhere = f"{account.url.removesuffix(account.name)}postgres"
    connection.close()  # that of this process
    with psycopg.connect(elsewhere, autocommit=True) as to:
        to.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        try:
            to.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = %s AND backend_type = 'client backend'",  # not an autovacuum
                [account.name],
            )
            yield
        finally:
            to.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))


REQUESTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "page of all clubs": ("GET", "/", {"headers": PAGE}),
    "a club that nobody asked for": ("GET", "/c/gamma/", {"headers": PAGE}),
    "a phone of such a club": ("POST", "/c/delta/s/entries", {"json": {}}),
    "start page": ("GET", "/c/alpha/", {"headers": PAGE}),
    "public page": ("GET", "/c/alpha/t/herbst/", {"headers": PAGE}),
    "public JSON": ("GET", "/c/beta/t/herbst/leaderboard.json", {}),
    "live stream": ("GET", "/c/alpha/t/keins/live", {}),
    "log-in": (
        "POST",
        "/c/alpha/account/login/",
        {"headers": PAGE, "data": {"username": "a", "password": "b"}},
    ),
    "phone enters": ("POST", "/c/alpha/s/enter", {"json": {"secret": ""}}),
    "phone's sheet": ("GET", "/c/alpha/s/sheet", {}),
    "phone's entries": ("POST", "/c/alpha/s/entries", {"json": {"pen_epoch": 1, "entries": []}}),
    "phone of another club": ("GET", "/c/beta/s/sheet", {}),
    "health": ("GET", "/healthz", {}),
    "readiness": ("GET", "/healthz/ready", {}),
}
KEPT = ("page of all clubs", "start page", "public page", "public JSON")
"""What may be answered from what was kept before, which lives for two seconds from when it was made."""
WELL = dict.fromkeys(REQUESTS, 200) | {
    "a club that nobody asked for": 404,
    "a phone of such a club": 404,
    "live stream": 404,
    "log-in": 422,
}
CSRF = "t" * 32


def answers(
    server: Server, clubs: dict[str, Club], cookies: Cookies, names: Collection[str] = REQUESTS
) -> dict[str, httpx.Response]:
    def answer(asked: tuple[str, str, dict[str, Any]]) -> httpx.Response:
        method, path, more = asked
        sheet = cookies["beta" if path.startswith("/c/beta/") else "alpha"][0]
        headers = {"cookie": f"csrftoken={CSRF}; {sheet}", "x-csrftoken": CSRF, **more.get("headers", {})}
        if path.endswith("/enter"):
            more = {"json": {"secret": secret_of(clubs["alpha"])}}
        return ask(server, method, path, **{**more, "headers": headers})

    with ThreadPoolExecutor(8) as threads:
        return dict(zip(names, threads.map(answer, map(REQUESTS.__getitem__, names)), strict=True))


def secret_of(club: Club) -> str:
    with in_club(club):
        return links.sheet_secret(1, 1)


def test_while_the_database_refuses_everything_of_every_club_answers_503(
    server: Server, hosting: Account, clubs: dict[str, Club], cookies: Cookies
) -> None:
    """The controls: before and after it, all is answered; static files always are."""

    def keeps_nothing() -> bool:
        return not any(answer.is_success for answer in answers(server, clubs, cookies, KEPT).values())

    def statuses() -> dict[str, int]:
        return {name: answer.status_code for name, answer in answers(server, clubs, cookies).items()}

    assert wait_until(lambda: ask(server, "GET", "/healthz/ready").is_success)
    before = statuses()
    assert before == WELL
    static = ask(server, "GET", "/c/alpha/").text.split('href="/static/')[1].split('"')[0]
    with refusing(hosting):
        assert wait_until(keeps_nothing)
        said = answers(server, clubs, cookies)
        assert {name: answer.status_code for name, answer in said.items()} == dict.fromkeys(REQUESTS, 503)
        assert [
            name for name, answer in said.items() if not 1 <= int(answer.headers["Retry-After"]) <= 20
        ] == []
        assert ask(server, "GET", f"/static/{static}").status_code == 200
    assert wait_until(lambda: statuses() == before), statuses()
