"""Address of the embedded PostgreSQL, which is used if DATABASE_URL is unset.

*Users* are the processes that need the server: web server, management commands, tests. Each holds a shared lock on
DATA_DIR/users.lock for its lifetime. The operating system releases it even after kill -9.

The first user starts the *supervisor*, which keeps the server running while it has users (see embedded/supervisor.py). It
holds DATA_DIR/supervisor.lock, so there is never a second one. If it is killed, the next user that needs a connection starts
a new one, and holds DATA_DIR/starting.lock meanwhile, so that no other user starts one too.
"""

import contextlib
import json
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable
from schnauz_turnier.systems import system
from tournaments.file_locks import share, try_to_lock

NAME = "schnauz_turnier"
PATIENCE = 60.0  # seconds until starting the server is given up
PATIENCE_OF_A_REQUEST = 10.0  # seconds, once the server has run; then requests are refused
GLANCE = 0.1  # seconds between two polls

_users_locks: dict[Path, IO[Any]] = {}
_supervisors: dict[Path, subprocess.Popen[bytes]] = {}  # started by this process
_found_before: set[Path] = set()
_guard = threading.Lock()


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int
    user: str
    password: str

    @property
    def parameters(self) -> dict[str, str | int]:
        """Connection parameters of libpq, without the name of the database."""
        return {**asdict(self), "connect_timeout": 10}


def address(data_dir: Path) -> Address:
    """Return the current address of the server of this DATA_DIR. Start it if necessary, and become one of its users.

    Raises DatabaseUnavailable.
    """
    data_dir = data_dir.absolute()
    patience = PATIENCE_OF_A_REQUEST if data_dir in _found_before else PATIENCE
    if not _guard.acquire(timeout=patience):
        raise DatabaseUnavailable(f"The embedded PostgreSQL in {data_dir} is being waited for.")
    try:
        _become_user(data_dir)
        here = _find_or_start(data_dir, patience)
        _found_before.add(data_dir)
        return here
    finally:
        _guard.release()


def _become_user(data_dir: Path) -> None:
    if data_dir not in _users_locks:
        try:
            data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (data_dir / "users.lock").open("ab")
        except OSError as error:
            raise DatabaseUnavailable(f"DATA_DIR {data_dir} cannot be used: {error.strerror}.") from error
        share(lock)  # waits while the server is being stopped
        _users_locks[data_dir] = lock


def _find_or_start(data_dir: Path, patience: float) -> Address:
    started = None
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if is_supervised(data_dir):
            if here := read_address(data_dir):
                return here
        elif started is not None and started.wait(PATIENCE):
            break
        else:
            started = _start_supervisor(data_dir)
        time.sleep(GLANCE / 2)
    raise DatabaseUnavailable(_what_went_wrong(data_dir))


def is_supervised(data_dir: Path) -> bool:
    """Return whether a supervisor holds its lock. The check takes a shared lock, so that no check sees another one."""
    with (data_dir / "supervisor.lock").open("ab") as lock:
        return not try_to_lock(lock, is_shared=True)


def _start_supervisor(data_dir: Path) -> subprocess.Popen[bytes] | None:
    """Start the supervisor and wait until it holds its lock, or ends. Return None if another user does so."""
    with (data_dir / "starting.lock").open("ab") as starting:
        if not try_to_lock(starting) or is_supervised(data_dir):
            return None
        address_file(data_dir).unlink(missing_ok=True)  # of one that was killed
        with system.open_to_append(log_file(data_dir)) as log:
            started = _supervisors[data_dir] = subprocess.Popen(
                [sys.executable, "-m", "schnauz_turnier.postgresql.embedded.supervisor", str(data_dir)],
                cwd=Path(__file__).parents[2],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **system.DETACHED,
            )
        while started.poll() is None and not is_supervised(data_dir):
            time.sleep(GLANCE / 10)
    return started


def log_file(data_dir: Path) -> Path:
    return data_dir / "database.log"


def address_file(data_dir: Path) -> Path:
    return data_dir / "database.json"


def read_address(data_dir: Path) -> Address | None:
    with contextlib.suppress(FileNotFoundError, PermissionError):  # none yet, or just being replaced
        return Address(**json.loads(address_file(data_dir).read_text(encoding="utf-8")))
    return None


def _what_went_wrong(data_dir: Path) -> str:
    log = log_file(data_dir)
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    last_lines = "\n".join(text.splitlines()[-5:])
    return f"The embedded PostgreSQL in {data_dir} did not start. The end of {log}:\n{last_lines}"
