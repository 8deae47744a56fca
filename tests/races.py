"""Race conditions: runs functions in threads, each with a database connection of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection

T = TypeVar("T")

THREADS = 4
_kept: list[ThreadPoolExecutor] = []


def at_once(*functions: Callable[[], T]) -> list[T | Exception]:
    """Run the functions at the same time; return the result or exception of each, in their order."""

    def run(function: Callable[[], T]) -> T | Exception:
        try:
            return function()
        except Exception as error:  # noqa: BLE001 - the exception is returned
            return error
        finally:
            if not _kept:
                connection.close()

    if _kept and len(functions) <= THREADS:
        return list(_kept[0].map(run, functions))
    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, functions))


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
