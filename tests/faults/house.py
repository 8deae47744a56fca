"""The processes to be killed: a web server and its embedded PostgreSQL."""

import contextlib
import fcntl
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, LiteralString, Self
from urllib.request import urlopen

import httpx
import psycopg

from schnauz_turnier.postgresql import database
from tests import forked
from tests.conftest import static_files
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
SETTINGS_OF_OTHERS = (
    "DATABASE_URL",
    "PUBLIC_URL",
    "SECRET_KEY",
    "PORT",
    "HOST",
    "DJANGO_SETTINGS_MODULE",
    "CI",
)
COMMANDS = """
import django, json, os, sys
from django.core.management import call_command
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
django.setup()
for command in json.loads(sys.argv[1]):
    call_command(*command)
"""
Connection = psycopg.Connection[tuple[Any, ...]]


def wait_until(is_so: Callable[[], bool], *, seconds: float = PATIENCE) -> bool:
    """Wait until a condition holds. Return False if it does not within `seconds`.

    To ask often takes the processor from those who are waited for, so the pause grows up to a tenth of a second.
    """
    deadline, pause = time.monotonic() + seconds, 0.005
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)
    return True


def program(*words: str) -> list[str]:
    """Return the command line of the program as `make run` starts it, or of another module."""
    return [sys.executable, "-m", *(words or ("schnauz_turnier",))]


def get(url: str) -> httpx.Response:
    """Ask over a connection of its own. Certificates are not read: that takes longer than the request."""
    return httpx.get(url, timeout=30, trust_env=False, verify=False)


class Database:
    """The embedded PostgreSQL of a DATA_DIR. Inside `stay` its supervisor keeps it running."""

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
        """Connect in autocommit mode, without waiting for a standby on commit."""
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
        """Kill PostgreSQL; SIGQUIT is its immediate shutdown. The supervisor restarts it."""
        os.kill(self.pid, how)
        self.kills += 1

    def is_up(self) -> bool:
        try:
            return self.ask("SELECT 1") == [(1,)]
        except (psycopg.Error, OSError, ValueError):
            return False


class Web:
    """A web server in a separate process, always on the same port."""

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = command
        self.log = folder / f"web-{self.port}.log"
        ours = {
            "DATA_DIR": str(folder),
            "STATIC_ROOT": static_files(),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "LOG_LEVEL": "ERROR",
        }
        self.environment = {k: v for k, v in os.environ.items() if k not in SETTINGS_OF_OTHERS} | ours
        self.process: forked.Running | None = None
        self.kills = 0

    def start(self) -> Self:
        """Start the server and wait until it answers. Restart it if it exits because the database is not up yet."""
        self._run()
        if not wait_until(self._answers):
            raise TimeoutError(self.log.read_text()[-3000:])
        return self

    def _run(self) -> None:
        with self.log.open("a") as log:
            self.process = forked.start(self.command, cwd=ROOT, env=self.environment, stdout=log)

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
        """Run `manage.py WORDS` and return its output. Raises CalledProcessError."""
        return self._says("manage.py", *words, text=text)

    def commands_say(self, *commands: Sequence[str], text: str = "") -> str:
        """Run commands of `manage.py` one after the other, in one process, and return their output. Raises CalledProcessError."""
        return self._says("-c", COMMANDS, json.dumps(commands), text=text)

    def _says(self, *words: str, text: str) -> str:
        done = forked.run([sys.executable, *words], cwd=ROOT, env=self.environment, text=text)
        done.check_returncode()
        return done.stdout
