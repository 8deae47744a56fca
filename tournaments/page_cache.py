"""Page cache. Entries are valid until the tournament changes, and for LIFETIME seconds at most.

NOTIFY removes the entries of a tournament at once. A change that this process commits itself removes them on commit, before
the request is answered, or by its NOTIFY, whichever comes first. All entries of a tournament end together, LIFETIME seconds
after the first of them was begun: so where NOTIFY is lost, no entry is older than that, even one that was made from others.

Only the web server keeps anything (`enable`): in a management command nothing is stored and no entry is used.

Its size is limited, for one tournament as for all together: each entry is counted when it is stored, and the least recently
used ones make room for others. So a value has to be complete when it is stored.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from django.conf import settings

from tournaments.current_club import everywhere
from tournaments.memory_size import size_of

STANDINGS = "standings"
"""A group of entries: the public standings, which an entry on a sheet in play leaves as they are."""

KEEP = "schnauz_turnier.keep"
"""Key of the ASGI scope: a function that a view calls if its response is the same for everybody."""

LIFETIME = 2.0
"""Seconds after which entries end in any case, whether a NOTIFY was received or not."""

REMEMBERED = 100
"""The number of changes whose ids are remembered: this process learns of its own changes by their commit and by NOTIFY."""

OVERHEAD = 300
"""Bytes that an entry takes beside its name and its value."""

T = TypeVar("T")


class _Making:
    """A value that is being made, for all who ask for it meanwhile. made: the value, or nothing yet."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.made: list[Any] = []


class _Tournament:
    """The cache entries of one tournament. A change replaces this object, so what was begun before is not stored.

    ends_at: of time.monotonic(); the end of the entries.
    """

    def __init__(self, ends_at: float) -> None:
        self.ends_at = ends_at
        self.entries: dict[Hashable, _Entry] = {}
        self.making: WeakValueDictionary[Hashable, _Making] = WeakValueDictionary()


@dataclass(eq=False, slots=True)
class _Entry:
    """A value in the cache. size: in bytes, with name and overhead."""

    tournament: _Tournament
    name: Hashable
    value: Any
    size: int


class PageCache:
    """A thread-safe LRU cache of values by tournament and name. room: the bytes that all entries may take.

    is_enabled: whether anything is kept; so in a web server.
    """

    def __init__(self, room: int, *, is_enabled: bool = True) -> None:
        self._room = room
        self.is_enabled = is_enabled
        self._size = 0
        self._lock = threading.Lock()
        self._changes: deque[str] = deque(maxlen=REMEMBERED)
        self._tournaments: WeakValueDictionary[str, _Tournament] = WeakValueDictionary()
        """The tournaments with entries or with values being made."""
        self._used: OrderedDict[_Entry, None] = OrderedDict()
        """All entries, the least recently used first."""

    def invalidate(
        self, slug: str, _topic: str = "", keeps: Collection[str] = (), change_id: str = ""
    ) -> None:
        """Remove the entries of a tournament. A change with an id counts once: entries begun after it stay.

        slug: as `everywhere` returns it; other methods take the slug of a tournament of the current club. keeps:
        the groups of entries that the change leaves as they are. A group is the first part of their names.
        """
        with self._lock:
            if change_id in self._changes:
                return
            if change_id:
                self._changes.append(change_id)
            if before := self._tournaments.pop(slug, None):
                after = self._tournaments[slug] = _Tournament(before.ends_at)
                for name, entry in tuple(before.entries.items()):
                    if isinstance(name, tuple) and name[0] in keeps:
                        entry.tournament = after
                        after.entries[name] = before.entries.pop(name)
                    else:
                        self._remove(entry)

    def clear(self) -> None:
        """Remove all entries, also those that are being made, since what all tournaments share has changed."""
        with self._lock:
            self._tournaments.clear()
            for entry in tuple(self._used):
                self._remove(entry)

    def get_or_make(self, slug: str, name: Hashable, make: Callable[[], T]) -> T:
        """Return the entry of this name, or make it. Concurrent callers wait for the first one, which makes it.

        A value whose making began before a change is returned to those who wait for it, and not stored.
        """
        slug = everywhere(slug)
        with self._lock:
            tournament = self._named(slug)
            if (entry := self._found(tournament, name)) is not None:
                kept: T = entry.value
                return kept
            making = tournament.making.setdefault(name, _Making())
        with making.lock:
            if not making.made:
                making.made.append(make())
                self._store(slug, tournament, name, making.made[0])
            made: T = making.made[0]
            return made

    def get(self, slug: str, name: Hashable) -> Any:
        """Return the entry of this name, or None."""
        slug = everywhere(slug)
        with self._lock:
            entry = self._found(self._named(slug), name)
            return entry.value if entry is not None else None

    def keeper(self, slug: str) -> Callable[[Hashable, Any], None]:
        """Return a function that stores an entry for a value that is yet to be made; it does nothing after a change."""
        slug = everywhere(slug)
        with self._lock:
            return partial(self._store, slug, self._named(slug))

    def _named(self, slug: str) -> _Tournament:
        """Return the tournament with its entries, without those that are past their end."""
        now = time.monotonic()
        before = self._tournaments.get(slug) if self.is_enabled else None
        if before is not None and now < before.ends_at:
            return before
        for entry in tuple(before.entries.values()) if before is not None else ():
            self._remove(entry)
        tournament = _Tournament(now + LIFETIME)
        if self.is_enabled:
            self._tournaments[slug] = tournament
        return tournament

    def _found(self, tournament: _Tournament, name: Hashable) -> _Entry | None:
        """Return the entry of this name, and mark it as used."""
        entry = tournament.entries.get(name)
        if entry is not None:
            self._used.move_to_end(entry)
        return entry

    def _store(self, slug: str, tournament: _Tournament, name: Hashable, value: Any) -> None:
        """Store an entry unless the tournament has changed, and remove the least recently used ones beyond the room."""
        size = size_of((name, value)) + OVERHEAD
        with self._lock:
            if self._tournaments.get(slug) is not tournament or size > self._room:
                return
            if (before := tournament.entries.get(name)) is not None:
                self._remove(before)
            entry = tournament.entries[name] = _Entry(tournament, name, value, size)
            self._used[entry] = None
            self._size += size
            while self._size > self._room:
                self._remove(next(iter(self._used)))

    def _remove(self, entry: _Entry) -> None:
        del entry.tournament.entries[entry.name]
        del self._used[entry]
        self._size -= entry.size


page_cache = PageCache(settings.PAGE_MEMORY_MB * 1_000_000, is_enabled=False)
"""The cache of this process."""
