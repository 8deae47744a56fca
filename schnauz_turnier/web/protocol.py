"""HTTP/1.1 by uvicorn and httptools, with limits that httptools lacks: on headers and on connections.

A process that ends breaks off no request: for a moment, it still answers requests on open connections.

Terms: the *head* of a request is its first line and its headers.

bench/server.py compares this with h11, which limits the size of a head but not its time.
"""

import asyncio
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from schnauz_turnier.web.address_limit import AddressLimit
from schnauz_turnier.web.current_request import new_id

connections = AddressLimit(settings.CONNECTIONS_PER_ADDRESS, exempts_proxies=True)
"""The open connections of this process."""

ONE_TOO_MANY_SECONDS = 1.0
"""Time to read a request that will be refused. Closing the connection with unread data would lose the answer."""
LINGERING_SECONDS = 0.5
"""Time in which a process that ends still answers on open connections, since a request may be on its way."""

# The language of a request is not known before its head is complete.
_SENTENCES = {
    408: "Die Anfrage kam nicht vollständig an. / The request did not arrive completely.",
    429: "Von dieser Adresse sind zu viele Verbindungen offen. / Too many connections are open from this address.",
    431: "Der Kopf der Anfrage ist zu groß. / The headers of the request are too large.",
}


class LimitedProtocol(HttpToolsProtocol):
    """A connection. It is closed if a head grows too large or takes too long, or if the address has too many connections."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._is_head_due = True  # from the end of a request to the end of the next head
        self._has_head_begun = False
        self._is_one_too_many = False
        self._is_last = False  # whether the next answer is the last one
        self._timer: asyncio.TimerHandle | None = None

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_one_too_many = not connections.take(self._host)
        self._start_timer(ONE_TOO_MANY_SECONDS if self._is_one_too_many else settings.HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        connections.give_back(self._host)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser at most the allowed bytes of a head, and refuse the request if the head is incomplete then."""
        if self._is_one_too_many:
            self._refuse(429)
        while data and not self.transport.is_closing():
            most = settings.HEADER_BYTES - self._head_bytes if self._is_head_due else len(data)
            piece, data = data[:most], data[most:]
            if self._is_head_due:
                self._head_bytes += len(piece)  # until on_headers_complete
            super().data_received(piece)
            if self._head_bytes >= settings.HEADER_BYTES:
                self._refuse(431)
        if self._is_head_due and (self._has_head_begun or self._is_idle):
            self._start_timer(settings.HEADER_SECONDS)

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    # --- callbacks of the parser ---

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._has_head_begun = True

    def on_headers_complete(self) -> None:
        self._stop_timer()
        self._head_bytes, self._is_head_due, self._has_head_begun = 0, False, False
        super().on_headers_complete()
        if self._is_last:
            super().shutdown()

    def on_message_complete(self) -> None:
        self._is_head_due = True
        super().on_message_complete()

    # --- the end ---

    def shutdown(self) -> None:
        """End the connection after the current answer; without one, after the next answer or LINGERING_SECONDS."""
        self._is_last = True
        if not self._is_idle:
            super().shutdown()
        self.loop.call_later(LINGERING_SECONDS, self._end)

    def _end(self) -> None:
        if self._is_idle:
            if not self._has_head_begun:
                self.transport.close()
        elif self.transport.is_closing():
            self.transport.abort()  # an event stream whose client does not read the end

    def _start_timer(self, seconds: float) -> None:
        if self._timer is None and not self.transport.is_closing():
            self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        """End the connection. Without a request nothing is sent, as browsers open connections in advance."""
        if self._has_head_begun:
            self._refuse(408)
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """Send a refusal, unless another answer is being sent, and close the connection."""
        if self._is_idle and not self.transport.is_closing():
            sentence = f"{_SENTENCES[status]}\n".encode()
            self.transport.write(
                STATUS_LINE[status]
                + b"x-request-id: %s\r\n" % new_id().encode()
                + b"content-type: text/plain; charset=utf-8\r\nx-content-type-options: nosniff\r\n"
                + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(sentence)
                + sentence
            )
        self.transport.close()
