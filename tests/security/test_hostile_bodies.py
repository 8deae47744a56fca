"""Attacks of one guest with bodies. A scribe beside the guest goes on writing and loses nothing.

The server cannot write to a file: what it accepts, it accepts without the disk.
"""

import json
import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from django.conf import settings
from django.urls import reverse

from tests.scoring.pages import Staff
from tests.security.conftest import Guest, Scribe, Server, answer, first_answer, flood, status
from tests.tournaments.door.test_reading_a_list import altered, workbook

PATHS = ("/s/enter", "/s/error", "/healthz", "/t/{slug}/", "/t/{slug}/live", "/static/x.js", "/nowhere/")
CHUNKED = "Transfer-Encoding: chunked"


def head(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


@pytest.mark.parametrize("path", PATHS)
def test_400_megabytes_are_refused_before_they_are_sent(path: str, guest: Guest, scribe: Scribe) -> None:
    connection = guest.send(head(path.format(slug=scribe.slug), "Content-Length: 400000000"))
    answered, sentence = first_answer(connection)
    assert status(answered) == 413
    assert b"connection: close" in answered
    assert "Das ist zu viel auf einmal" in sentence


@pytest.mark.parametrize("path", PATHS)
def test_400_megabytes_that_nobody_announced_are_cut_off(path: str, guest: Guest, scribe: Scribe) -> None:
    connection = guest.send(head(path.format(slug=scribe.slug), CHUNKED))
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert flood(connection, piece, 400_000_000) < 400_000_000
    scribe.write(1)


def test_a_phone_that_sends_too_much_reads_why_in_its_language(guest: Guest) -> None:
    german = first_answer(guest.send(head("/s/entries", CHUNKED) + b"f4300\r\n" + b"x" * 0xF4300))
    assert json.loads(german[1]) == {
        "error": "Das ist zu viel auf einmal; angenommen werden hier höchstens 1.000 kB. Nichts wurde gespeichert."
    }
    english = first_answer(guest.send(head("/s/entries", "Content-Length: 1000001", "Accept-Language: en")))
    assert json.loads(english[1]) == {
        "error": "That is too much at once; at most 1,000 kB are accepted here. Nothing was saved."
    }
    cookie = first_answer(
        guest.send(head("/healthz", "Content-Length: 64001", f"Cookie: {settings.LANGUAGE_COOKIE_NAME}=en"))
    )
    assert cookie[1] == "That is too much at once; at most 64 kB are accepted here. Nothing was saved.\n"


@pytest.mark.parametrize(("path", "most"), [("/s/enter", 1_000_000), ("/nowhere/", 64_000)])
def test_a_body_just_below_the_limit_is_read(path: str, most: int, served: Server, committed: None) -> None:
    response = httpx.post(served.url + path, content=b"x" * most, timeout=60, trust_env=False)
    assert response.status_code != 413
    response = httpx.post(served.url + path, content=b"x" * (most + 1), timeout=60, trust_env=False)
    assert response.status_code == 413


@pytest.fixture
def desk(committed: None) -> Staff:
    return Staff()


@pytest.fixture
def post_list(desk: Staff, served: Server) -> Iterator[Callable[..., httpx.Response]]:
    """Send the form of the page that imports a list of players."""
    cookies = {"sessionid": desk.client.cookies["sessionid"].value}
    url = served.url + reverse("door:import_list", args=[desk.tournament.slug])
    with httpx.Client(cookies=cookies, trust_env=False, timeout=60) as client:
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', client.get(url).text)
        assert token

        def post(text: str = "", file: bytes | None = None) -> httpx.Response:
            files = {} if file is None else {"file": ("liste", file)}
            return client.post(url, data={"csrfmiddlewaretoken": token[1], "text": text}, files=files)

        yield post


def test_a_list_of_players_may_have_a_megabyte(post_list: Callable[..., httpx.Response]) -> None:
    """Percent-encoded, as browsers send pasted text, that is three."""
    lines = "\n".join(f"Spieler{number};Krone;{'ü' * 230}" for number in range(2000))
    assert [post_list(file=lines.encode()).status_code, post_list(lines).status_code] == [200, 200]
    too_large = post_list("ü" * 520_000)
    assert (too_large.status_code, "höchstens 3.000 kB" in too_large.text) == (413, True)


def test_a_workbook_of_kilobytes_that_unpacks_to_millions_is_not_read(
    post_list: Callable[..., httpx.Response], scribe: Scribe
) -> None:
    styles = "<styleSheet>" + "<xf/>" * 1_900_000 + "</styleSheet>"
    response = post_list(file=altered(workbook([["Huber Sepp"]]), "xl/styles.xml", styles))
    scribe.write()
    assert (response.status_code, "Diese Datei ist zu groß." in response.text) == (422, True)
    assert "Huber Sepp" in post_list(file=workbook([["Huber Sepp"]])).text


def test_a_body_that_never_ends_is_given_up(guest: Guest, scribe: Scribe) -> None:
    connections = [guest.send(head(path, "Content-Length: 1000") + b"{") for path in ("/s/enter", "/healthz")]
    for connection in connections:
        connection.sendall(b'"')
    scribe.write()
    answers = [first_answer(connection) for connection in connections]
    assert [status(answered) for answered, _sentence in answers] == [408, 408]
    assert json.loads(answers[0][1]) == {
        "error": "Die Anfrage kam nicht vollständig an. Bitte noch einmal versuchen."
    }


def test_a_body_in_two_parts_is_a_request(guest: Guest) -> None:
    connection = guest.send(head("/s/enter", "Content-Type: application/json", "Content-Length: 2") + b"{")
    connection.sendall(b"}")
    answered, sentence = first_answer(connection)
    assert status(answered) == 400
    assert json.loads(sentence)["error"].startswith("Diese Anfrage ist unlesbar.")


def test_an_address_sends_four_large_bodies_at_once(guest: Guest, scribe: Scribe) -> None:
    """A batch of entries is smaller, so phones behind the same router are not affected."""
    large = head("/s/enter", "Content-Length: 999999") + b"x" * 100_000
    for _ in range(4):
        guest.send(large)
    answered, sentence = first_answer(guest.send(large))
    assert status(answered) == 429
    assert "Von dieser Adresse kommt gerade zu viel auf einmal." in json.loads(sentence)["error"]
    scribe.write()
    small = head("/s/enter", "Content-Length: 10", "Connection: close") + b"x" * 10
    assert status(answer(guest.send(small))) == 415
    from_elsewhere = head("/s/enter", "Content-Length: 70000", "Connection: close") + b"x" * 70_000
    assert status(answer(guest.send(from_elsewhere, "127.0.0.10"))) == 415
