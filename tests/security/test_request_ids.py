"""Request ids: in every answer, in the log and on the page for a failure. Only a trusted proxy chooses one."""

import asyncio
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.web.django_threads import DjangoThreads
from schnauz_turnier.web.log_lines import LineFormatter
from schnauz_turnier.web.request_ids import RequestIds
from tests.conftest import url_of_test_database
from tests.security.conftest import (
    GUEST,
    HOST,
    Guest,
    Scribe,
    Server,
    answer,
    first_answer,
    read_until,
    serving,
    status,
)

# All of them, so that none comes between those that share a server.
pytestmark = pytest.mark.usefixtures("committed")

ID = re.compile(rb"\r\nx-request-id: ([^\r]*)(?=\r|$)", re.IGNORECASE)
FRESH = re.compile(rb"[0-9a-f]{12}")
GIVEN = "c0ffee-FROM-the-Proxy-1"


def request(path: str = "/healthz", *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def ids(answered: bytes) -> list[bytes]:
    return ID.findall(answered)


def test_every_answer_has_one_of_its_own(guest: Guest, scribe: Scribe) -> None:
    """Pages, twice from memory; the phone's calls, files, refusals and streams."""
    page = f"/t/{scribe.slug}/"
    paths = [
        page,
        page,
        page,
        "/healthz",
        "/s/sheet",
        "/nowhere/",
        "/static/css/base.css",
        "/static/nothing.css",
    ]
    found = [ids(first_answer(guest.send(request(path)))[0]) for path in paths]
    found.append(ids(read_until(guest.send(request(f"{page}live")), b'"topics"')))
    too_much = request("/s/enter", "Content-Length: 9000000")
    found.append(ids(first_answer(guest.send(too_much))[0]))
    found.append(
        ids(answer(guest.send(request("/healthz", "X: " + "x" * 40_000))))
    )  # refused before it is read
    assert [len(one) for one in found] == [1] * len(found)
    assert len({one[0] for one in found}) == len(found)
    assert all(FRESH.fullmatch(one[0]) for one in found)


# --- who chooses it ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def behind_a_proxy(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """Serve the program with the guest's address as that of the proxy."""
    with django_db_blocker.unblock():
        database_url = url_of_test_database()
    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("TRUSTED_PROXIES", GUEST)
            server = running.enter_context(serving("tests.served_under_attack", database_url))
        yield server


def id_of(guest: Guest, given: str, address: str = GUEST) -> bytes:
    return ids(first_answer(guest.send(request("/healthz", *given.split("\n")), address))[0])[0]


def test_that_of_a_trusted_proxy_is_taken_over(behind_a_proxy: Server) -> None:
    proxy = Guest(behind_a_proxy)
    assert id_of(proxy, f"X-Request-ID: {GIVEN}") == GIVEN.encode()
    assert id_of(proxy, f"X-Request-ID: {GIVEN}\nX-Forwarded-For: 203.0.113.7") == GIVEN.encode()
    proxy.leave()


def test_the_forwarded_address_is_the_one_that_limits_count(behind_a_proxy: Server, scribe: Scribe) -> None:
    """The proxy has more streams open than an address may have; each guest behind it has as many as others."""
    proxy = Guest(behind_a_proxy)

    def open_a_stream(*headers: str) -> int:
        return status(read_until(proxy.send(request(f"/t/{scribe.slug}/live", *headers)), b"\r\n\r\n"))

    assert [open_a_stream("X-Forwarded-For: 203.0.113.7") for _ in range(21)] == [200] * 20 + [429]
    assert open_a_stream("X-Forwarded-For: 203.0.113.8") == 200
    proxy.leave()


@pytest.mark.parametrize(
    "given",
    ["short", "x" * 65, "a b c d e f", "<script>x</script>", "12345678%0a", "12345678\tINFO", "äöüäöüäöü", "", f"{GIVEN}\nX-Request-ID: {GIVEN}"],
)  # fmt: skip
def test_one_that_could_do_harm_is_not(behind_a_proxy: Server, given: str) -> None:
    proxy = Guest(behind_a_proxy)
    assert FRESH.fullmatch(id_of(proxy, f"X-Request-ID: {given}"))
    proxy.leave()


def test_a_guest_chooses_none(guest: Guest, behind_a_proxy: Server) -> None:
    """Neither without a proxy, nor past it, nor with a header that names it."""
    past = Guest(behind_a_proxy)
    assert FRESH.fullmatch(id_of(guest, f"X-Request-ID: {GIVEN}"))
    assert FRESH.fullmatch(id_of(past, f"X-Request-ID: {GIVEN}", HOST))
    assert FRESH.fullmatch(id_of(past, f"X-Request-ID: {GIVEN}\nX-Forwarded-For: {GUEST}", HOST))
    past.leave()


# --- failures ------------------------------------------------------------------------------------------------------


def fails(_request: HttpRequest) -> HttpResponse:
    raise ValueError("a bug")


failing = ModuleType("failing")
failing.urlpatterns = [path("fails/", fails, name="fails")]  # type: ignore[attr-defined]


def ask(app: Any) -> tuple[dict[bytes, bytes], str]:
    """Return headers and content of the answer."""
    sent: list[Any] = []
    body = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if not body:
            await asyncio.Event().wait()
        return body.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"accept-language", b"de")]
    common = {"type": "http", "method": "GET", "scheme": "http", "http_version": "1.1", "query_string": b""}
    scope = {**common, "path": "/fails/", "raw_path": b"/fails/", "headers": headers, "client": (HOST, 1)}
    asyncio.run(RequestIds(app)(scope, receive, send))
    return dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:]).decode()


@pytest.mark.parametrize("make", [ASGIHandler, lambda: DjangoThreads("pages")], ids=["django", "threads"])
def test_a_failure_is_found_in_the_log_by_the_id_on_its_page(
    make: Any, caplog: pytest.LogCaptureFixture
) -> None:
    logging.disable(logging.NOTSET)
    formatters: Any = settings.LOGGING["formatters"]
    caplog.handler.setFormatter(LineFormatter(formatters["text"]["format"], style="{"))
    with override_settings(ROOT_URLCONF=failing):
        headers, page = ask(make())
        _others, other = ask(make())
    name = headers[b"x-request-id"].decode()
    assert f"<p>Störung {name}</p>" in page
    assert name not in other
    assert f"ERROR django.request [{name}]: Internal Server Error: /fails/" in caplog.text
    assert "ValueError: a bug" in caplog.text
