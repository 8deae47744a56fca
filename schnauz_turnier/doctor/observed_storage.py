"""Facts of the database and the backups. Imports no models: they would need settings that Django accepts."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from schnauz_turnier.doctor.observed_machine import on_the_same_disk, write_failure
from schnauz_turnier.doctor.storage import BackupFacts, DatabaseFacts, MigrationFacts
from schnauz_turnier.postgresql.database import DatabaseUnavailable
from schnauz_turnier.postgresql.embedded.cluster import Cluster
from tournaments.queries.database_version import known_migrations

OURS = ("tournaments", "scoring")
MOMENTS = {
    "django_migrations": "applied",
    "scoring_entry": "recorded_at",
    "tournaments_participant": "registered_at",
    "tournaments_drawrecord": "made_at",
}
"""Columns, by table, with the time of a write by this installation's clock."""
_BACKUP = re.compile(r"schnauz-turnier-\d{6,}-(\d{8}T\d{6})Z\.zip", re.ASCII)


@dataclass(frozen=True, slots=True)
class Observed:
    """The database and what could be read in it. newest_at: the latest entry; now: the time by the database's clock."""

    database: DatabaseFacts
    migrations: MigrationFacts | None = None
    newest_at: datetime | None = None
    now: datetime | None = None


def database(data_dir: Path, *, embedded: bool) -> Observed:
    """Connect to the database and read in it. The embedded one is started for it, unless it has not been made yet."""
    made_by = programs = 0
    if embedded:
        cluster = data_dir / "cluster"
        made_by = _number_in(cluster / "PG_VERSION")
        if not made_by:
            return Observed(DatabaseFacts(embedded=True, made=False))
        try:
            programs = Cluster.at(cluster).major_version
        except DatabaseUnavailable as failure:
            return Observed(
                DatabaseFacts(embedded=True, failure=str(failure), made_by=made_by, programs=programs)
            )
    try:  # bypasses the pool, which would wait without an error
        with psycopg.connect(**connection.get_connection_params()) as database:
            return _read(database, embedded=embedded, made_by=made_by, programs=programs)
    except psycopg.Error as failure:
        reason = str(failure).strip()
        return Observed(DatabaseFacts(embedded, failure=reason, made_by=made_by, programs=programs))


def _number_in(file: Path) -> int:
    with suppress(OSError, ValueError):
        return int(file.read_text(encoding="utf-8").split(".")[0])
    return 0


def _read(database: psycopg.Connection[Any], *, embedded: bool, made_by: int, programs: int) -> Observed:
    major = database.info.server_version // 10_000
    facts = DatabaseFacts(embedded, major=major, made_by=made_by, programs=programs)
    now = database.execute("SELECT clock_timestamp()").fetchone()
    return Observed(facts, migrations(_recorded(database)), _newest(database), now[0] if now else None)


def _recorded(database: psycopg.Connection[Any]) -> set[tuple[str, str]]:
    if database.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,):
        return set()
    return {(app, name) for app, name in database.execute("SELECT app, name FROM django_migrations")}


def migrations(recorded: set[tuple[str, str]]) -> MigrationFacts:
    """Compare the migrations that the database records with those of this program."""
    unknown = {key for key in recorded if key[0] in OURS} - known_migrations()
    pending = known_migrations() - recorded
    return MigrationFacts(tuple(f"{app} {name}" for app, name in sorted(unknown)), len(pending), not recorded)


def _newest(database: psycopg.Connection[Any]) -> datetime | None:
    found = []
    for table, column in MOMENTS.items():
        if database.execute("SELECT to_regclass(%s)", [table]).fetchone() != (None,):
            newest = sql.SQL("SELECT max({}) FROM {}").format(sql.Identifier(column), sql.Identifier(table))
            found += [row[0] for row in database.execute(newest) if row[0] is not None]
    return max(found, default=None)


def backups(folder: Path | None, data_dir: Path, changed_at: datetime | None) -> BackupFacts:
    if folder is None:
        return BackupFacts(None)
    failure = write_failure(folder)
    if failure:
        return BackupFacts(folder, failure)
    names = (_BACKUP.fullmatch(entry.name) for entry in folder.iterdir())
    made = [datetime.strptime(name[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) for name in names if name]
    same = on_the_same_disk(folder, data_dir)
    return BackupFacts(folder, "", max(made, default=None), changed_at, on_the_same_disk=same)
