"""One guest with many connections: phones, staff and guests of other addresses are answered all the same.

The order of answers is decided by events and locks, never by a time.
"""

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from schnauz_turnier.web import guest_line
from schnauz_turnier.web.guest_line import GuestLine, GuestRequests
from schnauz_turnier.web.phone_calls import PhoneCalls, table_in
from schnauz_turnier.web.request_limits import Disconnected, RequestLimits
from tests.conftest import url_of_test_database
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.security.conftest import Guest, Scribe, Server, answer, first_answer, status
from tournaments import devices, hashing, links
from tournaments.models import Table

NEIGHBOUR = "127.0.0.10"
ADDRESSES = ("127.0.0.11", "127.0.0.12", "127.0.0.13")  # this server takes 20 connections of each
HERE, THERE = "192.0.2.1", "192.0.2.2"


# --- the server ----------------------------------------------------------------------------------------------------


@pytest.fixture
def sixteen_tables(committed: None) -> list[Table]:
    tournament = TournamentFactory.create(slug=f"abend-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(80, tournament=tournament)
    return list(a_round(tournament).tables.all())


@pytest.fixture
def wrong_secrets(guest: Guest) -> Iterator[None]:
    """Send wrong secrets over 60 connections without end; the test begins after 20 answers."""
    body = json.dumps({"secret": f"1-{'a' * 26}"})
    head = f"POST /s/enter HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    answers = threading.Semaphore(0)

    def send(connection: socket.socket) -> None:
        with suppress(OSError, AssertionError):  # at the end the connection is closed
            while True:
                connection.sendall(f"{head}\r\n\r\n{body}".encode())
                first_answer(connection)
                answers.release()

    connections = [guest.connect(address) for address in ADDRESSES for _ in range(20)]
    threads = [threading.Thread(target=send, args=[connection]) for connection in connections]
    for thread in threads:
        thread.start()
    for _ in range(20):
        answers.acquire()
    yield
    for connection in connections:
        connection.shutdown(socket.SHUT_RDWR)
    for thread in threads:
        thread.join()


def test_every_scan_is_let_in_while_a_guest_sends_wrong_secrets(
    served: Server, scribe: Scribe, sixteen_tables: list[Table], wrong_secrets: None
) -> None:
    told = []
    for table in sixteen_tables:
        secret = links.sheet_secret(table.pk, table.link_version)
        scanned = httpx.post(f"{served.url}/s/enter", json={"secret": secret}, timeout=60, trust_env=False)
        told.append(scanned.status_code)
    assert told == 16 * [200]
    scribe.write()


def test_pages_made_for_a_guest_hold_one_connection_of_the_database(guest: Guest, scribe: Scribe) -> None:
    """They wait for the lock of a table. Without the limit they take all of the pool, and everybody else waits."""
    with (
        psycopg.connect(url_of_test_database()) as other,
        psycopg.connect(url_of_test_database()) as watching,
    ):
        other.execute("LOCK TABLE tournaments_signupterms IN ACCESS EXCLUSIVE MODE")

        def waiting() -> int:
            asking = (
                "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database() "
                "WHERE NOT granted AND relation = 'tournaments_signupterms'::regclass"
            )
            [(number,)] = watching.execute(asking).fetchall()
            return int(number)

        asked = [guest.send(_get(f"/t/{scribe.slug}/sign-up/?x={number}")) for number in range(20)]
        while not waiting():
            pass
        scribe.write()
        assert status(answer(guest.send(_get("/account/login/"), NEIGHBOUR))) == 200
        assert waiting() == 1
    assert {status(answer(connection)) for connection in asked} == {200}


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()


# --- the line ------------------------------------------------------------------------------------------------------


class Guests:
    """Guests in a line. Each has its place until `end` is called with its name."""

    def __init__(self) -> None:
        self.line = GuestLine()
        self.begun: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ends: dict[str, asyncio.Event] = {}
        self._left: dict[str, asyncio.Event] = {}

    async def come(self, *names: str, host: str = HERE) -> None:
        for name in names:
            self._ends[name], self._left[name] = asyncio.Event(), asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._stay(name, host))
        await _settle()

    async def _stay(self, name: str, host: str) -> None:
        async def receive() -> Any:
            await self._left[name].wait()
            return {"type": "http.disconnect"}

        async with self.line.place(host, receive):
            self.begun.append(name)
            await self._ends[name].wait()

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await self._tasks[name]
        await _settle()

    async def leave(self, name: str) -> None:
        self._left[name].set()
        with pytest.raises(Disconnected):
            await self._tasks[name]

    async def cancel(self, name: str) -> None:
        self._tasks[name].cancel()
        with pytest.raises(asyncio.CancelledError):
            await self._tasks[name]
        await _settle()


async def _settle() -> None:
    """Let all tasks run until they wait for something else."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_an_address_has_one_place_and_all_of_them_two() -> None:
    async def scenario() -> None:
        guests = Guests()
        await guests.come("a", "b")
        assert guests.begun == ["a"]
        await guests.come("c", host=THERE)
        await guests.come("d", host="192.0.2.3")
        assert guests.begun == ["a", "c"]
        await guests.end("c")
        assert guests.begun == ["a", "c", "d"]  # b is of the address that is in work
        await guests.end("a")
        assert guests.begun == ["a", "c", "d", "b"]

    asyncio.run(scenario())


def test_addresses_take_turns_however_many_requests_one_has(settings: Settings) -> None:
    settings.GUEST_REQUESTS = 1

    async def scenario() -> None:
        guests = Guests()
        await guests.come("a1", "a2", "a3", "a4")
        await guests.come("b1", host=THERE)
        for name in ("a1", "a2", "b1", "a3"):
            await guests.end(name)
        assert guests.begun == ["a1", "a2", "b1", "a3", "a4"]

    asyncio.run(scenario())


def test_addresses_of_one_ipv6_network_are_one_and_this_computer_has_all_places() -> None:
    async def scenario() -> None:
        guests = Guests()
        await guests.come("a", host="2001:db8::1")
        await guests.come("b", host="2001:db8::2")
        assert guests.begun == ["a"]
        guests = Guests()
        await guests.come("a", "b", "c", host="127.0.0.1")
        assert guests.begun == ["a", "b"]

    asyncio.run(scenario())


@pytest.mark.parametrize("patience", [1000, 0], ids=["in time", "no longer than PATIENCE"])
def test_guests_give_way_to_phones_and_staff(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_line, "PATIENCE", patience)

    async def scenario() -> None:
        guests = Guests()
        await guests.come("a")
        with guests.line.ahead():
            await guests.end("a")
            with guests.line.ahead():
                await guests.come("b")
            await _settle()
            assert guests.begun == (["a"] if patience else ["a", "b"])
        await _settle()
        assert guests.begun == ["a", "b"]

    asyncio.run(scenario())


def test_who_leaves_the_line_takes_no_place() -> None:
    async def scenario() -> None:
        guests = Guests()
        await guests.come("a", "b", "c", "d")
        await guests.leave("b")
        await guests.cancel("c")
        await guests.cancel("a")
        assert guests.begun == ["a", "d"]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Gerade wird mehr gefragt, als beantwortet werden kann."),
        ("en", "More is being asked just now than can be answered."),
    ],
)
def test_who_waits_too_long_is_told_when_to_come_back(
    settings: Settings, language: str, sentence: str
) -> None:
    settings.GUEST_SECONDS = 0.01

    async def scenario() -> list[Any]:
        guests = Guests()
        await guests.come("a")
        limits = RequestLimits(GuestRequests(_nobody, guests.line))
        return await ask(limits, "/t/abend/", headers={"accept-language": language})

    start, *rest = asyncio.run(scenario())
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (429, b"60")
    assert sentence in b"".join(one["body"] for one in rest).decode()


# --- who is a guest ------------------------------------------------------------------------------------------------


async def _nobody(*_arguments: Any) -> None:
    raise AssertionError("nobody else is asked")


async def ask(
    app: Any, path: str, *, host: str = HERE, headers: dict[str, str] | None = None, body: bytes = b""
) -> list[Any]:
    """Return the messages of an answer."""
    sent: list[Any] = []
    received = [{"type": "http.request", "body": body}]

    async def receive() -> Any:
        if not received:
            await asyncio.Event().wait()
        return received.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    all_headers = {"host": "localhost", **(headers or {})}
    scope = {
        "type": "http",
        "method": "POST" if body else "GET",
        "path": path,
        "scheme": "http",
        "query_string": b"",
        "client": (host, 1),
        "headers": [(name.encode(), value.encode()) for name, value in all_headers.items()],
    }
    await app(scope, receive, send)
    return sent


def a_device() -> str:
    """Return the cookie of a device of the staff."""
    response = HttpResponse()
    devices.remember(HttpRequest(), response, 1)
    return f"device={response.cookies['device'].value}"


def test_a_device_of_the_staff_is_answered_first_and_a_forged_cookie_is_none() -> None:
    async def told(cookie: str, path: str = "/s/words", host: str = HERE) -> str:
        first: list[str] = []

        async def staff(_scope: Any, _receive: Any, send: Any) -> None:
            first.append("first")
            await send({"type": "http.response.start", "status": 200, "headers": []})

        sent = await ask(GuestRequests(staff, GuestLine()), path, host=host, headers={"cookie": cookie})
        assert sent[0]["status"] == 200
        return "".join(first) or "a guest"

    known = a_device()
    assert asyncio.run(told(known)) == "first"
    for cookie in ("", "sessionid=abc", "device=abc", f"{known[:-1]}{'A' if known[-1] != 'A' else 'B'}"):
        assert asyncio.run(told(cookie)) == "a guest"
    assert asyncio.run(told("", "/healthz", "127.0.0.1")) == "first"


@pytest.mark.usefixtures("committed")
def test_a_log_in_that_waits_for_its_turn_at_hashing_holds_up_no_page(settings: Settings) -> None:
    settings.GUEST_SECONDS = 30
    guests = GuestRequests(_nobody, GuestLine())

    async def scenario() -> None:
        start, *rest = await ask(guests, "/account/login/")
        page = b"".join(one["body"] for one in rest).decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert found is not None
        cookie = dict(start["headers"])[b"Set-Cookie"].decode().partition(";")[0]
        form = f"username={uuid4()}&password=x&csrfmiddlewaretoken={found[1]}".encode()
        posted = {
            "cookie": cookie,
            "content-type": "application/x-www-form-urlencoded",
            "content-length": f"{len(form)}",
        }
        log_in = asyncio.create_task(ask(guests, "/account/login/", headers=posted, body=form))
        while len(hashing._inside) < 2:
            await asyncio.sleep(0.01)
        assert (await ask(guests, "/s/words"))[0]["status"] == 200
        assert not log_in.done()
        others.close()
        assert (await log_in)[0]["status"] == 422

    with ExitStack() as others:
        others.enter_context(hashing.hashing_slot("others"))
        asyncio.run(scenario())


# --- phones without a table ----------------------------------------------------------------------------------------


def phones(app: Any) -> PhoneCalls:
    calls = {"/s/enter", "/s/sheet", "/s/pen"}
    return PhoneCalls(app, GuestLine(), pages="/s/", calls=calls, entering="/s/enter")


def _entering(secret: str) -> bytes:
    return json.dumps({"secret": secret}).encode()


def test_a_secret_that_was_made_here_names_its_table_without_the_database() -> None:
    own, revoked = links.sheet_secret(7, 3), links.sheet_secret(7, 1)
    assert [table_in(_entering(secret)) for secret in (own, revoked)] == [7, 7]
    for secret in (f"8{own[1:]}", f"{own[:-1]}1", "7-", "7-abc", "x-abc", "", links.sheet_secret(7, 10**6)):
        assert table_in(_entering(secret)) is None
    for body in (b"", b"\xff", b"[]", b"{}", b'{"secret": 7}', _entering(own) + b" " * 200):
        assert table_in(body) is None


@pytest.mark.usefixtures("committed")
def test_an_address_has_three_wrong_secrets_under_way_and_a_right_one_passes_them(
    settings: Settings,
) -> None:
    settings.SECONDS_UNTIL_REFUSAL = 0
    tournament = TournamentFactory.create(slug=f"abend-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    right = _entering(links.sheet_secret(table.pk, table.link_version))
    reached: list[Any] = []

    async def scenario() -> None:
        is_over = asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            reached.append((scope["client"][0], (await receive())["body"]))
            await is_over.wait()
            await send({"type": "http.response.start", "status": 401, "headers": []})

        calls = phones(app)
        typed = {"content-type": "application/json"}
        wrong = _entering("7-unbekannt")

        def sent(body: bytes, host: str) -> asyncio.Task[list[Any]]:
            return asyncio.create_task(ask(calls, "/s/enter", host=host, headers=typed, body=body))

        asked = [sent(wrong, HERE) for _ in range(5)]
        await _settle()
        elsewhere = sent(wrong, THERE)
        assert (await sent(right, HERE))[0]["status"] == 200
        assert reached == 3 * [(HERE, wrong)] + [(THERE, wrong)]
        told = [(await one)[0]["status"] for one in asked[3:]]
        is_over.set()
        told += [(await one)[0]["status"] for one in (*asked[:3], elsewhere)]
        assert told == 2 * [429] + 4 * [401]

    asyncio.run(scenario())


def test_a_call_without_a_table_is_refused_without_a_thread() -> None:
    reached: list[str] = []

    async def scenario() -> None:
        django = GuestRequests(_nobody, GuestLine())

        async def app(scope: Any, receive: Any, send: Any) -> None:
            reached.append(scope["path"])
            await django(scope, receive, send)

        calls = phones(app)
        for language in ("de", "en"):
            headers = {"accept-language": language}
            first = await ask(calls, "/s/sheet", headers=headers)
            for _ in range(3):
                assert await ask(calls, "/s/sheet", headers=headers) == first
            assert (first[0]["status"], "Tisch" in json.loads(first[1]["body"])["error"]) == (
                401,
                language == "de",
            )
        assert reached == 2 * ["/s/sheet"]
        assert (await ask(calls, "/s/pen"))[0]["status"] == 405  # is no refusal of a phone, and not kept
        assert (await ask(calls, "/s/sheet", headers={"host": "evil.example"}))[0]["status"] == 400

    asyncio.run(scenario())
