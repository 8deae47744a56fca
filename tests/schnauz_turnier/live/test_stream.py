"""Tests of the live stream, from commit to subscriber through a real server process, and of the hub alone."""

import asyncio
import contextlib
import json
import math
import queue
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date
from typing import Any

import httpx
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from schnauz_turnier.live import sse as channels
from schnauz_turnier.live import stream as live
from schnauz_turnier.live.sse import Channel, Parts
from schnauz_turnier.live.stream import Hub, LiveStream
from scoring.queries.screens import SentScene
from scoring.services import screens, sheets, standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.scoring.paired import pairing_cookie
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

    def next(self, seconds: float = 10) -> dict[str, Any]:
        return self._events.get(timeout=seconds)

    def until(self, name: str, expected: Any) -> dict[str, Any]:
        """Return the first event with the expected part. Other events before it are skipped."""
        while True:
            event = self.next()
            if event["parts"].get(name) == expected:
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


def progress(state: str, strokes: int | None) -> dict[str, Any]:
    return {"number": 1, "closed": False, "tables": [{"number": 1, "state": state, "strokes": strokes}]}


def test_a_viewer_gets_everything_first(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    assert watcher.response.headers["content-type"] == "text/event-stream; charset=utf-8"
    event = watcher.next()
    assert event["topics"] == ["everything"]
    assert event["parts"]["leaderboard"]["tournament"] == tournament.slug
    assert event["parts"]["round"] is None


def test_every_public_change_is_an_event(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    watcher.next()
    table = a_round(tournament).tables.get()
    watcher.until("round", progress("untouched", 0))
    sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    event = watcher.until("round", progress("playing", 1))
    assert "sheet" in event["topics"]
    assert list(event["parts"]) == ["round"]
    a_paper_sheet(table)
    event = watcher.until("round", progress("accepted", 1))
    assert event["parts"]["leaderboard"]["rows"][0]["points"] == 6


def test_a_change_that_nobody_can_see_is_told_without_content(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    watcher.next()
    door.take_fee(tournament, 1, by="x", at=AT)
    event = watcher.next()
    assert (event["topics"], event["parts"]) == (["people"], {})


def test_a_scene_reaches_the_screen_that_it_was_sent_to_and_no_other(
    watch: Any, tournament: Tournament
) -> None:
    first, second = watch(tournament, "?view=screen"), watch(tournament, "?view=screen-2")
    first.next()
    second.next()
    screens.set_scene(tournament, [2], SentScene("announcement", text="Pause bis neun"), by="x", at=AT)
    assert "Pause bis neun" in second.next()["parts"]["screen"]
    event = first.next()
    assert (event["topics"], event["parts"]) == (["screens"], {})


def test_a_change_elsewhere_is_no_news(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    watcher.next()
    other = TournamentFactory.create(slug=f"{tournament.slug}-x")
    door.register(other, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    assert watcher.nothing_for(0.7)


def test_each_audience_gets_its_own_parts_in_its_language(watch: Any, tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(names="number")
    name = "Josef Oberhuber"
    tournament.participants.filter(start_number=1).update(name=name)
    a_round(tournament)
    players = watch(tournament, "?view=players&lang=en").next()["parts"]
    cookie = f"screen={pairing_cookie(tournament)}"
    screen = watch(tournament, "?view=screen&lang=de").next()["parts"]
    wall = watch(tournament, "?view=wall&lang=de", Cookie=cookie).next()["parts"]
    assert sorted(players) == ["clock", "joining", "news", "prizes", "seating", "standings"]
    assert sorted(screen) == sorted(wall) == ["screen"]
    assert name in wall["screen"]
    assert name not in screen["screen"]
    assert name not in str(players)


def test_a_burst_is_folded_and_ends_on_the_last_state(watch: Any, tournament: Tournament) -> None:
    table = a_round(tournament).tables.get()
    watcher = watch(tournament)
    watcher.next()
    for _ in range(40):
        sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    events = [watcher.next()]
    while events[-1]["parts"].get("round") != progress("playing", 40):
        events.append(watcher.next())
    assert len(events) < 40
    with contextlib.suppress(queue.Empty):  # the last notification may come after its content was sent
        assert watcher.next(0.5)["parts"] == {}


def test_a_page_just_loaded_is_not_sent_once_more(watch: Any, tournament: Tournament) -> None:
    page = Client().get(f"/t/{tournament.slug}/tables/").content.decode()
    [shows] = re.findall(r'data-shows="(\w+)"', page)
    assert watch(tournament, f"?view=tables&lang=de&shows={shows}").next()["parts"] == {}
    a_round(tournament)
    late = watch(tournament, f"?view=tables&lang=de&shows={shows}")
    parts: set[str] = set()
    while "seating" not in parts:  # the server may learn of the round after it has answered
        parts.update(late.next()["parts"])


def test_who_comes_back_gets_just_what_he_lacks(watch: Any, tournament: Tournament) -> None:
    table = a_round(tournament).tables.get()
    first = watch(tournament)
    latest = first.next()
    again = watch(tournament, **{"Last-Event-ID": latest["id"]})
    nothing = again.next()
    assert (nothing["id"], nothing["topics"], nothing["parts"]) == (latest["id"], [], {})
    sheets.write(table, [("stroke", {"seat_number": 2, "mark": "schnauz"})], by="x", at=AT)
    again.until("round", progress("playing", 1))
    missed = watch(tournament, **{"Last-Event-ID": latest["id"]}).next()
    assert (missed["topics"], missed["parts"]) == (["sheet"], {"round": progress("playing", 1)})


@pytest.mark.parametrize("event_id", ["", "x", "0-0-0", "--", "ffffffff-1-ffffffffffff", "ä-\u00b2-3"])
def test_in_doubt_it_is_everything(watch: Any, tournament: Tournament, event_id: str) -> None:
    headers = {"Last-Event-ID": event_id.encode("latin-1")}
    event = watch(tournament, **headers).next()
    assert sorted(event["parts"]) == ["leaderboard", "round"]


def test_the_same_state_is_not_sent_again_after_a_restart(watch: Any, tournament: Tournament) -> None:
    _boot, _count, digest = watch(tournament).next()["id"].split("-")
    event = watch(tournament, **{"Last-Event-ID": f"00000000-1-{digest}"}).next()
    assert event["parts"] == {}


def test_nothing_is_lost_when_the_listening_connection_is(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    before = watcher.next()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'schnauz_turnier live'"
            " AND datname = current_database()"
        )
        assert cursor.fetchall() == [(True,)]
    door.register(tournament, door.Newcomer("Anna"), paid=False, by="x", at=AT)
    event = watcher.next()
    while len(event["parts"].get("leaderboard", {"rows": []})["rows"]) < 6:
        event = watcher.next()
    assert event["id"].split("-")[0] != before["id"].split("-")[0]
    door.register(tournament, door.Newcomer("Berta"), paid=False, by="x", at=AT)
    while len(event["parts"].get("leaderboard", {"rows": []})["rows"]) < 7:
        event = watcher.next()


def test_a_frozen_standing_is_in_no_event(watch: Any, tournament: Tournament) -> None:
    table = a_round(tournament).tables.get()
    standings.freeze(tournament, by="x", at=AT)
    watchers = [watch(tournament, query) for query in ("", "?view=players", "?view=screen")]
    frozen = [watcher.next()["parts"] for watcher in watchers]
    a_paper_sheet(table, strokes={3: 4})
    data, players, screen = (watcher.next()["parts"] for watcher in watchers)
    assert data == {"round": progress("accepted", None)}
    assert list(players) == ["seating"]
    assert 'class="tally"' not in players["seating"]
    assert 'data-kind="pause"' in screen["screen"]
    assert {row["points"] for row in frozen[0]["leaderboard"]["rows"]} == {0}
    standings.release(tournament, by="x", at=AT)
    assert {row["points"] for row in watchers[0].next()["parts"]["leaderboard"]["rows"]} == {6, 4, 3, 2, 1}


def test_an_unreleased_draw_is_in_no_event(watch: Any, tournament: Tournament) -> None:
    watcher = watch(tournament)
    watcher.next()
    a_round(tournament, released=False)
    assert "round" not in watcher.next()["parts"]
    rounds.release(tournament, 1, at=AT)
    watcher.until("round", progress("untouched", 0))


def test_what_does_not_exist_or_is_no_get_is_refused(live_url: str, tournament: Tournament) -> None:
    assert httpx.get(f"{live_url}/t/gibt-es-nicht/live", trust_env=False).status_code == 404
    assert httpx.post(f"{live_url}/t/{tournament.slug}/live", trust_env=False).status_code == 405


# --- the hub on its own --------------------------------------------------------------------------------------------


class Page:
    """A renderer with one part, which counts its calls."""

    def __init__(self) -> None:
        self.content: str | None = "1"
        self.renderings = 0

    def __call__(self, slug: str, audience: str, language: str) -> Parts | None:
        self.renderings += 1
        return None if self.content is None else {"part": self.content}


class Connection:
    """One request of a stream, without a network. Unless it reads, the sender of a message waits."""

    def __init__(self, stream: LiveStream, *, reads: bool = True, query: bytes = b"") -> None:
        self.sent: list[bytes] = []
        self.is_over = False
        self._reading = asyncio.Event()
        if reads:
            self.go_on()
        self._gone = asyncio.Event()
        scope = {"type": "http", "method": "GET", "path": "/t/x/live", "headers": [], "query_string": query}
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
    def parts(self) -> list[Any]:
        lines = b"".join(self.sent).decode().splitlines()
        return [json.loads(line[6:])["parts"] for line in lines if line.startswith("data: ")]


@contextlib.asynccontextmanager
async def a_hub(
    page: Page, today: Callable[[], date] = timezone.localdate
) -> AsyncIterator[tuple[Hub, LiveStream]]:
    """Run a hub without a database, which gets its changes from the test."""

    async def nothing(*_: Any) -> None:
        raise AssertionError("not for the stream")

    hub = Hub(channel="x", servers=[(dict, dict)], renderer=page, today=today)
    hub.rely(math.inf)
    hub._spawn(asyncio.sleep(3600))
    try:
        yield hub, LiveStream(nothing, hub, audiences=["data"], languages=["de"])
    finally:
        await hub.stop()


async def eventually(condition: Any) -> None:
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to pass")


def test_a_board_is_rendered_once_for_all_who_watch_it() -> None:
    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            subscribers = [Connection(stream) for _ in range(50)]
            await eventually(lambda: all(subscriber.parts == [{"part": "1"}] for subscriber in subscribers))
            assert page.renderings == 1
            page.content = "2"
            hub.changed("x", "sheet")
            await eventually(
                lambda: all(subscriber.parts == [{"part": "1"}, {"part": "2"}] for subscriber in subscribers)
            )
            assert page.renderings == 2

    asyncio.run(scenario())


def test_nobody_watching_costs_nothing() -> None:
    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.parts)
            subscriber.leave()
            await eventually(lambda: subscriber.is_over)
            hub.changed("x", "sheet")
            await asyncio.sleep(0.05)
            assert (page.renderings, hub._channels) == (1, {})

    asyncio.run(scenario())


def test_who_does_not_read_is_dropped_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "PATIENCE", 0.2)

    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            reader, sleeper = Connection(stream), Connection(stream, reads=False)
            await eventually(lambda: reader.parts and len(sleeper.sent) > 1)
            channel = hub._channels["x", "data", "de"]
            for number in range(40):
                page.content = str(number + 2)
                await hub._refresh(channel, {"sheet"})
            assert len(sleeper.sent) == 2
            assert reader.parts[-1] == {"part": page.content}
            await eventually(lambda: sleeper.is_over)
            assert len(channel.subscribers) == 1

    asyncio.run(scenario())


def test_who_reads_slowly_gets_what_he_missed_in_one() -> None:
    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            slow = Connection(stream, reads=False)
            await eventually(lambda: len(slow.sent) > 1)
            channel = hub._channels["x", "data", "de"]
            for number in range(40):
                page.content = str(number + 2)
                await hub._refresh(channel, {"sheet"})
            slow.go_on()
            await eventually(lambda: slow.parts == [{"part": "1"}, {"part": "41"}])

    asyncio.run(scenario())


def test_the_end_of_the_server_does_not_wait_for_viewers() -> None:
    async def scenario() -> None:
        async with a_hub(Page()) as (hub, stream):
            subscribers = [Connection(stream), Connection(stream)]
            await eventually(lambda: all(subscriber.parts for subscriber in subscribers))
            await hub.stop()
            await eventually(lambda: all(subscriber.is_over for subscriber in subscribers))

    asyncio.run(scenario())


def test_a_deleted_tournament_ends_its_streams() -> None:
    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.parts)
            page.content = None
            hub.changed("x", "tournament")
            await eventually(lambda: subscriber.is_over)

    asyncio.run(scenario())


def test_a_new_day_is_news_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last public day of a tournament ends without a write."""
    monkeypatch.setattr(live, "HEARTBEAT", 0.01)

    async def scenario() -> None:
        page, days = Page(), [date(2026, 12, 21)]
        async with a_hub(page, today=lambda: days[-1]) as (hub, stream):
            hub._spawn(hub._beat())
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.sent[2:])
            page.content = None
            assert not subscriber.is_over
            days.append(date(2026, 12, 22))
            await eventually(lambda: subscriber.is_over)

    asyncio.run(scenario())


def test_a_rendering_that_fails_is_tried_again() -> None:
    async def scenario() -> None:
        page = Page()
        async with a_hub(page) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.parts)
            hub._renderer = lambda *_: 1 / 0  # type: ignore[assignment]
            hub.changed("x", "sheet")
            await asyncio.sleep(0.1)
            page.content, hub._renderer = "2", page
            await eventually(lambda: subscriber.parts[-1] == {"part": "2"})

    asyncio.run(scenario())


def test_the_first_change_is_sent_at_once_and_what_follows_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        folded = asyncio.Event()

        async def sleep(seconds: float) -> None:
            await (folded.wait() if seconds == live.FOLD else real_sleep(seconds))

        real_sleep = asyncio.sleep
        page = Page()
        async with a_hub(page) as (hub, stream):
            subscriber = Connection(stream)
            await eventually(lambda: subscriber.parts)
            monkeypatch.setattr(asyncio, "sleep", sleep)
            for number in range(2, 9):
                page.content = str(number)
                hub.changed("x", "sheet")
                await eventually(lambda: subscriber.parts[-1] != {"part": "1"})
            assert subscriber.parts == [{"part": "1"}, {"part": "2"}]
            folded.set()
            await eventually(lambda: subscriber.parts[2:] == [{"part": "8"}])
            monkeypatch.undo()

    asyncio.run(scenario())


def test_the_channel_with_most_subscribers_is_rendered_first_and_none_waits_for_its_sending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> None:
        order: list[str] = []
        page = Page()

        def renderer(slug: str, audience: str, language: str) -> Parts | None:
            order.append(language)
            return page(slug, audience, language)

        async with a_hub(page) as (hub, stream):
            hub._renderer = renderer
            stream._languages = ["de", "en"]
            one = Connection(stream)
            many = [Connection(stream, query=b"lang=en") for _ in range(3)]
            await eventually(lambda: all(each.parts for each in (one, *many)))
            order.clear()
            page.content = "2"
            sending = asyncio.Event()
            send_to_all = Channel.send_to_all

            async def send_slowly(channel: Channel, *event: Any) -> None:
                if channel.key[2] == "en":
                    await sending.wait()
                await send_to_all(channel, *event)

            monkeypatch.setattr(Channel, "send_to_all", send_slowly)
            hub.changed("x", "sheet")
            await eventually(lambda: one.parts[1:])
            assert order == ["en", "de"]
            assert [each.parts[1:] for each in many] == [[], [], []]
            sending.set()
            await eventually(lambda: all(each.parts[1:] for each in many))

    asyncio.run(scenario())
