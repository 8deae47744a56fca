"""The schemas of the clubs: made, migrated, measured, dropped. A role of the same name owns the tables of a schema.

The role cannot log in. The account of DATABASE_URL switches to it for one transaction at a time (schnauz_turnier/postgresql).
That account owns the schemas themselves, and needs the rights to make them and their roles:
CREATE ROLE ... LOGIN CREATEROLE NOINHERIT, and GRANT CREATE ON DATABASE.
"""

import re
import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from psycopg import ClientCursor, sql

from schnauz_turnier.clubs import recordings
from schnauz_turnier.clubs.catalogue import catalogue_cursor, rows_of_catalogue
from tournaments.current_club import Club, in_club
from tournaments.queries.database_version import applied_migrations, digest_of, known_migrations


def new_name(slug: str) -> str:
    """Return an unused name for schema and role: roles belong to the whole server."""
    return f"club_{re.sub('[^a-z0-9]', '_', slug)[:40]}_{secrets.token_hex(4)}"


_SET_CONSTRAINTS = """
CREATE FUNCTION {schema}.set_constraints(mode text) RETURNS void LANGUAGE plpgsql SET search_path TO {schema}, pg_temp
AS $$ BEGIN EXECUTE 'SET CONSTRAINTS ALL ' || mode; END $$
"""  # see schnauz_turnier/postgresql/base.py


def create(club: Club) -> None:
    """Make the role and the empty schema."""
    schema, role = sql.Identifier(club.schema), sql.Identifier(club.role)
    if settings.CITUS:
        with catalogue_cursor() as cursor, transaction.atomic():
            cursor.execute("SET LOCAL citus.enable_schema_based_sharding = on")
            cursor.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
        # In a transaction of its own: Citus tells the workers of the account first, as a superuser, but only over a new connection.
        with catalogue_cursor() as cursor:
            cursor.execute(sql.SQL(_SET_CONSTRAINTS).format(schema=schema))
        return
    # The account may switch to the role, but does not inherit its rights.
    is_exact = getattr(connection, "pg_version", 0) >= 160_000
    may_take_on = sql.SQL(" WITH INHERIT FALSE, SET TRUE" if is_exact else "")
    with catalogue_cursor() as cursor, transaction.atomic():
        cursor.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
        cursor.execute(sql.SQL("GRANT {} TO CURRENT_USER{}").format(role, may_take_on))
        cursor.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
        cursor.execute(sql.SQL("GRANT USAGE, CREATE ON SCHEMA {} TO {}").format(schema, role))


def migrate(club: Club) -> None:
    """Make the tables of a club, or bring them up to date."""
    with in_club(club):
        call_command("migrate", verbosity=0, interactive=False)


def make_tables(club: Club) -> None:
    """Make all tables in an empty schema, as `migrate` does; in one message, if this program has made some before."""
    statements = recordings.recorded_statements()
    if not statements:
        recordings.keep(_recorded(club))
        return
    with in_club(club), transaction.atomic(), connection.cursor() as cursor:
        every = [*statements, _APPLIED_NOW]
        for message in every if settings.CITUS else [";\n".join(every)]:
            cursor.execute(message)


_APPLIED_NOW = "UPDATE django_migrations SET applied = now()"  # not when they were recorded


def _recorded(club: Club) -> list[str]:
    """Migrate an empty schema, and return all its statements except SELECTs."""
    made: list[str] = []

    def record(execute: Callable[..., Any], query: Any, params: Any, *more: Any) -> Any:
        text = ClientCursor(connection.connection).mogrify(query, params)
        if not text.lstrip().upper().startswith("SELECT"):
            made.append(text)
        return execute(query, params, *more)

    with connection.execute_wrapper(record):
        migrate(club)
    return made


def migrations_behind(club: Club) -> int:
    """Return the number of migrations of this program that the club lacks."""
    with in_club(club):
        return len(known_migrations() - applied_migrations())


def digest_of_migrations(club: Club) -> str:
    """Return the digest of the migrations that are applied to a club."""
    with in_club(club):
        return digest_of(applied_migrations())


def size(club: Club) -> int:
    """Return the size of a club on disk, in bytes."""
    size_of = sql.Identifier("citus_total_relation_size" if settings.CITUS else "pg_total_relation_size")
    [(size,)] = rows_of_catalogue(
        # By what depends on the schema, which has an index: pg_class would be read for all clubs.
        sql.SQL(
            "SELECT coalesce(sum({}(pg_class.oid)), 0) FROM pg_depend JOIN pg_class ON pg_class.oid = objid "
            "WHERE refclassid = 'pg_namespace'::regclass AND refobjid = to_regnamespace(%s) "
            "AND classid = 'pg_class'::regclass AND relkind = 'r'"
        ).format(size_of),
        club.schema,
    )
    return int(size)


def drop(name: str) -> None:
    """Delete a schema with its tables and its role, if they exist."""
    if settings.CITUS:
        _drop_tables(name)  # together with the schema, Citus may find a deadlock between its own connections
    with catalogue_cursor() as cursor, transaction.atomic():
        cursor.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(name)))
        if not settings.CITUS:
            cursor.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(name)))


def _drop_tables(schema: str) -> None:
    with catalogue_cursor() as cursor, transaction.atomic():
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(%s)",
            [schema],
        )
        tables = [sql.Identifier(schema, table) for (table,) in cursor.fetchall()]
        if tables:
            cursor.execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.SQL(", ").join(tables)))
