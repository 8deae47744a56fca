"""Dump and restore of the database as one file, so that another laptop can continue the evening.

A *dump* is a zip file. It contains the rows of every table of the program in COPY's text format, read in one snapshot,
and `manifest.json`, which describes them. It is not made by pg_dump: pg_dump must be as new as the server (a club may
use its own through DATABASE_URL), and its output restores only into a server as new as the dump. COPY's text format is
read by all versions.

A dump does not contain browser sessions, since the finder of a stick would be logged in, nor counts of wrong passwords, nor
the security log, as strangers could otherwise cause one backup after another until the older ones are gone, nor the note
of the last backup. If it contains the server's key, the tables' links and the phones' cookies stay valid after a restore. Otherwise the key's
fingerprint shows whether two keys are the same.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from django.db.models import Model
from django.utils.crypto import salted_hmac

from scoring.models import BackupNote
from tournaments.models import SecurityEvent, WrongPasswords
from tournaments.queries.database_version import (
    BeforeFirstVersion,
    NewerDatabase,
    Node,
    applied_migrations,
    in_todays_names,
    known_migrations,
    refuse_newer,
)

FORMAT = "schnauz-turnier-dump/1"
LOCAL_APPS = frozenset({"sessions"})
LOCAL_TABLES = frozenset(model._meta.db_table for model in (BackupNote, SecurityEvent, WrongPasswords))
MADE_BY_MIGRATIONS = ("auth_permission", "django_content_type")
"""Tables that migrations fill, in the order in which they can be emptied."""
LOADED_AFTER = {"tournaments_deskchange": ("tournaments_cashentry", "tournaments_payment")}
"""Tables whose rows make triggers refuse rows of others: a closed desk takes no line and no payment."""
ID_GAP = 1000
"""The number of ids skipped after a restore. Table ids of the last, unsaved minute may already be printed as codes; such
a code must never open another table's sheet."""
_MANIFEST = "manifest.json"
_ROWS = "tables/{}.copy"
_BLOCK = 1 << 16

Table = tuple[str, tuple[str, ...]]
"""Name and columns of a table, the primary key first."""


class UnfitDump(Exception):
    """A dump cannot be restored here; nothing has changed. The text says why and what to do."""


@dataclass(frozen=True, slots=True)
class TableDump:
    """A table of a dump. name, columns: as in the database. last_id: the highest id ever assigned, None without ids."""

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
        migrations = in_todays_names((str(app), str(name)) for app, name in found.pop("migrations"))
        return cls(tables=tables, migrations=tuple(sorted(migrations)), **found)


def fingerprint(key: str) -> str:
    """Return a digest that shows whether two keys are the same and reveals nothing else about them."""
    return salted_hmac("scoring.services.dump", "key", secret=key, algorithm="sha256").hexdigest()[:16]


# --- out -----------------------------------------------------------------------------------------------------------


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all queries inside the block in one read-only snapshot of the database."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            _plain_text(cursor)
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

    tables: those of a database of an older version, as `tables_of_migrations` returns them; without, today's.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with connection.cursor() as cursor:
            written = tables or _listed_tables(apps.get_models(include_auto_created=True))
            dumped = tuple(_dump_table(cursor, archive, *table) for table in written)
        manifest = Manifest(
            made_at=at.isoformat(),
            public_url=public_url,
            key=key if with_key else None,
            key_fingerprint=fingerprint(key),
            migrations=tuple(sorted(_applied())),
            tables=dumped,
        )
        archive.writestr(_MANIFEST, manifest.to_json())


def same_content(one: Path, other: Path) -> bool:
    """Whether two dumps hold the same rows, migrations, key and address. The time of the dump is ignored."""
    return bool(_content(one) == _content(other))


def _content(file: Path) -> Any:
    with zipfile.ZipFile(file) as archive:
        found = _manifest(archive)
        rows = {item.filename: item.CRC for item in archive.infolist() if item.filename != _MANIFEST}
    return found.key, found.key_fingerprint, found.public_url, found.migrations, rows


def tables_of_migrations(applied: Iterable[Node]) -> list[Table]:
    """Return the tables that the given migrations have made, whatever today's models are."""
    loader = MigrationLoader(connection)
    state = loader.project_state([node for node in applied if node in loader.graph.nodes])
    return _listed_tables(state.apps.get_models(include_auto_created=True))


def holds_data(tables: Iterable[Table]) -> bool:
    """Whether there is anything in the tables but what migrations fill in."""
    filled = (
        f"EXISTS (SELECT FROM {_quoted(name)})" for name, _columns in tables if name not in MADE_BY_MIGRATIONS
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' OR '.join(filled)}")
        return bool(cursor.fetchone()[0])


def _listed_tables(models: Iterable[type[Model]]) -> list[Table]:
    """Return the tables of the models, except LOCAL_APPS and LOCAL_TABLES."""
    return [
        (model._meta.db_table, _columns(model))
        for model in models
        if model._meta.managed
        and not model._meta.proxy
        and model._meta.app_label not in LOCAL_APPS
        and model._meta.db_table not in LOCAL_TABLES
    ]


def _columns(model: type[Model]) -> tuple[str, ...]:
    fields = sorted(model._meta.local_concrete_fields, key=lambda field: not field.primary_key)
    return tuple(field.column or "" for field in fields)


def _dump_table(
    cursor: CursorWrapper, archive: zipfile.ZipFile, name: str, columns: tuple[str, ...]
) -> TableDump:
    # Without an order, rows of the same content come as they lie on disk, which differs after a restore.
    rows_by_id = f"SELECT {_listed(columns)} FROM {_quoted(name)} ORDER BY {_quoted(columns[0])}"
    with (
        archive.open(_ROWS.format(name), "w") as out,
        cursor.copy(f"COPY ({rows_by_id}) TO STDOUT") as copy,
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
    """Return the applied migrations of the dumped apps."""
    return _of_dumped_apps(in_todays_names(applied_migrations()))


def _of_dumped_apps(migrations: Iterable[Node]) -> set[Node]:
    labels = {config.label for config in apps.get_app_configs()} - LOCAL_APPS
    return {node for node in migrations if node[0] in labels}


# --- back ----------------------------------------------------------------------------------------------------------


def read_manifest(file: Path) -> Manifest:
    """Check every byte of a dump and return its manifest. Raises UnfitDump."""
    try:
        with zipfile.ZipFile(file) as archive:
            if (broken := archive.testzip()) is not None:
                raise UnfitDump(f"{file} is damaged ({broken}). Take the one before it.")
            found = _manifest(archive)
            missing = {_ROWS.format(table.name) for table in found.tables} - set(archive.namelist())
    except OSError as error:
        raise UnfitDump(f"{file}: {error.strerror or error}") from None
    except BeforeFirstVersion:
        raise UnfitDump(
            f"{file} was made before 1.0. Restore it with the program that made it, export the tournaments "
            "(export_tournament), and import them here (import_tournament)."
        ) from None
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


def is_of_this_version(manifest: Manifest) -> bool:
    """Whether the tables of the dump are those that this program makes."""
    return set(manifest.migrations) == _of_dumped_apps(known_migrations())


def migrations_to_make(manifest: Manifest) -> list[Node]:
    """Return the migrations to migrate the database to before the dump is loaded: the last one of each app.

    Raises UnfitDump if a newer program made the dump, or if the database is already ahead of it.
    """
    loader = MigrationLoader(connection)
    wanted = set(manifest.migrations)
    try:
        refuse_newer(wanted)
    except NewerDatabase as newer:
        raise UnfitDump(
            f"The dump was made by a newer program ({newer.name} is not known here). "
            "Bring this one up to date, then restore."
        ) from None
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
    """Load a dump into the empty database, all or nothing. key_file: the file of this installation's key, if it has one.

    Raises UnfitDump if the database is not empty, or if its migrations are not those of the dump.
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
        # What was booked before there was a largest amount comes back as well.
        cursor.execute("SET LOCAL schnauz.restore = 'on'")
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
    """Replace the key of a new installation, with which nothing in the database is signed yet."""
    draft = file.with_name(f"{file.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(key)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)


# --- both ----------------------------------------------------------------------------------------------------------


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    return Manifest.from_json(archive.read(_MANIFEST))


def _plain_text(cursor: CursorWrapper) -> None:
    """Make the text format of times and numbers independent of the server's settings."""
    cursor.execute(
        "SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1"
    )


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))
