"""Checks of settings, database, migrations and backups, from facts to findings."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader

from schnauz_turnier.doctor import storage
from schnauz_turnier.doctor.findings import Health
from schnauz_turnier.doctor.observed_storage import backups, migrations
from schnauz_turnier.doctor.storage import BackupFacts, DatabaseFacts, MigrationFacts
from tests.doctor.test_machine import OK, WARNING, WRONG, said

STICK = Path("stick")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_settings() -> None:
    assert said(storage.check_settings("")) == (OK, "Alle verstanden.")
    assert said(storage.check_settings("DEBUG='7' is not known.")) == (WRONG, "DEBUG='7' is not known.")


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (DatabaseFacts(embedded=True, made=False), (OK, "Wird beim ersten Start angelegt.")),
        (DatabaseFacts(embedded=True, major=18, made_by=18, programs=18), (OK, "PostgreSQL 18 antwortet.")),
        (DatabaseFacts(embedded=False, major=15), (OK, "PostgreSQL 15 antwortet.")),
        (DatabaseFacts(embedded=False, major=14), (WRONG, "PostgreSQL 14 ist zu alt.")),
        (
            DatabaseFacts(embedded=True, made_by=17, programs=18, failure="no matter"),
            (WRONG, "Sie stammt von PostgreSQL 17, hier ist aber PostgreSQL 18."),
        ),
        (
            DatabaseFacts(embedded=False, failure="connection refused"),
            (WRONG, "Sie antwortet nicht: connection refused"),
        ),
    ],
)
def test_database(facts: DatabaseFacts, result: tuple[Health, str]) -> None:
    assert said(storage.check_database(facts)) == result


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (MigrationFacts((), 0), (OK, "Passt zum Programm.")),
        (MigrationFacts((), 40, empty=True), (OK, "Noch leer.")),
        (MigrationFacts((), 1), (WARNING, "Die Daten sind von einer älteren Version des Programms.")),
        (
            MigrationFacts(("scoring 0099_later",), 1),
            (WRONG, "Die Daten sind von einer neueren Version des Programms (scoring 0099_later)."),
        ),
    ],
)
def test_migrations(facts: MigrationFacts, result: tuple[Health, str]) -> None:
    assert said(storage.check_migrations(facts)) == result


def test_migrations_are_compared_with_those_of_this_program() -> None:
    ours = set(MigrationLoader(None).disk_migrations)
    assert migrations(ours) == MigrationFacts((), 0)
    assert migrations(set()) == MigrationFacts((), len(ours), empty=True)
    assert migrations(ours | {("scoring", "0099_later"), ("auth", "0099_of_django")}) == MigrationFacts(
        ("scoring 0099_later",), 0
    )
    latest = max(key for key in ours if key[0] == "scoring")
    assert migrations(ours - {latest}) == MigrationFacts((), 1)


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (BackupFacts(None), (WARNING, "Es werden keine gemacht.")),
        (
            BackupFacts(STICK, "No such file or directory"),
            (WRONG, "In stick kann nicht geschrieben werden: No such file or directory."),
        ),
        (BackupFacts(STICK), (WARNING, "In stick ist noch keine.")),
        (
            BackupFacts(STICK, "", NOON, NOON + timedelta(minutes=3)),
            (OK, "Die letzte ist vom 21.11.2026, 12:00."),
        ),
        (
            BackupFacts(STICK, "", NOON, NOON + timedelta(minutes=4)),
            (WARNING, "Die letzte ist vom 21.11.2026, 12:00, seitdem hat sich etwas geändert."),
        ),
        (
            BackupFacts(STICK, "", NOON, None, on_the_same_disk=True),
            (WARNING, "Die letzte ist vom 21.11.2026, 12:00, aber auf derselben Platte wie die Daten."),
        ),
    ],
)
def test_backups(facts: BackupFacts, result: tuple[Health, str]) -> None:
    assert said(storage.check_backups(facts)) == result


def test_the_last_backup_of_a_folder_is_found_by_its_name(tmp_path: Path) -> None:
    assert backups(None, tmp_path, None) == BackupFacts(None)
    assert backups(tmp_path / "gone", tmp_path, None).failure == "No such file or directory"
    for name in (
        "schnauz-turnier-000002-20261121T120000Z.zip",
        "schnauz-turnier-000001-20261121T110000Z.zip",
        "abend-000003-20261121T130000Z.json",
        "letter.txt",
    ):
        (tmp_path / name).touch()
    assert backups(tmp_path, tmp_path, NOON) == BackupFacts(tmp_path, "", NOON, NOON, on_the_same_disk=True)
