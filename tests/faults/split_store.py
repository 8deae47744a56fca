"""Control of the harness: a small store with the program's API for phones, which commits in one of three orders.

claim first    commits the id, then its effect: if killed in between, the entry is lost and answered as a duplicate
effect first   commits the effect, then the id: if killed in between, the entry is written twice
together       one transaction, as in the program

Its server is split_server.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.faults.evening import Store
from tests.faults.house import Database, Web, program
from tests.faults.split_server import ORDERS

__all__ = ["ORDERS", "the_control"]


@contextmanager
def the_control(database: Database, order: str, tables: int) -> Iterator[Store]:
    """Serve the control in a separate process, from the same PostgreSQL."""
    with database.connect() as connection:
        connection.execute(f"CREATE SCHEMA {order}")
        for definition in (
            "claim (entry_id text PRIMARY KEY)",
            "effect (place serial PRIMARY KEY, sheet integer, entry_id text, kind text, data jsonb)",
        ):
            connection.execute(f"CREATE TABLE {order}.{definition}")
    command = program("tests.faults.split_server", str(database.folder))
    web = Web(database.folder, command)
    web.command = [*command, str(web.port), order]
    log = f"SELECT sheet, entry_id, kind, data FROM {order}.effect ORDER BY place"
    try:
        secrets = {table: str(table) for table in range(1, tables + 1)}
        last = "claim" if order == "effect_first" else "effect"
        yield Store(web.start(), database, secrets, f"{order}.{last}", log)
    finally:
        web.end()
