"""Several processes on one database. Where one does not hear of changes, it shows no old page for long."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from schnauz_turnier.postgresql import database
from scoring.open_screens import OpenScreens
from tests.faults.evening import SLUG, Store, the_program
from tests.faults.house import PATIENCE, Web, get, program, wait_until
from tests.faults.test_live_outages import Phone, Viewer
from tests.pooler import pooling
from tournaments.notify import CHANNEL

BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'schnauz_turnier live'"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with the_program(
        tmp_path_factory.mktemp("deaf"), 2, DJANGO_SETTINGS_MODULE="tests.served_without_backups"
    ) as store:
        yield store


@pytest.fixture(scope="module")
def phone(store: Store) -> Phone:
    return Phone(store)


@contextmanager
def another(store: Store, *options: str, **environment: str) -> Iterator[Web]:
    """Run a further server on the same database, and wait until it answers."""
    web = Web(store.database.folder, ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port), *options)
    key = (store.database.folder / "secret_key").read_text()
    web.environment |= {"SECRET_KEY": key, **environment}
    web.start()
    try:
        yield web
    finally:
        web.end()


def page_shows(web: Web, strokes: int) -> bool:
    page = get(f"{web.url}/t/{SLUG}/")
    return page.status_code == 200 and page.text.count('<i class="mark"></i>') == strokes


def readiness(web: Web) -> tuple[int, bool]:
    answer = get(f"{web.url}/healthz/ready")
    return answer.status_code, answer.json()["listening"]


def is_ready(web: Web) -> bool:
    return readiness(web) == (200, True)


def listening_backends(store: Store) -> set[int]:
    return {pid for (pid,) in store.database.ask(BACKENDS)}


def test_a_connection_that_dies_silently_makes_no_page_old(store: Store, phone: Phone) -> None:
    assert wait_until(lambda: is_ready(store.web))
    before = listening_backends(store)
    with another(store) as web:
        assert wait_until(lambda: is_ready(web))
        viewer = Viewer(web.url)
        assert wait_until(lambda: viewer.shows(phone.strokes))
        assert page_shows(web, phone.strokes)
        [stopped] = listening_backends(store) - before
        try:
            os.kill(stopped, signal.SIGSTOP)
            strokes = phone.stroke()
            assert wait_until(lambda: page_shows(web, strokes))
        finally:
            os.kill(stopped, signal.SIGCONT)
        assert wait_until(lambda: viewer.shows(strokes))
        assert viewer.connections == 1
        viewer.is_gone = True


def test_a_screen_that_one_process_answers_is_open_for_all(store: Store) -> None:
    """Seen by another listener, as the other processes see it."""
    with store.database.connect() as listener:
        listener.execute(f'LISTEN "{CHANNEL}"')
        assert get(f"{store.web.url}/t/{SLUG}/screen/2/").status_code == 200
        payloads = (notification.payload for notification in listener.notifies(timeout=PATIENCE))
        told = next(json.loads(payload) for payload in payloads if "screens" in payload)
        record = OpenScreens()
        record.hear(told["screens"])
        assert record.of(SLUG) == {2}


# --- one that ends --------------------------------------------------------------------------------------------------

OFTEN = {"DJANGO_SETTINGS_MODULE": "tests.served_in_drill"}


def dumps(folder: Path) -> int:
    return len(list(folder.glob("schnauz-turnier-*.zip")))


def test_when_the_process_that_makes_the_backups_is_killed_another_takes_over(
    store: Store, phone: Phone, tmp_path: Path
) -> None:
    """Each process has a folder of its own here, which tells who has made a backup."""
    sticks = [tmp_path / "first", tmp_path / "second"]
    for stick in sticks:
        stick.mkdir()
    with another(store, BACKUP_DIR=str(sticks[0]), **OFTEN) as first:
        assert wait_until(lambda: dumps(sticks[0]) == 1)
        with another(store, BACKUP_DIR=str(sticks[1]), **OFTEN):
            for before in (1, 2):
                phone.stroke()
                assert wait_until(lambda: dumps(sticks[0]) > before)  # noqa: B023
            assert dumps(sticks[1]) == 0
            first.kill()
            phone.stroke()
            assert wait_until(lambda: dumps(sticks[1]) > 0)


# --- a transaction pooler -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pooler(store: Store) -> Iterator[str]:
    """Run PgBouncer in front of the database, one connection for each transaction, and yield its URL."""
    here = database.address(store.database.folder)
    with pooling(here.host, here.port, here.user, here.password) as port:
        yield url_of(here, port)


def url_of(here: database.Address, port: int) -> str:
    return f"postgres://{here.user}:{quote(here.password)}@{here.host}:{port}/{database.NAME}"


def test_behind_a_transaction_pooler_a_process_knows_that_it_does_not_hear(
    store: Store, phone: Phone, pooler: str
) -> None:
    with another(store, DATABASE_URL=pooler) as web:
        viewer = Viewer(web.url)
        assert wait_until(lambda: viewer.shows(phone.strokes))
        for _ in range(3):
            strokes = phone.stroke()
            assert wait_until(lambda: page_shows(web, strokes))  # noqa: B023
            assert readiness(web) == (503, False)
            assert wait_until(lambda: viewer.shows(strokes))  # noqa: B023
        viewer.is_gone = True


def test_with_a_direct_address_it_hears_behind_a_pooler(store: Store, phone: Phone, pooler: str) -> None:
    here = database.address(store.database.folder)
    with another(store, DATABASE_URL=pooler, LISTEN_URL=url_of(here, here.port)) as web:
        assert wait_until(lambda: is_ready(web))
        for _ in range(3):
            strokes = phone.stroke()
            assert wait_until(lambda: page_shows(web, strokes))  # noqa: B023
            assert is_ready(web)


def test_the_direct_address_of_another_database_is_noticed(store: Store, phone: Phone, pooler: str) -> None:
    """As that of the old server is after another one has taken over."""
    here = database.address(store.database.folder)
    other = url_of(here, here.port).rpartition("/")[0] + "/postgres"
    with another(store, DATABASE_URL=pooler, LISTEN_URL=other) as web:
        strokes = phone.stroke()
        assert wait_until(lambda: page_shows(web, strokes))
        assert readiness(web) == (503, False)
