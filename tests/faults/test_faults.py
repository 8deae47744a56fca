"""Tests with kills of processes while phones write: no entry is lost, doubled, stuck or out of order.

As a control, the harness must detect the fault of a store that commits claim and effect separately.
"""

from collections.abc import Iterator

import pytest

from tests.faults.evening import Evening, Store, play, the_program, wrong_tallies
from tests.faults.moments import (
    EVERY_MOMENT,
    KILL_POINTS,
    Moment,
    database_between_commit_and_answer,
    web_after_answer,
    web_before_commit,
    web_between_commit_and_answer,
)
from tests.faults.split_store import the_control

TABLES = 10
ALONE = {
    moment: table for table, moment in enumerate((*KILL_POINTS, database_between_commit_and_answer), start=1)
}
TOGETHER = range(5, TABLES + 1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("faults")
    with the_program(folder, TABLES) as store:
        yield store


def killed_at(store: Store, moment: Moment) -> tuple[Evening, str]:
    """Send a single entry from a single phone with a kill at this moment. Return the run and the entry's outcome."""
    evening = play(store, tables=[ALONE[moment]], entries=1, plan=[moment], mischief=0, pause=0.05)
    assert evening.moments == {moment.__name__: 1}
    assert evening.reckoning.is_sound, evening.reckoning
    (phone,) = evening.phones.values()
    (outcome,) = phone.answered.values()
    return evening, outcome


def test_killed_before_the_commit_the_entry_was_never_there_and_is_recorded_later(store: Store) -> None:
    evening, outcome = killed_at(store, web_before_commit)
    assert outcome == "recorded"
    assert evening.counted("retries") > 0


def test_killed_with_9_between_commit_and_answer_the_entry_is_there_once(store: Store) -> None:
    evening, outcome = killed_at(store, web_between_commit_and_answer)
    assert outcome == "duplicate"
    assert evening.counted("retries") > 0


def test_killed_after_the_answer_what_was_answered_is_there(store: Store) -> None:
    evening, outcome = killed_at(store, web_after_answer)
    assert outcome == "recorded"
    assert evening.counted("retries") == 0


def test_a_database_that_dies_between_commit_and_answer_keeps_the_commit(store: Store) -> None:
    """The server loses the connection without the result; the phone gets no answer and retries."""
    evening, outcome = killed_at(store, database_between_commit_and_answer)
    assert outcome == "duplicate"
    assert evening.counted("retries") > 0


def test_an_evening_of_kills_loses_doubles_and_forgets_nothing(store: Store) -> None:
    evening = play(store, tables=TOGETHER, entries=24, plan=EVERY_MOMENT, pause=0.1)

    assert evening.reckoning.made == 144
    assert evening.reckoning.is_sound, evening.reckoning
    assert evening.moments == {moment.__name__: 1 for moment in EVERY_MOMENT}
    assert wrong_tallies(store, evening.phones) == []
    rebuilt, exported = store.web.commands_say(
        ("rebuild_results", "ausfall"), ("export_tournament", "ausfall")
    ).split("\n", 1)
    assert rebuilt == "no differences"
    again = exported.replace('"ausfall"', '"ausfall-wiederholt"', 1)
    store.web.command_says("import_tournament", "-", text=again)  # replays and checks every entry


def control(store: Store, order: str) -> Evening:
    with the_control(store.database, order, 4) as control:
        return play(control, tables=range(1, 5), entries=12, plan=KILL_POINTS, mischief=0.1, pause=0.1)


def test_a_store_that_commits_the_claim_before_the_effect_is_caught_losing(store: Store) -> None:
    reckoning = control(store, "claim_first").reckoning
    assert reckoning.lost
    assert not reckoning.doubled


def test_a_store_that_commits_the_effect_before_the_claim_is_caught_doubling(store: Store) -> None:
    reckoning = control(store, "effect_first").reckoning
    assert reckoning.doubled
    assert not reckoning.lost


def test_the_same_store_with_one_commit_for_both_gets_through(store: Store) -> None:
    assert control(store, "together").reckoning.is_sound
