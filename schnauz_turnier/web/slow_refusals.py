"""Delay of refusals after too many passwords. It slows a flood of log-ins down to a few requests."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

from schnauz_turnier.web.asgi_types import Message, Send


class SlowRefusals:
    """ASGI middleware. A delayed answer holds neither a database connection nor a busy thread."""

    def __init__(self, app: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        async def send_late(message: Message) -> None:
            if message.get("status") == 429:
                await wait_before_refusal()
            await send(message)

        is_account = scope["type"] == "http" and scope["path"].startswith("/account/")
        await self._app(scope, receive, send_late if is_account else send)


async def wait_before_refusal() -> None:
    """Wait for a few seconds, at random, so that refused clients do not return all at once."""
    await asyncio.sleep(settings.SECONDS_UNTIL_REFUSAL * random.uniform(0.5, 1.5))
