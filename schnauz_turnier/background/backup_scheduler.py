"""Scheduler of backups in the web server: soon after a change, at most one per period, in a separate thread.

The function that makes a backup is a parameter. A failed backup is logged and retried after each period until it
succeeds. Requests neither wait for a backup nor fail because of one.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

from django.db import connections

STOP_TIMEOUT = 10.0  # seconds for the last backup before the server exits

logger = logging.getLogger(__name__)


class BackupScheduler:
    """A listener of the hub that makes backups.

    back_up: called with the slugs of the changed tournaments. Returns False if another process makes the backups: then it is
    called again after each period, in case that process has ended. period: minimum time between two backups. idle: time
    without a change after which a backup is attempted anyway.
    """

    def __init__(
        self, back_up: Callable[[frozenset[str]], bool], *, period: timedelta, idle: timedelta
    ) -> None:
        self._back_up = back_up
        self._period, self._idle = period.total_seconds(), idle.total_seconds()
        self._slugs: set[str] = set()
        self._has_changed = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="backup")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._has_changed.set()
        self._task = asyncio.create_task(self._run())

    def invalidate(self, slug: str | None, _topic: str, _keeps: Collection[str] = ()) -> None:
        """Schedule a backup after a change in this tournament; None: changes may have been missed."""
        if slug is not None:
            self._slugs.add(slug)
        self._has_changed.set()

    def rely(self, until: float) -> None:
        """Do nothing: a backup relies on nothing that was heard."""

    def disable(self) -> None:
        """Do nothing: `invalidate` is called with None as soon as the connection is restored."""

    async def stop(self) -> None:
        """Stop the scheduler, after a last backup if there are changes without one."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_TIMEOUT):
                if self._has_changed.is_set():
                    await self._back_up_once()
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._idle):
                    await self._has_changed.wait()
            await self._back_up_once()
            await asyncio.sleep(self._period)

    async def _back_up_once(self) -> None:
        slugs = frozenset(self._slugs)
        self._slugs.clear()
        self._has_changed.clear()
        loop = asyncio.get_running_loop()
        try:
            if await loop.run_in_executor(self._thread, self._back_up_in_thread, slugs):
                return
        except Exception:
            logger.exception("No backup could be made; trying again in %.0f seconds.", self._period)
        self._slugs |= slugs
        self._has_changed.set()

    def _back_up_in_thread(self, slugs: frozenset[str]) -> bool:
        try:
            return self._back_up(slugs)
        finally:
            connections.close_all()
