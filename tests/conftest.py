"""Shared fixtures: the committed database for races and browsers, one server, one browser."""

import atexit
import fcntl
import gc
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import client
from django.test.utils import setup_databases, teardown_databases
from django.utils import translation
from factory.random import reseed_random
from playwright.sync_api import expect
from pytest_django.plugin import DjangoDbBlocker
from xdist.scheduler import LoadScopeScheduling

from schnauz_turnier.start.collector import start_and_end_sooner
from tests.databases import make_migrated_database
from tests.ports import free_port

os.environ["BROWSER"] = (
    "true"  # a program that is started on a desktop opens a page by this command, which does nothing
)
os.environ["WAKEPY_FORCE_FAILURE"] = "1"  # the computer that runs the tests sleeps as it likes
start_and_end_sooner()  # the tests are collected by each process, and import everything

ROOT = Path(__file__).parents[1]
IN_CI = os.environ.get("CI") == "true"

FOLDER_OF_THE_RUN = "FOLDER_OF_THE_TEST_RUN"
COLLECT = """
import django
django.setup()
from schnauz_turnier.start.launch import collect_static_files
collect_static_files()
"""

hypothesis.settings.register_profile("default", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if IN_CI else "default")


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder that all processes of this run share. The first one makes it and deletes it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.add_cleanup(_folder_of_the_run().cleanup)


@pytest.fixture(scope="session", autouse=True)
def entries_that_last() -> None:
    """Let entries of the page cache live for ever, else tests of what is kept would depend on how busy the machine is."""
    vars(importlib.import_module("tournaments.page_cache"))["LIFETIME"] = math.inf  # needs the settings


def _folder_of_the_run() -> "TemporaryDirectory[str]":
    folder = TemporaryDirectory()
    os.environ[FOLDER_OF_THE_RUN] = folder.name
    return folder


def found_once(name: str, find: Callable[[], Any]) -> Any:
    """Return what one process of this run finds out for all of them, as JSON."""
    folder = Path(os.environ[FOLDER_OF_THE_RUN])
    found = folder / f"{name}.json"
    with (folder / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second finds it there
        if not found.exists():
            found.write_text(json.dumps(find()))
        return json.loads(found.read_text())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if has_browser(item):
            item.add_marker("browser")
        # pytest-django lets no other test query the database.
        if item.get_closest_marker("django_db") or "django_db_setup" in getattr(item, "fixturenames", ()):
            item.add_marker("database")

    # Tests that count the rows of plans run first: a plan depends on what earlier tests have left in the pages of a
    # table, rolled back or not. Tests that commit run after those that need an empty database. Browser tests run last:
    # while Playwright's event loop runs, Django keeps another connection for this thread, which a later test would
    # leave open when the database is dropped. Among them the longest run first, so that in the end no process waits long
    # for another. This order holds in every process.
    def order(item: pytest.Item) -> tuple[bool, bool, bool]:
        if has_browser(item):
            return True, True, not item.path.name.startswith(LONG_JOURNEYS)
        return item.path.name not in COUNTING_ROWS, False, "committed" in getattr(item, "fixturenames", ())

    items.sort(key=order)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the tests themselves out of the garbage collection, which would go through all of them again and again.

    What has outlived two collections is seldom garbage, and is looked at more seldom than by default.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 100)


def has_browser(item: pytest.Item) -> bool:
    return not {"journeys", "engines"}.isdisjoint(item.path.parts) or "browser" in getattr(
        item, "fixturenames", ()
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return twice as many processes as there are cores: half of the time a test waits, for a browser, a server or a disk."""
    return 2 * (os.cpu_count() or 1)


ONE_PROCESS_EACH = (
    "tests/check/",
    "tests/clubs/test_addresses.py",
    "tests/clubs/test_engine.py",
    "tests/clubs/test_isolation.py",
    "tests/clubs/test_tampered_backups.py",
    *(() if os.environ.get("ENGINES") == "all" else ("tests/engines/",)),
    "tests/faults/",
    "tests/schnauz_turnier/postgresql/test_database.py",
    "tests/schnauz_turnier/test_image.py",
    "tests/schnauz_turnier/test_installed.py",
    "tests/schnauz_turnier/test_kit.py",
    "tests/schnauz_turnier/test_newcomer.py",
    "tests/schnauz_turnier/test_replaced_files.py",
    "tests/schnauz_turnier/test_wheel.py",
    "tests/scoring/test_demo.py",
    "tests/security/test_fuzzed_files.py",
    "tests/security/test_fuzzing.py",
    "tests/security/test_matrix.py",
    "tests/security/test_once.py",
    "tests/security/test_tampered_backups.py",
    "tests/security/test_without_limits.py",
    "tests/upgrades/test_desks_of_before.py",
    "tests/upgrades/test_linked_sign_ups.py",
    "tests/upgrades/test_releases.py",
    "tests/upgrades/test_upgrade.py",
    "tests/journeys/test_check_page.py",
    "tests/journeys/test_server_killed.py",
    "tests/journeys/test_updated.py",
)
"""Files whose tests share what is made slowly: an installation, servers, a wheel, thousands of draws. In each, all tests commit or none.

In other files every process makes it anew that gets one of the tests.
"""
ONE_PROCESS_TOGETHER = (
    (
        "tests/clubs/test_changes.py",
        "tests/clubs/test_forgetting.py",
        "tests/clubs/test_upgrades.py",
    ),
    (
        "tests/security/test_hostile_bodies.py",
        "tests/security/test_hostile_requests.py",
        "tests/security/test_json_log.py",
        "tests/security/test_metrics.py",
        "tests/security/test_request_ids.py",
    ),
)
"""Groups of files whose tests share databases or servers with the other files of their group."""
COUNTING_ROWS = ("test_growth.py", "test_many_tournaments.py")
LONG_JOURNEYS = (
    "test_engines",
    "test_whole_",
    "test_server_killed",
    "test_check_page",
    "test_updated",
)


class Scheduling(LoadScopeScheduling):
    """Gives the next test to whichever process is free, and the tests of some files to one process together."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        group = next((files[0] for files in ONE_PROCESS_TOGETHER if file in files), None)
        if group is not None:
            return group
        return file if file.startswith(ONE_PROCESS_EACH) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give the players of the factory the same names in every run of a test, alone or among others; and texts their language.

    Django leaves the language of a request to what the thread does next.
    """
    reseed_random(item.nodeid)  # type: ignore[no-untyped-call]
    translation.deactivate()


@pytest.fixture(scope="session", autouse=True)
def contexts_of_whole_pages() -> Iterator[None]:
    """Let the test client keep the context of a page, and none of each part that the page includes: each is a copy."""
    keep = client.store_rendered_templates  # type: ignore[attr-defined]

    def keep_first(store: dict[str, Any], *signal: Any, **more: Any) -> None:
        if "templates" not in store:
            keep(store, *signal, **more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client, "store_rendered_templates", keep_first)
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Create the test database, even if no test requests it by a fixture of pytest-django.

    Otherwise a race test that runs alone would write into the real database.
    """
    with django_db_blocker.unblock():
        if connection.settings_dict["ENGINE"] == "schnauz_turnier.postgresql.embedded":
            bear_no_power_cut()
        connection.settings_dict["TEST"]["TEMPLATE"] = found_once("migrated", make_migrated_database)
        databases = setup_databases(
            verbosity=0, interactive=False, aliases={"default": None}, serialized_aliases=()
        )
        do_not_wait_for_the_disk()
        yield
        teardown_databases(databases, verbosity=0)


def bear_no_power_cut() -> None:
    """Let the embedded server of the tests never wait for the disk, not even to create or drop a database."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET fsync = off")
        cursor.execute("SELECT pg_reload_conf()")


def do_not_wait_for_the_disk() -> None:
    """Let every connection to the test database commit without waiting until a power cut could not undo it."""
    with connection.cursor() as cursor:
        name = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    connection.close()  # the next one has the setting


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give access to the test database without rollback, so that other threads and the server see the data.

    Nothing is flushed (the logs refuse it), so each test creates a tournament of its own.
    """
    with django_db_blocker.unblock():
        yield
        connections.close_all()


# --- the server ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def live_url(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Serve the program from the test database with the real server; yield its URL."""
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    # Playwright keeps an event loop in the tests' thread; the tests use the database in that thread, one at a time.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    # Not pytest's tmp_path: pytest deletes the folders of earlier runs, even of those still in progress.
    with TemporaryDirectory() as folder, _serving(url, port, database_url, Path(folder)):
        yield url


@cache
def static_files() -> str:
    """Return the folder of the static files, collected once for all processes of this run and all servers that they start."""
    if FOLDER_OF_THE_RUN not in os.environ:  # a benchmark starts a server
        atexit.register(_folder_of_the_run().cleanup)
    folder = Path(os.environ[FOLDER_OF_THE_RUN])
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.served",
        "STATIC_ROOT": str(folder / "static"),
    }
    with (folder / "static.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second finds them there
        if not (folder / "static" / "collected_from").exists():  # written last
            subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, env=environment, check=True)
    return environment["STATIC_ROOT"]


@contextmanager
def _serving(url: str, port: int, database_url: str, folder: Path) -> Iterator[None]:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.served",
        "DATABASE_URL": database_url,
        "PUBLIC_URL": url,
        "SECRET_KEY": settings.SECRET_KEY,
        "STATIC_ROOT": static_files(),
        "LOG_LEVEL": "WARNING",
    }
    log = folder / "server.log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "schnauz_turnier.serve", "127.0.0.1", str(port)]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        _wait_for(f"{url}/healthz", server, log)
        yield
    finally:
        server.terminate()
        server.wait(60)


def url_of_test_database() -> str:
    parameters = connection.get_connection_params()
    account = f"{quote(parameters['user'])}:{quote(parameters.get('password', ''))}"
    host, port = parameters.get("host", ""), parameters.get("port", 5432)
    return f"postgres://{account}@{quote(host, safe='')}:{port}/{parameters['dbname']}"


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(1200):  # two minutes
        try:
            with urlopen(url, timeout=5):
                return
        except OSError as error:
            if server.poll() is not None or getattr(error, "code", 0) >= 500:
                break
        time.sleep(0.1)
    pytest.fail(f"The server for the browser tests did not start:\n{log.read_text()}")


# --- the browser ---------------------------------------------------------------------------------------------------


def _find_chromium() -> str | None:
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    on_mac = (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    )
    return next(
        (
            found
            for name in (os.environ.get("CHROMIUM"), *names, *on_mac)
            if name and (found := shutil.which(name))
        ),
        None,
    )


@pytest.fixture(scope="session", autouse=True)
def patience() -> None:
    """Set the time that a journey waits for an expected state; a machine that also runs the server can be slow."""
    expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = _find_chromium()
    if chromium is None:
        reason = (
            "no Chromium or Chrome found; install one (apt-get install chromium) or set CHROMIUM to its path"
        )
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    quiet = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ]
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    in_the_hall = ["--host-resolver-rules=MAP turnier.lan 127.0.0.1"]  # a name that is not a secure context
    arguments = [*quiet, *in_the_hall, "--disable-gpu", "--disable-quic", *as_root]
    return {**browser_type_launch_args, "executable_path": chromium, "args": arguments}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], live_url: str) -> dict[str, Any]:
    return {**browser_context_args, "base_url": live_url, "locale": "de-DE", "timezone_id": "Europe/Berlin"}
