"""The work of PostgreSQL for a request, counted in rows: unlike a time it is the same on every machine."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


@dataclass(frozen=True, slots=True)
class Work:
    """queries: the number of statements. rows: the rows that the SELECTs among them go through, in all steps."""

    queries: int
    rows: int


def work_of(ask: Callable[[], Any]) -> Work:
    """Return the work of asking."""
    statements = _statements_of(ask)
    plans = [plan for plan in map(_plan, statements) if plan]
    return Work(len(statements), sum(_rows(node) for plan in plans for node in plan))


def plans_of(ask: Callable[[], Any]) -> list[list[dict[str, Any]]]:
    """Return the nodes of the plan of each SELECT."""
    return [plan for plan in map(_plan, _statements_of(ask)) if plan]


def _statements_of(ask: Callable[[], Any]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        ask()
    return [str(query["sql"]) for query in captured]


def _plan(statement: str) -> list[dict[str, Any]]:
    if not statement.startswith("SELECT"):
        return []
    with connection.cursor() as cursor:
        # In the small tables of a test PostgreSQL would now and then read or sort all rows where it uses an index in large
        # ones, and a bitmap counts each row twice.
        shortcuts = ("seqscan", "sort", "bitmapscan")
        cursor.execute("; ".join(f"SET LOCAL enable_{shortcut} = off" for shortcut in shortcuts))
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement.replace('%', '%%')}", [])
        plan = cursor.fetchone()[0]
    return list(_nodes((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]))


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


def _rows(node: dict[str, Any]) -> int:
    removed = sum(node.get(f"Rows Removed by {by}", 0) for by in ("Filter", "Join Filter"))
    return int((node["Actual Rows"] + removed) * node["Actual Loops"])
