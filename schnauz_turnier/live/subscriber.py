"""Subscribers of server-sent events."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from schnauz_turnier.web.asgi_types import Message, Send

BACK_SOON = 100, 1000  # range in milliseconds


class Subscriber:
    """An open stream. Messages are passed to the server at once, without a task or a queue per subscriber."""

    __slots__ = ("_send", "_task")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._task = asyncio.current_task()

    async def open(self, headers: Sequence[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    def put(self, message: bytes) -> None:
        """Send a message, or drop the subscriber if its buffer is full: events are so small that it has read none for long."""
        self._put({"type": "http.response.body", "body": message, "more_body": True})

    def end(self) -> None:
        """End the stream. A browser reconnects soon, to another process if this one ends."""
        last = f"retry: {random.randint(*BACK_SOON)}\n\n".encode()
        self._put({"type": "http.response.body", "body": last})
        self.drop()

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Release the task after the stream has ended."""
        self._task = None

    def _put(self, message: Message) -> None:
        if self._task is None:
            return
        sending: Any = self._send(message)
        try:
            sending.send(None)
        except StopIteration:
            return
        except OSError:
            pass
        sending.close()  # it waits for the buffer, and has written nothing yet
        self.drop()
