"""Exact moments of kills. Each needs phones that are writing, and returns whether the moment occurred.

Before the commit       everything is written, nothing committed; a lock on the table that is written last holds it
Between commit, answer  the commit is on disk and final, and the web process does not know it yet
After the answer        the phone has read the answer
"""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

import psycopg

from tests.faults.house import Connection, Database, Web, wait_until
from tests.faults.network import Network

SOON = 20.0


@dataclass(frozen=True, slots=True)
class Scene:
    """The processes of a moment. last_table: the table that a request writes last before its commit.

    armed: set as soon as the kill is prepared and phones may write.
    """

    web: Web
    database: Database
    network: Network
    last_table: str
    chance: Random
    armed: threading.Event = field(default_factory=threading.Event)

    def sometime(self) -> None:
        self.armed.set()
        time.sleep(self.chance.uniform(0, 0.3))


Moment = Callable[[Scene], bool]


def web_before_commit(scene: Scene) -> bool:
    with _held_before_commit(scene) as came:
        scene.web.kill()
    scene.web.start()
    return came


def web_between_commit_and_answer(scene: Scene) -> bool:
    with _held_after_commit(scene) as came:
        scene.web.kill()
    scene.web.start()
    return came


def web_after_answer(scene: Scene) -> bool:
    read = threading.Event()
    scene.network.after_next_answer = read.set
    scene.armed.set()
    came = read.wait(SOON)
    scene.web.kill()
    scene.web.start()
    return came


def web_at_random(scene: Scene) -> bool:
    scene.sometime()
    scene.web.kill()
    scene.web.start()
    return True


def database_at_once(scene: Scene) -> bool:
    """Shut PostgreSQL down in immediate mode, while the web process keeps running."""
    scene.sometime()
    return _database_gone(scene, signal.SIGQUIT)


def database_killed(scene: Scene) -> bool:
    scene.sometime()
    return _database_gone(scene, signal.SIGKILL)


def database_between_commit_and_answer(scene: Scene) -> bool:
    """Shut PostgreSQL down when a commit is on disk, so that the web process gets a lost connection, not the result."""
    with _held_after_commit(scene) as came:
        gone = _database_gone(scene, signal.SIGQUIT)
    return came and gone


def power_cut(scene: Scene) -> bool:
    """Kill PostgreSQL and the web server."""
    scene.sometime()
    scene.database.kill()
    scene.web.kill()
    scene.web.start()
    return True


KILL_POINTS: tuple[Moment, ...] = (web_before_commit, web_between_commit_and_answer, web_after_answer)
EVERY_MOMENT: tuple[Moment, ...] = (
    *KILL_POINTS,
    web_at_random,
    database_at_once,
    database_killed,
    database_between_commit_and_answer,
    power_cut,
)


def _database_gone(scene: Scene, how: signal.Signals) -> bool:
    before = scene.database.pid
    scene.database.kill(how)
    return wait_until(lambda: scene.database.is_up() and scene.database.pid != before)


@contextmanager
def _held_before_commit(scene: Scene) -> Iterator[bool]:
    waiting = (
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = %s::regclass AND mode = 'RowExclusiveLock'"
    )
    with scene.database.connect() as locker, scene.database.connect() as onlooker, locker.transaction():
        locker.execute(f"LOCK TABLE {scene.last_table} IN SHARE MODE")
        scene.armed.set()
        yield _seen(onlooker, waiting, scene.last_table)


@contextmanager
def _held_after_commit(scene: Scene) -> Iterator[bool]:
    """Hold commits after they are written: they wait for a standby "nobody" that does not exist.

    The one that is waited for has written the last table, unlike those of other work of the server.
    """
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    canarys = f"{waiting} AND pid = %s"
    requests = f"{waiting} AND pid IN (SELECT pid FROM pg_locks WHERE relation = %s::regclass AND mode = 'RowExclusiveLock')"
    with scene.database.connect() as connection:
        canary = _Canary(connection)
        try:
            with scene.database.connect() as onlooker:
                onlooker.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                onlooker.execute("SELECT pg_reload_conf()")
                canary.start()
                _seen(onlooker, canarys, canary.pid)
                scene.armed.set()
                came = _seen(onlooker, requests, scene.last_table)
            yield came
        finally:
            canary.is_done = True
            wait_until(scene.database.is_up)
            scene.database.tell("ALTER SYSTEM RESET synchronous_standby_names")
            scene.database.tell("SELECT pg_reload_conf()")
            canary.join(SOON)


class _Canary(threading.Thread):
    """A thread that commits repeatedly until a commit has to wait. From then on all commits wait."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(daemon=True)
        self.pid = connection.info.backend_pid
        self.is_done = False
        self._connection = connection

    def run(self) -> None:
        with contextlib.suppress(psycopg.Error):  # the database is killed
            self._connection.execute("SET synchronous_commit = on")
            while not self.is_done:
                self._connection.execute("SELECT pg_logical_emit_message(true, 'canary', '')")


def _seen(onlooker: Connection, question: str, *values: object) -> bool:
    return wait_until(lambda: onlooker.execute(question, values).fetchone() is not None, seconds=SOON)
