"""Databases beside that of the tests, filled from the dump of a release."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection, transaction
from django.test import override_settings
from psycopg import sql


@contextmanager
def another_database(name: str) -> Iterator[None]:
    """Create an empty database, and let this process use it instead of that of the tests; drop it in the end.

    Backups before an upgrade go to a folder of its own: writers take turns by a lock of their database, so those of
    two databases must not share one.
    """
    tests = connection.settings_dict["NAME"]
    _tell_the_server(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
    _tell_the_server(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
    _use(name)
    try:
        with TemporaryDirectory() as folder, override_settings(BACKUP_DIR=Path(folder)):
            yield
    finally:
        _use(tests)
        _tell_the_server(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name


def _tell_the_server(statement: sql.Composed) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


def load(file: Path) -> None:
    """Run a script of pg_dump in the database of this process.

    Settings of the session are left out, as an older server does not know all of them, and so is what only psql reads.
    """
    with (
        gzip.open(file, "rt", encoding="utf-8") as lines,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SET LOCAL check_function_bodies = off"
        )  # functions come before the tables that they read
        statements: list[str] = []
        for line in lines:
            if line.startswith("COPY ") and line.endswith("FROM stdin;\n"):
                cursor.execute("".join(statements))
                statements = []
                with cursor.copy(line.removesuffix(";\n")) as copy:
                    while (row := next(lines)) != "\\.\n":
                        copy.write(row)
            elif not line.startswith(("--", "SET ", "\\", "SELECT pg_catalog.set_config")):
                statements.append(line)
        cursor.execute("".join(statements))
