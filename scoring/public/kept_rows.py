"""Rendered rows, for as long as the values that they show stay the same."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from tournaments.current_club import of_this_club

MOST = 20_000  # rows of all lists together, apart from the list that was used last

Rows = dict[str, tuple[Any, str, str]]
"""By the key of the row: the values that it shows, and its HTML before and after its inner piece."""


class KeptRows:
    """A thread-safe cache of lists of rows by name. The least recently used lists are removed first.

    The name of a list contains everything except the row that its HTML depends on.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: OrderedDict[Hashable, Rows] = OrderedDict()

    def of(self, name: Hashable) -> Rows:
        """Return the rows of a list, which the caller adds to."""
        name = of_this_club(name)
        with self._lock:
            rows = self._lists.setdefault(name, {})
            self._lists.move_to_end(name)
            while len(self._lists) > 1 and sum(map(len, self._lists.values())) > MOST:
                self._lists.popitem(last=False)
            return rows


kept_rows = KeptRows()
"""The cache of this process."""
