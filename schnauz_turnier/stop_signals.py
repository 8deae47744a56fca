"""SIGINT and SIGTERM, heard beside the server's own handlers."""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


def on_stop_signal(callback: Callable[[], None]) -> None:
    """Call `callback` on SIGINT and SIGTERM. The server itself sends lifespan.shutdown only after all open requests."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        server_handler = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, server_handler: Any = server_handler) -> None:
            loop.call_soon_threadsafe(callback)
            if callable(server_handler):
                server_handler(number, frame)

        signal.signal(number, handle)
