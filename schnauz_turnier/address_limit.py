"""Limit of what one network address uses at once, such as open connections.

Only addresses that use something at the moment are counted.
"""

from collections import Counter

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tournaments.core.networks import network_of


class AddressLimit:
    """A limit for each address. This computer is exempt: a proxy on it, or the organiser.

    exempts_proxies: whether TRUSTED_PROXIES are exempt, too. They act for many guests.
    """

    def __init__(self, most: int, *, exempts_proxies: bool = False) -> None:
        self._most = most
        self._exempts_proxies = exempts_proxies
        self._used: Counter[str] = Counter()

    def take(self, host: str) -> bool:
        """Count one more use. Return False if the address has reached the limit; the use counts all the same."""
        network = network_of(host)
        self._used[network] += 1
        return self._used[network] <= self._most or self._is_exempt(host)

    def give_back(self, host: str) -> None:
        """End a use that `take` has counted."""
        network = network_of(host)
        self._used[network] -= 1
        if not self._used[network]:
            del self._used[network]

    def __len__(self) -> int:
        """Return the number of addresses that use something."""
        return len(self._used)

    def _is_exempt(self, host: str) -> bool:
        return host in ("127.0.0.1", "::1", "") or (self._exempts_proxies and is_trusted_proxy(host))


def is_trusted_proxy(host: str) -> bool:
    """Whether this is the address of one of TRUSTED_PROXIES, whose headers are trusted."""
    return host in _PROXIES


async def _nothing(*_arguments: object) -> None: ...


# The same reading of TRUSTED_PROXIES by which uvicorn trusts their headers.
_PROXIES = ProxyHeadersMiddleware(_nothing, settings.TRUSTED_PROXIES).trusted_hosts
