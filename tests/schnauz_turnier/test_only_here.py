"""The warning where no phone can follow a code: shown while PUBLIC_URL leads to this machine only."""

import pytest
from django.test import Client
from pytest_django import Settings

from schnauz_turnier.start.network import is_loopback
from tests.scoring.pages import Staff, text_of

pytestmark = pytest.mark.django_db

HERE = ["http://127.0.0.1:8000", "http://localhost:8107", "http://[::1]:8000"]
ELSEWHERE = [
    "http://192.168.178.20:8000",
    "http://turnier.lan",
    "https://turnier.example.org",
    "https://localhost",
]
TITLE = "Noch erreicht kein Handy dieses Programm"


def pages(desk: Staff) -> list[str]:
    return [
        text_of(desk.get("overview")),
        text_of(desk.get("print")),
        text_of(desk.get("print_sheets", 1)),
        text_of(desk.get("members")),
        text_of(desk.post("invite", role="cashier")),
        text_of(desk.get("screens")),
    ]


@pytest.mark.parametrize("url", HERE)
def test_every_page_with_a_code_says_so(url: str, settings: Settings) -> None:
    settings.PUBLIC_URL = url
    desk = Staff(5)
    desk.draw()
    assert [TITLE in page for page in pages(desk)] == [True] * 6
    command = "HOST=0.0.0.0 make run" if url.endswith(":8000") else "PORT=8107 HOST=0.0.0.0 make run"
    assert f">{command}<" in text_of(desk.get("overview"))


@pytest.mark.parametrize("url", ELSEWHERE)
def test_where_phones_can_follow_the_codes_nothing_is_said(url: str, settings: Settings) -> None:
    settings.PUBLIC_URL = url
    desk = Staff(5)
    desk.draw()
    assert [TITLE in page for page in pages(desk)] == [False] * 6


@pytest.mark.parametrize(("url", "warned"), [(HERE[0], True), (ELSEWHERE[0], False)])
def test_the_wall_warns_beside_its_code(
    url: str, settings: Settings, client: Client, *, warned: bool
) -> None:
    settings.PUBLIC_URL = url
    desk = Staff(5)
    for network in ("", "Gäste"):
        desk.post("show_scene", scene="welcome", network=network, password="", screen="1")
        page = text_of(client.get(f"/t/{desk.tournament.slug}/screen/"))
        assert ("Dieser Code erreicht noch kein Handy" in page) is warned
        assert ("Aufs Handy" in page) is not warned  # the small code of each page
        assert ("Platz und Stand aufs Handy" in page) is not warned


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("192.168.0.7", False),
        ("turnier.lan", False),
        ("", False),
    ],
)
def test_what_leads_to_this_machine_only(host: str, *, here: bool) -> None:
    assert is_loopback(host) is here
