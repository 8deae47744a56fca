"""What the tests of security attack: a server process with little room, or an installation with foreigners.

The process has small limits and no room on its disk. A guest attacks it while a scribe goes on writing.
"""

import logging
import os
import socket
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import httpx
import pytest
from django.conf import settings
from django.db import transaction
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from scoring.models import SheetEntry
from scoring.queries import screen_pairings
from scoring.sheet_link import link_of
from tests import forked
from tests.conftest import ROOT, static_files, url_of_test_database
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.faults.house import wait_until
from tests.ports import free_port
from tests.security.addresses import Place, Route, all_routes, known_places
from tests.security.installation import Installation, an_installation
from tournaments.models import Table

HOST = "127.0.0.1"
GUEST = "127.0.0.9"  # also this computer, but not exempt from the limits
WITHOUT_FILES = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
runpy.run_module("schnauz_turnier.serve", run_name="__main__", alter_sys=True)
"""
METRICS_TOKEN = "a-token-of-the-monitoring-" + "x" * 32


@dataclass
class Server:
    """The server. Lines of its log are collected from a pipe, since it cannot write files."""

    port: int
    url: str
    lines: list[str] = field(default_factory=list)

    def read_log(self, pipe: IO[str]) -> None:
        self.lines.extend(pipe)

    @property
    def log(self) -> str:
        return "".join(self.lines)


@pytest.fixture(scope="package")
def served(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """Serve the program with tests/served_under_attack.py; whatever it writes to a file fails, as on a full disk.

    It ends with the tests of this package: those of the live stream expect a single listener in the database.
    """
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    with serving("tests.served_under_attack", database_url) as server:
        yield server


@pytest.fixture(scope="module")
def monitored(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """Serve the program with figures for the monitoring and a JSON log.

    It ends with its module, since one server of a database makes the backups, which a test expects of `served`.
    """
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("METRICS_TOKEN", METRICS_TOKEN)
            patched.setenv("LOG_FORMAT", "json")
            server = running.enter_context(serving("tests.served_with_json_log", database_url))
        yield server


@contextmanager
def serving(settings_module: str, database_url: str) -> Iterator[Server]:
    """Run the program with these settings."""
    port = free_port()
    server = Server(port, f"http://{HOST}:{port}")
    with TemporaryDirectory() as folder, _process(server, settings_module, database_url, Path(folder)):
        yield server


@contextmanager
def _process(server: Server, settings_module: str, database_url: str, folder: Path) -> Iterator[None]:
    (folder / "backups").mkdir()
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings_module,
        "DATABASE_URL": database_url,
        "DATA_DIR": str(folder / "data"),
        "BACKUP_DIR": str(folder / "backups"),
        "PUBLIC_URL": server.url,
        "SECRET_KEY": settings.SECRET_KEY,
        "STATIC_ROOT": static_files(),
        "LOG_LEVEL": "WARNING",
    }
    command = [sys.executable, "-c", WITHOUT_FILES, HOST, str(server.port)]
    process = forked.start_and_listen(command, cwd=ROOT, env=environment)
    assert process.stdout is not None
    reader = threading.Thread(target=server.read_log, args=[process.stdout])
    reader.start()
    try:
        assert wait_until(lambda: _listens(server.port) or process.poll() is not None)
        with httpx.Client(trust_env=False, verify=False, timeout=30) as client:
            assert client.get(f"{server.url}/healthz").status_code == 200, server.log
        yield
    finally:
        process.terminate()
        process.wait(60)
        reader.join()


def _listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex((HOST, port)) == 0


# --- the guest -----------------------------------------------------------------------------------------------------


class Guest:
    """Opens connections from an address that the limits apply to."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.open: list[socket.socket] = []

    def connect(self, address: str = GUEST) -> socket.socket:
        try:
            made = socket.create_connection((HOST, self._server.port), 60, source_address=(address, 0))
        except OSError as error:
            if "assign" not in str(error):
                raise
            pytest.skip(f"this system has no address {address}")
        self.open.append(made)
        return made

    def send(self, data: bytes, address: str = GUEST) -> socket.socket:
        made = self.connect(address)
        made.sendall(data)
        return made

    def leave(self) -> None:
        for one in self.open:
            one.close()


def answer(connection: socket.socket) -> bytes:
    """Return all that the server sends until it closes the connection."""
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def flood(connection: socket.socket, piece: bytes, most: int) -> int:
    """Send a piece again and again, until the connection is cut off or `most` bytes are sent. Return how many."""
    sent = 0
    with suppress(ConnectionError):
        while sent < most:
            connection.sendall(piece)
            sent += len(piece)
    return sent


def read_until(connection: socket.socket, expected: bytes) -> bytes:
    found = b""
    while expected not in found:
        part = connection.recv(1 << 16)
        assert part, "the connection was closed"
        found += part
    return found


def first_answer(connection: socket.socket) -> tuple[bytes, str]:
    """Return head and content of an answer with a Content-Length, whether the server closes the connection or not."""
    head, _, content = read_until(connection, b"\r\n\r\n").partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    while len(content) < length:
        content += connection.recv(1 << 16)
    return head, content.decode()


def status(answered: bytes) -> int:
    return int(answered.split(b" ", 2)[1])


@pytest.fixture
def guest(served: Server, committed: None) -> Iterator[Guest]:
    made = Guest(served)
    yield made
    made.leave()


# --- the scribe ----------------------------------------------------------------------------------------------------


class Scribe:
    """A scribe's phone. It repeats a request that got no answer, with the same entry, as the real one does."""

    def __init__(self, url: str, table: Table) -> None:
        self._table = table
        self.slug = table.round.tournament.slug
        self._client = httpx.Client(base_url=url, timeout=30, trust_env=False, verify=False)
        self._written: list[str] = []
        self._post("/s/enter", {"secret": link_of(table).url.partition("#")[2]})
        self._epoch = self._post("/s/pen", {})["pen"]["epoch"]

    def write(self, times: int = 3) -> None:
        """Write strokes, each of which has to be recorded."""
        for _ in range(times):
            entry_id = str(uuid.uuid4())
            stroke = {"kind": "stroke", "data": {"seat_number": 1, "mark": "schnauz"}}
            entry = {"id": entry_id, **stroke, "made_at": "2026-11-21T20:00:00Z"}
            found = self._post("/s/entries", {"pen_epoch": self._epoch, "entries": [entry]})
            assert found["results"][0]["outcome"] in ("recorded", "duplicate")
            self._written.append(entry_id)

    def refused(self) -> None:
        """Send the last entry again, with another body."""
        stroke = {"kind": "stroke", "data": {"seat_number": 2, "mark": "schnauz"}}
        entry = {"id": self._written[-1], **stroke, "made_at": "2026-11-21T20:00:00Z"}
        found = self._post("/s/entries", {"pen_epoch": self._epoch, "entries": [entry]})
        assert found["results"][0]["outcome"] == "refused"

    def assert_nothing_lost(self) -> None:
        rows = SheetEntry.objects.filter(sheet__table=self._table).order_by("sequence")
        assert [str(row.entry_id) for row in rows] == self._written

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        for _ in range(5):
            try:
                response = self._client.post(path, json=body)
            except httpx.TransportError:
                continue
            assert response.status_code == 200, response.text
            return dict(response.json())
        pytest.fail(f"{path} got no answer")

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def scribe(served: Server, committed: None) -> Iterator[Scribe]:
    tournament = TournamentFactory.create(slug=f"angriff-{uuid.uuid4().hex[:8]}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    made = Scribe(served.url, a_round(tournament).tables.get())
    made.write(1)
    yield made
    made.write(1)
    made.assert_nothing_lost()
    made.close()


# --- the installation ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installation(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Installation]:
    """Create the installation once a module, in a transaction that is rolled back. Requests use savepoints.

    The codes of its screens outlast the tests of the module on any machine.
    """
    reseed_random("installation")  # type: ignore[no-untyped-call]  # whichever test comes first
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patched, transaction.atomic():
        patched.setattr(screen_pairings, "CODE_LIFE", timedelta(days=1))
        yield an_installation()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def places(installation: Installation) -> dict[Route, Place | None]:
    """For each route the address and body with which the organiser of our tournament reaches it."""
    return known_places(all_routes(), installation)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Log no refused request: there are thousands."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)
