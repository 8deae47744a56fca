"""What the catalogue keeps of each club, so that no list of clubs asks them."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from schnauz_turnier.clubs import schemas
from schnauz_turnier.clubs.backups import back_up_clubs
from schnauz_turnier.clubs.catalogue import club_of
from schnauz_turnier.clubs.incidents import incident_of
from schnauz_turnier.clubs.measures import (
    LONGEST_WITHOUT_BACKUP,
    Measured,
    all_measured,
    backups_have_failed,
    measure,
    measure_all,
    measure_those_due,
    measured_of,
)
from tests.clubs.conftest import Account
from tests.clubs.test_changes import an_evening, told
from tests.clubs.test_engine import NewClub
from tests.factories import AT, ParticipantFactory
from tests.faults.house import wait_until
from tournaments.current_club import in_club
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("hosting")


def measured(slug: str) -> Measured:
    return measured_of([slug])[slug]


def test_a_club_is_measured_when_it_is_made_and_after_each_of_its_backups(
    new_club: NewClub, tmp_path: Path
) -> None:
    alpha = new_club("alpha")
    new_club("beta")
    before = measured("alpha")
    assert (before.tournaments, before.people, before.last_evening, before.backed_up_at) == (0, 0, None, None)
    assert (before.measured_at, before.has_failed) == (AT, False)

    an_evening(alpha, registered_at=timezone.now())
    at = timezone.now()
    with override_settings(BACKUP_DIR=tmp_path):
        back_up_clubs(tmp_path, ["alpha/herbst"], at=at)
    after = measured("alpha")
    with in_club(alpha):
        day = Tournament.objects.get().played_on
    assert after == Measured("alpha", at, 1, 5, schemas.size(alpha), day, at, has_failed=False)
    assert measured("beta").measured_at == AT


def test_a_backup_that_fails_is_told_until_one_succeeds(new_club: NewClub, tmp_path: Path) -> None:
    for slug in ("alpha", "beta"):
        new_club(slug)
    (tmp_path / "alpha").write_text("no folder")
    at = timezone.now()
    with override_settings(BACKUP_DIR=tmp_path):
        back_up_clubs(tmp_path, [], at=at)
        assert [measured(slug).has_failed for slug in ("alpha", "beta")] == [True, False]
        assert backups_have_failed()
        assert Client().get("/healthz/ready").json()["backup"] is False
        told("archive_club", "alpha")
        assert not backups_have_failed()
        told("archive_club", "alpha", "--open")
        (tmp_path / "alpha").unlink()
        back_up_clubs(tmp_path, [], at=at)
        assert not backups_have_failed()
        assert Client().get("/healthz/ready").json()["backup"] is True


def test_changes_that_nobody_backs_up_are_told_by_the_daily_measures(
    new_club: NewClub, tmp_path: Path
) -> None:
    alpha = new_club("alpha")
    new_club("beta")  # without any change
    an_evening(alpha, registered_at=timezone.now())
    later = timezone.now() + LONGEST_WITHOUT_BACKUP
    with override_settings(BACKUP_DIR=tmp_path):
        back_up_clubs(tmp_path, [], at=later)
        measure_all(at=later + 2 * LONGEST_WITHOUT_BACKUP)
        assert not backups_have_failed()  # all that there is, is in the backup
        with in_club(alpha):
            ParticipantFactory.create(tournament__slug="winter", registered_at=later + timedelta(minutes=1))
        measure_all(at=later + LONGEST_WITHOUT_BACKUP)
        assert not backups_have_failed()
        measure_all(at=later + 2 * LONGEST_WITHOUT_BACKUP)
        assert [slug for slug, club in all_measured().items() if club.has_failed] == ["alpha"]
    measure_all(at=later + 2 * LONGEST_WITHOUT_BACKUP)
    assert not backups_have_failed()  # nobody wants backups here


def test_only_those_are_measured_anew_that_are_due_and_one_that_fails_stops_no_other(
    new_club: NewClub, caplog: pytest.LogCaptureFixture
) -> None:
    alpha, _beta, _gamma = (new_club(slug) for slug in ("alpha", "beta", "gamma"))
    with in_club(alpha), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_tournament RENAME TO elsewhere")
    day_after = AT + timedelta(days=1)
    measure_those_due(at=day_after)
    assert [measured(slug).measured_at for slug in ("alpha", "beta", "gamma")] == [AT, day_after, day_after]
    [error] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (error.getMessage(), incident_of(error).club) == ("The club alpha could not be measured.", "alpha")
    with in_club(alpha), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE elsewhere RENAME TO tournaments_tournament")
    measure_those_due(at=day_after + timedelta(hours=1))
    assert measured("alpha").measured_at == day_after + timedelta(hours=1)
    assert measured("beta").measured_at == day_after
    measure_those_due(at=AT)  # the clock was ahead
    assert {club.measured_at for club in all_measured().values()} == {AT}


def test_a_server_that_makes_no_backups_measures_once_a_day(new_club: NewClub, hosting: Account) -> None:
    new_club("alpha")
    new_club("beta")
    now = timezone.now()
    measure_all(at=now - timedelta(days=2))
    measure(club_of("beta"), at=now - timedelta(hours=1))
    with hosting.serving("tests.served_without_backups"):
        wait_until(lambda: measured("alpha").measured_at > now)
    assert measured("beta").measured_at < now


def test_the_list_of_clubs_asks_no_club(
    new_club: NewClub, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    an_evening(new_club("alpha"))
    new_club("beta")
    with django_assert_num_queries(3):  # whether the catalogue is there, the measures, the clubs
        said = told("clubs")
    assert f"{0:>6} tournaments {0:>7} players" in said
    assert f"(at {timezone.localtime(AT):%Y-%m-%d %H:%M})" in said
    assert f"{1:>6} tournaments {5:>7} players" in told("clubs", "--now")


def test_measures_go_with_their_club(new_club: NewClub) -> None:
    new_club("alpha")
    told("archive_club", "alpha")
    told("delete_club", "alpha", "--yes", "alpha")
    assert all_measured() == {}


def test_the_size_is_that_of_all_tables_of_the_club(new_club: NewClub) -> None:
    club = new_club("alpha")
    new_club("beta")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = %s::regnamespace",
            [club.schema],
        )
        assert cursor.fetchone() == (schemas.size(club),)
