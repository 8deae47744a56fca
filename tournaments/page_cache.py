"""What was made of a tournament's data, and still holds because every change of it is heard of.

It is kept as long as somebody hears of changes (the LISTEN connection of the web server): where nobody does, in a
command or while the connection is lost, nothing is kept, and nothing that was kept is used. A change that this process
commits itself counts at once, before anybody is answered.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

MOST = 32  # tournaments

T = TypeVar("T")


class _Entries:
    """What is kept of one tournament; a change puts an empty one in its place."""

    def __init__(self) -> None:
        self.values: dict[Hashable, Any] = {}
        self.making: dict[Hashable, threading.Lock] = {}


class PageCache:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_enabled = False
        self._entries: OrderedDict[str, _Entries] = OrderedDict()

    def invalidate(self, slug: str | None, _topic: str = "") -> None:
        """Something has changed: in this tournament; or, None: from now on every change is heard of."""
        with self._lock:
            if slug is not None:
                self._entries.pop(slug, None)
            else:
                self._is_enabled = True
                self._entries.clear()

    def disable(self) -> None:
        """From now on changes may be missed."""
        with self._lock:
            self._is_enabled = False
            self._entries.clear()

    def get_or_make(self, slug: str, name: Hashable, make: Callable[[], T]) -> T:
        """What is kept under this name, or else made now; several who ask at once wait for the one that makes it.

        What was begun before a change goes to the shelf that the change took away, and is found by nobody after it.
        """
        with self._lock:
            if not self._is_enabled:
                entries = _Entries()
            else:
                entries = self._entries.setdefault(slug, _Entries())
                self._entries.move_to_end(slug)
            making = entries.making.setdefault(name, threading.Lock())
        with making:
            if name not in entries.values:
                try:
                    entries.values[name] = make()
                except BaseException:
                    entries.making.pop(
                        name, None
                    )  # nothing is kept of what there is not, however often it is asked for
                    raise
                finally:
                    self._tidy(slug, entries)
            found: T = entries.values[name]
            return found

    def _tidy(self, slug: str, entries: _Entries) -> None:
        """No shelf stays for a tournament that there is not, nor for one that nobody has looked at for long."""
        with self._lock:
            if not entries.values and self._entries.get(slug) is entries:
                del self._entries[slug]
            while len(self._entries) > MOST:
                self._entries.popitem(last=False)


page_cache = PageCache()
"""Of this process."""
