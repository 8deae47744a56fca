"""The LISTEN connection of a process, and the proof that it hears.

A connection can die without an error, and a transaction pooler never delivers a notification. So each process sends itself
one every second, a *heartbeat*, by a second connection to the address by which changes are written. Notifications arrive in
the order of their commits. So a heartbeat that is heard proves that no change was missed that was committed before it was
sent. Whoever relies on that may do so until PROVEN seconds after it was sent.

If no heartbeat is heard for PROVEN seconds, both connections are given up, and opened again. That time is counted in ticks
of the event loop: while the loop stands still, nothing is heard, although no connection is lost.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import psycopg
from psycopg import sql

from schnauz_turnier.live.selector_thread import DistantConnection, is_needed
from schnauz_turnier.postgresql.databases import GIVE_UP

BEAT = 1.0  # seconds between two heartbeats
PROVEN = 2.0
TICK = 0.1
LONGEST_BACK_OFF = 2.0  # seconds between two attempts to connect to the database

_HEARTBEAT = "heartbeat"
_NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"
"""A heartbeat waits neither for the disk nor for a standby."""
logger = logging.getLogger(__name__)

Parameters = Callable[[], dict[str, Any]]
"""Return the parameters of a connection, as Django's `get_connection_params`. Runs in a thread."""
Connection = psycopg.AsyncConnection[Any]


class Unheard(ConnectionError):
    """No heartbeat is heard."""


class Hearer(Protocol):
    """The object that is told what is heard."""

    def begin(self) -> None:
        """Changes are heard from now on. Earlier ones may have been missed."""

    def rely(self, until: float) -> None:
        """No change is missed until this moment of time.monotonic()."""

    def dispatch(self, payload: str) -> None:
        """A change is heard, or what another process tells."""

    def to_tell(self) -> str:
        """Return what the other processes are to be told now, "" for nothing."""

    def lose(self) -> None:
        """Changes are no longer heard."""

    def remain_deaf(self) -> None:
        """Changes are not heard, as before, although the database answers."""


class Listening:
    """Keeps the connections of a process open.

    listen_to: of the connection that listens; write_to: of the one that sends the heartbeats.
    """

    def __init__(self, hearer: Hearer, *, channel: str, listen_to: Parameters, write_to: Parameters) -> None:
        self._hearer = hearer
        self._channel = channel
        self._listen_to, self._write_to = listen_to, write_to
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        tries = 0
        while True:
            attempt = _Attempt(self._hearer, self._channel)
            try:
                await self._listen(attempt)
            except Exception as error:
                tries = 0 if attempt.is_heard else tries + 1
                if tries < 2:
                    logger.warning("Changes are not heard; trying again.", exc_info=error)
            if attempt.is_deaf:  # it has taken its time already
                self._hearer.remain_deaf()
                tries = 1
            await asyncio.sleep(min(TICK * 2**tries, LONGEST_BACK_OFF))

    async def _listen(self, attempt: "_Attempt") -> None:
        """Listen for as long as changes are heard, then raise what has gone wrong."""
        listening = await _open(await asyncio.to_thread(self._listen_to), "live")
        tasks = {self._spawn(attempt.receive(listening))}
        try:
            sending = await _open(await asyncio.to_thread(self._write_to), "heartbeat")
            tasks.add(self._spawn(attempt.send(sending)))
            while attempt.silence < PROVEN:
                attempt.silence += TICK
                done, _others = await asyncio.wait(tasks, timeout=TICK, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            raise Unheard(
                f"No notification of our own has come back for {PROVEN:.0f} seconds. If DATABASE_URL is a pooler, "
                "set LISTEN_URL to the direct address of the database."
            )
        finally:
            if attempt.is_heard:
                self._hearer.lose()
            for task in tasks:
                task.cancel()  # and closes its connection, which takes a while if the other side is silent

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # of both tasks the first to fail is raised; asyncio would log the other one


class _Attempt:
    """Both connections, from their opening until they are given up.

    silence: seconds since a heartbeat was heard. is_heard: whether any was. is_deaf: whether some were sent, but none was
    heard.
    """

    def __init__(self, hearer: Hearer, channel: str) -> None:
        self._hearer = hearer
        self._channel = channel
        self._name = f"{_HEARTBEAT} {secrets.token_hex(8)}"
        self._begun: dict[str, float] = {}
        self._is_listening = asyncio.Event()
        self._is_sent = False
        self.is_heard = False
        self.silence = 0.0

    @property
    def is_deaf(self) -> bool:
        return self._is_sent and not self.is_heard

    async def receive(self, connection: Connection | DistantConnection) -> None:
        try:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
            self._is_listening.set()
            async for notification in connection.notifies():
                self._take(notification.payload)
        finally:
            await connection.close()

    def _take(self, payload: str) -> None:
        if begun := self._begun.pop(payload, 0.0):
            self.silence = 0.0
            if not self.is_heard:
                self.is_heard = True
                self._hearer.begin()
            self._hearer.rely(begun + PROVEN)
        elif not payload.startswith(_HEARTBEAT):
            self._hearer.dispatch(payload)

    async def send(self, connection: Connection | DistantConnection) -> None:
        try:
            await self._is_listening.wait()
            number = 0
            while True:
                number += 1
                begun = self._begun[f"{self._name} {number}"] = time.monotonic()
                await connection.execute(_NOTIFY, [self._channel, f"{self._name} {number}"])
                self._is_sent = True
                while message := self._hearer.to_tell():
                    await connection.execute(_NOTIFY, [self._channel, message])
                await asyncio.sleep(max(begun + BEAT - time.monotonic(), 0))
        finally:
            await connection.close()


async def _open(parameters: dict[str, Any], purpose: str) -> Connection | DistantConnection:
    """Connect, also from an event loop that psycopg does not take."""
    if is_needed():
        return await DistantConnection.connect(_all(parameters, purpose))
    return await connect(parameters, purpose)


async def connect(parameters: dict[str, Any], purpose: str) -> Connection:
    """Open a connection in autocommit mode. parameters: see `Parameters`."""
    return await psycopg.AsyncConnection.connect(**_all(parameters, purpose))


def _all(parameters: dict[str, Any], purpose: str) -> dict[str, Any]:
    common = {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}
    ours = {
        "autocommit": True,
        "prepare_threshold": None,  # a transaction pooler has no prepared statements
        "application_name": f"schnauz_turnier {purpose}",
    }
    return {**GIVE_UP, **common, **ours}
