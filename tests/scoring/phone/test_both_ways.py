"""A phone's calls are answered in threads of their own: the same answers, header by header, as by Django's way."""

import asyncio
import gzip
import json
import logging
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from schnauz_turnier.asgi import application, phone_calls
from schnauz_turnier.web.current_request import CurrentRequest, begin, new_id
from schnauz_turnier.web.django_threads import THREADS
from scoring.models import SheetEntry
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.faults.house import wait_until
from tournaments import links
from tournaments.models import Table

HOST = "localhost:8000"
MADE_AT = "2026-11-21T19:30:00Z"

pytestmark = pytest.mark.usefixtures("committed")


def broken(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret of the server")


urlpatterns = [path("s/sheet", broken)]


@dataclass(frozen=True, slots=True)
class Call:
    """A request of a phone. `body`: as JSON, if it is not bytes already."""

    method: str
    address: str
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()

    @property
    def all_headers(self) -> dict[str, str]:
        posted = {"content-type": "application/json", "content-length": str(len(self.content))}
        return {"host": HOST, **(posted if self.method == "POST" else {}), **self.headers}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


def by_threads(call: Call) -> Answer:
    """Ask the ASGI application."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": call.content}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": call.method,
        "path": call.address,
        "query_string": b"",
        "scheme": "http",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "headers": [(name.encode(), value.encode()) for name, value in call.all_headers.items()],
    }
    asyncio.run(application(scope, receive, send))
    headers = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], headers, body)


def by_django(call: Call) -> Answer:
    """Ask the test client, which runs Django's handler and all of the middleware, as a request with an id."""
    request = CurrentRequest(new_id(), call.method)
    return copy_context().run(_by_django, call, request)


def _by_django(call: Call, request: CurrentRequest) -> Answer:
    begin(request)
    client = Client(raise_request_exception=False)
    headers = {name: value for name, value in call.all_headers.items() if name != "content-length"}
    response = client.generic(
        call.method,
        call.address,
        call.content,
        content_type=headers.pop("content-type", "application/octet-stream"),
        headers=headers,
    )
    listed = [(name.lower(), value) for name, value in response.items()]
    cookies = [("set-cookie", one.OutputString()) for one in response.cookies.values()]
    return Answer(response.status_code, [*listed, *cookies, ("x-request-id", request.id)], response.content)


def comparable(call: Call, answer: Answer) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return an answer without what differs by chance: ids of device and request, and the padding of compressed content."""
    headers = dict(answer.headers)
    body = answer.body
    body = body.replace(headers.pop("x-request-id").encode(), b"the id of the request")
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
        headers["content-length"] = "of the compressed content"
    if "set-cookie" in headers:
        [cookie] = SimpleCookie(headers["set-cookie"]).values()
        cookie.set(cookie.key, "a signed value", "a signed value")
        cookie["expires"] = "in two days"
        headers["set-cookie"] = cookie.OutputString()
    return answer.status, sorted(headers.items()), b"" if call.method == "HEAD" else body


@pytest.fixture
def table() -> Table:
    tournament = TournamentFactory.create(slug=f"wege-{uuid4()}"[:40])
    ParticipantFactory.create_batch(5, tournament=tournament)
    return a_round(tournament).tables.get()


def cookie_of(table: Table, device: str = "a") -> dict[str, str]:
    return {"cookie": f"sheet={links.PhonePass(table.pk, table.link_version, device).to_cookie()}"}


def strokes(count: int = 1, **changed: Any) -> list[dict[str, Any]]:
    data = {"seat_number": 1, "mark": "schnauz"}
    return [
        {"id": str(uuid4()), "kind": "stroke", "data": data, "made_at": MADE_AT, **changed}
        for _ in range(count)
    ]


def calls_at(table: Table) -> Iterator[Call]:
    """Yield calls that give the same answer each time, once their entries are recorded."""
    phone, reader = cookie_of(table), cookie_of(table, "b")
    batch = {"pen_epoch": 1, "entries": [*strokes(2), *strokes(1, kind="unheard of"), *strokes(1, made_at=0)]}
    yield Call("POST", "/s/pen", {}, phone)
    yield Call("POST", "/s/entries", batch, phone)
    yield Call("POST", "/s/enter", {"secret": links.sheet_secret(table.pk, table.link_version)}, phone)
    yield Call("POST", "/s/enter", {"secret": "7-unbekannt"})
    yield Call("GET", "/s/sheet", headers=phone)
    yield Call("GET", "/s/sheet", headers={**phone, "accept-encoding": "gzip"})
    yield Call("HEAD", "/s/sheet", headers=phone)
    yield Call("GET", "/s/sheet", headers=reader)
    yield Call("POST", "/s/link", {}, phone)
    yield Call("POST", "/s/link", {}, reader)
    yield Call("GET", "/s/words", headers=reader)
    yield Call("POST", "/s/entries", batch, {**phone, "sheet-key": "1"})
    yield Call("POST", "/s/entries", batch, {**phone, "origin": "https://elsewhere.example"})
    yield Call("POST", "/s/entries", batch, {**phone, "content-type": "text/plain"})
    yield Call("POST", "/s/entries", b'{"pen_epoch": 1', phone)
    yield Call("POST", "/s/entries", b"\xff\x00", phone)
    revoked = links.PhonePass(table.pk, table.link_version + 1, "a").to_cookie()
    for cookie in ({}, {"cookie": "sheet=forged"}, {"cookie": f"sheet={revoked}"}):
        yield Call("GET", "/s/sheet", headers=cookie)
        yield Call("POST", "/s/pen", {}, cookie)
        yield Call("POST", "/s/entries", batch, cookie)
    for address in sorted(phone_calls):
        yield Call("DELETE", address, headers=phone)
        yield Call("GET", address, headers={"host": "evil.example"})
        yield Call("OPTIONS", address)


@pytest.mark.parametrize("language", ["de", "fr;q=0.9, en;q=0.8"])
def test_both_ways_give_the_same_answer(table: Table, language: str) -> None:
    statuses = set()
    for call in calls_at(table):
        asked = Call(call.method, call.address, call.body, {"accept-language": language, **call.headers})
        if b"unheard of" in asked.content:
            by_threads(asked)  # what it records, the others repeat
        one, other = comparable(asked, by_threads(asked)), comparable(asked, by_django(asked))
        assert one == other, call
        if one[0] == 401:
            assert comparable(asked, by_threads(asked)) == other, call  # from memory, where no table is named
        statuses.add(one[0])
    assert statuses == {200, 400, 401, 403, 405, 409, 415}
    assert SheetEntry.objects.filter(sheet__table=table).count() == 2


def test_the_headers_of_the_whole_site_are_there(table: Table) -> None:
    headers = dict(by_threads(Call("GET", "/s/sheet", headers=cookie_of(table))).headers)
    assert "default-src 'self'" in headers["content-security-policy"]
    assert {name: headers[name] for name in ("cache-control", "content-language", "content-type")} == {
        "cache-control": "no-store",
        "content-language": "de",
        "content-type": "application/json",
    }
    for name in ("referrer-policy", "vary", "x-content-type-options", "x-frame-options", "content-length"):
        assert name in headers


def test_a_failure_is_logged_and_not_shown(
    table: Table, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ROOT_URLCONF = __name__
    call = Call("GET", "/s/sheet", headers=cookie_of(table))
    with caplog.at_level(logging.ERROR, "django.request"):
        one, other = by_threads(call), by_django(call)
    assert comparable(call, one) == comparable(call, other)
    assert (one.status, b"secret" in one.body) == (500, False)
    for record in caplog.records:
        assert (record.name, record.getMessage()) == ("django.request", "Internal Server Error: /s/sheet")
        assert record.exc_info is not None
    assert len(caplog.records) == 2


def test_no_thread_keeps_a_connection(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are opened here: a server of other tests may open and close some meanwhile."""
    name = uuid4().hex
    connection.ensure_connection()
    monkeypatch.setenv("PGAPPNAME", name)

    def connections() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [name])
            return int(cursor.fetchone()[0])

    for _ in range(THREADS + 1):
        by_threads(Call("POST", "/s/pen", {}, cookie_of(table)))
    # the server lists a connection for a moment after it was closed
    assert wait_until(lambda: connections() == 0)


def test_only_the_phones_json_goes_this_way() -> None:
    assert phone_calls == {
        f"/s/{name}"
        for name in ("enter", "sheet", "pen", "entries", "scribe", "call", "missing", "own", "link")
    }
