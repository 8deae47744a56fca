"""The databases that the environment names, for the settings; docs/operations.md explains the variables."""

from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from schnauz_turnier.environment import env, env_choice

GIVE_UP = {
    "connect_timeout": 10,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 11_000,
}
"""Time until a connection to a dead machine is given up, in seconds; tcp_user_timeout in milliseconds."""


def env_database() -> dict[str, Any]:
    """Return the database with a connection pool per process. Requests run in threads and borrow a connection each."""
    if env("READ_URL") is not None:
        raise ImproperlyConfigured(
            "READ_URL is gone: pages are kept in memory until they change, so a standby would save the database nothing. "
            "Remove READ_URL. DATABASE_URL may still name several hosts, for the case that one of them dies."
        )
    if env("CLUB_SERVERS") is not None:
        raise ImproperlyConfigured(
            "CLUB_SERVERS is gone: all clubs are in DATABASE_URL, which may name a Citus cluster (docs/hosting.md). With the version "
            "before, take the clubs of other servers home with move_club CLUB default; then remove CLUB_SERVERS."
        )
    if url := env("DATABASE_URL"):
        parsed = parsed_database("DATABASE_URL", url, "then the program starts a PostgreSQL of its own.")
        options = pooled({**GIVE_UP, **parsed["OPTIONS"]})
        return {**parsed, "ENGINE": "schnauz_turnier.postgresql", **options}
    return {"ENGINE": "schnauz_turnier.postgresql.embedded", "NAME": "schnauz_turnier", **pooled({})}


LIFETIME = 600
"""Seconds until a connection of many clubs is replaced. PostgreSQL keeps a megabyte for each club that a connection has met."""


def pooled(options: dict[str, Any]) -> dict[str, Any]:
    pool: dict[str, Any] = {"min_size": 1, "max_size": 12, "timeout": 15}
    if env("CLUBS"):
        pool["max_lifetime"] = LIFETIME
        pool["max_size"] = 16  # all that have a place: 6 phones, 6 of the staff, 2 guests, 2 streams
    return {"CONN_HEALTH_CHECKS": True, "OPTIONS": {**options, "pool": pool}}


def env_clubs() -> str | None:
    """Return "hosts" or "paths", by which the clubs have their addresses; None for an installation of one club."""
    if env("CLUBS") is None:
        return None
    if env("DATABASE_URL") is None:
        raise ImproperlyConfigured(
            "CLUBS needs a PostgreSQL server of its own. Set DATABASE_URL to postgres://user:password@host/name"
        )
    return env_choice("CLUBS", ("hosts", "paths"), "hosts")


def env_citus() -> bool:
    """Return whether DATABASE_URL is a Citus cluster."""
    if env_choice("CITUS", ("0", "1"), "0") == "0":
        return False
    if env("CLUBS") is None:
        raise ImproperlyConfigured(
            "CITUS=1 spreads clubs over the machines of a Citus cluster. Set CLUBS to hosts or paths, or leave CITUS unset."
        )
    return True


def env_listen_url() -> str | None:
    """Return the address of the LISTEN connection, None for that of all other connections."""
    url = env("LISTEN_URL")
    if url is not None:
        parsed_database("LISTEN_URL", url, "then DATABASE_URL is used.")
        if env("DATABASE_URL") is None:
            raise ImproperlyConfigured(
                "LISTEN_URL is the direct address of the database that DATABASE_URL names. Set both, or neither."
            )
    return url


def parsed_database(name: str, url: str, if_unset: str) -> dict[str, Any]:
    """Parse the address of a database as libpq does: it may have several hosts, each with a port of its own."""
    example = f"Set it to postgres://user:password@host:5432/name (special characters as %XX), or leave it unset: {if_unset}"
    try:
        is_postgresql = urlsplit(url).scheme in ("", "postgres", "postgresql")
        options = conninfo_to_dict(url) if is_postgresql else {}
    except (ValueError, psycopg.ProgrammingError):
        message = f"{name} is not understood. {example}"
        raise ImproperlyConfigured(message) from None  # the error's text may contain the password
    if "dbname" not in options:
        raise ImproperlyConfigured(f"{name} must name a PostgreSQL database. {example}")
    words = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    return {**{key: options.pop(word, "") for key, word in words.items()}, "OPTIONS": options}
