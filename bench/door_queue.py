"""Benchmark of a queue of sixty at the door: typed at the desk, registered beforehand, and with the code on the wall.

    .venv/bin/python bench/door_queue.py [--guests 60]

*keys*   that a desk presses for one player: the name and Enter, or a tap on the row of the one who is there
*desk*   milliseconds of the server for one player, from the key to the answer with the new list; one desk, then two at once
*phone*  milliseconds of the server for one player's own phone: the form, and what it sends; the desk waits for none of it

The ratio is to what is typed at the desk, in the same run. Every player has to be present at the end, or the exit status is 1.
"""

import argparse
import http.client
import re
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from common.people import Organiser
from common.program import Program, machine, running
from common.tournament import evening
from faker import Faker

_OPEN = """
INSERT INTO tournaments_signupterms (tournament_id, is_open, closes_at, only_in_hall, without_desk, last_number)
SELECT id, true, now() + interval '1 day', false, false, 0 FROM tournaments_tournament ON CONFLICT DO NOTHING
"""
_ARRIVED = "UPDATE tournaments_signup SET arrived_at = now() WHERE arrived_at IS NULL"
_CODE = re.compile(r'name="code" value="(\w+)"')
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
HTMX = {"HX-Request": "true"}
Registering = Callable[[Organiser, int, str], float]


def typed(slug: str) -> Registering:
    def do(desk: Organiser, _number: int, name: str) -> float:
        return desk.connection.milliseconds(desk.posting(f"/o/{slug}/door/register/", {"name": name}, HTMX))

    return do


def tapped(slug: str) -> Registering:
    def do(desk: Organiser, number: int, _name: str) -> float:
        path = f"/o/{slug}/door/sign-ups/{number}/confirm-paid/"
        return desk.connection.milliseconds(desk.posting(path, {}, HTMX))

    return do


def register_from_a_phone(port: int, slug: str, name: str) -> float:
    """Open the form and send it, over one connection; return the milliseconds of both."""
    opened = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    begun = time.monotonic()
    opened.request("GET", f"/t/{slug}/sign-up/")
    found = _CODE.search(opened.getresponse().read().decode())
    assert found is not None
    opened.request("POST", f"/t/{slug}/sign-up/", urlencode({"name": name, "code": found[1]}), _FORM)
    answer = opened.getresponse()
    answer.read()
    if answer.status != 302:
        raise RuntimeError(answer.status)
    return (time.monotonic() - begun) * 1000


def at_desks(desks: Sequence[Organiser], names: Sequence[str], do: Registering) -> list[float]:
    """Serve the queue at so many desks at once, each one player after the other; return the milliseconds of each player."""
    took: list[float] = []
    waiting = list(enumerate(names, start=1))
    lock = threading.Lock()

    def serve(desk: Organiser) -> None:
        while True:
            with lock:
                if not waiting:
                    return
                number, name = waiting.pop(0)
            took.append(do(desk, number, name))

    threads = [threading.Thread(target=serve, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def second(program: Program, first: Organiser) -> Organiser:
    """Return another connection with the session of the first desk."""
    other = object.__new__(Organiser)
    other.__dict__.update(first.__dict__)
    other.connection = type(first.connection)(program.web.port)
    return other


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--guests", type=int, default=60)
    given = parser.parse_args()
    faker = Faker("de_DE")
    faker.seed_instance(1)
    names = [faker.unique.name() for _ in range(given.guests)]
    complete = True
    with running() as program:
        port = program.web.port
        first = Organiser(program)
        desks = [first, second(program, first)]
        print(f"{machine()}; x: against what is typed at the desk, with as many desks, in the same run")
        base: dict[int, float] = {}
        for way in ("typed", "beforehand", "wall"):
            for at in (1, 2):
                slug = f"{way}-{at}"
                program.take_in(evening(10, slug=slug, released=False))
                program.database.tell(_OPEN)
                phones = [register_from_a_phone(port, slug, name) for name in names] if way != "typed" else []
                program.database.tell(_ARRIVED)
                for desk in desks[:at]:
                    desk.look(f"/o/{slug}/door/")
                took = at_desks(desks[:at], names, typed(slug) if way == "typed" else tapped(slug))
                middle = statistics.median(took)
                base.setdefault(at, middle)
                keys = statistics.mean(len(name) + 1 for name in names) if way == "typed" else 1
                phone = f"   phone {statistics.median(phones):5.1f} ms" if phones else ""
                print(
                    f"{way:10} {at} desk{'s' * (at > 1):1} {keys:4.1f} keys   desk {middle:6.1f} ms x{middle / base[at]:4.1f}{phone}"
                )
                shown = first.look(f"/o/{slug}/door/").decode()
                complete &= f'data-figure="present">{given.guests + 10}<' in shown
    sys.exit(int(not complete))


if __name__ == "__main__":
    main()
