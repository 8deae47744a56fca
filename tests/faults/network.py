"""Proxy that simulates a bad Wi-Fi between phones and server: it loses, truncates, repeats and delays messages.

Each connection has one request. If its answer is lost, the request has still been processed, which the phone does not
know.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Self

MISCHIEF = ("request lost", "answer lost", "answer torn", "request twice", "request late")


class Network:
    """A proxy from `url` to the server's port. mischief: the share of requests with a fault, 0 to 1."""

    def __init__(self, server_port: int, *, mischief: float, chance: Random) -> None:
        self._server_port = server_port
        self._chance = chance
        self._late: set[asyncio.Task[bytes]] = set()
        self.mischief = mischief
        self.happened: Counter[str] = Counter()
        self.after_next_answer: Callable[[], None] | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, limit=2**20, backlog=1000)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        await self.calm()

    async def calm(self) -> None:
        """Stop all faults and wait until all delayed requests have arrived."""
        self.mischief = 0
        while self._late:
            await asyncio.gather(*self._late)

    async def _pass_on(self, phone: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            request = await _whole_request(phone)
            answer = await self._fate_of(request)
            back.write(answer)
            await back.drain()
            then = self.after_next_answer
            if then is not None and answer and b"/s/entries" in request[:60]:
                self.after_next_answer = None
                await asyncio.sleep(0.01)  # until the phone has read the answer
                then()
        back.close()

    async def _fate_of(self, request: bytes) -> bytes:
        """Pass a request on, possibly with a fault, and return the part of the answer that reaches the phone."""
        fate = self._chance.choice(MISCHIEF) if self._chance.random() < self.mischief else ""
        self.happened[fate] += 1
        if fate == "request lost":
            return b""
        if fate == "request late":
            late = asyncio.create_task(self._ask_later(request))
            self._late.add(late)
            late.add_done_callback(self._late.discard)
            return b""
        if fate == "request twice":
            return (await asyncio.gather(self._ask(request), self._ask(request)))[0]
        answer = await self._ask(request)
        return {"answer lost": b"", "answer torn": answer[: len(answer) // 2]}.get(fate, answer)

    async def _ask_later(self, request: bytes) -> bytes:
        await asyncio.sleep(self._chance.uniform(0.1, 1.5))
        return await self._ask(request)

    async def _ask(self, request: bytes) -> bytes:
        """Return the server's answer, or its received part if the server was killed."""
        answer = b""
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._server_port)
            try:
                writer.write(request)
                while piece := await reader.read(65536):
                    answer += piece
            finally:
                writer.close()
        return answer


async def _whole_request(phone: asyncio.StreamReader) -> bytes:
    head = await phone.readuntil(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head + await phone.readexactly(int(lengths[0].partition(b":")[2]) if lengths else 0)
