"""Benchmark of an evening of two clubs on a Citus cluster, beside the same two on a plain PostgreSQL.

    .venv/bin/python bench/citus.py --database postgres://ACCOUNT:PASSWORD@COORDINATOR/DATABASE [--plain postgres://...]
        [--stop "COMMAND {port}" --start "COMMAND {port}"] [--rounds 100] [--players 50]

The database has the extension citus, two workers or more, and no clubs yet; the account may connect to all nodes. Without
--plain the baseline is the embedded PostgreSQL. Each has a web server of one process, and both are asked in turn.

*create*   seconds of `create_club`, with the start of the program
*entry*    a stroke of a phone, until the answer
*players*  the players' page of a tournament in play just after a change, so that the page is not kept
*move*     seconds of `citus_schema_move` while six phones of the club write, and the longest that one of them waited
*worker*   with --stop and --start: the worker of one club is stopped ({port} is its port), while phones of both write

A phone sends an entry again until it is answered with 200, as phones do. The exit status is 1 if an entry is missing or is
there twice in the end, or if the other club has noticed the stop.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from common.people import Phone
from common.program import Program, another, machine, running
from common.tournament import evening
from hosting import Asker, House, house, slug_of
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

CLUBS = 2
PHONES = 6
WHILE_STOPPED = 5.0  # seconds
PAUSE = 0.1  # seconds between two entries of a phone, and until it sends one again


def house_at(url: str, folder: Path, *, citus: bool) -> House:
    """Return the clubs of an empty database."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
        "CLUBS": "paths",
        "CITUS": str(int(citus)),
        "DATABASE_URL": url,
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "SECRET_KEY": "only-for-this-run-" * 4,
        "DATA_DIR": str(folder),
    }
    parameters = conninfo_to_dict(url)
    return House(str(parameters["dbname"]), environment, parameters)


@contextmanager
def two_clubs(found: House, options: argparse.Namespace) -> Iterator[float]:
    """Make them with an evening each, yield the seconds of a club, and delete them."""
    slugs = [slug_of(number) for number in range(CLUBS)]
    began = time.perf_counter()
    for slug in slugs:
        found.says("create_club", slug)
    took = (time.perf_counter() - began) / CLUBS
    document = json.dumps(evening(options.players, slug="abend-0", in_play=0))
    for slug in slugs:
        found.says("club", slug, "import_tournament", "-", text=document)
    try:
        yield took
    finally:
        for slug in slugs:
            found.says("archive_club", slug)
            found.says("delete_club", slug, "--yes", slug)


# --- phones that write ---------------------------------------------------------------------------------------------


@dataclass
class Writing:
    """Phones of a club that write until the block ends. longest: seconds until an entry was answered with 200."""

    phones: list[Phone]
    sent: int = 0
    refused: int = 0
    longest: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ends: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Writing":
        self._threads = [threading.Thread(target=self._write, args=[phone]) for phone in self.phones]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join()

    def _write(self, phone: Phone) -> None:
        while not self._ends.wait(PAUSE):
            sending, began = phone.sending(), time.perf_counter()
            while phone.connection.ask(sending).status != 200:
                with self._lock:
                    self.refused += 1
                time.sleep(PAUSE)
            with self._lock:
                self.sent += 1
                self.longest = max(self.longest, time.perf_counter() - began)


def entries(found: House, slug: str) -> tuple[int, int]:
    """Return the number of strokes of the round in play, and of their ids."""
    [schema] = [schema for club, schema in found.schemas().items() if club == slug]
    with found.connection() as to:
        counted = to.execute(
            sql.SQL("SELECT count(*), count(DISTINCT entry_id) FROM {} WHERE kind = 'stroke'").format(
                sql.Identifier(schema, "scoring_sheetentry")
            )
        ).fetchone()
    assert counted is not None
    return int(counted[0]), int(counted[1])


def all_kept(found: House, slug: str, before: tuple[int, int], sent: int) -> bool:
    after = entries(found, slug)
    is_whole = after[0] - before[0] == after[1] - before[1] == sent
    if not is_whole:
        print(f"{slug}: {sent} entries were answered, {after[0] - before[0]} are there", flush=True)
    return is_whole


# --- the cluster ---------------------------------------------------------------------------------------------------


def worker_of(found: House, slug: str) -> tuple[str, int]:
    """Return the worker that a club is on."""
    with found.connection() as to:
        row = to.execute(
            "SELECT nodename, nodeport FROM citus_shards WHERE table_name = %s::regclass",
            [f"{found.schemas()[slug]}.tournaments_tournament"],
        ).fetchone()
    assert row is not None
    return str(row[0]), int(row[1])


def move(found: House, slug: str) -> float:
    """Move a club to another worker, and return the seconds."""
    name, port = worker_of(found, slug)
    with found.connection() as to:
        other = to.execute(
            "SELECT nodename, nodeport FROM pg_dist_node WHERE isactive AND shouldhaveshards AND (nodename, nodeport) <> (%s, %s)",
            [name, port],
        ).fetchone()
        assert other is not None, "one worker is none to move to"
        began = time.perf_counter()
        to.execute("SELECT citus_schema_move(%s::regnamespace, %s, %s)", [found.schemas()[slug], *other])
    return time.perf_counter() - began


def phones_of(found: House, port: int, slug: str, number: int = PHONES) -> list[Phone]:
    lines = found.says("club", slug, "sheet_links", "abend-0").splitlines()[:number]
    return [Phone(port, json.loads(line)["url"].partition("#")[2], f"/c/{slug}") for line in lines]


def tell_a_move(found: House, port: int) -> bool:
    slug = slug_of(0)
    phones, before = phones_of(found, port, slug), entries(found, slug)
    with Writing(phones) as writing:
        took = move(found, slug)
    print(
        f"{'move':<9} {took:6.1f} s, {writing.sent} entries of {len(phones)} phones meanwhile, the longest {writing.longest:.1f} s; "
        f"{writing.refused} sent again",
        flush=True,
    )
    return all_kept(found, slug, before, writing.sent)


def tell_a_stop(found: House, port: int, options: argparse.Namespace) -> bool:
    """Stop the worker of the first club, and start it again."""
    stopped, other = slug_of(0), slug_of(1)
    if worker_of(found, stopped) == worker_of(found, other):
        move(found, stopped)
    worker = worker_of(found, stopped)[1]
    befores = entries(found, stopped), entries(found, other)
    with (
        Writing(phones_of(found, port, stopped)) as theirs,
        Writing(phones_of(found, port, other)) as others,
    ):
        subprocess.run(options.stop.format(port=worker), shell=True, check=True, stdout=subprocess.DEVNULL)
        time.sleep(WHILE_STOPPED)
        subprocess.run(options.start.format(port=worker), shell=True, check=True, stdout=subprocess.DEVNULL)
        began, sent = time.perf_counter(), theirs.sent
        while theirs.sent < sent + len(theirs.phones):
            time.sleep(0.01)
        again = time.perf_counter() - began
    print(
        f"{'worker':<9} stopped for {WHILE_STOPPED:.0f} s: its club had {theirs.refused} entries refused, and wrote again {again:.1f} s "
        f"after the start; the other club sent {others.sent}, {others.refused} refused, the longest {others.longest:.2f} s",
        flush=True,
    )
    is_whole = [
        all_kept(found, slug, before, writing.sent)
        for slug, before, writing in zip((stopped, other), befores, (theirs, others), strict=True)
    ]
    return all(is_whole) and not others.refused


# --- the run -------------------------------------------------------------------------------------------------------


def compared(name: str, ask: Callable[[Asker], float], citus: Asker, plain: Asker, rounds: int) -> None:
    """Ask both in turn, and print the medians."""
    for asker in (citus, plain):
        for _ in range(10):
            ask(asker)
    took = [(ask(citus), ask(plain)) for _ in range(rounds)]
    citus_ms, plain_ms = (statistics.median(column) for column in zip(*took, strict=True))
    told(name, citus_ms, plain_ms, "ms")


def told(name: str, citus: float, plain: float, unit: str) -> None:
    print(f"{name:<9} {citus:6.1f} {unit}   plain {plain:6.1f} {unit}   x{citus / plain:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--database")
    parser.add_argument("--plain")
    parser.add_argument("--stop")
    parser.add_argument("--start")
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    if not options.database:
        print("Name a Citus cluster: --database postgres://ACCOUNT:PASSWORD@COORDINATOR/DATABASE")
        return
    with running() as program, tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / each for each in ("citus", "plain")]
        citus = house_at(options.database, folders[0], citus=True)
        plain = (
            house_at(options.plain, folders[1], citus=False)
            if options.plain
            else house(program, "plain", folders[1])
        )
        with citus.connection() as to:
            [versions] = to.execute("SELECT citus_version(), version()").fetchall()
        print(f"{machine()}; {versions[0].split(' on ')[0]}, {versions[1].split(' on ')[0]}", flush=True)
        is_good = ask(program, citus, plain, options)
    sys.exit(0 if is_good else 1)


def ask(program: Program, citus: House, plain: House, options: argparse.Namespace) -> bool:
    folder = program.web.log.parent
    with two_clubs(citus, options) as took, two_clubs(plain, options) as baseline:
        told("create", took, baseline, "s")
        with (
            another(folder, **citus.environment) as web,
            another(folder, **plain.environment) as web_of_plain,
        ):
            asked = argparse.Namespace(in_play=CLUBS, tournaments=1)
            askers = Asker(citus, web.port, CLUBS, asked), Asker(plain, web_of_plain.port, CLUBS, asked)
            compared("players", Asker.players, *askers, options.rounds)
            for asker in askers:
                asker.sit_down(2 * CLUBS)
            compared("entry", Asker.entry, *askers, options.rounds)
            is_good = tell_a_move(citus, web.port)
            if options.stop and options.start:
                is_good &= tell_a_stop(citus, web.port, options)
    return is_good


if __name__ == "__main__":
    main()
