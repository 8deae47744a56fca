"""Two clubs behind PgBouncer on four web processes, while one after the other is killed.

FULL=1 plays the faults four times, with about 2,500 entries. With --log-cli-level=INFO it shows its figures.
"""

import asyncio
import json
import logging
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, LiteralString

import httpx
import pytest
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs.changes import create_club
from schnauz_turnier.postgresql.embedded.cluster import Cluster
from tests.clubs.conftest import Account, hosting_here
from tests.data_dirs import empty_data_dir
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.faults.crowd import read_for_ever, tasks
from tests.faults.evening import LOG, SLUG, strokes_on
from tests.faults.house import PATIENCE, Web, get, program, wait_until
from tests.faults.phones import SEATS, Phone
from tests.faults.reckoning import Stored, reckon, strokes_made
from tests.faults.standby import Server
from tests.faults.test_restarts import children_of
from tests.pooler import Pooler, a_pooler
from tests.ports import free_port
from tournaments import links
from tournaments.current_club import Club, in_club
from tournaments.models import Table

FULL = os.environ.get("FULL") == "1"
ROUNDS, ENTRIES_A_FAULT = (4, 20) if FULL else (1, 10)  # of each phone
TABLES, PROCESSES = 4, 4
PAUSE = 0.1  # seconds between two taps of a phone
ALLOWED = {"429", "503"}
LISTENING: LiteralString = "SELECT pid FROM pg_stat_activity WHERE application_name = 'schnauz_turnier live'"
END_LISTENING: LiteralString = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'schnauz_turnier live'"
)


@dataclass(frozen=True, slots=True)
class Hosted:
    """A club, its phones by the number of their table, and what a reader of its public page was answered."""

    club: Club
    url: str
    phones: Mapping[int, Phone]
    answers: Counter[str] = field(default_factory=Counter)

    def stored(self, account: Account) -> Stored:
        rows: dict[int, list[tuple[str, str, dict[str, Any]]]] = {}
        with account.another_connection(self.club) as connection:
            for table, *entry in connection.execute(LOG):
                rows.setdefault(table, []).append((entry[0], entry[1], entry[2]))
        return rows

    async def read_for_ever(self) -> None:
        """Read the public page, so that each process keeps it, over a connection of its own each time."""
        headers = {"Connection": "close"}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=10, verify=False) as client:
            await read_for_ever(client, self.answers)

    def shows_everything(self) -> bool:
        """Whether the public page has the strokes of all phones, whichever process answers."""
        return all(self._page_shows_everything() for _ in range(2 * PROCESSES))

    def _page_shows_everything(self) -> bool:
        page = get(f"{self.url}/t/{SLUG}/")
        made = {table: strokes_made(phone).total() for table, phone in self.phones.items()}
        return page.status_code == 200 and strokes_on(page.text) == made


@dataclass(frozen=True, slots=True)
class Installation:
    """All that can be killed.

    hand: the thread of the faults. PostgreSQL ends with the thread that has started it, so it has to outlast the phones.
    """

    account: Account
    primary: Server
    pooler: Pooler
    web: Web
    clubs: Sequence[Hosted]
    hand: ThreadPoolExecutor

    @property
    def phones(self) -> list[Phone]:
        return [phone for hosted in self.clubs for phone in hosted.phones.values()]

    def listening(self) -> set[int]:
        return {pid for (pid,) in self.primary.ask(LISTENING)}

    def all_listen(self) -> bool:
        return len(self.listening()) == PROCESSES

    # --- the faults ---

    def kill_a_process(self) -> None:
        before = children_of(self.web)
        os.kill(min(before), signal.SIGKILL)
        assert wait_until(lambda: len(children_of(self.web)) == PROCESSES and children_of(self.web) != before)

    def kill_the_pooler(self) -> None:
        self.pooler.end(signal.SIGKILL)
        self.pooler.start()

    def kill_the_primary(self) -> None:
        self.primary.kill()
        self.primary.start()

    def cut_off_the_listeners(self) -> None:
        assert wait_until(self.all_listen)
        before = self.listening()
        self.primary.ask(END_LISTENING)
        assert wait_until(lambda: len(self.listening() - before) == PROCESSES)

    @property
    def faults(self) -> list[Callable[[], None]]:
        kills = [self.kill_a_process, self.kill_the_pooler, self.kill_the_primary]
        return [*kills, self.cut_off_the_listeners] * ROUNDS


@pytest.fixture
def primary(tmp_path: Path) -> Iterator[Server]:
    """A PostgreSQL of its own."""
    made = empty_data_dir()
    password = (made / "database.password").read_text()
    server = Server(Cluster.at(tmp_path / "primary"), free_port(), tmp_path / "primary.log", password)
    subprocess.run(["cp", "-a", made / "cluster", server.cluster.path], check=True)
    server.start()
    yield server
    server.end()


@pytest.fixture
def account_there(primary: Server) -> Account:
    primary.ask("CREATE ROLE clubs LOGIN CREATEROLE NOINHERIT PASSWORD 'clubs'")
    primary.ask("CREATE DATABASE clubs OWNER clubs")
    return Account("clubs", "clubs", "127.0.0.1", primary.port)


@pytest.fixture
def secrets(
    account_there: Account, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Mapping[Club, Mapping[int, str]]:
    """Make two clubs with the same tournament in play. Return the secrets by which phones enter, by table."""
    found = {}
    with django_db_blocker.unblock(), hosting_here(account_there):
        for slug in ("alpha", "beta"):
            club = create_club(slug, f"Verein {slug}", at=AT).club
            with in_club(club):
                tournament = TournamentFactory.create(slug=SLUG)
                ParticipantFactory.create_batch(TABLES * SEATS, tournament=tournament)
                a_round(tournament)
                tables = Table.objects.all()
                found[club] = {one.number: links.sheet_secret(one.pk, one.link_version) for one in tables}
    return found


@pytest.fixture
def installation(
    primary: Server, account_there: Account, secrets: Mapping[Club, Mapping[int, str]], tmp_path: Path
) -> Iterator[Installation]:
    there = account_there
    with a_pooler(there.host, there.port, there.name, there.password) as pooler:
        web = Web(tmp_path, ())
        web.command = program(
            "schnauz_turnier.serve", "127.0.0.1", str(web.port), "--processes", str(PROCESSES)
        )
        behind = Account(there.name, there.password, there.host, pooler.port)
        web.environment |= behind.variables("paths") | {
            "LISTEN_URL": there.url,
            "PUBLIC_URL": web.url,
            "DJANGO_SETTINGS_MODULE": "tests.served_without_backups",
        }
        clubs = []
        for club, tables in secrets.items():
            url = f"{web.url}/c/{club.slug}"
            phones = {table: Phone(url, secret, Random(table)) for table, secret in tables.items()}
            clubs.append(Hosted(club, url, phones))
        web.start()
        try:
            with ThreadPoolExecutor(1) as hand:
                installation = Installation(there, primary, pooler, web, clubs, hand)
                assert wait_until(installation.all_listen)
                yield installation
        finally:
            web.end()


# --- the evening ----------------------------------------------------------------------------------------------------


async def _play(installation: Installation) -> None:
    """Let all phones write during each fault, until all entries are answered. Two readers keep asking for the pages."""
    phones = installation.phones
    await asyncio.gather(*(phone.sit_down() for phone in phones))
    sending = [phone.send_for_ever() for phone in phones]
    reading = [hosted.read_for_ever() for hosted in installation.clubs]
    with tasks(*sending, *reading):
        for fault in installation.faults:
            await _write_during(fault, phones, installation.hand)
    for phone in phones:
        await phone.switch_off()


async def _write_during(fault: Callable[[], None], phones: Sequence[Phone], hand: ThreadPoolExecutor) -> None:
    """Let a fault come as soon as an entry is answered, and wait until all are."""
    before = sum(len(phone.answered) for phone in phones)

    def come() -> None:
        assert wait_until(lambda: sum(len(phone.answered) for phone in phones) > before)
        fault()

    coming = asyncio.get_running_loop().run_in_executor(hand, come)
    for _ in range(ENTRIES_A_FAULT):
        for phone in phones:
            phone.tap()
        await asyncio.sleep(PAUSE)
    await coming
    async with asyncio.timeout(PATIENCE):
        while any(phone.waiting for phone in phones):
            await asyncio.sleep(0.02)


def show_figures(installation: Installation, seconds: float, seconds_of_pages: float) -> None:
    phones = installation.phones
    figures = {
        "entries": sum(len(phone.made) for phone in phones),
        "faults": len(installation.faults),
        "sent again": sum(phone.counted["retries"] for phone in phones),
        "refused": dict(sum((phone.refusals for phone in phones), Counter())),
        "pages": dict(sum((hosted.answers for hosted in installation.clubs), Counter())),
        "longest answer": round(max(phone.longest for phone in phones), 2),
        "seconds": round(seconds, 1),
        "seconds until the pages show all": round(seconds_of_pages, 2),
    }
    logging.getLogger(__name__).info("%s", json.dumps(figures))


def test_no_entry_of_two_clubs_is_lost_doubled_or_in_the_other_club(installation: Installation) -> None:
    started = time.monotonic()
    asyncio.run(_play(installation))
    assert wait_until(installation.all_listen)
    played = time.monotonic()
    for hosted in installation.clubs:
        assert wait_until(hosted.shows_everything)
    show_figures(installation, played - started, time.monotonic() - played)
    for hosted in installation.clubs:
        reckoning = reckon(hosted.phones, hosted.stored(installation.account))
        assert reckoning.is_sound, (hosted.club.slug, str(reckoning))
        assert reckoning.made == TABLES * ENTRIES_A_FAULT * len(installation.faults)
    assert {status for phone in installation.phones for status in phone.refusals} <= ALLOWED
    pages = sum((hosted.answers for hosted in installation.clubs), Counter())
    assert {answer for answer in pages if answer.isdecimal()} <= {"200", *ALLOWED}


# --- the control ----------------------------------------------------------------------------------------------------


@pytest.fixture
def phones() -> tuple[Phone, Phone]:
    """Phones of two clubs, at tables of the same number. All of their entries are answered."""
    made = Phone("http://alpha", "", Random(1)), Phone("http://beta", "", Random(2))
    for phone in made:
        for _ in range(3):
            phone.tap()
        phone.answered = {entry.id: "recorded" for entry in phone.made}
    return made


def rows_of(phone: Phone) -> list[tuple[str, str, dict[str, Any]]]:
    return [(entry.id, entry.kind, entry.data) for entry in phone.made]


def test_the_reckoning_finds_an_entry_of_the_other_club(phones: tuple[Phone, Phone]) -> None:
    alpha, beta = phones
    assert reckon({1: alpha}, {1: rows_of(alpha)}).is_sound
    foreign = rows_of(beta)[0]
    reckoning = reckon({1: alpha}, {1: [*rows_of(alpha), foreign]})
    assert reckoning.strange == {foreign[0]}
    assert not reckoning.is_sound
    assert reckon({1: beta}, {1: rows_of(beta)[1:]}).lost == {foreign[0]}


def test_the_reckoning_finds_a_doubled_entry(phones: tuple[Phone, Phone]) -> None:
    alpha, _ = phones
    doubled = rows_of(alpha)[0]
    reckoning = reckon({1: alpha}, {1: [*rows_of(alpha), doubled]})
    assert reckoning.doubled == {doubled[0]}
    assert not reckoning.is_sound
