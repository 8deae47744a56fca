"""Turns at hashing passwords.

Hashing a password is slow by design and keeps a core busy. One thread of all processes that share a DATA_DIR hashes at a
time, and it holds no database connection meanwhile, so that pages never wait for a connection of the pool. A few threads
wait for their turn; the others are refused at once. A club whose log-ins fill all places keeps no other out of its share.
"""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import IO

from django.conf import settings
from django.db import connection

from tournaments.core.refusal import Refusal
from tournaments.core.shares import has_place
from tournaments.current_club import Club, current_club
from tournaments.file_locks import try_to_lock

PATIENCE = 10.0  # seconds until the turn of another process is no longer waited for
GLANCE = 0.02

give_way: ContextVar[Callable[[], object]] = ContextVar("give_way", default=lambda: None)
"""Called in the thread of a request that is going to hash or to wait for its turn: others need not wait for that."""

_hashing = threading.Lock()
_counting = threading.Lock()
Use = tuple[Club | None, str]  # the club and the origin
_inside: list[Use] = []
_attempting: list[Use] = []


def attempt(origin: str) -> AbstractContextManager[None]:
    """Allow as many attempts of an origin at once as may wait for a turn. Refuses log_in_busy.

    Attempts are counted in the database, those of an address in one row. Without this limit, a flood waits for the lock
    of that row, each attempt with a connection of the pool.
    """
    return _place(_attempting, origin, sys.maxsize)


@contextmanager
def hashing_slot(origin: str, *, is_known: bool = False) -> Iterator[None]:
    """Acquire the password-hashing slot. Refuses log_in_busy if too many wait, from this origin or in total.

    origin: the address or the device that sends the password. is_known: the device has logged in before; places are
    kept free for such devices.
    """
    places = settings.HASHES_WAITING + (settings.HASHES_WAITING_KNOWN if is_known else 0)
    with _place(_inside, origin, places):
        return_connection()
        give_way.get()()
        with _hashing, _alone_on_this_machine():
            yield


@contextmanager
def _alone_on_this_machine() -> Iterator[None]:
    """Wait until no other process hashes, but not for ever: another one may have been stopped during its turn.

    The operating system ends the turn of a process that is killed.
    """
    try:
        lock = (settings.DATA_DIR / "hashing.lock").open("ab")
    except OSError:  # a folder that cannot be written to: the turns of this process alone
        yield
        return
    with lock:
        given_up_at = time.monotonic() + PATIENCE
        while not _is_taken(lock) and time.monotonic() < given_up_at:
            time.sleep(GLANCE)
        yield


def _is_taken(lock: IO[bytes]) -> bool:
    try:
        return try_to_lock(lock)
    except OSError:  # a file system without locks
        return False


def return_connection() -> None:
    """Return the database connection to the pool, except inside a transaction. The next query takes one again."""
    if not connection.in_atomic_block:
        connection.close()


@contextmanager
def _place(used: list[Use], origin: str, places: int) -> Iterator[None]:
    """Use one of so many places inside the block. Refuses log_in_busy where all are used, or too many by this origin."""
    club = current_club()
    with _counting:
        clubs, origins = Counter(use[0] for use in used), Counter(use[1] for use in used)
        if origins[origin] >= settings.HASHES_WAITING_PER_ADDRESS or not has_place(clubs, club, places):
            raise Refusal("log_in_busy")
        used.append((club, origin))
    try:
        yield
    finally:
        with _counting:
            used.remove((club, origin))
