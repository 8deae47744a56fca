"""A PostgreSQL and its standby, which is promoted when the first one is killed."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote

import psycopg

from schnauz_turnier.postgresql.database import NAME
from schnauz_turnier.postgresql.embedded.cluster import SUPERUSER, Cluster
from tests.data_dirs import migrated_data_dir
from tests.faults.house import Connection, Database, wait_until
from tests.ports import free_port


@dataclass(slots=True)
class Server:
    """A PostgreSQL that listens on a port of its own."""

    cluster: Cluster
    port: int
    log: Path
    password: str
    process: subprocess.Popen[bytes] | None = field(default=None)

    def start(self) -> None:
        """Start it and wait until it answers. Start it again if it exits because a process of the killed one still lives."""
        self._run()
        assert wait_until(self._answers), self.log.read_text()[-3000:]

    def _run(self) -> None:
        with self.log.open("a") as log:
            self.process = self.cluster.start(self.port, log).process

    def _answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            self._run()
        try:
            return self.ask("SELECT 1") == [(1,)]
        except psycopg.OperationalError:
            return False

    def parameters(self, name: str = "postgres") -> dict[str, Any]:
        return {
            "host": "127.0.0.1",
            "port": self.port,
            "user": SUPERUSER,
            "password": self.password,
            "dbname": name,
        }

    def ask(self, question: LiteralString, *, name: str = "postgres") -> list[tuple[Any, ...]]:
        with (
            contextlib.closing(psycopg.connect(autocommit=True, **self.parameters(name))) as connection,
            connection.cursor() as cursor,
        ):
            cursor.execute("SET synchronous_commit = local")
            cursor.execute(question)
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """Kill all of its processes at once, as the death of a machine does."""
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait(30)

    def signal(self, what: signal.Signals) -> None:
        """Send a signal to all of its processes."""
        assert self.process is not None
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        for pid in (self.process.pid, *map(int, listed.stdout.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, what)

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(30)


class Pair(Database):
    """A primary and a standby. The other methods ask whichever takes writes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        made = migrated_data_dir()
        self.password = (made / "database.password").read_text()
        self.primary, self.standby = (self._server(folder / name) for name in ("first", "second"))
        subprocess.run(["cp", "-a", made / "cluster", self.primary.cluster.path], check=True)
        self.primary.start()
        self.follow()

    def _server(self, folder: Path) -> Server:
        return Server(Cluster.at(folder), free_port(), folder.with_suffix(".log"), self.password)

    @property
    def url(self) -> str:
        """The address of both, for the program."""
        return f"{self._both}?target_session_attrs=read-write"

    @property
    def _both(self) -> str:
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (self.primary, self.standby))
        return f"postgres://{SUPERUSER}:{quote(self.password)}@{hosts}/{NAME}"

    @contextlib.contextmanager
    def connect(self) -> Iterator[Connection]:
        with contextlib.closing(psycopg.connect(self.url, autocommit=True)) as connection:
            connection.execute("SET synchronous_commit = local")
            yield connection

    def follow(self) -> None:
        """Make the standby anew, as a copy of the primary that follows it."""
        standby = self.standby.cluster
        shutil.rmtree(standby.path, ignore_errors=True)
        standby.path.mkdir(mode=0o700)
        standby.account.take_over(standby.path)
        here = f"host=127.0.0.1 port={self.primary.port} user={SUPERUSER} password={self.password}"
        copying = ["--pgdata=.", "--write-recovery-conf", "--checkpoint=fast"]
        subprocess.run(
            [standby.programs / "pg_basebackup", *copying, f"--dbname={here} application_name=standby"],
            cwd=standby.path,
            check=True,
            **standby.account.popen,
        )
        self.standby.start()
        assert wait_until(self._streams)

    def _streams(self) -> bool:
        return self.primary.ask("SELECT state FROM pg_stat_replication") == [("streaming",)]

    def wait_for_standby(self) -> None:
        """Make every commit wait until the standby has it."""
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.ask("SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication"
        assert wait_until(lambda: self.primary.ask(state) == [("sync",)])

    def hold_up_replication(self) -> None:
        """Let nothing more reach the standby."""
        [[pid]] = self.primary.ask("SELECT pid FROM pg_stat_replication")
        os.kill(pid, signal.SIGSTOP)

    def promote(self) -> None:
        self.standby.ask("SELECT pg_promote()")
        self.primary, self.standby = self.standby, self.primary

    def end(self) -> None:
        for server in (self.primary, self.standby):
            server.end()
