"""The club in backups: on another laptop and back again, and in documents beside them."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from scoring.backups import back_up_with_documents
from scoring.models import Honour
from scoring.services.backup import latest
from scoring.services.projection import rebuild_results
from scoring.services.purge import erase_from_club
from tests.databases import MIGRATED, another_database
from tests.factories import AT, TournamentFactory
from tests.scoring.a_club import BY, a_club, everything
from tournaments.models import Person, Tournament


@pytest.fixture
def laptop(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use the database of an installation of its own."""
    with django_db_blocker.unblock(), another_database(MIGRATED):
        yield


def folder_in(parent: Path, name: str) -> Path:
    (folder := parent / name).mkdir()
    return folder


def clubs_in(folder: Path) -> list[str]:
    return [file.read_text() for file in sorted(folder.glob("schnauz-turnier-*.club.json"))]


def restored(folder: Path) -> dict[str, Any]:
    """Return what counts on a new laptop with the latest backup of the folder, which makes a backup, too."""
    with another_database(MIGRATED):
        call_command("restore", str(folder), stdout=StringIO())
        assert [rebuild_results(each) for each in Tournament.objects.all()] == [[], [], []]
        call_command("backup", "--to", str(folder_in(folder, "again")), stdout=StringIO())
        return everything()


def test_a_club_goes_to_a_laptop_and_back_and_no_number_is_another(laptop: None, tmp_path: Path) -> None:
    a_club()
    before = everything()
    folder = folder_in(tmp_path, "stick")
    call_command("backup", "--to", str(folder), stdout=StringIO())
    assert restored(folder) == before
    assert restored(folder / "again") == before
    assert clubs_in(folder / "again" / "again") == clubs_in(folder) == [before["club"]]


def test_the_document_of_the_club_lies_beside_the_dump_when_it_has_changed(
    laptop: None, tmp_path: Path
) -> None:
    folder = folder_in(tmp_path, "stick")
    TournamentFactory.create(slug="schnauz-turnier")
    back_up_with_documents(folder, (), at=AT)
    assert clubs_in(folder) == []
    a_club()
    for _ in range(2):
        back_up_with_documents(folder, ("schnauz-turnier", "abend-1", ""), at=AT)
        assert clubs_in(folder) == [everything()["club"]]
    Honour.objects.all().delete()
    back_up_with_documents(folder, (), at=AT)
    assert [text.count("Meister") for text in clubs_in(folder)] == [1, 0]


def test_a_backup_made_after_an_erasure_has_no_name(laptop: None, tmp_path: Path) -> None:
    a_club()
    erase_from_club(Person.objects.get(member_number="17").key, **BY)
    before, folder = everything(), folder_in(tmp_path, "stick")
    call_command("backup", "--to", str(folder), stdout=StringIO())
    assert b"Anna" not in b"".join(file.read_bytes() for file in folder.glob("*.json"))
    assert latest(folder) is not None
    assert restored(folder) == before
    assert "Anna" not in f"{before}"
