"""A bad Wi-Fi between phones and server: loses, tears, repeats and delays what goes through it.

One request a connection. What is lost on the way back was done all the same, and the phone does not know.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Self

MISCHIEF = ("request lost", "answer lost", "answer torn", "request twice", "request late")


class Network:
    """Listens at `url` and passes on to the server's port; `mischief` is the share of requests that suffer."""

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
        """No more mischief, and everything that was late has arrived."""
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
                await asyncio.sleep(0.01)  # the phone has read it
                then()
        back.close()

    async def _fate_of(self, request: bytes) -> bytes:
        """The answer as far as it reaches the phone."""
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
        """What the server says; as far as it came, if it died."""
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
