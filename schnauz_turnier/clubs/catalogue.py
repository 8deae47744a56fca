"""The catalogue of the clubs: two tables in a schema of its own, which hold nothing of what is in a club.

It is in the database of DATABASE_URL; the schema of a club may be on another server. Every process keeps what it has
read for a second (`KEPT`). So after twice that time, all of them know of a change.
"""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.utils.crypto import salted_hmac

from tournaments.current_club import Club, in_club, known_as
from tournaments.own_address import public_url
from tournaments.queries.database_version import Cursor

KEPT = 1.0  # seconds
MOST_KEPT = 20_000
SLUG = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,39}", re.ASCII)

_CREATE = (
    "CREATE SCHEMA IF NOT EXISTS catalogue",
    """
    CREATE TABLE IF NOT EXISTS catalogue.club (
        slug varchar(80) PRIMARY KEY,
        name varchar(120) NOT NULL,
        state varchar(8) NOT NULL CHECK (state IN ('new', 'open', 'moving', 'archived')),
        schema_name varchar(63) NOT NULL UNIQUE,
        server varchar(63) NOT NULL,
        seed varchar(64) NOT NULL,
        own_key varchar(200) NOT NULL,
        created_at timestamptz NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS catalogue.leftover (
        name varchar(63) PRIMARY KEY,
        slug varchar(80) NOT NULL,
        server varchar(63) NOT NULL
    )
    """,
)
_COLUMNS = "slug, name, state, schema_name, server, seed, own_key, created_at"


class State(StrEnum):
    """new: its tables are being made. moving: nothing is read or written, for a moment. archived: closed, but kept."""

    NEW = "new"
    OPEN = "open"
    MOVING = "moving"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Entry:
    """A club in the catalogue. seed: what its key is derived from, with SECRET_KEY. own_key: the key that it brought along, ""
    for none. See `Club` for the others.
    """

    slug: str
    name: str
    state: State
    schema: str
    server: str
    seed: str = field(repr=False)
    own_key: str = field(repr=False)
    created_at: datetime

    @property
    def key(self) -> str:
        return self.own_key or salted_hmac("schnauz_turnier.clubs", self.seed, algorithm="sha256").hexdigest()

    @property
    def address(self) -> str:
        """The address of its start page."""
        return f"{self.club.origin}{self.club.prefix}/"

    @property
    def club(self) -> Club:
        url = urlsplit(public_url())
        if settings.CLUBS == "hosts":
            origin, prefix = f"{url.scheme}://{self.slug}.{url.netloc}", ""
        else:
            origin, prefix = public_url(), f"/c/{self.slug}"
        return Club(self.slug, self.schema, self.schema, self.server, origin, prefix, self.key)


class UnknownClub(LookupError):
    """There is no club of this slug."""


@contextmanager
def _cursor() -> Iterator[Cursor]:
    with known_as(None), connections["default"].cursor() as cursor:
        yield cursor


def create_catalogue() -> None:
    """Make the tables, if they are not there."""
    with _cursor() as cursor:
        cursor.execute("SELECT to_regclass('catalogue.leftover')")
        if cursor.fetchone()[0] is None:
            for statement in _CREATE:
                cursor.execute(statement)


def all_clubs() -> list[Entry]:
    """Return all clubs, by slug."""
    with _cursor() as cursor:
        cursor.execute(f"SELECT {_COLUMNS} FROM catalogue.club ORDER BY slug")
        return [_entry(row) for row in cursor.fetchall()]


def club_of(slug: str) -> Entry:
    """Return a club. Raises UnknownClub."""
    with _cursor() as cursor:
        cursor.execute(f"SELECT {_COLUMNS} FROM catalogue.club WHERE slug = %s", [slug])
        found = cursor.fetchone()
    if found is None:
        raise UnknownClub(slug)
    return _entry(found)


def _entry(row: Sequence[Any]) -> Entry:
    slug, name, state, *others = row
    return Entry(slug, name, State(state), *others)


# --- writes --------------------------------------------------------------------------------------------------------


def add(entry: Entry) -> bool:
    """Add a club. Return False if there is one of this slug already."""
    with _cursor() as cursor:
        cursor.execute(
            f"INSERT INTO catalogue.club ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            astuple(entry),
        )
        return bool(cursor.rowcount)


def change_state(slug: str, before: State, after: State) -> bool:
    """Return False, and change nothing, if the club is not in the state `before`."""
    with _cursor() as cursor:
        cursor.execute(
            "UPDATE catalogue.club SET state = %s WHERE slug = %s AND state = %s", [after, slug, before]
        )
        return bool(cursor.rowcount)


def change_home(old: Entry, new: Entry) -> None:
    """Open a club that was moving, at its new place. The old one is left over instead of it."""
    with transaction.atomic(), _cursor() as cursor:
        cursor.execute(
            "UPDATE catalogue.club SET server = %s, schema_name = %s, state = %s WHERE slug = %s AND state = %s",
            [new.server, new.schema, State.OPEN, old.slug, State.MOVING],
        )
        note_leftover(old)
        forget_leftover(new.schema)


def remove(slug: str) -> None:
    with _cursor() as cursor:
        cursor.execute("DELETE FROM catalogue.club WHERE slug = %s", [slug])


# --- leftovers -----------------------------------------------------------------------------------------------------
# A schema is noted before it is made, and until it is the home of its club. So what a killed process has made is found.


@dataclass(frozen=True, slots=True)
class Leftover:
    """A schema, and a role of the same name, in which no club lives."""

    name: str
    server: str


def note_leftover(entry: Entry) -> None:
    with _cursor() as cursor:
        cursor.execute(
            "INSERT INTO catalogue.leftover (name, slug, server) VALUES (%s, %s, %s)",
            [entry.schema, entry.slug, entry.server],
        )


def forget_leftover(name: str) -> None:
    with _cursor() as cursor:
        cursor.execute("DELETE FROM catalogue.leftover WHERE name = %s", [name])


def leftovers_of(slug: str) -> list[Leftover]:
    with _cursor() as cursor:
        cursor.execute("SELECT name, server FROM catalogue.leftover WHERE slug = %s ORDER BY name", [slug])
        return [Leftover(*row) for row in cursor.fetchall()]


@contextmanager
def alone_with(slug: str) -> Iterator[bool]:
    """Let no other process move this club inside the block. Yield False if one does already.

    The lock is that of a transaction on a connection of its own: it ends with the process, and holds behind a transaction
    pooler.
    """
    own = connections["default"].copy()
    try:
        with known_as(None):
            own.set_autocommit(False)
            with own.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [f"move {slug}"])
                [free] = cursor.fetchone()
        yield bool(free)
        own.rollback()
    finally:
        own.close()


# --- what a process knows ------------------------------------------------------------------------------------------


class Directory:
    """The clubs that were asked for last, for KEPT seconds each. Thread-safe. What does not exist is kept as well."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[float, Entry | None]] = OrderedDict()

    def known(self, slug: str) -> tuple[Entry | None] | None:
        """Return the club, or None in its place if there is none, in a tuple; None if the database has to be asked."""
        with self._lock:
            until, entry = self._kept.get(slug, (0.0, None))
        return (entry,) if time.monotonic() < until else None

    def find(self, slug: str) -> Entry | None:
        """Return the club of this slug; None if there is none. Asks the database if necessary.

        While that does not answer, what was known of the club counts: its own server may be another one. A club that has
        moved meanwhile has no tables there any more.
        """
        if not SLUG.fullmatch(slug):
            return None
        if (known := self.known(slug)) is not None:
            return known[0]
        until = time.monotonic() + KEPT
        try:
            entry = club_of(slug)
        except UnknownClub:
            entry = None
        except DatabaseError:
            with self._lock:
                if slug not in self._kept:
                    raise
                entry = self._kept[slug][1]
        with self._lock:
            self._kept[slug] = until, entry
            self._kept.move_to_end(slug)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return entry


directory = Directory()
"""The clubs that this process knows."""


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
