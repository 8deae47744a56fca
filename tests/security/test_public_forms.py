"""Forms that everybody may send without a token: from which page, and how many of one network."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from scoring.models import Flag
from scoring.services import flags, screen_pairings
from tests.scoring.pages import Staff

pytestmark = pytest.mark.django_db


def report_an_error(desk: Staff, **request: Any) -> int:
    """Report an error from a browser that is new each time; return the status."""
    address = f"/t/{desk.tournament.slug}/rounds/1/tables/1/flag/"
    return Client(**request).post(address, {"note": f"falsch {Flag.objects.count()}"}).status_code


def ask_for_a_code(desk: Staff, **request: Any) -> int:
    return Client(**request).post(f"/t/{desk.tournament.slug}/screen/code/", {"screen": 1}).status_code


@pytest.fixture
def desk() -> Staff:
    desk = Staff(5)
    desk.draw()
    return desk


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"HTTP_REFERER": "https://evil.example/t/x/"}, 403),
        ({"HTTP_REFERER": "http://testserver.evil.example/"}, 403),
        ({"HTTP_REFERER": "http://testserver@evil.example/"}, 403),
        ({"HTTP_REFERER": "http://testserver:81/"}, 403),
        ({"HTTP_REFERER": "http://["}, 403),
        ({"HTTP_REFERER": "about:blank"}, 403),
        ({"HTTP_REFERER": "http://testserver/", "HTTP_SEC_FETCH_SITE": "cross-site"}, 403),
        ({"HTTP_REFERER": "http://testserver/", "HTTP_ORIGIN": "https://evil.example"}, 403),
        ({"HTTP_REFERER": "http://testserver/t/x/"}, 302),
        ({"HTTP_REFERER": "http://TESTSERVER:80/t/x/"}, 302),
        ({"HTTP_REFERER": "https://evil.example/", "HTTP_ORIGIN": "http://testserver"}, 302),
        ({"HTTP_REFERER": ""}, 302),
        ({}, 302),
    ],
)
def test_without_an_origin_the_page_that_is_stated_has_to_be_ours(
    desk: Staff, headers: dict[str, str], status: int
) -> None:
    assert report_an_error(desk, **headers) == status


@pytest.mark.parametrize(
    ("send", "service"), [(report_an_error, flags), (ask_for_a_code, screen_pairings)], ids=["flags", "codes"]
)
def test_addresses_of_one_ipv6_network_are_counted_as_one(
    desk: Staff, send: Callable[..., int], service: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_OF_AN_ADDRESS", 2)
    sent = [send(desk, REMOTE_ADDR=f"2001:db8:0:1::{number}") for number in range(1, 4)]
    assert sent == [302, 302, 429]
    assert send(desk, REMOTE_ADDR="2001:db8:0:2::1") == 302
