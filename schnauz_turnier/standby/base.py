"""The engine of the standby: a pool of connections to the very server whose position is known.

A server that is frozen answers nothing, and no error comes. `cut_off` ends what waits for it, in whichever thread.
"""

import os
import socket
import threading
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary, finalize

import psycopg
from django.db import OperationalError

from schnauz_turnier.postgresql import base
from tournaments.standby import standby

_sockets: WeakKeyDictionary[psycopg.BaseConnection[Any], socket.socket] = WeakKeyDictionary()
_lock = threading.Lock()
_address: dict[str, Any] = {}


def can_be_cut_off(connection: psycopg.BaseConnection[Any]) -> None:
    """Note an open connection for `cut_off`. Its socket is duplicated: the number of one that is closed may be reused."""
    duplicate = socket.socket(fileno=os.dup(connection.fileno()))
    with _lock:
        _sockets[connection] = duplicate
    finalize(connection, duplicate.close)


def cut_off() -> None:
    """End all connections to the standby, also those that are in use."""
    with _lock:
        open_ones = list(_sockets.values())
    for duplicate in open_ones:
        with suppress(OSError):
            duplicate.shutdown(socket.SHUT_RDWR)


def settle_on(connection: psycopg.BaseConnection[Any]) -> None:
    """Let the pool connect to the server of this connection, and to no other one that READ_URL may name."""
    global _address
    info = connection.info
    address = {"host": info.host, "port": info.port, **({"hostaddr": info.hostaddr} if info.hostaddr else {})}
    if address != _address:
        _address = address
        cut_off()


class StandbyConnection(psycopg.Connection[Any]):
    """A connection of the pool."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> "StandbyConnection":
        address = _address
        made = super().connect(conninfo, **{**kwargs, **address})
        can_be_cut_off(made)
        if address is not _address:
            made.close()
            raise psycopg.OperationalError("Another standby is read now.")
        return made


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect, but not to a standby that is given up: requests that have waited would wait for it one after the other."""
        if not standby.is_in_turn:
            raise OperationalError("The standby is not read now.")
        return super().get_new_connection(conn_params)

    @property
    def pool(self) -> Any:
        if options := self.settings_dict["OPTIONS"].get("pool"):
            options.setdefault("connection_class", StandbyConnection)
        return super().pool
