"""Tests of viewers while processes are stopped and killed: none stays on an old state, and none waits for another."""

import contextlib
import json
import queue
import signal
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.faults.evening import SLUG, Store, strokes_on, the_program
from tests.faults.house import get, wait_until

TABLES = 2
PAGE, LIVE = f"/t/{SLUG}/", f"/t/{SLUG}/live"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with the_program(tmp_path_factory.mktemp("outages"), TABLES) as store:
        yield store


class Viewer:
    """A page that asks for itself after each event. It reconnects with the id of its last event, when it was told, as browsers do."""

    def __init__(self, url: str) -> None:
        self.url, self.last_id, self.connections = url + LIVE, "", 0
        self.retry = 1.0  # seconds
        self.page = url + PAGE
        self.shown: dict[int, int | None] = {}
        self.seen: list[int | None] = []  # the strokes of the first table, after each event
        self.is_gone = False
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self.is_gone:
            headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
            with (
                contextlib.suppress(httpx.HTTPError),
                httpx.Client(timeout=30, trust_env=False, verify=False) as client,
                client.stream("GET", self.url, headers=headers) as response,
            ):
                self.connections += response.status_code == 200
                for line in response.iter_lines():
                    self._take(line)
            time.sleep(self.retry)  # a process that ends may still accept connections for a moment

    def _take(self, line: str) -> None:
        if line.startswith("id: "):
            self.last_id = line[4:]
        elif line.startswith("retry: "):
            self.retry = int(line[7:]) / 1000
        elif line.startswith("data: ") and json.loads(line[6:])["topics"]:
            self._ask()

    def _ask(self) -> None:
        while (answer := get(self.page)).status_code != 200 and not self.is_gone:
            time.sleep(0.2)
        self.shown = strokes_on(answer.text)
        self.seen.append(self.shown.get(1))

    def shows(self, strokes: int | None) -> bool:
        return bool(self.shown) and self.shown[1] == strokes


class Phone:
    """A phone that writes strokes at table 1, and retries each until it is recorded."""

    def __init__(self, store: Store) -> None:
        self.store, self.strokes = store, 0
        self.client = httpx.Client(base_url=store.web.url, timeout=30, trust_env=False, verify=False)
        self.client.post("/s/enter", json={"secret": store.secrets[1]}).raise_for_status()
        self.epoch = self.client.post("/s/pen", json={}).json()["pen"]["epoch"]

    def stroke(self) -> int:
        entry = {
            "id": str(uuid.uuid4()),
            "kind": "stroke",
            "data": {"seat_number": 1, "mark": "schnauz"},
            "made_at": "2026-11-21T20:00:00Z",
        }
        assert wait_until(lambda: self._is_recorded(entry))
        self.strokes += 1
        return self.strokes

    def _is_recorded(self, entry: dict[str, Any]) -> bool:
        with contextlib.suppress(httpx.HTTPError, ValueError, KeyError):
            answer = self.client.post("/s/entries", json={"pen_epoch": self.epoch, "entries": [entry]}).json()
            return answer["results"][0]["outcome"] in ("recorded", "duplicate")
        return False


@pytest.fixture(scope="module")
def phone(store: Store) -> Phone:
    return Phone(store)


@pytest.fixture
def viewers(store: Store) -> Iterator[list[Viewer]]:
    watching = [Viewer(store.web.url) for _ in range(5)]
    assert wait_until(lambda: all(viewer.shown for viewer in watching))
    yield watching
    for viewer in watching:
        viewer.is_gone = True


def all_show(watching: list[Viewer], strokes: int | None) -> bool:
    return wait_until(lambda: all(viewer.shows(strokes) for viewer in watching))


def page_shows(store: Store, strokes: int) -> bool:
    """Whether the players' page, which is cached, shows so many strokes."""
    page = get(f"{store.web.url}/t/{SLUG}/")
    return page.status_code == 200 and page.text.count('<i class="mark"></i>') == strokes


def of_the_organiser(store: Store, what: str) -> None:
    """Call `freeze` or `release` in another process than the server's."""
    lines = (
        "from django.utils import timezone",
        "from scoring.services import standings",
        "from tournaments.models import Tournament",
        f"standings.{what}(Tournament.objects.get(slug={SLUG!r}), by='x', at=timezone.now())",
    )
    store.web.command_says("shell", "-c", "\n".join(lines))


@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGKILL])
def test_after_a_restart_of_postgres_everybody_is_up_to_date(
    store: Store, phone: Phone, viewers: list[Viewer], how: signal.Signals
) -> None:
    before = store.database.pid
    assert wait_until(lambda: page_shows(store, phone.strokes))
    store.database.kill(how)
    assert wait_until(lambda: store.database.is_up() and store.database.pid != before)
    strokes = phone.stroke()
    assert all_show(viewers, strokes)
    assert page_shows(store, strokes)
    strokes = phone.stroke()
    assert all_show(viewers, strokes)
    assert {viewer.connections for viewer in viewers} == {1}


def test_after_a_restart_of_the_server_everybody_comes_back(
    store: Store, phone: Phone, viewers: list[Viewer]
) -> None:
    store.web.kill()
    store.web.start()
    strokes = phone.stroke()
    assert all_show(viewers, strokes)
    assert all(viewer.connections == 2 for viewer in viewers)


def test_the_server_ends_without_waiting_for_viewers(store: Store, viewers: list[Viewer]) -> None:
    store.web.end()
    store.web.start()
    assert wait_until(lambda: all(viewer.connections == 2 for viewer in viewers))


def test_what_is_frozen_stays_so_while_everything_restarts(
    store: Store, phone: Phone, viewers: list[Viewer]
) -> None:
    phone.stroke()
    of_the_organiser(store, "freeze")
    assert all_show(viewers, None)
    for viewer in viewers:
        viewer.seen.clear()
    before = store.database.pid
    store.database.kill(signal.SIGKILL)
    assert wait_until(lambda: store.database.is_up() and store.database.pid != before)
    phone.stroke()
    store.web.kill()
    store.web.start()
    strokes = phone.stroke()
    watching = [*viewers, Viewer(store.web.url)]
    assert wait_until(lambda: bool(watching[-1].shown) and all(viewer.connections == 2 for viewer in viewers))
    assert page_shows(store, 0)
    assert {strokes for viewer in watching for strokes in viewer.seen} <= {None}
    of_the_organiser(store, "release")
    assert all_show(watching, strokes)
    watching[-1].is_gone = True


def test_half_open_connections_and_who_does_not_read_hold_nobody_up(
    store: Store, phone: Phone, viewers: list[Viewer]
) -> None:
    sleepers = [socket.create_connection(("127.0.0.1", store.web.port)) for _ in range(50)]
    for sleeper in sleepers:
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.sendall(f"GET {LIVE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    for _ in range(3):
        strokes = phone.stroke()
        assert all_show(viewers, strokes)
    for sleeper in sleepers:
        sleeper.close()


def test_who_joins_between_page_and_event_misses_nothing(store: Store, phone: Phone) -> None:
    joined: queue.Queue[Viewer] = queue.Queue()

    def join() -> None:
        for _ in range(20):
            joined.put(Viewer(store.web.url))
            time.sleep(0.02)

    joining = threading.Thread(target=join)
    joining.start()
    for _ in range(6):
        strokes = phone.stroke()
    joining.join()
    watching = [joined.get() for _ in range(20)]
    assert all_show(watching, strokes)
    for viewer in watching:
        viewer.is_gone = True
