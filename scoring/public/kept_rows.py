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
    room: the bytes that the lists may take. The list that was written last may take more, if no other is kept.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._lists: OrderedDict[Hashable, Rows] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}

    def of(self, name: Hashable) -> Rows:
        """Return the rows of a list, none if it is not kept. A caller that adds to them calls `keep`."""
        name = of_this_club(name)
        with self._lock:
            if name not in self._lists:
                return {}
            self._lists.move_to_end(name)
            return self._lists[name]

    def keep(self, name: Hashable, rows: Rows) -> None:
        """Store a list that was added to, estimate its size, and remove others beyond the room."""
        name = of_this_club(name)
        with self._lock:
            self._lists[name], self._sizes[name] = rows, size_of(rows)
            self._lists.move_to_end(name)
            while len(self._lists) > 1 and sum(self._sizes.values()) > self._room:
                removed, _rows = self._lists.popitem(last=False)
                del self._sizes[removed]


kept_rows = KeptRows(settings.PAGE_MEMORY_MB * settings.PAGE_MEMORY_OF_ROWS)
"""The cache of this process."""
