"""Databases beside that of the tests, on the same server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from psycopg import sql

MIGRATED = "migrated_for_tests"


def create_database(template: str = "template0") -> str:
    """Create a database with a name of its own, empty or a copy of another one. Return the name."""
    name = f"beside_{uuid4().hex}"
    create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
    _on_the_server(create.format(sql.Identifier(name), sql.Identifier(template)))
    return name


def make_migrated_database() -> str:
    """Make a database with the tables of the program, of which others are copied, and return its name. The next run replaces it."""
    tests, migrated = connection.settings_dict["NAME"], sql.Identifier(MIGRATED)
    _on_the_server(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(migrated))
    _on_the_server(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(migrated))
    connection.close()
    connection.settings_dict["NAME"] = MIGRATED
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()  # nobody may be connected to a database that is copied
        connection.settings_dict["NAME"] = tests
    return MIGRATED


def drop_database(name: str) -> None:
    _on_the_server(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def another_database(template: str = "template0") -> Iterator[None]:
    """Use a new database inside the block, instead of that of the tests.

    Its backups go to a folder of its own: writers take turns by a lock of their database, so those of two databases must not
    share one.
    """
    tests = connection.settings_dict["NAME"]
    connection.close()  # nobody may be connected to a database that is copied
    name = create_database(template)
    connection.settings_dict["NAME"] = name
    try:
        with TemporaryDirectory() as folder, override_settings(BACKUP_DIR=Path(folder)):
            yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = tests
        drop_database(name)


def _on_the_server(statement: sql.Composed) -> None:
    """Execute a statement that belongs into no transaction, also where a test may not query the database."""
    here = connection.get_connection_params() | {"dbname": "postgres"}
    plain = {key: here[key] for key in ("host", "port", "user", "password", "dbname") if key in here}
    with psycopg.connect(**plain, autocommit=True) as server:
        server.execute(statement)
