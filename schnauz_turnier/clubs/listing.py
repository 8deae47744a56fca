"""The clubs that the start page of the installation lists, by name, with search."""

from dataclasses import dataclass

from django.core.paginator import Page

from schnauz_turnier.clubs.catalogue import (
    State,
    club_to_change,
    page_of_catalogue,
    short_address_of,
    start_page_of,
    write_catalogue,
)
from tournaments.core.names import without_marks

LONGEST_QUERY = 80

_LISTED = "FROM catalogue.club WHERE state = %(open)s AND is_listed AND searched LIKE ALL(%(words)s)"
_COUNT = f"SELECT count(*) {_LISTED}"
_ROWS = f"SELECT slug, name {_LISTED} ORDER BY searched, slug LIMIT %(most)s OFFSET %(first)s"


@dataclass(frozen=True, slots=True)
class ListedClub:
    slug: str
    name: str

    @property
    def address(self) -> str:
        return start_page_of(self.slug)

    @property
    def short_address(self) -> str:
        return short_address_of(self.slug)


def listed_clubs(query: str, *, page: str = "1") -> Page[ListedClub]:
    """Return a page of the open, listed clubs that a query finds; "" for all. Two queries."""
    values = {"open": State.OPEN, "words": searched_words(query)}
    return page_of_catalogue(ListedClub, _COUNT, _ROWS, number=page, **values)


def searched_words(query: str) -> list[str]:
    """Return the patterns that the column `searched` of a club has to match: its name or slug has each word of the query.

    Marks and capitals do not matter.
    """
    words = without_marks(query[:LONGEST_QUERY].replace("\0", "").casefold()).split()  # PostgreSQL has no NUL
    return [f"%{_escaped(word)}%" for word in words]


def set_listed(slug: str, *, is_listed: bool) -> None:
    """List a club on the start page, or leave it out. Raises ClubRefusal."""
    club_to_change(slug)
    write_catalogue("UPDATE catalogue.club SET is_listed = %s WHERE slug = %s", is_listed, slug)


def _escaped(word: str) -> str:
    return word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
