"""The hot standby that public pages may be read from (READ_URL), and whether the current request reads from it.

A standby shows a change once it has replayed it. Until then its rows are old, but right as of a moment ago. The web server
proves up to which moment it has replayed (`rely`), and the standby is read until LIMIT seconds after that moment.

What is kept in memory of the standby is kept apart from all else, by a *turn*: a time during which the standby went on
without interruption. One that comes back may be behind where it was before, so a new turn knows nothing of an earlier one.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections

from tournaments.current_club import current_club

LIMIT = 2.0
"""By how many seconds public pages may be behind. A page may be that old anyway, where a change is not heard."""

T = TypeVar("T")


class Standby:
    """Record of what this process knows of the standby. Written by the event loop, read by every thread.

    proven_at: of time.monotonic(); the standby has every change that was committed before.
    """

    def __init__(self) -> None:
        self._turn: int | None = None
        self._turns = 0
        self.proven_at = 0.0

    def begin(self) -> None:
        """Begin a turn."""
        self._turns += 1
        self._turn = self._turns

    def rely(self, proven_at: float) -> None:
        self.proven_at = proven_at

    def lose(self) -> None:
        self._turn = None

    @property
    def is_in_turn(self) -> bool:
        return self._turn is not None

    @property
    def turn(self) -> int | None:
        """The turn in which the standby can be read now; None if it cannot."""
        return self._turn if time.monotonic() < self.proven_at + LIMIT else None

    def kept_as(self, name: str) -> str:
        """Return the name under which this turn keeps what is made for a tournament. name: as `everywhere` returns it."""
        return _in_turn(name, self._turn)


standby = Standby()
"""That of this process."""

_turn: ContextVar[int | None] = ContextVar("turn_of_the_standby", default=None)


def turn_to_read() -> int | None:
    """Return the turn in which the current club can be read from the standby; None if it cannot.

    The standby is that of DATABASE_URL. Clubs on other servers have none.
    """
    club = current_club()
    return standby.turn if club is None or club.server == DEFAULT_DB_ALIAS else None


@contextmanager
def reading(turn: int | None) -> Iterator[None]:
    """Let what `read` makes inside the block come from the standby; None: from the primary."""
    before = _turn.set(turn)
    try:
        yield
    finally:
        _turn.reset(before)


def read(make: Callable[[], T]) -> T:
    """Return what `make` makes of rows of the standby, if this request reads from it. If that fails, of the primary's.

    All of it comes from one server: what is read there after what was read here could tell of results that are withheld.
    """
    if _turn.get() is None:
        return make()
    try:
        with _connected():
            return make()
    except (OperationalError, InterfaceError):
        with reading(None):
            return make()


@contextmanager
def _connected() -> Iterator[None]:
    """Let the queries of this thread go to the standby."""
    before = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connections[settings.STANDBY]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before
        connections[settings.STANDBY].close()


def kept_as(name: str) -> str:
    """Return the name under which this request keeps what it makes for a tournament. name: as `everywhere` returns it."""
    return _in_turn(name, _turn.get())


def _in_turn(name: str, turn: int | None) -> str:
    return name if turn is None else f"{name}@{turn}"
