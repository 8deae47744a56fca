"""Python's garbage collector, which otherwise goes again and again through what never is garbage: the loaded program."""

import atexit
import gc


def start_and_end_sooner() -> None:
    """Let this process load the program and end with few collections: they took a third of the time of a short command."""
    gc.set_threshold(20_000, 50, 100)
    atexit.register(gc.freeze)  # the interpreter collects several times while it ends


def spare_what_is_loaded() -> None:
    """Freeze what a server has loaded, and scan the objects of thousands of subscribers rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
