"""Restore of a dump into an empty database.

A temporary role, which may only read and write the rows of these tables, loads the rows, whatever the rights of the account
of DATABASE_URL. It exists only inside the loading transaction.
"""

import zipfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from secrets import token_hex

import psycopg
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, connection, transaction
from psycopg import sql

from scoring.services.backup import write_draft
from scoring.services.dump import (
    MADE_BY_MIGRATIONS,
    dumped_migrations,
    holds_rows,
    listed,
    sequence_of,
    use_plain_text,
)
from scoring.services.dump_file import ROWS, Manifest, TableDump, UnfitDump, opened
from scoring.services.upgrade import columns_of_tables
from tournaments.queries.database_version import Cursor, Node, last_of_each_app

LOADED_AFTER = {"tournaments_deskchange": ("tournaments_cashentry", "tournaments_payment")}
"""Tables to load after others, since their rows make triggers refuse rows of those: a closed desk takes no payment."""
ID_GAP = 1000
"""The number of ids skipped after a restore. Table ids of the last, unsaved minute may already be printed as codes; such
a code must never open another table's sheet."""
BEYOND_ROWS = ("pg_execute_server_program", "pg_read_server_files", "pg_write_server_files")
"""Roles that may run programs or access files on the database server."""
_BLOCK = 1 << 16
_OF_ROWS = ("22", "23", "42501", "54", "XX000")
"""SQLSTATEs or their prefixes: invalid values, violated constraints, insufficient privilege, limits exceeded, and what a worker of
Citus refuses in COPY, whose SQLSTATE the coordinator does not tell."""


def migrations_to_make(manifest: Manifest) -> list[Node]:
    """Return the target migrations before loading the dump: the last one of each app.

    Raises UnfitDump if the database is already ahead of them.
    """
    wanted = set(manifest.migrations)
    if beyond := sorted(dumped_migrations() - wanted):
        raise UnfitDump(
            f"The dump was made by an older program, and this database is already beyond it ({'.'.join(beyond[0])}). "
            "Restore into a new one: another DATA_DIR, or an empty database."
        )
    return last_of_each_app(wanted)


@contextmanager
def all_or_nothing(file: Path) -> Iterator[None]:
    """Run the block in one transaction. Raises UnfitDump if the database refuses the rows of the file."""
    try:
        with transaction.atomic(durable=True):
            yield
    except (DatabaseError, psycopg.Error) as error:
        cause = error if isinstance(error, psycopg.Error) else error.__cause__
        if not isinstance(cause, psycopg.Error) or not (cause.sqlstate or "").startswith(_OF_ROWS):
            raise
        reason = (cause.diag.message_primary or type(cause).__name__)[:200]
        raise UnfitDump(
            f"The database refuses the rows in {file} ({reason}). Take the one before it."
        ) from None


def load(file: Path, manifest: Manifest) -> None:
    """Load a dump into the empty database. Must be called inside `all_or_nothing`.

    Raises UnfitDump if the database is not empty, or if its tables are not those of the dump.
    """
    tables = {table.name: table for table in manifest.tables}
    if dumped_migrations() != set(manifest.migrations) or columns_of_tables(tables) != {
        (table.name, column) for table in manifest.tables for column in table.columns
    }:
        raise UnfitDump("The tables of this database are not those of the dump.")
    with opened(file) as archive, connection.cursor() as cursor:
        use_plain_text(cursor)
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        # Lets amounts pass that were booked before there was a largest amount.
        cursor.execute("SET LOCAL schnauz.restore = 'on'")
        with only_rows_of(cursor, tables):
            cursor.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(listed(tables)))
            _make_empty(cursor, tables)
            for name in _parents_first(cursor, tables):
                _load_table(cursor, archive, tables[name])
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in manifest.tables:
            _skip_ids(cursor, table)
    ContentType.objects.clear_cache()


@contextmanager
def only_rows_of(cursor: Cursor, tables: Collection[str]) -> Iterator[None]:
    """Give this transaction no rights inside the block but those on the rows of the tables."""
    cursor.execute(
        "SELECT current_user, current_schema(), rolsuper OR rolcreaterole, "
        "(SELECT bool_or(pg_has_role(session_user, rolname, 'MEMBER')) FROM pg_roles WHERE rolname = ANY(%s)) "
        "FROM pg_roles WHERE rolname = session_user",
        [list(BEYOND_ROWS)],
    )
    user, schema, makes_roles, reaches_files = cursor.fetchone()
    if not makes_roles:
        if reaches_files:
            raise UnfitDump(
                f"The account of DATABASE_URL may run programs or reach files on the database server ({', '.join(BEYOND_ROWS)}). "
                "Take these roles from it, or give it CREATEROLE, so that the restore can do without them."
            )
        yield
        return
    owner, loader = sql.Identifier(user), sql.Identifier(f"schnauz_loading_{token_hex(8)}")
    # The account may switch to the role, but does not inherit its rights.
    takes_on = sql.SQL(
        " WITH INHERIT FALSE, SET TRUE" if getattr(connection, "pg_version", 0) >= 160_000 else ""
    )
    become = sql.SQL("SET LOCAL ROLE {}")
    cursor.execute("SET LOCAL ROLE NONE")
    cursor.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(loader))
    cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER{}").format(loader, takes_on))
    cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(schema), loader))
    cursor.execute(become.format(owner))
    cursor.execute(sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}").format(listed(tables), loader))
    cursor.execute(become.format(loader))
    yield  # after an error the transaction is rolled back, and the role with it
    cursor.execute(become.format(owner))
    cursor.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(listed(tables), loader))
    cursor.execute("SET LOCAL ROLE NONE")
    cursor.execute(sql.SQL("REVOKE ALL ON SCHEMA {} FROM {}").format(sql.Identifier(schema), loader))
    cursor.execute(sql.SQL("DROP ROLE {}").format(loader))
    cursor.execute(become.format(owner))


def _make_empty(cursor: Cursor, tables: Mapping[str, TableDump]) -> None:
    for name in tables:
        if name not in MADE_BY_MIGRATIONS and holds_rows(cursor, name):
            raise UnfitDump(
                f"This database is not empty ({name}), and nothing in it is overwritten. "
                "Restore into a new one: another DATA_DIR, or an empty database."
            )
    for name in MADE_BY_MIGRATIONS:
        cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(name)))


def _parents_first(cursor: Cursor, tables: Mapping[str, TableDump]) -> list[str]:
    """Return the tables in an order that satisfies the non-deferrable foreign keys. Django's own keys are deferred."""
    cursor.execute(
        "SELECT child.relname, parent.relname FROM pg_constraint "
        "JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid "
        "WHERE contype = 'f' AND NOT condeferrable AND connamespace = current_schema()::regnamespace"
    )
    order = TopologicalSorter[str]({name: LOADED_AFTER.get(name, ()) for name in tables})
    for child, parent in cursor.fetchall():
        if child in tables and parent in tables and child != parent:
            order.add(child, parent)
    return list(order.static_order())


def _load_table(cursor: Cursor, archive: zipfile.ZipFile, table: TableDump) -> None:
    rows = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), listed(table.columns))
    with archive.open(ROWS.format(table.name)) as source, cursor.copy(rows) as copy:
        while block := source.read(_BLOCK):
            copy.write(block)
    if cursor.rowcount != table.rows:
        raise UnfitDump(f"{table.name}: {cursor.rowcount} rows of {table.rows}. Take the dump before it.")


def _skip_ids(cursor: Cursor, table: TableDump) -> None:
    sequence = sequence_of(cursor, table.name, table.columns[0])
    if (sequence is None) != (table.last_id is None):
        raise UnfitDump(f"{table.name}: the last id is missing, or one too many. Take the dump before it.")
    if sequence is not None:
        # Two statements: Citus lets a worker do all of one that reads a table, also what it does to a sequence.
        most = sql.SQL("SELECT coalesce(max({}), 0) FROM {}")
        cursor.execute(most.format(sql.Identifier(table.columns[0]), sql.Identifier(table.name)))
        [last_id] = cursor.fetchone()
        cursor.execute("SELECT setval(%s, %s)", [sequence, ID_GAP + max(table.last_id or 0, last_id)])


def keep_key(file: Path, key: str) -> None:
    """Replace the key of a new installation, whose database holds nothing signed with it yet."""
    write_draft(file.with_name(f"{file.name}.new"), lambda out: out.write(key.encode())).replace(file)
