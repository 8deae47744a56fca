"""The baselines over HTTP: a bare ASGI application, under the same server as the program.

    python -m common.bare PORT FILE PARAMETERS

GET               the answer of FILE, from memory: its head and body as they came from the program
POST /TABLE       one result in one transaction: lock a row, insert an entry, upsert the results of five seats, NOTIFY
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool

from common import ROOT
from common.client import Answer
from common.program import Process, wait_for_port
from common.tournament import TABLE

TABLES = 8
SCHEMA = """
CREATE SCHEMA bare;
CREATE TABLE bare.sheet (id int PRIMARY KEY, pen_epoch int NOT NULL, pen_device text NOT NULL);
CREATE TABLE bare.entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sheet int NOT NULL REFERENCES bare.sheet, sequence int NOT NULL,
    entry_id uuid NOT NULL UNIQUE, kind text NOT NULL, data jsonb NOT NULL, by text NOT NULL, pen_epoch int NOT NULL,
    made_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL, UNIQUE (sheet, sequence));
CREATE TABLE bare.result (
    sheet int NOT NULL REFERENCES bare.sheet, seat int, accepted boolean NOT NULL, rank int, points int,
    strokes int NOT NULL, counts jsonb NOT NULL, PRIMARY KEY (sheet, seat));
CREATE TABLE bare.seat (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, round int, place int, player int,
    UNIQUE (round, place), UNIQUE (round, player));
"""
LOCK = """
SELECT pen_epoch, (SELECT coalesce(max(sequence), 0) FROM bare.entry WHERE entry.sheet = sheet.id)
FROM bare.sheet WHERE id = %s FOR UPDATE
"""
INSERT = """
INSERT INTO bare.entry (sheet, sequence, entry_id, kind, data, by, pen_epoch, made_at, recorded_at)
VALUES (%s, %s, %s, %s, %s, 'scribe', %s, %s, now())
"""
PROJECT = """
INSERT INTO bare.result SELECT %s, seat, false, NULL, NULL, strokes, '{}' FROM unnest(%s::int[], %s::int[]) AS new (seat, strokes)
ON CONFLICT (sheet, seat) DO UPDATE SET accepted = excluded.accepted, rank = excluded.rank, points = excluded.points,
    strokes = excluded.strokes, counts = excluded.counts
"""
STATEMENTS = 6  # of a result: BEGIN, LOCK, INSERT, PROJECT, pg_notify, COMMIT
SEATS = "INSERT INTO bare.seat (round, place, player) SELECT %s, place, place FROM generate_series(1, %s) AS place"


def set_up(parameters: dict[str, Any]) -> None:
    """Create the tables of the baseline in the program's database."""
    with psycopg.connect(**parameters) as connection:
        connection.execute(SCHEMA.encode())
        connection.execute(
            "INSERT INTO bare.sheet SELECT number, 1, '' FROM generate_series(1, %s) AS number", [TABLES]
        )


class Bare:
    """The ASGI application."""

    def __init__(self, kept: Path, parameters: dict[str, Any]) -> None:
        head, _, self._body = kept.read_bytes().partition(b"\r\n\r\n")
        # The server writes these itself, as it does for the program.
        own = (b"date", b"server", b"connection")
        self._headers = [header for header in Answer(head, b"").headers if header[0] not in own]
        self._pool = AsyncConnectionPool(kwargs=parameters, min_size=TABLES, max_size=12, open=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["method"] == "GET":
            await send({"type": "http.response.start", "status": 200, "headers": self._headers})
            await send({"type": "http.response.body", "body": self._body})
        else:
            answer = await self._record(int(scope["path"][1:]), json.loads((await receive())["body"]))
            headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer})

    async def _lifespan(self, receive: Any, send: Any) -> None:
        await receive()
        await self._pool.open(wait=True)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._pool.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _record(self, table: int, sent: dict[str, Any]) -> bytes:
        [entry] = sent["entries"]
        async with self._pool.connection() as connection:
            found = await (await connection.execute(LOCK, [table])).fetchone()
            assert found is not None
            epoch, before = found
            values = (entry["id"], entry["kind"], Jsonb(entry["data"]), epoch, entry["made_at"])
            await connection.execute(INSERT, [table, before + 1, *values])
            seats = list(range(1, TABLE + 1))
            await connection.execute(PROJECT, [table, seats, [before + 1] * TABLE])
            await connection.execute("SELECT pg_notify('bare result', %s)", [str(table)])
        return json.dumps({"results": [{"id": entry["id"], "outcome": "recorded"}]}).encode()


def serve(port: int, application: Bare) -> None:
    """Serve as `schnauz_turnier/serve.py` does."""
    import uvicorn  # noqa: PLC0415 (used by this process only)

    from schnauz_turnier.serve import BACKLOG  # noqa: PLC0415
    from schnauz_turnier.start.collector import spare_what_is_loaded  # noqa: PLC0415
    from schnauz_turnier.systems import system  # noqa: PLC0415
    from schnauz_turnier.web.protocol import LimitedProtocol  # noqa: PLC0415

    system.raise_limit_of_files()
    spare_what_is_loaded()
    uvicorn.run(
        application,
        port=port,
        http=LimitedProtocol,
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
    )


@contextmanager
def serving(port: int, kept: Answer, parameters: dict[str, Any]) -> Iterator[tuple[Process, float]]:
    """Run the bare application with an answer of the program. Yield its process, and the seconds of its start."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(kept.head + b"\r\n\r\n" + kept.body)
        file.flush()
        words = [sys.executable, "-m", "common.bare", str(port), file.name, json.dumps(parameters)]
        environment = os.environ | {
            "PYTHONPATH": f"{ROOT}:{ROOT / 'bench'}",
            "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
            "PUBLIC_URL": "http://localhost",
            "SECRET_KEY": "bare" * 20,
        }
        started = time.perf_counter()
        process = subprocess.Popen(words, env=environment)
        try:
            wait_for_port(port, process)
            yield Process(process.pid), time.perf_counter() - started
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    serve(int(sys.argv[1]), Bare(Path(sys.argv[2]), json.loads(sys.argv[3])))
