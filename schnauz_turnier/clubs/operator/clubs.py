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
from schnauz_turnier.clubs.texts import texts_of_agreement
from tournaments.queries.database_version import digest_of, known_migrations

_HAS_TO_AGREE = """state = 'open' AND EXISTS (
    SELECT FROM unnest(%(kinds)s::text[], %(versions)s::text[]) AS latest (kind, version) WHERE NOT EXISTS (
        SELECT FROM catalogue.agreement
        WHERE agreement.slug = club.slug AND agreement.kind = latest.kind AND agreement.version = latest.version))"""
_COLUMNS = f"""slug, name, state, created_at, ends_at, moved_to, email, is_listed, migrations = %(ours)s, {_HAS_TO_AGREE},
    most_tournaments, most_people, most_megabytes,
    measured_at, tournaments, people, bytes, last_evening, backed_up_at, coalesce(has_failed, false)"""
_CLUBS = f"""FROM catalogue.club LEFT JOIN catalogue.measured USING (slug)
    WHERE NOT starts_with(schema_name, '{OPERATORS_SCHEMA}')"""
_FOUND = f"""AND searched LIKE ALL(%(words)s)
    AND CASE %(state)s
        WHEN 'open' THEN state = 'open'
        WHEN 'archived' THEN state = 'archived'
        WHEN 'ending' THEN ends_at IS NOT NULL
        WHEN 'behind' THEN state <> 'new' AND migrations <> %(ours)s
        WHEN 'failed' THEN coalesce(has_failed, false)
        WHEN 'to_agree' THEN {_HAS_TO_AGREE}
        ELSE true END"""
_COUNT = f"SELECT count(*) {_CLUBS} {_FOUND}"
_ROWS = f"SELECT {_COLUMNS} {_CLUBS} {_FOUND} ORDER BY slug LIMIT %(most)s OFFSET %(first)s"
_ROW = f"SELECT {_COLUMNS} {_CLUBS} AND slug = %(slug)s"


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club. state: a `State`. ends_at: when it is deleted. moved_to: the address that its pages lead to, "" for none.

    measured_at and what follows: None as long as nothing is measured. is_current: its tables are those of this program. has_to_agree:
    it is open, and has not agreed to the latest version of a text. has_failed: the last backup. most_...: its own limits, None without.
    """

    slug: str
    name: str
    state: str
    created_at: datetime
    ends_at: datetime | None
    moved_to: str
    email: str
    is_listed: bool
    is_current: bool
    has_to_agree: bool
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


def find_clubs(text: str, *, state: str, page: str) -> Page[ClubRow]:
    """Return a page of the clubs that a text finds, by slug. state: as in `_FOUND`, "" for all. Two queries."""
    values = {"words": searched_words(text), "state": state, **_latest()}
    return page_of_catalogue(ClubRow, _COUNT, _ROWS, number=page, **values)


def club_row(slug: str) -> ClubRow:
    """Return one club. Raises UnknownClub, also for the operator's own schema."""
    rows = rows_of_catalogue(_ROW, slug=slug, **_latest())
    if not rows:
        raise UnknownClub(slug)
    return ClubRow(*rows[0])


def _latest() -> dict[str, Any]:
    """Return what a club is compared with: the migrations of this program, and the texts of the operator."""
    texts = texts_of_agreement()
    return {
        "ours": digest_of(known_migrations()),
        "kinds": [text.kind.value for text in texts],
        "versions": [text.version for text in texts],
    }
