"""Comparison of ASGI servers. Each serves the same application in one process, on this machine, one after another.

    .venv/bin/python bench/server.py [--viewers 1000] [--seconds 4]

*page*     /healthz over 16 connections: a request through Django's whole middleware, with a query
*static*   one of our scripts over 16 connections
*viewer*   event streams held open by a bare ASGI application: memory per stream, and time of a message to the last one
*hostile*  time to answer another visitor while a guest sends headers without end, as a ratio to the time without the
           guest; how many megabytes of a header were taken; and how many of 200 connections with half a header are open
           after the time that our protocol allows

All ratios but that of *hostile* are against the first line, uvicorn with its own dependencies only (asyncio, h11).

The program uses uvicorn with uvloop and httptools, and limits of its own (schnauz_turnier/web/protocol.py). httptools alone took
a header of 120 MB, and visitors waited many times as long. h11 cuts the header off, but nothing ends half a header. Our
limits do both.

On two cores uvicorn with uvloop and httptools answered 1.6 times the pages of plain uvicorn and 1.4 times those of
granian. An open event stream took 10 kB, with granian 28 kB. A message reached the last of 1,000 streams in 1.1 times
plain uvicorn's time, with granian in 1.8 times. Granian serves static files ten times as fast, from Rust; this does not
matter, since phones cache them. Uvicorn also runs inside our own process, so Ctrl-C ends a single process.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADER_SECONDS = 10  # as in the settings
ROOT = Path(__file__).resolve().parents[1]
APPLICATION, STREAMS = "schnauz_turnier.asgi:application", "bench.server:streams"
CANDIDATES = {
    "uvicorn, asyncio, h11": [
        "uvicorn",
        "--loop",
        "asyncio",
        "--http",
        "h11",
        "--no-access-log",
        "--log-level",
        "error",
    ],
    "uvicorn, uvloop, httptools": [
        *("uvicorn", "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "error"),
    ],
    "uvicorn, uvloop, h11, 32 kB": [
        *("uvicorn", "--loop", "uvloop", "--http", "h11", "--h11-max-incomplete-event-size", "32000"),
        *("--no-access-log", "--log-level", "critical"),
    ],
    "uvicorn, uvloop, our limits": [
        *("uvicorn", "--loop", "uvloop", "--http", "schnauz_turnier.web.protocol:LimitedProtocol"),
        *("--no-access-log", "--log-level", "error"),
    ],
    "granian, uvloop": [
        *("granian", "--interface", "asginl", "--loop", "uvloop", "--workers", "1", "--no-log"),
        *("--backpressure", "100000", "--backlog", "4096"),
    ],
}

# --- the bare application for event streams ------------------------------------------------------------------------

_viewers: set[asyncio.Queue[bytes]] = set()


async def streams(
    scope: dict[str, Any], receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]
) -> None:
    """Serve event streams. A request of /tell sends a message to all open streams; any other path opens a stream."""
    if scope["type"] != "http":
        return
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
    )
    if scope["path"] == "/tell":
        for viewer in _viewers:
            viewer.put_nowait(b"data: news\n\n")
        await send({"type": "http.response.body", "body": b"told"})
        return
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    _viewers.add(queue)
    await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
    while True:
        await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})


# --- a server ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Server:
    port: int
    pid: int

    @property
    def kilobytes(self) -> int:
        """Resident memory of the server and its child processes."""
        listed = subprocess.check_output(["ps", "-axo", "pid=,ppid=,rss="], text=True)
        rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
        return sum(size for pid, parent, size in rows if self.pid in (pid, parent))


@contextmanager
def serving(command: list[str], application: str, environment: dict[str, str]) -> Any:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = [sys.executable, "-m", *command, "--host", "127.0.0.1", "--port", str(port), application]
    process = subprocess.Popen(arguments, cwd=ROOT, env=environment)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield Server(port, process.pid)
    finally:
        process.kill()
        process.wait()
        subprocess.run(["pkill", "-9", "-P", str(process.pid)], check=False)


# --- measurements --------------------------------------------------------------------------------------------------


def request(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


async def answer(reader: asyncio.StreamReader) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode())
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    await reader.readexactly(int(length.split(b":")[1]))


async def requests_a_second(server: Server, path: str, seconds: float) -> float:
    count, end = 0, time.monotonic() + seconds + 0.5

    async def ask() -> None:
        nonlocal count
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while time.monotonic() < end:
            writer.write(request(path))
            await answer(reader)
            count += time.monotonic() > end - seconds  # the first half second is a warm-up
        writer.close()

    await asyncio.gather(*(ask() for _ in range(16)))
    return count / seconds


async def viewers(server: Server, number: int) -> tuple[float, float]:
    """Return the kilobytes per stream, and the median of the milliseconds until the last stream has a message."""
    empty = server.kilobytes
    readers, writers = [], []
    for _ in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1024)
        writer.write(request("/watch"))
        await reader.readuntil(b"hello")
        readers.append(reader)
        writers.append(writer)
    kilobytes_each = (server.kilobytes - empty) / number
    delays = []
    for _ in range(9):
        started = time.monotonic()
        _reader, teller = await asyncio.open_connection("127.0.0.1", server.port)
        teller.write(request("/tell"))
        await asyncio.gather(*(reader.readuntil(b"news") for reader in readers))
        delays.append((time.monotonic() - started) * 1000)
        teller.close()
    for writer in writers:
        writer.close()
    return kilobytes_each, statistics.median(delays)


# --- a hostile client ----------------------------------------------------------------------------------------------

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: "
HEADER, PIECE = 120_000_000, 1_000_000
HALVES = 200


def answer_time(server: Server, seconds: float) -> float:
    """Return the median time of answers to a visitor, each on a new connection."""
    times = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", server.port)) as visitor:
            visitor.sendall(request("/healthz"))
            visitor.recv(1000)
        times.append(time.monotonic() - started)
    return statistics.median(times)


def hostile(server: Server, seconds: float) -> tuple[float, float, int]:
    """Return the ratio of the times to answer, the megabytes of the header, and the half headers that remain open."""
    answer_time(server, 1)  # a warm-up
    calm = answer_time(server, seconds)
    sent, is_over = [0], threading.Event()
    guest = threading.Thread(target=send_headers, args=(server, sent, is_over))
    guest.start()
    beside = answer_time(server, seconds)
    is_over.set()
    guest.join()
    return beside / calm, max(sent) * PIECE / 1e6, half_headers_left(server)


def send_headers(server: Server, sent: list[int], is_over: threading.Event) -> None:
    """Send a header until it is cut off, and then the next one; count the pieces of each."""
    while not is_over.is_set():
        sent.append(0)
        with socket.create_connection(("127.0.0.1", server.port)) as guest, contextlib.suppress(OSError):
            guest.sendall(HALF)
            while not is_over.is_set() and sent[-1] < HEADER // PIECE:
                guest.sendall(b"x" * PIECE)
                sent[-1] += 1


def half_headers_left(server: Server) -> int:
    halves = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(HALVES)]
    poll = select.poll()
    for half in halves:
        half.sendall(HALF)
        poll.register(half, select.POLLIN)
    time.sleep(HEADER_SECONDS + 1)
    closed = len(poll.poll(0))
    for half in halves:
        half.close()
    return HALVES - closed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=4)
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {options.viewers} viewers")
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PUBLIC_URL": "http://localhost",
            "DATA_DIR": folder,
            "STATIC_ROOT": f"{folder}/static",
        }
        environment |= {"PYTHONWARNINGS": "ignore", "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings"}
        for step in (["migrate", "--verbosity=0"], ["collectstatic", "--noinput", "--verbosity=0"]):
            subprocess.run([sys.executable, "manage.py", *step], cwd=ROOT, env=environment, check=True)
        script = next(path.name for path in (Path(folder) / "static" / "js").glob("*.js"))
        first: list[float] = []
        for name, command in CANDIDATES.items():
            with serving(command, APPLICATION, environment) as server:
                pages = asyncio.run(requests_a_second(server, "/healthz", options.seconds))
                static = asyncio.run(requests_a_second(server, f"/static/js/{script}", options.seconds))
            with serving(command, STREAMS, environment) as server:
                kilobytes_each, delay = asyncio.run(viewers(server, options.viewers))
            with serving(command, APPLICATION, environment) as server:
                slower, megabytes, still_open = hostile(server, options.seconds)
            measured = [pages, static, kilobytes_each, delay]
            first = first or measured
            ratios = [f"x{value / base:.2f}" for value, base in zip(measured, first, strict=True)]
            print(
                f"{name:28} page {pages:6.0f}/s {ratios[0]:6} static {static:6.0f}/s {ratios[1]:6} "
                f"viewer {kilobytes_each:5.1f} kB {ratios[2]:6} news to the last {delay:5.1f} ms {ratios[3]:6} "
                f"hostile x{slower:.1f}, {megabytes:.0f} MB, {still_open} open",
                flush=True,
            )


if __name__ == "__main__":
    main()
