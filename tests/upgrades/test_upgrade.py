"""Tests of the upgrade: a backup first, all or nothing, refusals that change nothing, and the way back."""

import json
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import find_commands, load_command_class

from scoring.services.upgrade import FOLDER
from tests.conftest import ROOT
from tests.faults.house import COMMANDS
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import SOON, wait_until
from tests.schnauz_turnier.start.test_launch import read_until
from tests.upgrades.conftest import copy_of, drop_database
from tests.upgrades.databases import PATIENCE, Installation, later_version
from tournaments.commands import DatabaseCommand
from tournaments.queries.database_version import BEFORE_1_0, FIRST

CHANGE = "UPDATE tournaments_tournament SET place = 'Neuer Saal'"
TABLE = "CREATE TABLE scoring_planted AS SELECT id FROM tournaments_tournament"
SLOW = "SELECT pg_sleep(600)"
FAILS = "SELECT 1 / 0"
BACKED_UP = re.compile(r"^Vor der Aktualisierung gesichert: (.+)$", re.MULTILINE)
ON_A_FULL_DISK = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.argv = ["manage.py", "migrate"]
runpy.run_path("manage.py", run_name="__main__")
"""
NEWER = "gehört zu einer neueren Version des Programms (scoring.9001_planted"


@pytest.fixture
def unchanged(refusing: tuple[Installation, dict[str, str]], tmp_path: Path) -> Iterator[Installation]:
    """Yield an installation in whose database the test changes nothing. It is shared, its DATA_DIR is not."""
    shared, before = refusing
    data_dir = tmp_path / "data"
    shutil.copytree(shared.data_dir, data_dir)
    yield replace(shared, data_dir=data_dir)
    assert shared.content() == before


def later(installation: Installation, folder: Path, *operations: str) -> Installation:
    return installation.with_environment(**later_version(folder, *operations))


def places(installation: Installation) -> set[str]:
    return {place for (place,) in installation.ask("SELECT place FROM tournaments_tournament")}


def exported(installation: Installation) -> object:
    status, said = installation.manage("export_tournament", "uebung")
    assert status == 0, said
    return json.loads(said)


# --- the backup ----------------------------------------------------------------------------------------------------


def test_before_an_upgrade_a_backup_is_made_and_restored_it_is_the_old_evening(
    installation: Installation, new_installation: Installation, tmp_path: Path
) -> None:
    before = exported(installation)
    status, said = later(installation, tmp_path, CHANGE, TABLE).manage("migrate", "--verbosity=0")
    assert status == 0, said
    [made] = BACKED_UP.findall(said)
    assert Path(made).parent == installation.data_dir / FOLDER
    assert places(installation) == {"Neuer Saal"}

    status, said = new_installation.manage("restore", made)  # the way back: the older program
    assert status == 0, said
    assert exported(new_installation) == before
    assert new_installation.manage("rebuild_results", "uebung") == (0, "no differences\n")


def test_a_later_program_restores_it_and_goes_on(
    installation: Installation, new_installation: Installation, tmp_path: Path
) -> None:
    _status, said = later(installation, tmp_path, CHANGE).manage("migrate", "--verbosity=0")
    [made] = BACKED_UP.findall(said)
    status, said = later(new_installation, tmp_path, CHANGE).manage("restore", made)
    assert status == 0, said
    assert BACKED_UP.findall(said) == []  # the file that was restored is one
    assert places(new_installation) == {"Neuer Saal"}


def test_the_start_says_where_it_is(installation: Installation, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    newer = later(installation, tmp_path, CHANGE)
    process = newer.with_environment(BACKUP_DIR=str(stick), PORT=str(free_port())).start(
        "-m", "schnauz_turnier"
    )
    try:
        [made] = BACKED_UP.findall(read_until(process, "Strg+C"))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SOON)
    finally:
        process.kill()
    assert Path(made).parent == stick / FOLDER
    assert Path(made).stat().st_size > 1000


def test_without_data_there_is_none(just_made: tuple[Installation, str]) -> None:
    made, said = just_made
    assert said == ""
    assert not (made.data_dir / FOLDER).exists()


def test_without_an_upgrade_there_is_none(installation: Installation) -> None:
    assert installation.manage("migrate", "--verbosity=0") == (0, "")
    assert not (installation.data_dir / FOLDER).exists()


def no_stick(data_dir: Path) -> dict[str, str]:
    return {"BACKUP_DIR": str(data_dir / "stick" / "turnier")}


def no_folder(data_dir: Path) -> dict[str, str]:
    (data_dir / FOLDER).write_text("")
    return {}


@pytest.mark.parametrize(
    ("hinder", "reason"), [(no_stick, "No such file|No such folder"), (no_folder, "File exists")]
)
def test_without_a_backup_nothing_is_changed(
    unchanged: Installation, tmp_path: Path, hinder: Callable[[Path], dict[str, str]], reason: str
) -> None:
    hindered = unchanged.with_environment(**hinder(unchanged.data_dir))
    status, said = later(hindered, tmp_path, CHANGE).manage("migrate")
    assert status == 1
    assert re.search(rf"das ging nicht: .*: ({reason})\. Es wurde nichts geändert", said)


def test_on_a_full_disk_nothing_is_changed(unchanged: Installation, tmp_path: Path) -> None:
    status, said = later(unchanged, tmp_path, CHANGE).run("-c", ON_A_FULL_DISK)
    assert status == 1
    assert re.search(r"das ging nicht: .*: File too large\. Es wurde nichts geändert", said)
    assert list((unchanged.data_dir / FOLDER).iterdir()) == []


# --- all or nothing ------------------------------------------------------------------------------------------------


def is_asleep(installation: Installation) -> bool:
    asleep = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
    return bool(installation.ask(asleep))


def killed_in_the_middle(installation: Installation, *command: str) -> None:
    """Kill the program while it migrates, and its connection, which would sleep on."""
    process = installation.start(*command)
    try:
        wait_until(lambda: is_asleep(installation))
    finally:
        process.kill()
        process.communicate(timeout=SOON)
    installation.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    wait_until(lambda: not is_asleep(installation))


def test_killed_in_the_middle_the_database_is_the_old_one_and_the_next_start_makes_the_new_one(
    installation: Installation, tmp_path: Path
) -> None:
    before = installation.content()
    killed_in_the_middle(later(installation, tmp_path, CHANGE, TABLE, SLOW), "manage.py", "migrate")
    assert installation.content() == before

    status, said = later(installation, tmp_path, CHANGE, TABLE).manage("migrate", "--verbosity=0")
    assert status == 0, said
    assert places(installation) == {"Neuer Saal"}
    assert installation.ask("SELECT count(*) FROM scoring_planted") == [(1,)]


def test_without_one_transaction_it_is_left_in_between(installation: Installation, tmp_path: Path) -> None:
    """The control: the same migrations by Django's own command."""
    before = installation.content()
    djangos_own = (
        "import django; django.setup(); from django.core.management import call_command; "
        "from django.core.management.commands.migrate import Command; call_command(Command())"
    )
    killed_in_the_middle(later(installation, tmp_path, CHANGE, TABLE, SLOW), "-c", djangos_own)
    assert installation.content() != before


def test_a_migration_that_fails_leaves_the_old_database(unchanged: Installation, tmp_path: Path) -> None:
    status, said = later(unchanged, tmp_path, CHANGE, TABLE, FAILS).manage("migrate")
    assert status == 1
    assert "division by zero" in said


def test_rows_that_are_yet_to_be_checked_do_not_stop_the_next_migration(
    installation: Installation, tmp_path: Path
) -> None:
    """Within one transaction PostgreSQL alters no table that has pending events of deferred keys."""
    rows = "UPDATE scoring_sheet SET table_id = table_id + 0, pen_epoch = pen_epoch + 1"
    newer = later(installation, tmp_path, rows, "ALTER TABLE scoring_sheet ALTER pen_epoch SET DEFAULT 0")
    status, said = newer.manage("migrate")
    assert status == 0, said


# --- another version -----------------------------------------------------------------------------------------------

PROGRAMS = [
    ("manage.py", "migrate"),
    ("manage.py", "import_tournament", "abend.json"),
    ("-m", "schnauz_turnier"),
    ("-m", "schnauz_turnier.serve", "127.0.0.1", "0"),
]


def test_an_older_program_refuses_the_database_of_a_newer_one(
    installation: Installation, tmp_path: Path
) -> None:
    status, said = later(installation, tmp_path, CHANGE).manage("migrate", "--verbosity=0")
    assert status == 0, said
    after = installation.content()
    older = installation.with_environment(PORT=str(free_port()))
    for process in [older.start(*command) for command in PROGRAMS]:
        said, _nothing = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1, said
        assert NEWER in said
        assert "Traceback" not in said
    assert installation.content() == after


def test_so_does_each_command_that_uses_the_database() -> None:
    for app, without_it in (("scoring", {"migrate", "verify_draw"}), ("tournaments", set())):
        for name in sorted(set(find_commands(str(ROOT / app / "management"))) - without_it):
            assert isinstance(load_command_class(app, name), DatabaseCommand), name


def test_no_command_checks_the_whole_program_before_it_works() -> None:
    for app in ("scoring", "tournaments"):
        for name in find_commands(str(ROOT / app / "management")):
            assert load_command_class(app, name).requires_system_checks == [], name


@pytest.fixture(scope="module")
def of_before_1_0(
    filled: Installation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Installation, dict[str, str]]]:
    """Yield an installation as the last one from before the first version, of which copies are made, and its content of today."""
    made = copy_of(filled, tmp_path_factory.mktemp("before 1.0") / "data")
    today = made.content()
    backwards = [
        ("migrate", app, max(name for of, name in FIRST if of == app), "--without-backup", "--verbosity=0")
        for app in ("scoring", "tournaments")
    ]
    status, said = made.run("-c", COMMANDS, json.dumps(backwards))
    assert status == 0, said
    made.ask("DELETE FROM django_migrations WHERE app IN ('scoring', 'tournaments')")
    for app, name in BEFORE_1_0:
        made.ask(f"INSERT INTO django_migrations (app, name, applied) VALUES ('{app}', '{name}', now())")
    yield made, today
    drop_database(made.url)


@pytest.fixture
def before_1_0(of_before_1_0: tuple[Installation, dict[str, str]], tmp_path: Path) -> Iterator[Installation]:
    made = copy_of(of_before_1_0[0], tmp_path / "data")
    yield made
    drop_database(made.url)


def test_the_last_database_from_before_the_first_version_is_taken_over(
    of_before_1_0: tuple[Installation, dict[str, str]], before_1_0: Installation
) -> None:
    today = of_before_1_0[1]
    status, said = before_1_0.manage("migrate", "--verbosity=0")
    assert status == 0, said
    assert len(BACKED_UP.findall(said)) == 1
    after = before_1_0.content()
    assert {name for name in after if after[name] != today[name]} == {"django_migrations"}
    named = set(before_1_0.ask("SELECT app, name FROM django_migrations"))
    assert named >= FIRST
    assert not named & BEFORE_1_0


def test_an_earlier_one_is_refused(before_1_0: Installation) -> None:
    before_1_0.ask("DELETE FROM django_migrations WHERE name = '0019_missing_players'")
    before = before_1_0.content()
    for command in (("manage.py", "migrate"), ("-m", "schnauz_turnier")):
        status, said = before_1_0.with_environment(PORT=str(free_port())).run(*command)
        assert status == 1
        assert "Diese Datenbank ist aus der Zeit vor Version 1.0. Es wurde nichts geändert." in said
        assert "Traceback" not in said
    assert before_1_0.content() == before


def test_tables_of_an_edited_migration_are_noticed(installation: Installation) -> None:
    installation.ask("ALTER TABLE scoring_screen RENAME revealed TO best_revealed")
    before = installation.content()
    status, said = installation.manage("migrate")
    assert status == 1
    assert (
        "Die Tabellen dieser Datenbank sind nicht die dieses Programms (scoring_screen.best_revealed)" in said
    )
    assert installation.content() == before


def test_what_an_earlier_version_did_not_count_is_counted_anew(installation: Installation) -> None:
    """Results lack a count where the program has learned of a tie-break since they were stored."""
    installation.ask("UPDATE scoring_seatresult SET counts = counts - 'feuer'")
    assert installation.manage("migrate", "--verbosity=0") == (0, "")
    assert installation.manage("rebuild_results", "uebung") == (0, "no differences\n")
