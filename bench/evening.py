"""Benchmark of reading standings and writing results by number of players, over HTTP against the real server.

    .venv/bin/python bench/evening.py [--players 60 300 3000] [--seconds 3]

*standings*  leaderboard.json over 8 connections, unchanged while it is read
*players*    the players' page, *screen* the wall screen; measured like standings
*changing*   the same over one connection, after a stroke at a table each time, so that no request is a cache hit
*result*     strokes on one table's sheet, one after the other, sent by the phone that holds the pen, over one connection

The baseline is /healthz of the same server in the same run: a request through Django's whole middleware with one query.
The time of rendering a page grows with the rows it lists. The time of a result, the time of an unchanged page and the
number of queries must not grow. Queries are counted in a separate process, and tested in
tests/scoring/public/test_kept_pages.py.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
TABLE = 5
MADE_AT = "2026-11-21T20:00:00Z"
PAGES = {"standings": "leaderboard.json", "players  ": "", "screen   ": "screen/"}


def evening(players: int) -> dict[str, Any]:
    """Return a document with two closed rounds from paper, a third one released, and numbered sample players."""
    return {
        "schema": "schnauz-turnier/1",
        "tournament": {
            "slug": f"abend-{players}",
            "name": f"{players} Spieler",
            "date": "2026-11-21",
            "ruleset": "schnauz-placing",
        },
        "participants": [{"start_number": n, "name": f"Spieler {n}"} for n in range(1, players + 1)],
        "rounds": [_round(players, number, closed=number < 3) for number in (1, 2, 3)],
    }


def _round(players: int, number: int, *, closed: bool) -> dict[str, Any]:
    order = [(index * 7 ** (number - 1)) % players + 1 for index in range(players)]
    tables = [order[start : start + TABLE] for start in range(0, players, TABLE)]
    return {
        "number": number,
        "state": "closed" if closed else "released",
        "tables": [
            {
                "number": index,
                "seats": [{"seat_number": seat, "start_number": p} for seat, p in enumerate(table, start=1)],
                "entries": _played() if closed else [],
            }
            for index, table in enumerate(tables, start=1)
        ],
    }


def _played() -> list[dict[str, Any]]:
    ranks = {str(seat): seat for seat in range(1, TABLE + 1)}
    facts: list[tuple[str, dict[str, Any]]] = [
        ("stroke", {"seat_number": 2, "mark": "schnauz"}),
        ("ranked", {"ranks": ranks}),
        ("accepted", {"reason": "Papier"}),
    ]
    return [
        {"id": str(uuid.uuid4()), "kind": kind, "data": data, "by": "organiser", "made_at": MADE_AT}
        for kind, data in facts
    ]


# --- the server ----------------------------------------------------------------------------------------------------


@contextmanager
def program(folder: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Run the program as `make run` does, on a free port. Yield its URL and the environment for management commands."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = os.environ | {"DATA_DIR": folder, "STATIC_ROOT": f"{folder}/static", "PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "-m", "schnauz_turnier"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            try:
                httpx.get(f"{url}/healthz", timeout=5).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield url, environment
    finally:
        process.terminate()
        process.wait()


def command(environment: dict[str, str], *words: str, text: str = "") -> str:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=environment,
        input=text,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


COUNT = """
import json
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from tournaments.page_cache import page_cache

page_cache.invalidate(None)
counts = []
for path in {paths!r}:
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(path, SERVER_NAME="127.0.0.1").status_code == 200
        counts.append(len(asked))
    page_cache.invalidate({slug!r})
print(json.dumps(counts))
"""


def queries(environment: dict[str, str], slug: str, paths: list[str]) -> list[int]:
    """Return the number of queries of each page: after a change and unchanged, alternating."""
    script = COUNT.format(slug=slug, paths=[f"/t/{slug}/{path}" for path in paths])
    counts: list[int] = json.loads(command(environment, "shell", "-c", script).splitlines()[-1])
    return counts


# --- measurements --------------------------------------------------------------------------------------------------


def milliseconds(ask: Callable[[], object], seconds: float) -> list[float]:
    """Call repeatedly for `seconds` after a warm-up, and return the milliseconds of each call."""
    for _ in range(5):
        ask()
    took, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.monotonic()
        ask()
        took.append((time.monotonic() - started) * 1000)
    return took


def after_each(change: Callable[[], object], ask: Callable[[], object], times: int = 20) -> list[float]:
    """Make a change and then a request, `times` times. Return the milliseconds of each request."""
    took = []
    for _ in range(times):
        change()
        started = time.monotonic()
        ask()
        took.append((time.monotonic() - started) * 1000)
    return took


def pages_a_second(url: str, seconds: float, connections: int = 8) -> float:
    counts = []

    def read() -> None:
        with httpx.Client(timeout=120) as client:
            counts.append(len(milliseconds(lambda: client.get(url).raise_for_status(), seconds)))

    threads = [threading.Thread(target=read) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def phone(url: str, link: str) -> Callable[[], object]:
    """Return a function that sends one stroke, as a phone that holds the pen of a table."""
    client = httpx.Client(base_url=url)
    client.post("/s/enter", json={"secret": link.partition("#")[2]}).raise_for_status()
    epoch = client.post("/s/pen", json={}).json()["pen"]["epoch"]

    def send() -> None:
        entry = {
            "id": str(uuid.uuid4()),
            "kind": "stroke",
            "data": {"seat_number": 1, "mark": "schnauz"},
            "made_at": MADE_AT,
        }
        answer = client.post("/s/entries", json={"pen_epoch": epoch, "entries": [entry]}).json()
        if answer["results"][0]["outcome"] != "recorded":
            raise RuntimeError(answer["results"])

    return send


def sixty_results(url: str, links: list[str]) -> list[float]:
    """Send 15 strokes, as many as a sheet usually has, on each of four tables. Return the milliseconds of each."""
    took = []
    for link in links[:4]:
        send = phone(url, link)
        for _ in range(15):
            started = time.monotonic()
            send()
            took.append((time.monotonic() - started) * 1000)
    return took


def told(name: str, took: list[float], base: float) -> str:
    middle, late = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return f"{name} {middle:6.1f} ms (99th {late:6.1f}) x{middle / base:5.1f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, nargs="+", default=[60, 300, 3000])
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; x: against /healthz in the same run")
    with (
        tempfile.TemporaryDirectory() as folder,
        program(folder) as (url, environment),
        httpx.Client(timeout=120) as client,
    ):

        def ask(address: str) -> object:
            return client.get(address).raise_for_status()

        def took_by(address: str) -> list[float]:
            return milliseconds(lambda: ask(address), options.seconds)

        health = f"{url}/healthz"
        once, base_rate = took_by(health), pages_a_second(health, options.seconds)
        base = statistics.median(once)
        print(f"      {told('healthz  ', once, base)}   {base_rate:5.0f}/s", flush=True)
        for players in options.players:
            command(environment, "import_tournament", "-", text=json.dumps(evening(players)))
            lines = command(environment, "sheet_links", f"abend-{players}").splitlines()
            results = sixty_results(url, [json.loads(line)["url"] for line in lines])
            print(f"{players:5} {told('result   ', results, base)}", flush=True)
            change = phone(url, json.loads(lines[4])["url"])
            asked = iter(queries(environment, f"abend-{players}", list(PAGES.values())))
            for name, path in PAGES.items():
                page = f"{url}/t/abend-{players}/{path}"
                changing = after_each(change, partial(ask, page))
                print(
                    f"{players:5} {told(name, changing, base)}   changing, {next(asked)} queries", flush=True
                )
                once, rate = took_by(page), pages_a_second(page, options.seconds)
                print(
                    f"{players:5} {told(name, once, base)}   {rate:5.1f}/s x{rate / base_rate:.2f}, {next(asked)} queries",
                    flush=True,
                )


if __name__ == "__main__":
    main()
