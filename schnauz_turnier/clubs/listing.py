"""The clubs that the start page of the installation lists, by name, with search."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from schnauz_turnier.clubs.catalogue import (
    State,
    club_to_change,
    place_of,
    rows_of_catalogue,
    write_catalogue,
)
from tournaments.core.names import without_marks

CLUBS_A_PAGE = 50
LONGEST_QUERY = 80

_WHERE = "WHERE state = %s AND is_listed AND searched LIKE ALL(%s)"
_COUNT = f"SELECT count(*) FROM catalogue.club {_WHERE}"
_SLICE = f"SELECT slug, name FROM catalogue.club {_WHERE} ORDER BY searched, slug LIMIT %s OFFSET %s"


@dataclass(frozen=True, slots=True)
class ListedClub:
    slug: str
    name: str

    @property
    def address(self) -> str:
        """The address of its start page."""
        origin, prefix = place_of(self.slug)
        return f"{origin}{prefix}/"

    @property
    def short_address(self) -> str:
        return self.address.partition("://")[2].removesuffix("/")


def listed_clubs(query: str, *, page: str = "1") -> tuple[list[ListedClub], Page[int]]:
    """Return the open, listed clubs of a page whose names or slugs contain each word of a query, and the page. Two queries.

    Marks and capitals do not matter. query: "" for all clubs.
    """
    words = without_marks(query[:LONGEST_QUERY].replace("\0", "").casefold()).split()  # PostgreSQL has no NUL
    values = [State.OPEN, [f"%{_escaped(word)}%" for word in words]]
    [(count,)] = rows_of_catalogue(_COUNT, *values)
    numbers = Paginator(range(count), CLUBS_A_PAGE).get_page(page)
    rows = rows_of_catalogue(_SLICE, *values, CLUBS_A_PAGE, CLUBS_A_PAGE * (numbers.number - 1))
    return [ListedClub(*row) for row in rows], numbers


def set_listed(slug: str, *, is_listed: bool) -> None:
    """List a club on the start page, or leave it out. Raises ClubRefusal."""
    club_to_change(slug)
    write_catalogue("UPDATE catalogue.club SET is_listed = %s WHERE slug = %s", is_listed, slug)


def _escaped(word: str) -> str:
    return word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
