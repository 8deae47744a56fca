"""Upgrades of the clubs: each is backed up first where it holds data, and one of a newer program is left alone."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from schnauz_turnier.clubs import schemas
from schnauz_turnier.clubs.catalogue import note_migrations
from schnauz_turnier.clubs.changes import create_club
from scoring.services.upgrade import FOLDER
from tests.clubs.test_changes import an_evening, told
from tests.clubs.test_engine import NewClub
from tests.factories import AT
from tournaments.current_club import in_club
from tournaments.models import Tournament


def test_a_club_that_holds_data_is_backed_up_before_it_is_migrated(new_club: NewClub, tmp_path: Path) -> None:
    clubs = [new_club(slug) for slug in ("alpha", "beta")]
    an_evening(clubs[0])
    for club in clubs:
        told("club", club.slug, "migrate", "scoring", "0010", "--without-backup")
    with override_settings(BACKUP_DIR=tmp_path):
        assert "2 of 2 migrated" in told("migrate_clubs", "--jobs", "1")
    assert [schemas.migrations_behind(club) for club in clubs] == [0, 0]

    assert [folder.name for folder in tmp_path.iterdir()] == ["alpha"]
    [made] = (tmp_path / "alpha" / FOLDER).iterdir()
    with in_club(create_club("gamma", "Kopie", at=AT, backup=made).club):
        assert Tournament.objects.get().slug == "herbst"


def test_a_club_of_a_newer_program_is_left_alone_and_stops_no_other(
    new_club: NewClub,
) -> None:
    newer, other = new_club("alpha"), new_club("beta")
    with in_club(newer), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9001_planted', now())"
        )
    note_migrations("alpha", "")
    told("club", other.slug, "migrate", "scoring", "0010")
    out = StringIO()
    with pytest.raises(CommandError, match="1 failed"):
        call_command("migrate_clubs", "--jobs", "1", stdout=out)
    assert "alpha: Diese Datenbank gehört zu einer neueren Version" in out.getvalue()
    assert "1 of 2 migrated" in out.getvalue()
    with pytest.raises(CommandError, match=r"neueren Version .*scoring\.9001_planted"):
        told("club", "alpha", "practice_tournament")
    with in_club(newer):
        assert not Tournament.objects.exists()
