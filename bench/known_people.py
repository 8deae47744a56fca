"""Benchmark of the suggestions at the door: who has played before, among 5,000 people of whom 1,000 sat in an earlier evening.

    .venv/bin/python bench/known_people.py [--people 5000] [--searches 300]

*healthz*    the shortest answer that asks the database
*three*      the suggestions for three letters, which many people share
*more*       those for three letters of each of two words, which few share

They are asked in turn over one connection. Printed are the medians, and the ratio to /healthz in the same run. The exit status is 1
if a ratio is above 3.
"""

import argparse
import statistics
import sys
from collections import defaultdict
from urllib.parse import urlencode

from common.people import Organiser
from common.program import machine, running
from common.tournament import evening
from faker import Faker

MOST = 3.0
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
    print(f"{machine()}; {given.people} people; x: against /healthz in the same run")
    base = statistics.median(took["healthz"])
    ratios = {way: statistics.median(found) / base for way, found in took.items()}
    for way in ("healthz", "three", "more"):
        print(f"{way:8} {statistics.median(took[way]):6.2f} ms x{ratios[way]:4.1f}")
    sys.exit(int(max(ratios.values()) > MOST))


if __name__ == "__main__":
    main()
