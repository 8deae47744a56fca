"""Election of the process that makes the backups, or does other work that one process does for all."""

from collections.abc import Callable
from typing import Any

import psycopg

BACKUPS = 0x5C4E
MEASURES = 0x5C50


class BackupKeeper:
    """An advisory lock of the database, held from the first work until the process ends or loses its connection.

    The lock belongs to a transaction that stays open, so that it holds behind a transaction pooler too. A transaction that
    reads no table does not block vacuum. parameters: as Django's `get_connection_params`. lock: the key of the lock.
    """

    def __init__(self, parameters: Callable[[], dict[str, Any]], lock: int) -> None:
        self._parameters, self._lock = parameters, lock
        self._connection: psycopg.Connection[Any] | None = None

    def is_this_process(self) -> bool:
        """Whether this process does the work. If no process does, this one takes over."""
        if self._connection is not None:
            try:
                self._connection.execute("SELECT 1")
                return True
            except psycopg.OperationalError:
                self._connection.close()
        self._connection = self._with_lock()
        return self._connection is not None

    def _with_lock(self) -> psycopg.Connection[Any] | None:
        """Return a connection that holds the lock; None if another process holds it."""
        connection = psycopg.connect(**self._parameters())
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        if connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [self._lock]).fetchone() == (True,):
            return connection
        connection.close()
        return None
