"""Run of phones that write over a faulty network while processes are killed, with its results."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.data_dirs import copy_data_dir, migrated_data_dir
from tests.faults.house import Database, Web, program
from tests.faults.moments import Moment, Scene
from tests.faults.network import Network
from tests.faults.phones import SEATS, Phone
from tests.faults.reckoning import Reckoning, Stored, reckon, strokes_made

SLUG = "ausfall"
PATIENCE = 120.0  # seconds after the last kill until all entries must be answered
PAUSE = 0.25  # seconds between two taps of one phone, on average
MISCHIEF = 0.15

LOG = """
SELECT tables.number, entry.entry_id::text, entry.kind, entry.data
FROM scoring_sheetentry AS entry
JOIN scoring_sheet AS sheet ON sheet.id = entry.sheet_id
JOIN tournaments_table AS tables ON tables.id = sheet.table_id
ORDER BY tables.number, entry.sequence
"""
TALLIES = """
SELECT tables.number, seat.seat_number, result.strokes
FROM scoring_seatresult AS result
JOIN tournaments_seat AS seat ON seat.id = result.seat_id
JOIN tournaments_table AS tables ON tables.id = seat.table_id
"""


@dataclass(frozen=True, slots=True)
class Store:
    """A store of entries: its server, the secrets by which phones enter, by table, and the query of its log."""

    web: Web
    database: Database
    secrets: Mapping[int, str]
    last_table: str
    log: str

    def stored(self) -> Stored:
        rows: dict[int, list[tuple[str, str, dict[str, Any]]]] = {}
        for table, *entry in self.database.ask(self.log):
            rows.setdefault(table, []).append((entry[0], entry[1], entry[2]))
        return rows


@dataclass(frozen=True, slots=True)
class Evening:
    reckoning: Reckoning
    phones: Mapping[int, Phone]
    moments: Mapping[str, int]
    network: Mapping[str, int]
    seconds: float

    def counted(self, what: str) -> int:
        return sum(phone.counted[what] for phone in self.phones.values())


@contextmanager
def the_program(folder: Path, tables: int, **environment: str) -> Iterator[Store]:
    """Run the whole program, with a tournament of so many tables in play."""
    web = Web(copy_data_dir(migrated_data_dir(), folder), program())
    web.environment |= environment
    web.start()
    try:
        with Database(folder).stay() as database:
            yield filled(web, database, tables)
    finally:
        web.end()


def filled(web: Web, database: Database, tables: int) -> Store:
    """Bring the tournament into the database of a server."""
    commands = (("import_tournament", "-"), ("sheet_links", SLUG))
    _slug, *lines = web.commands_say(*commands, text=json.dumps(document(tables))).splitlines()
    links = {found["table"]: found["url"] for found in map(json.loads, lines)}
    secrets = {table: url.partition("#")[2] for table, url in links.items()}
    return Store(web, database, secrets, "scoring_seatresult", LOG)


def document(tables: int) -> dict[str, Any]:
    players = range(1, tables * SEATS + 1)
    return {
        "schema": "schnauz-turnier/1",
        "tournament": {"slug": SLUG, "name": "Ausfall", "date": "2026-11-21", "ruleset": "schnauz-placing"},
        "participants": [{"start_number": number, "name": f"Spieler {number}"} for number in players],
        "rounds": [
            {
                "number": 1,
                "state": "released",
                "tables": [
                    {
                        "number": table,
                        "seats": [
                            {"seat_number": seat, "start_number": (table - 1) * SEATS + seat}
                            for seat in range(1, SEATS + 1)
                        ],
                    }
                    for table in range(1, tables + 1)
                ],
            }
        ],
    }


def wrong_tallies(store: Store, phones: Mapping[int, Phone]) -> list[tuple[int, int]]:
    """Return table and seat of each stored result whose strokes differ from those made on the phone."""
    stored = {(table, seat): strokes for table, seat, strokes in store.database.ask(TALLIES)}
    expected = {
        (table, seat): strokes_made(phone)[seat]
        for table, phone in phones.items()
        for seat in range(1, SEATS + 1)
    }
    return [place for place, strokes in expected.items() if stored.get(place) != strokes]


def play(
    store: Store,
    *,
    tables: Sequence[int],
    entries: int,
    plan: Sequence[Moment],
    mischief: float = MISCHIEF,
    pause: float = PAUSE,
    seed: int = 0,
) -> Evening:
    """Let a phone at each table make so many entries, spread over the moments of the plan."""
    return asyncio.run(_play(store, tables, entries, plan, mischief, pause, Random(seed)))


async def _play(
    store: Store,
    tables: Sequence[int],
    entries: int,
    plan: Sequence[Moment],
    mischief: float,
    pause: float,
    chance: Random,
) -> Evening:
    started, came = time.monotonic(), Counter[str]()
    async with Network(store.web.port, mischief=mischief, chance=chance) as network:
        phones = {
            table: Phone(network.url, store.secrets[table], Random(chance.random())) for table in tables
        }
        await asyncio.gather(*(phone.sit_down() for phone in phones.values()))
        sending = [asyncio.create_task(phone.send_for_ever()) for phone in phones.values()]
        for stage, moment in enumerate(plan, start=1):
            scene = Scene(store.web, store.database, network, store.last_table, chance)
            coming = asyncio.create_task(asyncio.to_thread(moment, scene))
            await asyncio.to_thread(scene.armed.wait)
            quota = entries * stage // len(plan)
            await asyncio.gather(*(_tap(phone, quota, pause, chance) for phone in phones.values()))
            came[moment.__name__] += await coming
        await network.calm()
        deadline = time.monotonic() + PATIENCE
        while any(phone.waiting for phone in phones.values()) and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        for phone in phones.values():
            await phone.switch_off()
    seconds = time.monotonic() - started
    return Evening(reckon(phones, store.stored()), phones, came, network.happened, seconds)


async def _tap(phone: Phone, quota: int, pause: float, chance: Random) -> None:
    while len(phone.made) < quota:
        await asyncio.sleep(chance.uniform(0, 2 * pause))
        phone.tap()


def strokes_on(page: str) -> dict[int, int | None]:
    """Return the strokes of each table that the players' page shows; None while they are held back."""
    cards = {int(card.partition('"')[0]): card for card in page.split(' id="table-')[1:]}
    return {
        number: card.count('<i class="mark"></i>') if "table-card__foot" in card else None
        for number, card in cards.items()
    }
