"""Late answers to a flood of log-ins."""

import asyncio
from typing import Any

import pytest

from schnauz_turnier.web.slow_refusals import SlowRefusals


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


def test_those_who_were_refused_together_are_not_answered_together(settings: Any) -> None:
    """Otherwise they come back together, and everybody else waits behind them."""
    settings.SECONDS_UNTIL_REFUSAL = 0.2
    order: list[int] = []

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 429})

    async def ask(number: int) -> None:
        async def send(message: Any) -> None:
            order.append(number)

        await SlowRefusals(refuse)({"type": "http", "path": "/account/login/"}, None, send)

    async def all_at_once() -> None:
        await asyncio.gather(*map(ask, range(60)))

    asyncio.run(all_at_once())
    assert sorted(order) == list(range(60))
    assert order != sorted(order)
