"""Election of the process that makes the backups."""

from collections.abc import Callable
from typing import Any

import psycopg

_LOCK = 0x5C4E


class BackupKeeper:
    """An advisory lock of the database, held from the first backup until the process ends or loses its connection.

    The lock belongs to a transaction that stays open, so that it holds behind a transaction pooler too. A transaction that
    reads no table does not block vacuum. parameters: as Django's `get_connection_params`.
    """

    def __init__(self, parameters: Callable[[], dict[str, Any]]) -> None:
        self._parameters = parameters
        self._connection: psycopg.Connection[Any] | None = None

    def is_this_process(self) -> bool:
        """Whether this process makes the backups. If no process does, this one takes over."""
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
        if connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK]).fetchone() == (True,):
            return connection
        connection.close()
        return None
