"""A scribe's phone that sends entries without end: what it is told, and who notices it.

The phone is one that was let in and holds the pen. Beside it, another table's phone goes on writing.
"""

import json
from functools import partial
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from scoring.models import ParkedEntry, SheetEntry
from scoring.services.paper import type_in
from scoring.services.sheets import Sent, SheetRecorder, record, take_pen, write
from scoring.sheet_log import Coming, open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.races import at_once
from tests.scoring.pages import Staff, text_of
from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

PRESETS = ("schnauz-placing", "konradsreuth", "knockout", "fce", "schafkopf")
RANKS = ("ranked", {"ranks": {str(seat): seat for seat in range(1, 6)}})


def stroke(seat: int = 1) -> dict[str, Any]:
    return _entry("stroke", {"seat_number": seat, "mark": "schnauz"})


def confirmation(seat: int = 1) -> dict[str, Any]:
    return _entry("confirmed", {"seat_number": seat})


def _entry(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"id": str(uuid4()), "kind": kind, "data": data, "made_at": "2026-11-21T19:30:00Z"}


def phone_at(table: Table) -> Client:
    """Return a phone that has entered and holds the pen under epoch 1."""
    phone = Client()
    _post(phone, "/s/enter", {"secret": links.sheet_secret(table.pk, table.link_version)})
    _post(phone, "/s/pen", {})
    return phone


def send(phone: Client, entries: list[dict[str, Any]]) -> Any:
    return _post(phone, "/s/entries", {"pen_epoch": 1, "entries": entries})


def _post(phone: Client, address: str, body: Any) -> Any:
    return phone.post(address, json.dumps(body), content_type="application/json")


def told(answer: Any) -> list[str]:
    """Return the outcome of each entry, or the code of its refusal."""
    return [one.get("code") or one["outcome"] for one in answer.json()["results"]]


def stored(table: Table) -> int:
    return SheetEntry.objects.filter(sheet__table=table).count()


@pytest.fixture
def desk(db: None) -> Staff:
    """Create two tables of five, released."""
    desk = Staff(10)
    desk.draw()
    return desk


@pytest.fixture
def small(settings: Settings) -> Settings:
    """Lower the limits, so that a test reaches them with few entries."""
    settings.MOST_ENTRIES, settings.MORE_ENTRIES_OF_ORGANISER, settings.MOST_PARKED_ENTRIES = 20, 40, 10
    return settings


# --- how much is enough --------------------------------------------------------------------------------------------


def longest_evening(rules: Ruleset) -> tuple[int, int]:
    """Return the most entries of one table: without a mistake, and with each deal taken back and written again."""
    seats, lives = max(rules.tables.sizes), rules.sheet.lives
    deals = rules.sheet.fixed_deals or seats * ((lives or 0) + 1) - 1
    approved = 8
    at_the_end = 2 * (seats + len(("submitted", "accepted"))) + len(("reopened",)) + 2 * seats
    return deals + approved + seats + 2, 3 * deals + approved + at_the_end


@pytest.mark.parametrize("name", PRESETS)
def test_the_limit_is_twenty_times_an_evening_and_eight_times_one_full_of_mistakes(
    name: str, settings: Settings
) -> None:
    plain, clumsy = longest_evening(preset(name))
    assert 20 * plain <= settings.MOST_ENTRIES
    assert 8 * clumsy <= settings.MOST_ENTRIES
    assert 2 * clumsy <= settings.MOST_PARKED_ENTRIES


# --- the attack ----------------------------------------------------------------------------------------------------


def test_three_requests_of_6000_entries_each_are_refused_and_nobody_notices(desk: Staff) -> None:
    attacker, neighbour = phone_at(desk.table(1)), phone_at(desk.table(2))
    send(attacker, [stroke()])
    before = _queries_of_the_board(desk)

    for _ in range(3):
        answer = send(attacker, [confirmation() for _ in range(6_000)])
        assert (answer.status_code, "1000 Einträge" in answer.json()["error"]) == (413, True)
        assert told(send(neighbour, [stroke()])) == ["recorded"]

    assert (stored(desk.table(1)), stored(desk.table(2))) == (1, 3)
    assert _queries_of_the_board(desk) == before


def test_many_small_requests_end_at_the_limit_and_nobody_notices(desk: Staff) -> None:
    attacker, neighbour = phone_at(desk.table(1)), phone_at(desk.table(2))
    outcomes = told(send(attacker, [stroke()]))
    before = _queries_of_the_board(desk)

    for _ in range(6):
        answer = send(attacker, [stroke(seat % 5 + 1) for seat in range(200)])
        outcomes += told(answer)
        assert told(send(neighbour, [stroke()])) == ["recorded"]

    assert outcomes == 1_000 * ["recorded"] + 201 * ["sheet_is_full"]
    assert "auf Papier weiterschreiben" in answer.json()["results"][-1]["reason"]
    assert (stored(desk.table(1)), stored(desk.table(2))) == (1_000, 6)
    assert _queries_of_the_board(desk) == before
    overview = text_of(desk.get("overview"))
    assert "Ein Tisch wartet auf Sie" in overview
    assert "Die Tischliste ist voll" in text_of(desk.get("round", 1))


def test_without_the_limits_the_log_would_take_everything(desk: Staff, settings: Settings) -> None:
    """Control: the same requests are recorded where the limits are high."""
    settings.MOST_ENTRIES = settings.MOST_ENTRIES_AT_ONCE = 10**6
    attacker = phone_at(desk.table(1))

    for _ in range(2):
        assert set(told(send(attacker, [stroke() for _ in range(1_000)]))) == {"recorded"}

    assert stored(desk.table(1)) == 2_000


def test_confirmations_again_and_again_are_stored_once(desk: Staff) -> None:
    phone = phone_at(desk.table(1))

    outcomes = told(send(phone, [confirmation(seat % 5 + 1) for seat in range(200)]))

    assert outcomes == 5 * ["recorded"] + 195 * ["duplicate"]
    assert stored(desk.table(1)) == 5


def _queries_of_the_board(desk: Staff) -> tuple[int, int, int]:
    """Return the number of queries of the overview, the round and the table's sheet."""
    counts = []
    for name, args in (("overview", ()), ("round", (1,)), ("sheet", (1, 1))):
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(name, *args).status_code == 200
        counts.append(len(queries))
    return counts[0], counts[1], counts[2]


# --- what a full sheet leaves possible -----------------------------------------------------------------------------


def test_the_organiser_finishes_a_full_sheet(desk: Staff, small: Settings) -> None:
    table = desk.table(1)
    phone = phone_at(table)
    assert told(send(phone, [stroke() for _ in range(20)])) == 20 * ["recorded"]

    first = SheetEntry.objects.filter(sheet__table=table).earliest("sequence")
    write(table, [("voided", {"entry": str(first.entry_id), "reason": "Unsinn"})], by="o", at=AT)
    type_in(table, [RANKS], replace=True, reason="vom Papier", by="o", at=AT)
    write(table, [("reopened", {"reason": "Nachgezählt"}), ("accepted", {"reason": "Stimmt"})], by="o", at=AT)

    sheet = open_sheet(table.pk)
    assert (sheet.log.phase, sum(score.strokes for score in sheet.log.results)) == ("accepted", 0)


def test_the_reserve_of_the_organiser_ends_as_well(desk: Staff, small: Settings) -> None:
    table = desk.table(1)
    with pytest.raises(Refusal, match="sheet_takes_no_more") as caught:
        write(table, [("stroke", {"seat_number": 1, "mark": "feuer"})] * 61, by="o", at=AT)
    assert caught.value.params == {"most": 60}
    assert stored(table) == 0


def test_what_is_on_a_full_sheet_is_still_a_duplicate(desk: Staff, small: Settings) -> None:
    phone = phone_at(desk.table(1))
    entries = [stroke() for _ in range(25)]
    first = told(send(phone, entries))
    assert first == 20 * ["recorded"] + 5 * ["sheet_is_full"]
    assert told(send(phone, entries)) == 20 * ["duplicate"] + 5 * ["sheet_is_full"]


# --- parked entries ------------------------------------------------------------------------------------------------


def test_parked_entries_end_at_a_limit_of_their_own(desk: Staff, small: Settings) -> None:
    phone, other = phone_at(desk.table(1)), Client()
    _post(other, "/s/enter", {"secret": links.sheet_secret(desk.table(1).pk, desk.table(1).link_version)})
    _post(other, "/s/pen", {})
    late = [stroke() for _ in range(12)]

    assert told(send(phone, late)) == 10 * ["parked"] + 2 * ["too_many_parked"]
    assert told(send(phone, late)) == 10 * ["parked"] + 2 * ["too_many_parked"]
    assert ParkedEntry.objects.filter(sheet__table=desk.table(1)).count() == 10


# --- two requests at once ------------------------------------------------------------------------------------------


def _tournament_in_play() -> tuple[Tournament, Table]:
    tournament = TournamentFactory.create(slug=f"flut-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    return tournament, a_round(tournament).tables.get()


def _strokes(count: int) -> list[Sent]:
    return [Sent(str(uuid4()), "stroke", {"seat_number": 1, "mark": "feuer"}, AT) for _ in range(count)]


@pytest.mark.usefixtures("committed")
def test_two_requests_at_once_do_not_go_beyond_the_limit(small: Settings) -> None:
    for _ in range(5):
        _tournament, table = _tournament_in_play()
        take_pen(table, device="a", at=AT)
        writes = [partial(record, table, _strokes(15), device="a", pen_epoch=1, at=AT) for _ in range(2)]
        assert not [answer for answer in at_once(*writes) if isinstance(answer, Exception)]
        assert stored(table) == 20


@pytest.mark.usefixtures("committed")
def test_two_phones_that_park_at_once_do_not_go_beyond_the_limit(small: Settings) -> None:
    for _ in range(5):
        _tournament, table = _tournament_in_play()
        for device in "abc":
            take_pen(table, device=device, at=AT)
        late = [
            partial(record, table, _strokes(8), device=device, pen_epoch=epoch, at=AT)
            for device, epoch in (("a", 1), ("b", 2))
        ]
        assert not [answer for answer in at_once(*late) if isinstance(answer, Exception)]
        assert ParkedEntry.objects.filter(sheet__table=table).count() == 10


@pytest.mark.usefixtures("committed")
def test_without_the_lock_two_phones_would_park_beyond_the_limit(small: Settings) -> None:
    """Control: both count before either of them stores."""
    _tournament, table = _tournament_in_play()
    for device in "abc":
        take_pen(table, device=device, at=AT)
    both_have_counted = Barrier(2, timeout=60)

    def park(device: str, epoch: int) -> None:
        late = _strokes(8)
        with transaction.atomic():
            sheet = open_sheet(table.pk, coming=Coming([one.id for one in late], device, epoch))
            recorder = SheetRecorder(sheet, device=device, pen_epoch=epoch, at=AT)
            assert {recorder.take(one).outcome for one in late} == {"parked"}
            both_have_counted.wait()
            recorder.save()

    assert at_once(partial(park, "a", 1), partial(park, "b", 2)) == [None, None]
    assert ParkedEntry.objects.filter(sheet__table=table).count() == 16
