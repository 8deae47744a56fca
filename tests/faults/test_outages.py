"""What stands below the program is away: database, pooler, room on the disk. Every address answers 503 and says so.

The controls: an error of the program stays 500, and when all is back, every address answers as before.
"""

import json
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from schnauz_turnier import database
from tests import forked
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.evening import SLUG, Store, filled
from tests.faults.house import ROOT, Database, Web, program, wait_until
from tests.faults.test_several_processes import another, url_of
from tests.pooler import pooling

ACCOUNT = """
import django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from tests.factories import enter
user, browser = User.objects.create(username="leitung", is_superuser=True), Client()
enter(browser, user)
print(browser.cookies["sessionid"].value)
"""
TOKEN = "t" * 32
SOON = 40.0
BRIEFLY = {"DJANGO_SETTINGS_MODULE": "tests.served_briefly"}
PAGE = {"Accept": "text/html"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. is_page: whether a page is wanted, not JSON. expected: the status while all is well."""

    method: str
    path: str
    body: Any = None
    is_page: bool = False
    expected: int = 200


ADDRESSES = {
    "public page": Asked("GET", f"/t/{SLUG}/?a=1", is_page=True),
    "public JSON": Asked("GET", f"/t/{SLUG}/leaderboard.json?a=1"),
    "start page": Asked("GET", "/", is_page=True),
    "sign-up form": Asked("GET", f"/t/{SLUG}/sign-up/", is_page=True),
    "log-in": Asked(
        "POST", "/account/login/", {"username": "leitung", "password": "x"}, is_page=True, expected=302
    ),
    "organiser's page": Asked("GET", f"/o/{SLUG}/", is_page=True),
    "organiser's fragment": Asked("GET", f"/o/{SLUG}/backup/"),
    "door": Asked("POST", f"/o/{SLUG}/door/register/", {"name": "Neu"}, is_page=True, expected=422),
    "phone enters": Asked("POST", "/s/enter"),
    "phone's sheet": Asked("GET", "/s/sheet"),
    "phone's entries": Asked("POST", "/s/entries", {"pen_epoch": 1, "entries": []}),
    "phone calls": Asked("POST", "/s/call", {"called": True}),
    "no such tournament": Asked("GET", "/t/keins/", is_page=True, expected=404),
    "live stream": Asked("GET", "/t/keins/live", expected=404),
    "health": Asked("GET", "/healthz"),
    "readiness": Asked("GET", "/healthz/ready"),
}


@dataclass
class House:
    """A server, and somebody who asks it for everything: as a guest, an organiser and a phone."""

    store: Store
    session: str
    web: Web = field(init=False)

    def __post_init__(self) -> None:
        self.web = self.store.web

    def at(self, web: Web) -> "House":
        other = House(self.store, self.session)
        other.web = web
        return other

    def enter(self) -> None:
        """Let the phone take its place, so that it has its cookie."""
        with httpx.Client(base_url=self.web.url) as client:
            answer = client.post("/s/enter", json={"secret": self.store.secrets[1]})
            self.phone = answer.cookies["sheet"]
            client.post("/s/pen", json={})

    def ask(self, asked: Asked) -> httpx.Response:
        cookies = {"sessionid": self.session, "csrftoken": TOKEN, "sheet": self.phone}
        headers = {"X-CSRFToken": TOKEN, "Accept-Language": "de", **(PAGE if asked.is_page else {})}
        body = {"secret": self.store.secrets[1]} if asked.path == "/s/enter" else asked.body
        sent = {"json": body} if asked.path.startswith("/s/") else {"data": body}
        with httpx.Client(base_url=self.web.url, cookies=cookies, timeout=60) as client:
            return client.request(
                asked.method, asked.path, headers=headers, **(sent if body is not None else {})
            )

    def ask_all(self) -> dict[str, httpx.Response]:
        with ThreadPoolExecutor(8) as threads:
            return dict(zip(ADDRESSES, threads.map(self.ask, ADDRESSES.values()), strict=True))

    def statuses(self) -> dict[str, int]:
        return {name: answer.status_code for name, answer in self.ask_all().items()}

    def is_well(self) -> bool:
        return self.statuses() == {name: asked.expected for name, asked in ADDRESSES.items()}


@contextmanager
def the_house(folder: Path) -> Iterator[House]:
    web = Web(copy_data_dir(migrated_data_dir(), folder), program())
    web.environment |= BRIEFLY
    web.start()
    try:
        with Database(folder).stay() as stored:
            store = filled(web, stored, 2)
            ran = forked.run([sys.executable, "-c", ACCOUNT], cwd=ROOT, env=web.environment)
            ran.check_returncode()
            house = House(store, ran.stdout.strip())
            house.enter()
            yield house
    finally:
        web.end()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with the_house(tmp_path_factory.mktemp("outages")) as house:
        yield house


def check_all_say(answers: dict[str, httpx.Response], page: str, sentence: str) -> None:
    """Check that every answer is a 503 with Retry-After, a page where one was asked for, else JSON with the sentence."""
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(ADDRESSES, 503)
    assert [
        name
        for name, answer in answers.items()
        if int(answer.headers.get("Retry-After", 0)) not in range(1, 21)
    ] == []
    for name, asked in ADDRESSES.items():
        text = answers[name].text
        if asked.is_page:
            assert page in text, name
        elif name not in ("health", "readiness", "live stream"):
            assert json.loads(text) == {"error": sentence}, name


AWAY = (
    "Das Turnier kann gerade nicht antworten",
    "Das Turnier kann gerade nicht antworten. Es wird weiter versucht.",
)


@contextmanager
def database_stopped(house: House) -> Iterator[None]:
    """Kill PostgreSQL, and stop its supervisor so that it does not start it again."""
    stored = house.store.database
    supervisor = psutil.Process(stored.pid).parent()
    assert supervisor is not None
    supervisor.suspend()
    try:
        stored.kill()
        assert wait_until(lambda: not stored.is_up())
        yield
    finally:
        supervisor.resume()
        assert wait_until(stored.is_up)


def test_all_is_well(house: House) -> None:
    """The control."""
    assert wait_until(house.is_well, seconds=SOON), house.statuses()


def test_while_the_database_is_away_everything_answers_503(house: House) -> None:
    with database_stopped(house):
        assert wait_until(lambda: not house.ask(ADDRESSES["public page"]).is_success)
        check_all_say(house.ask_all(), *AWAY)
    assert wait_until(house.is_well, seconds=SOON), house.statuses()


@pytest.mark.parametrize("how", ["terminated", "killed"])
def test_requests_under_way_get_what_they_asked_for_or_503(house: House, how: str) -> None:
    stored = house.store.database
    seen: Counter[int] = Counter()
    is_over = threading.Event()

    def ask_on(asked: Asked) -> None:
        while not is_over.is_set():
            seen[house.ask(asked).status_code] += 1

    ends: dict[str, Callable[[], None]] = {
        "terminated": lambda: stored.tell(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
        ),
        "killed": lambda: stored.kill(signal.SIGKILL),
    }
    names = (
        "public JSON",
        "organiser's page",
        "door",
        "phone's entries",
        "phone's sheet",
        "health",
        "log-in",
    )
    with ThreadPoolExecutor(len(names)) as threads:
        under_way = [threads.submit(ask_on, ADDRESSES[name]) for name in names]
        try:
            for _ in range(6 if how == "terminated" else 2):
                before = seen.total()
                assert wait_until(lambda: seen.total() > before + 10)  # noqa: B023
                ends[how]()
                assert wait_until(stored.is_up)
        finally:
            is_over.set()
    assert [one.exception() for one in under_way] == [None] * len(names)
    assert set(seen) <= {200, 302, 422, 429, 503}
    assert wait_until(house.is_well, seconds=SOON), house.statuses()


def test_a_mistake_in_a_statement_stays_500(house: House) -> None:
    """The control: no outage hides it."""
    stored = house.store.database
    stored.tell("ALTER TABLE tournaments_participant RENAME TO elsewhere")
    try:
        assert [house.ask(ADDRESSES[name]).status_code for name in ("door", "organiser's page")] == [500, 500]
    finally:
        stored.tell("ALTER TABLE elsewhere RENAME TO tournaments_participant")
    assert wait_until(house.is_well, seconds=SOON), house.statuses()


def test_while_the_pooler_or_the_database_behind_it_is_away_everything_answers_503(house: House) -> None:
    here = database.address(house.store.database.folder)
    with (
        pooling(here.host, here.port, here.user, here.password, patience=2) as port,
        another(
            house.store, DATABASE_URL=url_of(here, port), LISTEN_URL=url_of(here, here.port), **BRIEFLY
        ) as web,
    ):
        behind = house.at(web)
        behind.phone = house.phone
        assert wait_until(behind.is_well, seconds=SOON), behind.statuses()
        with database_stopped(house):
            assert wait_until(lambda: not behind.ask(ADDRESSES["public page"]).is_success)
            check_all_say(behind.ask_all(), *AWAY)
        assert wait_until(behind.is_well, seconds=SOON), behind.statuses()
        [bouncer] = [one for one in psutil.Process().children() if one.name() == "pgbouncer"]
        bouncer.kill()
        bouncer.wait(10)
        assert wait_until(lambda: not behind.ask(ADDRESSES["public JSON"]).is_success)
        assert set(behind.statuses().values()) == {503}
