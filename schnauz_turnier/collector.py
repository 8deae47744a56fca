"""Garbage collection: rare. A start and a command make little garbage; a server keeps the objects of thousands of subscribers."""

import gc


def collect_rarely() -> None:
    """Look for garbage rarely. A start that looks as often as Python does by default, takes a fifth longer."""
    gc.set_threshold(50_000, 20, 100)


def spare_the_collector() -> None:
    """Freeze what is loaded, so that it is never looked at again, and look at the rest rarely."""
    gc.collect()
    gc.freeze()
    collect_rarely()
