"""Late answers to a flood of log-ins."""

import asyncio
from typing import Any

import pytest

from schnauz_turnier.slow_refusals import SlowRefusals


@pytest.mark.parametrize(
    ("path", "answered"),
    [("/account/login/", ["/", "/account/login/"]), ("/s/sheet", ["/s/sheet", "/"])],
)
def test_a_refused_password_is_answered_after_those_who_came_later(
    path: str, answered: list[str], settings: Any
) -> None:
    settings.SECONDS_UNTIL_REFUSAL = 0.01
    order: list[str] = []

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200 if scope["path"] == "/" else 429})

    async def ask(path: str) -> None:
        async def send(message: Any) -> None:
            order.append(path)

        await SlowRefusals(refuse)({"type": "http", "path": path}, None, send)

    async def both() -> None:
        await asyncio.gather(ask(path), ask("/"))

    asyncio.run(both())
    assert order == answered
