"""Page cache. Entries are valid until the tournament changes; NOTIFY invalidates them.

The cache is enabled only while the web server proves that it hears of changes, and each proof lasts for a moment (see
`rely`). Otherwise, in a management command or while the connection is lost, nothing is stored and no entry is used. A
change that this process commits itself invalidates the entries on commit, before the request is answered.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, TypeVar

MOST = 32  # tournaments
STANDINGS = "standings"
"""A group of entries: the public standings, which an entry on a sheet in play leaves as they are."""

KEEP = "schnauz_turnier.keep"
"""Key of the ASGI scope: a function that a view calls if its response is the same for everybody."""

T = TypeVar("T")


class _Entries:
    """The cache entries of one tournament. A change replaces this object by a new one with those that stay valid."""

    def __init__(self, values: Mapping[Hashable, Any] | None = None) -> None:
        self.values: dict[Hashable, Any] = dict(values or {})
        self.making: dict[Hashable, threading.Lock] = {}

    def only(self, groups: Collection[str]) -> dict[Hashable, Any]:
        entries = self.values.copy().items()  # another thread may be adding one
        return {name: value for name, value in entries if isinstance(name, tuple) and name[0] in groups}


class PageCache:
    """A thread-safe cache of values by tournament and name, for the MOST recently used tournaments."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._enabled_until = 0.0
        self._entries: OrderedDict[str, _Entries] = OrderedDict()
        self._times_enabled = 0
        self._changes: dict[str, int] = {}

    def invalidate(self, slug: str | None, _topic: str = "", keeps: Collection[str] = ()) -> None:
        """Remove the entries of a tournament. None: remove all entries and enable the cache, until `rely` says how long.

        keeps: the groups of entries that the change leaves as they are. A group is the first part of their names.
        """
        with self._lock:
            if slug is None:
                self._enabled_until = math.inf
                self._times_enabled += 1
                self._changes.clear()
                self._entries.clear()
                return
            self._changes[slug] = self._changes.get(slug, 0) + 1
            if (before := self._entries.pop(slug, None)) and (kept := before.only(keeps)):
                self._entries[slug] = _Entries(kept)

    def disable(self) -> None:
        """Disable the cache and remove all entries, since changes may be missed from now on."""
        with self._lock:
            self._enabled_until = 0.0
            self._entries.clear()

    def rely(self, until: float) -> None:
        """Enable the cache until this moment of time.monotonic(); entries stay valid if it is called again later."""
        with self._lock:
            self._enabled_until = until

    @property
    def is_enabled(self) -> bool:
        """Whether changes are heard."""
        return time.monotonic() < self._enabled_until

    def get_or_make(self, slug: str, name: Hashable, make: Callable[[], T]) -> T:
        """Return the entry of this name, or make it. Concurrent callers wait for the first one, which makes it.

        A value whose making began before a change is stored in the entries that the change removed, so no later call
        finds it.
        """
        with self._lock:
            if not self.is_enabled:
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
                    )  # requests for something that does not exist must not use memory
                    raise
                finally:
                    self._tidy(slug, entries)
            found: T = entries.values[name]
            return found

    def get(self, slug: str, name: Hashable) -> Any:
        """Return the entry of this name, or None."""
        with self._lock:
            entries = self._entries.get(slug) if self.is_enabled else None
            if entries is None:
                return None
            self._entries.move_to_end(slug)
            return entries.values.get(name)

    def keeper(self, slug: str) -> Callable[[Hashable, Any], None]:
        """Return a function that stores an entry for a value that is yet to be made; it does nothing after a change."""
        before = self._version_of(slug)

        def keep(name: Hashable, value: Any) -> None:
            with self._lock:
                if self.is_enabled and self._version_of(slug) == before:
                    self._entries.setdefault(slug, _Entries()).values[name] = value

        return keep

    def _version_of(self, slug: str) -> tuple[int, int]:
        return self._times_enabled, self._changes.get(slug, 0)

    def _tidy(self, slug: str, entries: _Entries) -> None:
        """Remove empty entries, as of a tournament that does not exist, and those of the least recently used ones."""
        with self._lock:
            if not entries.values and self._entries.get(slug) is entries:
                del self._entries[slug]
            while len(self._entries) > MOST:
                self._entries.popitem(last=False)


page_cache = PageCache()
"""The cache of this process."""
