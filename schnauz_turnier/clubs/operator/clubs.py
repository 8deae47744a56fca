"""Clubs as the operator sees them: the catalogue and what was last measured. Nothing is read in a club."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.core.paginator import Page

from schnauz_turnier.clubs.catalogue import (
    OPERATORS_SCHEMA,
    UnknownClub,
    page_of_catalogue,
    rows_of_catalogue,
)
from schnauz_turnier.clubs.listing import searched_words
from tournaments.queries.database_version import digest_of, known_migrations

_COLUMNS = """slug, name, state, created_at, ends_at, email, is_listed, migrations = %(ours)s,
    most_tournaments, most_people, most_megabytes,
    measured_at, tournaments, people, bytes, last_evening, backed_up_at, coalesce(has_failed, false)"""
_CLUBS = f"""catalogue.club LEFT JOIN catalogue.measured USING (slug)
    WHERE NOT starts_with(schema_name, '{OPERATORS_SCHEMA}')"""
_AGREED = """SELECT kind, version, dated_on, agreed_by, agreed_at FROM catalogue.agreement
    WHERE slug = %s ORDER BY agreed_at DESC, kind"""
_FOUND = """AND searched LIKE ALL(%(words)s)
    AND CASE %(state)s
        WHEN 'open' THEN state = 'open'
        WHEN 'archived' THEN state = 'archived'
        WHEN 'ending' THEN ends_at IS NOT NULL
        WHEN 'behind' THEN state <> 'new' AND migrations <> %(ours)s
        WHEN 'failed' THEN coalesce(has_failed, false)
        ELSE true END"""


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club. state: a `State`. ends_at: when it is deleted. measured_at and what follows: None as long as nothing is measured.

    is_current: its tables are those of this program. has_failed: the last backup. most_...: its own limits, None without.
    """

    slug: str
    name: str
    state: str
    created_at: datetime
    ends_at: datetime | None
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


def find_clubs(text: str, *, state: str, page: str) -> Page[ClubRow]:
    """Return a page of the clubs that a text finds, by slug. state: as in `_FOUND`, "" for all. Two queries."""
    return page_of_catalogue(
        ClubRow,
        _COLUMNS,
        f"{_CLUBS} {_FOUND}",
        order="slug",
        number=page,
        ours=digest_of(known_migrations()),
        words=searched_words(text),
        state=state,
    )


def club_row(slug: str) -> ClubRow:
    """Return one club. Raises UnknownClub, also for the operator's own schema."""
    query = f"SELECT {_COLUMNS} FROM {_CLUBS} AND slug = %(slug)s"
    rows = rows_of_catalogue(query, ours=digest_of(known_migrations()), slug=slug)
    if not rows:
        raise UnknownClub(slug)
    return ClubRow(*rows[0])


def agreements(slug: str) -> list[Agreement]:
    """Return what a club has agreed to when it registered, latest first."""
    return [Agreement(*row) for row in rows_of_catalogue(_AGREED, slug)]
