"""SIGINT and SIGTERM: before the server has its own handlers and beside them, and an end for a process that does not come to one."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from uvicorn.server import HANDLED_SIGNALS

LONGEST_END = 60.0  # seconds; requests under way have 8, and a last backup may go to a slow stick


def on_stop_signal(callback: Callable[[], None], *, longest_end: float = LONGEST_END) -> None:
    """Call `callback` on SIGINT and SIGTERM, on Windows also on SIGBREAK: Ctrl+Break, or the window is closed.

    The server itself sends lifespan.shutdown only after all open requests.

    A thread that waits for a silent database would keep the process, and with it the restart of the others. So the
    process ends itself after `longest_end`.
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

    Raised at once it may be lost: Python ignores it in whatever the garbage collection calls, and imports make a lot of garbage.
    """
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
