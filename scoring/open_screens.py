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
        self._seen: dict[tuple[str, int, str], float] = {}

    def note(self, slug: str, number: int, device: str = "") -> None:
        """Record that screen `number` of this tournament has requested its page. device: a paired browser, or ""."""
        with self._lock:
            now = self._clock()
            self._seen[slug, number, device] = now
            self._seen = {key: at for key, at in self._seen.items() if now - at < PATIENCE}

    def of(self, slug: str) -> set[int]:
        """Return the numbers of the open screens of a tournament."""
        return {number for number, _device in self._open(slug)}

    def by_device(self, slug: str) -> dict[str, int]:
        """Return the number of the screen that each paired browser shows."""
        return {device: number for number, device in self._open(slug) if device}

    def _open(self, slug: str) -> list[tuple[int, str]]:
        """Return the open screens, the least recently requested first."""
        with self._lock:
            now = self._clock()
            seen = sorted(
                (at, number, device) for (of, number, device), at in self._seen.items() if of == slug
            )
        return [(number, device) for at, number, device in seen if now - at < PATIENCE]


open_screens = OpenScreens()
"""The record of this process."""
