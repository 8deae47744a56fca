"""Registry of the texts about a player beyond name and club: form, list, export and erasure derive from it."""

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
