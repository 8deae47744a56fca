"""A real transaction pooler."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.conftest import IN_CI
from tests.faults.house import wait_until
from tests.ports import free_port


class Pooler:
    """PgBouncer in front of a server, always on the same port."""

    def __init__(self, program: str, folder: Path) -> None:
        """folder: where its settings are."""
        self.port = free_port()
        self._program, self._folder = program, folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        account: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}  # it does not run as root
        settings = self._folder / "pgbouncer.ini"
        running = self._process = subprocess.Popen(
            [self._program, "--quiet", settings], stdin=subprocess.DEVNULL, cwd=self._folder, **account
        )
        assert wait_until(lambda: running.poll() is None and _is_open(self.port))

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)


@contextmanager
def pooling(*address: Any, **options: Any) -> Iterator[int]:
    """Run PgBouncer as `a_pooler` does, and yield its port."""
    with a_pooler(*address, **options) as pooler:
        yield pooler.port


@contextmanager
def a_pooler(
    host: str, port: int, user: str, password: str, *, connections: int = 20, patience: int = 120
) -> Iterator[Pooler]:
    """Run PgBouncer in front of a server. It gives a transaction one of so many connections.

    patience: the seconds for which a statement waits for a server that is away.
    """
    bouncer = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if bouncer is None:
        reason = "no PgBouncer found; install one (apt-get install pgbouncer)"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    with TemporaryDirectory() as name:
        folder = Path(name)
        pooler = Pooler(bouncer, folder)
        users, settings = folder / "users", folder / "pgbouncer.ini"
        users.write_text(f'"{user}" "{password}"\n')
        settings.write_text(
            f"[databases]\n* = host={host} port={port}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {pooler.port}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {users}\npool_mode = transaction\ndefault_pool_size = {connections}\n"
            f"query_wait_timeout = {patience}\nserver_login_retry = 1\n"
        )
        folder.chmod(0o755)
        try:
            pooler.start()
            yield pooler
        finally:
            pooler.end()


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
