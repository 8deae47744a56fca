"""Facts of the network: the port, the addresses of this machine, the firewall."""

import errno
import http.client
import ipaddress
import platform
import socket
from contextlib import suppress
from pathlib import Path

import psutil

from schnauz_turnier.doctor.network import (
    AddressFacts,
    FirewallFacts,
    PortFacts,
    read_firewalld,
    read_netsh,
    read_nft,
    read_socketfilterfw,
    read_ufw,
)
from schnauz_turnier.doctor.programs import said
from schnauz_turnier.start.network import EVERYWHERE, is_loopback, lan_address
from schnauz_turnier.systems import system

PATIENCE = 3.0  # seconds
OF_CONTAINERS = ("docker", "podman", "br-", "virbr", "veth", "vboxnet", "vmnet", "vEthernet")


def port(host: str, number: int) -> PortFacts:
    reason = _refusal(host, number)
    if not reason:
        return PortFacts(host, number)
    return PortFacts(host, number, reason, _running(host, number), _holder(number))


def _refusal(host: str, number: int) -> str:
    """Return why a program could not listen there, "" if it could."""
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(
            host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            system.reuse_port(probe)
            probe.bind(address)
    except OSError as error:
        return error.strerror or errno.errorcode.get(error.errno or 0, type(error).__name__)
    return ""


def _running(host: str, number: int) -> str:
    """Return the version of this program that answers at the port, "" if another program or none does."""
    connection = http.client.HTTPConnection(
        "127.0.0.1" if host in EVERYWHERE else host, number, timeout=PATIENCE
    )
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().headers.get("Program-Version", "")
    except (OSError, http.client.HTTPException):
        return ""
    finally:
        connection.close()


def _holder(number: int) -> str:
    """Return name and pid of the process that listens at a port, "" if the system does not tell."""
    with suppress(psutil.Error, OSError):
        for one in psutil.net_connections("tcp"):
            if one.status == psutil.CONN_LISTEN and one.laddr.port == number and one.pid:
                return f"{psutil.Process(one.pid).name()} (PID {one.pid})"
    return ""


def addresses(host: str, announced: str) -> AddressFacts:
    """Return the addresses. announced: a host; a name, unlike an address, is not compared with those of this machine."""
    try:
        ipaddress.ip_address(announced)
    except ValueError:
        announced = ""
    return AddressFacts(host, _addresses(), lan_address(), announced)


def _addresses() -> tuple[str, ...]:
    """Return the IPv4 addresses at which other devices may reach this machine, without those for containers."""
    states = psutil.net_if_stats()
    return tuple(
        address.address
        for name, found in psutil.net_if_addrs().items()
        for address in found
        if address.family == socket.AF_INET
        and not address.address.startswith("169.254.")
        and not is_loopback(address.address)
        and not name.startswith(OF_CONTAINERS)
        and name in states
        and states[name].isup
    )


def firewall(number: int) -> FirewallFacts:
    kind = platform.system()
    if kind == "Windows":
        return read_netsh(said("netsh", "advfirewall", "show", "currentprofile") or "")
    if kind == "Darwin":
        state = said("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")
        return read_socketfilterfw(state) if state else FirewallFacts("macOS")
    return _firewall_on_linux(number, Path("/etc/ufw/ufw.conf"))


def _firewall_on_linux(number: int, ufw: Path) -> FirewallFacts:
    """Ask ufw, firewalld, and nftables. Only root is told the rules; that ufw is on, everybody can read."""
    with suppress(OSError):
        if "ENABLED=yes" in ufw.read_text(encoding="utf-8"):
            status = said("ufw", "status")
            return (
                read_ufw(status, number)
                if status
                else FirewallFacts("ufw", active=True, opens=f"sudo ufw allow {number}/tcp")
            )
    if (said("firewall-cmd", "--state") or "").strip() == "running":
        ports = said("firewall-cmd", "--list-ports")
        if ports is None:
            return FirewallFacts("firewalld", active=True, opens=f"sudo firewall-cmd --add-port={number}/tcp")
        return read_firewalld(ports, number)
    rules = said("nft", "list", "ruleset")
    return read_nft(rules, number) if rules is not None else FirewallFacts()
