"""Page cache. Entries are valid until the tournament changes; NOTIFY invalidates them.

The cache is enabled only while the web server proves that it hears of changes, and each proof lasts for a moment (see
`rely`). Otherwise, in a management command or while the connection is lost, nothing is stored and no entry is used. A
change that this process commits itself invalidates the entries on commit, before the request is answered.

What is read from a standby is kept under names of its own, since it becomes old at another moment (see standby.py).

Its size is limited. The tournaments that were not read for longest make room for others.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable
from typing import Any, TypeVar

from django.conf import settings

from tournaments.current_club import everywhere
from tournaments.memory_size import size_of
from tournaments.standby import kept_as

STANDINGS = "standings"
"""A group of entries: the public standings, which an entry on a sheet in play leaves as they are."""

KEEP = "schnauz_turnier.keep"
"""Key of the ASGI scope: a function that a view calls if its response is the same for everybody."""

T = TypeVar("T")


class _Entries:
    """The cache entries of one tournament. A change replaces this object by a new one with those that stay valid."""

    def __init__(self, groups: Collection[str] = (), before: "_Entries | None" = None) -> None:
        """groups: those that stay valid of the entries before."""
        kept = before.values.items() if before else ()
        self.values: dict[Hashable, Any] = {
            name: value for name, value in kept if isinstance(name, tuple) and name[0] in groups
        }
        self.sizes: dict[Hashable, int] = {name: before.sizes[name] for name in self.values} if before else {}
        self.making: dict[Hashable, threading.Lock] = {}

    @property
    def size(self) -> int:
        return sum(self.sizes.values())


class PageCache:
    """A thread-safe cache of values by tournament and name.

    room: the bytes that it may take. The tournament that is read may take more, if no other is kept.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._size = 0
        self._lock = threading.Lock()
        self._enabled_until = 0.0
        self._entries: OrderedDict[str, _Entries] = OrderedDict()
        self._times_cleared = 0
        self._changes: dict[str, int] = {}

    def invalidate(self, slug: str | None, _topic: str = "", keeps: Collection[str] = ()) -> None:
        """Remove the entries of a tournament. None: remove all entries and enable the cache, until `rely` says how long.

        slug: as `everywhere` or `kept_as` returns it; other methods take the slug of a tournament of the current club. keeps:
        the groups of entries that the change leaves as they are. A group is the first part of their names.
        """
        with self._lock:
            if slug is None:
                self._enabled_until = math.inf
                self._times_cleared += 1
                self._changes.clear()
                self._remove_all()
                return
            self._changes[slug] = self._changes.get(slug, 0) + 1
            if before := self._entries.pop(slug, None):
                after = _Entries(keeps, before)
                self._size += after.size - before.size
                if after.values:
                    self._entries[slug] = after

    def disable(self) -> None:
        """Disable the cache and remove all entries, since changes may be missed from now on."""
        with self._lock:
            self._enabled_until = 0.0
            self._remove_all()

    def clear(self) -> None:
        """Remove all entries, also those that are being made, since what all tournaments share has changed."""
        with self._lock:
            self._times_cleared += 1
            self._remove_all()

    def _remove_all(self) -> None:
        self._entries.clear()
        self._size = 0

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
        slug = kept_as(everywhere(slug))
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
                    value = make()
                except BaseException:
                    self._forget(slug, entries, name)  # what does not exist must not use memory
                    raise
                self._store(slug, entries, name, value)
            found: T = entries.values[name]
            return found

    def get(self, slug: str, name: Hashable) -> Any:
        """Return the entry of this name, or None."""
        slug = kept_as(everywhere(slug))
        with self._lock:
            entries = self._entries.get(slug) if self.is_enabled else None
            if entries is None:
                return None
            self._entries.move_to_end(slug)
            return entries.values.get(name)

    def keeper(self, slug: str) -> Callable[[Hashable, Any], None]:
        """Return a function that stores an entry for a value that is yet to be made; it does nothing after a change."""
        slug = kept_as(everywhere(slug))
        before = self._version_of(slug)

        def keep(name: Hashable, value: Any) -> None:
            with self._lock:
                is_valid = self.is_enabled and self._version_of(slug) == before
                entries = self._entries.setdefault(slug, _Entries()) if is_valid else None
            if entries is not None:
                self._store(slug, entries, name, value)

        return keep

    def _version_of(self, slug: str) -> tuple[int, int]:
        return self._times_cleared, self._changes.get(slug, 0)

    def _store(self, slug: str, entries: _Entries, name: Hashable, value: Any) -> None:
        """Store an entry, and remove the least recently used tournaments beyond the room."""
        size = size_of(value)
        with self._lock:
            grown = size - entries.sizes.get(name, 0)
            entries.values[name], entries.sizes[name] = value, size
            if self._entries.get(slug) is entries:
                self._size += grown
            while self._size > self._room and len(self._entries) > 1:
                _slug, removed = self._entries.popitem(last=False)
                self._size -= removed.size

    def _forget(self, slug: str, entries: _Entries, name: Hashable) -> None:
        """Remove what a value that cannot be made has left behind."""
        with self._lock:
            entries.making.pop(name, None)
            if not entries.values and self._entries.get(slug) is entries:
                del self._entries[slug]


page_cache = PageCache(settings.PAGE_MEMORY_MB * settings.PAGE_MEMORY_OF_PAGES)
"""The cache of this process."""
