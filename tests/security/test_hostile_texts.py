"""Texts of requests that Python, PostgreSQL or a page choke on. Each is refused or read as harmless; none is an error of ours."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.organiser.people.member_list import read_members
from tests.scoring.pages import Staff
from tests.security.conftest import Guest, answer, status
from tournaments.core.names import MOST_IN_A_NAME, clean_name, clean_text
from tournaments.core.refusal import Refusal
from tournaments.door.lists.people_list import ListContext, read_people
from tournaments.list_files import LONGEST_CELL
from tournaments.requests import page_near

MARKS = "\u0301\u0323"
"""Two marks that Unicode orders the other way round."""
MULTIPART = "multipart/form-data; boundary=x"
FORM = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nM\xc3\xbcller\r\n--x--\r\n'


@pytest.fixture
def desk(db: None) -> Staff:
    desk = Staff(5)
    desk.draw()
    return desk


@pytest.mark.parametrize("key", ['"\\000abcdefgh"', "abcdefgh\x00", "äöü" * 9, "A" * 40])
def test_a_cookie_that_can_be_no_session_is_none(desk: Staff, key: str) -> None:
    client = Client(HTTP_COOKIE=f"{settings.SESSION_COOKIE_NAME}={key}")
    assert client.get("/").status_code == 200
    assert client.get(f"/t/{desk.tournament.slug}/").status_code == 200
    assert client.get(desk.url("overview")).status_code == 302


def answer_to(guest: Guest, content_type: str) -> int:
    """Send the form of the log-in without the token of its page, for which the program reads all of it."""
    head = (
        "POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Cookie: {settings.CSRF_COOKIE_NAME}={'a' * 32}\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(FORM)}\r\n\r\n"
    )
    return status(answer(guest.send(head.encode("latin1") + FORM)))


@pytest.mark.parametrize(
    "charset", ["rot13", "zlib", "undefined", "idna", "punycode", "utf-16", "latin1", "unheard-of", "\xff"]
)
def test_text_in_another_encoding_is_refused(guest: Guest, charset: str) -> None:
    for content_type in (f"{MULTIPART}; charset={charset}", f"{MULTIPART}; Charset*=utf-8''{charset}"):
        assert answer_to(guest, content_type) == 415
    assert answer_to(guest, f"{MULTIPART}; charset={charset}\r\nContent-Type: {MULTIPART}") == 415


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", '; charset="UTF8"'])
def test_utf_8_is_read(guest: Guest, charset: str) -> None:
    """The control: what lacks is the token."""
    assert answer_to(guest, f"{MULTIPART}{charset}") == 403


@pytest.fixture
def normalised(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the texts whose marks are put in order, which takes quadratic time: 20 s for 100,000 marks."""
    lengths: list[int] = []
    ordered = unicodedata.normalize

    def normalize(form: Any, text: str) -> str:
        lengths.append(len(text))
        return ordered(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    return lengths


@pytest.mark.parametrize("clean", [clean_name, lambda text: clean_text(text, most=MOST_IN_A_NAME)])
def test_thousands_of_marks_are_refused_before_they_are_put_in_order(
    clean: Any, normalised: list[int]
) -> None:
    with pytest.raises(Refusal) as caught:
        clean("a" + MARKS * 5_000)
    assert caught.value.code.endswith("_too_long")
    assert normalised == []
    # The control: what is short once it is cleaned is not refused.
    four_in_one = "\u03b1\u0313\u0300\u0345"
    assert clean(four_in_one * MOST_IN_A_NAME + " " * 9_999) == "\u1f82" * MOST_IN_A_NAME


@pytest.mark.parametrize("line", ["Max {0}", "{0}, {0}", "1;{0} {0};{0}", "Max Maier;{0}"])
def test_thousands_of_marks_in_a_list_are_a_line_that_is_too_long(line: str, normalised: list[int]) -> None:
    """How the names of a list are ordered is guessed before any of them is checked."""
    people = read_people("\n".join([line.format(f"a{MARKS * 2_000}")] * 3), ListContext({}))
    assert {bad.refusal.code[4:] for bad in people.bad} == {"_too_long"}
    assert max(normalised, default=0) <= LONGEST_CELL


def test_thousands_of_marks_in_a_list_of_members_are_a_line_that_is_too_long(normalised: list[int]) -> None:
    members = read_members("Name;Ort\n" + f"a{MARKS * 2_000};b\nb;a{MARKS * 2_000}")
    assert [refusal.code for _line, _text, refusal in members.bad] == ["name_too_long", "text_too_long"]
    assert max(normalised, default=0) <= LONGEST_CELL


def test_a_search_is_as_long_as_a_name(desk: Staff) -> None:
    """The words of what is searched are kept by its text: thousands of them would take as much room as many pages."""
    answered = Client().get(f"/t/{desk.tournament.slug}/", {"q": "a" * 8_000}).content.decode()
    assert f'value="{"a" * MOST_IN_A_NAME}"' in answered


@pytest.mark.parametrize("path", ["/" + "a/" * 30_000, "/" * 60_000, "/o/x/" + "../" * 5_000])
def test_a_path_that_no_page_has_is_not_tried_part_by_part(path: str) -> None:
    assert page_near(path) == ""


ESCAPE = "\x1b]0;mine\x07\x9b2J\u202e"


@pytest.mark.parametrize("command", ["import_tournament", "verify_draw"])
def test_escapes_of_a_document_are_not_printed(db: None, tmp_path: Path, command: str) -> None:
    file = tmp_path / "document.json"
    file.write_text(json.dumps({"schema": "schnauz-turnier/2", ESCAPE: 1}), encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        call_command(command, str(file))
    assert str(refused.value).isprintable()
    assert "mine" in str(refused.value)
