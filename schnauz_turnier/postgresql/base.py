"""The engine. While the program works for a club, every transaction begins with the role and the schema of the club.

The connections are shared by all clubs, and a query outside a club's context fails: the login role may read no schema. Role
and schema are set for one transaction only (SET LOCAL), in one message with its first statement. So they cost no round trip,
nothing is left behind for the next club, and a transaction pooler in between does no harm. A message of several
statements outside of a transaction is a transaction.

The role owns the schema of its club, and may neither read nor write in another one.
"""

from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.introspection import DatabaseIntrospection, TableInfo
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import ClientCursor, sql
from psycopg.pq import TransactionStatus

from tournaments.current_club import Club, current_club


@lru_cache(maxsize=4096)
def _entering(club: Club) -> str:
    entering = sql.SQL("SET LOCAL ROLE {}; SET LOCAL search_path TO {}, pg_temp; ")
    return entering.format(sql.Identifier(club.role), sql.Identifier(club.schema)).as_string(None)


class Cursor(ClientCursor[Any]):
    """A cursor that binds values in the client, as Django's own, and so may send several statements in one message."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        club = current_club()
        if club is None or self.connection.info.transaction_status is not TransactionStatus.IDLE:
            return super().execute(query, params, **options)
        text = query if isinstance(query, str) else query.as_string(self.connection)
        super().execute(_entering(club) + text, params, **options)
        self.nextset()  # from the answer to the first SET to that of the query
        self.nextset()
        return self

    def executemany(self, query: Any, params_seq: Any, **options: Any) -> Any:
        """Run a statement once for each row, in one transaction."""
        club = current_club()
        if club is None or self.connection.info.transaction_status is not TransactionStatus.IDLE:
            return super().executemany(query, params_seq, **options)
        with self.connection.transaction() if self.connection.autocommit else nullcontext():
            super().execute(_entering(club))
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
    introspection_class = Introspection

    def get_connection_params(self) -> dict[str, Any]:
        return {**super().get_connection_params(), "cursor_factory": Cursor}
