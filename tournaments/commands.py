"""Base of all management commands that use the database."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournaments.current_club import current_club
from tournaments.queries.database_version import (
    BeforeFirstVersion,
    NewerDatabase,
    Node,
    applied_migrations,
    in_todays_names,
    known_migrations,
    refuse_newer,
)
from tournaments.text.database_versions import about_database

_START_LOCK = 0x5C4D


class DatabaseCommand(BaseCommand):
    """A command that reads or writes the database. It refuses a database of another version of the program.

    makes_tables: whether it makes the tables in a new database first.
    """

    # Django's checks of the program load all of its pages, which takes longer than most commands. `make test` runs them.
    requires_system_checks: list[str] = []
    makes_tables = True

    def execute(self, *args: Any, **options: Any) -> str | None:
        if settings.CLUBS and current_club() is None:
            raise CommandError(about_database("without_club"))
        refuse_without_database()
        applied = applied_migrations()
        refuse_another_version(applied)
        if self.makes_tables:
            self._make_tables(applied)
        return super().execute(*args, **options)

    def _make_tables(self, applied: Set[Node]) -> None:
        if applied >= known_migrations():
            return
        if applied:
            raise CommandError(about_database("older"))
        with one_start_at_a_time():  # finds the tables made if it had to wait
            call_command("migrate", verbosity=0, interactive=False)


def refuse_without_database() -> None:
    """Raise CommandError if no connection can be made. Bypasses the pool, which would wait without an error."""
    if connection.connection is None:
        with _connected():
            pass


@contextmanager
def one_start_at_a_time() -> Iterator[None]:
    """Lock the start on this database against other processes. Raises CommandError without a database.

    The lock ends with its transaction. So it is held behind a transaction pooler too, and never outlives the process.
    """
    with _connected() as lock:
        lock.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        lock.execute("SELECT pg_advisory_xact_lock(%s)", [_START_LOCK])
        yield


def _connected() -> psycopg.Connection[Any]:
    try:
        return psycopg.connect(**connection.get_connection_params())
    except psycopg.OperationalError as error:
        raise CommandError(about_database("unavailable", reason=error)) from None


def refuse_another_version(applied: Set[Node]) -> None:
    """Raise CommandError for a database of a newer program, or of the time before 1.0."""
    try:
        refuse_newer(in_todays_names(applied))
    except NewerDatabase as newer:
        raise CommandError(about_database("newer", migration=newer.name)) from None
    except BeforeFirstVersion:
        raise CommandError(about_database("before_first_version")) from None
