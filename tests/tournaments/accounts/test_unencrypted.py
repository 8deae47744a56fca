"""The warning at forms for passwords in the Wi-Fi of the guests, and sessions that stay encrypted."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

WARNING = "kann das Passwort mitlesen"
LOGIN = "/account/login/"


@pytest.mark.parametrize("address", [LOGIN, "/account/join/"])
def test_another_device_on_plain_http_is_warned(address: str) -> None:
    assert WARNING in Client(REMOTE_ADDR="192.168.178.30").get(address).content.decode()


@pytest.mark.parametrize("computer", ["127.0.0.1", "::1"])
def test_the_laptop_itself_is_not_warned_about_plain_http(computer: str) -> None:
    laptop = Client(REMOTE_ADDR=computer, headers={"host": "localhost"})
    assert WARNING not in laptop.get(LOGIN).content.decode()


def test_over_https_there_is_no_warning() -> None:
    page = Client(REMOTE_ADDR="192.168.178.30").get(LOGIN, secure=True)
    assert WARNING not in page.content.decode()


def test_the_warning_leads_to_the_encrypted_address(settings: Any) -> None:
    settings.STAFF_URL = "https://192.168.178.20:8443"
    page = Client(REMOTE_ADDR="192.168.178.30").get(LOGIN).content.decode()
    assert 'href="https://192.168.178.20:8443/account/login/"' in page


@pytest.mark.parametrize("secure", [True, False])
def test_a_session_that_began_over_https_is_never_sent_over_http(client: Client, *, secure: bool) -> None:
    user = UserFactory.create()
    client.post(LOGIN, {"username": user.username, "password": PASSWORD}, secure=secure)
    assert bool(client.cookies["sessionid"]["secure"]) is secure
