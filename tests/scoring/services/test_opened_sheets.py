"""Opening a sheet and writing on it: the statements that it takes, and what they write."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import SeatResult
from scoring.phone.payload import phone_sheet
from scoring.services import sheets
from scoring.services.projection import rebuild_results
from scoring.services.purge import erase_person
from scoring.services.sheets import Sent
from scoring.sheet_log import open_sheet
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Table, Tournament

AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("committed")


def a_table() -> Table:
    """Return the table of five of a new tournament, whose phone "a" has the pen under epoch 1."""
    tournament = TournamentFactory.create(slug=f"merken-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    sheets.take_pen(table, device="a", at=AT)
    return table


def stroke(seat: int = 1) -> Sent:
    return Sent(str(uuid4()), "stroke", {"seat_number": seat, "mark": "schnauz"}, AT)


def send(table: Table, *entries: Sent) -> None:
    sheets.record(table, entries, device="a", pen_epoch=1, at=AT)


# --- statements ----------------------------------------------------------------------------------------------------


def statements_of(work: Callable[[], Any]) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        work()
    return [query["sql"].split()[0] for query in asked.captured_queries]


@pytest.mark.parametrize("length", [0, 1, 20, 200])
def test_a_result_takes_four_statements_however_long_the_log_is(length: int) -> None:
    table = a_table()
    send(table, *(stroke() for _ in range(length)))
    assert statements_of(lambda: send(table, stroke(2))) == ["BEGIN", "SELECT", "WITH", "COMMIT"]
    assert statements_of(lambda: open_sheet(table.pk)) == ["SELECT"]


def test_the_first_entry_of_a_table_creates_its_sheet_with_the_same_statements() -> None:
    tournament = TournamentFactory.create(slug=f"merken-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    first = [("stroke", {"seat_number": 1, "mark": "schnauz"})]
    locks_tournament, raises_epoch = "SELECT", ["UPDATE", "INSERT"]
    asked = statements_of(lambda: sheets.write(table, first, by="o", at=AT))
    assert asked == ["BEGIN", locks_tournament, "SELECT", *raises_epoch, "WITH", "COMMIT"]


def test_only_results_that_have_changed_are_written() -> None:
    table = a_table()
    send(table, stroke(1))
    before = dict(SeatResult.objects.filter(sheet__table=table).values_list("seat__seat_number", "strokes"))
    SeatResult.objects.filter(sheet__table=table, seat__seat_number=3).update(strokes=7)
    send(table, stroke(2))
    after = dict(SeatResult.objects.filter(sheet__table=table).values_list("seat__seat_number", "strokes"))
    assert (before, after) == ({1: 1, 2: 0, 3: 0, 4: 0, 5: 0}, {1: 1, 2: 1, 3: 7, 4: 0, 5: 0})
    assert len(rebuild_results(Tournament.objects.get(rounds__tables=table))) == 1


# --- free text -----------------------------------------------------------------------------------------------------


def test_a_text_that_is_erased_is_gone_from_the_opened_sheet() -> None:
    table = a_table()
    note = Sent(str(uuid4()), "objected", {"seat_number": 2, "note": "Der Huber schwindelt"}, AT)
    send(table, stroke(1), note, stroke(2))
    assert "Der Huber schwindelt" in phone_sheet(open_sheet(table.pk), "a")
    erase_person(Tournament.objects.get(rounds__tables=table), 1, by="leitung", at=AT)
    sheet = open_sheet(table.pk)
    assert "Huber" not in phone_sheet(sheet, "a")
    assert [entry.data.get("note") for entry in sheet.log.entries] == [None, "–", None]
