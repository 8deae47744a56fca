"""A club that ends is closed at once and deleted after thirty days, unless it is kept; a last backup comes first."""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from schnauz_turnier.background import forgetting
from schnauz_turnier.clubs import catalogue, ending, schemas
from schnauz_turnier.clubs.catalogue import ClubRefusal, State, UnknownClub, club_of
from schnauz_turnier.clubs.changes import archive_club, open_club
from schnauz_turnier.clubs.ending import (
    BACKUPS_STAY,
    GRACE,
    clubs_have_ended,
    delete_ended_clubs,
    end_club,
    keep_club,
    move_out,
    reopen,
)
from scoring.backups import back_up_with_documents
from scoring.services.backup import latest
from scoring.services.dump_file import read_manifest
from tests.clubs.test_changes import slugs, told
from tests.clubs.test_engine import NewClub
from tests.factories import AT, TournamentFactory
from tests.races import at_once
from tests.scoring.a_club import a_club, everything
from tournaments.current_club import in_club
from tournaments.models import SecurityEvent, Tournament

pytestmark = pytest.mark.usefixtures("hosting")

A_DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def backups(tmp_path: Path, settings: Settings) -> Path:
    settings.BACKUP_DIR = tmp_path
    return tmp_path


# --- thirty days ---------------------------------------------------------------------------------------------------


def test_a_club_is_closed_at_once_and_deleted_after_thirty_days(new_club: NewClub) -> None:
    schema = new_club("alpha").schema
    new_club("beta")
    assert end_club("alpha", at=AT) == AT + timedelta(days=30)
    assert (club_of("alpha").state, club_of("alpha").ends_at) == (State.ARCHIVED, AT + GRACE)
    delete_ended_clubs(AT + GRACE - A_DAY)
    assert slugs() == ["alpha", "beta"]
    delete_ended_clubs(AT + GRACE)
    assert slugs() == ["beta"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regnamespace(%s), to_regrole(%s)", [schema, schema])
        assert cursor.fetchone() == (None, None)


def test_a_club_that_is_kept_is_open_and_stays(new_club: NewClub) -> None:
    new_club("alpha")
    end_club("alpha", at=AT)
    keep_club("alpha")
    assert (club_of("alpha").state, club_of("alpha").ends_at) == (State.OPEN, None)
    delete_ended_clubs(AT + GRACE + A_DAY)
    assert slugs() == ["alpha"]


def test_what_cannot_be_is_refused(new_club: NewClub) -> None:
    new_club("alpha")
    with pytest.raises(ClubRefusal, match="not ending"):
        keep_club("alpha")
    archive_club("alpha")
    with pytest.raises(ClubRefusal, match="not ending"):
        keep_club("alpha")
    end_club("alpha", at=AT)
    with pytest.raises(ClubRefusal, match="already"):
        end_club("alpha", at=AT + A_DAY)
    assert club_of("alpha").ends_at == AT + GRACE
    for change in (keep_club, lambda slug: end_club(slug, at=AT)):
        with pytest.raises(UnknownClub):
            change("gamma")


def test_a_club_that_was_opened_by_the_operator_is_not_deleted_when_it_is_archived_again(
    new_club: NewClub,
) -> None:
    new_club("alpha")
    end_club("alpha", at=AT)
    open_club("alpha")
    archive_club("alpha")
    delete_ended_clubs(AT + 2 * GRACE)
    assert slugs() == ["alpha"]


# --- the last backup -----------------------------------------------------------------------------------------------


def test_the_last_backup_holds_everything(new_club: NewClub, backups: Path) -> None:
    with in_club(new_club("alpha")):
        a_club()
        before = everything()
    schema = club_of("alpha").schema
    end_club("alpha", at=AT)
    delete_ended_clubs(AT + GRACE)
    assert [folder.name for folder in backups.iterdir()] == [
        schema
    ]  # apart from those of a later club "alpha"
    file = latest(backups / schema)
    assert file is not None
    assert read_manifest(file).made_at == (AT + GRACE).isoformat()
    with in_club(new_club("beta", backup=file)):
        assert everything() == before


def test_a_club_whose_last_backup_fails_stays_and_stops_no_other(
    new_club: NewClub, backups: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for slug in ("alpha", "beta"):
        new_club(slug)
        end_club(slug, at=AT)
    (backups / "alpha").write_text("no folder", encoding="utf-8")
    delete_ended_clubs(AT + GRACE)
    assert slugs() == ["alpha"]
    assert [(record.getMessage(), vars(record)["club"]) for record in caplog.records] == [
        ("The ended club alpha could not be deleted.", "alpha")
    ]
    (backups / "alpha").unlink()
    delete_ended_clubs(AT + GRACE)
    assert slugs() == []


def test_ninety_days_later_the_backups_of_a_deleted_club_are_deleted_as_well(
    new_club: NewClub, backups: Path
) -> None:
    schema = new_club("alpha").schema
    end_club("alpha", at=AT)
    delete_ended_clubs(AT + GRACE)
    aside, of_the_next = backups / schema, backups / "alpha"
    assert latest(aside)
    of_the_next.mkdir()
    (backups / "club_of_ours").mkdir()  # no folder of the program
    deleted_at = (AT + GRACE).timestamp()
    for folder in (aside, of_the_next, backups / "club_of_ours"):
        os.utime(folder, (deleted_at, deleted_at))
    due = AT + GRACE + BACKUPS_STAY
    delete_ended_clubs(due)
    assert aside.exists()
    assert not clubs_have_ended(due)
    due += timedelta(seconds=1)
    assert clubs_have_ended(due)
    delete_ended_clubs(due)
    assert sorted(folder.name for folder in backups.iterdir()) == ["alpha", "club_of_ours"]
    assert not clubs_have_ended(due)


def test_a_process_without_a_folder_of_backups_deletes_none(new_club: NewClub, settings: Settings) -> None:
    settings.BACKUP_DIR = None
    new_club("alpha")
    end_club("alpha", at=AT)
    delete_ended_clubs(AT + GRACE)
    assert slugs() == ["alpha"]


def test_a_process_that_is_late_deletes_no_later_club_of_the_same_slug(
    new_club: NewClub, backups: Path
) -> None:
    new_club("alpha")
    end_club("alpha", at=AT)
    late = replace(club_of("alpha"), state=State.NEW)  # as it was read while another process deleted it
    delete_ended_clubs(AT + GRACE)
    with in_club(new_club("alpha")):
        TournamentFactory.create(slug="herbst")
    ending._delete(late, backups, AT + GRACE)
    with in_club(club_of("alpha").club):
        assert Tournament.objects.get().slug == "herbst"


def test_what_a_killed_process_has_begun_the_next_one_brings_to_its_end(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_club("alpha")
    end_club("alpha", at=AT)
    with monkeypatch.context() as killed:
        killed.setattr(schemas, "drop", _dies)
        delete_ended_clubs(AT + GRACE)
    with pytest.raises(ClubRefusal):
        keep_club("alpha")
    delete_ended_clubs(AT + GRACE)
    assert slugs() == []


def _dies(_schema: str) -> None:
    raise OSError("killed")


# --- kept while it is deleted --------------------------------------------------------------------------------------


def delete_while(meanwhile: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete what is over, and call `meanwhile` in another thread after the last backup."""
    make = back_up_with_documents

    def made(*arguments: object, **options: object) -> None:
        make(*arguments, **options)  # type: ignore[arg-type]
        assert at_once(meanwhile) == [None]

    monkeypatch.setattr(ending, "back_up_with_documents", made)
    delete_ended_clubs(AT + GRACE)


def test_a_club_that_is_kept_while_its_last_backup_is_made_stays(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_club(new_club("alpha")):
        TournamentFactory.create(slug="herbst")
    end_club("alpha", at=AT)
    delete_while(lambda: keep_club("alpha"), monkeypatch)
    assert (slugs(), club_of("alpha").state) == (["alpha"], State.OPEN)
    with in_club(club_of("alpha").club):
        assert Tournament.objects.get().slug == "herbst"


def test_without_the_claim_a_kept_club_would_be_lost(
    new_club: NewClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_club("alpha")
    end_club("alpha", at=AT)
    monkeypatch.setattr(ending, "_claim", lambda _slug, _at: True)
    delete_while(lambda: keep_club("alpha"), monkeypatch)
    assert slugs() == []


# --- once a day, by a clock that may be wrong -------------------------------------------------------------------------


def used(at: datetime) -> None:
    SecurityEvent.objects.create(at=at, kind="log_in")


def test_a_clock_that_is_ahead_deletes_no_club(new_club: NewClub, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installation was used today by the clock as it was; then it was set a year ahead."""
    now = timezone.now()
    new_club("alpha")
    with in_club(new_club("beta")):
        used(now)
    end_club("alpha", at=now)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=365))
    forgetting.forget()
    assert slugs() == ["alpha", "beta"]

    with in_club(club_of("beta").club):
        used(now + GRACE - A_DAY)  # a use of another day confirms a clock up to a week after it
    monkeypatch.setattr(timezone, "now", lambda: now + GRACE + A_DAY)
    forgetting.forget()
    assert slugs() == ["beta"]


# --- the code of the owner, and the commands of the operator -----------------------------------------------------------


def test_the_code_of_its_owner_opens_a_club_once(new_club: NewClub) -> None:
    for slug in ("alpha", "beta", "gamma"):
        new_club(slug)
    end_club("alpha", at=AT, code="ALPHA-CODE")
    move_out("beta", address="https://karten.example", code="BETA-CODE")
    end_club("gamma", at=AT)
    assert club_of("beta").moved_to == "https://karten.example"
    assert [reopen(code) for code in ("", "another", "alpha-code", "alpha-code")] == [
        None,
        None,
        "alpha",
        None,
    ]
    assert reopen("beta-code") == "beta"
    assert [(entry.state, entry.ends_at, entry.moved_to) for entry in catalogue.all_clubs()] == [
        (State.OPEN, None, ""),
        (State.OPEN, None, ""),
        (State.ARCHIVED, AT + GRACE, ""),
    ]


def test_a_club_that_is_not_open_moves_nowhere(new_club: NewClub) -> None:
    new_club("alpha")
    archive_club("alpha")
    with pytest.raises(ClubRefusal, match="not open"):
        move_out("alpha", address="", code="X")


def test_the_operator_ends_and_keeps_a_club_by_a_command(new_club: NewClub) -> None:
    new_club("alpha")
    said = told("end_club", "alpha")
    ends_at = club_of("alpha").ends_at
    assert ends_at is not None
    assert said == f"alpha is archived, and is deleted after {timezone.localdate(ends_at)}\n"
    told("end_club", "alpha", "--keep")
    assert (club_of("alpha").state, club_of("alpha").ends_at) == (State.OPEN, None)
