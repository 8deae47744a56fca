"""Keeping the laptop awake while an evening is in play: asleep it answers no phone."""

import asyncio
import logging
import threading
from collections.abc import Callable

from django.db import connections
from wakepy import keep

EVERY = 60.0  # seconds between two checks
STOPPING = 10.0  # seconds for the system to release the request

logger = logging.getLogger(__name__)


def can_be_kept_awake() -> bool:
    """Whether the system can be kept awake. Without a desktop, as in a container or a service, it cannot."""
    with keep.running(on_fail="pass") as mode:
        pass
    return mode.result.success


class KeepAwake:
    """A companion of the server. is_in_play: whether the laptop is needed now; called in a separate thread.

    The screen may turn off, and a laptop with a closed lid sleeps anyway.
    """

    def __init__(self, is_in_play: Callable[[], bool], *, every: float = EVERY) -> None:
        self._is_in_play = is_in_play
        self._every = every
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keep awake", daemon=True)

    def start(self) -> None:
        self._thread.start()

    async def stop(self) -> None:
        self._stopped.set()
        await asyncio.to_thread(self._thread.join, STOPPING)

    def _run(self) -> None:
        while not self._stopped.is_set():
            if self._look(before=False):
                with keep.running(on_fail="pass"):
                    while not self._stopped.wait(self._every) and self._look(before=True):
                        pass
            self._stopped.wait(self._every)

    def _look(self, *, before: bool) -> bool:
        """Return whether an evening is in play; `before` if the database fails."""
        try:
            return self._is_in_play()
        except Exception:
            logger.warning(
                "Whether an evening is in play could not be found out; trying again.", exc_info=True
            )
            return before
        finally:
            connections.close_all()
