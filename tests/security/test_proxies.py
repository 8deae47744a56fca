"""The address of a client behind proxies, by which limits count. Spoofed headers change nothing."""

import asyncio
from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tests.schnauz_turnier.test_settings import settings_with

PROXY, GUEST, SPOOFED = "172.30.83.2", "203.0.113.7", "198.51.100.1"


def address_seen(peer: str, *headers: str, trusted: Any) -> str:
    """Return the client's address in the program, for a connection of `peer` with X-Forwarded-For headers."""
    seen: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    scope: Any = {
        "type": "http",
        "client": (peer, 1),
        "scheme": "http",
        "headers": [(b"x-forwarded-for", value.encode()) for value in headers],
    }
    unused: Any = None
    asyncio.run(ProxyHeadersMiddleware(application, trusted)(scope, unused, unused))
    return seen[0]


@pytest.fixture(params=["172.30.83.2", "10.0.0.1, 172.30.83.0/24"])
def trusted(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    return settings_with(tmp_path, TRUSTED_PROXIES=request.param)["TRUSTED_PROXIES"]


@pytest.mark.parametrize(
    "headers",
    [
        [GUEST],
        [f"{SPOOFED}, {GUEST}"],
        [SPOOFED, GUEST],
        [f"{PROXY}, {SPOOFED}, {GUEST}"],
        [f"{SPOOFED}, {GUEST}, {PROXY}"],
        [f"{SPOOFED}, , unknown, {GUEST}:4711"],
    ],
)
def test_it_is_the_first_from_the_right_that_is_no_proxy(headers: list[str], trusted: Any) -> None:
    assert address_seen(PROXY, *headers, trusted=trusted) == GUEST


def test_without_a_proxy_the_header_is_ignored(trusted: Any) -> None:
    assert address_seen(GUEST, SPOOFED, trusted=trusted) == GUEST
    assert address_seen(GUEST, SPOOFED, trusted=[]) == GUEST


def test_where_everybody_is_trusted_a_client_chooses_its_address() -> None:
    """The control; the settings refuse it."""
    assert address_seen(PROXY, f"{SPOOFED}, {GUEST}", trusted="*") == SPOOFED
