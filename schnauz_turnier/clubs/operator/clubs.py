"""Clubs as the operator sees them: the catalogue and what was last measured. Nothing is read in a club."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, overload

from django.core.paginator import Page, Paginator

from schnauz_turnier.clubs.catalogue import OPERATOR, OPERATORS_SCHEMA, State, UnknownClub, rows_of_catalogue
from tournaments.queries.database_version import digest_of, known_migrations

CLUBS_A_PAGE = 50

_COLUMNS = """slug, name, state, created_at, ends_at, moved_to, email, is_listed, migrations = %(ours)s,
    most_tournaments, most_people, most_megabytes,
    measured_at, tournaments, people, bytes, last_evening, backed_up_at, coalesce(has_failed, false)"""
_CLUBS = f"""FROM catalogue.club LEFT JOIN catalogue.measured USING (slug)
    WHERE NOT (slug = '{OPERATOR}' AND starts_with(schema_name, '{OPERATORS_SCHEMA}'))"""
_AGREED = "SELECT kind, version, dated_on, agreed_by, agreed_at FROM catalogue.agreement"
_FOUND = """AND (strpos(slug, lower(%(text)s)) > 0 OR strpos(lower(name), lower(%(text)s)) > 0)
    AND CASE %(state)s
        WHEN 'open' THEN state = 'open'
        WHEN 'archived' THEN state = 'archived'
        WHEN 'ending' THEN ends_at IS NOT NULL
        WHEN 'behind' THEN state <> 'new' AND migrations <> %(ours)s
        WHEN 'failed' THEN coalesce(has_failed, false)
        ELSE true END"""


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club. ends_at: when it is deleted. moved_to: the address that its pages lead to, "" for none.

    measured_at and what follows: None as long as nothing is measured. is_current: its tables are those of this program. has_failed: the last backup. most_...: its own limits, None without.
    """

    slug: str
    name: str
    state: State
    created_at: datetime
    ends_at: datetime | None
    moved_to: str
    email: str
    is_listed: bool
    is_current: bool
    most_tournaments: int | None
    most_people: int | None
    most_megabytes: int | None
    measured_at: datetime | None
    tournaments: int | None
    people: int | None
    bytes: int | None
    last_evening: date | None
    backed_up_at: datetime | None
    has_failed: bool

    @property
    def is_open(self) -> bool:
        return self.state is State.OPEN

    @property
    def is_archived(self) -> bool:
        return self.state is State.ARCHIVED

    @property
    def limits(self) -> dict[str, Any]:
        """The values of the form of the limits."""
        return {
            "tournaments": self.most_tournaments,
            "people": self.most_people,
            "megabytes": self.most_megabytes,
            "is_listed": self.is_listed,
        }

    @property
    def megabytes(self) -> float | None:
        return None if self.bytes is None else self.bytes / 1_000_000


@dataclass(frozen=True, slots=True)
class Agreement:
    """A text to which a club has agreed. kind: of the texts of the operator. agreed_by: who agreed for the club."""

    kind: str
    version: str
    dated_on: date
    agreed_by: str
    agreed_at: datetime


class _Found(Sequence[ClubRow]):
    """The clubs that match, of which a page is read."""

    def __init__(self, text: str, state: str) -> None:
        self._values = {"text": text, "state": state}

    def __len__(self) -> int:
        [(number,)] = _rows(f"SELECT count(*) {_CLUBS} {_FOUND}", **self._values)
        return int(number)

    @overload
    def __getitem__(self, part: int) -> ClubRow: ...
    @overload
    def __getitem__(self, part: slice) -> Sequence[ClubRow]: ...
    def __getitem__(self, part: int | slice) -> ClubRow | Sequence[ClubRow]:
        if isinstance(part, int):
            return self[part : part + 1][0]
        statement = f"SELECT {_COLUMNS} {_CLUBS} {_FOUND} ORDER BY slug OFFSET %(first)s LIMIT %(most)s"
        rows = _rows(statement, first=part.start, most=part.stop - part.start, **self._values)
        return [_club(*row) for row in rows]


def find_clubs(text: str, *, state: str, page: str) -> Page[ClubRow]:
    """Return a page of the clubs whose name or slug has this text, by slug. state: as in `_FOUND`, "" for all. Two queries."""
    return Paginator(_Found(text, state), CLUBS_A_PAGE).get_page(page)


def club_row(slug: str) -> ClubRow:
    """Return one club. Raises UnknownClub, also for the operator's own schema."""
    rows = _rows(f"SELECT {_COLUMNS} {_CLUBS} AND slug = %(slug)s", slug=slug)
    if not rows:
        raise UnknownClub(slug)
    return _club(*rows[0])


def agreements(slug: str) -> list[Agreement]:
    """Return what a club has agreed to when it registered, latest first."""
    rows = _rows(f"{_AGREED} WHERE slug = %(slug)s ORDER BY agreed_at DESC, kind", slug=slug)
    return [Agreement(*row) for row in rows]


def _club(slug: str, name: str, state: str, *others: Any) -> ClubRow:
    return ClubRow(slug, name, State(state), *others)


def _rows(query: str, **values: Any) -> list[tuple[Any, ...]]:
    return rows_of_catalogue(query, ours=digest_of(known_migrations()), **values)
