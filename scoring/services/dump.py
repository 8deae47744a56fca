"""Dump and restore of the database as one file, so that another laptop can continue the evening.

A *dump* is a zip file. It contains the rows of every table of the program in COPY's text format, read in one snapshot,
and `manifest.json`, which describes them. It is not made by pg_dump: pg_dump must be as new as the server (a club may
use its own through DATABASE_URL), and its output restores only into a server as new as the dump. COPY's text format is
read by all versions.

A dump does not contain browser sessions, which would log in the finder of a stick; nor counts of wrong passwords and
the security log, with which strangers could cause backups until the older ones are gone; nor the note of the last backup.
With the server's key in it, the tables' links and the phones' cookies stay valid after a restore. Without, the key's
fingerprint shows whether two keys are the same.
"""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from psycopg import sql

from scoring.services.dump_file import (
    MANIFEST,
    ROWS,
    Manifest,
    Table,
    TableDump,
    fingerprint,
    manifest_in,
    of_dumped_apps,
    opened,
    todays_tables,
)
from tournaments.queries.database_version import Cursor, Node, applied_migrations, in_todays_names

MADE_BY_MIGRATIONS = ("auth_permission", "django_content_type")
"""Tables filled by migrations, in the order in which they can be emptied."""


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all queries inside the block in one read-only snapshot of the database."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            use_plain_text(cursor)
        yield


def dump(
    out: IO[bytes],
    *,
    key: str,
    with_key: bool,
    public_url: str,
    at: datetime,
    tables: Sequence[Table] | None = None,
) -> None:
    """Write the dump to `out`. Must be called inside `snapshot`.

    tables: of a database of an older version, as `tables_of_migrations` returns them; None for today's.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with connection.cursor() as cursor:
            written = tables or todays_tables()
            dumped = tuple(_dump_table(cursor, archive, *table) for table in written)
        manifest = Manifest(
            made_at=at.isoformat(),
            public_url=public_url,
            key=key if with_key else None,
            key_fingerprint=fingerprint(key),
            migrations=tuple(sorted(dumped_migrations())),
            tables=dumped,
        )
        archive.writestr(MANIFEST, manifest.to_json())


def same_content(first: Path, second: Path) -> bool:
    """Whether two dumps hold the same rows, migrations, key and address. The time of the dump is ignored."""
    return bool(_content(first) == _content(second))


def _content(file: Path) -> Any:
    with opened(file) as archive:
        manifest = manifest_in(archive)
        rows = {item.filename: item.CRC for item in archive.infolist() if item.filename != MANIFEST}
    return manifest.key, manifest.key_fingerprint, manifest.public_url, manifest.migrations, rows


def holds_data(tables: Iterable[Table]) -> bool:
    """Whether any of the tables has rows, other than MADE_BY_MIGRATIONS."""
    names = [name for name, _columns in tables if name not in MADE_BY_MIGRATIONS]
    with connection.cursor() as cursor:
        return any(holds_rows(cursor, name) for name in names)


def holds_rows(cursor: Cursor, table: str) -> bool:
    cursor.execute(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(table)))
    return bool(cursor.fetchone()[0])


def _dump_table(cursor: Cursor, archive: zipfile.ZipFile, name: str, columns: tuple[str, ...]) -> TableDump:
    # Without an order, rows of the same content come as they lie on disk, which differs after a restore.
    rows_by_id = sql.SQL("COPY (SELECT {} FROM {} ORDER BY {}) TO STDOUT").format(
        listed(columns), sql.Identifier(name), sql.Identifier(columns[0])
    )
    with archive.open(ROWS.format(name), "w") as out, cursor.copy(rows_by_id) as copy:
        for block in copy:
            out.write(block)
    rows = cursor.rowcount
    sequence = sequence_of(cursor, name, columns[0])
    if sequence is None:
        return TableDump(name, columns, rows, None)
    cursor.execute("SELECT coalesce(pg_sequence_last_value(%s::regclass), 0)", [sequence])
    return TableDump(name, columns, rows, cursor.fetchone()[0])


def dumped_migrations() -> set[Node]:
    """Return the applied migrations of the dumped apps."""
    return of_dumped_apps(in_todays_names(applied_migrations()))


def sequence_of(cursor: Cursor, table: str, column: str) -> str | None:
    """Return the sequence that the ids in this column come from, None if there is none."""
    cursor.execute("SELECT pg_get_serial_sequence(quote_ident(%s), %s)", [table, column])
    row: tuple[str | None] = cursor.fetchone()
    return row[0]


def listed(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def use_plain_text(cursor: Cursor) -> None:
    """Make the text format of times and numbers independent of the server's settings."""
    cursor.execute(
        "SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1"
    )
