"""Makes backups beside the web server: soon after news, at most one in a period, in a thread of its own.

What a backup is, is handed in. One that fails is logged and tried again after the period, until it succeeds; nobody
who writes a sheet waits for it or hears of it.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

from django.db import connections

FAREWELL = 10.0  # seconds for the last backup before the server ends

logger = logging.getLogger(__name__)


class BackupScheduler:
    """back_up: gets the slugs of the tournaments with news. idle: after this time without news one is tried anyway."""

    def __init__(
        self, back_up: Callable[[frozenset[str]], None], *, period: timedelta, idle: timedelta
    ) -> None:
        self._back_up = back_up
        self._period, self._idle = period.total_seconds(), idle.total_seconds()
        self._slugs: set[str] = set()
        self._news = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="backup")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._news.set()
        self._task = asyncio.create_task(self._run())

    def invalidate(self, slug: str | None, _topic: str) -> None:
        """Something has changed: in this tournament, or, None, nobody knows what."""
        if slug is not None:
            self._slugs.add(slug)
        self._news.set()

    def disable(self) -> None:
        """What is missed now is made up for when changes are heard of again."""

    async def stop(self) -> None:
        """What is not in a backup yet gets into one."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                if self._news.is_set():
                    await self._back_up_once()
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._idle):
                    await self._news.wait()
            await self._back_up_once()
            await asyncio.sleep(self._period)

    async def _back_up_once(self) -> None:
        slugs = frozenset(self._slugs)
        self._slugs.clear()
        self._news.clear()
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._back_up_and_let_go, slugs)
        except Exception:
            logger.exception("No backup could be made; trying again in %.0f seconds.", self._period)
        else:
            return
        self._slugs |= slugs
        self._news.set()

    def _back_up_and_let_go(self, slugs: frozenset[str]) -> None:
        try:
            self._back_up(slugs)
        finally:
            connections.close_all()
