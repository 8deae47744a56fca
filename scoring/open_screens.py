"""Record of the screens that are open: those that have requested their page recently, from whichever process.

The processes tell each other of the screens that they have answered, by the channel of NOTIFY (schnauz_turnier/live/stream.py).
"""

import json
import math
import threading
import time
from collections.abc import Callable, Sequence

from tournaments.current_club import everywhere

PATIENCE = 45.0  # seconds; a screen requests its page at least every 35 seconds, see static/js/live.js; without JavaScript every 12
TOLD_EVERY = 8.0  # seconds between two messages about a screen
AT_ONCE = 40  # screens of a message; PostgreSQL takes 8,000 bytes
OpenScreen = tuple[str, int, str]


class OpenScreens:
    """A thread-safe record of open screens. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[OpenScreen, float] = {}
        self._told: dict[OpenScreen, float] = {}

    def note(self, slug: str, number: int, device: str = "") -> None:
        """Record that screen `number` of this tournament has requested its page. device: a paired browser, or ""."""
        key = (everywhere(slug), number, device)
        with self._lock:
            now = self._clock()
            self._seen[key] = now
            self._told.setdefault(key, -math.inf)
            self._tidy(now)

    def to_tell(self) -> str:
        """Return a message about screens that have asked this process; "" if the others know of all."""
        with self._lock:
            now = self._clock()
            self._tidy(now)
            due = [key for key, at in self._told.items() if now - at >= TOLD_EVERY][:AT_ONCE]
            self._told |= dict.fromkeys(due, now)
            screens = [(*key, round(now - self._seen[key], 1)) for key in due]
        return json.dumps({"screens": screens}) if screens else ""

    def hear(self, screens: Sequence[tuple[str, int, str, float]]) -> None:
        """Record what a process has told: the screens, and how many seconds ago they have requested their page."""
        with self._lock:
            now = self._clock()
            for slug, number, device, age in screens:
                key = (slug, number, device)
                self._seen[key] = max(now - age, self._seen.get(key, -math.inf))
            self._tidy(now)

    def _tidy(self, now: float) -> None:
        self._seen = {key: at for key, at in self._seen.items() if now - at < PATIENCE}
        self._told = {key: at for key, at in self._told.items() if key in self._seen}

    def of(self, slug: str) -> set[int]:
        """Return the numbers of the open screens of a tournament."""
        return {number for number, _device in self._open(slug)}

    def browsers(self, slug: str, number: int) -> set[str]:
        """Return the browsers that show screen `number`, those that are not paired as ""."""
        return {device for of, device in self._open(slug) if of == number}

    def by_device(self, slug: str) -> dict[str, int]:
        """Return the number of the screen that each paired browser shows."""
        return {device: number for number, device in self._open(slug) if device}

    def _open(self, slug: str) -> list[tuple[int, str]]:
        """Return the open screens, the least recently requested first."""
        name = everywhere(slug)
        with self._lock:
            now = self._clock()
            seen = sorted(
                (at, number, device) for (of, number, device), at in self._seen.items() if of == name
            )
        return [(number, device) for at, number, device in seen if now - at < PATIENCE]


open_screens = OpenScreens()
"""The record of this process."""
