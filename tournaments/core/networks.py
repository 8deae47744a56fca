"""Network addresses as limits count them."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=1024)
def network_of(address: str) -> str:
    """Return what an address is counted by: itself, or of IPv6 its /64, since one device can use every address of it.

    An IPv4 address that is mapped into IPv6 is the IPv4 address. Text that is no address is returned as it is.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((int(parsed), 64), strict=False))
