"""/healthz/ready: whether a process can serve, and what is missing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings

from scoring.models import BackupNote
from tests.factories import AT
from tests.security.description import contradictions, schema_of
from tournaments import disk_room
from tournaments.notify import changes_are_heard

pytestmark = pytest.mark.django_db


@pytest.fixture
def hearing() -> Iterator[None]:
    changes_are_heard.set()
    yield
    changes_are_heard.clear()


def asked() -> tuple[int, set[str]]:
    answer = Client().get("/healthz/ready")
    assert contradictions(schema_of("/healthz/ready", "GET", answer.status_code), answer.json()) == []
    assert not answer.cookies
    return answer.status_code, {name for name, is_so in answer.json().items() if is_so is False}


def test_it_is_ready_with_a_database_that_is_migrated_and_changes_that_are_heard(hearing: None) -> None:
    assert asked() == (200, set())


def test_it_is_not_where_changes_are_not_heard() -> None:
    assert asked() == (503, {"listening"})


def test_it_is_not_without_a_database(hearing: None) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError):
        assert asked() == (503, {"database", "migrations"})


def test_it_is_not_before_the_migrations(hearing: None) -> None:
    MigrationRecorder.Migration.objects.filter(app="scoring").latest("pk").delete()
    assert asked() == (503, {"migrations"})


def test_disk_and_backups_are_told_and_decide_nothing(
    hearing: None, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(disk_room, "LEAST_ROOM", 10**18)
    settings.BACKUP_DIR = tmp_path / "stick"
    assert asked() == (200, {"disk", "backup"})
    settings.BACKUP_DIR.mkdir()
    monkeypatch.setattr(disk_room, "LEAST_ROOM", 1)
    BackupNote.objects.update_or_create(pk=1, defaults={"made_at": AT, "failure": ""})
    assert asked() == (200, set())


def test_it_is_asked_by_plain_http_behind_a_proxy(hearing: None) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert asked() == (200, set())
        assert Client().get("/").status_code == 301
