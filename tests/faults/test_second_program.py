"""Two programs on one data folder: the second one is refused, and changes nothing of the first one."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import forked
from tests.conftest import url_of_test_database
from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.house import wait_until
from tests.ports import free_port
from tests.schnauz_turnier.postgresql.test_database import ROOT, SOON
from tests.schnauz_turnier.start.test_launch import answers, launch, read_until, surroundings

FILES = ("public_url", "secret_key", "database.json", "database.port", "users.lock")
BROWSER = '#!/bin/sh\necho "$1" > "$OPENED"\n'
WITHOUT_LOCK = """
from schnauz_turnier.start import command_line
from schnauz_turnier.postgresql import database
from tournaments import file_locks
file_locks.try_to_lock = lambda *_: True  # the database keeps its own
command_line.main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_data_dir(migrated_data_dir(), tmp_path / "data")


@pytest.fixture
def started() -> Iterator[list[forked.Heard]]:
    """Programs that are killed in the end."""
    processes: list[forked.Heard] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait(SOON)


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {name: ((folder / name).read_bytes(), (folder / name).stat().st_mtime_ns) for name in FILES}


@pytest.mark.parametrize("same_port", [True, False])
def test_a_second_one_names_the_first_opens_its_page_and_changes_nothing(
    folder: Path, tmp_path: Path, started: list[forked.Heard], *, same_port: bool
) -> None:
    port = free_port()
    first = launch(folder, port)
    started.append(first)
    read_until(first, "Strg+C")
    before = state_of(folder)
    (browser := tmp_path / "browser").write_text(BROWSER)
    browser.chmod(0o755)
    inherited = dict.fromkeys(("CI", "SSH_CONNECTION"), "")
    desktop = {"DISPLAY": ":0", "BROWSER": str(browser), "OPENED": str(tmp_path / "opened"), **inherited}
    second = launch(folder, port if same_port else free_port(), **desktop)
    said, _nothing = second.communicate(timeout=SOON)
    assert second.returncode == 1
    assert f"läuft das Programm schon: http://127.0.0.1:{port}/ " in said
    assert "Traceback" not in said
    assert wait_until((tmp_path / "opened").exists)
    assert wait_until(lambda: (tmp_path / "opened").read_text() == f"http://127.0.0.1:{port}\n")
    assert state_of(folder) == before
    assert answers(f"http://127.0.0.1:{port}/healthz")


def test_of_two_that_start_at_once_one_serves_and_the_other_names_it(
    folder: Path, started: list[forked.Heard]
) -> None:
    ports = [free_port() for _ in range(3)]
    started += [launch(folder, port) for port in ports]
    assert wait_until(lambda: sum(process.poll() == 1 for process in started) == 2)
    (winner,) = (port for process, port in zip(started, ports, strict=True) if process.poll() is None)
    assert wait_until(lambda: answers(f"http://127.0.0.1:{winner}/healthz"))
    assert (folder / "public_url").read_text() == f"http://127.0.0.1:{winner}"
    refused = [process.communicate(timeout=SOON)[0] for process in started if process.returncode == 1]
    assert [re.findall(r"läuft das Programm schon: (\S+) ", said) for said in refused] == [
        [f"http://127.0.0.1:{winner}/"]
    ] * 2


def test_without_the_lock_several_serve(folder: Path, started: list[forked.Heard]) -> None:
    """The control."""
    ports = [free_port() for _ in range(2)]
    started += [
        forked.start_and_listen(
            [sys.executable, "-c", WITHOUT_LOCK], cwd=ROOT, env=surroundings(folder, port)
        )
        for port in ports
    ]
    assert wait_until(lambda: all(answers(f"http://127.0.0.1:{port}/healthz") for port in ports))


def test_one_that_was_killed_stands_in_nobodys_way(folder: Path, started: list[forked.Heard]) -> None:
    first = launch(folder, free_port())
    started.append(first)
    read_until(first, "Strg+C")
    os.kill(first.pid, signal.SIGKILL)
    first.wait(SOON)
    second = launch(folder, port := free_port())
    started.append(second)
    assert f"läuft: http://127.0.0.1:{port}/\n" in read_until(second, "Strg+C")
    assert (folder / "public_url").read_text() == f"http://127.0.0.1:{port}"


def test_processes_on_a_database_of_their_own_share_a_folder_and_the_address_of_the_first(
    tmp_path: Path, started: list[forked.Heard], committed: None
) -> None:
    ports = [free_port(), free_port()]
    for port in ports:
        started.append(launch(tmp_path, port, DATABASE_URL=url_of_test_database()))
        read_until(started[-1], "Strg+C")
    assert wait_until(lambda: all(answers(f"http://127.0.0.1:{port}/healthz") for port in ports))
    assert (tmp_path / "public_url").read_text() == f"http://127.0.0.1:{ports[0]}"
