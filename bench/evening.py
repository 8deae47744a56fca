"""Benchmark of an evening by number of players, over HTTP against the real server, with a baseline of each row.

    .venv/bin/python bench/evening.py [--players 60 300 3000] [--seconds 1] [--times 20] [--markdown]

*page, unchanged*   the players' page as a browser asks for it (gzip, keep-alive, no cookies), over 32 connections and over one.
                    Baseline: a bare ASGI application under the same server, which answers the same bytes from memory
*after a change*    the same page, after a stroke at a table each time. Baseline: a program without a web server that executes
                    the statements of the page and writes its bytes by f-strings
*one result*        a stroke, sent by the phone that holds the pen; *results a second*: by eight phones at eight tables at once.
                    Baseline: the same bare application with a bare transaction: lock, insert, projection, NOTIFY
*statements*        those that PostgreSQL executes for a result; in brackets for all that a phone asks until its first result is
                    stored: coming in, taking the pen, the result. With BEGIN and COMMIT
*news*              of a stroke to 32 viewers, who fetch the players' page after its event, from the commit. Baseline: a bare
                    broadcaster (bench/live.py) that listens, too, and writes as many bytes; from the sending of its NOTIFY.
                    Bytes: against the table's card alone
*paper line*        a sheet that the organiser types in, and that changes the standings. Baseline: the bare transaction
*page, kB*          over the wire. Baseline: the page's bytes, compressed as far as zlib can
*draw*              of the next round, as the organiser asks for it. Baseline: one INSERT of as many seats
*memory, start*     of the web process, with a database that is there. Baseline: those of the bare application

x: how many times the baseline of the same run, which stands in brackets. Program and baseline are measured in turns; figures
are medians of all turns. Each size has a database and a server of its own, and all sheets of its tournament are full, those in
play too; only a paper line is typed in at a table that has nothing written yet.
"""

import argparse
import gzip
import json
import statistics
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg
from common import bare
from common.bare_page import bare_page
from common.client import Answer, Connection, answers_a_second, json_body, request
from common.people import GZIP, JSON, Organiser, Phone, stroke
from common.program import Process, Program, machine, running
from common.statements import VERBOSE, statements_of
from common.tournament import evening
from common.viewers import News, stream_of, viewers_of
from live import CHANNEL, Notes, started

from tests.ports import free_port

TURNS = 3
CONNECTIONS, PHONES, VIEWERS = 32, 8, 32
EACH = 15  # strokes on a sheet in a turn, as many as a sheet usually has
ACCEPT = {**GZIP, "Accept": "text/html", "Accept-Language": "de"}
NOTIFIED = "schnauz_turnier"  # the channel by which the program hears of changes
TARGETS = {
    "page, unchanged: a second, 32 connections": 2.0,
    "page, unchanged: one connection, ms": 2.0,
    "page after a change, ms (99th)": 1.5,
    "one result, ms (99th)": 3.0,
    "results a second, eight at once": 3.0,
    "news of a result: first byte to the first of 32, ms": 2.0,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure in words, and how many times the baseline it is."""

    figure: str
    ratio: float
    baseline: str

    def __str__(self) -> str:
        return f"{self.figure} x{self.ratio:.{1 if self.ratio < 100 else 0}f} ({self.baseline})"


@dataclass(slots=True)
class Measured:
    """The cells of one size, by the names of their rows."""

    players: int
    cells: dict[str, Cell] = field(default_factory=dict)

    def time(self, name: str, ours: Sequence[float], base: Sequence[float]) -> None:
        middle, by = statistics.median(ours), statistics.median(base)
        late = f" ({_figure(_late(ours))})" if "99th" in name else ""
        self.add(name, Cell(_figure(middle) + late, middle / by, _figure(by)))

    def rate(self, name: str, ours: Sequence[float], base: Sequence[float]) -> None:
        middle, by = statistics.median(ours), statistics.median(base)
        self.add(name, Cell(_figure(middle), by / middle, _figure(by)))

    def add(self, name: str, cell: Cell) -> None:
        self.cells[name] = cell
        print(f"{self.players:5} {name:48} {cell}", file=sys.stderr, flush=True)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _late(took: Sequence[float]) -> float:
    return statistics.quantiles(took, n=100)[98] if len(took) > 1 else took[0]


# --- measurements --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bench:
    """The program and the bare application, with a tournament of one size."""

    program: Program
    bare_port: int
    slug: str
    secrets: Sequence[str]
    options: argparse.Namespace
    shown: Measured

    @property
    def port(self) -> int:
        return self.program.web.port

    @property
    def asking(self) -> bytes:
        return request("GET", f"/t/{self.slug}/", ACCEPT)

    def phone(self, table: int) -> Phone:
        return Phone(self.port, self.secrets[table])

    def page(self) -> Answer:
        return Connection(self.port).ask(self.asking)

    def unchanged(self) -> None:
        ports, seconds = (self.port, self.bare_port), self.options.seconds
        rates = [
            [answers_a_second(port, self.asking, connections=CONNECTIONS, seconds=seconds) for port in ports]
            for _ in range(TURNS)
        ]
        self.shown.rate("page, unchanged: a second, 32 connections", *zip(*rates, strict=True))
        single = [[_repeated(port, self.asking, seconds / 2) for port in ports] for _ in range(TURNS)]
        ours, base = ([one for turn in side for one in turn] for side in zip(*single, strict=True))
        self.shown.time("page, unchanged: one connection, ms", ours, base)

    def changed(self) -> None:
        phone, reader = self.phone(0), Connection(self.port)
        for _ in range(2):  # what a stroke leaves as it is has been read by then
            phone.send()
            reader.ask(self.asking)
        phone.send()
        asked = statements_of(self.program.database, lambda: reader.ask(self.asking))
        with bare_page(self.program.parameters, asked, text_of(self.page()).decode()) as write:
            ours, base = [], []
            for _ in range(3 * self.options.times):
                phone.send()
                ours.append(reader.milliseconds(self.asking))
                base.append(write())
        self.shown.time("page after a change, ms (99th)", ours, base)

    def one_result(self) -> None:
        ours, base = [], []
        for table in range(3):
            phone, plain = self.phone(table), Connection(self.bare_port)
            for _ in range(EACH):
                ours.append(phone.connection.milliseconds(phone.sending()))
                base.append(plain.milliseconds(bare_result(table + 1)))
        self.shown.time("one result, ms (99th)", ours, base)

    def eight_at_once(self) -> None:
        phones = [self.phone(3 + number) for number in range(PHONES)]
        plain = [Connection(self.bare_port) for _ in range(PHONES)]
        ours, base = [], []
        for _ in range(TURNS):
            ours.append(
                _at_once([(phone.connection, [phone.sending() for _ in range(EACH)]) for phone in phones])
            )
            tables = enumerate(plain, start=1)
            base.append(
                _at_once([(each, [bare_result(table) for _ in range(EACH)]) for table, each in tables])
            )
        self.shown.rate("results a second, eight at once", ours, base)

    def statements(self) -> None:
        phones: list[Phone] = []

        def come_in_and_send() -> None:
            phones.append(self.phone(-1))
            phones[0].send()

        first = len(statements_of(self.program.database, come_in_and_send))
        each = len(statements_of(self.program.database, phones[0].send))
        self.shown.add(
            "statements a result (with coming in and the pen)",
            Cell(f"{each} ({first})", each / bare.STATEMENTS, f"{bare.STATEMENTS}"),
        )

    def news_of_a_result(self) -> None:
        phone, page = self.phone(-1), text_of(self.page())
        card = len(page.partition(b'id="table-1"')[2].partition(b'id="table-2"')[0])
        told = self.told(self.slug, [phone.sending] * self.options.times, phone.connection)
        size = int(statistics.median(news.size for news in told))
        base = self.told_by_bare(size)
        first, last = (
            "news of a result: first byte to the first of 32, ms",
            "news of a result: last byte to the last of 32, ms",
        )
        self.shown.time(first, [one.first for one in told], [one.first for one in base])
        self.shown.time(last, [one.last for one in told], [one.last for one in base])
        self.shown.time("news of a result: bytes to a viewer, kB", [size / 1000], [(card or size) / 1000])

    def paper_lines(self, organiser: Organiser, slug: str) -> None:
        """Type in tables, half of them while viewers are told of it."""
        tables = range(1, min(len(self.secrets), 2 * self.options.times) + 1)
        lines = [organiser_line(organiser, slug, table) for table in tables]
        plain = Connection(self.bare_port)
        ours, base = [], []
        for line in lines[::2]:
            ours.append(organiser.connection.milliseconds(line()))
            base.append(plain.milliseconds(bare_result(1)))
        self.shown.time("paper line, ms (99th)", ours, base)
        told = self.told(slug, lines[1::2], organiser.connection)
        watched = self.told_by_bare(int(statistics.median(news.size for news in told)))
        last = "news of a paper line: last byte to the last of 32, ms"
        self.shown.time(last, [one.last for one in told], [one.last for one in watched])

    def told(self, slug: str, changes: Sequence[Callable[[], bytes]], connection: Connection) -> list[News]:
        page = text_of(Connection(self.port).ask(request("GET", f"/t/{slug}/", ACCEPT))).decode()
        stream, parameters = stream_of(page), self.program.parameters
        with viewers_of(self.port, stream, VIEWERS, NOTIFIED, parameters, f"/t/{slug}/") as viewers:
            return [viewers.news(connection, change()) for change in changes][1:]

    def told_by_bare(self, size: int) -> list[News]:
        parameters = self.program.parameters
        with (
            started("--bare", json.dumps(parameters)) as (port, _),
            viewers_of(port, "/", VIEWERS, CHANNEL, parameters) as viewers,
            psycopg.connect(autocommit=True, **parameters) as connection,
        ):
            notes = Notes(connection, size)
            return [viewers.news_of(lambda: notes(0)) for _ in range(self.options.times)][1:]

    def over_the_wire(self) -> None:
        answer = self.page()
        least = len(zlib.compress(text_of(answer), 9))
        self.shown.time("page over the wire, kB", [len(answer.body) / 1000], [least / 1000])

    def draw(self, organiser: Organiser, paper: str) -> None:
        """Draw the third round of a tournament again and again, and release it."""
        number = self.shown.players
        ours, base = [], []
        with psycopg.connect(autocommit=True, **self.program.parameters) as connection:
            organiser.look(f"/o/{paper}/rounds/3/")
            for turn in range(5):
                typed = {"reason": "noch einmal", "exceptions": "on"}
                begun = time.perf_counter()
                organiser.post(f"/o/{paper}/rounds/3/{'redraw' if turn else 'draw'}/", typed, status=302)
                ours.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                connection.execute(bare.SEATS, [turn, number])
                base.append(time.perf_counter() - begun)
        organiser.post(f"/o/{paper}/rounds/3/release/", {}, status=302)
        self.shown.time("draw of a round, s", ours, base)


def text_of(page: Answer) -> bytes:
    is_compressed = page.header(b"content-encoding") == b"gzip"
    return gzip.decompress(page.body) if is_compressed else page.body


def bare_result(table: int) -> bytes:
    """Return the request for a bare result, with the same body as a phone's."""
    return request("POST", f"/{table}", JSON, json_body({"pen_epoch": 1, "entries": [stroke()]}))


def organiser_line(organiser: Organiser, slug: str, table: int) -> Callable[[], bytes]:
    """Return a function that makes the request of a paper line of five players, as its page sends it."""

    def posting() -> bytes:
        path = f"/o/{slug}/rounds/3/tables/{table}/paper/"
        return organiser.posting(path, {"line": "12345 10203"}, {"HX-Request": "true"})

    return posting


def _repeated(port: int, asking: bytes, seconds: float) -> list[float]:
    connection, end = Connection(port), time.monotonic() + seconds
    for _ in range(5):
        connection.ask(asking)
    took = [connection.milliseconds(asking)]
    while time.monotonic() < end:
        took.append(connection.milliseconds(asking))
    connection.close()
    return took


def _at_once(sent: Sequence[tuple[Connection, Sequence[bytes]]]) -> float:
    """Send the requests of each connection, one after the other, and all connections at once. Return answers a second."""

    def send(connection: Connection, requests: Sequence[bytes]) -> None:
        for asking in requests:
            connection.milliseconds(asking)

    with ThreadPoolExecutor(len(sent)) as threads:
        begun = time.perf_counter()
        for done in [threads.submit(send, *one) for one in sent]:
            done.result()
        return sum(len(requests) for _, requests in sent) / (time.perf_counter() - begun)


@contextmanager
def bare_beside(program: Program, page: Answer) -> Iterator[tuple[int, Process, float]]:
    """Run the bare application with the program's page. Yield its port, its process, and the seconds of its start."""
    bare.set_up(program.parameters)
    port = free_port()
    with bare.serving(port, page, program.parameters) as (process, seconds):
        yield port, process, seconds


def measured(players: int, options: argparse.Namespace) -> Measured:
    shown = Measured(players)
    slug, paper = f"abend-{players}", f"papier-{players}"
    with running() as program:
        program.database.tell(VERBOSE)
        program.take_in(evening(players))
        program.take_in(evening(players, slug=paper, released=False))
        program.web.end()
        begun = time.perf_counter()
        program.web.start()
        start = time.perf_counter() - begun
        page = Connection(program.web.port).ask(request("GET", f"/t/{slug}/", ACCEPT))
        with bare_beside(program, page) as (bare_port, process, bare_start):
            bench = Bench(program, bare_port, slug, program.secrets(slug), options, shown)
            bench.over_the_wire()
            bench.unchanged()
            bench.one_result()
            bench.changed()
            bench.eight_at_once()
            bench.statements()
            organiser = Organiser(program)
            bench.draw(organiser, paper)
            bench.news_of_a_result()
            bench.paper_lines(organiser, paper)
            shown.time(
                "memory of the web process, MB", [program.process.own_megabytes], [process.own_megabytes]
            )
            shown.time("start, s", [start], [bare_start])
    return shown


def table(sizes: Sequence[Measured], *, markdown: bool) -> str:
    """Return all cells: a row for each thing that is measured, a column for each size."""
    rows = [["", *(f"{one.players:,} players" for one in sizes)]]
    rows += [[name, *(str(one.cells[name]) for one in sizes)] for name in sizes[0].cells]
    if markdown:
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def verdicts(sizes: Sequence[Measured]) -> str:
    """Return which targets hold at which size."""
    lines = []
    for name, most in TARGETS.items():
        ratios = ", ".join(
            f"{one.players:,}: {'holds' if one.cells[name].ratio <= most else 'MISSED'} (x{one.cells[name].ratio:.2f})"
            for one in sizes
        )
        lines.append(f"- at most x{most:g}, {name}: {ratios}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, nargs="+", default=[60, 300, 3000], help="60 or more")
    parser.add_argument("--seconds", type=float, default=1, help="of each turn of reading")
    parser.add_argument(
        "--times", type=int, default=20, help="changes that are told; three times as many are read"
    )
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    sizes = [measured(players, options) for players in options.players]
    print(
        f"{machine()}, Python {sys.version.split()[0]}; x: how many times the baseline, which stands in brackets\n"
    )
    print(table(sizes, markdown=options.markdown), verdicts(sizes), sep="\n\n")


if __name__ == "__main__":
    main()
