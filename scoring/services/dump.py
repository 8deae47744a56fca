"""The database in one file, and back: what another laptop needs to go on with the evening.

A *dump* is a zip file: the rows of every table of ours as COPY writes them, read in one snapshot, and `manifest.json`,
which says what they are. It is made here and not by pg_dump, because that must be as new as the server (a club may
bring its own by DATABASE_URL) and restores only into one as new as the dump; COPY's text is read by all of them.

Not in it: log-ins of browsers (whoever finds the stick would be logged in) and failed ones. With the server's key in it,
the links on the tables and the phones' cookies stay good; without, its fingerprint says whether two keys are the same.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.utils.crypto import salted_hmac

FORMAT = "schnauz-turnier-dump/1"
LOCAL_APPS = frozenset({"axes", "sessions"})
MADE_BY_MIGRATIONS = ("auth_permission", "django_content_type")
"""Tables that are not empty in a new database, in the order in which they can be emptied."""
ID_GAP = 1000
"""Ids that are left out after a restore: what the last minute had given to tables, and printed on paper, was not saved;
a code that is lying about must never open somebody else's sheet."""
_MANIFEST = "manifest.json"
_ROWS = "tables/{}.copy"
_BLOCK = 1 << 16

Node = tuple[str, str]


class UnfitDump(Exception):
    """A dump that cannot be restored here; nothing has changed. The text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class TableDump:
    """name and columns as in the database; last_id: the highest id that was ever given out, None without ids."""

    name: str
    columns: tuple[str, ...]
    rows: int
    last_id: int | None


@dataclass(frozen=True, slots=True)
class Manifest:
    made_at: str
    public_url: str
    key: str | None
    key_fingerprint: str
    migrations: tuple[Node, ...]
    tables: tuple[TableDump, ...]

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1)

    @classmethod
    def from_json(cls, text: bytes) -> "Manifest":
        found = json.loads(text)
        if found.pop("format") != FORMAT:
            raise ValueError("format")
        tables = tuple(TableDump(**{**row, "columns": tuple(row["columns"])}) for row in found.pop("tables"))
        migrations = tuple((str(app), str(name)) for app, name in found.pop("migrations"))
        return cls(tables=tables, migrations=migrations, **found)


def fingerprint(key: str) -> str:
    """Tells whether two keys are the same, and nothing else about them."""
    return salted_hmac("scoring.services.dump", "key", secret=key, algorithm="sha256").hexdigest()[:16]


# --- out -----------------------------------------------------------------------------------------------------------


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything that is read inside, by whatever query, was so at one and the same moment."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            _plain_text(cursor)
        yield


def dump(out: IO[bytes], *, key: str, with_key: bool, public_url: str, at: datetime) -> None:
    """Writes the dump. To be called inside a snapshot."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with connection.cursor() as cursor:
            tables = tuple(_dump_table(cursor, archive, *table) for table in _tables())
        manifest = Manifest(
            made_at=at.isoformat(),
            public_url=public_url,
            key=key if with_key else None,
            key_fingerprint=fingerprint(key),
            migrations=tuple(sorted(_applied())),
            tables=tables,
        )
        archive.writestr(_MANIFEST, manifest.to_json())


def same_content(one: Path, other: Path) -> bool:
    """Two dumps of the same rows, key and address, whenever they were made."""
    return bool(_content(one) == _content(other))


def _content(file: Path) -> Any:
    with zipfile.ZipFile(file) as archive:
        found = _manifest(archive)
        rows = {item.filename: item.CRC for item in archive.infolist() if item.filename != _MANIFEST}
    return found.key, found.key_fingerprint, found.public_url, found.migrations, rows


def _tables() -> list[tuple[str, tuple[str, ...]]]:
    """Every table of the program but the local ones, with its columns."""
    return [
        (model._meta.db_table, tuple(field.column or "" for field in model._meta.local_concrete_fields))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.app_label not in LOCAL_APPS
    ]


def _dump_table(
    cursor: CursorWrapper, archive: zipfile.ZipFile, name: str, columns: tuple[str, ...]
) -> TableDump:
    with (
        archive.open(_ROWS.format(name), "w") as out,
        cursor.copy(f"COPY {_quoted(name)} ({_listed(columns)}) TO STDOUT") as copy,
    ):
        for block in copy:
            out.write(block)
    rows = cursor.rowcount
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [_quoted(name), columns[0]])
    (sequence,) = cursor.fetchone()
    if sequence is None:
        return TableDump(name, columns, rows, None)
    cursor.execute("SELECT coalesce(pg_sequence_last_value(%s::regclass), 0)", [sequence])
    return TableDump(name, columns, rows, cursor.fetchone()[0])


def _applied() -> set[Node]:
    """The migrations that made the tables as they are."""
    labels = {config.label for config in apps.get_app_configs()} - LOCAL_APPS
    return {node for node in MigrationLoader(connection).applied_migrations if node[0] in labels}


# --- back ----------------------------------------------------------------------------------------------------------


def read_manifest(file: Path) -> Manifest:
    """What a dump says of itself, after every byte of it was checked. Raises UnfitDump."""
    try:
        with zipfile.ZipFile(file) as archive:
            if (broken := archive.testzip()) is not None:
                raise UnfitDump(f"{file} is damaged ({broken}). Take the one before it.")
            found = _manifest(archive)
            missing = {_ROWS.format(table.name) for table in found.tables} - set(archive.namelist())
    except OSError as error:
        raise UnfitDump(f"{file}: {error.strerror or error}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        EOFError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        raise UnfitDump(
            f"{file} is no whole dump of this program ({error}). Take the one before it."
        ) from None
    if missing:
        raise UnfitDump(f"{file} lacks {', '.join(sorted(missing))}. Take the one before it.")
    return found


def migrations_to_make(manifest: Manifest) -> list[Node]:
    """Where a database has to be brought before the dump fits into it: the last migration of each app.

    Raises UnfitDump if the dump is of a newer program, or the database already beyond it.
    """
    loader = MigrationLoader(connection)
    wanted = set(manifest.migrations)
    if unknown := sorted(wanted - set(loader.disk_migrations)):
        raise UnfitDump(
            f"The dump was made by a newer program ({'.'.join(unknown[0])} is not known here). "
            "Bring this one up to date, then restore."
        )
    if beyond := sorted(_applied() - wanted):
        raise UnfitDump(
            f"The dump was made by an older program, and this database is already beyond it ({'.'.join(beyond[0])}). "
            "Restore into a new one: another DATA_DIR, or an empty database."
        )
    return sorted(node for node in wanted if not _goes_on(node, wanted, loader))


def _goes_on(node: Node, wanted: set[Node], loader: MigrationLoader) -> bool:
    """Whether one of the same app comes after it."""
    children = {child.key for child in loader.graph.node_map[node].children}
    return any(child in wanted and child[0] == node[0] for child in children)


def load(file: Path, manifest: Manifest, *, key_file: Path | None) -> None:
    """Fills the empty database with a dump, all or nothing. key_file: where this installation keeps its key, if it does.

    Raises UnfitDump if there is anything in the database, or if its migrations are not those of the dump.
    """
    if _applied() != set(manifest.migrations):
        raise UnfitDump("The tables of this database are not those of the dump.")
    tables = {table.name: table for table in manifest.tables}
    with (
        zipfile.ZipFile(file) as archive,
        transaction.atomic(durable=True),
        connection.cursor() as cursor,
    ):
        _plain_text(cursor)
        cursor.execute(f"LOCK TABLE {_listed(tables)} IN ACCESS EXCLUSIVE MODE")
        _make_empty(cursor, tables)
        for name in _parents_first(cursor, tables):
            _load_table(cursor, archive, tables[name])
        if manifest.key and key_file:
            _keep_key(key_file, manifest.key)
    ContentType.objects.clear_cache()


def _make_empty(cursor: CursorWrapper, tables: Iterable[str]) -> None:
    for name in tables:
        cursor.execute(f"SELECT EXISTS (SELECT FROM {_quoted(name)})")
        if cursor.fetchone()[0] and name not in MADE_BY_MIGRATIONS:
            raise UnfitDump(
                f"This database is not empty ({name}), and nothing in it is overwritten. "
                "Restore into a new one: another DATA_DIR, or an empty database."
            )
    for name in MADE_BY_MIGRATIONS:
        cursor.execute(f"DELETE FROM {_quoted(name)}")


def _parents_first(cursor: CursorWrapper, tables: Mapping[str, TableDump]) -> list[str]:
    """An order in which the keys that are checked at once (Django's own wait for the end) find what they refer to."""
    cursor.execute(
        "SELECT child.relname, parent.relname FROM pg_constraint "
        "JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid "
        "WHERE contype = 'f' AND NOT condeferrable AND connamespace = current_schema()::regnamespace"
    )
    order = TopologicalSorter[str](dict.fromkeys(tables, ()))
    for child, parent in cursor.fetchall():
        if child in tables and parent in tables and child != parent:
            order.add(child, parent)
    return list(order.static_order())


def _load_table(cursor: CursorWrapper, archive: zipfile.ZipFile, table: TableDump) -> None:
    with (
        archive.open(_ROWS.format(table.name)) as source,
        cursor.copy(f"COPY {_quoted(table.name)} ({_listed(table.columns)}) FROM STDIN") as copy,
    ):
        while block := source.read(_BLOCK):
            copy.write(block)
    if cursor.rowcount != table.rows:
        raise UnfitDump(f"{table.name}: {cursor.rowcount} rows of {table.rows}. Take the dump before it.")
    if table.last_id is not None:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, %s)::regclass, %s)",
            [_quoted(table.name), table.columns[0], table.last_id + ID_GAP],
        )


def _keep_key(file: Path, key: str) -> None:
    """Replaces the key that was made for a new installation, in whose database nothing is signed yet."""
    draft = file.with_name(f"{file.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(key)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)


# --- both ----------------------------------------------------------------------------------------------------------


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    return Manifest.from_json(archive.read(_MANIFEST))


def _plain_text(cursor: CursorWrapper) -> None:
    """However a server is set up, moments and numbers are written and read alike."""
    cursor.execute(
        "SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1"
    )


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))
