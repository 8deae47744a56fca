"""Phones as `static/js/sheet/sync.js` has them: an entry leaves the phone only on an answer that names its id."""

import asyncio
import uuid
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

SEATS = 5
MOST_AT_ONCE = 100
LONGEST_WAIT = 1.0  # seconds between two tries; on a real phone 15
DONE = ("recorded", "duplicate")


@dataclass(frozen=True, slots=True)
class Made:
    """An entry that somebody has tapped."""

    id: str
    kind: str
    data: dict[str, Any]

    def sent(self) -> dict[str, Any]:
        return {"id": self.id, "kind": self.kind, "data": self.data, "made_at": "2026-11-21T20:00:00Z"}


class Phone:
    """One scribe: makes entries, network or not, and sends what waits, the oldest first, until it is answered for."""

    def __init__(self, url: str, secret: str, chance: Random) -> None:
        # A phone's Wi-Fi comes and goes: each request opens a connection of its own.
        self._client = httpx.AsyncClient(base_url=url, timeout=10, headers={"Connection": "close"})
        self._secret = secret
        self._chance = chance
        self._epoch = 0
        self._rung = asyncio.Event()
        self.made: list[Made] = []
        self.waiting: list[Made] = []
        self.answered: dict[str, str] = {}
        self.counted: Counter[str] = Counter()

    async def sit_down(self) -> None:
        """Comes in by the table's link and takes the pen."""
        await self._insist("/s/enter", {"secret": self._secret})
        self._epoch = (await self._insist("/s/pen", {}))["pen"]["epoch"]

    def tap(self) -> None:
        """The scribe makes an entry; whether there is a network is not his business."""
        entry = self._next_entry()
        self.made.append(entry)
        self.waiting.append(entry)
        self._rung.set()

    def _next_entry(self) -> Made:
        """Mostly a stroke, sometimes the last one taken back: that is refused where the order is not kept."""
        entry_id = str(uuid.uuid4())
        last = self.made[-1] if self.made else None
        if last is not None and last.kind == "stroke" and self._chance.random() < 0.15:
            return Made(entry_id, "voided", {"entry": last.id})
        seat, mark = self._chance.randint(1, SEATS), self._chance.choice(("schnauz", "feuer"))
        return Made(entry_id, "stroke", {"seat_number": seat, "mark": mark})

    async def send_for_ever(self) -> None:
        """Until it is cancelled."""
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
        """Asks until there is an answer of the server's own."""
        wait = 0.05
        while True:
            self.counted["requests"] += 1
            try:
                answer = await self._client.post(path, json=body)
                if answer.status_code == 200:
                    return dict(answer.json())
            except (httpx.HTTPError, ValueError):
                pass
            self.counted["retries"] += 1
            await asyncio.sleep(wait * self._chance.uniform(0.5, 1.5))
            wait = min(2 * wait, LONGEST_WAIT)

    async def switch_off(self) -> None:
        await self._client.aclose()
