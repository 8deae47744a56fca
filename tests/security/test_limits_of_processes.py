"""Limits that hold for all processes of a machine together."""

import fcntl
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings

from tournaments import hashing

ROOT = Path(__file__).parents[2]
TURNS, PROCESSES = 10, 2

HASH = """
import os, sys
from hashlib import pbkdf2_hmac

import django

django.setup()
from tournaments import hashing

log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
def note(what):
    os.write(log, f"{what} {os.getpid()}\\n".encode())

print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[2])):
    with hashing.hashing_slot("somebody"):
        note("begin")
        pbkdf2_hmac("sha256", b"", b"", 20_000)
        note("end")
"""


def times_together(log: Path, folders: list[Path], turns: int = TURNS) -> int:
    """Hash in a process for each DATA_DIR, and return how often one began while another one had not ended."""
    log.touch()
    common = {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": "postgres://nobody@localhost/nothing",
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", HASH, str(log), str(turns)],
            cwd=ROOT,
            env={**os.environ, **common, "DATA_DIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    lines = log.read_text().splitlines()
    assert len(lines) == 2 * turns * len(folders)
    return sum(before.startswith("begin") and now.startswith("begin") for before, now in pairwise(lines))


def test_one_password_is_hashed_at_a_time_in_all_processes(tmp_path: Path) -> None:
    assert times_together(tmp_path / "log", [tmp_path] * PROCESSES) == 0


def test_processes_that_share_nothing_hash_at_once(tmp_path: Path) -> None:
    """The control. A folder that does not exist has no lock. With few turns one may have ended before the other begins."""
    folders = [tmp_path / str(number) for number in range(PROCESSES)]
    assert times_together(tmp_path / "log", folders, 20 * TURNS) > 0


def test_a_process_that_is_stopped_while_it_hashes_keeps_nobody_out_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(hashing, "PATIENCE", 0.1)
    with (tmp_path / "hashing.lock").open("a") as of_another:
        fcntl.flock(of_another, fcntl.LOCK_EX)
        with hashing.hashing_slot("somebody"):
            pass


LIMITS = {  # with 1, 2 and 64 processes
    "LARGE_BODIES_PER_ADDRESS": [4, 2, 1],
    "PHONE_ERRORS": [60, 30, 1],
    "PHONE_ERRORS_OF_AN_ADDRESS": [20, 10, 1],
    "HASHES_WAITING": [4, 3, 3],
    "HASHES_WAITING_KNOWN": [2, 1, 1],
    "HASHES_WAITING_PER_ADDRESS": [2, 2, 2],  # never all of them
    "CONNECTIONS_PER_ADDRESS": [600, 600, 600],
}
SHOW = f"import json; from schnauz_turnier import settings; print(json.dumps({{name: getattr(settings, name) for name in {[*LIMITS]}}}))"


def limits_with(processes: int) -> dict[str, int]:
    environment = {
        **os.environ,
        "PROCESSES": str(processes),
        "PUBLIC_URL": "http://localhost",
        "SECRET_KEY": "x" * 50,
    }
    shown = subprocess.run(
        [sys.executable, "-c", SHOW], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    limits: dict[str, int] = json.loads(shown.stdout)
    return limits


def test_limits_of_a_machine_are_shared_out() -> None:
    shown = [limits_with(processes) for processes in (1, 2, 64)]
    assert {name: [limits[name] for limits in shown] for name in LIMITS} == LIMITS
