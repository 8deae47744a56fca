"""Benchmark of the suggestions at the door: who has played before, among 5,000 people of whom 1,000 sat in an earlier evening.

Then a queue of 60, of whom 50 are known, by keyboard: first all of them typed in full, then the known ones taken from the suggestions.

    .venv/bin/python bench/known_people.py [--people 5000] [--searches 300]

*healthz*    the shortest answer that asks the database
*three*      the suggestions for three letters, which many people share
*more*       those for three letters of each of two words, which few share

They are asked in turn over one connection. Printed are the medians, and the ratio to /healthz in the same run; of the queue the keys
that are pressed for one player, and the seconds of a hand that presses five keys a second and waits for the last suggestion and for
the registration. The exit status is 1 if a ratio to /healthz is above 3, the queue takes more than 0.7 of what it takes when all are
typed, or players who are not known take longer than there.
"""

import argparse
import html
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlencode

from common.people import Organiser
from common.program import Program, machine, running
from common.tournament import evening
from faker import Faker

MOST = 3.0
MOST_OF_QUEUE = 0.7
HAND = 0.2  # seconds a key
HTMX = {"HX-Request": "true"}
_SUGGESTED = re.compile(r'data-key="([-\w]+)"\s+data-line="([^"]*)"')
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_PEOPLE = """
INSERT INTO tournaments_person (key, name, words, club, town, member_number, fee, names)
SELECT gen_random_uuid(), name, words, '', town, '', '', '' FROM (VALUES {people}) AS people (name, words, town)
"""
_APPEARANCES = """
WITH people AS (SELECT key, row_number() OVER (ORDER BY key) AS place FROM tournaments_person),
players AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM tournaments_participant)
INSERT INTO tournaments_appearance (participant_id, person_id, how, at, by)
SELECT players.id, people.key, 'list', now(), 'x' FROM people JOIN players USING (place)
"""


def typed(desk: Organiser, slug: str, name: str) -> tuple[int, float]:
    """Register a player whose name is typed; return the keys and the seconds."""
    sent = desk.posting(f"/o/{slug}/door/register/", {"name": name}, HTMX)
    return len(name) + 1, (len(name) + 1) * HAND + desk.connection.milliseconds(sent) / 1000


def taken(desk: Organiser, slug: str, name: str) -> tuple[int, float]:
    """Register a player by the suggestions; return the keys and the seconds.

    Typed are three letters of the last name, then letters of the first name until the player is one of the first two.
    """
    last, first = name.rsplit(maxsplit=1)
    for text in (last[:3], *(f"{last[:3]} {first[:count]}" for count in range(1, len(first) + 1))):
        path = f"/o/{slug}/door/known/?{urlencode({'name': text})}"
        begun = time.monotonic()
        shown = _SUGGESTED.findall(html.unescape(desk.ask("GET", path, HTMX).body.decode()))
        waited = time.monotonic() - begun
        arrows = next((place for place, (_key, line) in enumerate(shown, start=1) if line == name), 0)
        if arrows in (1, 2):
            body = {"name": text, "person": shown[arrows - 1][0]}
            sent = desk.posting(f"/o/{slug}/door/register/", body, HTMX)
            keys = len(text) + arrows + 1
            return keys, keys * HAND + waited + desk.connection.milliseconds(sent) / 1000
    return typed(desk, slug, name)


def queue(program: Program, desk: Organiser, known: Sequence[str], unknown: Sequence[str]) -> bool:
    """Serve the queue in both ways, print the figures, and return whether they are as promised."""
    took: dict[str, list[tuple[int, float]]] = {}
    for slug, way in (("getippt", typed), ("gemerkt", taken)):
        program.take_in(evening(10, slug=slug, released=False))
        desk.look(f"/o/{slug}/door/")
        took[slug] = [way(desk, slug, name) for name in known]
        took[slug] += [typed(desk, slug, name) for name in unknown]
        keys, seconds = (sum(column) for column in zip(*took[slug], strict=True))
        print(f"{slug:8} {keys / len(took[slug]):5.1f} keys a player, {seconds:6.1f} s for {len(took[slug])}")
    all_typed, with_known = (sum(seconds for _keys, seconds in took[slug]) for slug in took)
    news = [statistics.median(seconds for _keys, seconds in took[slug][len(known) :]) for slug in took]
    print(f"queue x{with_known / all_typed:4.2f}, not known x{news[1] / news[0]:4.2f}")
    return with_known <= MOST_OF_QUEUE * all_typed and news[1] <= news[0] * 1.05


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=5000)
    parser.add_argument("--searches", type=int, default=300)
    given = parser.parse_args()
    faker = Faker("de_DE")
    faker.seed_instance(1)
    names = [f"{faker.last_name()} {faker.first_name()}" for _ in range(given.people)]
    with running() as program:
        for number in range(5):
            program.take_in(evening(200, slug=f"abend-{number}", released=False))
        people = [
            f"('{name}', '{name.lower().replace('-', ' ').translate(_SPELT)}', '{faker.city_name()}')"
            for name in names
        ]
        program.database.tell(_PEOPLE.format(people=", ".join(people)))
        program.database.tell(_APPEARANCES)
        program.take_in(evening(60, slug="heute", released=False))
        program.database.tell("ANALYZE")
        desk = Organiser(program)
        took: dict[str, list[float]] = defaultdict(list)
        for place in range(given.searches):
            last, first = names[place].split()[0], names[place].split()[-1]
            for way, text in (("three", last[:3]), ("more", f"{first[:3]} {last[:3]}")):
                path = f"/o/heute/door/known/?{urlencode({'name': text})}"
                took[way].append(
                    desk.connection.milliseconds(desk.prepared("GET", path, {"HX-Request": "true"}))
                )
            took["healthz"].append(desk.connection.milliseconds(desk.prepared("GET", "/healthz", {})))
        is_fast = queue(program, desk, names[-50:], [f"{faker.last_name()} Neu{n}" for n in range(10)])
    print(f"{machine()}; {given.people} people; x: against /healthz in the same run")
    base = statistics.median(took["healthz"])
    ratios = {way: statistics.median(found) / base for way, found in took.items()}
    for way in ("healthz", "three", "more"):
        print(f"{way:8} {statistics.median(took[way]):6.2f} ms x{ratios[way]:4.1f}")
    sys.exit(int(max(ratios.values()) > MOST or not is_fast))


if __name__ == "__main__":
    main()
