"""The doctor of an installation of many clubs."""

from pathlib import Path

import pytest
from django.db import connection

from schnauz_turnier.clubs import catalogue
from tests.clubs.conftest import Account
from tests.clubs.test_engine import NewClub
from tests.doctor.test_faults import doctor, wrong

BEHIND = "WARNUNG 2, davon 1 von einer anderen Version des Programms. Mit dem Befehl migrate_clubs anpassen."


@pytest.mark.usefixtures("operators")  # whose schema is no club
def test_the_doctor_reads_the_clubs_of_the_catalogue(
    new_club: NewClub, hosting: Account, tmp_path: Path
) -> None:
    (folder := tmp_path / "backups").mkdir()

    def said() -> tuple[str, str]:
        code, found = doctor(tmp_path, BACKUP_DIR=str(folder), **hosting.variables("paths"))
        assert (code, wrong(found)) == (0, set())
        assert "Stand der Daten" not in found
        return found["Vereine"], found["Sicherungen"]

    assert said()[0] == "ok Noch keiner angelegt."
    for slug in ("alpha", "beta"):
        new_club(slug)
    clubs, backups = said()
    assert clubs == "ok 2, alle passen zum Programm."
    assert backups.startswith("ok Noch keine.")
    catalogue.note_migrations("beta", "of another program")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE catalogue.measured SET has_failed = true, backed_up_at = measured_at WHERE slug = 'alpha'"
        )
    clubs, backups = said()
    assert clubs == BEHIND
    assert backups.startswith("WARNUNG Ohne Sicherung seit der letzten Änderung: 1.")
    catalogue.change_state("alpha", catalogue.State.OPEN, catalogue.State.ARCHIVED)
    assert said()[1].startswith("ok Die letzte ist vom ")


@pytest.mark.usefixtures("hosting")
def test_a_folder_for_the_backups_of_clubs_that_is_gone(hosting: Account, tmp_path: Path) -> None:
    gone = tmp_path / "gone" / "backups"
    code, found = doctor(tmp_path, BACKUP_DIR=str(gone), **hosting.variables("paths"))
    assert (code, wrong(found)) == (1, {"Sicherungen"})


@pytest.mark.usefixtures("hosting")
def test_without_the_catalogue_nothing_is_said_of_the_backups(hosting: Account, tmp_path: Path) -> None:
    wrong_mail = hosting.variables("paths") | {"EMAIL_URL": "smtp://host"}
    code, found = doctor(tmp_path, BACKUP_DIR=str(tmp_path), **wrong_mail)
    assert (code, wrong(found)) == (1, {"Einstellungen"})
    assert not found.keys() & {"Sicherungen", "Vereine"}
