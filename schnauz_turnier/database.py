"""Address and supervision of the embedded PostgreSQL, which is used if DATABASE_URL is unset.

*Users* are the processes that need the server: web server, management commands, tests. Each holds a shared lock on
DATA_DIR/users.lock for its lifetime. The operating system releases it even after kill -9.

The *supervisor* is one small process, started by the first user and detached from its terminal. It starts the
server, restarts it after it was killed, and stops it as soon as it gets an exclusive lock on users.lock: then there are
no users. It inherits a lock on DATA_DIR/supervisor.lock from the user that starts it, so there is never a second one.
If the supervisor is killed, the next user that needs a connection starts a new one.

    python -m schnauz_turnier.database DATA_DIR     runs the supervisor; only this module starts it.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

import psycopg

from schnauz_turnier.embedded.cluster import SUPERUSER, Cluster, DatabaseUnavailable

__all__ = ["NAME", "Address", "DatabaseUnavailable", "address"]

NAME = "schnauz_turnier"
PATIENCE = 60.0  # seconds until starting the server is given up
GLANCE = 0.1  # seconds between two polls
LOG_BYTES = 1_000_000

_users_locks: dict[Path, TextIO] = {}
_supervisors: dict[Path, subprocess.Popen[bytes]] = {}  # started by this process
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
    with _guard:
        _become_user(data_dir)
        return _find_or_start(data_dir)


def _become_user(data_dir: Path) -> None:
    if data_dir not in _users_locks:
        try:
            data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = (data_dir / "users.lock").open("a")
        except OSError as error:
            raise DatabaseUnavailable(f"DATA_DIR {data_dir} cannot be used: {error.strerror}.") from error
        fcntl.flock(lock, fcntl.LOCK_SH)  # waits while the server is being stopped
        _users_locks[data_dir] = lock


def _find_or_start(data_dir: Path) -> Address:
    started = None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with (data_dir / "supervisor.lock").open("a") as lock:
            if _taken(lock):  # there is no supervisor, and none can start while we hold the lock
                if started is not None and started.wait():
                    raise DatabaseUnavailable(_what_went_wrong(data_dir))
                _address_file(data_dir).unlink(missing_ok=True)
                started = _supervisors[data_dir] = _start_supervisor(data_dir, lock)
            elif found := _read_address(data_dir):
                return found
        time.sleep(GLANCE / 2)
    raise DatabaseUnavailable(_what_went_wrong(data_dir))


def _taken(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _start_supervisor(data_dir: Path, lock: TextIO) -> subprocess.Popen[bytes]:
    with _log_file(data_dir).open("a") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "schnauz_turnier.database", str(data_dir)],
            cwd=Path(__file__).parents[1],
            pass_fds=[lock.fileno()],
            start_new_session=True,  # Ctrl-C in the terminal must reach the users only
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _log_file(data_dir: Path) -> Path:
    return data_dir / "database.log"


def _shorten_log(data_dir: Path) -> None:
    """Begin the log anew if it is too long, and keep what it said beside it. The server goes on writing to its end."""
    log = _log_file(data_dir)
    with contextlib.suppress(OSError):
        if log.stat().st_size > LOG_BYTES:
            with contextlib.suppress(OSError):  # no room on the disk
                shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)


def _address_file(data_dir: Path) -> Path:
    return data_dir / "database.json"


def _read_address(data_dir: Path) -> Address | None:
    with contextlib.suppress(FileNotFoundError):
        return Address(**json.loads(_address_file(data_dir).read_text()))
    return None


def _what_went_wrong(data_dir: Path) -> str:
    log = _log_file(data_dir)
    last_lines = "\n".join(log.read_text(errors="replace").splitlines()[-5:]) if log.exists() else ""
    return f"The embedded PostgreSQL in {data_dir} did not start. The end of {log}:\n{last_lines}"


# --- the supervisor ------------------------------------------------------------------------------------------------


def supervise(data_dir: Path) -> None:
    """Keep the server running until it has no users."""
    os.umask(0o077)
    _shorten_log(data_dir)
    password = _password(data_dir)
    cluster = Cluster.at(data_dir / "cluster")
    cluster.create(password)
    _end_orphan(cluster)
    port = _last_port(data_dir)
    with (data_dir / "users.lock").open("a") as users:
        while not _taken(users):
            here = Address("127.0.0.1", _free_port(port), SUPERUSER, password)
            with _running(cluster, here) as server:
                _announce(data_dir, here)
                while server.poll() is None and not _taken(users):
                    _shorten_log(data_dir)
                    time.sleep(GLANCE)
                _address_file(data_dir).unlink(missing_ok=True)
            port = here.port


def _password(data_dir: Path) -> str:
    file = data_dir / "database.password"
    if not file.exists():
        draft = file.with_suffix(".new")
        draft.write_text(secrets.token_urlsafe(24))
        draft.rename(file)
    return file.read_text()


def _last_port(data_dir: Path) -> int:
    with contextlib.suppress(OSError, ValueError):
        return int((data_dir / "database.port").read_text())
    return 0


def _free_port(wanted: int) -> int:
    """Return the wanted port if it becomes free within two seconds (a killed server lingers), else any free port."""
    for _ in range(20):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", wanted))
            return int(probe.getsockname()[1])
        time.sleep(GLANCE)
    return _free_port(0)


def _announce(data_dir: Path, here: Address) -> None:
    (data_dir / "database.port").write_text(str(here.port))
    draft = data_dir / "database.json.new"
    draft.write_text(json.dumps(asdict(here)))
    draft.rename(_address_file(data_dir))


@contextlib.contextmanager
def _running(cluster: Cluster, here: Address) -> Iterator[subprocess.Popen[str]]:
    server = _start(cluster, here)
    try:
        yield server
    finally:
        for stop, patience in ((signal.SIGINT, 10), (signal.SIGQUIT, 5), (signal.SIGKILL, 5)):
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.send_signal(stop)  # fast shutdown; immediate shutdown; kill
                server.wait(patience)
                break


def _start(cluster: Cluster, here: Address) -> subprocess.Popen[str]:
    """Start the server and wait until it answers. Retry while a killed server has not exited yet.

    Raises DatabaseUnavailable.
    """
    deadline = time.monotonic() + PATIENCE
    server = None
    while time.monotonic() < deadline:
        if server is None or server.poll() is not None:
            server = cluster.start(here.port, sys.stderr, preexec_fn=_die_with_supervisor)
        with contextlib.suppress(psycopg.OperationalError):
            _ensure_database(here)
            return server
        time.sleep(GLANCE)
    raise DatabaseUnavailable(f"PostgreSQL did not answer within {PATIENCE:.0f} seconds.")


def _ensure_database(here: Address) -> None:
    with psycopg.connect(dbname="postgres", autocommit=True, **here.parameters) as connection:  # type: ignore[arg-type]
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone() is None:
            connection.execute(f"CREATE DATABASE {NAME}")


def _die_with_supervisor() -> None:
    """Make the server stop when its supervisor is killed (Linux: PR_SET_PDEATHSIG). Elsewhere see _end_orphan."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGINT)


def _end_orphan(cluster: Cluster) -> None:
    """Stop a server that a killed supervisor left behind, and remove the pid file that a power cut left behind.

    After a power cut the pid in postmaster.pid may belong to any program, and PostgreSQL would wait for it for ever.
    We hold the supervisor's lock, so a process that is not PostgreSQL is not our server.
    """
    pid_file = cluster.path / "postmaster.pid"
    for _ in range(int(PATIENCE / 2 / GLANCE)):
        try:
            pid = int(pid_file.read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return
        if not _process_name(pid).endswith("postgres"):
            pid_file.unlink(missing_ok=True)
            return
        os.kill(pid, signal.SIGINT)
        time.sleep(GLANCE)


def _process_name(pid: int) -> str:
    if Path("/proc/self/comm").exists():
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/comm").read_text().strip()
        return ""
    asked = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return asked.stdout.strip()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        supervise(Path(sys.argv[1]))
    except (DatabaseUnavailable, OSError) as failure:
        sys.exit(str(failure))
