"""The engine. It looks up the server's address at each new connection, never earlier.

So `check`, `makemigrations --check` or a type checker that imports the settings do not start a server, and a
connection made after a restart uses the new address.
"""

from typing import Any

import psycopg
from django.conf import settings

from schnauz_turnier.postgresql import base, database


class LazyConnection(psycopg.Connection[Any]):
    """A connection of the pool, whose address is looked up when it is opened."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> "LazyConnection":
        return super().connect(conninfo, **{**kwargs, **database.address(settings.DATA_DIR).parameters})


class DatabaseWrapper(base.DatabaseWrapper):
    _takes_from_pool = False
    _has_connected = False

    def connect(self) -> None:
        """Take a connection from the pool. Only the first connection of a process looks up the address.

        It reports at once why the server does not start; the pool would retry until its timeout.
        """
        self._takes_from_pool = self._has_connected and bool(self.settings_dict["OPTIONS"].get("pool"))
        try:
            super().connect()
            DatabaseWrapper._has_connected = True
        finally:
            self._takes_from_pool = False

    def get_connection_params(self) -> dict[str, Any]:
        parameters = super().get_connection_params()
        if self._takes_from_pool:
            return parameters
        return {**parameters, **database.address(settings.DATA_DIR).parameters}

    @property
    def pool(self) -> Any:
        if options := self.settings_dict["OPTIONS"].get("pool"):
            options.setdefault("connection_class", LazyConnection)
        return super().pool
