"""Tests of processes that are restarted or killed while phones write and viewers watch.

The control is the plain stop and start of a server, which refuses requests.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import psutil
import pytest

from tests.faults.crowd import meanwhile
from tests.faults.evening import Store, the_program
from tests.faults.house import Web, wait_until
from tests.faults.test_several_processes import another, is_ready, listening_backends, page_shows

PROCESSES = 2
STROKES: LiteralString = "SELECT sum(strokes)::integer FROM scoring_seatresult"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A server of one process."""
    with the_program(tmp_path_factory.mktemp("restarts"), 6) as store:
        yield store


@pytest.fixture(scope="module")
def store(alone: Store) -> Iterator[Store]:
    """A server of several processes on the same database."""
    with another(alone, "--processes", str(PROCESSES)) as web:
        assert wait_until(lambda: all(is_ready(web) for _ in range(5)))
        yield replace(alone, web=web)


def children_of(web: Web) -> set[int]:
    assert web.process is not None
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(web.process.pid)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return {int(line.split()[0]) for line in lines if "spawn_main" in line}


def restart(web: Web) -> None:
    """Restart the processes one after the other, and wait until it is done."""
    before = children_of(web)
    assert len(before) == PROCESSES
    assert web.process is not None
    web.process.send_signal(signal.SIGHUP)
    assert wait_until(lambda: len(children_of(web) - before) == PROCESSES and not children_of(web) & before)


def test_a_restart_refuses_nothing_and_breaks_nothing(store: Store) -> None:
    crowd = meanwhile(
        store, lambda: restart(store.web), tables=(1, 2), viewers=10, readers=4, all_come_back=True
    )
    assert crowd.refused == 0
    assert not any(viewer.broken for viewer in crowd.viewers)
    assert all(viewer.connections > 1 for viewer in crowd.viewers)
    assert crowd.reckoning.is_sound, crowd.reckoning


def test_a_stop_and_a_start_refuse_requests(alone: Store) -> None:
    """The control. The phones keep what was refused."""

    def stop_and_start() -> None:
        alone.web.end()
        alone.web.start()

    crowd = meanwhile(alone, stop_and_start, tables=(3, 4), viewers=1, readers=1)
    assert crowd.refused > 0
    assert crowd.reckoning.is_sound, crowd.reckoning


def test_a_killed_process_of_100_viewers_is_replaced_and_pages_stay_right(alone: Store, store: Store) -> None:
    before = children_of(store.web)
    assert len(before) == PROCESSES
    for pid in before:
        assert f"PROCESSES={PROCESSES}" in Path(f"/proc/{pid}/environ").read_text().split("\0")

    def kill_one() -> None:
        # one of them may have accepted all of the viewers
        watched = max(before, key=lambda pid: len(psutil.Process(pid).net_connections("tcp")))
        os.kill(watched, signal.SIGKILL)
        assert wait_until(lambda: len(children_of(store.web) - before) == 1)

    crowd = meanwhile(store, kill_one, tables=(5, 6), viewers=100)
    assert any(viewer.broken for viewer in crowd.viewers)
    assert crowd.reckoning.is_sound, crowd.reckoning
    assert wait_until(lambda: len(listening_backends(alone)) == 1 + PROCESSES)
    [[strokes]] = store.database.ask(STROKES)
    assert wait_until(lambda: all(page_shows(store.web, strokes) for _ in range(5 * PROCESSES)))


def test_nobody_listens_after_the_end(alone: Store, store: Store) -> None:
    """Of the processes of this server: the other one, which is alone, goes on."""
    store.web.end()
    assert wait_until(lambda: len(listening_backends(alone)) == 1)
