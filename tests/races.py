"""Two people at once: runs functions in threads, each with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(*functions: Callable[[], T]) -> list[T | Exception]:
    """What each function returned or raised, in their order, after all have run at the same time."""

    def run(function: Callable[[], T]) -> T | Exception:
        try:
            return function()
        except Exception as error:  # noqa: BLE001 - what it raised is the answer
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, functions))
