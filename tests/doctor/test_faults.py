"""The doctor run as a program, with faults that are really there."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.db import connection

from tests import forked
from tests.conftest import url_of_test_database
from tests.data_dirs import copy_data_dir, empty_data_dir
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, is_served, wait_until

VARIABLES = (
    "BACKUP_DIR",
    "DATABASE_URL",
    "DATA_DIR",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "PORT",
    "PUBLIC_URL",
    "SECRET_KEY",
)


def doctor(data_dir: Path, **environment: str) -> tuple[int, dict[str, str]]:
    """Run `manage.py doctor`; return its exit status and what it says by name, each with its state in front."""
    inherited = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    place = {"DATA_DIR": str(data_dir), "HOST": "127.0.0.1", "PORT": str(free_port())}
    command = [sys.executable, "manage.py", "doctor"]
    ran = forked.run(command, cwd=ROOT, env=inherited | place | environment)
    assert ran.stderr == ""
    return ran.returncode, _by_name(ran.stdout)


def _by_name(report: str) -> dict[str, str]:
    said: dict[str, str] = {}
    name = ""
    for line in report.partition("\n\n")[0].splitlines():
        if line.startswith(" "):
            said[name] += f" {line.strip()}"
        else:
            state, _space, rest = line.partition(" ")
            name, _colon, sentence = rest.strip().partition(":")  # the line may end with it
            said[name] = f"{state} {sentence.strip()}".rstrip()
    return said


def wrong(said: dict[str, str]) -> set[str]:
    return {name for name, sentence in said.items() if sentence.startswith("FEHLER")}


def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made_but_the_key(tmp_path: Path) -> None:
    code, said = doctor(tmp_path / "Größe 1")
    assert (code, wrong(said)) == (0, set())
    assert said["Datenbank"] == "ok Wird beim ersten Start angelegt."
    assert said["Adresse"].endswith("Für Handys mit HOST=0.0.0.0 starten.")
    assert [path.name for path in (tmp_path / "Größe 1").iterdir()] == ["secret_key"]


def test_in_english(tmp_path: Path) -> None:
    code, said = doctor(tmp_path, DEFAULT_LANGUAGE="en")
    assert code == 0
    assert said["Database"] == "ok Is made at the first start."


def test_settings_that_are_not_understood_are_a_finding(tmp_path: Path) -> None:
    code, said = doctor(tmp_path, DATABASE_URL="mysql://here/there")
    assert (code, wrong(said)) == (1, {"Einstellungen"})
    assert "DATABASE_URL must name a PostgreSQL database." in said["Einstellungen"]
    code, said = doctor(tmp_path, PORT="http")
    assert (code, wrong(said)) == (1, {"Einstellungen"})
    assert "PORT=http ist keine Zahl von 1 bis 65535." in said["Einstellungen"]


def test_a_taken_port_and_who_has_it(tmp_path: Path) -> None:
    with socket.socket() as other_program:
        other_program.bind(("127.0.0.1", 0))
        other_program.listen()
        port = other_program.getsockname()[1]
        code, said = doctor(tmp_path, PORT=str(port))
    assert (code, wrong(said)) == (1, {"Port"})
    assert f"(PID {os.getpid()})" in said["Port"]
    assert "Das andere Programm beenden, oder mit PORT=8000 starten." in said["Port"]


@pytest.mark.parametrize(("version", "state"), [(settings.VERSION, "ok"), ("0.0.1", "WARNUNG")])
def test_the_program_itself_on_the_port(tmp_path: Path, version: str, state: str) -> None:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Program-Version", version)
            self.end_headers()

        def log_message(self, *arguments: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Healthy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        code, said = doctor(tmp_path, PORT=str(server.server_port))
        server.shutdown()
    assert (code, said["Port"].partition(" ")[0]) == (0, state)


@contextmanager
def disk(folder: Path, options: str) -> Iterator[Path]:
    """Mount a small disk in a folder."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """Make a folder that this account cannot write to: root can, unless the disk is read-only."""
    if os.geteuid() == 0:
        with disk(folder, "ro"):
            yield folder
    else:
        folder.mkdir(mode=0o555)
        yield folder


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    with read_only(tmp_path / "data") as data_dir:
        code, said = doctor(data_dir, SECRET_KEY="x" * 50)
        assert (code, wrong(said) - {"Speicherplatz"}) == (1, {"Datenordner"})
        assert f"In {data_dir} kann nicht geschrieben werden: " in said["Datenordner"]
        code, said = doctor(data_dir)  # the key cannot be written either
        assert (code, wrong(said) - {"Speicherplatz"}) == (1, {"Einstellungen", "Datenordner"})


def test_a_full_disk(tmp_path: Path) -> None:
    with disk(tmp_path / "disk", "size=1m") as small:
        code, said = doctor(small / "data")
        assert (code, wrong(said)) == (1, {"Speicherplatz"})
        assert "FEHLER Nur noch 1 MB frei" in said["Speicherplatz"]
        with suppress(OSError):
            (small / "film").write_bytes(bytes(2_000_000))
        code, said = doctor(small / "data")
        assert (code, wrong(said)) == (1, {"Datenordner", "Speicherplatz"})
        assert "No space left on device" in said["Datenordner"]


def test_a_backup_folder_that_is_gone(tmp_path: Path) -> None:
    folder = str(tmp_path / "stick" / "turnier")
    code, said = doctor(tmp_path, BACKUP_DIR=folder)
    assert (code, wrong(said)) == (1, {"Sicherungen"})
    assert "Den Stick oder die Platte anstecken" in said["Sicherungen"]
    (tmp_path / "stick").mkdir()
    code, said = doctor(tmp_path, BACKUP_DIR=folder)  # the start makes the folder on the stick
    assert (code, f"In {folder} ist noch keine." in said["Sicherungen"]) == (0, True)


def test_a_clock_that_is_behind_the_files(tmp_path: Path) -> None:
    (tmp_path / "database.log").touch()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    os.utime(tmp_path / "database.log", (tomorrow.timestamp(),) * 2)
    code, said = doctor(tmp_path)
    assert (code, wrong(said)) == (1, {"Uhr"})
    assert f"aber {tmp_path / 'database.log'} ist schon vom " in said["Uhr"]


def test_codes_that_lead_to_an_address_of_another_day(tmp_path: Path) -> None:
    (tmp_path / "public_url").write_text("http://192.0.2.99:8123")
    _code, said = doctor(tmp_path, HOST="0.0.0.0")
    assert said["Adresse"].startswith("FEHLER")  # another address, or none without a network


def test_a_database_that_does_not_answer(tmp_path: Path) -> None:
    code, said = doctor(tmp_path, DATABASE_URL=f"postgres://schnauz:s3cret@127.0.0.1:{free_port()}/schnauz")
    assert (code, wrong(said)) == (1, {"Datenbank"})
    assert "s3cret" not in str(said)
    assert "DATABASE_URL stimmt" in said["Datenbank"]


def test_the_embedded_database_is_started_and_stopped_again(tmp_path: Path) -> None:
    made = copy_data_dir(empty_data_dir(), tmp_path / "data")
    code, said = doctor(made)
    assert (code, wrong(said)) == (0, set())
    assert said["Datenbank"].endswith("antwortet.")
    assert said["Stand der Daten"] == "ok Noch leer."
    wait_until(lambda: not is_served(made))


def test_an_embedded_database_of_another_postgresql(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    (data_dir / "cluster").mkdir(parents=True)
    (data_dir / "cluster" / "PG_VERSION").write_text("9\n")
    code, said = doctor(data_dir)
    assert (code, wrong(said)) == (1, {"Datenbank"})
    assert "9" in said["Datenbank"]
    assert "PG_BIN" in said["Datenbank"]


@pytest.mark.usefixtures("committed")
def test_a_database_of_a_newer_program_and_of_a_later_clock(tmp_path: Path) -> None:
    url = url_of_test_database()
    code, said = doctor(tmp_path, DATABASE_URL=url)
    assert (code, wrong(said)) == (0, set())
    assert said["Stand der Daten"] == "ok Passt zum Programm."
    later = datetime.now(UTC) + timedelta(days=400)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '0999_later', %s)", [later]
        )
        try:
            code, said = doctor(tmp_path, DATABASE_URL=url)
        finally:
            cursor.execute("DELETE FROM django_migrations WHERE name = '0999_later'")
    assert (code, wrong(said)) == (1, {"Stand der Daten", "Uhr"})
    assert "scoring.0999_later" in said["Stand der Daten"]
    assert "ein Eintrag der Datenbank" in said["Uhr"]
