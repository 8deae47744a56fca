"""Benchmark of a phone, a scan and the door while one guest keeps many connections busy, over HTTP against the real server.

    .venv/bin/python bench/guest.py [--seconds 8] [--only secrets]

*phone*   an entry of a table, until it is answered
*scan*    a phone that comes to its table, over a new connection: the page, and the secret of the code for a cookie
*door*    a player registered at the desk, until the desk has its new list

Each is done four times a second: while a guest of another address sends one kind of request over so many connections, each
as soon as the one before is answered, and alone before and after. The kinds: wrong secrets, calls without a cookie, and pages that
are made anew: the sign-up form, the search and the standings with ever new queries, pages that do not exist, large forms.
Printed are the median and the 95th percentile, the ratio to the times alone, and what the guest was told.

The exit status is 1 if phone or door took more than three times as long, by the median, or a scan was not let in within
two seconds. The guest shares the cores with the server, at a lower priority.
"""

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from common.client import json_body, length_of, request, status_of
from common.people import Organiser, Phone
from common.program import Program, machine, running
from common.tournament import evening

PLAYERS = 80
SLUG = f"abend-{PLAYERS}"
GUEST, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
PERIOD = 0.25
MOST, MOST_OF_A_SCAN = 3.0, 2.0
LONGEST = 120  # seconds until a guest gives up by itself
_OPEN = """
INSERT INTO tournaments_signupterms (tournament_id, is_open, closes_at, only_in_hall, without_desk, last_number)
SELECT id, true, now() + interval '1 day', false, false, 0 FROM tournaments_tournament
"""
_JSON = {"Content-Type": "application/json"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

# --- the guest -----------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[int], bytes]] = {
    "secrets": lambda n: request("POST", "/s/enter", _JSON, json_body({"secret": f"{n % 16 + 1}-{n:a>26}"})),
    "calls": lambda _: request("GET", "/s/sheet"),
    "form": lambda n: request("GET", f"/t/{SLUG}/sign-up/?x={n}"),
    "search": lambda n: request("GET", f"/t/{SLUG}/?q=Spieler+{n % 90}&x={n}"),
    "standings": lambda n: request("GET", f"/t/{SLUG}/standings/?x={n}"),
    "nowhere": lambda n: request("GET", f"/t/{SLUG}/{n}/"),
    "large": lambda n: request(
        "POST", f"/t/{SLUG}/sign-up/", _FORM, urlencode({"name": f"{n}" * 9_000}).encode()[:60_000]
    ),
}
FLOODS = [
    ("secrets", 60),
    ("calls", 60),
    *((kind, connections) for kind in list(KINDS)[2:] for connections in (20, 200)),
]


async def flood(port: int, kind: str, connections: int) -> None:
    """Send requests until the standard input ends, then print the number of answers by status; 0 for none."""
    statuses: Counter[int] = Counter()
    numbers = itertools.count(1)

    async def send() -> None:
        while True:
            with contextlib.suppress(OSError, EOFError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(GUEST, 0))
                with contextlib.closing(writer):
                    while True:
                        writer.write(KINDS[kind](next(numbers)))
                        head = await reader.readuntil(b"\r\n\r\n")
                        await reader.readexactly(length_of(head))
                        statuses[status_of(head)] += 1
            statuses[0] += 1
            await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(send()) for _ in range(connections)]
    await asyncio.sleep(1)
    statuses.clear()
    print(flush=True)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.to_thread(sys.stdin.read), LONGEST)
    print(json.dumps(statuses), flush=True)
    for task in tasks:
        task.cancel()


@contextmanager
def guest(port: int, kind: str, connections: int) -> Iterator[Counter[str]]:
    """Flood from another process, and fill the result at the end."""
    told: Counter[str] = Counter()
    words = [sys.executable, __file__, "--guest", f"{port}", kind, f"{connections}"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # the flood has begun
    yield told
    told.update(json.loads(process.communicate("")[0]))


# --- the others ----------------------------------------------------------------------------------------------------


class Evening:
    """A phone with the pen, the phones of all tables, and the desk."""

    def __init__(self, program: Program) -> None:
        self._port = program.web.port
        self._secrets = itertools.cycle(program.secrets(SLUG))
        self._phone = Phone(self._port, next(self._secrets))
        self._desk = Organiser(program)
        self._desk.look(f"/o/{SLUG}/door/")
        self._names = itertools.count(1)
        self.refused: list[int] = []

    def write(self) -> None:
        self._phone.send()

    def register(self) -> None:
        typed = {"name": f"Gast {next(self._names)}"}
        asking = self._desk.posting(f"/o/{SLUG}/door/register/", typed, {"HX-Request": "true"})
        self._desk.connection.milliseconds(asking)

    def scan(self) -> None:
        opened = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=60, source_address=(NEIGHBOUR, 0)
        )
        for asked in (
            ("GET", "/s/"),
            ("POST", "/s/enter", json_body({"secret": next(self._secrets)}), _JSON),
        ):
            opened.request(*asked)
            answer = opened.getresponse()
            answer.read()
            if answer.status != 200:
                self.refused.append(answer.status)
        opened.close()

    def measured(self, seconds: float) -> dict[str, list[float]]:
        """Return the milliseconds of each, done at fixed times."""
        self.refused.clear()
        until = time.monotonic() + seconds
        took: dict[str, list[float]] = {}

        def measure(name: str, do: Callable[[], None]) -> None:
            took[name] = every(PERIOD, until, do)

        work = {"phone": self.write, "scan": self.scan, "door": self.register}
        threads = [threading.Thread(target=measure, args=item) for item in work.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return took


def every(seconds: float, until: float, do: Callable[[], None]) -> list[float]:
    """Do it so often until a moment; return the milliseconds of each."""
    took, due = [], time.monotonic()
    while due < until:
        time.sleep(max(0.0, due - time.monotonic()))
        begun = time.monotonic()
        do()
        took.append((time.monotonic() - begun) * 1000)
        due = max(due + seconds, time.monotonic())
    return took


# --- the report ----------------------------------------------------------------------------------------------------


def late(took: list[float]) -> float:
    return statistics.quantiles(took * 2, n=20)[18]


def line(what: str, took: dict[str, list[float]], alone: dict[str, list[float]]) -> str:
    columns = [
        f"{name} {statistics.median(times):6.1f} x{statistics.median(times) / statistics.median(alone[name]):4.1f}"
        f" (95th {late(times):6.1f} x{late(times) / late(alone[name]):4.1f})"
        for name, times in took.items()
    ]
    return f"{what:14} {'   '.join(columns)}"


def is_good(took: dict[str, list[float]], alone: dict[str, list[float]], refused: list[int]) -> bool:
    slow = [
        statistics.median(took[name]) > MOST * statistics.median(alone[name]) for name in ("phone", "door")
    ]
    return not any(slow) and not refused and max(took["scan"]) <= MOST_OF_A_SCAN * 1000


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--only", choices=KINDS, help="one kind of request")
    parser.add_argument("--guest", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.guest:
        port, kind, connections = given.guest
        os.nice(10)
        asyncio.run(flood(int(port), kind, int(connections)))
        return 0
    bad = []
    with running() as program:
        program.take_in(evening(PLAYERS))
        program.database.tell(_OPEN)
        here = Evening(program)
        here.measured(2)
        print(
            f"{machine()}; milliseconds; x: against the same without a guest, just before and after",
            flush=True,
        )
        before = here.measured(given.seconds)
        for kind, connections in FLOODS:
            if given.only not in (None, kind):
                continue
            with guest(program.web.port, kind, connections) as told:
                took = here.measured(given.seconds)
                refused = list(here.refused)
            time.sleep(1)
            after = here.measured(given.seconds)
            alone = {name: before[name] + after[name] for name in took}
            before = after
            print(line("alone", alone, alone))
            print(line(f"{kind} {connections}", took, alone))
            scans = len(took["scan"])
            print(
                f"{'':14} {scans - len(refused)} of {scans} scans let in, the slowest after {max(took['scan']) / 1000:.2f} s;"
                f" the guest was told {dict(told)}",
                flush=True,
            )
            if not is_good(took, alone, refused):
                bad.append(f"{kind} {connections}")
    print(f"slower than x{MOST:.0f}, or a scan not let in: {', '.join(bad) or 'none'}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
