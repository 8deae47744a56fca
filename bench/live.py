"""Benchmark of the live stream from commit to viewers, against a bare asyncio broadcaster in the same run.

    .venv/bin/python bench/live.py [--viewers 32 1000 10000] [--commits 10] [--burst 200]

*commits*  strokes half a second apart: time from the end of the transaction to each viewer, over all viewers and
           commits; memory per viewer; processor time per viewer and message
*burst*    --burst strokes in two seconds: time from the last commit to the last event, which every viewer must get
*storm*    all viewers disconnect, and reconnect at once with the id of their last event: time until the last is served

The baseline is a bare broadcaster. It also listens to PostgreSQL, and writes messages of the same size to every
transport, without HTTP parsing and rendering, on the same event loop (uvloop). The storm is also compared with the same
web server running an application that sends a single event.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psycopg
from common.program import Process, wait_for_port

from tests.faults.evening import SLUG, the_program
from tests.faults.house import Database
from tests.ports import free_port

TABLES, PHONE_TABLE = 12, 1
SOURCES = 40  # local source addresses of the viewers; each has its own range of ports
PATIENCE = 60.0
START = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
CHANNEL = "bare"


# --- the baseline --------------------------------------------------------------------------------------------------


class _Bare(asyncio.Protocol):
    """A protocol that registers every client that sends any data as a viewer."""

    transports: set[asyncio.WriteTransport] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, _data: bytes) -> None:
        self.transport.write(START + b"8\r\nid: 0\n\n\n\r\n")
        self.transports.add(self.transport)

    def connection_lost(self, _exc: Exception | None) -> None:
        self.transports.discard(self.transport)


async def _broadcast(port: int, parameters: dict[str, Any]) -> None:
    """Send a message to all viewers on each NOTIFY. Its payload is the size of the message and its number."""
    connection = await psycopg.AsyncConnection.connect(autocommit=True, **parameters)
    await connection.execute(f"LISTEN {CHANNEL}")
    server = await asyncio.get_running_loop().create_server(_Bare, "127.0.0.1", port, backlog=4096)
    async with server:
        async for note in connection.notifies():
            size, number = note.payload.split()
            body = b"id: %s\ndata: %s\n\n" % (number.encode(), b"x" * int(size))
            message = b"%x\r\n%s\r\n" % (len(body), body)
            for transport in _Bare.transports:
                transport.write(message)


async def _one_event(scope: Any, receive: Any, send: Any) -> None:
    """Send a single event to each viewer: the minimal ASGI application."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        return
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"id: 0\n\n", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


def _serve_one_event(port: int) -> None:
    import uvicorn  # noqa: PLC0415 (used by this process only)

    from schnauz_turnier.serve import BACKLOG  # noqa: PLC0415
    from schnauz_turnier.start.collector import spare_what_is_loaded  # noqa: PLC0415
    from schnauz_turnier.systems import system  # noqa: PLC0415

    system.raise_limit_of_files()
    spare_what_is_loaded()
    uvicorn.run(_one_event, port=port, backlog=BACKLOG, access_log=False, log_level="error")


# --- viewers -------------------------------------------------------------------------------------------------------


class Crowd:
    """Many viewers of one URL in one thread, with the latest event of each and the arrival times."""

    def __init__(self, port: int, path: str) -> None:
        self.port, self.path = port, path
        self.sockets: dict[int, socket.socket] = {}
        self.last: dict[int, bytes] = {}
        self.arrivals: list[float] = []
        self._poll = select.epoll()

    def come(self, number: int, last_id: bytes = b"") -> float:
        """Connect `number` viewers and return the seconds until all have got their first event."""
        started = time.monotonic()
        header = b"Last-Event-ID: %s\r\n" % last_id if last_id else b""
        asking = b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (self.path.encode(), header)
        for index in range(number):
            viewer = socket.socket()
            viewer.bind((f"127.0.0.{2 + index % SOURCES}", 0))
            viewer.connect(("127.0.0.1", self.port))
            viewer.sendall(asking)
            viewer.settimeout(0)
            self.sockets[viewer.fileno()] = viewer
            self._poll.register(viewer, select.EPOLLIN)
        self.watch(lambda: len(self.last) == number)
        return time.monotonic() - started

    def watch(self, is_enough: Callable[[], bool]) -> None:
        """Read events until `is_enough`. Record arrival times, and the latest event of each viewer.

        Raises TimeoutError after PATIENCE seconds, and ConnectionError if a viewer is dropped.
        """
        deadline = time.monotonic() + PATIENCE
        while not is_enough():
            if time.monotonic() > deadline:
                raise TimeoutError(
                    f"{len(self.last)} of {len(self.sockets)} viewers, {len(self.arrivals)} events"
                )
            for descriptor, _ in self._poll.poll(0.05):
                data = self.sockets[descriptor].recv(1 << 20)
                if not data:
                    raise ConnectionError("a viewer was dropped")
                events = re.split(rb"(?<!-)id: ", data)[1:]  # not the id of the request
                if events:
                    self.arrivals.append(time.monotonic())
                    self.last[descriptor] = events[-1]

    def leave(self) -> None:
        for viewer in self.sockets.values():
            self._poll.unregister(viewer)
            viewer.close()
        self.sockets.clear()
        self.last.clear()


# --- measurements --------------------------------------------------------------------------------------------------


class Side:
    """One of the two programs compared. write(number): makes a change and returns the time of its commit."""

    def __init__(self, port: int, pid: int, path: str, write: Any) -> None:
        self.process, self.write = Process(pid), write
        self.crowd = Crowd(port, path)

    def commits(self, number: int, commits: int) -> tuple[list[float], float, float]:
        """Return the milliseconds of each viewer and commit, kB per viewer, and processor µs per viewer and message."""
        before = self.process.kilobytes
        self.crowd.come(number)
        kilobytes_each = (self.process.kilobytes - before) / number
        took, used = [], self.process.seconds
        for commit in range(commits):
            time.sleep(0.5)
            self.crowd.arrivals.clear()
            at = self.write(commit)
            self.crowd.watch(lambda: len(self.crowd.arrivals) >= number)
            took += [(arrival - at) * 1000 for arrival in self.crowd.arrivals]
        return took, kilobytes_each, (self.process.seconds - used) / number / commits * 1e6

    def storm(self, number: int) -> float:
        last = next(iter(self.crowd.last.values())).splitlines()[0]
        self.crowd.leave()
        time.sleep(1.5)
        return self.crowd.come(number, last)


def burst(side: Side, strokes: int) -> tuple[float, int]:
    """Return the milliseconds from the last commit to the last event, and the number of viewers that did not get it."""
    committed: list[float] = []

    def write() -> None:
        for stroke in range(strokes):
            started = time.monotonic()
            committed.append(side.write(stroke))
            time.sleep(max(0.0, 2.0 / strokes - (time.monotonic() - started)))

    writer = threading.Thread(target=write)
    writer.start()
    side.crowd.watch(lambda: not writer.is_alive())
    side.crowd.watch(_after(3.0))
    ids = Counter(event.splitlines()[0] for event in side.crowd.last.values())
    [(_latest, reached)] = ids.most_common(1)
    return (max(side.crowd.arrivals) - committed[-1]) * 1000, ids.total() - reached


def _after(seconds: float) -> Callable[[], bool]:
    until = time.monotonic() + seconds
    return lambda: time.monotonic() > until


@dataclass(frozen=True, slots=True)
class Measured:
    """Results of `Side.commits`, `burst` and `Side.storm`."""

    took: list[float]
    kilobytes_each: float
    used: float
    size: int
    late: float
    missed: int
    storm: float

    def tell(self, name: str, base: float, base_storm: float, server_storm: float) -> None:
        cuts = statistics.quantiles(self.took, n=100)
        print(
            f"  {name}  median {cuts[49]:7.1f} ms, 99th {cuts[98]:7.1f} ms x{cuts[98] / base:.2f}, last"
            f" {max(self.took):7.1f} ms; {self.kilobytes_each:5.1f} kB a viewer, {self.used:5.1f} us a message\n"
            f"        after the burst {self.late:.0f} ms, {self.missed} viewers without the last event;"
            f" storm {self.storm:.2f} s x{self.storm / base_storm:.2f},"
            f" against the server alone x{self.storm / server_storm:.2f}",
            flush=True,
        )


# --- the program and the baseline ----------------------------------------------------------------------------------


class Strokes:
    """Writer of strokes at one table, by the program's own service in this process."""

    def __init__(self, table: Any) -> None:
        self.table, self.count = table, 0

    def __call__(self, _number: int) -> float:
        from django.utils import timezone  # noqa: PLC0415 (Django is set up by then)

        from scoring.services import sheets  # noqa: PLC0415

        entry = ("stroke", {"seat_number": 1 + self.count % 5, "mark": "schnauz"})
        sheets.write(self.table, [entry], by="bench", at=timezone.now())
        self.count += 1
        return time.monotonic()


class Notes:
    """Writer of NOTIFYs that request messages of the same size as the program's."""

    def __init__(self, connection: psycopg.Connection[Any], size: int) -> None:
        self.connection, self.size, self.count = connection, size, 0

    def __call__(self, _number: int) -> float:
        self.count += 1
        self.connection.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{self.size} {self.count}"])
        return time.monotonic()


@contextmanager
def started(what: str, *more: str) -> Iterator[tuple[int, int]]:
    """Run this file in a separate process. Yield the port that it serves, and its process id."""
    port = free_port()
    process = subprocess.Popen([sys.executable, __file__, what, str(port), *more])
    try:
        wait_for_port(port, process)
        yield port, process.pid
    finally:
        process.kill()
        process.wait()


def set_up(database: Database) -> Any:
    """Set up Django in this process, on the program's database. Return the table at which strokes are written."""
    os.environ |= {"DATA_DIR": str(database.folder), "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings"}
    os.environ.pop("DATABASE_URL", None)
    import django  # noqa: PLC0415

    django.setup()
    from tournaments.models import Table  # noqa: PLC0415

    return Table.objects.get(round__tournament__slug=SLUG, number=PHONE_TABLE)


def measured(side: Side, number: int, options: argparse.Namespace) -> Measured:
    """Measure one side. Not both at once, since the number of open sockets per process is limited."""
    commits = side.commits(number, options.commits)
    size = len(next(iter(side.crowd.last.values())))
    late, missed = burst(side, options.burst)
    storm = side.storm(number)
    side.crowd.leave()
    return Measured(*commits, size, late, missed, storm)


def compare(number: int, options: argparse.Namespace, program: Side, floor: Side, server: Crowd) -> bool:
    """Measure and print both sides. Return whether every viewer of the program got the last event."""
    ours = measured(program, number, options)
    floor.write.size = ours.size
    time.sleep(2)
    theirs = measured(floor, number, options)
    server_storm = server.come(number)
    server.leave()
    base = statistics.quantiles(theirs.took, n=100)[98]
    print(f"{number} viewers, {ours.size} bytes a message")
    theirs.tell("bare", base, theirs.storm, server_storm)
    ours.tell("ours", base, theirs.storm, server_storm)
    time.sleep(2)
    return ours.missed == 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--viewers", type=int, nargs="+", default=[32, 1000, 10_000])
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--burst", type=int, default=200)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(
        f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; x: against the bare broadcaster's 99th percentile"
    )
    with tempfile.TemporaryDirectory() as folder, the_program(Path(folder), TABLES) as store:
        strokes = Strokes(set_up(store.database))
        assert store.web.process is not None
        program = Side(store.web.port, store.web.process.pid, f"/t/{SLUG}/live", strokes)
        from django.db import connection  # noqa: PLC0415

        known: dict[str, Any] = dict(connection.get_connection_params())
        parameters: dict[str, Any] = {
            name: known[name] for name in ("host", "port", "user", "password", "dbname") if name in known
        }
        with (
            started("--bare", json.dumps(parameters)) as (port, pid),
            started("--one-event") as (server_port, _),
            psycopg.connect(autocommit=True, **parameters) as notes,
        ):
            floor, server = Side(port, pid, "/", Notes(notes, 0)), Crowd(server_port, "/")
            results = [compare(number, options, program, floor, server) for number in options.viewers]
        connection.close()
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        import uvloop

        uvloop.run(_broadcast(int(sys.argv[2]), json.loads(sys.argv[3])))
    elif sys.argv[1:2] == ["--one-event"]:
        _serve_one_event(int(sys.argv[2]))
    else:
        main()
