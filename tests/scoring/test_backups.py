"""Backups: complete or absent, twenty of them, with their problems shown to the organiser."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as project
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from scoring.backups import back_up_with_documents
from scoring.models import BackupNote
from scoring.organiser.dashboard.views import LATE, backup_state
from scoring.services import backup, dump
from scoring.services.backup import last_note, latest
from scoring.services.dump_file import fingerprint, read_manifest
from scoring.services.evenings import fill_in_evenings
from scoring.services.restore import ID_GAP
from tests.conftest import ROOT, url_of_test_database
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_paper_sheet, a_round
from tests.scoring.pages import Staff, text_of
from tournaments import disk_room
from tournaments.core.cash import LARGEST_AMOUNT
from tournaments.links import new_sign_up_code
from tournaments.models import CashEntry, Payment, Tournament
from tournaments.services import door, sign_ups

MINUTE = timedelta(minutes=1)
Save = Callable[..., Path | None]


@pytest.fixture
def stick(committed: None, tmp_path: Path, settings: Any) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    settings.BACKUP_DIR = folder
    BackupNote.objects.all().delete()
    return folder


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    made = TournamentFactory.create(slug=re.sub(r"[^A-Za-z0-9]+", "-", request.node.name)[5:60].strip("-"))
    ParticipantFactory.create_batch(5, tournament=made)
    return made


def save(stick: Path, *tournaments: Tournament, at: datetime = AT) -> Path:
    made = back_up_with_documents(stick, [found.slug for found in tournaments], at=at)
    assert made is not None
    return made


def names(folder: Path) -> list[str]:
    """Return the names of the files, without the club's, whose people other tests may have stored."""
    return sorted(file.name for file in folder.iterdir() if not file.name.endswith(".club.json"))


# --- the folder ----------------------------------------------------------------------------------------------------


def test_a_backup_is_a_dump_and_a_document(stick: Path, tournament: Tournament) -> None:
    save(stick, tournament)

    assert set(names(stick)) == {
        "schnauz-turnier-000001-20261121T183000Z.zip",
        f"{tournament.slug}-000001-20261121T183000Z.json",
    }
    document = json.loads((stick / f"{tournament.slug}-000001-20261121T183000Z.json").read_text())
    assert len(document["participants"]) == 5
    assert {stat.S_IMODE(file.stat().st_mode) for file in stick.iterdir()} == {0o600}


def test_the_last_twenty_of_each_are_kept_and_nothing_else_is_touched(
    stick: Path, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four stand for the twenty: each is a dump of all there is."""
    assert backup.KEPT == 20
    monkeypatch.setattr(backup, "KEPT", 4)
    (stick / "Urlaub-000001-20260801T120000Z.jpg").write_text("Meer")
    other = TournamentFactory.create(slug=f"{tournament.slug}-2")
    save(stick, other)
    for minute in range(backup.KEPT + 3):
        save(stick, tournament, at=AT + minute * MINUTE)

    documents = [name for name in names(stick) if name.startswith(f"{tournament.slug}-0")]
    dumps = [name for name in names(stick) if name.endswith(".zip")]
    assert len(documents) == len(dumps) == backup.KEPT
    assert [name for name in names(stick) if name.startswith(other.slug)] == [
        f"{other.slug}-000001-20261121T183000Z.json"
    ]
    assert (stick / "Urlaub-000001-20260801T120000Z.jpg").exists()


def test_a_clock_that_goes_back_makes_no_difference_to_which_is_the_latest(
    stick: Path, tournament: Tournament
) -> None:
    save(stick, tournament, at=AT + timedelta(days=400))
    now = save(stick, tournament)

    assert latest(stick) == now
    assert now.name == "schnauz-turnier-000002-20261121T183000Z.zip"


def test_without_news_and_changes_no_file_is_made(stick: Path, tournament: Tournament) -> None:
    save(stick, tournament)
    before = names(stick)

    assert back_up_with_documents(stick, [], at=AT + MINUTE) is None
    assert names(stick) == before
    assert last_note().made_at == AT + MINUTE

    ParticipantFactory.create(tournament=tournament)
    assert back_up_with_documents(stick, [], at=AT + 2 * MINUTE) is not None


def test_a_folder_that_is_gone_is_not_made(stick: Path, tournament: Tournament) -> None:
    save(stick, tournament)
    stick.rename(stick.with_name("pulled"))

    with pytest.raises(FileNotFoundError):
        save(stick, tournament, at=AT + MINUTE)
    assert not stick.exists()
    assert last_note().made_at == AT


DIES = """
import os, runpy, signal, sys
from pathlib import Path
real = Path.replace
def replace(self, target):
    if str(target).endswith(".zip"):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)
Path.replace = replace
sys.argv[1:] = ["backup", "--to", {!r}]
runpy.run_path("manage.py", run_name="__main__")
"""


def test_a_kill_between_writing_and_renaming_leaves_the_one_before(
    stick: Path, tournament: Tournament
) -> None:
    before = save(stick, tournament)
    content = before.read_bytes()

    killed = subprocess.run([sys.executable, "-c", DIES.format(str(stick))], cwd=ROOT, env=environment())

    assert killed.returncode == -signal.SIGKILL
    assert latest(stick) == before
    assert before.read_bytes() == content
    assert ".schnauz-turnier.zip.new" in names(stick)
    assert save(stick, tournament, at=AT + MINUTE) == latest(stick)
    assert ".schnauz-turnier.zip.new" not in names(stick)


# --- the contents --------------------------------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": url_of_test_database(), "SECRET_KEY": project.SECRET_KEY} | more


@pytest.fixture
def empty_database(committed: None) -> Iterator[str]:
    """Create an empty database on the same server; yield its URL."""
    name = f"restored_{os.getpid()}"
    parameters = connection.get_connection_params()
    kept = {key: parameters[key] for key in ("host", "port", "user", "password") if key in parameters}
    with psycopg.connect(dbname="postgres", autocommit=True, **kept) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
        yield url_of_test_database().rsplit("/", 1)[0] + f"/{name}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(database: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(DATABASE_URL=database, **more),
        capture_output=True,
        text=True,
        check=False,
    )


def book_before_the_largest_amount(tournament: Tournament) -> None:
    """Book what a database of version 1.0 may hold and its documents no longer bring in."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.restore = 'on'")
        payer = tournament.participants.get(start_number=1)
        Payment.objects.create(participant=payer, kind="fee", cents=LARGEST_AMOUNT + 1, at=AT, by="kasse")


def test_restored_elsewhere_everything_is_the_same_and_ids_are_not_used_again(
    stick: Path, tournament: Tournament, empty_database: str, tmp_path: Path
) -> None:
    UserFactory.create(username=tournament.slug)
    table = a_round(tournament).tables.get()
    a_paper_sheet(table, strokes={2: 1})
    door.take_fee(tournament, 1, by="kasse", at=AT, desk="Kasse 1")
    book_before_the_largest_amount(tournament)
    closed = tournament.desks.get(name="Kasse 1")
    CashEntry.objects.create(tournament=tournament, desk=closed, kind="count", cents=300, by="kasse", at=AT)
    closed.changes.create(kind="closed", by="kasse", at=AT)
    more: Any = {"most": None, "only_in_hall": False, "without_desk": False}
    sign_ups.set_terms(tournament, is_open=True, closes_at=AT + MINUTE, **more, at=AT)
    sent: Any = {"name": "Spieler von zu Hause", "club": "", "names": "", "code": new_sign_up_code()}
    sign_ups.sign_up(tournament, **sent, in_hall=False, sender=sign_ups.Sender("192.0.2.1", "x"), at=AT)
    fill_in_evenings()  # as the program does at its start, also for what other tests have stored
    made = save(stick, tournament)

    restored = manage(empty_database, "restore", str(stick), DATA_DIR=str(tmp_path / "other"))

    assert restored.stderr == ""
    assert f"Restored from {made}" in restored.stdout
    assert "stay good at http://localhost:8000" in restored.stdout
    again = tmp_path / "again"
    again.mkdir()
    manage(empty_database, "backup", tournament.slug, "--to", str(again), DATA_DIR=str(tmp_path / "other"))
    copy = latest(again)
    assert copy is not None
    assert dump.same_content(made, copy)
    documents = [next(folder.glob(f"{tournament.slug}-*.json")).read_bytes() for folder in (stick, again)]
    assert documents[0] == documents[1]
    assert b"von zu Hause" not in documents[0]
    before, after = (
        {table.name: table.last_id for table in read_manifest(file).tables} for file in (made, copy)
    )
    assert {"tournaments_signup", "tournaments_signupterms"} <= before.keys()
    used = before["tournaments_table"]
    assert used is not None
    assert after["tournaments_table"] == used + ID_GAP


def test_rows_that_lie_in_another_order_on_the_disk_are_the_same_content(
    stick: Path, tournament: Tournament
) -> None:
    before = save(stick, tournament)
    with connection.cursor() as cursor:  # Postgres writes a changed row anew, behind all others
        cursor.execute("UPDATE tournaments_participant SET name = name WHERE start_number = 1")

    after = save(stick, tournament, at=AT + MINUTE)

    assert after != before
    assert dump.same_content(before, after)


def test_log_ins_of_browsers_are_not_in_it(stick: Path, tournament: Tournament) -> None:
    with zipfile.ZipFile(save(stick, tournament)) as archive:
        assert [name for name in archive.namelist() if "session" in name or "wrong" in name] == []
        assert "tables/auth_user.copy" in archive.namelist()


@pytest.mark.parametrize("with_key", [True, False])
def test_the_key_is_in_it_only_where_that_is_wished(
    stick: Path, tournament: Tournament, settings: Any, with_key: bool
) -> None:
    settings.BACKUP_WITH_KEY = with_key
    manifest = read_manifest(save(stick, tournament))

    assert manifest.key == (settings.SECRET_KEY if with_key else None)
    assert manifest.key_fingerprint == fingerprint(settings.SECRET_KEY)


def test_a_database_with_something_in_it_is_left_alone(stick: Path, tournament: Tournament) -> None:
    save(stick, tournament)
    with pytest.raises(CommandError, match=r"is not empty"):
        call_command("restore", str(stick))


def test_a_damaged_dump_is_refused(stick: Path, tournament: Tournament) -> None:
    made = save(stick, tournament)
    with zipfile.ZipFile(made) as archive:
        rows = max(archive.infolist(), key=lambda item: item.compress_size)
    content = bytearray(made.read_bytes())
    content[rows.header_offset + 30 + len(rows.filename) + rows.compress_size // 2] ^= 0xFF  # among the rows
    made.write_bytes(content)
    with pytest.raises(CommandError, match=r"Take the one before it"):
        call_command("restore", str(made))
    made.write_bytes(content[: len(content) // 2])
    with pytest.raises(CommandError, match=r"no whole dump"):
        call_command("restore", str(made))


def test_a_dump_of_a_newer_program_is_refused(stick: Path, tournament: Tournament) -> None:
    made = save(stick, tournament)
    with zipfile.ZipFile(made) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(content["manifest.json"])
    manifest["migrations"].append(["scoring", "9999_later"])
    content["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(made, "w") as archive:
        for name, rows in content.items():
            archive.writestr(name, rows)
    with pytest.raises(CommandError, match=r"newer program \(scoring\.9999_later"):
        call_command("restore", str(made))


@pytest.mark.django_db
def test_restore_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"There is no dump in"):
        call_command("restore", str(tmp_path))
    with pytest.raises(CommandError, match=r"abend\.zip: No such file"):
        call_command("restore", str(tmp_path / "abend.zip"))


def test_a_missing_folder_is_made_on_a_stick_and_not_in_the_place_of_one(
    stick: Path, tournament: Tournament
) -> None:
    call_command("backup", "--to", str(stick / "turnier"))
    assert latest(stick / "turnier") is not None
    with pytest.raises(CommandError, match=r"No such folder"):
        call_command("backup", "--to", str(stick / "pulled" / "turnier"))
    assert names(stick) == ["turnier"]


def test_beside_the_data_the_last_three_are_kept_and_the_page_says_where_they_are(
    stick: Path, committed: None, settings: Any
) -> None:
    desk = Staff(players=5)
    settings.OWN_BACKUP_DIR = stick
    for minute in range(5):
        save(stick, desk.tournament, at=AT + minute * MINUTE)
    assert len(names(stick)) == 2 * backup.KEPT_BESIDE_THE_DATA == 6
    assert "hilft nur eine auf einem Stick" in text_of(desk.get("overview"))
    settings.OWN_BACKUP_DIR = stick / "elsewhere"
    assert "auf einem Stick" not in text_of(desk.get("overview"))


def test_none_is_made_beside_the_data_where_their_disk_is_as_good_as_full(
    stick: Path, tournament: Tournament, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_room, "LEAST_ROOM", 1 << 62)
    assert save(stick, tournament).exists()  # a stick is used to its end
    settings.OWN_BACKUP_DIR = stick
    with pytest.raises(OSError, match="No space left"):
        save(stick, tournament, at=AT + MINUTE)
    assert last_note().failure == "No space left on device"
    assert len(names(stick)) == 2


@pytest.mark.django_db
def test_backup_needs_a_place(settings: Any) -> None:
    settings.BACKUP_DIR = None
    with pytest.raises(CommandError, match=r"BACKUP_DIR"):
        call_command("backup")


# --- the organiser's page ------------------------------------------------------------------------------------------


def test_the_page_says_when_the_last_good_one_was_made(stick: Path, committed: None) -> None:
    desk = Staff(players=5)
    desk.tournament.participants.update(registered_at=timezone.now())  # so that no backup is late yet
    assert "Die erste automatische Sicherung kommt gleich." in text_of(desk.get("overview"))
    save(stick, desk.tournament)
    said = f"Letzte automatische Sicherung: 21.11.2026 19:30 Uhr, in {stick}."
    assert said in text_of(desk.get("overview"))
    assert said in text_of(desk.get("backup"))


def test_the_page_warns_when_the_folder_is_gone(stick: Path, committed: None) -> None:
    desk = Staff(players=5)
    save(stick, desk.tournament)
    stick.rename(stick.with_name("pulled"))

    page = text_of(desk.get("overview"))

    assert "Seit 21.11.2026 19:30 Uhr ist nichts mehr gesichert" in page
    assert f"Der Ordner {stick} ist nicht da." in page


def test_the_page_warns_when_one_has_failed_and_until_one_succeeds(stick: Path, committed: None) -> None:
    desk = Staff(players=5)
    save(stick, desk.tournament)
    in_the_way = stick / ".schnauz-turnier.zip.new"
    in_the_way.mkdir()

    with pytest.raises(IsADirectoryError):
        save(stick, desk.tournament, at=AT + MINUTE)
    page = text_of(desk.get("overview"))
    assert "Seit 21.11.2026 19:30 Uhr ist nichts mehr gesichert" in page
    assert f"Die Sicherung nach {stick} ist misslungen: Is a directory." in page

    in_the_way.rmdir()
    save(stick, desk.tournament, at=AT + 2 * MINUTE)
    assert "Letzte automatische Sicherung: 21.11.2026 19:32 Uhr" in text_of(desk.get("overview"))


def test_it_is_late_when_what_was_written_is_not_in_one_after_some_minutes(
    stick: Path, tournament: Tournament
) -> None:
    save(stick, tournament, at=AT + MINUTE)
    ParticipantFactory.create(tournament=tournament, registered_at=AT + 2 * MINUTE)

    def problem(now: datetime) -> str:
        return backup_state(stick, tournament, now=now).problem

    assert problem(AT + 2 * MINUTE + LATE) == ""
    assert problem(AT + 3 * MINUTE + LATE) == "late"
    save(stick, tournament, at=AT + 3 * MINUTE)
    assert problem(AT + timedelta(days=3)) == ""


@pytest.mark.django_db
def test_without_a_folder_the_page_says_nothing_of_backups() -> None:
    desk = Staff(players=5)
    for name in ("overview", "backup"):
        assert "automatische Sicherung" not in text_of(desk.get(name))
