"""Checks of the network: port, address for the phones, firewall."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from schnauz_turnier.doctor.findings import Finding, ok, warning, wrong
from schnauz_turnier.start.network import is_loopback


@dataclass(frozen=True, slots=True)
class PortFacts:
    """A port of this machine. running: the version of this program that answers there, "" if none does.

    reason: why it cannot be had, "" if it is free. holder: the program that has it, "" if unknown.
    """

    host: str
    port: int
    reason: str = ""
    running: str = ""
    holder: str = ""


@dataclass(frozen=True, slots=True)
class AddressFacts:
    """The addresses of this machine. taken: the one in the codes, by the routing table; None without a network.

    announced: the host of PUBLIC_URL if it is an address in plain http, else "".
    """

    host: str
    found: tuple[str, ...]
    taken: str | None
    announced: str = ""


@dataclass(frozen=True, slots=True)
class FirewallFacts:
    """A firewall. program: "" if none was found. active, lets_in: None if it could not be found out."""

    program: str = ""
    active: bool | None = None
    lets_in: bool | None = None
    opens: str = ""
    """The command that lets phones in, "" if there is none."""


def check_port(facts: PortFacts, *, version: str) -> Finding:
    name = _("Port")
    if facts.running and facts.running != version:
        return warning(
            name,
            _("Auf Port %(port)d läuft Version %(running)s des Programms, dies hier ist %(version)s.")
            % {"port": facts.port, "running": facts.running, "version": version},
            _("Das laufende Programm beenden und neu starten."),
        )
    if facts.running:
        return ok(name, _("Das Programm läuft, auf Port %(port)d.") % {"port": facts.port})
    if not facts.reason:
        return ok(name, _("%(port)d ist frei.") % {"port": facts.port})
    holder = (
        _("%(port)d ist belegt, von %(holder)s.") % {"port": facts.port, "holder": facts.holder}
        if facts.holder
        else _("%(host)s:%(port)d ist nicht zu haben: %(reason)s.")
        % {"host": facts.host, "port": facts.port, "reason": facts.reason}
    )
    return wrong(
        name,
        holder,
        _("Das andere Programm beenden, oder mit PORT=%(other)d starten.")
        % {"other": 8000 if facts.port != 8000 else 8001},
    )


def check_address(facts: AddressFacts) -> Finding:
    name = _("Adresse")
    if is_loopback(facts.host):
        return warning(
            name,
            _("So erreicht nur dieser Laptop das Programm, kein Handy."),
            _("Für Handys mit HOST=0.0.0.0 starten."),
        )
    if facts.taken is None:
        return wrong(
            name,
            _("Der Laptop ist in keinem Netz, kein Handy kann ihn erreichen."),
            _("Mit dem WLAN des Saals verbinden, oder am Laptop selbst einen Hotspot öffnen."),
        )
    if facts.announced and facts.announced not in (*facts.found, facts.taken):
        return wrong(
            name,
            _("Die Codes führen zu %(old)s, der Laptop hat aber %(new)s.")
            % {"old": facts.announced, "new": facts.taken},
            _(
                "Das Programm neu starten und die Codes neu drucken, oder im Router die alte Adresse vergeben."
            ),
        )
    if len(facts.found) > 1 and not facts.announced:
        return warning(
            name,
            _("Der Laptop ist in mehreren Netzen: %(all)s. Die Codes führen zu %(taken)s.")
            % {"all": ", ".join(facts.found), "taken": facts.taken},
            _(
                "Sind die Handys in einem anderen Netz: dieses trennen, oder PUBLIC_URL auf ihre Adresse setzen."
            ),
        )
    return ok(name, facts.announced or facts.taken)


def check_firewall(facts: FirewallFacts, *, url: str) -> Finding:
    name = _("Firewall")
    try_it = _("Mit einem Handy im WLAN des Saals %(url)s öffnen.") % {"url": url}
    if not facts.program:
        return ok(name, _("Keine gefunden. Zur Probe: %(try)s") % {"try": try_it})
    if facts.active is False:
        return ok(name, _("%(program)s ist aus.") % {"program": facts.program})
    if facts.active and facts.lets_in:
        return ok(name, _("%(program)s lässt Handys herein.") % {"program": facts.program})
    if facts.active and facts.lets_in is False:
        return warning(
            name,
            _("%(program)s hält Handys draußen.") % {"program": facts.program},
            " ".join(filter(None, [facts.opens, try_it])),
        )
    return warning(
        name,
        _("Ob %(program)s Handys hereinlässt, war nicht zu erfahren.") % {"program": facts.program},
        " ".join(filter(None, [try_it, _("Geht es nicht:") if facts.opens else "", facts.opens])),
    )


# --- texts of the firewalls' own programs ----------------------------------------------------------------------------


def read_ufw(status: str, port: int) -> FirewallFacts:
    """Read `ufw status`."""
    opens = f"sudo ufw allow {port}/tcp"
    if not status.startswith("Status: active"):
        return FirewallFacts("ufw", active=False)
    rules = [line.split() for line in status.splitlines()]
    lets_in = any(
        rule and rule[0] in (str(port), f"{port}/tcp", "Anywhere") and "ALLOW" in rule for rule in rules
    )
    return FirewallFacts("ufw", active=True, lets_in=lets_in, opens=opens)


def read_firewalld(ports: str, port: int) -> FirewallFacts:
    """Read `firewall-cmd --list-ports`, e.g. `8000/tcp 9000-9010/tcp`."""
    return FirewallFacts(
        "firewalld",
        active=True,
        lets_in=any(_covers(span, port) for span in ports.split()),
        opens=f"sudo firewall-cmd --add-port={port}/tcp",
    )


def _covers(span: str, port: int) -> bool:
    numbers, _slash, protocol = span.partition("/")
    first, _dash, last = numbers.partition("-")
    return protocol == "tcp" and int(first) <= port <= int(last or first)


def read_nft(rules: str, port: int) -> FirewallFacts:
    """Read `nft list ruleset`. Whether rules that name other things than the port let phones in is unknown."""
    inputs = [chain for chain in rules.split("chain ")[1:] if "hook input" in chain]
    closed = [chain for chain in inputs if "policy drop" in chain or " drop" in chain or "reject" in chain]
    if not closed:
        return FirewallFacts("nftables", active=False)
    named = [line for chain in closed for line in chain.splitlines() if "dport" in line and "accept" in line]
    lets_in = any(str(port) in _numbers(line) for line in named)
    return FirewallFacts("nftables", active=True, lets_in=lets_in or None)


def _numbers(line: str) -> Sequence[str]:
    return line.replace(",", " ").replace("{", " ").replace("}", " ").split()


def read_netsh(profile: str) -> FirewallFacts:
    """Read `netsh advfirewall show currentprofile`, in German or English: the state is its first row."""
    rows = [line.split() for line in profile.splitlines()]
    states = [row[-1].upper() for row in rows if row and row[0] in ("State", "Status")]
    if not states:
        return FirewallFacts("Windows-Firewall", active=None)
    return FirewallFacts("Windows-Firewall", active=states[0] in ("ON", "EIN"))


def read_socketfilterfw(state: str) -> FirewallFacts:
    """Read `socketfilterfw --getglobalstate` of macOS."""
    return FirewallFacts("macOS", active="disabled" not in state)
