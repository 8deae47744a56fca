"""Addresses of this machine, and where they lead. Used by the settings, so it needs none."""

import ipaddress
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for every address of this machine."""
HOME_NETWORKS = (".local", ".lan", ".internal", ".home.arpa", ".fritz.box")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.ASCII)


class OwnHosts(list[str]):
    """Allowed hosts of a program that answers at all addresses of this machine: the list itself and `current`."""

    current: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[str]:
        return chain(super().__iter__(), self.current)


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


def own_hosts(addresses: Iterable[str], hostname: str) -> frozenset[str]:
    """Return the valid Host headers of this machine: its local addresses, its name, and its name in .local.

    An attacker's domain that resolves to this machine (DNS rebinding) is not valid, as no public domain has such a name. For
    the same reason only the first label of the hostname counts: in some networks a DHCP server provides the rest.
    """
    label = hostname.lower().partition(".")[0]
    names = (label, f"{label}.local") if _LABEL.fullmatch(label) else ()
    return frozenset([*map(host_in_url, filter(is_local, addresses)), *names])


def is_loopback(host: str) -> bool:
    """Whether a host name or address leads to this machine only."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def leads_here_only(url: str) -> bool:
    """Whether a URL in plain http leads to this machine only. With https a proxy may stand in front."""
    parts = urlsplit(url)
    return parts.scheme == "http" and is_loopback(parts.hostname or "")


def is_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


def is_local(host: str) -> bool:
    """Whether a host is this computer or in a private network, for which no authority issues certificates."""
    with suppress(ValueError):
        return not ipaddress.ip_address(host).is_global
    return "." not in host or host.endswith(HOME_NETWORKS)


def host_in_url(host: str) -> str:
    """Return a host as URLs and Host headers write it."""
    return f"[{host}]" if ":" in host else host


def url_of(host: str, port: int) -> str:
    """Return the URL in plain http."""
    return f"http://{host_in_url(host)}" if port == 80 else f"http://{host_in_url(host)}:{port}"


def https_port(port: int) -> int:
    """Return the port of https beside a port of http: 443 beside 80, 8443 beside 8000."""
    return 443 if port == 80 else port + 443
