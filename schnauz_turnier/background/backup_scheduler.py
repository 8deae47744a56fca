"""Scheduler of backups in the web server: soon after a change, at most one per period, in a separate thread.

The function that makes a backup is a parameter. A failed backup is logged and retried after each period until it
succeeds. Requests neither wait for a backup nor fail because of one.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from functools import partial

from schnauz_turnier.background.companion import Companion

STOP_TIMEOUT = 10.0  # seconds for the last backup before the server exits

logger = logging.getLogger(__name__)


class BackupScheduler(Companion):
    """A companion of the server that makes backups.

    back_up: called with the slugs of the changed tournaments. Returns False if another process makes the backups: then it is
    called again after each period, in case that process has ended. period: minimum time between two backups. idle: time
    without a change after which a backup is attempted anyway.
    """

    def __init__(
        self, back_up: Callable[[frozenset[str]], bool], *, period: timedelta, idle: timedelta
    ) -> None:
        super().__init__("backup")
        self._back_up = back_up
        self._period, self._idle = period.total_seconds(), idle.total_seconds()
        self._slugs: set[str] = set()
        self._has_changed = asyncio.Event()

    def start(self) -> None:
        self._has_changed.set()
        super().start()

    def note(self, slug: str, _topic: str, _keeps: Collection[str] = (), _id: str = "") -> None:
        """Schedule a backup after a change in this tournament."""
        self._slugs.add(slug)
        self._has_changed.set()

    def wake(self) -> None:
        """Schedule a backup, since changes may have been missed."""
        self._has_changed.set()

    async def finish(self) -> None:
        """Make a last backup if there are changes without one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_TIMEOUT):
                if self._has_changed.is_set():
                    await self._back_up_once()

    async def run(self) -> None:
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
        try:
            if await self.in_thread(partial(self._back_up, slugs)):
                return
        except Exception:
            logger.exception("No backup could be made; trying again in %.0f seconds.", self._period)
        self._slugs |= slugs
        self._has_changed.set()
