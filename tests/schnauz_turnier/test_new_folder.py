"""Commands on a new folder, and where the database is away or of another version: success or a sentence, never a traceback."""

import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from schnauz_turnier.start.command_line import MANAGEMENT
from tests import forked
from tests.data_dirs import copy_data_dir, empty_data_dir, migrated_data_dir
from tests.faults.evening import SLUG, document
from tests.faults.house import Database
from tests.ports import free_port
from tests.races import at_once
from tests.schnauz_turnier.postgresql.test_database import ROOT
from tournaments.commands import DatabaseCommand

WITHOUT_WAITING = """
import contextlib, os
os.environ["DJANGO_SETTINGS_MODULE"] = "schnauz_turnier.settings"
from django.core.management import execute_from_command_line
from tournaments import commands
commands.one_start_at_a_time = contextlib.nullcontext
execute_from_command_line(["manage.py", "cash", "abend"])
"""
EACH = """
import django, json, os, runpy, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "schnauz_turnier.settings"
django.setup()
for number, words in enumerate(json.loads(sys.argv[1])):
    if pid := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    for file, name in enumerate(("printed", "errors"), start=1):
        os.dup2(os.open(f"{os.environ['DATA_DIR']}/{number}.{name}", os.O_CREAT | os.O_WRONLY), file)
    sys.argv = ["manage.py", *words]
    runpy.run_path("manage.py", run_name="__main__")
    sys.exit()
"""
"""Runs commands one after the other, each as a fork of a process that has loaded the program, with the same settings."""
OURS = ("DATABASE_URL", "PUBLIC_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "HOST", "PORT", "BACKUP_DIR")
MANAGE, PROGRAM = ("manage.py",), ("-m", "schnauz_turnier")

COMMANDS: dict[str, tuple[str, ...]] = {
    "account_link": ("Anna",),
    "backup": ("--to", "."),
    "cash": ("abend",),
    "close_round": ("abend",),
    "draw_round": ("abend",),
    "export_club": (),
    "export_tournament": ("abend",),
    "import_club": ("nowhere.json",),
    "import_tournament": ("nowhere.json",),
    "practice_tournament": (),
    "prizes": ("abend",),
    "rebuild_results": ("abend",),
    "restore": ("nowhere.zip",),
    "sheet_links": ("abend",),
}
"""Every command of ours that needs the database, with arguments."""
NEED_NONE = {"doctor", "migrate", "verify_draw"}
OF_CLUBS = {
    *("archive_club", "club", "clubs", "confirm_registration", "create_club"),
    *(
        "create_operator",
        "delete_club",
        "end_club",
        "limit_club",
        "list_club",
        "migrate_clubs",
        "registrations",
    ),
}
OF_DJANGO = (("clearsessions",), ("changepassword", "Anna"), ("showmigrations",), ("migrate",))


def run(folder: Path, *words: str, text: str = "", **environment: str) -> tuple[int, str, str]:
    """Run a command; return its status, what it printed, and its errors."""
    inherited = {name: value for name, value in os.environ.items() if name not in OURS}
    environment = {**inherited, "DATA_DIR": str(folder), **environment}
    done = forked.run([sys.executable, *words], cwd=ROOT, env=environment, text=text)
    return done.returncode, done.stdout, done.stderr


def run_each(
    folder: Path, *commands: tuple[str, Sequence[str]], **environment: str
) -> list[tuple[int, str, str]]:
    """Run commands of `manage.py`; return of each what `run` returns."""
    words = json.dumps([[name, *arguments] for name, arguments in commands])
    done, statuses, errors = run(folder, "-c", EACH, words, **environment)
    assert (done, errors) == (0, "")
    return [
        (int(status), (folder / f"{number}.printed").read_text(), (folder / f"{number}.errors").read_text())
        for number, status in enumerate(statuses.split())
    ]


@pytest.fixture
def new_folder(tmp_path: Path) -> Path:
    """A folder with a database in which is nothing yet; to make that takes longest, and is the same for all commands."""
    return copy_data_dir(empty_data_dir(), tmp_path / "new")


def test_the_table_holds_every_command() -> None:
    ours = {name for name, app in get_commands().items() if not app.startswith("django")}
    assert ours - {"collectstatic", "findstatic", "runserver"} >= set(COMMANDS) | NEED_NONE | OF_CLUBS
    database = {
        name for name in ours if isinstance(load_command_class(get_commands()[name], name), DatabaseCommand)
    }
    assert database == set(COMMANDS)
    assert set(MANAGEMENT.values()) <= set(COMMANDS) | NEED_NONE


def test_import_on_a_new_folder_makes_the_tables(new_folder: Path) -> None:
    assert run(new_folder, *PROGRAM, "import", "-", text=json.dumps(document(1))) == (0, f"{SLUG}\n", "")
    status, exported, errors = run(new_folder, *PROGRAM, "export", SLUG)
    assert (status, json.loads(exported)["tournament"]["slug"], errors) == (0, SLUG, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*PROGRAM, "export", "abend"), "CommandError: There is no tournament 'abend'."),
        ((*MANAGE, "account_link", "Anna"), "CommandError: "),
        ((*MANAGE, "clearsessions"), "In der Datenbank fehlen die Tabellen. Zuerst: manage.py migrate."),
    ],
)
def test_on_a_new_folder_a_command_says_what_is_missing(
    new_folder: Path, words: tuple[str, ...], said: str
) -> None:
    status, _printed, errors = run(new_folder, *words)
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(said)


def test_a_backup_of_a_new_folder_fills_another_one(new_folder: Path, tmp_path: Path) -> None:
    other = copy_data_dir(migrated_data_dir(), tmp_path / "other")
    assert run(new_folder, *PROGRAM, "backup")[::2] == (0, "")
    assert run(other, *PROGRAM, "restore", str(new_folder / "backups"))[::2] == (0, "")


def test_two_commands_at_once_make_the_tables_once(new_folder: Path) -> None:
    with Database(new_folder).stay():
        done = at_once(*[lambda: run(new_folder, *MANAGE, "cash", "abend")] * 3)
    assert done == [(1, "", "CommandError: There is no tournament 'abend'.\n")] * 3


def test_without_waiting_most_of_them_fail(new_folder: Path) -> None:
    """The control."""
    with Database(new_folder).stay():
        done = at_once(*[lambda: run(new_folder, "-c", WITHOUT_WAITING)] * 3)
    assert done != [(1, "", "CommandError: There is no tournament 'abend'.\n")] * 3


def test_in_a_database_of_a_newer_version_nothing_is_done(tmp_path: Path) -> None:
    folder = copy_data_dir(migrated_data_dir(), tmp_path / "newer")
    database = Database(folder)
    with database.stay():
        run(folder, *MANAGE, "showmigrations")  # starts the database
        database.tell(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9999_newer', now())"
        )
        said = run_each(folder, *COMMANDS.items())
    for command, (status, printed, errors) in zip(COMMANDS, said, strict=True):
        assert (status, printed, errors.count("\n")) == (1, "", 1), (command, errors)
        assert "gehört zu einer neueren Version" in errors, command


def test_where_the_database_is_away_a_command_says_so(tmp_path: Path) -> None:
    nowhere = f"postgres://schnauz:s3cret@127.0.0.1:{free_port()}/schnauz"
    said = run_each(tmp_path, *COMMANDS.items(), DATABASE_URL=nowhere)
    for command, (status, printed, errors) in zip(COMMANDS, said, strict=True):
        assert (status, printed) == (1, ""), command
        assert re.match(r"CommandError: Die Datenbank ist nicht erreichbar: .*127\.0\.0\.1", errors), command
        assert ("Traceback" in errors, "s3cret" in errors) == (False, False), command


def test_where_the_programs_own_database_cannot_start_a_command_says_so(tmp_path: Path) -> None:
    commands = (("export_tournament", ("abend",)), *((name, words) for name, *words in OF_DJANGO))
    said = run_each(tmp_path, *commands, PG_BIN=str(tmp_path))
    for command, (status, printed, errors) in zip(commands, said, strict=True):
        assert (status, printed) == (1, ""), command
        assert "Die Datenbank ist nicht erreichbar: The embedded PostgreSQL" in errors, command
        assert "Traceback" not in errors, command


@pytest.mark.parametrize("words", [(*MANAGE, "cash", "abend"), (*PROGRAM, "export", "abend")])
def test_settings_that_are_not_understood_are_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    status, printed, errors = run(tmp_path, *words, PUBLIC_URL="turnier")
    assert (status, printed, errors.count("\n")) == (1, "", 1)
    assert errors.startswith("PUBLIC_URL='turnier' is not understood.")
