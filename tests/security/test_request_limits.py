"""The outermost layer alone: requests of guests behind a trusted proxy, by the address that it forwards."""

import asyncio
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from schnauz_turnier.web.request_limits import RequestLimits, body_limit

FORWARDED = "198.51.100.7"


def outcome_of(host: str, open_requests: int) -> int:
    """Return the status of one more request from an address that has that many open ones."""

    async def scenario() -> int:
        is_over = asyncio.Event()
        statuses: list[int] = []

        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200})
            await is_over.wait()

        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            statuses.append(message.get("status", 0))

        limits = RequestLimits(app)
        scope = {"type": "http", "method": "GET", "path": "/t/abend/live", "headers": [], "client": (host, 0)}
        asked = [asyncio.create_task(limits(scope, receive, send)) for _ in range(open_requests + 1)]
        await asyncio.sleep(0)
        is_over.set()
        await asyncio.gather(*asked)
        return next(status for status in reversed(statuses) if status)

    return asyncio.run(scenario())


def test_a_guest_behind_a_proxy_has_as_many_requests_as_connections() -> None:
    most = settings.CONNECTIONS_PER_ADDRESS
    assert outcome_of(FORWARDED, most - 1) == 200
    assert outcome_of(FORWARDED, most) == 429
    assert outcome_of("127.0.0.1", most) == 200


@pytest.mark.parametrize(
    ("path", "most"),
    [
        (reverse("door:import_list", args=["abend"]), settings.IMPORT_BODY_BYTES),
        (reverse("organiser:set_picture", args=["abend"]), settings.IMPORT_BODY_BYTES),
        (reverse("organiser:read_copy"), settings.IMPORT_BODY_BYTES),
        (reverse("organiser:read_club"), settings.IMPORT_BODY_BYTES),
        (reverse("organiser:club_members"), settings.IMPORT_BODY_BYTES),
        (reverse("organiser:print_picture", args=["abend"]), settings.BODY_BYTES),
        (reverse("phone:entries"), settings.PHONE_BODY_BYTES),
        (reverse("door:desk", args=["abend"]), settings.BODY_BYTES),
        ("/nowhere", settings.BODY_BYTES),
        ("", settings.BODY_BYTES),
    ],
)
def test_a_route_has_its_own_limit(path: str, most: int) -> None:
    assert body_limit(path) == most
