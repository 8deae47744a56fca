"""A line to the server that can be cut: what a phone's worker asks goes through it, too."""

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit


class Line:
    """Passes bytes on between a browser and the server while it is not cut."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname or "", parts.port or 80)
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock, self._is_cut = Lock(), False
        self._open: set[socket.socket] = set()
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        Thread(target=self._answer, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            for end in self._open:
                _shut(end)

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def _answer(self) -> None:
        with suppress(OSError):  # closed
            while True:
                caller, _ = self._door.accept()
                Thread(target=self._pass_on, args=(caller,), daemon=True).start()

    def _pass_on(self, caller: socket.socket) -> None:
        with closing(caller), suppress(OSError), closing(socket.create_connection(self._server)) as server:
            with self._lock:
                if self._is_cut:
                    return
                self._open |= {caller, server}
            back = Thread(target=_copy, args=(server, caller), daemon=True)
            back.start()
            _copy(caller, server)
            back.join()
            with self._lock:
                self._open -= {caller, server}

    def close(self) -> None:
        self._door.close()
        self.cut()


def _copy(source: socket.socket, goal: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65_536):
            goal.sendall(part)
    _shut(source)
    _shut(goal)


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    line = Line(url)
    try:
        yield line
    finally:
        line.close()
