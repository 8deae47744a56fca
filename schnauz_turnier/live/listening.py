"""The LISTEN connection of a process to the database.

A connection may be lost, and a transaction pooler never delivers a notification. So each connection first sends itself a
notification, by the address that changes are written to, and counts once it has come back. TCP detects a connection that
dies silently later (GIVE_UP in databases.py). Until then the page cache limits the age of pages.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, Protocol

import psycopg
from psycopg import sql

from schnauz_turnier.live.selector_thread import DistantConnection, is_needed
from schnauz_turnier.postgresql.databases import GIVE_UP

TICK = 0.1  # seconds; of the first pause between two attempts
LONGEST_BACK_OFF = 2.0  # seconds between two attempts to connect to the database
OPENS = 10.0  # seconds in which that notification must be sent
COMES_BACK = 2.0  # seconds in which it must come back
TELLS_EVERY = 2.0  # seconds between two messages to the other processes

_NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"
"""Messages between processes wait neither for the disk nor for a standby."""
logger = logging.getLogger(__name__)

Parameters = Callable[[], dict[str, Any]]
"""Return the parameters of a connection, as Django's `get_connection_params`. Runs in a thread."""
Connection = psycopg.AsyncConnection[Any]


class Unheard(ConnectionError):
    """The connection delivers no notification."""


class Hearer(Protocol):
    """The receiver of notifications."""

    def on_connected(self) -> None:
        """Called when changes are received from now on. Earlier changes may have been missed."""

    def on_disconnected(self, *, is_deaf: bool) -> None:
        """Called when changes are not received, and after each failed attempt. is_deaf: the database answers."""

    def dispatch(self, payload: str, /) -> None:
        """Called with each change, and each message of another process."""

    def to_tell(self) -> str:
        """Return the next message for the other processes, "" for none."""


async def listen(hearer: Hearer, *, channel: str, listen_to: Parameters, write_to: Parameters) -> None:
    """Listen for ever."""
    tries = 0
    while True:
        attempt, is_deaf = _Attempt(hearer, channel), False
        try:
            await attempt.run(listen_to, write_to)
        except Exception as error:
            tries = 0 if attempt.is_heard else tries + 1
            is_deaf = isinstance(error, Unheard)
            if tries < 2:
                logger.warning("Changes are not heard; trying again.", exc_info=error)
        hearer.on_disconnected(is_deaf=is_deaf)
        await asyncio.sleep(min(TICK * 2**tries, LONGEST_BACK_OFF))


class _Attempt:
    """A connection, from its opening until it is lost. is_heard: whether its own notification has come back."""

    def __init__(self, hearer: Hearer, channel: str) -> None:
        self._hearer = hearer
        self._channel = channel
        self._hello = secrets.token_hex(8)
        self.is_heard = False

    async def run(self, listen_to: Parameters, write_to: Parameters) -> None:
        """Dispatch notifications until the connection fails. Raises the failure."""
        connection = await _open(await asyncio.to_thread(listen_to), "live")
        try:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
            async with asyncio.timeout(OPENS):
                await self._say_hello(write_to)
            await self._receive(connection, COMES_BACK)
            if not self.is_heard:
                raise Unheard(
                    f"No notification of our own has come back for {COMES_BACK:.0f} seconds. If DATABASE_URL is a pooler, "
                    "set LISTEN_URL to the direct address of the database."
                )
            while True:
                await self._receive(connection, TELLS_EVERY)
                while message := self._hearer.to_tell():
                    await connection.execute(_NOTIFY, [self._channel, message])
        finally:
            await connection.close()

    async def _say_hello(self, write_to: Parameters) -> None:
        connection = await _open(await asyncio.to_thread(write_to), "hello")
        try:
            await connection.execute(_NOTIFY, [self._channel, self._hello])
        finally:
            await connection.close()

    async def _receive(self, connection: Connection | DistantConnection, seconds: float) -> None:
        """Dispatch notifications for the given time."""
        async for notification in connection.notifies(timeout=seconds):
            if notification.payload == self._hello:
                self.is_heard = True
                self._hearer.on_connected()
            else:
                self._hearer.dispatch(notification.payload)


async def _open(parameters: dict[str, Any], purpose: str) -> Connection | DistantConnection:
    """Open a connection in autocommit mode, also in an event loop that psycopg does not support."""
    common = {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}
    ours = {
        "autocommit": True,
        "prepare_threshold": None,  # a transaction pooler has no prepared statements
        "application_name": f"schnauz_turnier {purpose}",
    }
    kind = DistantConnection if is_needed() else psycopg.AsyncConnection
    return await kind.connect(**{**GIVE_UP, **common, **ours})
