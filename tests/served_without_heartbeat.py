"""Settings of a server that takes for granted that it hears of changes: the control for tests/faults/test_several_processes.py."""

import asyncio
import math
from typing import Any

from schnauz_turnier.live import listening
from schnauz_turnier.settings import *


class Believing(listening._Attempt):
    """Counts its LISTEN as proof, for ever."""

    async def send(self, connection: Any) -> None:
        await self._is_listening.wait()
        self._begun["heartbeat"] = math.inf
        self._take("heartbeat")
        self.silence = -math.inf
        await asyncio.Event().wait()


listening._Attempt = Believing  # type: ignore[misc]
