"""Race conditions: runs functions in threads, each with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(*functions: Callable[[], T]) -> list[T | Exception]:
    """Run the functions at the same time; return the result or exception of each, in their order."""

    def run(function: Callable[[], T]) -> T | Exception:
        try:
            return function()
        except Exception as error:  # noqa: BLE001 - the exception is returned
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(functions)) as pool:
        return list(pool.map(run, functions))
