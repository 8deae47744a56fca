"""Control of the harness: a small store with the program's API for phones, which commits in one of three orders.

claim first    commits the id, then its effect: if killed in between, the entry is lost and answered as a duplicate
effect first   commits the effect, then the id: if killed in between, the entry is written twice
together       one transaction, as in the program

    python -m tests.faults.split_store DATA_DIR PORT ORDER
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.evening import Store
from tests.faults.house import Connection, Database, Web, program

ORDERS = ("claim_first", "effect_first", "together")
Entries = list[dict[str, Any]]


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
    command = program("tests.faults.split_store", str(database.folder))
    web = Web(database.folder, command)
    web.command = [*command, str(web.port), order]
    log = f"SELECT sheet, entry_id, kind, data FROM {order}.effect ORDER BY place"
    try:
        secrets = {table: str(table) for table in range(1, tables + 1)}
        last = "claim" if order == "effect_first" else "effect"
        yield Store(web.start(), database, secrets, f"{order}.{last}", log)
    finally:
        web.end()


# --- the process ---------------------------------------------------------------------------------------------------


def keep(connection: Connection, order: str, sheet: int, entries: Entries) -> set[str]:
    """Write the entries, and return the ids that were known already."""
    if order == "together":
        with connection.transaction():
            new = _claim(connection, entries)
            _write(connection, sheet, [one for one in entries if one["id"] in new])
    elif order == "claim_first":
        with connection.transaction():
            new = _claim(connection, entries)
        with connection.transaction():
            _write(connection, sheet, [one for one in entries if one["id"] in new])
    else:
        claimed = connection.execute("SELECT entry_id FROM claim").fetchall()
        new = {one["id"] for one in entries} - {row[0] for row in claimed}
        with connection.transaction():
            _write(connection, sheet, [one for one in entries if one["id"] in new])
        with connection.transaction():
            _claim(connection, entries)
    return {one["id"] for one in entries} - new


def _claim(connection: Connection, entries: Entries) -> set[str]:
    statement = "INSERT INTO claim VALUES (%s) ON CONFLICT DO NOTHING RETURNING entry_id"
    return {one["id"] for one in entries if connection.execute(statement, [one["id"]]).fetchone()}


def _write(connection: Connection, sheet: int, entries: Entries) -> None:
    statement = "INSERT INTO effect (sheet, entry_id, kind, data) VALUES (%s, %s, %s, %s)"
    for one in entries:
        connection.execute(statement, [sheet, one["id"], one["kind"], json.dumps(one["data"])])


class Handler(BaseHTTPRequestHandler):
    database: Database
    order: str

    def do_GET(self) -> None:
        self._answer(200, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/s/enter":
            return self._answer(200, {}, cookie=f"sheet={body['secret']}; Path=/")
        if self.path == "/s/pen":
            return self._answer(200, {"pen": {"epoch": 1}})
        sheet = int(self.headers["Cookie"].partition("=")[2])
        try:
            with self.database.connect() as connection:
                connection.execute(f"SET search_path = {self.order}; SET synchronous_commit = on")
                known = keep(connection, self.order, sheet, body["entries"])
        except (psycopg.Error, OSError):
            return self._answer(500, {})
        outcomes = [
            {"id": one["id"], "outcome": "duplicate" if one["id"] in known else "recorded"}
            for one in body["entries"]
        ]
        return self._answer(200, {"results": outcomes})

    def _answer(self, status: int, said: dict[str, Any], *, cookie: str = "") -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        pass


if __name__ == "__main__":
    Handler.database, Handler.order = Database(Path(sys.argv[1])), sys.argv[3]
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
