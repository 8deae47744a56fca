"""Tests of locks between processes, one of which is really killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tournaments.file_locks import share, try_to_lock

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from tournaments.file_locks import share, try_to_lock
file = open(sys.argv[1], "ab")
share(file) if sys.argv[2] == "shared" else try_to_lock(file)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(file: Path, how: str) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the lock."""
    command = [sys.executable, "-c", HOLD, str(file), how]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def can_lock(file: Path, *, is_shared: bool) -> bool:
    with file.open("ab") as opened:
        return try_to_lock(opened, is_shared=is_shared)


@pytest.mark.parametrize(("how", "shared", "alone"), [("shared", True, False), ("exclusive", False, False)])
def test_a_lock_of_another_process(tmp_path: Path, how: str, *, shared: bool, alone: bool) -> None:
    with held(tmp_path / "lock", how):
        assert can_lock(tmp_path / "lock", is_shared=True) is shared
        assert can_lock(tmp_path / "lock", is_shared=False) is alone


@pytest.mark.parametrize("how", ["shared", "exclusive"])
def test_a_killed_process_holds_nothing(tmp_path: Path, how: str) -> None:
    with held(tmp_path / "lock", how) as process:
        process.kill()
        process.wait()
        assert can_lock(tmp_path / "lock", is_shared=False)


def test_a_shared_lock_is_waited_for(tmp_path: Path) -> None:
    with held(tmp_path / "lock", "exclusive") as process, (tmp_path / "lock").open("ab") as opened:
        process.kill()
        share(opened)
        assert not can_lock(tmp_path / "lock", is_shared=False)
