"""Benchmark of desk and phones while a stranger floods the sign-ups, over HTTP against the real server.

    .venv/bin/python bench/sign_ups.py [--seconds 60] [--flood 5000] [--guests 60]

*desk*    the list of the door, as it asks for it every few seconds, always in full
*phone*   an entry of a table, until it is answered
*guests*  phones behind one address, each of which opens the form and registers a player while the flood lasts

Desk and phone are measured alone first, then while one address sends 5,000 registrations a minute, spread evenly (an open
loop). Printed are the median and the 95th percentile, and the ratio to the times alone in the same run; then how many of
the guests are registered, how long the slowest waited, and what the flood was told. The exit status is 1 if a guest was not
registered, or desk or phone took more than twice as long.
"""

import argparse
import http.client
import re
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlencode

from common.people import Organiser, Phone
from common.program import Program, machine, running
from common.tournament import evening

SLUG = "abend-60"
FLOOD, GUESTS = "127.0.0.2", "127.0.0.3"
PERIOD = 0.25
MOST = 2.0
_OPEN = """
INSERT INTO tournaments_signupterms (tournament_id, is_open, closes_at, only_in_hall, without_desk, last_number)
SELECT id, true, now() + interval '1 day', false, false, 0 FROM tournaments_tournament
"""
_CODE = re.compile(r'name="code" value="(\w+)"')
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def connection(port: int, address: str) -> http.client.HTTPConnection:
    """Return a connection that comes from an address of this machine."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=120, source_address=(address, 0))


def every(seconds: float, until: float, do: Callable[[], object]) -> list[float]:
    """Do it so often until a moment; return the milliseconds of each, counted from when it was due."""
    took, due = [], time.monotonic()
    while due < until:
        time.sleep(max(0.0, due - time.monotonic()))
        do()
        took.append((time.monotonic() - due) * 1000)
        due = max(due + seconds, time.monotonic())
    return took


def together(*functions: Callable[[], object]) -> None:
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Flood:
    """One address that registers players without end, over several connections, and what it is told."""

    def __init__(self, port: int, number: int, seconds: float, *, connections: int = 16) -> None:
        self.statuses: Counter[int] = Counter()
        self._port, self._pause = port, seconds / number * connections
        self._end = time.monotonic() + seconds
        self._threads = [threading.Thread(target=self._send, args=(one,)) for one in range(connections)]
        for thread in self._threads:
            thread.start()

    def _send(self, which: int) -> None:
        opened = connection(self._port, FLOOD)
        number = 0

        def send() -> None:
            nonlocal number
            number += 1
            # sixteen connections, seven letters of base 32: no code twice
            code = f"{_letter(which)}{''.join(_letter(number // 32**place) for place in range(11))}"
            body = urlencode({"name": f"Spieler {which} {number}", "code": code})
            opened.request("POST", f"/t/{SLUG}/sign-up/", body, _FORM)
            answer = opened.getresponse()
            answer.read()
            self.statuses[answer.status] += 1

        every(self._pause, self._end, send)

    def join(self) -> None:
        for thread in self._threads:
            thread.join()


def _letter(number: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[number % 32]


def guest(port: int, number: int) -> float:
    """Register a player as a phone does; return the seconds. Raises RuntimeError if it is refused."""
    begun = time.monotonic()
    opened = connection(port, GUESTS)
    opened.request("GET", f"/t/{SLUG}/sign-up/")
    page = opened.getresponse().read().decode()
    found = _CODE.search(page)
    if found is None:
        raise RuntimeError(page[:500])
    body = urlencode({"name": f"Gast {number}", "code": found[1]})
    opened.request("POST", f"/t/{SLUG}/sign-up/", body, _FORM)
    answer = opened.getresponse()
    answer.read()
    if answer.status != 302:
        raise RuntimeError(f"guest {number}: {answer.status}")
    return time.monotonic() - begun


def measured(program: Program, desk: Organiser, phone: Phone, seconds: float) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    until = time.monotonic() + seconds

    def at_the_desk() -> None:
        asking = desk.prepared("GET", f"/o/{SLUG}/door/list/", {"HX-Request": "true"})
        found["desk"] = every(PERIOD, until, lambda: desk.connection.milliseconds(asking))

    def at_the_table() -> None:
        found["phone"] = every(PERIOD, until, phone.send)

    together(at_the_desk, at_the_table)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--flood", type=int, default=5000, help="registrations in a minute")
    parser.add_argument("--guests", type=int, default=60)
    given = parser.parse_args()
    with running() as program:
        program.take_in(evening(60))
        program.database.tell(_OPEN)
        port = program.web.port
        desk, phone = Organiser(program), Phone(port, program.secrets(SLUG)[0])
        print(f"{machine()}; x: against the same in the same run without a flood", flush=True)
        alone = measured(program, desk, phone, given.seconds / 4)
        waited: list[float] = []
        failures: list[str] = []

        def come() -> None:
            for number in range(given.guests):
                try:
                    waited.append(guest(port, number))
                except RuntimeError as error:
                    failures.append(str(error))
                time.sleep(given.seconds / given.guests / 2)

        flood = Flood(port, int(given.flood * given.seconds / 60), given.seconds)
        during: dict[str, list[float]] = {}
        together(come, lambda: during.update(measured(program, desk, phone, given.seconds)))
        flood.join()
    ratios = [told(name, alone[name], during[name]) for name in alone]
    print(
        f"guests   {len(waited)} of {given.guests} registered, the slowest after {max(waited):.2f} s {failures[:3] or ''}"
    )
    print(f"flood    {dict(flood.statuses)}")
    sys.exit(int(len(waited) < given.guests or max(ratios) > MOST))


def told(name: str, alone: list[float], during: list[float]) -> float:
    """Print the times; return the ratio of the medians."""
    middle, late = statistics.median(during), statistics.quantiles(during, n=20)[18]
    ratio = middle / statistics.median(alone)
    print(
        f"{name:8} {middle:7.1f} ms x{ratio:4.1f}   95th {late:7.1f} ms x{late / statistics.quantiles(alone, n=20)[18]:4.1f}"
    )
    return ratio


if __name__ == "__main__":
    main()
