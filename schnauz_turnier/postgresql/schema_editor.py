"""Changes of tables in statements that Citus accepts: one a message, one subcommand an ALTER TABLE, a CHECK by itself.

PostgreSQL takes these as well, so all installations send the same. Released migrations stay as they are.
"""

import re
from collections.abc import Iterator
from typing import Any

import sqlparse
from django.conf import settings
from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from sqlparse import lexer

_NAME = r'(?:"[^"]+"|\w+)'
_ALTER_TABLE = re.compile(rf"\s*ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?{_NAME}(?:\.{_NAME})?\s+", re.IGNORECASE)


def one_by_one(text: str) -> Iterator[str]:
    """Yield the statements of a text, those that alter a table once for each subcommand."""
    for statement in (
        sqlparse.split(text) if "SET CONSTRAINTS" in text else [text]
    ):  # Django's own, with a foreign key
        if altered := _ALTER_TABLE.match(statement):
            yield from (f"{altered[0]}{part}" for part in _subcommands(statement[altered.end() :]))
        else:
            yield statement


def _subcommands(text: str) -> Iterator[str]:
    """Yield the parts between the commas that are in no parentheses."""
    depth, part = 0, ""
    for _kind, value in lexer.tokenize(text.rstrip("; \n")):  # type: ignore[no-untyped-call]
        depth += {"(": 1, ")": -1}.get(value, 0)
        if value == "," and not depth:
            yield part.strip()
            part = ""
        else:
            part += value
    yield part.strip()


class SchemaEditor(DatabaseSchemaEditor):
    def __enter__(self) -> "SchemaEditor":
        super().__enter__()
        if settings.CITUS and self.atomic_migration and not self.collect_sql:
            # Citus calls them so, since a trigger sees the rows of one worker. It has all rows of a club.
            self.execute("SET LOCAL citus.enable_unsafe_triggers = on", None)
        return self

    def execute(self, sql: Any, params: Any = ()) -> None:
        text = str(sql) if params is None else self.connection.ops.compose_sql(str(sql), params)
        for statement in one_by_one(text):
            super().execute(statement, None)

    def add_field(self, model: Any, field: Any) -> None:
        """Add a column, and then its CHECK, which has the name that PostgreSQL gives it."""
        check = field.db_parameters(connection=self.connection)["check"]
        if check is None:
            super().add_field(model, field)
            return
        self.sql_check_constraint = ""
        try:
            super().add_field(model, field)
        finally:
            del self.sql_check_constraint
        name = f"{model._meta.db_table}_{field.column}_check"
        self.execute(self._create_check_sql(model, name, check), None)  # type: ignore[attr-defined]
