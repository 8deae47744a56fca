"""Upgrade of a database to this version of the program.

A database of a newer program is refused. One with data is backed up before anything changes. All migrations, and
the comparison of the tables afterwards, are one transaction: after a power cut the database is the old or the new one.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction

from scoring.services.backup import back_up_tables, make_folder
from scoring.services.dump import holds_data
from scoring.services.dump_file import tables_of_migrations
from tournaments.current_club import current_club
from tournaments.queries.database_version import (
    applied_migrations,
    in_todays_names,
    known_migrations,
    record_migrations,
    refuse_newer,
)

FOLDER = "before-update"
"""Subfolder for these backups: in the folder of all others, twenty later ones would displace them."""


class OtherTables(Exception):
    """The tables differ from the models, e.g. because a migration was edited after it was applied."""


class NoBackup(Exception):
    """The backup before the upgrade failed; nothing has changed. folder: where it should have been."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(reason)
        self.folder = folder


def back_up_before_upgrade(*, at: datetime) -> Path | None:
    """Back up a database with data and return the path of the dump; None for one without.

    Raises NewerDatabase, BeforeFirstVersion and NoBackup.
    """
    applied = in_todays_names(applied_migrations())
    refuse_newer(applied)
    if not applied:
        return None
    tables = tables_of_migrations(frozenset(applied))
    return _backed_up(tables, at) if holds_data(tables) else None


def is_behind() -> bool:
    """Whether migrations of this program are missing. Raises NewerDatabase and BeforeFirstVersion."""
    applied = applied_migrations()
    refuse_newer(in_todays_names(applied))
    return not known_migrations() <= applied


@contextmanager
def as_a_whole() -> Iterator[None]:
    """Run the migrations of the block in one transaction. See `between_migrations`."""
    with transaction.atomic():
        between_migrations()
        applied = applied_migrations()
        record_migrations(applied, in_todays_names(applied))
        yield


def between_migrations() -> None:
    """Check the deferred constraints of the last migration, as the end of its own transaction would.

    The next migration cannot alter a table with pending checks.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def refuse_other_tables() -> None:
    """Compare the tables with the models. Raises OtherTables, which names a column that one of them has alone."""
    models = [model._meta for model in apps.get_models(include_auto_created=True)]
    expected = {
        (meta.db_table, str(field.column))
        for meta in models
        if meta.managed and not meta.proxy
        for field in meta.local_concrete_fields
    }
    if different := sorted(expected ^ columns_of_tables({table for table, _column in expected})):
        raise OtherTables(".".join(different[0]))


def columns_of_tables(names: Collection[str]) -> set[tuple[str, str]]:
    """Return (table, column) of each column of these tables in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
            "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname = ANY(%s) "
            "AND attnum > 0 AND NOT attisdropped",
            [sorted(names)],
        )
        return set(cursor.fetchall())


def _backed_up(tables: list[tuple[str, tuple[str, ...]]], at: datetime) -> Path:
    folder = settings.BACKUP_DIR or settings.DATA_DIR
    make_folder(folder)
    try:
        if not folder.is_dir():
            raise FileNotFoundError(2, "No such folder", str(folder))
        club = current_club()
        folder = folder / club.slug / FOLDER if club else folder / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return back_up_tables(folder, tables, at=at)
    except OSError as error:
        raise NoBackup(folder, error.strerror or str(error)) from error
