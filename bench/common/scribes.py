"""Scribes who tap at fixed times, whether or not what they have tapped before is answered: an open loop.

A phone sends as `static/js/sheet/sync.js` does: one request at a time with all entries that wait, up to 100. After 10 seconds,
or an answer that is not 200, it sends them again: after the time that Retry-After names, or else 1 to 15 seconds.
"""

import asyncio
import json
import random
import re
import time
import uuid
import zlib
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe

import uvloop

from common.client import cookies_of, json_body, length_of, request, status_of
from common.tournament import MADE_AT

MOST_AT_ONCE, TIMEOUT, FIRST_WAIT, LONGEST_WAIT = 100, 10.0, 1.0, 15.0  # as in sync.js
DRAIN = 120.0  # seconds after the last tap until a stage is given up
JSON = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
_OUTCOME = re.compile(rb'"id": ?"([0-9a-f-]{36})", ?"outcome": ?"(\w+)"')


@dataclass(slots=True)
class Entry:
    """A stroke. tapped, answered: times of the clock."""

    id: str
    tapped: float
    answered: float = 0.0
    outcome: str = ""
    tries: int = 0


@dataclass(slots=True)
class Stage:
    """What the phones did at one rate. statuses: of all requests; 0 without an answer."""

    rate: float
    began: float
    ended: float
    entries: list[list[Entry]]
    statuses: Counter[int] = field(default_factory=Counter)


class Scribe:
    """A phone that holds the pen of its table."""

    def __init__(self, port: int, secret: str) -> None:
        self._port, self._secret = port, secret
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._cookies: dict[bytes, bytes] = {}
        self._epoch = 0
        self.statuses: Counter[int] = Counter()

    async def sit_down(self) -> None:
        for path, body in (("/s/enter", {"secret": self._secret}), ("/s/pen", {})):
            status, answer, _ = await self._ask(path, json_body(body))
            if status != 200:
                raise RuntimeError(answer)
        self._epoch = json.loads(_plain(answer))["pen"]["epoch"]

    async def play(self, entries: Sequence[Entry], until: float) -> None:
        """Make these entries when they are due, and send them until all are answered."""
        due, waiting, failures = deque(entries), list[Entry](), 0
        while (due or waiting) and (now := time.monotonic()) < until:
            while due and due[0].tapped <= now:
                waiting.append(due.popleft())
            if not waiting:
                await asyncio.sleep(due[0].tapped - now)
                continue
            pause = await self._send(waiting[:MOST_AT_ONCE])
            waiting = [entry for entry in waiting if not entry.answered]
            failures = 0 if pause is None else failures + 1
            if pause is not None:
                await asyncio.sleep(pause or _back_off(failures))

    async def _send(self, batch: Sequence[Entry]) -> float | None:
        """Send entries. Return None if they are answered, else the seconds to wait that the server names, or 0."""
        sent = [
            {
                "id": one.id,
                "kind": "stroke",
                "data": {"seat_number": 1, "mark": "schnauz"},
                "made_at": MADE_AT,
            }
            for one in batch
        ]
        for entry in batch:
            entry.tries += 1
        try:
            async with asyncio.timeout(TIMEOUT):
                body = json_body({"pen_epoch": self._epoch, "entries": sent})
                status, answer, pause = await self._ask("/s/entries", body)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            self._hang_up()
            status, answer, pause = 0, b"", 0.0
        self.statuses[status] += 1
        if status != 200:
            return pause
        now = time.monotonic()
        # The outcomes come first, and the whole sheet after them.
        start = _plain(answer, 500 * len(batch) + 500)
        outcomes = {found[1].decode(): found[2].decode() for found in _OUTCOME.finditer(start)}
        for entry in batch:
            if entry.id in outcomes:
                entry.answered, entry.outcome = now, outcomes[entry.id]
        return None if outcomes else 0.0

    async def _ask(self, path: str, body: bytes) -> tuple[int, bytes, float]:
        """Return the status, the body, and the seconds of Retry-After."""
        if self._stream is not None and self._stream[0].at_eof():  # the server closes what is idle
            self._hang_up()
        if self._stream is None:
            self._stream = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        reader, writer = self._stream
        cookies = b"; ".join(name + b"=" + value for name, value in self._cookies.items()).decode()
        writer.write(request("POST", path, {**JSON, **({"Cookie": cookies} if cookies else {})}, body))
        head = await reader.readuntil(b"\r\n\r\n")
        answer = await reader.readexactly(length_of(head))
        self._cookies |= cookies_of(head)
        if b"connection: close" in head.lower():
            self._hang_up()
        later = re.search(rb"\r\nretry-after: *(\d+)", head, re.IGNORECASE)
        return status_of(head), answer, float(later[1]) if later else 0.0

    def _hang_up(self) -> None:
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None


def _plain(answer: bytes, most: int = 0) -> bytes:
    """Return the start of an answer, or all of it."""
    is_compressed = answer.startswith(b"\x1f\x8b")
    return zlib.decompressobj(47).decompress(answer, most) if is_compressed else answer


def _back_off(failures: int) -> float:
    longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0**failures)
    return max(FIRST_WAIT, longest * (0.5 + random.random() / 2))


def phones(pipe: Pipe, port: int, secrets: Sequence[str]) -> None:
    """Play the stages that are asked for, given as (rate, seconds), in a process of its own."""

    async def play() -> None:
        scribes = [Scribe(port, secret) for secret in secrets]
        for scribe in scribes:
            await scribe.sit_down()
        pipe.send(None)
        while asked := await asyncio.to_thread(pipe.recv):
            pipe.send(await _played(scribes, *asked))

    uvloop.run(play())


async def _played(scribes: Sequence[Scribe], rate: float, seconds: float) -> Stage:
    period, began = len(scribes) / rate, time.monotonic() + 0.5
    taps = max(1, round(seconds / period))
    offsets = random.sample(range(len(scribes)), len(scribes))
    entries = [
        [Entry(str(uuid.uuid4()), began + period * (tap + offset / len(scribes))) for tap in range(taps)]
        for offset in offsets
    ]
    stage = Stage(rate, began, began + period * taps, entries)
    for scribe in scribes:
        scribe.statuses.clear()
    pairs = zip(scribes, entries, strict=True)
    await asyncio.gather(*(scribe.play(each, stage.ended + DRAIN) for scribe, each in pairs))
    stage.statuses = sum((scribe.statuses for scribe in scribes), Counter())
    return stage
