"""The supervisor of the embedded PostgreSQL: one small process per DATA_DIR, detached from the terminal of its first user.

It starts the server, restarts it after a crash, and stops it as soon as it gets an exclusive lock on users.lock: then there
are no users.

    python -m schnauz_turnier.postgresql.embedded.supervisor DATA_DIR     only schnauz_turnier/postgresql/database.py starts it
"""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import psutil
import psycopg

from schnauz_turnier.files import replace_file
from schnauz_turnier.postgresql.database import GLANCE, NAME, PATIENCE, Address, address_file, log_file
from schnauz_turnier.postgresql.embedded.cluster import SUPERUSER, Cluster
from schnauz_turnier.postgresql.embedded.unavailable import DatabaseUnavailable
from schnauz_turnier.systems import system
from tournaments.file_locks import try_to_lock

LOG_BYTES = 1_000_000
ASIDE = 2.0  # seconds of waiting for a lock that users hold for a moment only


def supervise(data_dir: Path) -> None:
    """Keep the server running while it has users. Return at once if another supervisor does."""
    os.umask(0o077)
    with (data_dir / "supervisor.lock").open("ab") as lock:
        if _is_ours(lock):
            _supervise(data_dir)


def _is_ours(lock: IO[Any]) -> bool:
    """Take the lock, and return whether that was possible. Users who check whether it is held share it for a moment."""
    deadline = time.monotonic() + ASIDE
    while not try_to_lock(lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(GLANCE / 50)
    return True


def _supervise(data_dir: Path) -> None:
    _shorten_log(data_dir)
    password = _password(data_dir)
    cluster = Cluster.at(data_dir / "cluster")
    cluster.create(password)
    _end_orphan(cluster)
    port = _last_port(data_dir)
    with (data_dir / "users.lock").open("ab") as users:
        is_unused = try_to_lock(users)
        while not is_unused:
            here = Address("127.0.0.1", _free_port(port), SUPERUSER, password)
            with _running(cluster, here) as server:
                _announce(data_dir, here)
                while server.is_running and not (is_unused := try_to_lock(users)):
                    _shorten_log(data_dir)
                    time.sleep(GLANCE)
                system.patiently(lambda: address_file(data_dir).unlink(missing_ok=True))
            port = here.port


def _shorten_log(data_dir: Path) -> None:
    """Move the content of a too long log to a second file. The server goes on appending to the first one."""
    log = log_file(data_dir)
    with contextlib.suppress(OSError):
        if log.stat().st_size > LOG_BYTES:
            with contextlib.suppress(OSError):  # no room on the disk
                shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)


def _password(data_dir: Path) -> str:
    file = data_dir / "database.password"
    if not file.exists():
        replace_file(file, secrets.token_urlsafe(24).encode())
    return file.read_text(encoding="utf-8")


def _last_port(data_dir: Path) -> int:
    with contextlib.suppress(OSError, ValueError):
        return int((data_dir / "database.port").read_text(encoding="utf-8"))
    return 0


def _free_port(wanted: int) -> int:
    """Return the wanted port if it becomes free within two seconds (a killed server lingers), else any free port."""
    for _ in range(20):
        with socket.socket() as probe, contextlib.suppress(OSError):
            system.reuse_port(probe)
            probe.bind(("127.0.0.1", wanted))
            return int(probe.getsockname()[1])
        time.sleep(GLANCE)
    return _free_port(0)


def _announce(data_dir: Path, here: Address) -> None:
    (data_dir / "database.port").write_text(str(here.port), encoding="utf-8")
    replace_file(address_file(data_dir), json.dumps(asdict(here)).encode())


@contextlib.contextmanager
def _running(cluster: Cluster, here: Address) -> Iterator[system.Server]:
    server = _start(cluster, here)
    try:
        yield server
    finally:
        server.stop()


def _start(cluster: Cluster, here: Address) -> system.Server:
    """Start the server and wait until it answers. Retry while a killed server has not exited yet.

    Raises DatabaseUnavailable.
    """
    deadline = time.monotonic() + PATIENCE
    server = None
    while time.monotonic() < deadline:
        if server is None or not server.is_running:
            server = cluster.start(here.port, sys.stderr)
        with contextlib.suppress(psycopg.OperationalError):
            _ensure_database(here)
            return server
        time.sleep(GLANCE)
    raise DatabaseUnavailable(f"PostgreSQL did not answer within {PATIENCE:.0f} seconds.")


def _ensure_database(here: Address) -> None:
    with psycopg.connect(dbname="postgres", autocommit=True, **here.parameters) as connection:  # type: ignore[arg-type]
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone() is None:
            connection.execute(f"CREATE DATABASE {NAME}")


def _end_orphan(cluster: Cluster) -> None:
    """Stop a server that a killed supervisor left behind, and remove the pid file that a power cut left behind.

    After a power cut the pid in postmaster.pid may belong to any program, and PostgreSQL would wait for it for ever.
    We hold the supervisor's lock, so a process that is not PostgreSQL is not our server.
    """
    pid_file = cluster.path / "postmaster.pid"
    for _ in range(int(PATIENCE / 2 / GLANCE)):
        try:
            pid = int(pid_file.read_text(encoding="utf-8", errors="replace").split()[0])
        except (OSError, ValueError, IndexError):
            return
        if _process_name(pid) not in ("postgres", "postgres.exe"):
            pid_file.unlink(missing_ok=True)
            return
        system.interrupt(cluster.programs, pid)
        time.sleep(GLANCE)


def _process_name(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        return str(psutil.Process(pid).name())
    return ""


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        supervise(Path(sys.argv[1]))
    except (DatabaseUnavailable, OSError) as failure:
        sys.exit(str(failure))
