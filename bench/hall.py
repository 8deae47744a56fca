"""Benchmark of a full hall: 300 scribes, one entry each two seconds, and 1,000 viewers of the players' page.

    .venv/bin/python bench/hall.py [--scribes 300] [--viewers 1000] [--processes 1] [--seconds 60] [--next-seconds 20]

The taps of a scribe are fixed beforehand, whether or not the entries before them are answered (an open loop). All times are
from the tap as it was fixed, so no queue is hidden. A phone sends and repeats as the real one does (common/scribes.py).

*entries*    answered a second while the scribes tap; time from a tap to the answer that names its entry
*news*       time from a tap until a viewer has the page with it, at a sample of the viewers; all of them are read
*waiting*    entries without an answer when the last tap is made, and after a further two minutes
*requests*   how many, and by status those that were not answered with 200; how many entries had to be sent again
*processor*  cores in use by the web process, PostgreSQL, the phones and the viewers, each of these in a process of its own

Then the rate is doubled until it breaks: the median is above a second, or more wait than are made in a second. If the
first rate breaks, it is halved until it holds. At the end the exported sheets are compared with what the phones have sent. The
exit status is 1 if an answered entry is not there, or one is there twice.
"""

import argparse
import gzip
import json
import multiprocessing
import random
import resource
import select
import socket
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from typing import Any

from common.client import Connection, length_of, request, status_of
from common.program import Process, Program, machine, running
from common.scribes import DRAIN, Entry, Stage, phones
from common.tournament import TABLE, evening
from common.viewers import END, stream_of

PERIOD = 2.0  # seconds between two taps of a scribe
SAMPLE = 10  # viewers at which news are looked for
BREAKS_ABOVE = 1.0  # seconds
SLOWEST, FASTEST = 10.0, 5000.0  # entries a second
PAUSE = 2.0  # seconds between two requests of a viewer, as in static/js/live.js


# --- viewers -------------------------------------------------------------------------------------------------------

Shown = tuple[int, int, int, float]
"""Viewer, table, strokes of the table, and when the viewer got the page that shows them."""


@dataclass(slots=True)
class _Viewer:
    """due: when to ask for the page; 0 for not at all. asked_at: the last time. is_asking: there is no answer yet."""

    number: int
    stream: socket.socket
    page: socket.socket
    due: float = 0.0
    asked_at: float = 0.0
    is_asking: bool = False
    tag: str = ""
    event: bytearray = field(default_factory=bytearray)
    answer: bytearray = field(default_factory=bytearray)


class Crowd:
    """All viewers. They ask for their page after an event, as static/js/live.js does. A few of them look at what they get."""

    def __init__(self, port: int, path: str, page: str, number: int) -> None:
        self._poll = select.epoll()
        self._page = page
        self._viewers: list[_Viewer] = []
        self._by_descriptor: dict[int, _Viewer] = {}
        self._seen: dict[tuple[int, int], int] = {}
        self.shown: list[Shown] = []
        self.received, self.dropped = 0, 0
        asking = request("GET", path, {"Accept": "text/event-stream"})
        for index in range(number):
            stream = socket.create_connection(("127.0.0.1", port))
            stream.sendall(asking)
            viewer = _Viewer(index, stream, socket.create_connection(("127.0.0.1", port)))
            self._viewers.append(viewer)
            for opened in (viewer.stream, viewer.page):
                opened.settimeout(0)
                self._by_descriptor[opened.fileno()] = viewer
                self._poll.register(opened, select.EPOLLIN)
        self._looking = set(range(0, number, max(1, number // SAMPLE)))

    def read(self, seconds: float) -> None:
        for descriptor, _ in self._poll.poll(seconds):
            viewer = self._by_descriptor[descriptor]
            is_page = descriptor == viewer.page.fileno()
            data = (viewer.page if is_page else viewer.stream).recv(1 << 20)
            self.received += len(data)
            if not data:
                self._poll.unregister(descriptor)
                self.dropped += 1
            elif is_page:
                self._take_page(viewer, data)
            else:
                self._take_event(viewer, data)
        now = time.monotonic()
        for viewer in self._viewers:
            if viewer.due and viewer.due <= now and not viewer.is_asking:
                self._ask(viewer, now)

    def _take_event(self, viewer: _Viewer, data: bytes) -> None:
        viewer.event += data
        if not viewer.event.endswith(END):
            return
        for line in viewer.event.splitlines():
            if line.startswith(b"data: ") and (event := json.loads(line[6:]))["topics"] and not viewer.due:
                spread = random.random() * event["spread"] / 1000
                viewer.due = max(viewer.asked_at + PAUSE, time.monotonic() + spread)
        viewer.event.clear()

    def _ask(self, viewer: _Viewer, now: float) -> None:
        viewer.due, viewer.asked_at, viewer.is_asking = 0.0, now, True
        known = {"If-None-Match": viewer.tag} if viewer.tag else {}
        viewer.page.sendall(request("GET", self._page, {"Accept-Encoding": "gzip", **known}))

    def _take_page(self, viewer: _Viewer, data: bytes) -> None:
        viewer.answer += data
        end = viewer.answer.find(b"\r\n\r\n")
        status = status_of(bytes(viewer.answer)) if end >= 0 else 0
        length = length_of(bytes(viewer.answer[:end])) if status != 304 else 0
        if end < 0 or len(viewer.answer) - end - 4 < length:
            return
        if status not in (200, 304):
            raise RuntimeError(bytes(viewer.answer))
        if status == 200:
            head = viewer.answer[:end].decode("latin-1")
            viewer.tag = head.lower().partition("etag: ")[2].partition("\r\n")[0].replace("w/", "W/")
            if viewer.number in self._looking:
                self._look(viewer.number, gzip.decompress(viewer.answer[end + 4 :]))
        viewer.answer.clear()
        viewer.is_asking = False

    def _look(self, viewer: int, page: bytes) -> None:
        now = time.monotonic()
        for card in page.split(b' id="table-')[1:]:
            table, strokes = int(card.partition(b'"')[0]), card.count(b'<i class="mark">')
            if self._seen.get((viewer, table), 0) < strokes:
                self._seen[viewer, table] = strokes
                self.shown.append((viewer, table, strokes, now))


def viewers(pipe: Pipe, port: int, path: str, page: str, number: int) -> None:
    """Read the stream and the page, and return what was shown since the last time as often as asked, in a process of its own."""
    crowd = Crowd(port, path, page, number)
    settled = time.monotonic() + 3
    while time.monotonic() < settled:
        crowd.read(0.1)
    pipe.send(None)
    while True:
        crowd.read(0.05)
        if pipe.poll():
            if not pipe.recv():
                return
            pipe.send(Watched(crowd.shown, crowd.received, crowd.dropped))
            crowd.shown, crowd.received = [], 0


# --- the run -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Watched:
    """What the viewers got since the last time."""

    shown: Sequence[Shown]
    received: int
    dropped: int


class Hall:
    """The program with its phones and viewers, and all entries that each phone has made."""

    def __init__(self, program: Program, options: argparse.Namespace) -> None:
        slug, port = f"abend-{options.scribes * TABLE}", program.web.port
        program.take_in(evening(options.scribes * TABLE, in_play=0))
        page = Connection(port).ask(request("GET", f"/t/{slug}/")).body.decode()
        self._program, self._slug = program, slug
        self._phones, scribes = _started(phones, port, program.secrets(slug))
        self._viewers, crowd = _started(viewers, port, stream_of(page), f"/t/{slug}/", options.viewers)
        self._clients = (scribes, crowd)
        self._made: list[list[Entry]] = [[] for _ in range(options.scribes)]

    def close(self) -> None:
        self._phones.send(None)
        self._viewers.send(None)

    def holds(self, rate: float, seconds: float) -> bool:
        """Play and print a stage. Return whether it held."""
        self._watched()
        before, began, took = self._used(), time.monotonic(), 0.0
        used = before
        self._phones.send((rate, seconds))
        while not self._phones.poll(0.1):
            if (passed := time.monotonic() - began) < seconds:
                used, took = self._used(), passed
        stage: Stage = self._phones.recv()
        time.sleep(3.0)  # for the last news
        watched = self._watched()
        news, unseen = _news(stage, watched.shown, [len(entries) for entries in self._made])
        for entries, more in zip(self._made, stage.entries, strict=True):
            entries += more
        cores = [(now - then) / took for now, then in zip(used, before, strict=True)]
        return _told(stage, news, unseen, watched, cores)

    def is_sound(self) -> bool:
        """Compare the exported sheets with what the phones have sent, and print it."""
        document = json.loads(self._program.web.command_says("export_tournament", self._slug))
        stored = Counter(
            entry["id"] for table in document["rounds"][-1]["tables"] for entry in table["entries"]
        )
        made = [entry for entries in self._made for entry in entries]
        done = {entry.id for entry in made if entry.outcome in ("recorded", "duplicate")}
        lost, doubled = len(done - stored.keys()), sum(number > 1 for number in stored.values())
        strange = len(stored.keys() - {entry.id for entry in made})
        refused = Counter(entry.outcome or "no answer" for entry in made if entry.id not in done)
        print(
            f"{len(made)} made, {len(done)} answered, {stored.total()} stored: {lost} lost, {doubled} doubled, {strange} strange"
        )
        print(f"not recorded: {dict(refused) or 'none'}")
        return not (lost or doubled or strange)

    def _watched(self) -> Watched:
        self._viewers.send("what was shown")
        watched: Watched = self._viewers.recv()
        return watched

    def _used(self) -> list[float]:
        servers = [self._program.web_seconds, self._program.postgres_seconds]
        return [*servers, *(client.seconds for client in self._clients)]


def _started(act: Callable[..., None], *given: Any) -> tuple[Pipe, Process]:
    """Run a function in a process of its own, and wait until it is ready."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=act, args=(theirs, *given), daemon=True)
    process.start()
    ours.recv()
    assert process.pid is not None
    return ours, Process(process.pid)


def _news(stage: Stage, shown: Sequence[Shown], before: Sequence[int]) -> tuple[list[float], int]:
    """Return the seconds from each tap to each viewer of the sample, and how many were never shown.

    before: the strokes of each table before the stage. All entries are strokes, so the number tells the entry.
    """
    took: list[float] = []
    upto: dict[tuple[int, int], int] = {}
    for viewer, table, strokes, at in shown:
        first = upto.get((viewer, table), before[table - 1])
        taps = stage.entries[table - 1][first - before[table - 1] : strokes - before[table - 1]]
        took += [at - entry.tapped for entry in taps]
        upto[viewer, table] = strokes
    looking = max(1, len({viewer for viewer, *_ in shown}))
    return took, looking * sum(map(len, stage.entries)) - len(took)


def _told(stage: Stage, news: Sequence[float], unseen: int, watched: Watched, cores: Sequence[float]) -> bool:
    """Print a stage, and return whether it held."""
    made = [entry for entries in stage.entries for entry in entries]
    took = [(entry.answered or stage.ended + DRAIN) - entry.tapped for entry in made]
    seconds = stage.ended - stage.began
    in_time = sum(0 < entry.answered <= stage.ended for entry in made)
    never = sum(not entry.answered for entry in made)
    waiting = len(made) - in_time
    again = [entry for entry in made if entry.tries > 1]
    failed = {
        status or "no answer": number for status, number in sorted(stage.statuses.items()) if status != 200
    }
    holds = statistics.median(took) <= BREAKS_ABOVE and waiting <= stage.rate
    usage = ", ".join(
        f"{who} {used:.2f}"
        for who, used in zip(("web", "PostgreSQL", "phones", "viewers"), cores, strict=True)
    )
    print(
        f"{stage.rate:6.0f} a second for {seconds:.0f} s: {'holds' if holds else 'BREAKS'}\n"
        f"       entries   {in_time / seconds:.0f} a second answered, {_spread(took)}\n"
        f"       news      {_spread(news)}, {unseen} never shown; {watched.received / 1e6:,.0f} MB"
        f" to all viewers, {watched.dropped} dropped\n"
        f"       waiting   {waiting} at the last tap, {never} after {DRAIN:.0f} s\n"
        f"       requests  {stage.statuses.total()}, not 200: {failed or 'none'}; {len(again)} entries sent again, {sum(bool(entry.answered) for entry in again)} of them answered\n"
        f"       processor {usage} cores",
        flush=True,
    )
    return holds


def _spread(seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return "nothing seen"
    cuts = statistics.quantiles(seconds, n=100)
    return f"median {cuts[49] * 1000:,.0f} ms, 99th {cuts[98] * 1000:,.0f} ms"


def play(hall: Hall, rate: float, options: argparse.Namespace) -> None:
    """Play at this rate, and then at others until one breaks, or at lower ones until one holds."""
    results = {rate: hall.holds(rate, options.seconds)}
    factor = 2.0 if results[rate] else 0.5
    while len(set(results.values())) == 1 and SLOWEST <= (rate := rate * factor) <= FASTEST:
        results[rate] = hall.holds(rate, options.next_seconds)
    held = [f"{rate:.0f}" for rate, is_held in sorted(results.items()) if is_held]
    broke = [f"{rate:.0f}" for rate, is_held in sorted(results.items()) if not is_held]
    print(f"entries a second: holds at {', '.join(held) or 'none'}; breaks at {', '.join(broke) or 'none'}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scribes", type=int, default=300)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--next-seconds", type=float, default=20)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(
        f"{machine()}, Python {sys.version.split()[0]}; {options.scribes} scribes, {options.viewers} viewers, {options.processes} process(es)",
        flush=True,
    )
    with running(options.processes) as program:
        hall = Hall(program, options)
        play(hall, options.scribes / PERIOD, options)
        is_sound = hall.is_sound()
        hall.close()
    sys.exit(0 if is_sound else 1)


if __name__ == "__main__":
    main()
