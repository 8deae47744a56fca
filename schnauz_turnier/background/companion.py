"""Tasks with the lifetime of the server, whose work is done in a thread of their own."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connections

Made = TypeVar("Made")


class Companion(ABC):
    """A task that runs from the start of the server to its end. name: of its thread."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self.run())

    @abstractmethod
    async def run(self) -> None:
        """Run until cancelled."""

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.finish()
        self._thread.shutdown(wait=False)

    async def finish(self) -> None:  # noqa: B027 (most leave nothing to be done)
        """Do what is left when the task has ended."""

    async def in_thread(self, work: Callable[[], Made]) -> Made:
        """Call `work` in the thread, and close its database connections."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, closing_connections, work)


def closing_connections(work: Callable[..., Made], *arguments: Any) -> Made:
    """Call `work`, and close the database connections of this thread."""
    try:
        return work(*arguments)
    finally:
        connections.close_all()
