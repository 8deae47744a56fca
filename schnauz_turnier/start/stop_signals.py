"""Handlers of SIGINT and SIGTERM, before and beside those of the server. They also end a process that hangs."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from uvicorn.server import HANDLED_SIGNALS

LONGEST_END = 60.0  # seconds; running requests have 8, and the last backup may be written to a slow stick


def on_stop_signal(callback: Callable[[], None], *, longest_end: float = LONGEST_END) -> None:
    """Call `callback` on SIGINT and SIGTERM, on Windows also on SIGBREAK: Ctrl+Break, or the window is closed.

    The server itself sends lifespan.shutdown only after all open requests.

    A thread that waits for a silent database would keep the process alive and block the restart of the others. So the
    process exits after `longest_end` seconds.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in HANDLED_SIGNALS:
        server_handler = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, server_handler: Any = server_handler) -> None:
            loop.call_soon_threadsafe(callback)
            clock = threading.Timer(longest_end, os._exit, [1])
            clock.daemon = True
            clock.start()
            if callable(server_handler):
                server_handler(number, frame)

        signal.signal(number, handle)


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end if SIGINT came meanwhile; in the main thread.

    Raised at once it may be lost: Python ignores exceptions in callbacks of the garbage collector, and imports cause many.
    """
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
