"""Race conditions: runs functions in threads, each with a database connection of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection, transaction

T = TypeVar("T")

THREADS = 4
_kept: list[ThreadPoolExecutor] = []

_WAITING = """
WITH RECURSIVE waiting AS (
    SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
    UNION SELECT other.pid FROM pg_locks other JOIN waiting ON waiting.pid = ANY (pg_blocking_pids(other.pid))
    WHERE NOT other.granted
) SELECT count(*) FROM waiting
"""


def at_once(*functions: Callable[[], T]) -> list[T | Exception]:
    """Run the functions at the same time; return the result or exception of each, in their order."""
    with _threads(len(functions)) as pool:
        return list(pool.map(_run, functions))


def while_uncommitted(first: Callable[[], object], *functions: Callable[[], T]) -> list[T | Exception]:
    """Run `first` in a transaction here, and commit it when each of the functions waits for its locks or has ended.

    So all of them have read what they read before its locks, and none has seen what it has written. Return as `at_once` does.
    """
    with _threads(len(functions)) as pool:
        with transaction.atomic(), connection.cursor() as cursor:
            first()
            running = [pool.submit(_run, function) for function in functions]
            settled = 0
            while settled < len(running):
                cursor.execute(_WAITING)
                settled = cursor.fetchone()[0] + sum(future.done() for future in running)
        return [future.result() for future in running]


@contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    if _kept and count <= THREADS:
        yield _kept[0]
    else:
        with ThreadPoolExecutor(count) as pool:
            yield pool


def _run(function: Callable[[], T]) -> T | Exception:
    try:
        return function()
    except Exception as error:  # noqa: BLE001 - the exception is returned
        return error
    finally:
        if not _kept:
            connection.close()


@pytest.fixture
def kept_threads(committed: None) -> Iterator[None]:
    """Keep the threads and their connections for all races of a test: to connect takes longer than most races."""
    with ThreadPoolExecutor(THREADS) as pool:
        all_are_here = Barrier(THREADS)
        list(pool.map(lambda _number: all_are_here.wait(), range(THREADS)))
        _kept.append(pool)
        yield
        _kept.clear()

        def close(_number: int) -> None:
            all_are_here.wait()
            connection.close()

        list(pool.map(close, range(THREADS)))
