"""The address of a laptop: when it changes, what is remembered of it, and what the organiser reads."""

import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from schnauz_turnier.start.address_watch import EVENING, begin, moved, next_url, stored_move
from schnauz_turnier.start.network import OwnHosts, own_hosts
from tests.schnauz_turnier.test_settings import settings_with
from tests.scoring.pages import Staff, text_of
from tournaments import own_address
from tournaments.own_address import Move, public_url, staff_url

AT = datetime(2026, 11, 21, 20, 14, tzinfo=UTC)
HOME, HALL, LATER = "http://192.168.178.20:8000", "http://10.44.7.31:8000", "http://172.16.0.9:8000"


@pytest.mark.parametrize(
    ("url", "here", "lan", "expected"),
    [
        (HOME, {"192.168.178.20"}, "192.168.178.20", HOME),
        (HOME, {"10.44.7.31"}, "10.44.7.31", HALL),
        (HOME, {"10.44.7.31", "192.168.178.20"}, "10.44.7.31", HOME),  # a VPN or cable beside the Wi-Fi
        (HOME, set(), None, HOME),  # the Wi-Fi is away for a moment
        (HOME, {"8.8.8.8"}, "8.8.8.8", HOME),  # plain http is not for the internet
        ("http://127.0.0.1:8000", {"127.0.0.1", "10.44.7.31"}, "10.44.7.31", HALL),
        ("http://192.168.178.20", {"10.44.7.31"}, "10.44.7.31", "http://10.44.7.31"),
        ("http://[fd00::2]:8000", {"fd00::2"}, "10.44.7.31", "http://[fd00::2]:8000"),
    ],
)
def test_the_address_changes_when_it_leads_here_no_more(
    url: str, here: set[str], lan: str | None, expected: str
) -> None:
    assert next_url(url, here, lan) == expected


@pytest.mark.parametrize(
    ("hostname", "names"),
    [
        ("Laptop", {"laptop", "laptop.local"}),
        ("laptop.example.org", {"laptop", "laptop.local"}),  # the rest is what a DHCP server says
        ("*", set()),
        (".example.org", set()),
        ("", set()),
    ],
)
def test_the_hosts_of_this_machine_are_its_local_addresses_and_its_name(
    hostname: str, names: set[str]
) -> None:
    addresses = ["10.44.7.31", "fd00::2", "8.8.8.8", "2001:4860:4860::8888"]
    assert own_hosts(addresses, hostname) == {"10.44.7.31", "[fd00::2]", *names}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOST": "0.0.0.0"}, ["localhost", "127.0.0.1", "[::1]", "10.44.7.31"]),
        ({"HOST": "::"}, ["localhost", "127.0.0.1", "[::1]", "10.44.7.31"]),
        (
            {"HOST": "0.0.0.0", "PUBLIC_URL": "http://turnier.lan"},
            ["turnier.lan", "localhost", "127.0.0.1", "[::1]", "10.44.7.31"],
        ),
        ({"HOST": "192.168.178.20"}, ["192.168.178.20", "localhost", "127.0.0.1", "[::1]"]),
        (
            {
                "HOST": "0.0.0.0",
                "PUBLIC_URL": "https://turnier.example.org",
                "SECRET_KEY": "0123456789abcdef" * 4,
            },
            ["turnier.example.org", "localhost", "127.0.0.1", "[::1]"],
        ),
        (
            {"HOST": "127.0.0.1", "PUBLIC_URL": "http://[fd00::2]"},
            ["[fd00::2]", "localhost", "127.0.0.1", "[::1]"],
        ),
    ],
)
def test_hosts_are_those_of_the_moment_where_all_addresses_answer_plain_http(
    tmp_path: Path, environment: dict[str, str], expected: list[str]
) -> None:
    (tmp_path / "public_url").write_text(HOME)
    hosts = settings_with(tmp_path, **environment)["ALLOWED_HOSTS"]
    if isinstance(hosts, OwnHosts):
        hosts.current = frozenset({"10.44.7.31"})
    assert [*hosts] == expected


# --- what is remembered --------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "public_url").write_text(HOME)
    os.utime(tmp_path / "public_url", (AT.timestamp(), AT.timestamp()))
    return tmp_path


def test_a_second_change_names_both_addresses_of_before_and_a_way_back_the_other_one(folder: Path) -> None:
    hour = timedelta(hours=1)
    assert moved(folder, HOME, HALL, at=AT) == Move(HALL, (HOME,), AT)
    assert moved(folder, HALL, LATER, at=AT + hour) == Move(LATER, (HOME, HALL), AT + hour)
    assert moved(folder, LATER, HOME, at=AT + 2 * hour) == Move(HOME, (HALL, LATER), AT + 2 * hour)
    assert (folder / "public_url").read_text() == HOME


def test_the_second_process_takes_over_what_the_first_has_found(folder: Path) -> None:
    first = moved(folder, HOME, HALL, at=AT)
    assert moved(folder, HOME, HALL, at=AT + timedelta(seconds=2)) == first


def test_the_address_of_another_program_in_the_folder_is_left_alone(folder: Path) -> None:
    (folder / "public_url").write_text("http://192.168.178.20:9000")
    assert moved(folder, HOME, HALL, at=AT) == Move(HALL, (HOME,), AT)
    assert (folder / "public_url").read_text() == "http://192.168.178.20:9000"
    assert stored_move(folder, HALL, at=AT) is None


@pytest.mark.parametrize(
    ("url", "after", "former"),
    [
        (HALL, timedelta(hours=1), (HOME,)),
        (HALL, EVENING, None),
        (HALL, -EVENING, None),
        (HOME, timedelta(hours=1), None),
    ],
)
def test_a_start_at_another_address_in_the_same_evening_is_a_change(
    folder: Path, url: str, after: timedelta, former: tuple[str, ...] | None
) -> None:
    begin(folder, url, at=AT + after)
    assert (folder / "public_url").read_text() == url
    move = stored_move(folder, url, at=AT + after)
    assert (move and move.former) == former


def test_a_start_for_this_computer_alone_in_between_is_no_change(folder: Path) -> None:
    move = moved(folder, HOME, HALL, at=AT)
    (folder / "public_url").write_text("http://127.0.0.1:8000")
    begin(folder, HALL, at=AT + timedelta(hours=1))
    assert (folder / "public_url").read_text() == HALL
    assert stored_move(folder, HALL, at=AT + timedelta(hours=1)) == move


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", json.dumps([HALL, None, "never"])])
def test_half_a_file_is_no_change(folder: Path, text: str) -> None:
    (folder / "address_change.json").write_text(text)
    assert stored_move(folder, HALL, at=AT) is None


# --- what is said --------------------------------------------------------------------------------------------------


@pytest.fixture
def move(monkeypatch: pytest.MonkeyPatch) -> Move:
    made = Move(HALL, (HOME,), datetime.now(UTC))
    monkeypatch.setattr(own_address, "_latest", made)
    return made


def notice_on(page: str) -> str:
    found = re.search(r'<details class="notice new-address.*?</details>', page, re.DOTALL)
    return found[0] if found else ""


@pytest.mark.django_db
def test_every_page_of_the_organiser_says_it_and_no_page_of_the_players(move: Move, client: Client) -> None:
    desk = Staff(5)
    desk.draw()
    names = ("overview", "rounds", "print", "screens")
    pages = {name: notice_on(text_of(desk.get(name, all="1"))) for name in names}
    assert [f"{HALL} – alte Codes führen nirgendwohin" in notice for notice in pages.values()] == [True] * 4
    assert [" open>" in notice for notice in pages.values()] == [True, False, False, False]
    assert HOME in pages["overview"]
    assert notice_on(text_of(client.get(f"/t/{desk.tournament.slug}/"))) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "move",
    [None, Move(HALL, (), AT + timedelta(days=9999)), Move(HALL, (HOME,), AT - EVENING)],
)
def test_nothing_is_said_without_a_change_in_this_evening(
    move: Move | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_address, "_latest", move)
    assert notice_on(text_of(Staff(5).get("overview"))) == ""


def test_links_of_the_staff_lead_to_the_new_address(move: Move, settings: Settings) -> None:
    settings.STAFF_URL = "https://192.168.178.20:8443"
    assert (public_url(), staff_url()) == (HALL, "https://10.44.7.31:8443")
