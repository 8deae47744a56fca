"""The controls of the attacks on headers, connections and bodies: without the limits each of them gets through."""

import socket
from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import url_of_test_database
from tests.security.conftest import Guest, Server, answer, flood, serving, status
from tests.security.test_hostile_bodies import CHUNKED, head
from tests.security.test_hostile_requests import HALF, REST, headers_of
from tests.served_under_attack import BODY_SECONDS, CONNECTIONS_PER_ADDRESS

MEGABYTES = 8_000_000
"""More than any limit."""


@pytest.fixture(scope="module")
def unlimited(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    with serving("tests.served_without_limits", database_url) as server:
        yield server


@pytest.fixture
def guest(unlimited: Server) -> Iterator[Guest]:
    made = Guest(unlimited)
    yield made
    made.leave()


def is_silent(connection: socket.socket, seconds: float) -> bool:
    """Return whether the server neither answers nor closes the connection."""
    connection.settimeout(seconds)
    try:
        connection.recv(1)
    except TimeoutError:
        return True
    return False


def test_headers_of_any_size_are_read(guest: Guest) -> None:
    assert status(answer(guest.send(headers_of(60_000)))) == 200
    assert flood(guest.send(HALF), b"x" * 1_000_000, MEGABYTES) == MEGABYTES


def test_an_announced_body_of_400_megabytes_is_waited_for(guest: Guest) -> None:
    connection = guest.send(head("/healthz", "Content-Length: 400000000") + b"x" * 70_000)
    assert is_silent(connection, 1)


def test_a_body_that_nobody_announced_is_read_to_the_end(guest: Guest) -> None:
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert flood(guest.send(head("/healthz", CHUNKED)), piece, MEGABYTES) >= MEGABYTES


def test_half_requests_stay_open_and_an_address_opens_any_number(guest: Guest) -> None:
    halves = [guest.send(HALF) for _ in range(2 * CONNECTIONS_PER_ADDRESS)]
    body = guest.send(head("/healthz", "Content-Length: 1000") + b"{")
    assert is_silent(body, BODY_SECONDS + 1)
    assert is_silent(halves[0], 0.1)
    for half in halves:
        half.settimeout(30)
        half.sendall(REST)
        assert status(answer(half)) == 200
