"""More calls of phones than the program can answer: each is told at once, and nothing is lost or doubled.

The flood waits for the lock of a table, which another transaction holds, so that no thread is free.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from pytest_django import Settings

from schnauz_turnier.web.django_threads import THREADS
from schnauz_turnier.web.guest_line import GuestLine
from schnauz_turnier.web.outages import RETRY_AFTER
from schnauz_turnier.web.phone_calls import PhoneCalls, table_of
from scoring.models import SheetEntry
from scoring.services.sheets import take_pen
from tests.conftest import url_of_test_database
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments import links
from tournaments.models import Table

MOST = 10
FLOOD = 40

pytestmark = pytest.mark.usefixtures("committed")

Ask = Callable[[dict[str, Any]], Coroutine[Any, Any, tuple[int, dict[str, str], Any]]]


@pytest.fixture
def table() -> Table:
    tournament = TournamentFactory.create(slug=f"andrang-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    take_pen(table, device="a", at=AT)
    return table


def all_phones(line_of: Callable[[Any], Any] = table_of) -> PhoneCalls:
    return PhoneCalls(
        _nothing_else, GuestLine(), pages="/s/", calls={"/s/entries"}, entering="/s/enter", line_of=line_of
    )


def phone_of(table: Table, language: str = "de", calls: PhoneCalls | None = None) -> Ask:
    """Return a function that sends one entry, and returns status, headers and JSON of the answer."""
    calls = calls or all_phones()
    cookie = f"sheet={links.PhonePass(table.pk, table.link_version, 'a').to_cookie()}"

    async def ask(entry: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"body": json.dumps({"pen_epoch": 1, "entries": [entry]}).encode()}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = {
            "host": "localhost",
            "cookie": cookie,
            "content-type": "application/json",
            "accept-language": language,
        }
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/s/entries",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        await calls(scope, receive, send)
        told = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], told, json.loads(sent[1]["body"])

    return ask


async def _nothing_else(*_arguments: Any) -> None:
    raise AssertionError("only the phone is asked")


def strokes() -> list[dict[str, Any]]:
    data = {"seat_number": 1, "mark": "schnauz"}
    made_at = "2026-11-21T19:30:00Z"
    return [{"id": str(uuid4()), "kind": "stroke", "data": data, "made_at": made_at} for _ in range(FLOOD)]


def stored(table: Table) -> list[str]:
    rows = SheetEntry.objects.filter(sheet__table=table).order_by("sequence")
    return [str(entry_id) for entry_id in rows.values_list("entry_id", flat=True)]


async def flood(ask: Ask, entries: list[dict[str, Any]], table: Table, told_at_once: int) -> list[Any]:
    """Send all while another transaction holds the table's lock, until so many are answered; then let it go."""
    with psycopg.connect(url_of_test_database()) as other:
        other.execute("SELECT FROM tournaments_table WHERE id = %s FOR UPDATE", [table.pk])
        asked = [asyncio.create_task(ask(entry)) for entry in entries]
        while sum(task.done() for task in asked) < told_at_once:
            await asyncio.wait(
                [task for task in asked if not task.done()], return_when=asyncio.FIRST_COMPLETED
            )
        await asyncio.sleep(0)
        assert sum(task.done() for task in asked) == told_at_once
    return await asyncio.gather(*asked)


@pytest.mark.parametrize(
    ("limit", "language", "sentence"),
    [
        ("PHONE_CALLS", "de", "Das Turnier kann gerade nicht antworten. Es wird weiter versucht."),
        ("PHONE_CALLS_OF_A_TABLE", "en", "The tournament cannot answer just now. It keeps trying."),
    ],
)
def test_who_would_wait_too_long_is_told_when_to_come_back(
    table: Table, settings: Settings, limit: str, language: str, sentence: str
) -> None:
    settings.PHONE_CALLS = settings.PHONE_CALLS_OF_A_TABLE = FLOOD
    setattr(settings, limit, MOST)
    ask, entries = phone_of(table, language), strokes()
    refused = FLOOD - MOST

    answers = asyncio.run(flood(ask, entries, table, told_at_once=refused))

    assert Counter(status for status, _, _ in answers) == {429: refused, 200: MOST}
    waits = set()
    for status, headers, said in answers:
        if status == 429:
            assert said == {"error": sentence}
            assert "no-store" in headers["cache-control"]
            assert headers["x-content-type-options"] == "nosniff"
            waits.add(int(headers["retry-after"]))
    assert len(waits) > 1
    least, most = RETRY_AFTER["database"]
    assert waits <= set(range(least, most + 1))


def test_what_is_sent_again_is_recorded_once(table: Table, settings: Settings) -> None:
    settings.PHONE_CALLS_OF_A_TABLE = MOST
    ask, entries = phone_of(table), strokes()

    async def until_all_are_answered() -> list[str]:
        outcomes: list[str] = []
        waiting = entries
        answers = await flood(ask, waiting, table, told_at_once=FLOOD - MOST)
        while waiting:
            outcomes += [said["results"][0]["outcome"] for status, _, said in answers if status == 200]
            answered = zip(waiting, answers, strict=True)
            waiting = [entry for entry, (status, _, _) in answered if status == 429]
            answers = await asyncio.gather(*map(ask, waiting))
        return outcomes

    assert asyncio.run(until_all_are_answered()) == ["recorded"] * FLOOD
    assert sorted(stored(table)) == sorted(entry["id"] for entry in entries)


def test_without_the_limit_all_of_them_would_wait(table: Table, settings: Settings) -> None:
    """Control: none is told anything before the lock is free."""
    settings.PHONE_CALLS = settings.PHONE_CALLS_OF_A_TABLE = 10**6
    ask, entries = phone_of(table), strokes()
    answers = asyncio.run(flood(ask, entries, table, told_at_once=0))
    assert {status for status, _, _ in answers} == {200}
    assert len(stored(table)) == FLOOD


@pytest.mark.parametrize(
    "line_of", [table_of, lambda _scope: 0], ids=["own line", "control: one line for all"]
)
def test_a_table_that_floods_holds_up_no_other(table: Table, line_of: Callable[[Any], Any]) -> None:
    """Its calls fill no thread but one."""
    calls = all_phones(line_of)
    tournament = TournamentFactory.create(slug=f"ruhe-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    other = a_round(tournament).tables.get()
    take_pen(other, device="a", at=AT)
    ask, ask_elsewhere = phone_of(table, calls=calls), phone_of(other, calls=calls)

    async def answered_during_the_flood() -> bool:
        with psycopg.connect(url_of_test_database()) as holder:
            holder.execute("SELECT FROM tournaments_table WHERE id = %s FOR UPDATE", [table.pk])
            flood = [asyncio.create_task(ask(entry)) for entry in strokes()[: THREADS + 3]]
            await asyncio.sleep(0)
            calm = asyncio.create_task(ask_elsewhere(strokes()[0]))
            await asyncio.wait([calm], timeout=None if line_of is table_of else 0.5)
            is_answered = calm.done()
        answers = await asyncio.gather(*flood, calm)
        assert {status for status, _, _ in answers} == {200}
        return is_answered

    assert asyncio.run(answered_during_the_flood()) == (line_of is table_of)


def test_a_cookie_that_is_forged_names_no_table(table: Table) -> None:
    own = links.PhonePass(table.pk, table.link_version, "a").to_cookie()
    for cookie, named in ((own, table.pk), (f"{own}x", None), ("", None)):
        assert table_of({"headers": [(b"cookie", f"a=b; sheet={cookie}".encode())]}) == named
