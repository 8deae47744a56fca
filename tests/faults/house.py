"""The processes that get killed: a web server, and the PostgreSQL that the program brings along."""

import contextlib
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, LiteralString, Self
from urllib.request import urlopen

import psycopg

from schnauz_turnier import database

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
SETTINGS_OF_OTHERS = (
    "DATABASE_URL",
    "PUBLIC_URL",
    "SECRET_KEY",
    "PORT",
    "HOST",
    "DJANGO_SETTINGS_MODULE",
    "CI",
)
Connection = psycopg.Connection[tuple[Any, ...]]


def wait_until(is_so: Callable[[], bool], *, seconds: float = PATIENCE) -> bool:
    """Whether it came to be so in that time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def program(*words: str) -> list[str]:
    """The program as `make run` starts it, or a module of its own."""
    return [sys.executable, "-m", *(words or ("schnauz_turnier",))]


class Database:
    """The embedded PostgreSQL of a DATA_DIR. As long as we stay, its supervisor keeps it running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kills = 0

    @contextlib.contextmanager
    def stay(self) -> Iterator[Self]:
        with (self.folder / "users.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            yield self

    @contextlib.contextmanager
    def connect(self) -> Iterator[Connection]:
        """A connection that commits each statement, and waits for no standby."""
        here = database.Address(**json.loads((self.folder / "database.json").read_text()))
        with contextlib.closing(
            psycopg.connect(dbname=database.NAME, autocommit=True, **here.parameters)  # type: ignore[arg-type]
        ) as connection:
            connection.execute("SET synchronous_commit = local")
            yield connection

    def ask(self, question: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        with self.connect() as connection:
            return connection.execute(question, values).fetchall()

    def tell(self, statement: LiteralString) -> None:
        with self.connect() as connection:
            connection.execute(statement)

    @property
    def pid(self) -> int:
        return int((self.folder / "cluster" / "postmaster.pid").read_text().split()[0])

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """SIGQUIT is PostgreSQL's immediate shutdown. Either way its supervisor starts it again."""
        os.kill(self.pid, how)
        self.kills += 1

    def is_up(self) -> bool:
        try:
            return self.ask("SELECT 1") == [(1,)]
        except (psycopg.Error, OSError, ValueError):
            return False


class Web:
    """A web server in a process of its own, always on the same port."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = command
        self.log = folder / f"web-{self.port}.log"
        ours = {
            "DATA_DIR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "PORT": str(self.port),
            "LOG_LEVEL": "ERROR",
        }
        self.environment = {k: v for k, v in os.environ.items() if k not in SETTINGS_OF_OTHERS} | ours
        self.process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    def start(self) -> Self:
        """Starts it, again if it finds no database yet, until it answers."""
        self._run()
        if not wait_until(self._answers):
            raise TimeoutError(self.log.read_text()[-3000:])
        return self

    def _run(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )

    def _answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            self._run()
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            time.sleep(0.05)
            return False

    def kill(self) -> None:
        self.kills += 1
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)

    def command_says(self, *words: str, text: str = "") -> str:
        """What `manage.py WORDS` prints. CalledProcessError where it fails."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            input=text,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
