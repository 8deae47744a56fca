"""The engine. While the program works for a club, every transaction begins with the role and the schema of the club.

The connections are shared by all clubs, and a query outside a club's context fails: the login role may read no schema. Role
and schema are set for one transaction only (SET LOCAL), in one message with its first statement. So they cost no round trip,
nothing is left behind for the next club, and a transaction pooler in between does no harm. A message of several
statements outside of a transaction is a transaction.

The role owns the schema of its club, and may neither read nor write in another one.

On Citus (CITUS=1) there is no role a club: Citus connects to its workers as the current role, so the clubs could not share
these connections. The login owns all schemas, and its own search_path has none. A worker knows no search_path either: what a
function reads, and a trigger runs on the worker, is found by a search_path of the function itself. Settings for triggers are
sent to the workers, and so is what SET CONSTRAINTS says.
"""

import re
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from django.db.backends.postgresql.introspection import DatabaseIntrospection, TableInfo
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import ClientCursor, sql
from psycopg.pq import TransactionStatus

from schnauz_turnier.postgresql.schema_editor import SchemaEditor
from tournaments.current_club import Club, current_club

_FUNCTION = re.compile(r"(\s*CREATE (?:OR REPLACE )?FUNCTION .+? LANGUAGE \w+)", re.DOTALL)
_CONSTRAINTS = re.compile(r"\s*SET CONSTRAINTS .+ (IMMEDIATE|DEFERRED)\s*;?\s*")

_READ_BY_TRIGGERS = "SET LOCAL schnauz."
"""What begins a statement that Citus must send to the workers. It sends the whole message, so nothing else may be in it."""


@lru_cache(maxsize=4096)
def _entering(role: str | None, schema: str) -> tuple[str, int]:
    """Return the statements by which a transaction enters a club, and their number. role: None for that of the account."""
    statements = [sql.SQL("SET LOCAL search_path TO {}, pg_temp; ").format(sql.Identifier(schema))]
    if role:
        statements.insert(0, sql.SQL("SET LOCAL ROLE {}; ").format(sql.Identifier(role)))
    return sql.SQL("").join(statements).as_string(None), len(statements)


def _finding_its_tables(text: str, club: Club) -> str:
    """Return CREATE FUNCTION with the search_path of the club; other statements as they are."""
    path = sql.SQL("SET search_path TO {}, pg_temp").format(sql.Identifier(club.schema)).as_string(None)
    return _FUNCTION.sub(lambda begins: f"{begins[1]} {path}", text, count=1)


class Cursor(ClientCursor[Any]):
    """A cursor that binds values in the client, as Django's own, and so may send several statements in one message."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        club = current_club()
        if club is None:
            return super().execute(query, params, **options)
        text = query if isinstance(query, str) else query.as_string(self.connection)
        if settings.CITUS:
            text = _finding_its_tables(text, club)
            if text.startswith(_READ_BY_TRIGGERS):
                self.execute("SET LOCAL citus.propagate_set_commands = 'local'")
            if mode := _CONSTRAINTS.fullmatch(text):
                self._set_constraints_of_the_worker(mode[1])
        if self.connection.info.transaction_status is not TransactionStatus.IDLE:
            return super().execute(text, params, **options)
        entering, statements = _entering(None if settings.CITUS else club.role, club.schema)
        super().execute(entering + text, params, **options)
        for _ in range(statements):  # to the answer of the query
            self.nextset()
        return self

    def _set_constraints_of_the_worker(self, mode: str) -> None:
        """Let the worker of the club check its deferred constraints now, or later. Citus sends no SET CONSTRAINTS.

        A worker runs a function in a query that reads a table. Without the first table, nothing is to be checked.
        """
        self.execute("SELECT to_regclass('django_migrations') IS NOT NULL")
        if self.fetchone() == (True,):
            self.execute("SELECT set_constraints(%s), count(*) FROM django_migrations", [mode])

    def executemany(self, query: Any, params_seq: Any, **options: Any) -> Any:
        """Run a statement once for each row, in one transaction."""
        club = current_club()
        if club is None or self.connection.info.transaction_status is not TransactionStatus.IDLE:
            return super().executemany(query, params_seq, **options)
        entering, _ = _entering(None if settings.CITUS else club.role, club.schema)
        with self.connection.transaction() if self.connection.autocommit else nullcontext():
            super().execute(entering)
            return super().executemany(query, params_seq, **options)


class Operations(DatabaseOperations):
    def prepare_sql_script(self, sql: str) -> list[str]:
        """Return the statements of a migration one by one. Citus accepts several in one message only on its coordinator."""
        return super(DatabaseOperations, self).prepare_sql_script(sql)


class Introspection(DatabaseIntrospection):
    def get_table_list(self, cursor: Any) -> list[Any]:
        """Return the tables and views of the current schema, without reading those of all clubs as Django does."""
        cursor.execute(
            "SELECT relname, CASE WHEN relispartition THEN 'p' WHEN relkind IN ('m', 'v') THEN 'v' ELSE 't' END, "
            "obj_description(pg_class.oid, 'pg_class') FROM pg_depend JOIN pg_class ON pg_class.oid = objid "
            "WHERE refclassid = 'pg_namespace'::regclass AND refobjid = current_schema()::regnamespace "
            "AND classid = 'pg_class'::regclass AND relkind IN ('f', 'm', 'p', 'r', 'v')"
        )
        return [TableInfo(*row) for row in cursor.fetchall() if row[0] not in self.ignored_tables]


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = Operations
    SchemaEditorClass = SchemaEditor
    introspection_class = Introspection

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": Cursor}
