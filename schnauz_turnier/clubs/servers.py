"""Listening to several database servers as if they were one: changes are heard only while all of them are."""

import asyncio
from collections.abc import Sequence

from schnauz_turnier.live.listening import Hearer, Listening, Parameters


class _Part:
    """What is heard of one server."""

    def __init__(self, whole: "AllServers", *, tells: bool) -> None:
        self._whole = whole
        self._tells = tells
        self.is_heard = False
        self.until = 0.0

    def begin(self) -> None:
        self.is_heard = True
        self._whole.begin()

    def rely(self, until: float) -> None:
        self.until = until
        self._whole.rely()

    def dispatch(self, payload: str) -> None:
        self._whole.hearer.dispatch(payload)

    def to_tell(self) -> str:
        return self._whole.hearer.to_tell() if self._tells else ""

    def lose(self) -> None:
        self.is_heard = False
        self._whole.hearer.lose()

    def remain_deaf(self) -> None:
        self._whole.hearer.remain_deaf()


class AllServers:
    """Listens to each server, and tells a hearer what it hears. What processes tell each other goes by the first server."""

    def __init__(
        self, hearer: Hearer, *, channel: str, servers: Sequence[tuple[Parameters, Parameters]]
    ) -> None:
        """servers: for each the parameters of both connections, as `Listening` takes them."""
        self.hearer = hearer
        self._parts = [_Part(self, tells=number == 0) for number in range(len(servers))]
        self._listenings = [
            Listening(part, channel=channel, listen_to=listen_to, write_to=write_to)
            for part, (listen_to, write_to) in zip(self._parts, servers, strict=True)
        ]

    async def run(self) -> None:
        await asyncio.gather(*(listening.run() for listening in self._listenings))

    def begin(self) -> None:
        if all(part.is_heard for part in self._parts):
            self.hearer.begin()

    def rely(self) -> None:
        if all(part.is_heard for part in self._parts):
            self.hearer.rely(min(part.until for part in self._parts))
