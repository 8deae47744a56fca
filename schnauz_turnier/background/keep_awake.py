"""Keeping the laptop awake while an evening is in play: asleep it answers no phone."""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress

from wakepy import keep

from schnauz_turnier.background.companion import Companion, closing_connections

EVERY = 60.0  # seconds between two looks
STOPPING = 10.0  # seconds for the system to take the request back

logger = logging.getLogger(__name__)


def can_be_kept_awake() -> bool:
    """Whether the system can be kept awake. Without a desktop, as in a container or a service, it cannot."""
    with keep.running(on_fail="pass") as mode:
        pass
    return mode.result.success


class KeepAwake(Companion):
    """A companion of the server. is_in_play: whether the laptop is needed now. The screen may go dark, and a closed laptop sleeps."""

    def __init__(self, is_in_play: Callable[[], bool], *, every: float = EVERY) -> None:
        super().__init__("keep awake")
        self._is_in_play = is_in_play
        self._every = every
        self._stopped = threading.Event()

    async def run(self) -> None:
        await self.in_thread(self._keep)  # a request belongs to its thread, and a silent desktop holds it up

    async def stop(self) -> None:
        self._stopped.set()
        await super().stop()

    async def finish(self) -> None:
        """Wait until the system has taken the request back."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.in_thread(lambda: None), STOPPING)

    def _keep(self) -> None:
        while not self._stopped.is_set():
            if self._look(before=False):
                with keep.running(on_fail="pass"):
                    while not self._stopped.wait(self._every) and self._look(before=True):
                        pass
            self._stopped.wait(self._every)

    def _look(self, *, before: bool) -> bool:
        """Return whether an evening is in play; `before` if the database fails."""
        try:
            return closing_connections(self._is_in_play)
        except Exception:
            logger.warning(
                "Whether an evening is in play could not be found out; trying again.", exc_info=True
            )
            return before
