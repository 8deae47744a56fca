"""Benchmark of an installation of many clubs, all made by `create_club`, beside one of the same clubs alone.

    .venv/bin/python bench/hosting.py [--clubs 1000] [--tournaments 1] [--players 50] [--in-play 30] [--rounds 60] [--due 50] [--phones 10]

Both are databases of one PostgreSQL, each with a web server of one process, and are asked in turn: so the baseline has the
same machine, the same minute and the same data, but no other clubs. Of the many, some are in play and take turns; no two
requests in a row are of one club. One tournament a club keeps 1,000 clubs under a quarter of an hour; the tables are made by
`create_club`, the rows of the further clubs are copied from the first.

*create*     a further club, without the start of the program
*start*      the page with all clubs (no baseline: there it has one), and the start page of a club
*players*    the players' page of a tournament in play just after a change, so that the page is not kept
*first*      the same of a club that was never asked before; its baseline is asked again and again, so its ratio is not judged
*entry*      a stroke of a phone, until the answer
*memory*     of the web process, when it has answered for all clubs, and what its backends in PostgreSQL have for themselves; these
             keep something for each club until their lifetime ends, so their ratio is not judged
*migrate*    `migrate_clubs` with nothing due, and what a club takes whose last migration was taken back, one club at a time
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

    def calls(self, *commands: Sequence[str]) -> list[float]:
        """Run commands in one process. Return the seconds of each."""
        code = (
            "import json, os, sys, time, django; django.setup(); from django.core.management import call_command\n"
            "took = []\n"
            "for words in json.load(sys.stdin):\n"
            "    began = time.perf_counter(); call_command(*words, stdout=open(os.devnull, 'w'))\n"
            "    took.append(time.perf_counter() - began)\n"
            "print(json.dumps(took))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | self.environment,
            input=json.dumps(commands),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        took: list[float] = json.loads(ran.stdout.splitlines()[-1])  # below what the commands say
        return took

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection of the superuser, in autocommit mode."""
        with psycopg.connect(**{**self.admin, "dbname": self.name}, autocommit=True) as connection:
            yield connection

    def backends(self) -> list[Process]:
        """Return the processes of PostgreSQL that serve the program."""
        with self.connection() as to:
            asked = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND usename = %s AND backend_type = 'client backend'"
            return [Process(pid) for (pid,) in to.execute(asked, [self.name, ACCOUNT])]

    def relations(self) -> tuple[int, float]:
        """Return the number of relations of the database, and the megabytes of what PostgreSQL itself has to know of them."""
        with self.connection() as to:
            asked = (
                "SELECT count(*), sum(pg_total_relation_size(oid)) FILTER (WHERE relkind = 'r' AND relnamespace = "
                "'pg_catalog'::regnamespace) / 1e6 FROM pg_class"
            )
            [(relations, megabytes)] = to.execute(asked).fetchall()
            return relations, float(megabytes)

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
    slugs = [slug_of(number) for number in range(clubs)]
    found.calls(*(["create_club", slug] for slug in slugs))
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


def told(name: str, many: float, alone: float, unit: str, *, is_judged: bool = True) -> bool:
    ratio = many / alone
    is_good = ratio <= MOST or not is_judged
    print(
        f"{name:<14} {many:8.2f} {unit}   alone {alone:8.2f} {unit}   x{ratio:.2f}{'' if is_good else '  ABOVE'}",
        flush=True,
    )
    return is_good


# --- migrations ----------------------------------------------------------------------------------------------------


def seconds_to_create(found: House, clubs: int = 5) -> float:
    """Make further clubs, and delete them again. Return the median."""
    slugs = [f"weiterer-{number}" for number in range(clubs)]
    took = found.calls(*(["create_club", slug] for slug in slugs))
    found.calls(
        *(words for slug in slugs for words in (["archive_club", slug], ["delete_club", slug, "--yes", slug]))
    )
    return statistics.median(took)


def take_back(found: House, clubs: int) -> None:
    """Take back the last migration of so many clubs."""
    names = sorted(path.stem for path in (ROOT / "scoring" / "migrations").glob("0*.py"))
    found.calls(
        *(
            ["club", slug_of(number), "migrate", "scoring", names[-2], "--without-backup"]
            for number in range(clubs)
        )
    )


def seconds_to_migrate(found: House) -> float:
    return found.calls(["migrate_clubs", "--jobs", "1"])[0]


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
    parser.add_argument("--tournaments", type=int, default=1)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--in-play", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--due", type=int, default=50)
    parser.add_argument("--phones", type=int, default=10)
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
        is_good = all(
            [
                told("create", seconds_to_create(many), seconds_to_create(alone), "s"),
                ask(program, many, alone, options),
                _tell_migrations(many, alone, options),
            ]
        )
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
            baseline = statistics.median(askers[1].players() for _ in range(others))
            told("first", took, baseline, "ms", is_judged=False)
        for asker in askers:
            asker.sit_down(options.phones)
        results.append(compared("entry", Asker.entry, *askers, options.rounds))
        for number in range(options.clubs):
            askers[0].start_of(slug_of(number))
        assert web.process
        assert web_alone.process
        memory = Process(web.process.pid).own_megabytes, Process(web_alone.process.pid).own_megabytes
        results.append(told("memory", memory[0], memory[1], "MB"))
        backends = many.backends(), alone.backends()
        kept = [sum(each.anonymous_megabytes for each in processes) for processes in backends]
        told(f"{len(backends[0])}, {len(backends[1])} backends", kept[0], kept[1], "MB", is_judged=False)
        relations, of_catalogues = many.relations()
        relations_alone, of_catalogues_alone = alone.relations()
        a_club = (relations - relations_alone) / max(options.clubs - 1, 1)
        times = 10_000 / options.clubs
        print(
            f"{a_club:.0f} relations a club. 10,000 clubs, if each adds what it added here: web {memory[1] + (memory[0] - memory[1]) * times:.0f} MB "
            f"(it keeps 20,000 clubs at most), PostgreSQL's own tables {of_catalogues_alone + (of_catalogues - of_catalogues_alone) * times:.0f} MB on "
            "disk; a backend keeps what it meets within its lifetime, which is not all clubs",
            flush=True,
        )
        rates = [commits_a_second(many, notify=notify) for notify in (False, True)]
        print(f"{'notify':<12} {rates[1]:8.0f} commits a second, without {rates[0]:.0f}", flush=True)
    return all(results)


def _tell_migrations(many: House, alone: House, options: argparse.Namespace) -> bool:
    """Print what nothing due takes, and a club that is due. The first one of a process, and so that alone, also builds the models."""
    due = min(options.due, options.clubs)
    nothing = seconds_to_migrate(many), seconds_to_migrate(alone)
    for found, clubs in ((many, due), (alone, 1)):
        take_back(found, clubs)
    took = (seconds_to_migrate(many) - nothing[0]) / due, seconds_to_migrate(alone) - nothing[1]
    if options.clubs >= 100:  # with fewer, the difference is noise
        of_10_000 = nothing[1] + (nothing[0] - nothing[1]) * 10_000 / options.clubs
        print(f"nothing due for 10,000 clubs: {of_10_000:.1f} s, since it reads one row a club", flush=True)
    told("nothing due", *nothing, "s", is_judged=False)
    return told("one due", *took, "s")


if __name__ == "__main__":
    main()
