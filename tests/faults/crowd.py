"""Phones that write, viewers and readers, all in one event loop, while something happens to the server."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

from tests.faults.evening import PATIENCE, SLUG, Store, strokes_on
from tests.faults.phones import Phone
from tests.faults.reckoning import Reckoning, reckon, strokes_made

PAUSE = 0.1  # seconds between two taps of a phone, and two requests of a reader
TAPS_AFTERWARDS = 5


@dataclass
class Viewer:
    """A page of a browser: it asks for itself after each event. It comes back after the time that the server names, with its last id.

    broken: the streams that ended without their last chunk.
    """

    last_id: str = ""
    retry: float = 1.0
    connections: int = 0
    broken: int = 0
    refused: int = 0
    shown: dict[int, int | None] = field(default_factory=dict)

    async def watch_for_ever(self, client: httpx.AsyncClient) -> None:
        while True:
            headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
            try:
                async with client.stream("GET", f"/t/{SLUG}/live", headers=headers) as response:
                    response.raise_for_status()
                    self.connections += 1
                    async for line in response.aiter_lines():
                        await self._take(client, line)
            except httpx.RemoteProtocolError:
                self.broken += 1
            except httpx.HTTPError:
                self.refused += 1
            await asyncio.sleep(self.retry)

    async def _take(self, client: httpx.AsyncClient, line: str) -> None:
        name, _, value = line.partition(": ")
        if name == "id":
            self.last_id = value
        elif name == "retry":
            self.retry = int(value) / 1000
        elif name == "data" and json.loads(value)["topics"]:
            await self._ask(client)

    async def _ask(self, client: httpx.AsyncClient) -> None:
        while (answer := await client.get(f"/t/{SLUG}/")).status_code != 200:
            await asyncio.sleep(0.5)
        self.shown = strokes_on(answer.text)

    def strokes(self) -> dict[int, int]:
        """Return the strokes that the viewer sees, by table."""
        return {table: strokes or 0 for table, strokes in self.shown.items()}


@dataclass
class Crowd:
    """What came of it. answers: of the readers, by status or name of the error."""

    phones: Mapping[int, Phone]
    viewers: list[Viewer]
    answers: Counter[str] = field(default_factory=Counter)
    reckoning: Reckoning = field(init=False)

    @property
    def refused(self) -> int:
        """Requests that failed, of phones, viewers and readers."""
        of_readers = sum(number for answer, number in self.answers.items() if answer != "200")
        of_phones = sum(phone.counted["retries"] for phone in self.phones.values())
        return of_phones + of_readers + sum(viewer.refused for viewer in self.viewers)

    def all_see_everything(self) -> bool:
        made = {table: strokes_made(phone).total() for table, phone in self.phones.items()}
        return all(made.items() <= viewer.strokes().items() for viewer in self.viewers)


def meanwhile(
    store: Store,
    happen: Callable[[], object],
    *,
    tables: Collection[int],
    viewers: int,
    readers: int = 0,
    all_come_back: bool = False,
) -> Crowd:
    """Let phones write at tables while it happens, and wait until all entries are answered and seen by all.

    tables: those without entries. all_come_back: whether to wait for another connection of every viewer.
    """
    return asyncio.run(_meanwhile(store, happen, tables, viewers, readers, all_come_back))


async def _meanwhile(
    store: Store,
    happen: Callable[[], object],
    tables: Collection[int],
    viewers: int,
    readers: int,
    all_come_back: bool,
) -> Crowd:
    url = store.web.url
    phones = {table: Phone(url, store.secrets[table], Random(table)) for table in tables}
    crowd = Crowd(phones, [Viewer() for _ in range(viewers)])
    await asyncio.gather(*(phone.sit_down() for phone in phones.values()))
    as_many_as_wanted = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=url, timeout=60, limits=as_many_as_wanted, trust_env=False, verify=False
    ) as client:
        watching = [viewer.watch_for_ever(client) for viewer in crowd.viewers]
        sending = [phone.send_for_ever() for phone in phones.values()]
        reading = [read_for_ever(client, crowd.answers) for _ in range(readers)]
        with tasks(*watching, *sending, *reading):
            await _until(lambda: all(viewer.shown for viewer in crowd.viewers))
            happening = asyncio.create_task(asyncio.to_thread(happen))
            while not happening.done():
                await _tap_all(phones)
            for _ in range(TAPS_AFTERWARDS):
                await _tap_all(phones)
            await happening
            await _until(lambda: not any(phone.waiting for phone in phones.values()))
            await _until(crowd.all_see_everything)
            if all_come_back:
                await _until(lambda: all(viewer.connections > 1 for viewer in crowd.viewers))
    for phone in phones.values():
        await phone.switch_off()
    crowd.reckoning = reckon(phones, store.stored())
    return crowd


@contextmanager
def tasks(*work: Any) -> Iterator[None]:
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()


async def _tap_all(phones: Mapping[int, Phone]) -> None:
    for phone in phones.values():
        phone.tap()
    await asyncio.sleep(PAUSE)


async def read_for_ever(client: httpx.AsyncClient, answers: Counter[str]) -> None:
    """Ask for the players' page again and again, on connections that stay open."""
    while True:
        try:
            answer = str((await client.get(f"/t/{SLUG}/")).status_code)
        except httpx.HTTPError as error:
            answer = type(error).__name__
        answers[answer] += 1
        await asyncio.sleep(PAUSE)


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)
