"""Settings of Python's garbage collector, which by default scans the loaded program again and again."""

import atexit
import gc


def start_and_end_sooner() -> None:
    """Reduce collections while the program is loaded and ends. They took a third of the time of a short command."""
    gc.set_threshold(20_000, 50, 100)
    atexit.register(gc.freeze)  # the interpreter collects several times while it ends


def spare_what_is_loaded() -> None:
    """Exempt the loaded program from collections, and scan the objects of thousands of subscribers rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
