"""Record of the screens that are open: those that have requested their page recently, from this process."""

import threading
import time
from collections.abc import Callable

PATIENCE = 20.0  # seconds; a screen requests its page every 5 seconds, without JavaScript every 12


class OpenScreens:
    """A thread-safe record of open screens. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, int], float] = {}

    def note(self, slug: str, number: int) -> None:
        """Record that screen `number` of this tournament has requested its page."""
        with self._lock:
            now = self._clock()
            self._seen[slug, number] = now
            self._seen = {key: at for key, at in self._seen.items() if now - at < PATIENCE}

    def of(self, slug: str) -> set[int]:
        """Return the numbers of the open screens of a tournament."""
        with self._lock:
            now = self._clock()
            return {number for (of, number), at in self._seen.items() if of == slug and now - at < PATIENCE}


open_screens = OpenScreens()
"""The record of this process."""
