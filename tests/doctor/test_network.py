"""Checks of port, address and firewall, from facts to findings, and the texts of the systems' own programs."""

import pytest

from schnauz_turnier.doctor import network
from schnauz_turnier.doctor.findings import Health
from schnauz_turnier.doctor.network import AddressFacts, FirewallFacts, PortFacts
from tests.doctor.test_machine import OK, WARNING, WRONG, said

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
ONE, TWO = "192.168.178.20", "10.0.0.7"


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (PortFacts(HERE, 8000), (OK, "8000 ist frei.")),
        (
            PortFacts(HERE, 8000, "Address already in use"),
            (WRONG, "127.0.0.1:8000 ist nicht zu haben: Address already in use."),
        ),
        (
            PortFacts(HERE, 8000, "Address already in use", "", "nginx (PID 7)"),
            (WRONG, "8000 ist belegt, von nginx (PID 7)."),
        ),
        (
            PortFacts(HERE, 8000, "Address already in use", "1.0.0"),
            (OK, "Das Programm läuft, auf Port 8000."),
        ),
        (
            PortFacts(HERE, 8000, "Address already in use", "0.9.0"),
            (WARNING, "Auf Port 8000 läuft Version 0.9.0 des Programms, dies hier ist 1.0.0."),
        ),
    ],
)
def test_port(facts: PortFacts, result: tuple[Health, str]) -> None:
    assert said(network.check_port(facts, version="1.0.0")) == result


def test_another_port_than_the_taken_one_is_named() -> None:
    remedies = [
        network.check_port(PortFacts(HERE, port, "taken"), version="1.0.0").remedy
        for port in (80, 8000, 65535)
    ]
    assert ["PORT=8000" in remedies[0], "PORT=8001" in remedies[1], "PORT=8000" in remedies[2]] == [True] * 3


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (AddressFacts(EVERYWHERE, (ONE,), ONE), (OK, ONE)),
        (
            AddressFacts(HERE, (ONE,), ONE),
            (WARNING, "So erreicht nur dieser Laptop das Programm, kein Handy."),
        ),
        (
            AddressFacts(EVERYWHERE, (), None),
            (WRONG, "Der Laptop ist in keinem Netz, kein Handy kann ihn erreichen."),
        ),
        (
            AddressFacts(EVERYWHERE, (ONE, TWO), TWO),
            (WARNING, f"Der Laptop ist in mehreren Netzen: {ONE}, {TWO}. Die Codes führen zu {TWO}."),
        ),
        (AddressFacts(EVERYWHERE, (ONE, TWO), TWO, ONE), (OK, ONE)),
        (
            AddressFacts(EVERYWHERE, (TWO,), TWO, ONE),
            (WRONG, f"Die Codes führen zu {ONE}, der Laptop hat aber {TWO}."),
        ),
    ],
)
def test_address(facts: AddressFacts, result: tuple[Health, str]) -> None:
    assert said(network.check_address(facts)) == result


URL = f"http://{ONE}:8000/"


@pytest.mark.parametrize(
    ("facts", "result"),
    [
        (
            FirewallFacts(),
            (OK, f"Keine gefunden. Zur Probe: Mit einem Handy im WLAN des Saals {URL} öffnen."),
        ),
        (FirewallFacts("ufw", active=False), (OK, "ufw ist aus.")),
        (FirewallFacts("ufw", active=True, lets_in=True), (OK, "ufw lässt Handys herein.")),
        (FirewallFacts("ufw", active=True, lets_in=False), (WARNING, "ufw hält Handys draußen.")),
        (FirewallFacts("ufw", active=True), (WARNING, "Ob ufw Handys hereinlässt, war nicht zu erfahren.")),
    ],
)
def test_firewall(facts: FirewallFacts, result: tuple[Health, str]) -> None:
    assert said(network.check_firewall(facts, url=URL)) == result


def test_ufw_is_read() -> None:
    status = "Status: active\n\nTo                         Action      From\n--                         ------      ----\n"
    opens = "sudo ufw allow 8000/tcp"
    assert network.read_ufw("Status: inactive\n", 8000) == FirewallFacts("ufw", active=False)
    for rule in ("8000/tcp", "8000", "Anywhere"):
        text = f"{status}{rule:<26} ALLOW       Anywhere\n"
        assert network.read_ufw(text, 8000) == FirewallFacts("ufw", active=True, lets_in=True, opens=opens)
    for rule in (
        "22/tcp                     ALLOW       Anywhere",
        "8000/tcp                   DENY        Anywhere",
    ):
        assert network.read_ufw(f"{status}{rule}\n", 8000).lets_in is False
    assert opens in network.check_firewall(network.read_ufw(status, 8000), url=URL).remedy


def test_firewalld_is_read() -> None:
    assert network.read_firewalld("8000/tcp 9000-9010/udp\n", 8000).lets_in is True
    assert network.read_firewalld("7990-8010/tcp\n", 8000).lets_in is True
    assert network.read_firewalld("8000/udp 8001/tcp\n", 8000).lets_in is False
    assert network.read_firewalld("\n", 8000).lets_in is False


NFT = """table inet filter {
	chain input {
		type filter hook input priority filter; policy %s;
		ct state established,related accept
		%s
	}
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
}
"""


@pytest.mark.parametrize(
    ("policy", "rule", "active", "lets_in"),
    [
        ("accept", "", False, None),
        ("drop", "tcp dport 8000 accept", True, True),
        ("drop", "tcp dport { 22, 8000 } accept", True, True),
        ("drop", "tcp dport 22 accept", True, None),
        ("accept", "counter reject", True, None),
    ],
)
def test_nftables_is_read(policy: str, rule: str, lets_in: bool | None, *, active: bool) -> None:
    facts = network.read_nft(NFT % (policy, rule), 8000)
    assert facts == FirewallFacts("nftables", active=active, lets_in=lets_in)


@pytest.mark.parametrize(
    ("row", "active"),
    [
        ("State                                 ON", True),
        ("State                                 OFF", False),
        ("Status                                EIN", True),
        ("Status                                AUS", False),
    ],
)
def test_the_firewall_of_windows_is_read(row: str, *, active: bool) -> None:
    text = f"\nÖffentliches Profil-Einstellungen:\n-----------------\n{row}\nFirewallrichtlinie  BlockInbound,AllowOutbound\n"
    assert network.read_netsh(text) == FirewallFacts("Windows-Firewall", active=active)
    assert network.read_netsh("").active is None


def test_the_firewall_of_macos_is_read() -> None:
    assert network.read_socketfilterfw("Firewall is disabled. (State = 0)\n").active is False
    assert network.read_socketfilterfw("Firewall is enabled. (State = 1)\n").active is True
