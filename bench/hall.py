"""Benchmark of a full hall: 300 scribes, one entry each two seconds, and 1,000 viewers of the players' stream.

    .venv/bin/python bench/hall.py [--scribes 300] [--viewers 1000] [--processes 1] [--seconds 60] [--next-seconds 20]

The taps of a scribe are fixed beforehand, whether or not the entries before them are answered (an open loop). All times are
from the tap as it was fixed, so no queue is hidden. A phone sends and repeats as the real one does (common/scribes.py).

*entries*    answered a second while the scribes tap; time from a tap to the answer that names its entry
*news*       time from a tap until a viewer has the event with it, at a sample of the viewers; all of them are read
*waiting*    entries without an answer when the last tap is made, and after a further two minutes
*requests*   how many, and by status those that were not answered with 200; how many entries had to be sent again
*processor*  cores in use by the web process, PostgreSQL, the phones and the viewers, each of these in a process of its own

Then the rate is doubled until it breaks: the median is above a second, or more wait than are made in a second. If the
first rate breaks, it is halved until it holds. At the end the exported sheets are compared with what the phones have sent. The
exit status is 1 if an answered entry is not there, or one is there twice.
"""

import argparse
import json
import multiprocessing
import re
import resource
import select
import socket
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import Any

from common.client import Connection, request
from common.program import Process, Program, machine, running
from common.scribes import DRAIN, Entry, Stage, phones
from common.tournament import TABLE, evening
from common.viewers import END, stream_of

PERIOD = 2.0  # seconds between two taps of a scribe
SAMPLE = 10  # viewers at which news are looked for
BREAKS_ABOVE = 1.0  # seconds
SLOWEST, FASTEST = 10.0, 5000.0  # entries a second
_CARD = re.compile(rb'table-(\d+)\\?"|(\d+) Strich')
"""The card of a table in an event: its id, and then its strokes in words."""


# --- viewers -------------------------------------------------------------------------------------------------------

Shown = tuple[int, int, int, float]
"""Viewer, table, strokes of the table, and when the viewer got the event that shows them."""


class Crowd:
    """All viewers. A few of them look at what they get."""

    def __init__(self, port: int, path: str, number: int) -> None:
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._buffers: dict[int, bytearray] = {}
        self._seen: dict[tuple[int, int], int] = {}
        self.shown: list[Shown] = []
        self.received, self.dropped = 0, 0
        asking = request("GET", path, {"Accept": "text/event-stream"})
        for index in range(number):
            opened = socket.create_connection(("127.0.0.1", port))
            opened.sendall(asking)
            opened.settimeout(0)
            self._sockets[opened.fileno()] = opened
            self._poll.register(opened, select.EPOLLIN)
            if index % max(1, number // SAMPLE) == 0:
                self._buffers[opened.fileno()] = bytearray()
        self._space = bytearray(1 << 20)

    def read(self, seconds: float) -> None:
        for descriptor, _ in self._poll.poll(seconds):
            opened = self._sockets[descriptor]
            size = opened.recv_into(self._space)
            self.received += size
            if not size:
                self._poll.unregister(opened)
                self.dropped += 1
            elif descriptor in self._buffers:
                self._look(descriptor, self._space[:size])

    def _look(self, viewer: int, data: bytearray) -> None:
        buffer = self._buffers[viewer]
        buffer += data
        if not buffer.endswith(END):
            return
        now, table = time.monotonic(), 0
        for found in _CARD.finditer(buffer):
            if found[1]:
                table = int(found[1])
            elif table:
                strokes = int(found[2])
                if self._seen.get((viewer, table), 0) < strokes:
                    self._seen[viewer, table] = strokes
                    self.shown.append((viewer, table, strokes, now))
                table = 0
        buffer.clear()


def viewers(pipe: Pipe, port: int, path: str, number: int) -> None:
    """Read the stream, and return what was shown since the last time as often as asked, in a process of its own."""
    crowd = Crowd(port, path, number)
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
        self._viewers, crowd = _started(viewers, port, stream_of(page), options.viewers)
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
