"""The engine itself. It asks where the server is at each new connection, never earlier.

So `check`, `makemigrations --check` or a type checker that imports the settings start no server, and a
connection made after a restart goes to the right place.
"""

from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base

from schnauz_turnier import database


class LazyConnection(psycopg.Connection[Any]):
    """What the pool makes: psycopg's connection, its address looked up when it is opened."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> "LazyConnection":
        return super().connect(conninfo, **{**kwargs, **database.address(settings.DATA_DIR).parameters})


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        parameters = super().get_connection_params()
        return {**parameters, **database.address(settings.DATA_DIR).parameters}

    @property
    def pool(self) -> Any:
        if options := self.settings_dict["OPTIONS"].get("pool"):
            options.setdefault("connection_class", LazyConnection)
        return super().pool
