"""The server of the control (see split_store.py).

    python -m tests.faults.split_server DATA_DIR PORT ORDER

It is started again after each kill, so it imports nothing of the harness, which takes longer than all else.
"""

import json
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from schnauz_turnier.postgresql import database

ORDERS = ("claim_first", "effect_first", "together")
Connection = psycopg.Connection[tuple[Any, ...]]
Entries = list[dict[str, Any]]


def connected(folder: Path) -> Connection:
    """Connect in autocommit mode to the server of a DATA_DIR."""
    here = database.Address(**json.loads((folder / "database.json").read_text()))
    return psycopg.connect(dbname=database.NAME, autocommit=True, **here.parameters)  # type: ignore[arg-type]


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
    folder: Path
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
            with closing(connected(self.folder)) as connection:
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
    Handler.folder, Handler.order = Path(sys.argv[1]), sys.argv[3]
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
