"""Checks of the network: the port, and the address for the phones."""

import errno
import http.client
import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass

import psutil
from django.utils.translation import gettext as _

from schnauz_turnier import __version__
from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong
from schnauz_turnier.start.address_watch import interfaces
from schnauz_turnier.start.network import EVERYWHERE, is_address, is_loopback, lan_address, url_of
from schnauz_turnier.systems import system

PATIENCE = 3.0  # seconds
OF_CONTAINERS = ("docker", "podman", "br-", "virbr", "veth", "vboxnet", "vmnet", "vEthernet")


@dataclass(frozen=True, slots=True)
class Place:
    """The address of the program. announced: the host in the codes, "" if it is a loopback address."""

    host: str
    port: int
    announced: str = ""


def look_at_network(place: Place, *, is_behind_proxy: bool) -> list[Finding]:
    """Return the findings. Behind a proxy the address is not checked."""
    running = running_version("127.0.0.1" if place.host in EVERYWHERE else place.host, place.port)
    port = check_port(place, _bind_failure(place), running, _holder(place.port))
    if is_behind_proxy:
        return [port]
    lan = lan_address()
    host = place.announced if is_address(place.announced) else lan
    is_silent = bool(running and host) and not running_version(host or "", place.port)
    return [port, check_address(place, lan, own_addresses(), is_silent=is_silent)]


def check_port(place: Place, failure: str, running: str, holder: str) -> Finding:
    """Check that the port is free, or in use by this version of the program.

    failure: the error of binding it, "" if it is free. running: the version of the program that answers there. holder: the
    process that uses it. Both are "" if unknown.
    """
    name, told = _("Port"), {"host": place.host, "port": place.port, "reason": failure, "holder": holder}
    if not failure:
        return ok(name, _("%(port)d ist frei.") % told)
    if running == __version__:
        return ok(name, _("Das Programm läuft, auf Port %(port)d.") % told)
    if running:
        return warning(
            name,
            _("Auf Port %(port)d läuft Version %(running)s des Programms, dies hier ist %(version)s.")
            % {**told, "running": running, "version": __version__},
            _("Das laufende Programm beenden und neu starten."),
        )
    return wrong(
        name,
        (
            _("%(port)d ist belegt, von %(holder)s.")
            if holder
            else _("%(host)s:%(port)d ist nicht zu haben: %(reason)s.")
        )
        % told,
        _("Das andere Programm beenden, oder mit PORT=%(other)d starten.")
        % {"other": 8000 if place.port != 8000 else 8001},
    )


def _bind_failure(place: Place) -> str:
    """Return the error of binding the port, "" if it is free."""
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            system.reuse_port(probe)
            probe.bind(address)
    except OSError as error:
        return error.strerror or errno.errorcode.get(error.errno or 0, type(error).__name__)
    return ""


def running_version(host: str, port: int) -> str:
    """Return the version of the running program there, "" without one."""
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().headers.get("Program-Version", "")
    except (OSError, http.client.HTTPException):
        return ""
    finally:
        connection.close()


def _holder(port: int) -> str:
    """Return name and pid of the process that listens on a port, "" if unknown."""
    with suppress(psutil.Error, OSError):
        for listening in psutil.net_connections("tcp"):
            if listening.status == psutil.CONN_LISTEN and listening.laddr.port == port and listening.pid:
                return f"{psutil.Process(listening.pid).name()} (PID {listening.pid})"
    return ""


def check_address(place: Place, lan: str | None, addresses: tuple[str, ...], *, is_silent: bool) -> Finding:
    """Compare the address in the codes with those of this machine. Host names are not compared.

    lan: the address that a new start would use, None without a network. is_silent: the program runs, but does not answer there.
    """
    name = _("Adresse")
    if is_loopback(place.host):
        return warning(
            name,
            _("So erreicht nur dieser Laptop das Programm, kein Handy."),
            _("Für Handys mit HOST=0.0.0.0 starten."),
        )
    if lan is None:
        return wrong(
            name,
            _("Der Laptop ist in keinem Netz, kein Handy kann ihn erreichen."),
            _("Mit dem WLAN des Saals verbinden, oder am Laptop selbst einen Hotspot öffnen."),
        )
    if is_address(place.announced) and place.announced not in (*addresses, lan):
        return wrong(
            name,
            _("Die Codes führen zu %(old)s, der Laptop hat aber %(new)s.")
            % {"old": place.announced, "new": lan},
            _(
                "Das Programm neu starten und die Codes neu drucken, oder im Router die alte Adresse vergeben."
            ),
        )
    url = f"{url_of(place.announced or lan, place.port)}/"
    if is_silent:
        return wrong(
            name,
            _("Unter %(url)s antwortet das Programm nicht.") % {"url": url},
            _("Das Programm beenden und mit HOST=0.0.0.0 starten."),
        )
    if len(addresses) > 1 and not place.announced:
        return warning(
            name,
            _("Der Laptop ist in mehreren Netzen: %(all)s. Die Codes führen zu %(taken)s.")
            % {"all": ", ".join(addresses), "taken": lan},
            _(
                "Sind die Handys in einem anderen Netz: dieses trennen, oder PUBLIC_URL auf ihre Adresse setzen."
            ),
        )
    return ok(
        name,
        _("%(url)s Ob eine Firewall Handys abweist, zeigt nur ein Handy im WLAN des Saals.") % {"url": url},
    )


def own_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses that other devices may reach, without those of containers."""
    return tuple(
        address
        for interface, address in interfaces()
        if "." in address
        and not ipaddress.ip_address(address).is_link_local
        and not is_loopback(address)
        and not interface.startswith(OF_CONTAINERS)
    )
