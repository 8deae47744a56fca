"""The players of practice tournaments: names and clubs that are recognisable as samples."""

from itertools import product
from random import Random

from tournaments.services.door import Newcomer

CLUBS = ("Verein Beispiel", "Stammtisch Muster")
_FIRST_NAMES = (
    "Alois", "Barbara", "Christl", "Dominik", "Elfriede", "Franz", "Georg", "Hedwig", "Ignaz", "Josefa", "Korbinian", "Lena",
    "Magdalena", "Norbert", "Ottilie", "Peter",
)  # fmt: skip
_LAST_NAMES = ("Muster", "Beispiel", "Übung")


def sample_people(chance: Random, count: int) -> list[Newcomer]:
    """Return so many players, each with another name; every second one has a club."""
    names = [f"{first} {last}" for first, last in product(_FIRST_NAMES, _LAST_NAMES)]
    chance.shuffle(names)
    return [Newcomer(name, club=chance.choice(("", "", *CLUBS))) for name in names[:count]]
