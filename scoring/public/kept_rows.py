"""Rendered rows, for as long as the values that they show stay the same."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from django.conf import settings

from tournaments.current_club import of_this_club
from tournaments.memory_size import size_of

Rows = dict[str, tuple[Any, str, str]]
"""By the key of the row: the values that it shows, and its HTML before and after its inner piece."""


class KeptRows:
    """A thread-safe cache of lists of rows by name. The least recently used lists are removed first.

    The name of a list contains everything except the row that its HTML depends on.
    room: the bytes that all lists may take; each is counted when it is stored.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._size = 0
        self._lists: OrderedDict[Hashable, tuple[Rows, int]] = OrderedDict()

    def of(self, name: Hashable) -> Rows:
        """Return the rows of a list, none if it is not kept. A caller that adds to them calls `keep`."""
        name = of_this_club(name)
        with self._lock:
            if name not in self._lists:
                return {}
            self._lists.move_to_end(name)
            return self._lists[name][0]

    def keep(self, name: Hashable, rows: Rows) -> None:
        """Store a list that was added to, unless it is larger than the room, and remove others beyond that."""
        name = of_this_club(name)
        size = size_of((name, rows))
        with self._lock:
            self._size -= self._lists.pop(name, (rows, 0))[1]
            if size > self._room:
                return
            self._lists[name] = rows, size
            self._size += size
            while self._size > self._room:
                self._size -= self._lists.popitem(last=False)[1][1]


kept_rows = KeptRows(settings.PAGE_MEMORY_MB * settings.PAGE_MEMORY_OF_ROWS)
"""The cache of this process."""
