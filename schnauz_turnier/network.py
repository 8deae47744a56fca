"""The address of this machine in the local network. Needs no settings, so that they can be made with it."""

import ipaddress
import socket
from contextlib import suppress

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for every address of this machine."""


def lan_address() -> str | None:
    """Return this machine's LAN address, None without a network.

    Connecting a UDP socket only reads the routing table and sends nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if is_loopback(address) else address


def is_loopback(host: str) -> bool:
    """Whether a host name or address leads to this machine only."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
