"""What stands below the program is away: database, pooler, room on the disk. Every address answers 503 and says so.

The controls: an error of the program stays 500, and when all is back, every address answers as before.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import django.db
import httpx
import psutil
import psycopg
import pytest
from django.test import RequestFactory
from psycopg_pool import PoolTimeout

from schnauz_turnier.postgresql import database
from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable
from schnauz_turnier.web import outages
from schnauz_turnier.web.outages import outage_in
from tests import forked
from tests.conftest import IN_CI
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.evening import SLUG, Store, filled
from tests.faults.house import ROOT, Database, Web, program, wait_until
from tests.faults.test_several_processes import another, url_of
from tests.pooler import pooling
from tests.scoring.pages import Staff, text_of
from tournaments import disk_room
from tournaments.disk_room import FailedWrites

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

KEPT = ("public page", "public JSON", "start page", "sign-up form")
"""What may be answered from what was kept before, which lives for two seconds from when it was made."""


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

    def _client(self, **more: Any) -> httpx.Client:
        """Return a client that does not read certificates: that takes longer than a request."""
        return httpx.Client(base_url=self.web.url, timeout=60, trust_env=False, verify=False, **more)

    def enter(self) -> None:
        """Let the phone take its place, so that it has its cookie."""
        with self._client() as client:
            answer = client.post("/s/enter", json={"secret": self.store.secrets[1]})
            self.phone = answer.cookies["sheet"]
            client.post("/s/pen", json={})

    def ask(self, asked: Asked) -> httpx.Response:
        cookies = {"sessionid": self.session, "csrftoken": TOKEN, "sheet": self.phone}
        headers = {"X-CSRFToken": TOKEN, "Accept-Language": "de", **(PAGE if asked.is_page else {})}
        body = {"secret": self.store.secrets[1]} if asked.path == "/s/enter" else asked.body
        sent: dict[str, Any] = {"json": body} if asked.path.startswith("/s/") else {"data": body}
        with self._client(cookies=cookies) as client:
            return client.request(
                asked.method, asked.path, headers=headers, **(sent if body is not None else {})
            )

    def ask_all(self, names: Collection[str] = ADDRESSES) -> dict[str, httpx.Response]:
        with ThreadPoolExecutor(8) as threads:
            return dict(zip(names, threads.map(self.ask, map(ADDRESSES.__getitem__, names)), strict=True))

    def statuses(self) -> dict[str, int]:
        return {name: answer.status_code for name, answer in self.ask_all().items()}

    def keeps_nothing(self) -> bool:
        return not any(answer.is_success for answer in self.ask_all(KEPT).values())

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
    assert wait_until(house.is_well), house.statuses()


def test_while_the_database_is_away_everything_answers_503(house: House) -> None:
    with database_stopped(house):
        assert wait_until(house.keeps_nothing)
        check_all_say(house.ask_all(), *AWAY)
    assert wait_until(house.is_well), house.statuses()


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
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
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
    assert wait_until(house.is_well), house.statuses()


def test_a_mistake_in_a_statement_stays_500(house: House) -> None:
    """The control: no outage hides it."""
    stored = house.store.database
    stored.tell("ALTER TABLE tournaments_participant RENAME TO elsewhere")
    try:
        assert [house.ask(ADDRESSES[name]).status_code for name in ("door", "organiser's page")] == [500, 500]
    finally:
        stored.tell("ALTER TABLE elsewhere RENAME TO tournaments_participant")
    assert wait_until(house.is_well), house.statuses()


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
        assert wait_until(behind.is_well), behind.statuses()
        with database_stopped(house):
            assert wait_until(behind.keeps_nothing)
            check_all_say(behind.ask_all(), *AWAY)
        assert wait_until(behind.is_well), behind.statuses()
        [bouncer] = [one for one in psutil.Process().children() if one.name() == "pgbouncer"]
        bouncer.kill()
        bouncer.wait(60)
        assert wait_until(behind.keeps_nothing)
        assert set(behind.statuses().values()) == {503}


# --- a disk that is full ---------------------------------------------------------------------------------------------

FULL = (
    "Die Festplatte des Turnier-Laptops ist voll",
    "Die Festplatte des Turnier-Laptops ist voll. Bitte der Spielleitung Bescheid geben. Was auf einem Handy eingetragen ist, "
    "bleibt dort und wird nachgereicht.",
)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 240 MB; a data folder takes about half of it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=240m,mode=755", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        reason = "needs the right to mount a small disk"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(file: Path) -> None:
    """Write until there is no room left."""
    with suppress(OSError), file.open("ab", buffering=0) as out:
        while out.write(b"0" * 4096):
            pass


def strokes(house: House, number: int) -> httpx.Response:
    """Send so many strokes of a phone at once."""
    entries = [
        {
            "id": str(uuid4()),
            "kind": "stroke",
            "data": {"seat_number": 1, "mark": "schnauz"},
            "made_at": "2026-11-21T20:00:00Z",
        }
        for _ in range(number)
    ]
    return house.ask(Asked("POST", "/s/entries", {"pen_epoch": 1, "entries": entries}))


def test_a_full_disk_is_said_to_everybody_and_nothing_is_lost(small_disk: Path) -> None:
    with the_house(small_disk / "data") as house:
        ballast, kept = small_disk / "ballast", 0
        while (answer := strokes(house, 4)).status_code == 200:
            assert {row["outcome"] for row in answer.json()["results"]} == {"recorded"}
            kept += 4
            fill(ballast)
        assert (answer.status_code, answer.json()) == (503, {"error": FULL[1]})
        assert int(answer.headers["Retry-After"]) in range(10, 21)
        page = house.ask(Asked("GET", f"/o/{SLUG}/backup/", is_page=True))
        assert (page.status_code, "Nicht alles konnte gespeichert werden" in page.text) == (200, True)
        assert "MB frei, wo" in page.text
        assert house.ask(ADDRESSES["readiness"]).json()["disk"] is False
        assert house.ask(ADDRESSES["public page"]).status_code == 200

        with database_stopped(house):  # as it stops where it cannot write the next file of its log
            fill(ballast)
            assert wait_until(house.keeps_nothing)
            check_all_say(house.ask_all(), *FULL)
            ballast.unlink()
        assert wait_until(lambda: strokes(house, 1).status_code == 200)
        stored = house.store.database.ask(
            "SELECT count(*)::integer FROM scoring_sheetentry WHERE kind = 'stroke'"
        )
        assert stored[0][0] >= kept + 1


# --- what is an outage -----------------------------------------------------------------------------------------------


def of_django(error: psycopg.Error) -> Exception:
    made: Exception = getattr(django.db, type(error).__mro__[1].__name__, django.db.OperationalError)(
        str(error)
    )
    made.__cause__ = error
    return made


def in_a_session(error: Exception) -> Exception:
    """Return the error of Django for a session that could not be stored, as it comes from another one."""
    made = ValueError("The request's session was deleted before the request completed.")
    made.__context__ = error
    return made


ERRORS: dict[str, tuple[BaseException, str | None]] = {
    "refused": (psycopg.OperationalError("connection refused"), "database"),
    "closed": (psycopg.InterfaceError("the connection is closed"), "database"),
    "killed at COMMIT": (
        of_django(psycopg.InternalError("received 2 results from command 'COMMIT'")),
        "database",
    ),
    "broken within": (of_django(psycopg.errors.InternalError_()), None),
    "no place in the pool": (PoolTimeout("couldn't get a connection after 15.00 sec"), "database"),
    "not started": (DatabaseUnavailable("did not start"), "database"),
    "shutdown": (of_django(psycopg.errors.AdminShutdown()), "database"),
    "starting": (of_django(psycopg.errors.CannotConnectNow()), "database"),
    "pooler": (of_django(psycopg.errors.ProtocolViolation("query_wait_timeout")), "database"),
    "too many": (of_django(psycopg.errors.TooManyConnections()), "database"),
    "disk of the database": (of_django(psycopg.errors.DiskFull()), "disk"),
    "own disk": (OSError(errno.ENOSPC, "No space left on device"), "disk"),
    "in a session": (in_a_session(of_django(psycopg.errors.AdminShutdown())), "database"),
    "another file": (FileNotFoundError(errno.ENOENT, "No such file"), None),
    "wrong table": (of_django(psycopg.errors.UndefinedTable()), None),
    "wrong syntax": (of_django(psycopg.errors.SyntaxError()), None),
    "twice": (of_django(psycopg.errors.UniqueViolation()), None),
    "deadlock": (of_django(psycopg.errors.DeadlockDetected()), None),
    "waited for a lock": (of_django(psycopg.errors.LockNotAvailable()), None),
    "too slow": (of_django(psycopg.errors.QueryCanceled()), None),
    "of the program": (ZeroDivisionError(), None),
}


@pytest.mark.parametrize(("error", "outage"), ERRORS.values(), ids=ERRORS)
def test_an_outage_is_told_from_a_mistake(error: BaseException, outage: str | None) -> None:
    assert outage_in(error) == outage


# --- the organiser's page, before it happens --------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bounds", "kind"),
    [((0, 0), None), ((0, 10**18), "warning"), ((10**18, 10**18), "error")],
    ids=["room", "scarce", "least"],
)
def test_the_organiser_is_told_before_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch, bounds: tuple[int, int], kind: str | None
) -> None:
    desk = Staff(5)
    for name, bound in zip(("LEAST_ROOM", "SCARCE_ROOM"), bounds, strict=True):
        monkeypatch.setattr(disk_room, name, bound)
    for name in ("overview", "backup"):
        answer = desk.get(name)
        assert ("MB frei, wo" in text_of(answer)) == (kind is not None)
        assert kind is None or f'data-kind="{kind}" role="alert"' in answer.content.decode()


@pytest.mark.django_db
def test_the_organiser_is_told_of_a_disk_that_only_the_database_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, failed = Staff(5), FailedWrites()
    for module in ("scoring.organiser.dashboard.views", "schnauz_turnier.web.outages"):
        monkeypatch.setattr(f"{module}.failed_writes", failed)
    monkeypatch.setattr(disk_room, "SCARCE_ROOM", 0)
    assert "kein Platz" not in text_of(desk.get("overview"))
    outages.answer(RequestFactory().get("/"), "disk")
    assert "Eben war kein Platz zum Speichern" in text_of(desk.get("overview"))
