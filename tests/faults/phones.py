"""Simulated phones. As in `static/js/sheet/sync.js`, an entry is kept until an answer names its id."""

import asyncio
import uuid
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

SEATS = 5
MOST_AT_ONCE = 100
LONGEST_WAIT = 1.0  # seconds between two attempts; on a real phone 15
DONE = ("recorded", "duplicate")


@dataclass(frozen=True, slots=True)
class Made:
    """An entry made on a phone."""

    id: str
    kind: str
    data: dict[str, Any]

    def sent(self) -> dict[str, Any]:
        return {"id": self.id, "kind": self.kind, "data": self.data, "made_at": "2026-11-21T20:00:00Z"}


class Phone:
    """A scribe's phone. It makes entries online and offline, and sends them, oldest first, until they are answered.

    refusals: the answers other than 200, by status. longest: the seconds until the slowest answer of a server.
    """

    def __init__(self, url: str, secret: str, chance: Random) -> None:
        # A phone's Wi-Fi is unreliable, so each request opens a new connection. Certificates need not be read.
        headers = {"Connection": "close"}
        self._client = httpx.AsyncClient(base_url=url, timeout=30, headers=headers, verify=False)
        self._secret = secret
        self._chance = chance
        self._epoch = 0
        self._rung = asyncio.Event()
        self.made: list[Made] = []
        self.waiting: list[Made] = []
        self.answered: dict[str, str] = {}
        self.counted: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.longest = 0.0

    async def sit_down(self) -> None:
        """Enter by the table's link and take the pen."""
        await self._insist("/s/enter", {"secret": self._secret})
        self._epoch = (await self._insist("/s/pen", {}))["pen"]["epoch"]

    def tap(self) -> None:
        """Make an entry, regardless of the network."""
        entry = self._next_entry()
        self.made.append(entry)
        self.waiting.append(entry)
        self._rung.set()

    def _next_entry(self) -> Made:
        """Return a stroke, or sometimes a void of the last stroke, which is refused if the order is wrong."""
        entry_id = str(uuid.uuid4())
        last = self.made[-1] if self.made else None
        if last is not None and last.kind == "stroke" and self._chance.random() < 0.15:
            return Made(entry_id, "voided", {"entry": last.id})
        seat, mark = self._chance.randint(1, SEATS), self._chance.choice(("schnauz", "feuer"))
        return Made(entry_id, "stroke", {"seat_number": seat, "mark": mark})

    async def send_for_ever(self) -> None:
        """Send waiting entries until the task is cancelled."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            while self.waiting:
                await self._send()

    async def _send(self) -> None:
        batch = self.waiting[:MOST_AT_ONCE]
        body = {"pen_epoch": self._epoch, "entries": [entry.sent() for entry in batch]}
        results = (await self._insist("/s/entries", body)).get("results", [])
        outcomes = {result["id"]: result["outcome"] for result in results}
        for entry in batch:
            if outcome := outcomes.get(entry.id):
                self.answered[entry.id] = outcome
                self.counted[outcome] += 1
        self.waiting = [entry for entry in self.waiting if entry.id not in self.answered]

    async def _insist(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Repeat a request, with back-off, until the server itself answers it with 200."""
        wait = 0.05
        while True:
            self.counted["requests"] += 1
            try:
                answer = await self._client.post(path, json=body)
                self._note(answer)
                if answer.status_code == 200:
                    return dict(answer.json())
            except (httpx.HTTPError, ValueError):
                pass
            self.counted["retries"] += 1
            await asyncio.sleep(wait * self._chance.uniform(0.5, 1.5))
            wait = min(2 * wait, LONGEST_WAIT)

    def _note(self, answer: httpx.Response) -> None:
        self.longest = max(self.longest, answer.elapsed.total_seconds())
        if answer.status_code != 200:
            comes_again = "" if "retry-after" in answer.headers else " without Retry-After"
            self.refusals[f"{answer.status_code}{comes_again}"] += 1

    async def switch_off(self) -> None:
        await self._client.aclose()
