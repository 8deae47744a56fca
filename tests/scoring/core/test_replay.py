"""The replay of a log: the same as appending one by one, in a time that grows with the number of entries only."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given, settings

from scoring.core.entries import Entry
from scoring.core.sheet import SheetLog, SheetWriter, append, empty, replay
from tests.scoring.core.vectors import Log, entry_id, logs, seats_of, steps
from tests.scoring.core.writing import SCHNAUZ_PLACING, confirmed, knock, stroke, table_of, voided, written
from tournaments.core.refusal import Refusal

FEW, MANY = 100, 1_000
Maker = Callable[[int], Entry]


def calls_of(work: Callable[[], object]) -> int:
    """Count the calls of functions in Python and C; a generator counts once an item."""
    count = 0

    def counted(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def calls_of_replay(make: Maker, size: int) -> int:
    entries = [make(number) for number in range(size)]
    return calls_of(lambda: replay(SCHNAUZ_PLACING, seats_of(6), entries))


def confirmation(number: int) -> Entry:
    return Entry(entry_id(number), "confirmed", {"seat_number": number % 6 + 1}, "scribe")


def a_stroke(number: int) -> Entry:
    return Entry(entry_id(number), "stroke", {"seat_number": number % 6 + 1, "mark": "schnauz"}, "scribe")


def an_objection(number: int) -> Entry:
    return Entry(entry_id(number), "objected", {"seat_number": number % 6 + 1, "note": "Nein"}, "scribe")


def a_stroke_or_its_withdrawal(number: int) -> Entry:
    if number % 2:
        return Entry(entry_id(number), "voided", {"entry": entry_id(number - 1)}, "scribe")
    return a_stroke(number)


@pytest.mark.parametrize("make", [confirmation, a_stroke, an_objection, a_stroke_or_its_withdrawal])
def test_ten_times_the_entries_take_ten_times_the_calls(make: Maker) -> None:
    assert calls_of_replay(make, MANY) <= 1.05 * MANY / FEW * calls_of_replay(make, FEW)


def test_the_count_of_calls_finds_a_search_through_all_entries() -> None:
    """Control: the same replay, with a search for the id through the earlier entries before each."""

    def searching(size: int) -> int:
        def work() -> None:
            writer = SheetWriter(empty(SCHNAUZ_PLACING, seats_of(6)))
            for number in range(size):
                assert not any(earlier.id == entry_id(number) for earlier in writer.entries)
                writer.append(a_stroke(number))

        return calls_of(work)

    assert searching(MANY) > 2 * MANY / FEW * searching(FEW)


def test_a_writer_copies_nothing_that_it_has_written() -> None:
    writer = SheetWriter(table_of(6, stroke(1), confirmed(1)))
    facts, states, entries = writer.facts, writer.states, writer.entries

    writer.append(a_stroke(7))

    assert writer.facts is facts
    assert writer.states is states
    assert (len(facts), len(states), len(entries)) == (2, 3, 3)


@given(logs())
def test_a_replay_is_the_same_as_appending_one_by_one(log: Log) -> None:
    sheet, _refusals = steps(log)
    assert replay(log.ruleset, log.seats, sheet.entries) == sheet


@given(logs(longest=30))
@settings(max_examples=50)
def test_appending_never_changes_the_sheet_that_was_given(log: Log) -> None:
    sheets: list[SheetLog] = [empty(log.ruleset, log.seats)]
    for attempt in log.attempts:
        try:
            sheets.append(append(sheets[-1], attempt))
        except Refusal:
            continue
    for length, sheet in enumerate(sheets):
        assert sheet == replay(log.ruleset, log.seats, sheets[-1].entries[:length])


@given(logs(longest=40))
@settings(max_examples=50)
def test_what_a_writer_refuses_leaves_it_as_it_was(log: Log) -> None:
    writer = SheetWriter(empty(log.ruleset, log.seats))
    for attempt in log.attempts:
        before = writer.log
        try:
            writer.append(attempt)
        except Refusal:
            assert writer.log == before


def test_an_old_log_with_confirmations_that_repeat_is_still_valid() -> None:
    sheet = table_of(3, knock(1), *[confirmed(1)] * 5, confirmed(2))
    assert (sheet.confirmed, len(sheet.entries)) == (frozenset({1, 2}), 7)


def test_two_sheets_from_one_go_different_ways() -> None:
    common = table_of(3, knock(1), knock(2))
    one, other = written(common, voided(1)), written(common, knock(3))
    assert [fact.data["losers"] for fact in one.facts] == [[2]]
    assert [fact.data["losers"] for fact in other.facts] == [[1], [2], [3]]
    assert len(common.facts) == 2
