"""A real transaction pooler."""

import os
import shutil
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


@contextmanager
def pooling(
    host: str, port: int, user: str, password: str, *, connections: int = 20, patience: int = 120
) -> Iterator[int]:
    """Run PgBouncer in front of a server, and yield its port. It gives a transaction one of so many connections.

    patience: the seconds for which a statement waits for a server that is away.
    """
    bouncer = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if bouncer is None:
        reason = "no PgBouncer found; install one (apt-get install pgbouncer)"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    own = free_port()
    account: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}  # it does not run as root
    with TemporaryDirectory() as name:
        folder = Path(name)
        users, settings = folder / "users", folder / "pgbouncer.ini"
        users.write_text(f'"{user}" "{password}"\n')
        settings.write_text(
            f"[databases]\n* = host={host} port={port}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {own}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {users}\npool_mode = transaction\ndefault_pool_size = {connections}\n"
            f"query_wait_timeout = {patience}\n"
        )
        folder.chmod(0o755)
        running = subprocess.Popen(
            [bouncer, "--quiet", settings], stdin=subprocess.DEVNULL, cwd=folder, **account
        )
        try:
            assert wait_until(lambda: running.poll() is None and _is_open(own))
            yield own
        finally:
            running.terminate()
            running.wait(10)


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
