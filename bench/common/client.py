"""HTTP/1.1 over raw sockets. The clients do as little as they can, since they share the cores with the server."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import uvloop

PATIENCE = 120.0
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^=\r\n]+)=([^;\r\n]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    head: bytes
    body: bytes

    @property
    def status(self) -> int:
        return status_of(self.head)

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        lines = [line.partition(b":") for line in self.head.split(b"\r\n")[1:] if line]
        return [(name.lower(), value.strip()) for name, _, value in lines]

    def header(self, name: bytes) -> bytes:
        return dict(self.headers).get(name, b"")


def status_of(head: bytes) -> int:
    return int(head[9:12])


def length_of(head: bytes) -> int:
    """Return the length of the body after this head. All answers but streams announce it."""
    found = _LENGTH.search(head)
    if found is None and status_of(head) not in (204, 304):
        raise ValueError(f"an answer without a length: {head!r}")
    return int(found[1]) if found else 0


def cookies_of(head: bytes) -> dict[bytes, bytes]:
    return dict(_COOKIE.findall(head))


def request(method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> bytes:
    given = {"Host": "127.0.0.1", **(headers or {})}
    if method != "GET":
        given["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


class Connection:
    """A single connection that is kept alive, and opened again after the server has closed it. It blocks."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def ask(self, asking: bytes) -> Answer:
        """Send a request and return its answer; once more over a new connection if this one was closed before."""
        if self._socket is not None:
            try:
                return self.exchange(self._socket, asking)
            except ConnectionError:
                self.close()
        return self.exchange(self.open(), asking)

    def open(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._socket

    def exchange(self, opened: socket.socket, asking: bytes) -> Answer:
        opened.sendall(asking)
        return self.receive(opened)

    def receive(self, opened: socket.socket) -> Answer:
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += _some(opened)
        head, body = bytes(received[:end]), bytearray(received[end + 4 :])
        length = length_of(head)
        while len(body) < length:
            body += _some(opened)
        if b"connection: close" in head.lower():
            self.close()
        return Answer(head, bytes(body))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def milliseconds(self, asking: bytes) -> float:
        """Return the milliseconds of a request, which must be answered with 200."""
        started = time.perf_counter()
        answer = self.ask(asking)
        took = (time.perf_counter() - started) * 1000
        if answer.status != 200:
            raise RuntimeError(answer)
        return took


def _some(opened: socket.socket) -> bytes:
    data = opened.recv(1 << 20)
    if not data:
        raise ConnectionResetError("the server has closed the connection")
    return data


# --- many connections ----------------------------------------------------------------------------------------------


class _Asker(asyncio.Protocol):
    """A connection that sends a request as soon as the one before is answered."""

    def __init__(self, asking: bytes, done: "_Count") -> None:
        self._asking, self._done = asking, done
        self._head, self._left = b"", 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._asking)

    def data_received(self, data: bytes) -> None:
        if self._left:
            self._left -= len(data)
        else:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._head.startswith(b"HTTP/1.1 200"):
                self._done.error = RuntimeError(self._head[:500])
                self._transport.close()
                return
            self._left = length_of(self._head[: end + 4]) - (len(self._head) - end - 4)
            self._head = b""
        if not self._left:
            self._done.number += 1
            self._transport.write(self._asking)


@dataclass(slots=True)
class _Count:
    number: int = 0
    error: Exception | None = None


def answers_a_second(port: int, asking: bytes, *, connections: int, seconds: float) -> float:
    """Return how many requests are answered with 200 a second, over so many connections, after a warm-up."""

    async def count() -> float:
        done = _Count()
        loop = asyncio.get_running_loop()
        opened = [
            (await loop.create_connection(lambda: _Asker(asking, done), "127.0.0.1", port))[0]
            for _ in range(connections)
        ]
        await asyncio.sleep(seconds / 5)
        before, started = done.number, time.perf_counter()
        await asyncio.sleep(seconds)
        rate = (done.number - before) / (time.perf_counter() - started)
        for transport in opened:
            transport.abort()
        if done.error is not None or not rate:
            raise done.error or TimeoutError("no request was answered")
        return rate

    return uvloop.run(count())


def json_body(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
