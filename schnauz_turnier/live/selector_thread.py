"""Connections of psycopg for an event loop that psycopg does not support: the proactor of Windows.

They run in a separate loop in a thread. A selector on Windows watches at most 512 sockets: enough for these connections,
but not for the viewers of a hall.
"""

import asyncio
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from functools import cache
from typing import Any, TypeVar

import psycopg

Result = TypeVar("Result")


def is_needed() -> bool:
    """Return whether psycopg refuses the running event loop."""
    return sys.platform == "win32" and isinstance(asyncio.get_running_loop(), asyncio.ProactorEventLoop)


class DistantConnection:
    """An asynchronous connection of psycopg that is used from another event loop."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        self._connection = connection

    @classmethod
    async def connect(cls, **parameters: Any) -> "DistantConnection":
        return cls(await _in_its_loop(psycopg.AsyncConnection.connect(**parameters)))

    async def execute(self, *statement: Any) -> psycopg.AsyncCursor[Any]:
        return await _in_its_loop(self._connection.execute(*statement))

    async def notifies(self, *, timeout: float | None = None) -> AsyncGenerator[psycopg.Notify, None]:
        heard = self._connection.notifies(timeout=timeout)
        while (notification := await _in_its_loop(_next(heard))) is not None:
            yield notification

    async def close(self) -> None:
        await _in_its_loop(self._connection.close())


async def _next(heard: AsyncIterator[psycopg.Notify]) -> psycopg.Notify | None:
    return await anext(heard, None)


async def _in_its_loop(work: Coroutine[Any, Any, Result]) -> Result:
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, _loop()))


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return a loop that runs in a thread until the process ends."""
    loop = asyncio.SelectorEventLoop()
    threading.Thread(target=loop.run_forever, name="connections", daemon=True).start()
    return loop
