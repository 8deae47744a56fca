"""The replayed log that a process keeps: always that of the database, and opened with few statements."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from scoring import sheet_log
from scoring.core.entries import Entry
from scoring.core.sheet import SheetLog, replay
from scoring.models import ParkedEntry, SeatResult, SheetEntry
from scoring.phone.payload import phone_sheet
from scoring.services import parked_entries, sheets
from scoring.services.projection import rebuild_results
from scoring.services.purge import erase_person
from scoring.services.sheets import Sent
from scoring.sheet_log import Memory, entry_of, keep_on_commit, open_sheet
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset

AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("committed")


def a_table() -> Table:
    """Return the table of five of a new tournament, whose phone "a" has the pen under epoch 1."""
    tournament = TournamentFactory.create(slug=f"merken-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    sheets.take_pen(table, device="a", at=AT)
    return table


def stroke(seat: int = 1, entry_id: str = "") -> Sent:
    return Sent(entry_id or str(uuid4()), "stroke", {"seat_number": seat, "mark": "schnauz"}, AT)


def send(table: Table, *entries: Sent, epoch: int = 1) -> list[str]:
    outcomes, _ = sheets.record(table, entries, device="a", pen_epoch=epoch, at=AT)
    return [one.outcome for one in outcomes]


def stored(table: Table) -> SheetLog:
    """Return the log as the database has it, replayed from the beginning."""
    tournament = Tournament.objects.get(rounds__tables=table)
    rows = SheetEntry.objects.filter(sheet__table=table).order_by("sequence")
    numbers = table.seats.order_by("seat_number").values_list("seat_number", flat=True)
    return replay(tournament.rules, tuple(numbers), map(entry_of, rows))


@pytest.fixture(autouse=True)
def own_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_log, "logs", Memory())


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


def test_a_process_that_has_not_seen_the_sheet_asks_for_its_entries_once() -> None:
    table = a_table()
    send(table, *(stroke() for _ in range(20)))
    sheet_log.logs.clear()
    for_all = statements_of(lambda: send(table, stroke()))
    assert (for_all, statements_of(lambda: send(table, stroke()))) == (
        ["BEGIN", "SELECT", "SELECT", "WITH", "COMMIT"],
        ["BEGIN", "SELECT", "WITH", "COMMIT"],
    )


def test_only_results_that_have_changed_are_written() -> None:
    table = a_table()
    send(table, stroke(1))
    before = dict(SeatResult.objects.filter(sheet__table=table).values_list("seat__seat_number", "strokes"))
    SeatResult.objects.filter(sheet__table=table, seat__seat_number=3).update(strokes=7)
    send(table, stroke(2))
    after = dict(SeatResult.objects.filter(sheet__table=table).values_list("seat__seat_number", "strokes"))
    assert (before, after) == ({1: 1, 2: 0, 3: 0, 4: 0, 5: 0}, {1: 1, 2: 1, 3: 7, 4: 0, 5: 0})
    assert len(rebuild_results(Tournament.objects.get(rounds__tables=table))) == 1


# --- what is kept is what is stored --------------------------------------------------------------------------------


class Rollback(Exception):
    """Ends a transaction without committing it."""


def _organiser(table: Table, kind: str, seat: int) -> None:
    facts = SheetEntry.objects.filter(sheet__table=table, kind="stroke")
    fact = facts.order_by("-sequence")[seat % 3 : seat % 3 + 1].first()
    named = str(fact.entry_id) if fact else str(uuid4())
    choices: dict[str, dict[str, Any]] = {
        "stroke": {"seat_number": seat, "mark": "schnauz"},
        "voided": {"entry": named, "reason": "Unsinn"},
        "corrected": {
            "entry": named,
            "reason": "war anders",
            "data": {"seat_number": seat, "mark": "schnauz"},
        },
    }
    sheets.write(table, [(kind, choices[kind])], by="o", at=AT)


def _decide(table: Table, *, adopts: bool) -> None:
    tournament = Tournament.objects.get(rounds__tables=table)
    parked = ParkedEntry.objects.filter(sheet__table=table, outcome="").first()
    decide = parked_entries.adopt if adopts else parked_entries.discard
    if parked:
        decide(tournament, parked.pk, reason="so", by="o", at=AT)


def _lost(table: Table, seat: int) -> None:
    with suppress(Rollback), transaction.atomic():
        send(table, stroke(seat), stroke(seat), epoch=open_sheet(table.pk).row.pen_epoch)
        raise Rollback


def _new_pen(table: Table, _seat: int) -> None:
    sheets.free_pen(table, at=AT)
    sheets.take_pen(table, device="a", at=AT)


DEEDS: dict[str, Callable[[Table, int], Any]] = {
    "phone": lambda table, seat: send(table, stroke(seat), epoch=open_sheet(table.pk).row.pen_epoch),
    "late": lambda table, seat: send(table, stroke(seat), epoch=1),
    "phone takes back": lambda table, seat: send(
        table,
        *(
            Sent(str(uuid4()), "voided", {"entry": entry.id}, AT)
            for entry in open_sheet(table.pk).log.entries[-1:]
        ),
        epoch=open_sheet(table.pk).row.pen_epoch,
    ),
    "organiser": lambda table, seat: _organiser(table, "stroke", seat),
    "organiser takes back": lambda table, seat: _organiser(table, "voided", seat),
    "correction": lambda table, seat: _organiser(table, "corrected", seat),
    "adopt": lambda table, _seat: _decide(table, adopts=True),
    "discard": lambda table, _seat: _decide(table, adopts=False),
    "rollback": _lost,
    "new pen": _new_pen,
}


@hypothesis_settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(sorted(DEEDS)), st.integers(1, 5), st.integers(0, 1)), max_size=12))
def test_two_processes_have_the_log_of_the_database_after_any_deeds(
    deeds: list[tuple[str, int, int]],
) -> None:
    """Each process keeps logs of its own; what one of them writes, the other has to notice."""
    table, processes = a_table(), (Memory[SheetLog](), Memory[SheetLog]())
    for deed, seat, process in deeds:
        sheet_log.logs = processes[process]
        with suppress(Refusal):
            DEEDS[deed](table, seat)
        expected = stored(table)
        for memory in (*processes, *processes):
            sheet_log.logs = memory
            assert open_sheet(table.pk).log == expected
    assert rebuild_results(Tournament.objects.get(rounds__tables=table)) == []


def _two_that_are_lost(table: Table) -> tuple[Sent, Sent]:
    """Write two entries in a transaction that fails; another process stores the second one after another first one."""
    lost, second = stroke(1), stroke(2)
    with suppress(Rollback), transaction.atomic():
        send(table, lost, second)
        raise Rollback
    here, sheet_log.logs = sheet_log.logs, Memory()
    send(table, stroke(5), second)
    sheet_log.logs = here
    return lost, second


def test_what_was_rolled_back_is_not_kept() -> None:
    table = a_table()
    _two_that_are_lost(table)
    assert open_sheet(table.pk).log == stored(table)


def test_kept_before_the_commit_it_would_stand_for_another_log() -> None:
    """Control: length and last entry are those of the stored log."""
    table = a_table()
    lost, second = _two_that_are_lost(table)
    sheet = open_sheet(table.pk)
    wrong = replace_first(sheet.log, lost)
    sheet_log.logs.keep(sheet.row.pk, wrong, 2)
    assert (wrong.entries[-1].id, open_sheet(table.pk).log) == (second.id, wrong)
    assert wrong != stored(table)


def replace_first(log: SheetLog, sent: Sent) -> SheetLog:
    first = Entry(sent.id, sent.kind, sent.data, "scribe", made_at=sent.made_at)
    return replay(log.ruleset, log.seats, [first, *log.entries[1:]])


def test_a_log_that_the_database_does_not_have_is_not_used() -> None:
    table, other = a_table(), a_table()
    for one in (table, other):
        send(one, stroke(1), stroke(2))
    row = open_sheet(table.pk).row
    for wrong in (open_sheet(other.pk).log, _longer(open_sheet(table.pk).log)):
        sheet_log.logs.keep(row.pk, wrong, len(wrong.entries))
        assert open_sheet(table.pk).log == stored(table)


def _longer(log: SheetLog) -> SheetLog:
    more = Entry(str(uuid4()), "stroke", {"seat_number": 1, "mark": "feuer"}, "scribe", made_at=AT)
    return replay(log.ruleset, log.seats, [*log.entries, more])


def test_other_rules_replay_the_log_anew() -> None:
    table = a_table()
    send(table, stroke(1))
    Tournament.objects.filter(rounds__tables=table).update(ruleset=preset("konradsreuth").to_dict())
    assert open_sheet(table.pk).log == stored(table)
    assert open_sheet(table.pk).log.ruleset == preset("konradsreuth")


# --- free text -----------------------------------------------------------------------------------------------------


def with_a_note(table: Table) -> None:
    note = Sent(str(uuid4()), "objected", {"seat_number": 2, "note": "Der Huber schwindelt"}, AT)
    send(table, stroke(1), note, stroke(2))
    assert "Der Huber schwindelt" in phone_sheet(open_sheet(table.pk), "a")


def test_a_text_that_is_erased_is_not_shown_from_memory() -> None:
    table = a_table()
    with_a_note(table)
    erase_person(Tournament.objects.get(rounds__tables=table), 1)
    sheet = open_sheet(table.pk)
    assert sheet.log == stored(table)
    assert "Huber" not in phone_sheet(sheet, "a")
    assert [entry.data.get("note") for entry in sheet.log.entries] == [None, "–", None]


def test_a_log_kept_with_its_texts_would_show_them_for_ever() -> None:
    """Control: nothing else than the text has changed."""
    table = a_table()
    with_a_note(table)
    sheet = open_sheet(table.pk)
    sheet_log.logs.keep(sheet.row.pk, sheet.log, 3)
    erase_person(Tournament.objects.get(rounds__tables=table), 1)
    assert "Huber" in phone_sheet(open_sheet(table.pk), "a")


# --- the memory ----------------------------------------------------------------------------------------------------


def test_the_memory_has_an_end() -> None:
    memory: Memory[str] = Memory(most=10)
    for sheet_id in range(4):
        memory.keep(sheet_id, "log", 3)
    assert [memory.get(sheet_id) for sheet_id in range(4)] == [None, "log", "log", "log"]
    memory.keep(2, "longer", 4)
    memory.get(1)
    memory.keep(4, "log", 3)
    assert [memory.get(sheet_id) for sheet_id in range(5)] == [None, "log", "longer", None, "log"]
    memory.keep(5, "too long", 11)
    assert [memory.get(sheet_id) for sheet_id in range(6)] == [None] * 6


def test_a_log_is_kept_only_when_its_transaction_is_committed() -> None:
    table = a_table()
    send(table, stroke())
    sheet = open_sheet(table.pk)
    sheet_log.logs.clear()
    with transaction.atomic():
        keep_on_commit(sheet.row, sheet.log)
        assert sheet_log.logs.get(sheet.row.pk) is None
    assert sheet_log.logs.get(sheet.row.pk) is sheet.log
