"""The catalogue of the clubs: tables in a schema of their own, without any data of the clubs.

Every process caches entries for a second (`KEPT`). So all processes know a change after twice that time.
"""

import logging
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db import DatabaseError, connections, transaction
from django.utils.crypto import salted_hmac
from psycopg import sql

from tournaments.current_club import Club, Quotas, in_club
from tournaments.own_address import public_url
from tournaments.queries.database_version import Cursor

logger = logging.getLogger(__name__)
Row = TypeVar("Row")

KEPT = 1.0  # seconds
MOST_KEPT = 20_000
ROWS_A_PAGE = 50
SLUG = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,39}", re.ASCII)
OPERATOR = "operator"
"""Slug of the operator's own schema, which is made, migrated and backed up like that of a club, and is none."""
OPERATORS_SCHEMA = f"{OPERATOR}_"
"""What its name begins with. Those of clubs begin with club_, so a club of an older version with this slug stays a club."""

_CREATE = Path(__file__).with_name("catalogue.sql").read_text(encoding="utf-8")
_LOCK = 0x5C53
_VERSION = sha256(_CREATE.encode()).hexdigest()
_COLUMNS = (
    "slug, name, state, schema_name, seed, own_key, created_at, migrations, is_listed, ends_at, moved_to, "
    "most_tournaments, most_people, most_megabytes, is_full"
)
_MARKS = ", ".join(["%s"] * len(_COLUMNS.split(", ")))


class State(StrEnum):
    """State of a club. new: its tables are being made. archived: closed, but kept."""

    NEW = "new"
    OPEN = "open"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Entry:
    """A club in the catalogue. seed: its key is derived from it and SECRET_KEY. own_key: the imported key, ""
    for none. migrations: of those that are applied to its tables, see `digest_of`; "" if nobody has asked. is_listed: on the page
    of all clubs. ends_at: when it is deleted, UTC. moved_to: the address at which an archived club lives now, "" for none.
    most_tournaments, most_people, most_megabytes: its own quotas, None for those of the settings. is_full: whether it has used up
    its megabytes. See `Club` for the others.
    """

    slug: str
    name: str
    state: State
    schema: str
    seed: str = field(repr=False)
    own_key: str = field(repr=False)
    created_at: datetime
    migrations: str = ""
    is_listed: bool = True
    ends_at: datetime | None = None
    moved_to: str = ""
    most_tournaments: int | None = None
    most_people: int | None = None
    most_megabytes: int | None = None
    is_full: bool = False

    @property
    def key(self) -> str:
        return self.own_key or salted_hmac("schnauz_turnier.clubs", self.seed, algorithm="sha256").hexdigest()

    @property
    def is_operators(self) -> bool:
        return is_operators(self.schema)

    @property
    def address(self) -> str:
        return start_page_of(self.slug)

    @property
    def club(self) -> Club:
        origin, prefix = place_of(self.slug)
        return Club(self.slug, self.schema, self.schema, origin, prefix, self.key, self._quotas, self.name)

    @property
    def _quotas(self) -> Quotas:
        return Quotas(
            _own(self.most_tournaments, settings.CLUB_MOST_TOURNAMENTS),
            _own(self.most_people, settings.CLUB_MOST_PEOPLE),
            self.is_full,
        )


def _own(most: int | None, usual: int | None) -> int | None:
    return usual if most is None else most


def place_of(slug: str) -> tuple[str, str]:
    """Return scheme and host of a club, and what its paths begin with."""
    url = urlsplit(public_url())
    if settings.CLUBS == "hosts":
        return f"{url.scheme}://{slug}.{url.netloc}", ""
    return public_url(), f"/c/{slug}"


def start_page_of(slug: str) -> str:
    """Return the address of the start page of a club."""
    return "".join((*place_of(slug), "/"))


def short_address_of(slug: str) -> str:
    """Return the address of a club without scheme and last slash."""
    return start_page_of(slug).partition("://")[2].removesuffix("/")


def is_operators(schema: str) -> bool:
    """Whether this is the operator's own schema, not that of a club."""
    return schema.startswith(OPERATORS_SCHEMA)


class ClubRefusal(Exception):
    """A refused change; nothing has changed. The text says why and what to do."""


class UnknownClub(ClubRefusal):
    """The catalogue has no club of this slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no club {slug!r}. `manage.py clubs` lists them.")


@contextmanager
def catalogue_cursor() -> Iterator[Cursor]:
    """Yield a cursor outside of all clubs."""
    with in_club(None), connections["default"].cursor() as cursor:
        yield cursor


def rows_of_catalogue(query: str | sql.Composed, *values: Any, **named: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query with values for its %s, or with named ones for its %(name)s."""
    with catalogue_cursor() as cursor:
        cursor.execute(query, named or values)
        return list(cursor.fetchall())


def write_catalogue(statement: str, *values: Any) -> bool:
    """Return whether any row has changed."""
    with catalogue_cursor() as cursor:
        cursor.execute(statement, values)
        return bool(cursor.rowcount)


def page_of_catalogue(
    make: Callable[..., Row], count: str, rows: str, *, number: str, **named: Any
) -> Page[Row]:
    """Return a page, with an object made of each row. rows: a query with `LIMIT %(most)s OFFSET %(first)s`. Two queries."""
    [(total,)] = rows_of_catalogue(count, **named)
    page: Page[Any] = Paginator(range(total), ROWS_A_PAGE).get_page(number)
    first = ROWS_A_PAGE * (page.number - 1)
    page.object_list = [make(*row) for row in rows_of_catalogue(rows, most=ROWS_A_PAGE, first=first, **named)]
    return page


def create_catalogue() -> None:
    """Make the tables, or bring those of an older version up to date.

    Raises ClubRefusal if clubs are on other servers than DATABASE_URL's, or if CITUS does not say what that is.
    """
    [(version, is_citus)] = rows_of_catalogue(
        "SELECT obj_description(to_regnamespace('catalogue'), 'pg_namespace'), to_regproc('citus_version') IS NOT NULL"
    )
    if is_citus != settings.CITUS:
        raise ClubRefusal(
            "The database of DATABASE_URL has the extension citus. Set CITUS=1 before the first club (docs/hosting.md)."
            if is_citus
            else "The database of DATABASE_URL has no extension citus. Unset CITUS, or name the coordinator of a Citus cluster."
        )
    if version == _VERSION:
        return
    with catalogue_cursor() as cursor, transaction.atomic():
        # IF NOT EXISTS fails where others add the same at the same time.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        _refuse_other_servers(cursor)
        if settings.CITUS:  # on the coordinator, so that clubs are found as long as it runs
            cursor.execute("SET LOCAL citus.enable_schema_based_sharding = off")
        cursor.execute(_CREATE)
        cursor.execute(sql.SQL("COMMENT ON SCHEMA catalogue IS {}").format(_VERSION))


def _refuse_other_servers(cursor: Cursor) -> None:
    """Refuse a catalogue of version 1.0 with clubs that this program would not find."""
    cursor.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('catalogue.club') AND attname = 'server'"
    )
    if not cursor.fetchall():
        return
    cursor.execute(
        "SELECT slug FROM catalogue.club WHERE server <> 'default' OR state = 'moving' ORDER BY slug"
    )
    if elsewhere := [slug for (slug,) in cursor.fetchall()]:
        raise ClubRefusal(
            f"These clubs are on another server, or are moving: {', '.join(elsewhere)}. All clubs are in DATABASE_URL now. With the "
            "version before: move_club CLUB default."
        )
    cursor.execute("ALTER TABLE catalogue.club ALTER COLUMN server SET DEFAULT 'default'")


def all_clubs() -> list[Entry]:
    """Return all clubs, by slug."""
    return [_entry(*row) for row in rows_of_catalogue(f"SELECT {_COLUMNS} FROM catalogue.club ORDER BY slug")]


def club_of(slug: str) -> Entry:
    """Return a club. Raises UnknownClub."""
    rows = rows_of_catalogue(f"SELECT {_COLUMNS} FROM catalogue.club WHERE slug = %s", slug)
    if not rows:
        raise UnknownClub(slug)
    return _entry(*rows[0])


def club_to_change(slug: str) -> Entry:
    """Return a club. Raises UnknownClub, and ClubRefusal for the operator's own schema."""
    entry = club_of(slug)
    if entry.is_operators:
        raise ClubRefusal("These are the operator's pages, not a club.")
    return entry


def _entry(slug: str, name: str, state: str, *others: Any) -> Entry:
    return Entry(slug, name, State(state), *others)


# --- writes --------------------------------------------------------------------------------------------------------


def add(entry: Entry) -> bool:
    """Add a club. Return False if its slug is taken."""
    return write_catalogue(
        f"INSERT INTO catalogue.club ({_COLUMNS}) VALUES ({_MARKS}) ON CONFLICT DO NOTHING", *astuple(entry)
    )


def change_state(slug: str, before: State, after: State) -> bool:
    """Set the state of a club from `before` to `after`. Return False without a change if it is not `before`.

    Nothing is left of an earlier end: a club that was to be deleted, is opened and archived again, would go at once.
    """
    return write_catalogue(
        "UPDATE catalogue.club SET state = %s, ends_at = NULL, moved_to = '', return_hash = '' WHERE slug = %s AND state = %s",
        after,
        slug,
        before,
    )


def note_migrations(slug: str, digest: str) -> None:
    write_catalogue("UPDATE catalogue.club SET migrations = %s WHERE slug = %s", digest, slug)


def remove(slug: str, schema: str) -> None:
    """Remove the club of this schema; another one that has its slug by now stays."""
    write_catalogue("DELETE FROM catalogue.club WHERE slug = %s AND schema_name = %s", slug, schema)


# --- cache of a process --------------------------------------------------------------------------------------------


class Directory:
    """LRU cache of clubs, for KEPT seconds each, also of unknown slugs. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[float, Entry | None]] = OrderedDict()

    def cached(self, slug: str) -> tuple[Entry | None] | None:
        """Return the cached club (or None for an unknown slug) in a tuple; None without a valid cache entry."""
        with self._lock:
            until, entry = self._kept.get(slug, (0.0, None))
        return (entry,) if time.monotonic() < until else None

    def find(self, slug: str) -> Entry | None:
        """Return the club of this slug, None without one; from the cache or the database.

        While the catalogue fails, expired cache entries of clubs count: kept pages need no more. A club that was unknown
        may have been made since, so the error is raised.
        """
        if not SLUG.fullmatch(slug):
            return None
        if (cached := self.cached(slug)) is not None:
            return cached[0]
        until = time.monotonic() + KEPT
        try:
            entry = club_of(slug)
        except UnknownClub:
            entry = None
        except DatabaseError:
            with self._lock:
                _until, entry = self._kept.get(slug, (0.0, None))
            if entry is None:
                raise
        with self._lock:
            self._kept[slug] = until, entry
            self._kept.move_to_end(slug)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return entry


@contextmanager
def failure_is_logged(message: str, entry: Entry) -> Iterator[None]:
    """End the block at an exception, and log it as one of this club. message: with %s for its slug."""
    try:
        yield
    except Exception:
        logger.exception(message, entry.slug, extra={"club": entry.slug})


def in_each_open_club(work: Callable[[Entry], None], failure: str) -> None:
    """Call `work` in each open club. A failure in one club stops no other. failure: see `failure_is_logged`."""
    for entry in all_clubs():
        if entry.state is State.OPEN:
            with failure_is_logged(failure, entry), in_club(entry.club):
                work(entry)


directory = Directory()
"""The cache of this process."""


@contextmanager
def in_club_of(name: str) -> Iterator[str]:
    """Work in the club of a tournament, and yield its slug. name: as `everywhere` returns it.

    Raises UnknownClub if there is no such club, or if it is not open.
    """
    of, slash, slug = name.rpartition("/")
    if not slash:
        yield slug
        return
    entry = directory.find(of)
    if entry is None or entry.state is not State.OPEN:
        raise UnknownClub(of)
    with in_club(entry.club):
        yield slug
