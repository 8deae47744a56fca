"""Of several processes on one database one makes the backups, and another one as soon as that is gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.evening import Store, the_program
from tests.faults.house import wait_until
from tests.faults.test_deaf_processes import another
from tests.faults.test_live_outages import Phone

OFTEN = {"DJANGO_SETTINGS_MODULE": "tests.served_in_drill"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with the_program(tmp_path_factory.mktemp("keeper"), 1) as store:
        yield store


def dumps(folder: Path) -> int:
    return len(list(folder.glob("schnauz-turnier-*.zip")))


def test_when_the_process_that_makes_the_backups_is_killed_another_takes_over(
    store: Store, tmp_path: Path
) -> None:
    """Each process has a folder of its own here, which tells who has made a backup."""
    sticks = [tmp_path / "first", tmp_path / "second"]
    for stick in sticks:
        stick.mkdir()
    phone = Phone(store)
    with another(store, BACKUP_DIR=str(sticks[0]), **OFTEN) as first:
        assert wait_until(lambda: dumps(sticks[0]) == 1)
        with another(store, BACKUP_DIR=str(sticks[1]), **OFTEN):
            for before in (1, 2):
                phone.stroke()
                assert wait_until(lambda: dumps(sticks[0]) > before)  # noqa: B023
            assert dumps(sticks[1]) == 0
            first.kill()
            phone.stroke()
            assert wait_until(lambda: dumps(sticks[1]) > 0)
