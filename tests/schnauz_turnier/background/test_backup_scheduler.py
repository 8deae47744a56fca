"""Tests of the backup scheduler: soon after a change, at most one backup per period, retries after a failure."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest

from schnauz_turnier.background.backup_scheduler import BackupScheduler

PERIOD = timedelta(seconds=0.2)
LONG = timedelta(hours=1)


class Folder:
    """A fake backup function that records the slugs of each call, or fails."""

    def __init__(self, *failures: Exception) -> None:
        self.tries: list[list[str]] = []
        self.failures = list(failures)

    def back_up(self, slugs: frozenset[str]) -> bool:
        self.tries.append(sorted(slugs))
        if self.failures:
            raise self.failures.pop(0)
        return True

    async def until(self, tries: int) -> None:
        while len(self.tries) < tries:
            await asyncio.sleep(0.01)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 30))


def test_one_at_the_start_and_then_one_for_all_the_news_of_a_period() -> None:
    folder = Folder()

    async def evening() -> None:
        scheduler = BackupScheduler(folder.back_up, period=PERIOD, idle=LONG)
        scheduler.start()
        await folder.until(1)
        for _ in range(50):
            scheduler.note("abend", "sheet")
            scheduler.note("morgen", "sheet")
        await folder.until(2)
        await asyncio.sleep(3 * PERIOD.total_seconds())
        await scheduler.stop()

    run(evening())
    assert folder.tries == [[], ["abend", "morgen"]]


def test_one_that_fails_is_logged_and_tried_again_for_the_same(caplog: pytest.LogCaptureFixture) -> None:
    folder = Folder(FileNotFoundError("stick"))

    async def evening() -> None:
        scheduler = BackupScheduler(folder.back_up, period=PERIOD, idle=LONG)
        scheduler.note("abend", "sheet")
        scheduler.start()
        await folder.until(2)
        await scheduler.stop()

    run(evening())
    assert folder.tries == [["abend"], ["abend"]]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_what_another_process_saves_is_asked_for_again_until_it_is_our_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries: list[list[str]] = []

    def back_up(slugs: frozenset[str]) -> bool:
        tries.append(sorted(slugs))
        return len(tries) == 3

    async def evening() -> None:
        scheduler = BackupScheduler(back_up, period=PERIOD, idle=LONG)
        scheduler.note("abend", "sheet")
        scheduler.start()
        while len(tries) < 3:
            await asyncio.sleep(0.01)
        scheduler.note("morgen", "sheet")
        while len(tries) < 4:
            await asyncio.sleep(0.01)
        await scheduler.stop()

    run(evening())
    assert tries[:4] == [["abend"], ["abend"], ["abend"], ["morgen"]]
    assert not caplog.records


def test_without_news_it_looks_again_after_a_while() -> None:
    folder = Folder()

    async def evening() -> None:
        scheduler = BackupScheduler(folder.back_up, period=timedelta(0), idle=PERIOD)
        scheduler.start()
        await folder.until(2)
        await scheduler.stop()

    run(evening())
    assert folder.tries[:2] == [[], []]


def test_what_is_new_goes_into_a_last_one_when_the_server_ends() -> None:
    folder = Folder()

    async def evening() -> None:
        scheduler = BackupScheduler(folder.back_up, period=LONG, idle=LONG)
        scheduler.start()
        await folder.until(1)
        scheduler.note("abend", "sheet")
        await scheduler.stop()

    run(evening())
    assert folder.tries == [[], ["abend"]]
