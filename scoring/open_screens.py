"""Which screens of the hall are open: those that have asked for their page a moment ago, in this process."""

import threading
import time
from collections.abc import Callable

PATIENCE = 20.0  # seconds; a screen asks every five, without script every twelve


class OpenScreens:
    """Safe to use from several threads. clock: seconds, from whenever."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, int], float] = {}

    def note(self, slug: str, number: int) -> None:
        """Screen `number` of this tournament has asked for its page."""
        with self._lock:
            now = self._clock()
            self._seen[slug, number] = now
            self._seen = {key: at for key, at in self._seen.items() if now - at < PATIENCE}

    def of(self, slug: str) -> set[int]:
        """The numbers of the screens that are open."""
        with self._lock:
            now = self._clock()
            return {number for (of, number), at in self._seen.items() if of == slug and now - at < PATIENCE}


open_screens = OpenScreens()
"""Of this process."""
