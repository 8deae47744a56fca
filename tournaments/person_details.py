"""Registry of the texts about a player beyond name and club: form, list, export and erasure derive from it. Headings of lists."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

LONGEST_DETAIL = 80


@dataclass(frozen=True, slots=True)
class PersonDetail:
    """A detail, optional and of one line. headings: of its column in lists that are imported, without spaces and signs."""

    name: Promise | str
    headings: tuple[str, ...]


PERSON_DETAILS = {
    "town": PersonDetail(
        pgettext_lazy("eines Spielers", "Ort"),
        headings=("ort", "wohnort", "town", "stadt", "gemeinde", "heimatort"),
    ),
}
"""By the column of Participant."""

HEADINGS_OF_PEOPLE = {
    "name": (
        "name", "namen", "spieler", "spielerin", "spielerinnen", "teilnehmer", "teilnehmerin", "teilnehmerinnen",
        "spielername", "player", "nameundvorname", "namedesspielers",
        "vornamename", "vornamenachname", "vorundnachname", "vorundzuname", "namevorname", "nachnamevorname",
    ),
    "first": ("vorname", "vornamen", "rufname", "firstname"),
    "last": ("nachname", "familienname", "zuname", "lastname", "surname"),
    "club": ("verein", "vereinsname", "club", "stammtisch", "vereinstammtisch", "mannschaft", "team"),
}  # fmt: skip
"""By meaning of a column, the headings in lists of players and of members."""


def word_of(heading: str) -> str:
    """Return the letters of a heading: „Teiln.-Nr.“ is "teilnnr"."""
    return "".join(filter(str.isalpha, heading.casefold()))
