"""Viewers of a page, who fetch it after each event of its stream, and when the news of a change reaches them."""

import contextlib
import re
import select
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import psycopg

from common.client import Connection, length_of, request, status_of

END = b"\n\n\r\n"  # of an event, and of the chunk that it is sent in
QUIET = 0.5  # seconds without an event after which a change is told completely
PATIENCE = 60.0


def stream_of(page: str) -> str:
    """Return the address of the stream that a page listens to."""
    found = re.search(r'data-live="([^"]+)"', page)
    assert found is not None
    return unescape(found[1])


@dataclass(frozen=True, slots=True)
class News:
    """A change and its news, in milliseconds.

    answer: from the request to its answer. first, last: from the commit to the first byte of the first viewer, and to
    the last byte of the last one, of the page. size: bytes of the news to one viewer, event and page.
    """

    answer: float
    first: float
    last: float
    size: int


@dataclass(slots=True)
class _Viewer:
    """page: another connection, on which the page is asked for; None for a stream that holds the news itself."""

    opened: socket.socket
    page: socket.socket | None = None
    begun: float = 0.0
    chunk: bytearray = field(default_factory=bytearray)
    event: int = 0
    answer: bytearray = field(default_factory=bytearray)


@dataclass(slots=True)
class _Change:
    """What is seen of one change: times of the clock, 0 for not yet."""

    answered: float = 0.0
    heard: float = 0.0
    first: float = 0.0
    last: float = 0.0
    told: dict[int, int] = field(default_factory=dict)


class Viewers:
    """Viewers of one URL, in one thread with the change that they are told of. page: what they ask for after an event, "" for nothing.

    Changes are so far apart that no viewer has to wait before it asks, and viewers so few that their requests are not spread.

    The commit is taken to be at the answer to the request, at the NOTIFY, as a connection of our own hears it, or at the
    first byte of the news, whichever comes first: the news may overtake both.
    """

    def __init__(
        self, port: int, path: str, number: int, listening: psycopg.Connection[Any], page: str = ""
    ) -> None:
        self._poll = select.epoll()
        self._listening = listening
        self._poll.register(listening.fileno(), select.EPOLLIN)
        self._viewers: dict[int, _Viewer] = {}
        self._pages: dict[int, _Viewer] = {}
        self._asking = request("GET", page, {"Accept-Encoding": "gzip"}) if page else b""
        asking = request("GET", path, {"Accept": "text/event-stream"})
        for _ in range(number):
            opened = socket.create_connection(("127.0.0.1", port))
            opened.sendall(asking)
            opened.settimeout(0)
            viewer = self._viewers[opened.fileno()] = _Viewer(opened)
            self._poll.register(opened, select.EPOLLIN)
            if page:
                viewer.page = socket.create_connection(("127.0.0.1", port))
                viewer.page.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._pages[viewer.page.fileno()] = viewer
                self._poll.register(viewer.page, select.EPOLLIN)
        self._read(lambda change: len(change.told) == number)

    def close(self) -> None:
        for viewer in self._viewers.values():
            viewer.opened.close()
            if viewer.page is not None:
                viewer.page.close()
        self._poll.close()

    def news(self, connection: Connection, asking: bytes) -> News:
        """Send a request that changes something, and wait for the news of it."""
        connection.ask(request("GET", "/healthz"))  # a connection that was idle may be closed by now
        writer = connection.open()
        received = bytearray()
        self._poll.register(writer, select.EPOLLIN)
        started = time.perf_counter()
        writer.sendall(asking)

        def answer() -> bool:
            received.extend(writer.recv(1 << 20))
            end = received.find(b"\r\n\r\n")
            return end >= 0 and len(received) - end - 4 >= length_of(bytes(received[:end]))

        try:
            change = self._read(
                lambda seen: bool(seen.answered) and len(seen.told) == len(self._viewers),
                {writer.fileno(): answer},
            )
        finally:
            self._poll.unregister(writer)
        if status_of(bytes(received)) != 200:
            raise RuntimeError(bytes(received))
        commit = min(change.answered, change.heard or change.answered, change.first)
        return News(
            answer=(change.answered - started) * 1000,
            first=(change.first - commit) * 1000,
            last=(change.last - commit) * 1000,
            size=max(change.told.values()),
        )

    def news_of(self, act: Callable[[], object]) -> News:
        """Make a change by a call, and wait for the news of it. Times are from the beginning of the call."""
        started = time.perf_counter()
        act()
        answered = time.perf_counter()
        change = self._read(lambda seen: len(seen.told) == len(self._viewers))
        return News(
            answer=(answered - started) * 1000,
            first=(change.first - started) * 1000,
            last=(change.last - started) * 1000,
            size=max(change.told.values()),
        )

    def _read(
        self, is_told: Callable[[_Change], bool], answers: dict[int, Callable[[], bool]] | None = None
    ) -> _Change:
        """Read until `is_told`, and QUIET seconds on."""
        change, deadline, quiet_at = _Change(), time.perf_counter() + PATIENCE, 0.0
        while not quiet_at or time.perf_counter() < quiet_at:
            for descriptor, _ in self._poll.poll(0.05):
                now = time.perf_counter()
                if descriptor in self._viewers:
                    self._receive(self._viewers[descriptor], now, change)
                    quiet_at = 0.0
                elif descriptor in self._pages:
                    self._receive_page(self._pages[descriptor], now, change)
                    quiet_at = 0.0
                elif answers and descriptor in answers:
                    change.answered = now if answers[descriptor]() else change.answered
                elif self._is_notified():
                    change.heard = change.heard or now
            if not quiet_at and is_told(change):
                quiet_at = time.perf_counter() + QUIET
            if time.perf_counter() > deadline:
                raise TimeoutError(f"{len(change.told)} of {len(self._viewers)} viewers were told")
        return change

    def _receive(self, viewer: _Viewer, now: float, change: _Change) -> None:
        data = viewer.opened.recv(1 << 20)
        if not data:
            raise ConnectionError("a viewer was dropped")
        if not viewer.chunk:
            viewer.begun = now
        viewer.chunk += data
        if not viewer.chunk.endswith(END):
            return
        if b"data:" in viewer.chunk or b"id:" in viewer.chunk:  # a heartbeat has neither
            viewer.event = len(viewer.chunk)
            if viewer.page is None:
                self._note(viewer, change, viewer.begun, 0)
            elif b'"topics": []' not in viewer.chunk:
                viewer.page.sendall(self._asking)
        viewer.chunk.clear()

    def _receive_page(self, viewer: _Viewer, now: float, change: _Change) -> None:
        assert viewer.page is not None
        if not viewer.answer:
            viewer.begun = now
        viewer.answer += viewer.page.recv(1 << 20)
        end = viewer.answer.find(b"\r\n\r\n")
        if end >= 0 and len(viewer.answer) - end - 4 >= length_of(bytes(viewer.answer[:end])):
            if status_of(bytes(viewer.answer)) != 200:
                raise RuntimeError(bytes(viewer.answer))
            self._note(viewer, change, viewer.begun, len(viewer.answer))
            viewer.answer.clear()

    def _note(self, viewer: _Viewer, change: _Change, begun: float, size: int) -> None:
        number = viewer.opened.fileno()
        change.first = change.first or begun
        change.last = time.perf_counter()
        change.told[number] = change.told.get(number, 0) + viewer.event + size

    def _is_notified(self) -> bool:
        self._listening.pgconn.consume_input()
        received = list(iter(self._listening.pgconn.notifies, None))
        return any(one.extra.startswith(b'{"slug"') for one in received)


@contextlib.contextmanager
def viewers_of(
    port: int, path: str, number: int, channel: str, parameters: dict[str, Any], page: str = ""
) -> Iterator[Viewers]:
    """Open a stream `number` times. channel: the one by which its server hears of changes."""
    with psycopg.connect(autocommit=True, **parameters) as listening:
        listening.execute(f'LISTEN "{channel}"'.encode())
        viewers = Viewers(port, path, number, listening, page)
        try:
            yield viewers
        finally:
            viewers.close()
