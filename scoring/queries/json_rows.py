"""Subqueries that return several rows, so that one statement reads a consistent state."""

from typing import Any

from django.db.models import Func, JSONField, QuerySet, Subquery


class JSONRows(Subquery):
    """All rows of a query as one JSON array, each an array of the columns, in the order of the query.

    As text, since Postgres builds json an order of magnitude faster than the jsonb of an aggregate in Django.
    """

    template = "(SELECT COALESCE(json_agg(listed.row), '[]') FROM (%(subquery)s) AS listed)::text"

    def __init__(self, rows: QuerySet[Any, Any], *columns: Any) -> None:
        row = Func(*columns, function="json_build_array", output_field=JSONField())
        super().__init__(rows.values(row=row), output_field=JSONField())
