"""Tests of the live stream, from commit to subscriber through a real server process, and of the hub alone."""

import asyncio
import contextlib
import json
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from typing import Any

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from schnauz_turnier.live import stream as live
from schnauz_turnier.live.stream import EVERYTHING, FEW, LONGEST_SPREAD, Hub, LiveStream
from schnauz_turnier.live.subscriber import Subscriber
from scoring.services import sheets, standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.faults.house import get, wait_until
from tournaments.models import Tournament
from tournaments.services import door, rounds

# --- through the server --------------------------------------------------------------------------------------------


class Watcher:
    """A client of the stream, with a queue of the received events."""

    def __init__(self, url: str, **headers: Any) -> None:
        self._events: queue.Queue[dict[str, Any]] = queue.Queue()
        self._client = httpx.Client(timeout=30, trust_env=False)
        self._stream = self._client.stream("GET", url, headers=headers)
        self.response = self._stream.__enter__()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        event_id = ""
        with contextlib.suppress(httpx.HTTPError, RuntimeError):
            for line in self.response.iter_lines():
                if line.startswith("id: "):
                    event_id = line[4:]
                elif line.startswith("data: "):
                    self._events.put({"id": event_id, **json.loads(line[6:])})

    def next(self, seconds: float = 60) -> dict[str, Any]:
        return self._events.get(timeout=seconds)

    def until(self, topic: str) -> dict[str, Any]:
        """Return the first event with this topic. Other events before it are skipped."""
        while True:
            event = self.next()
            if topic in event["topics"]:
                return event

    def nothing_for(self, seconds: float) -> bool:
        with contextlib.suppress(queue.Empty):
            self._events.get(timeout=seconds)
            return False
        return True

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def watch(live_url: str, committed: None) -> Iterator[Any]:
    watchers: list[Watcher] = []
    assert wait_until(
        lambda: get(f"{live_url}/healthz/ready").json()["listening"]
    )  # it does soon after its start

    def start(tournament: Tournament, query: str = "", **headers: Any) -> Watcher:
        watchers.append(Watcher(f"{live_url}/t/{tournament.slug}/live{query}", **headers))
        return watchers[-1]

    yield start
    for watcher in watchers:
        watcher.close()


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    slug = "live-" + "".join(c if c.isalnum() else "-" for c in request.node.name.removeprefix("test_"))[:50]
    made = TournamentFactory.create(slug=slug)
    ParticipantFactory.create_batch(5, tournament=made)
    return made


@pytest.fixture
def leaderboard(live_url: str, tournament: Tournament) -> Callable[[], list[dict[str, Any]]]:
    """Return what a viewer who was told of a change fetches."""

    def fetch() -> list[dict[str, Any]]:
        answer = httpx.get(f"{live_url}/t/{tournament.slug}/leaderboard.json", timeout=30, trust_env=False)
        rows: list[dict[str, Any]] = answer.json()["rows"]
        return rows

    return fetch


def test_a_viewer_is_told_first_that_everything_may_have_changed(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    assert watcher.response.headers["content-type"] == "text/event-stream; charset=utf-8"
    event = watcher.next()
    assert set(event) == {"id", "topics", "edition", "spread"}
    assert (event["topics"], event["spread"]) == ([EVERYTHING], 0)


def test_every_public_change_is_an_event_after_which_it_can_be_fetched(
    watch: Any, tournament: Tournament, leaderboard: Any
) -> None:
    watcher = watch(tournament)
    watcher.next()
    table = a_round(tournament).tables.get()
    watcher.until("seating")
    sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    watcher.until("sheet")
    a_paper_sheet(table)
    watcher.until("sheet")
    assert leaderboard()[0]["points"] == 6
    for number in range(6, 9):
        door.register(tournament, door.Newcomer(f"Spieler {number}"), paid=False, by="x", at=AT)
        watcher.until("people")
        assert len(leaderboard()) == number


def test_an_event_says_what_kind_of_change_it_was_and_nothing_of_it(
    watch: Any, tournament: Tournament
) -> None:
    table = a_round(tournament, released=False).tables.get()
    rounds.release(tournament, 1, at=AT)
    standings.freeze(tournament, by="x", at=AT)
    watcher = watch(tournament)
    watcher.next()
    a_paper_sheet(table, strokes={3: 4})
    event = watcher.until("sheet")
    assert set(event) == {"id", "topics", "edition", "spread"}


def test_a_change_elsewhere_is_no_news(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    watcher.next()
    other = TournamentFactory.create(slug=f"{tournament.slug}-x")
    door.register(other, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    assert watcher.nothing_for(0.7)


def test_a_burst_is_folded(watch: Any, tournament: Tournament) -> None:
    table = a_round(tournament).tables.get()
    watcher = watch(tournament)
    watcher.next()
    for _ in range(40):
        sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    door.register(tournament, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    events = [watcher.next()]
    while "people" not in events[-1]["topics"]:
        events.append(watcher.next())
    assert len(events) < 40


def test_a_viewer_who_comes_back_is_told_whether_anything_was_missed(
    watch: Any, tournament: Tournament
) -> None:
    before = watch(tournament)
    before.next()
    table = a_round(tournament).tables.get()
    door.register(tournament, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    before.until("people")  # and so all changes until then have been heard
    latest = watch(tournament).next()
    again = watch(tournament, **{"Last-Event-ID": latest["id"]})
    nothing = again.next()
    assert (nothing["id"], nothing["topics"]) == (latest["id"], [])
    sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    again.until("sheet")
    assert watch(tournament, **{"Last-Event-ID": latest["id"]}).next()["topics"] == [EVERYTHING]


@pytest.mark.parametrize("event_id", ["", "x", "0-0", "-", "ffffffff-1", "ä-\u00b2", "9" * 200])
def test_in_doubt_it_is_everything(watch: Any, tournament: Tournament, event_id: str) -> None:
    headers = {"Last-Event-ID": event_id.encode("latin-1")}
    assert watch(tournament, **headers).next()["topics"] == [EVERYTHING]


def test_nothing_is_lost_when_the_listening_connection_is(
    watch: Any, tournament: Tournament, leaderboard: Any
) -> None:
    watcher = watch(tournament)
    before = watcher.next()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'schnauz_turnier live'"
            " AND datname = current_database()"
        )
        assert cursor.fetchall() == [(True,)]
    door.register(tournament, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    event = watcher.until(EVERYTHING)
    assert len(leaderboard()) == 6
    assert event["id"].split("-")[0] != before["id"].split("-")[0]
    door.register(tournament, door.Newcomer("Berta"), paid=False, by="x", at=AT)
    watcher.until("people")
    assert len(leaderboard()) == 7


def test_what_does_not_exist_or_is_no_get_is_refused(live_url: str, tournament: Tournament) -> None:
    assert httpx.get(f"{live_url}/t/gibt-es-nicht/live", timeout=30, trust_env=False).status_code == 404
    posted = httpx.post(f"{live_url}/t/{tournament.slug}/live", timeout=30, trust_env=False)
    assert posted.status_code == 405


# --- the hub on its own --------------------------------------------------------------------------------------------


class Tournaments:
    """Whether the only tournament is public, and how often that was asked."""

    def __init__(self) -> None:
        self.are_public = True
        self.asked = 0

    def __call__(self, _name: str) -> bool:
        self.asked += 1
        return self.are_public


class Connection:
    """One request of a stream, without a network. Unless it reads, the sender of a message waits."""

    def __init__(self, stream: LiveStream, *, reads: bool = True, last_id: str = "") -> None:
        self.sent: list[bytes] = []
        self.is_over = False
        self._reading = asyncio.Event()
        if reads:
            self.go_on()
        self._gone = asyncio.Event()
        headers = [(b"last-event-id", last_id.encode())]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/t/x/live",
            "headers": headers,
            "query_string": b"",
        }
        self._request = asyncio.create_task(self._run(stream, scope))

    async def _run(self, stream: LiveStream, scope: Any) -> None:
        await stream(scope, self._receive, self._send)
        self.is_over = True

    async def _receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message.get("body", b""))
        if message["type"] == "http.response.body":
            await self._reading.wait()

    def go_on(self) -> None:
        self._reading.set()

    def leave(self) -> None:
        self._gone.set()

    @property
    def events(self) -> list[dict[str, Any]]:
        lines = b"".join(self.sent).decode().splitlines()
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]

    @property
    def topics(self) -> list[list[str]]:
        return [event["topics"] for event in self.events]


@contextlib.asynccontextmanager
async def a_hub(
    tournaments: Tournaments, today: Callable[[], date] = timezone.localdate
) -> AsyncIterator[tuple[Hub, LiveStream]]:
    """Run a hub without a database, which gets its changes from the test."""

    async def nothing(*_: Any) -> None:
        raise AssertionError("not for the stream")

    hub = Hub(channel="x", listen_to=dict, write_to=dict, is_public=tournaments, today=today)
    hub._spawn(asyncio.sleep(3600))
    try:
        yield hub, LiveStream(nothing, hub)
    finally:
        await hub.stop()


async def eventually(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


def test_the_database_is_asked_once_for_all_who_watch() -> None:
    async def scenario() -> None:
        tournaments = Tournaments()
        async with a_hub(tournaments) as (hub, stream):
            first = Connection(stream)
            await eventually(lambda: first.events)
            subscribers = [Connection(stream) for _ in range(50)]
            await eventually(lambda: all(subscriber.topics == [[EVERYTHING]] for subscriber in subscribers))
            hub.changed("x", "sheet")
            await eventually(lambda: all(one.topics == [[EVERYTHING], ["sheet"]] for one in subscribers))
            assert tournaments.asked == 1

    asyncio.run(scenario())


def test_nobody_watching_costs_nothing() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.events)
            subscriber.leave()
            await eventually(lambda: subscriber.is_over and len(hub._tasks) == 1)
            hub.changed("x", "sheet")
            assert (hub._channels, len(hub._tasks)) == ({}, 1)

    asyncio.run(scenario())


def test_a_viewer_who_does_not_read_is_dropped_and_the_others_go_on() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            reader, sleeper = Connection(stream), Connection(stream, reads=False)
            await eventually(lambda: reader.events and sleeper.is_over)
            for topic in ("sheet", "people"):
                hub.changed("x", topic)
                await eventually(lambda: reader.topics[-1] == [topic])  # noqa: B023
            assert hub.count_streams() == 1

    asyncio.run(scenario())


def test_the_end_of_the_server_does_not_wait_for_viewers() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            subscribers = [Connection(stream), Connection(stream)]
            await eventually(lambda: all(subscriber.events for subscriber in subscribers))
            await hub.stop()
            await eventually(lambda: all(subscriber.is_over for subscriber in subscribers))

    asyncio.run(scenario())


def test_a_deleted_tournament_ends_its_streams() -> None:
    async def scenario() -> None:
        tournaments = Tournaments()
        async with a_hub(tournaments) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.events)
            tournaments.are_public = False
            hub.changed("x", "tournament")
            await eventually(lambda: subscriber.is_over)

    asyncio.run(scenario())


def test_a_new_day_may_end_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last public day of a tournament ends without a write."""
    monkeypatch.setattr(live, "HEARTBEAT", 0.01)

    async def scenario() -> None:
        tournaments, days = Tournaments(), [date(2026, 12, 21)]
        async with a_hub(tournaments, today=lambda: days[-1]) as (hub, stream):
            hub._spawn(hub._beat())
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.sent[2:])
            tournaments.are_public = False
            assert not subscriber.is_over
            days.append(date(2026, 12, 22))
            await eventually(lambda: subscriber.is_over)

    asyncio.run(scenario())


def test_a_database_that_cannot_say_what_is_public_ends_no_stream() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.events)
            hub.is_public = lambda _name: bool(1 / 0)
            hub.changed("x", "tournament")
            await eventually(lambda: subscriber.topics[1:])
            hub.changed("x", "sheet")
            await eventually(lambda: subscriber.topics[2:] == [["sheet"]])

    asyncio.run(scenario())


def test_the_first_change_is_told_at_once_and_what_follows_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        folded = asyncio.Event()

        async def sleep(seconds: float) -> None:
            await (folded.wait() if seconds == live.FOLD else real_sleep(seconds))

        real_sleep = asyncio.sleep
        async with a_hub(Tournaments()) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.events)
            monkeypatch.setattr(asyncio, "sleep", sleep)
            for topic in ("sheet", "people", "seating", "people"):
                hub.changed("x", topic)
                await eventually(lambda: subscriber.topics[1:])
            assert subscriber.topics[1:] == [["sheet"]]
            folded.set()
            await eventually(lambda: subscriber.topics[2:] == [["people", "seating"]])
            monkeypatch.undo()

    asyncio.run(scenario())


async def ignore(_message: Any) -> None: ...


def test_where_many_watch_their_requests_are_spread() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            first = Connection(stream)
            await eventually(lambda: first.events)
            for watching, least in ((FEW, 0), (FEW + 1, 1), (5000, LONGEST_SPREAD)):
                channel = hub._channels["x"]
                channel.subscribers.update(
                    Subscriber(ignore) for _ in range(watching - len(channel.subscribers))
                )
                event = hub._event(channel, {"sheet"})
                assert json.loads(event.partition(b"data: ")[2])["spread"] >= least
                assert (json.loads(event.partition(b"data: ")[2])["spread"] == 0) == (least == 0)
            for subscriber in channel.subscribers:
                subscriber.close()

    asyncio.run(scenario())


def test_a_database_that_delivers_no_notification_is_told_again_and_again() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.events)
            hub.on_disconnected(is_deaf=False)
            assert subscriber.topics == [[EVERYTHING]]  # it comes back soon, or nothing can be fetched
            for number in (2, 3):
                hub.on_disconnected(is_deaf=True)
                await eventually(lambda: subscriber.topics == [[EVERYTHING]] * number)  # noqa: B023

    asyncio.run(scenario())


def test_a_viewer_who_comes_back_after_a_loss_has_missed_something() -> None:
    async def scenario() -> None:
        async with a_hub(Tournaments()) as (hub, stream):
            waiting = Connection(stream)
            await eventually(lambda: waiting.events)
            latest = b"".join(waiting.sent).decode().partition("id: ")[2].splitlines()[0]
            again = Connection(stream, last_id=latest)
            await eventually(lambda: again.topics == [[]])
            hub.on_connected()
            late = Connection(stream, last_id=latest)
            await eventually(lambda: late.topics[:1] == [[EVERYTHING]])

    asyncio.run(scenario())
