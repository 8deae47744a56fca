"""What the pages of a club say otherwise than those of a laptop: its name, and nothing of the machine that is the operator's."""

import json
from pathlib import Path

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from schnauz_turnier.web import outages
from tests.clubs.conftest import an_owner, start_page
from tests.clubs.test_changes import told
from tests.clubs.test_engine import NewClub
from tests.factories import TournamentFactory
from tournaments import disk_room
from tournaments.current_club import Club, in_club

pytestmark = pytest.mark.usefixtures("hosting")


@pytest.fixture
def club(new_club: NewClub) -> Club:
    return new_club("alpha")


def test_a_club_without_settings_is_named_as_it_was_made(club: Club) -> None:
    assert "<h1>Verein alpha</h1>" in start_page(club)
    assert "Der Turnierabend von der Anmeldung" not in start_page(club)
    assert 'value="Verein alpha"' in an_owner(club).get("/account/club/").content.decode()


def test_the_settings_of_a_club_name_it_otherwise(club: Club) -> None:
    owner = an_owner(club)
    saved = owner.post("/account/club/", name="Verein Beta", names="short")
    assert saved.status_code == 302
    assert "<h1>Verein Beta</h1>" in start_page(club)


def test_the_form_to_log_in_names_no_start_of_the_program(club: Club) -> None:
    with in_club(club):
        page = Client().get("/account/login/").content.decode()
    assert "als diese Seiten entstanden" in page
    assert "Beim Start hat das Programm" not in page


def test_an_organiser_sees_when_the_last_backup_was_made_but_no_folder(
    club: Club, tmp_path: Path, settings: Settings
) -> None:
    settings.BACKUP_DIR = tmp_path / "stick"
    settings.BACKUP_DIR.mkdir()
    owner = an_owner(club)
    with in_club(club):
        TournamentFactory.create(slug="abend")
    told("club", "alpha", "backup")
    page = owner.get("/o/abend/").content.decode()
    assert "Letzte automatische Sicherung" in page
    assert "stick" not in page


def test_where_no_backup_is_made_an_organiser_is_told_who_can_mend_it(
    club: Club, tmp_path: Path, settings: Settings
) -> None:
    settings.BACKUP_DIR = tmp_path / "stick"
    owner = an_owner(club)
    with in_club(club):
        TournamentFactory.create(slug="abend")
    page = owner.get("/o/abend/").content.decode()
    assert "wer diese Seiten betreibt" in page
    assert "stick" not in page


def test_a_disk_of_the_operator_is_named_by_no_folder_and_to_organisers_only_when_it_is_full(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = an_owner(club)
    with in_club(club):
        TournamentFactory.create(slug="abend")
    monkeypatch.setattr(disk_room, "SCARCE_ROOM", 10**18)
    monkeypatch.setattr(disk_room, "LEAST_ROOM", 0)
    assert "Platz" not in owner.get("/o/abend/").content.decode()
    monkeypatch.setattr(disk_room, "LEAST_ROOM", 10**18)
    page = owner.get("/o/abend/").content.decode()
    assert "Wo diese Seiten betrieben werden, ist kaum noch Platz" in page
    assert "Papierkorb" not in page
    assert "MB frei" not in page


def test_a_full_disk_is_that_of_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "failed_writes", disk_room.FailedWrites())
    for accepted in ("text/html", "application/json"):
        answer = outages.answer(RequestFactory().get("/", headers={"Accept": accepted}), "disk")
        said = json.loads(answer.content)["error"] if accepted != "text/html" else answer.content.decode()
        assert "Wo diese Seiten betrieben werden, ist die Festplatte voll" in said
        assert "Laptop" not in said


def test_where_only_this_computer_is_reached_no_command_of_a_laptop_is_named(
    club: Club, settings: Settings
) -> None:
    settings.PUBLIC_URL, settings.CLUBS = "http://localhost:8000", "paths"
    owner = an_owner(club)
    with in_club(club):
        TournamentFactory.create(slug="abend")
    page = owner.get("/o/abend/").content.decode()
    assert "Noch erreicht kein Handy dieses Programm" in page
    assert "make run" not in page
