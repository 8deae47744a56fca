"""Limit of concurrent uses per network address, such as open connections. Addresses without a current use take no memory."""

from collections import Counter
from collections.abc import MutableMapping
from typing import Any

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tournaments.core.networks import network_of


class AddressLimit:
    """A limit for each address. This computer is exempt, since a proxy or the organiser may use it.

    exempts_proxies: whether TRUSTED_PROXIES are exempt too, since they act for many guests.
    """

    def __init__(self, most: int, *, exempts_proxies: bool = False) -> None:
        self._most = most
        self._exempts_proxies = exempts_proxies
        self._used: Counter[str] = Counter()

    def take(self, host: str) -> bool:
        """Count one more use. Return False if the address has reached the limit; the use counts all the same."""
        network = network_of(host)
        self._used[network] += 1
        return self._used[network] <= self._most or is_exempt(host, with_proxies=self._exempts_proxies)

    def give_back(self, host: str) -> None:
        """End a use counted by `take`."""
        network = network_of(host)
        self._used[network] -= 1
        if not self._used[network]:
            del self._used[network]

    def __len__(self) -> int:
        """Return the number of addresses with current uses."""
        return len(self._used)


def is_exempt(host: str, *, with_proxies: bool = False) -> bool:
    """Whether this is the computer itself or, with_proxies, one of TRUSTED_PROXIES."""
    return host in ("127.0.0.1", "::1", "") or (with_proxies and is_trusted_proxy(host))


def is_trusted_proxy(host: str) -> bool:
    """Whether this is the address of one of TRUSTED_PROXIES, whose headers are trusted."""
    return host in _PROXIES


def host_of(scope: MutableMapping[str, Any]) -> str:
    """Return the address of the client; "" for a client without one."""
    host: str = (scope.get("client") or ("", 0))[0]
    return host


async def _nothing(*_arguments: object) -> None: ...


# Parsed as uvicorn does it to trust their headers.
_PROXIES = ProxyHeadersMiddleware(_nothing, settings.TRUSTED_PROXIES).trusted_hosts
