"""Benchmark of an installation of many clubs: 1,000 with 10 tournaments each, beside one of the same clubs alone.

    .venv/bin/python bench/hosting.py [--clubs 1000] [--tournaments 10] [--players 50] [--in-play 30] [--rounds 60] [--jobs 2]

Both are databases of one PostgreSQL, each with a web server of one process, and are asked in turn: so the baseline has the
same machine, the same minute and the same data, but no other clubs. Of the many, some are in play and take turns; no two
requests in a row are of one club.

*start*      the page with all clubs (no baseline: there it has one), and the start page of a club
*players*    the players' page of a tournament in play just after a change, so that the page is not kept
*first*      the same of a club that was never asked before; no ratio, since the baseline is asked again and again
*entry*      a stroke of a phone, until the answer
*memory*     of the web process, when it has answered for all clubs
*migrate*    `migrate_clubs` for all clubs, after their last migration was taken back; for one in the baseline
*notify*     commits a second with a NOTIFY and without, of 32 connections: they stand in line for the former

The exit status is 1 if a ratio is above 1.5.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from common.client import Connection, request
from common.people import Phone
from common.program import ROOT, Process, Program, another, machine, running
from common.tournament import TABLE, evening
from psycopg import sql

MOST = 1.5
STROKES = 23  # with the two other entries of a table 25, so a tournament of 50 players has 500
ACCOUNT, PASSWORD = "hosting", "hosting"
LAST_MIGRATION = ("scoring", "0004_open_sheet", "open_sheet")
NOT_COPIED = ("django_migrations", "django_content_type", "auth_permission")
CONNECTIONS, COMMITS = 32, 100


@dataclass(frozen=True, slots=True)
class House:
    """A database of clubs, and the environment of a process that serves them."""

    name: str
    environment: dict[str, str]
    admin: dict[str, Any]

    def says(self, *words: str, text: str = "") -> str:
        environment = os.environ | self.environment
        command = [sys.executable, "manage.py", *words]
        ran = subprocess.run(
            command, cwd=ROOT, env=environment, input=text, check=True, capture_output=True, text=True
        )
        return ran.stdout

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection of the superuser, in autocommit mode."""
        with psycopg.connect(**{**self.admin, "dbname": self.name}, autocommit=True) as connection:
            yield connection

    def schemas(self) -> dict[str, str]:
        with self.connection() as to:
            return dict(to.execute("SELECT slug, schema_name FROM catalogue.club ORDER BY slug").fetchall())


def house(program: Program, name: str, folder: Path) -> House:
    """Make a database for clubs."""
    admin = program.parameters
    with psycopg.connect(**admin, autocommit=True) as to:
        if to.execute("SELECT FROM pg_roles WHERE rolname = %s", [ACCOUNT]).fetchone() is None:
            to.execute(f"CREATE ROLE {ACCOUNT} LOGIN CREATEROLE NOINHERIT PASSWORD '{PASSWORD}'".encode())
        to.execute(
            sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(ACCOUNT))
        )
    environment = {
        "DJANGO_SETTINGS_MODULE": "schnauz_turnier.settings",
        "CLUBS": "paths",
        "DATABASE_URL": f"postgres://{ACCOUNT}:{PASSWORD}@{admin['host']}:{admin['port']}/{name}",
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "SECRET_KEY": (program.web.log.parent / "secret_key").read_text(),
        "DATA_DIR": str(folder),
    }
    return House(name, environment, admin)


# --- filling -------------------------------------------------------------------------------------------------------


def fill(found: House, clubs: int, options: argparse.Namespace) -> None:
    """Make the first club with its tournaments, and the others as copies of its rows, with other names."""
    make = "import sys, django; django.setup(); from django.core.management import call_command\nfor slug in sys.argv[1:]: call_command('create_club', slug)"
    slugs = [slug_of(number) for number in range(clubs)]
    subprocess.run(
        [sys.executable, "-c", make, *slugs],
        cwd=ROOT,
        env=os.environ | found.environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    for number in range(options.tournaments):
        document = evening(options.players, slug=f"abend-{number}", strokes=STROKES, in_play=0)
        found.says("club", slugs[0], "import_tournament", "-", text=json.dumps(document))
    schemas = found.schemas()
    with found.connection() as to:
        to.execute("SET session_replication_role = replica")  # the triggers have seen these rows already
        tables = [
            name
            for (name,) in to.execute(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = %s::regnamespace",
                [schemas[slugs[0]]],
            )
            if name not in NOT_COPIED
        ]
        filled = [
            name
            for name in tables
            if to.execute(
                sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(schemas[slugs[0]], name))
            ).fetchone()
        ]
        for slug in slugs[1:]:
            with to.transaction():
                _copy(to, schemas[slugs[0]], schemas[slug], filled)
                to.execute(
                    sql.SQL("UPDATE {} SET name = name || {}").format(
                        sql.Identifier(schemas[slug], "tournaments_tournament"), f", {slug}"
                    )
                )
        to.execute("VACUUM ANALYZE")


def _copy(to: psycopg.Connection[Any], origin: str, target: str, tables: Sequence[str]) -> None:
    for table in tables:
        names = sql.Identifier(target, table), sql.Identifier(origin, table)
        to.execute(sql.SQL("INSERT INTO {} OVERRIDING SYSTEM VALUE SELECT * FROM {}").format(*names))
        last = (
            to.execute(sql.SQL("SELECT max(id) FROM {}").format(names[1])).fetchone()
            if _has_ids(to, origin, table)
            else None
        )
        if last:
            to.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [f'"{target}"."{table}"', last[0]]
            )


def _has_ids(to: psycopg.Connection[Any], schema: str, table: str) -> bool:
    asked = "SELECT pg_get_serial_sequence(%s, 'id')"
    columns = "SELECT FROM information_schema.columns WHERE table_schema = %s AND table_name = %s AND column_name = 'id'"
    if to.execute(columns, [schema, table]).fetchone() is None:
        return False
    found = to.execute(asked, [f'"{schema}"."{table}"']).fetchone()
    return bool(found and found[0])


def slug_of(number: int) -> str:
    return f"verein-{number:04}"


# --- asking --------------------------------------------------------------------------------------------------------


class Asker:
    """Asks one server, in another club each time."""

    def __init__(self, found: House, port: int, clubs: int, options: argparse.Namespace) -> None:
        self._connection = Connection(port)
        self._port = port
        mixed = random.Random(1).sample(range(clubs), clubs)
        self._clubs, self._others = mixed[: options.in_play], mixed[options.in_play :]
        self._tournaments = options.tournaments
        self._asked = 0
        self._phones: list[Phone] = []
        self._found = found
        self._change = psycopg.connect(**{**found.admin, "dbname": found.name}, autocommit=True)

    @property
    def in_play(self) -> int:
        return len(self._clubs)

    def next_club(self) -> str:
        self._asked += 1
        return slug_of(self._clubs[self._asked % len(self._clubs)])

    def installation(self) -> float:
        return self._connection.milliseconds(request("GET", "/"))

    def start(self) -> float:
        return self.start_of(self.next_club())

    def start_of(self, club: str) -> float:
        return self._connection.milliseconds(request("GET", f"/c/{club}/"))

    def players(self) -> float:
        return self._players(self.next_club())

    def first(self) -> float:
        return self._players(slug_of(self._others.pop()))

    def _players(self, club: str) -> float:
        slug = f"abend-{self._asked % self._tournaments}"
        change = json.dumps({"slug": f"{club}/{slug}", "topic": "tournament"})
        self._change.execute("SELECT pg_notify('schnauz_turnier', %s)", [change])
        time.sleep(0.01)  # until it is heard
        return self._connection.milliseconds(request("GET", f"/c/{club}/t/{slug}/"))

    def sit_down(self, number: int) -> None:
        """Let phones enter, each in another club as far as there are any."""
        for index in range(number):
            club = slug_of(self._clubs[index % len(self._clubs)])
            lines = self._found.says(
                "club", club, "sheet_links", f"abend-{index // len(self._clubs) % self._tournaments}"
            ).splitlines()
            link = json.loads(lines[index % len(lines)])
            self._phones.append(Phone(self._port, link["url"].partition("#")[2], f"/c/{club}"))

    def entry(self) -> float:
        phone = self._phones[self._asked % len(self._phones)]
        self._asked += 1
        sending = phone.sending()
        return phone.connection.milliseconds(sending)


def compared(name: str, ask: Callable[[Asker], float], many: Asker, alone: Asker, rounds: int) -> bool:
    """Ask both in turn, and print the medians. Return whether their ratio is good."""
    for asker in (many, alone):
        for _ in range(asker.in_play):
            ask(asker)
    took = [(ask(many), ask(alone)) for _ in range(rounds)]
    among, baseline = (statistics.median(column) for column in zip(*took, strict=True))
    return told(name, among, baseline, "ms")


def told(name: str, many: float, alone: float, unit: str) -> bool:
    ratio = many / alone
    print(
        f"{name:<12} {many:8.2f} {unit}   alone {alone:8.2f} {unit}   x{ratio:.2f}{'' if ratio <= MOST else '  ABOVE'}",
        flush=True,
    )
    return ratio <= MOST


# --- migrations ----------------------------------------------------------------------------------------------------


def take_back(found: House) -> None:
    """Take back the last migration of every club."""
    app, name, function = LAST_MIGRATION
    with found.connection() as to:
        for schema in found.schemas().values():
            to.execute(sql.SQL("DROP FUNCTION {}").format(sql.Identifier(schema, function)))
            to.execute(
                sql.SQL("DELETE FROM {} WHERE app = {} AND name = {}").format(
                    sql.Identifier(schema, "django_migrations"), app, name
                )
            )


def seconds_to_migrate(found: House, jobs: int) -> float:
    take_back(found)
    began = time.perf_counter()
    found.says("migrate_clubs", "--jobs", str(jobs))
    return time.perf_counter() - began


# --- commits -------------------------------------------------------------------------------------------------------


def commits_a_second(found: House, *, notify: bool) -> float:
    """Return how many transactions of one row CONNECTIONS connections commit in a second."""
    with found.connection() as to:
        to.execute("CREATE TABLE IF NOT EXISTS public.commits (number int)")
    parameters = {**found.admin, "dbname": found.name}
    ready = threading.Barrier(CONNECTIONS + 1)

    def commit() -> None:
        with psycopg.connect(**parameters) as connection:
            ready.wait()
            for number in range(COMMITS):
                connection.execute("INSERT INTO public.commits VALUES (%s)", [number])
                if notify:
                    connection.execute("SELECT pg_notify('commits', %s)", [str(number)])
                connection.commit()

    threads = [threading.Thread(target=commit) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return CONNECTIONS * COMMITS / (time.perf_counter() - began)


# --- the run -------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--clubs", type=int, default=1000)
    parser.add_argument("--tournaments", type=int, default=10)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--in-play", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    entries = options.clubs * options.tournaments * 2 * (options.players // TABLE) * (STROKES + 2)
    print(
        f"{machine()}, Python {sys.version.split()[0]}; {options.clubs} clubs, {options.clubs * options.tournaments:,} tournaments, "
        f"{options.clubs * options.tournaments * options.players:,} players, {entries:,} entries",
        flush=True,
    )
    with running() as program, tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / each for each in ("many", "alone")]
        many, alone = (house(program, folder.name, folder) for folder in folders)
        began = time.perf_counter()
        fill(many, options.clubs, options)
        print(f"filled in {time.perf_counter() - began:.0f} s", flush=True)
        fill(alone, 1, options)
        is_good = ask(program, many, alone, options)
        _tell_migrations(many, alone, options)
    sys.exit(0 if is_good else 1)


def ask(program: Program, many: House, alone: House, options: argparse.Namespace) -> bool:
    folder = program.web.log.parent
    with another(folder, **many.environment) as web, another(folder, **alone.environment) as web_alone:
        askers = Asker(many, web.port, options.clubs, options), Asker(alone, web_alone.port, 1, options)
        took = statistics.median(askers[0].installation() for _ in range(10))
        print(f"{'all clubs':<12} {took:8.2f} ms", flush=True)
        results = [
            compared("start", Asker.start, *askers, options.rounds),
            compared("players", Asker.players, *askers, options.rounds),
        ]
        if others := min(options.rounds, max(options.clubs - options.in_play, 0)):
            took = statistics.median(askers[0].first() for _ in range(others))
            print(f"{'first':<12} {took:8.2f} ms", flush=True)
        for asker in askers:
            asker.sit_down(10)
        results.append(compared("entry", Asker.entry, *askers, options.rounds))
        for number in range(options.clubs):
            askers[0].start_of(slug_of(number))
        assert web.process
        assert web_alone.process
        memory = Process(web.process.pid).own_megabytes, Process(web_alone.process.pid).own_megabytes
        results.append(told("memory", memory[0], memory[1], "MB"))
        rates = [commits_a_second(many, notify=notify) for notify in (False, True)]
        print(f"{'notify':<12} {rates[1]:8.0f} commits a second, without {rates[0]:.0f}", flush=True)
    return all(results)


def _tell_migrations(many: House, alone: House, options: argparse.Namespace) -> None:
    """Print how long all clubs take. One alone takes the start of the program as well, so there is no ratio."""
    took, one = seconds_to_migrate(many, options.jobs), seconds_to_migrate(alone, 1)
    print(
        f"{'migrate':<12} {took:8.1f} s, {took / options.clubs * 1000:.0f} ms a club; one alone {one:.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
