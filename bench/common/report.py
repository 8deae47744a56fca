"""Report of a program that tries step after step."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Report:
    """Lines about steps, of which so many have failed."""

    failed: int = 0

    @contextmanager
    def step(self, name: str) -> Iterator[list[str]]:
        """Print how a step ended, and what it found out. Raises RuntimeError if it failed."""
        found: list[str] = []
        began = time.monotonic()
        try:
            yield found
        except Exception as error:
            self.failed += 1
            print(f"not ok {time.monotonic() - began:6.1f} s  {name}: {error!r:.4000}", flush=True)
            raise StepFailed from error
        print(f"ok     {time.monotonic() - began:6.1f} s  {': '.join([name, *found])}", flush=True)

    @contextmanager
    def file(self, name: str, last_words: Callable[[], str] = str) -> Iterator[None]:
        """Leave out the remaining steps of a file after one has failed, and print the last words of what was tried."""
        print(f"== {name}", flush=True)
        try:
            yield
        except StepFailed:
            print(f"{last_words()}\nThe other steps of {name} are left out.", flush=True)


class StepFailed(Exception):
    pass
