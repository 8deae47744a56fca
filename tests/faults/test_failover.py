"""Tests of a standby that is promoted while phones write and nothing more reaches it from the server that dies.

With synchronous replication nothing that was answered is lost. The control, with asynchronous replication, loses it.
"""

from collections.abc import Iterator
from typing import LiteralString

import pytest

from schnauz_turnier.postgresql.database import NAME
from tests.faults.crowd import Crowd, meanwhile
from tests.faults.evening import Store, filled
from tests.faults.house import Web, program, wait_until
from tests.faults.standby import Pair
from tests.faults.test_several_processes import is_ready

ENTRIES: LiteralString = "SELECT count(*) FROM scoring_sheetentry"
NOTHING: LiteralString = "SELECT 0"
WAITING: LiteralString = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    pair = Pair(tmp_path_factory.mktemp("pair"))
    try:
        yield pair
    finally:
        pair.end()


@pytest.fixture(scope="module")
def store(pair: Pair) -> Iterator[Store]:
    """The program with the address of both servers."""
    web = Web(pair.folder, program())
    web.environment["DATABASE_URL"] = pair.url
    web.start()
    try:
        yield filled(web, pair, 4)
    finally:
        web.end()


@pytest.fixture(autouse=True)
def standby(pair: Pair, store: Store) -> None:
    """Make a standby of the server that is left after an earlier test."""
    if pair.standby.process is None or pair.standby.process.poll() is not None:
        pair.follow()


def fail_over(
    pair: Pair,
    store: Store,
    *,
    is_cut_off: LiteralString,
    besides: LiteralString,
    at_least: int,
    tables: tuple[int, ...],
) -> Crowd:
    """Kill the primary as soon as it has so many more of something, `is_cut_off`, that the standby does not get.

    besides: those that the standby may yet get, as it lags behind with what was sent before.
    """

    def happen() -> None:
        pair.hold_up_replication()
        [[before]] = pair.primary.ask(besides, name=NAME)
        assert wait_until(lambda: pair.primary.ask(is_cut_off, name=NAME)[0][0] >= before + at_least)
        pair.primary.kill()
        pair.promote()

    return meanwhile(store, happen, tables=tables, viewers=0)


def test_with_synchronous_replication_nothing_that_was_answered_is_lost(pair: Pair, store: Store) -> None:
    pair.wait_for_standby()
    crowd = fail_over(pair, store, is_cut_off=WAITING, besides=NOTHING, at_least=1, tables=(1, 2))
    assert crowd.reckoning.is_sound, crowd.reckoning
    assert wait_until(lambda: is_ready(store.web))


def test_with_asynchronous_replication_the_last_answered_entries_are_lost(pair: Pair, store: Store) -> None:
    crowd = fail_over(pair, store, is_cut_off=ENTRIES, besides=ENTRIES, at_least=3, tables=(3, 4))
    assert crowd.reckoning.lost
    assert not crowd.reckoning.doubled
    assert not crowd.reckoning.stuck
    assert wait_until(lambda: is_ready(store.web))
