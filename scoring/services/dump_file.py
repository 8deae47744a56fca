"""The file of a dump: a zip with the rows of each table, and `manifest.json`, which describes them.

A stick may have been tampered with, so the file is read as hostile. Its sizes are bounded before anything is
unpacked, its manifest is read strictly, and its tables have to be those of its migrations.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from django.apps import apps
from django.db.models import Model
from django.utils.crypto import salted_hmac

from scoring.models import BackupNote
from tournaments.core.document_reader import DocumentError, Reader
from tournaments.core.strict_json import read
from tournaments.models import Receipt, SecurityEvent, WrongPasswords
from tournaments.queries.database_version import (
    FIRST,
    BeforeFirstVersion,
    NewerDatabase,
    Node,
    in_todays_names,
    known_migrations,
    models_of,
    needed_by,
    refuse_newer,
)

FORMAT = "schnauz-turnier-dump/1"
LOCAL_APPS = frozenset({"sessions"})
LOCAL_TABLES = frozenset(
    model._meta.db_table for model in (BackupNote, Receipt, SecurityEvent, WrongPasswords)
)
MANIFEST = "manifest.json"
ROWS = "tables/{}.copy"

MOST_BYTES = 4 << 30
"""Size of all unpacked rows."""
MOST_TIMES = 200
"""Largest ratio of unpacked rows to the file. Dumps of evenings have three to eight."""
MOST_OF_MANIFEST = 1 << 20
MOST_AT_ONCE = 1 << 20
SHORTEST_KEY = 50
"""Characters of a key that cannot be guessed, as for SECRET_KEY."""
LARGEST = 2**63 - 1

_ENCRYPTED = 1
_TABLES = "0001_tables"
_NAME = re.compile(r"\w{1,255}", re.ASCII)
_KEY = re.compile(r".{1,1000}")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_ADDRESS = re.compile(r"(?:https?://[^\s/]\S{0,250})?")

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
    """A dump's description of itself. Its names are used in SQL only after they match tables and columns here."""

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
        """Raises UnreadableJson, DocumentError and BeforeFirstVersion."""
        fields = Reader(read(text)).fields(
            ("format", "made_at", "public_url", "key", "key_fingerprint", "migrations", "tables")
        )
        fields["format"].choice([FORMAT])
        fields["made_at"].moment()
        return cls(
            made_at=fields["made_at"].value,
            public_url=_matched(fields["public_url"], _ADDRESS),
            key=_matched(fields["key"], _KEY) if fields.has("key") else None,
            key_fingerprint=_matched(fields["key_fingerprint"], _FINGERPRINT),
            migrations=tuple(sorted(in_todays_names(map(_node, fields["migrations"].items())))),
            tables=tuple(map(_table, fields["tables"].items())),
        )


def _node(node: Reader) -> Node:
    names = tuple(_matched(name, _NAME) for name in node.items())
    if len(names) != 2:
        raise node.error("document_list_expected")
    return names


def _table(table: Reader) -> TableDump:
    fields = table.fields(("name", "columns", "rows", "last_id"))
    return TableDump(
        name=_matched(fields["name"], _NAME),
        columns=tuple(_matched(column, _NAME) for column in fields["columns"].items()),
        rows=fields["rows"].whole(most=LARGEST),
        last_id=fields["last_id"].whole(most=LARGEST) if fields.has("last_id") else None,
    )


def _matched(text: Reader, pattern: re.Pattern[str]) -> str:
    if not isinstance(text.value, str) or not pattern.fullmatch(text.value) or not text.value.isprintable():
        raise text.error("document_text_expected")
    return text.value


def fingerprint(key: str) -> str:
    """Return a digest that shows whether two keys are the same and reveals nothing else about them."""
    return salted_hmac("scoring.services.dump", "key", secret=key, algorithm="sha256").hexdigest()[:16]


# --- the zip file --------------------------------------------------------------------------------------------------


class _FileInPieces(io.FileIO):
    """A file that can be read only in pieces, so that a zip directory of any length is not held in memory."""

    def read(self, size: int | None = -1) -> bytes:
        most = MOST_AT_ONCE + 1
        piece = super().read(most if size is None or size < 0 else min(size, most))
        if len(piece) > MOST_AT_ONCE:
            raise zipfile.BadZipFile("a part of it is too large")
        return piece


@contextmanager
def opened(file: Path) -> Iterator[zipfile.ZipFile]:
    """Open a dump. Raises UnfitDump, also for damage and excess size detected while reading."""
    try:
        with _FileInPieces(file) as content, zipfile.ZipFile(content) as archive:
            _refuse_size(archive.infolist(), file.stat().st_size)
            yield archive
    except OSError as error:
        raise UnfitDump(f"{file}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
        raise _no_whole_dump(file, error) from None


def _refuse_size(members: list[zipfile.ZipInfo], size: int) -> None:
    if len({member.filename for member in members}) != len(members):
        raise zipfile.BadZipFile("a part of it is there twice")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise zipfile.BadZipFile("it is packed in another way")
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise zipfile.BadZipFile("it is encrypted")
    if sum(member.file_size for member in members) > min(MOST_BYTES, MOST_OF_MANIFEST + MOST_TIMES * size):
        raise zipfile.BadZipFile("unpacked it is too large")


def _no_whole_dump(file: Path, error: object) -> UnfitDump:
    return UnfitDump(f"{file} is no whole dump of this program ({error}). Take the one before it.")


def manifest_in(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest, checking only its form. Raises KeyError, BadZipFile, and what `from_json` does."""
    with archive.open(MANIFEST) as source:
        text = source.read(MOST_OF_MANIFEST + 1)
    if len(text) > MOST_OF_MANIFEST:
        raise zipfile.BadZipFile("its manifest is too large")
    return Manifest.from_json(text)


def read_manifest(file: Path) -> Manifest:
    """Check every byte of a dump, and that it has the tables of its migrations; return its manifest. Raises UnfitDump."""
    with opened(file) as archive:
        try:
            if (broken := archive.testzip()) is not None:
                raise UnfitDump(f"{file} is damaged ({broken}). Take the one before it.")
            manifest = manifest_in(archive)
        except BeforeFirstVersion:
            raise UnfitDump(
                f"{file} was made before 1.0. Restore it with the program that made it, export the tournaments "
                "(export_tournament), and import them here (import_tournament)."
            ) from None
        except DocumentError as error:
            raise _no_whole_dump(file, f"{MANIFEST}: {error.path}") from None
        except (KeyError, ValueError) as error:
            raise _no_whole_dump(file, error) from None
        _refuse_weak_key(file, manifest)
        _refuse_other_tables(file, manifest)
        _refuse_other_members(file, manifest, set(archive.namelist()))
    return manifest


def _refuse_weak_key(file: Path, manifest: Manifest) -> None:
    if manifest.key is None:
        return
    if len(manifest.key) < SHORTEST_KEY:
        raise UnfitDump(
            f"The key in {file} has less than {SHORTEST_KEY} characters: others could guess it, and sign what only this "
            "program may. Take a dump without a key, or with another one."
        )
    if fingerprint(manifest.key) != manifest.key_fingerprint:
        raise _no_whole_dump(file, "its key is another one than it says")


def _refuse_other_members(file: Path, manifest: Manifest, members: set[str]) -> None:
    expected = {ROWS.format(table.name) for table in manifest.tables} | {MANIFEST}
    if missing := sorted(expected - members):
        raise UnfitDump(f"{file} lacks {', '.join(missing)}. Take the one before it.")
    if others := sorted(members - expected):
        raise _no_whole_dump(file, f"it holds {others[0]}")


# --- its tables ----------------------------------------------------------------------------------------------------


def _refuse_other_tables(file: Path, manifest: Manifest) -> None:
    """Refuse a manifest unless it names exactly the tables and columns that its migrations make, each once."""
    try:
        refuse_newer(set(manifest.migrations))
    except NewerDatabase as newer:
        raise UnfitDump(
            f"The dump was made by a newer program ({newer.name} is not known here). "
            "Bring this one up to date, then restore."
        ) from None
    if not _is_a_version(frozenset(manifest.migrations)):
        raise _no_whole_dump(file, "its migrations are those of no version")
    expected = dict(tables_of_migrations(frozenset(manifest.migrations)))
    if sorted(table.name for table in manifest.tables) != sorted(expected):
        raise _no_whole_dump(file, "its tables are not those of its migrations")
    for table in manifest.tables:
        if sorted(table.columns) != sorted(expected[table.name]):
            raise _no_whole_dump(file, f"the columns of {table.name} are not those of its migrations")


def is_of_this_version(manifest: Manifest) -> bool:
    """Whether the migrations of the dump are those of this program."""
    return set(manifest.migrations) == of_dumped_apps(known_migrations())


@lru_cache(maxsize=8)
def _is_a_version(migrations: frozenset[Node]) -> bool:
    """Whether exactly these migrations can have been applied, and the first ones, which made all tables of 1.0, were."""
    first = {node for node in FIRST if node[1] == _TABLES}
    return migrations >= first and of_dumped_apps(needed_by(migrations)) == migrations


def of_dumped_apps(migrations: Iterable[Node]) -> set[Node]:
    labels = {config.label for config in apps.get_app_configs()} - LOCAL_APPS
    return {node for node in migrations if node[0] in labels}


@lru_cache(maxsize=8)
def tables_of_migrations(applied: frozenset[Node]) -> list[Table]:
    """Return the tables that the given migrations have made, whatever today's models are."""
    return listed_tables(models_of(applied))


def todays_tables() -> list[Table]:
    return listed_tables(apps.get_models(include_auto_created=True))


def listed_tables(models: Iterable[type[Model]]) -> list[Table]:
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
