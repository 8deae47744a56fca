"""Tests of public pages that are read from a standby: right as soon as it has replayed, and without it from the primary.

The control takes for granted that the standby has what is heard, and goes on showing an old page.
"""

import contextlib
import json
import re
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from schnauz_turnier.postgresql.database import NAME
from tests.conftest import static_files
from tests.faults.evening import SLUG, Store, document, filled
from tests.faults.house import Web, get, program, wait_until
from tests.faults.standby import Pair
from tests.faults.test_live_outages import Phone, Viewer, of_the_organiser
from tests.faults.test_several_processes import page_shows

OF_THE_PROGRAM = re.compile(r"\b(?:tournaments|scoring)_\w+")
TOKEN = "only-for-tests-" * 3
PATIENT = {"DJANGO_SETTINGS_MODULE": "tests.served_with_patience"}
CONTROL = {"DJANGO_SETTINGS_MODULE": "tests.served_without_barrier"}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    pair = Pair(tmp_path_factory.mktemp("readers"))
    try:
        yield pair
    finally:
        pair.end()


@pytest.fixture(scope="module")
def store(pair: Pair) -> Iterator[Store]:
    """The program with a standby to read from."""
    web = Web(pair.folder, program())
    web.environment |= {
        "DATABASE_URL": pair.url,
        "READ_URL": pair.url_of_standby,
        "METRICS_TOKEN": TOKEN,
    }
    try:
        yield filled(web.start(), pair, 2)
    finally:
        web.end()


@pytest.fixture(scope="module")
def phone(store: Store) -> Phone:
    return Phone(store)


@pytest.fixture(scope="module")
def patient(store: Store) -> Iterator[Web]:
    """A further server, which bears a standby far behind."""
    with another(store, **PATIENT) as web:
        yield web


@pytest.fixture(autouse=True)
def all_well(pair: Pair, store: Store) -> None:
    assert wait_until(lambda: reads_standby(store.web) is True)


@pytest.fixture
def viewer(store: Store) -> Iterator[Viewer]:
    with watching(store.web) as viewer:
        yield viewer


@contextlib.contextmanager
def watching(web: Web, club: str = "") -> Iterator[Viewer]:
    viewer = Viewer(web.url + club)
    assert wait_until(lambda: bool(viewer.shown))
    yield viewer
    viewer.is_gone = True


@contextlib.contextmanager
def a_server(store: Store, **environment: str) -> Iterator[Web]:
    """Run a further server on the same databases, and wait until it answers."""
    web = Web(store.database.folder, ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port))
    key = (store.database.folder / "secret_key").read_text()
    web.environment = {
        **store.web.environment,
        "PORT": str(web.port),
        "SECRET_KEY": key,
        **environment,
    }
    try:
        yield web.start()
    finally:
        web.end()


@contextlib.contextmanager
def another(store: Store, **environment: str) -> Iterator[Web]:
    """Run a further server, and wait until it reads from the standby."""
    with a_server(store, **environment) as web:
        assert wait_until(lambda: reads_standby(web) is True)
        yield web


@contextlib.contextmanager
def paused(pair: Pair) -> Iterator[None]:
    """Let the standby replay nothing."""
    pair.standby.ask("SELECT pg_wal_replay_pause()")
    state = "SELECT pg_get_wal_replay_pause_state()"
    assert wait_until(lambda: pair.standby.ask(state) == [("paused",)])
    try:
        yield
    finally:
        pair.standby.ask("SELECT pg_wal_replay_resume()")


def reads_standby(web: Web) -> bool | None:
    is_read: bool | None = get(f"{web.url}/healthz/ready").json()["standby"]
    return is_read


@contextlib.contextmanager
def statements(pair: Pair) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the statements inside the block that name tables of the program: of the primary, and of the standby."""
    asked: tuple[list[str], list[str]] = [], []
    before = [server.log.stat().st_size for server in (pair.primary, pair.standby)]
    yield asked
    for server, start, found in zip((pair.primary, pair.standby), before, asked, strict=True):
        with server.log.open(errors="replace") as log:
            log.seek(start)
            said = log.read().split("LOG:  statement: ")[1:]
            found += [statement for statement in said if OF_THE_PROGRAM.search(statement)]


@pytest.fixture(scope="module")
def logged(pair: Pair) -> None:
    """Let both servers log every statement."""
    for server in (pair.primary, pair.standby):
        server.ask("ALTER SYSTEM SET log_statement = 'all'")
        server.ask("SELECT pg_reload_conf()")
        assert wait_until(lambda: server.ask("SHOW log_statement") == [("all",)])  # noqa: B023


PUBLIC = (
    "",
    "?q=Spieler",
    "?me=1",
    "me/1/",
    "rules/",
    "screen/",
    "screen/2/",
    "tree/",
    "leaderboard.json",
    "rounds/1/",
    "rounds/1.json",
    "rounds/1/tables/1/",
)


@pytest.mark.usefixtures("logged")
def test_public_pages_ask_nothing_of_the_primary(pair: Pair, phone: Phone, patient: Web) -> None:
    phone.stroke()
    assert wait_until(lambda: page_shows(patient, phone.strokes))
    with statements(pair) as (of_primary, of_standby), watching(patient):
        for path in PUBLIC:
            assert get(f"{patient.url}/t/{SLUG}/{path}").status_code in (200, 404)
    assert (of_primary, bool(of_standby)) == ([], True)
    with statements(pair) as (of_primary, of_standby):
        for cookie in ("sessionid=x", "messages=x", "screen=x"):
            page = httpx.get(f"{patient.url}/t/{SLUG}/?q=x", headers={"Cookie": cookie}, trust_env=False)
            assert page.status_code == 200
    assert (bool(of_primary), of_standby) == (True, [])


@pytest.mark.usefixtures("logged")
def test_a_club_keeps_its_role_and_schema_there(pair: Pair) -> None:
    pair.primary.ask("CREATE DATABASE hosting")
    web = Web(pair.folder, ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port))
    web.environment |= {
        **PATIENT,
        "CLUBS": "paths",
        "PUBLIC_URL": web.url,
        "SECRET_KEY": "only-for-tests-" * 5,
        "STATIC_ROOT": static_files(),
        "DATABASE_URL": pair.url.replace(f"/{NAME}?", "/hosting?"),
        "READ_URL": pair.url_of_standby.replace(f"/{NAME}?", "/hosting?"),
    }
    making, filling = ("create_club", "alpha", "--name", "Alpha"), ("club", "alpha", "import_tournament", "-")
    web.commands_say(making, filling, text=json.dumps(document(2)))
    try:
        web.start()
        assert wait_until(lambda: reads_standby(web) is True)
        with statements(pair) as (of_primary, of_standby), watching(web, "/c/alpha"):
            assert get(f"{web.url}/c/alpha/t/{SLUG}/").status_code == 200
        assert of_primary == []
        assert of_standby
        assert all(statement.startswith('SET LOCAL ROLE "club_alpha_') for statement in of_standby)
    finally:
        web.end()


def test_an_entry_is_on_page_and_stream_when_the_standby_has_it(
    pair: Pair, store: Store, phone: Phone, patient: Web
) -> None:
    with (
        another(store, **CONTROL) as control,
        watching(patient) as viewer,
        watching(control) as deceived,
    ):
        before = phone.strokes
        assert wait_until(lambda: page_shows(patient, before) and page_shows(control, before))
        told = len(deceived.seen)
        with paused(pair):
            strokes = phone.stroke()
            assert wait_until(lambda: len(deceived.seen) > told)
            assert page_shows(patient, before)
            assert page_shows(control, before)
            assert viewer.shows(before)
        assert wait_until(lambda: page_shows(patient, strokes))
        assert wait_until(lambda: viewer.shows(strokes))
        assert page_shows(control, before)
        assert deceived.shows(before)


def test_a_freeze_is_never_passed_by_what_comes_after_it(
    pair: Pair, store: Store, phone: Phone, patient: Web
) -> None:
    with watching(patient) as viewer:
        before = phone.strokes
        assert wait_until(lambda: page_shows(patient, before))
        with paused(pair):
            of_the_organiser(store, "freeze")
            strokes = phone.stroke()
            assert page_shows(patient, before)
        assert wait_until(lambda: viewer.shows(None))
        assert wait_until(lambda: page_shows(patient, 0))
        assert strokes not in viewer.seen
        of_the_organiser(store, "release")
        assert wait_until(lambda: viewer.shows(strokes))
        assert wait_until(lambda: page_shows(patient, strokes))


def test_a_standby_that_is_far_behind_is_not_read(
    pair: Pair, store: Store, phone: Phone, viewer: Viewer
) -> None:
    with paused(pair):
        strokes = phone.stroke()
        assert wait_until(lambda: viewer.shows(strokes))
        assert wait_until(lambda: page_shows(store.web, strokes))
        assert wait_until(lambda: reads_standby(store.web) is False)
        strokes = phone.stroke()
        assert page_shows(store.web, strokes)
    assert wait_until(lambda: reads_standby(store.web) is True)
    assert page_shows(store.web, strokes)


def test_a_standby_that_is_killed_is_missed_by_nobody(
    pair: Pair, store: Store, phone: Phone, viewer: Viewer
) -> None:
    def page(number: int) -> int:
        return get(f"{store.web.url}/t/{SLUG}/?q={number}").status_code

    with ThreadPoolExecutor(4) as readers:
        answers = readers.map(page, range(60))
        pair.standby.kill()
        assert set(answers) == {200}
    strokes = phone.stroke()
    assert wait_until(lambda: viewer.shows(strokes))
    assert wait_until(lambda: page_shows(store.web, strokes))
    assert wait_until(lambda: reads_standby(store.web) is False)
    pair.standby.start()
    assert wait_until(lambda: reads_standby(store.web) is True)
    strokes = phone.stroke()
    assert wait_until(lambda: viewer.shows(strokes) and page_shows(store.web, strokes))


def test_a_standby_that_is_frozen_holds_up_nobody_for_long(
    pair: Pair, store: Store, phone: Phone, viewer: Viewer
) -> None:
    def page(number: int) -> int:
        return get(f"{store.web.url}/t/{SLUG}/me/{number}/").status_code

    phone.stroke()
    assert wait_until(lambda: page_shows(store.web, phone.strokes))
    pair.standby.signal(signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(10) as readers:
            assert set(readers.map(page, range(1, 11))) == {200}
        strokes = phone.stroke()
        assert wait_until(lambda: viewer.shows(strokes))
        assert wait_until(lambda: page_shows(store.web, strokes))
    finally:
        pair.standby.signal(signal.SIGCONT)


def test_it_is_measured_how_far_the_standby_may_be_behind(store: Store) -> None:
    asking = {"Authorization": f"Bearer {TOKEN}"}
    text = httpx.get(f"{store.web.url}/metrics", headers=asking, trust_env=False).text
    found = re.search(r"^schnauz_standby_lag_seconds (.+)$", text, re.MULTILINE)
    assert found
    assert float(found[1]) > 0


def test_what_writes_there_by_mistake_is_refused(store: Store) -> None:
    lines = (
        "from django.db import connections",
        "from tournaments.standby import standby",
        "standby.begin()",
        "connections['standby'].cursor().execute('DELETE FROM scoring_seatresult')",
    )
    with pytest.raises(subprocess.CalledProcessError) as refused:
        store.web.command_says("shell", "-c", "\n".join(lines))
    assert "read-only transaction" in refused.value.stderr


def test_the_primary_is_not_read_as_a_standby(store: Store, phone: Phone) -> None:
    either = store.web.environment["READ_URL"].partition("?")[0]  # then the first one that answers is taken
    with a_server(store, READ_URL=either, LOG_LEVEL="WARNING") as web:
        assert wait_until(lambda: "is no standby" in web.log.read_text())
        assert reads_standby(web) is False
        assert page_shows(web, phone.strokes)


@pytest.mark.usefixtures("logged")
def test_after_a_failover_the_new_standby_is_read(
    pair: Pair, store: Store, phone: Phone, viewer: Viewer
) -> None:
    pair.primary.kill()
    pair.promote()
    strokes = phone.stroke()
    assert wait_until(lambda: viewer.shows(strokes) and page_shows(store.web, strokes))
    assert reads_standby(store.web) is False
    pair.follow()
    assert wait_until(lambda: reads_standby(store.web) is True)
    with statements(pair) as (_of_primary, of_standby):
        strokes = phone.stroke()
        assert wait_until(lambda: viewer.shows(strokes) and page_shows(store.web, strokes))
    assert of_standby
