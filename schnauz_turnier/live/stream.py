"""Live stream: changes received by a process (see listening.py), published as server-sent events.

An event names only the topics of a change. The page then fetches its content, a kept answer that is the same for all readers
(static/js/live.js). Changes of a tournament are combined to at most five events a second; the first is sent at once. With
many subscribers, the event says over how many milliseconds their requests should be spread, and the next event follows
after that time.

The id of an event is "boot-count". A subscriber that reconnects with the latest id has missed nothing. All other
subscribers are told that everything may have changed, as are all subscribers after a loss of the LISTEN connection, and
every few seconds while a database answers but delivers no notification.
"""

import asyncio
import contextlib
import json
import logging
import random
import re
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils import timezone

from schnauz_turnier.background.companion import Companion, closing_connections
from schnauz_turnier.live.listening import COMES_BACK, Parameters, listen
from schnauz_turnier.live.subscriber import Subscriber
from schnauz_turnier.start.stop_signals import on_stop_signal
from schnauz_turnier.web.asgi_types import App, Receive, Scope, Send
from schnauz_turnier.web.club_turns import ClubPlaces
from scoring.open_screens import OpenScreens
from tournaments.current_club import everywhere
from tournaments.edition import edition
from tournaments.page_cache import page_cache

PublicityCheck = Callable[[str], bool]
"""Return whether there is a tournament of this name that is public today. Runs in a thread."""
OnChange = Callable[[str, str, Sequence[str], str], None]
"""Called with each change: the tournament, the topic, the groups of cache entries that stay valid, and the id of the change."""

FOLD = 0.2  # minimum seconds between two events
HEARTBEAT = 15.0
FEW = 100  # subscribers whose requests need not be spread
EACH = 0.5  # milliseconds that a request takes
LONGEST_SPREAD = 2000  # milliseconds
BATCH = 500  # subscribers that get a message before control returns to the event loop
EVERYTHING = "everything"  # a topic: anything may have changed
OF_PUBLICITY = {"tournament", "day", EVERYTHING}
"""Topics after which a tournament may no longer be public, or no longer exist."""
LONGEST_EVENT_ID = 60
ALIVE = b": alive\n\n"

_ADDRESS = re.compile(r"/t/([-\w]{1,60})/live", re.ASCII)
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"connection", b"close"),  # so that a browser does not reconnect to a process that ends
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
]
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Channel:
    """The subscribers of a tournament. count: number of the latest event. topics: those of the next event."""

    count: int
    topics: set[str] = field(default_factory=set)
    subscribers: set[Subscriber] = field(default_factory=set)
    is_telling: bool = False

    @property
    def spread(self) -> int:
        """The milliseconds over which the requests of the subscribers should be spread."""
        watching = len(self.subscribers)
        return min(int(watching * EACH), LONGEST_SPREAD) if watching > FEW else 0


@dataclass(eq=False, kw_only=True)
class Hub:
    """The channels with subscribers. Calls back on each change.

    listen_to, write_to: the parameters of the connections that listen and write, see `listen`. on_connection: called when
    changes are heard; earlier ones may have been missed. on_disconnection: called after each failed attempt. screens:
    shared with the other processes. today: returns the current day; a tournament may no longer be public on a new day.
    """

    channel: str
    listen_to: Parameters
    write_to: Parameters
    is_public: PublicityCheck
    on_change: Sequence[OnChange] = ()
    on_connection: Sequence[Callable[[], None]] = ()
    on_disconnection: Sequence[Callable[[], None]] = ()
    screens: OpenScreens | None = None
    today: Callable[[], date] = timezone.localdate

    def __post_init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._boot = secrets.token_hex(4)
        self._count = 0
        self._is_ending = False
        self._has_heard = asyncio.Event()
        self._checks = ClubPlaces(1, 1)

    # --- life cycle ---

    def start(self) -> None:
        if self._tasks:
            return
        self._spawn(listen(self, channel=self.channel, listen_to=self.listen_to, write_to=self.write_to))
        self._spawn(self._beat())

    async def wait_until_heard(self) -> None:
        """Wait until changes are heard for the first time, or for COMES_BACK seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(COMES_BACK):
                await self._has_heard.wait()

    def end_streams(self) -> None:
        """End all streams, including those that begin later."""
        self._is_ending = True
        for channel in self._channels.values():
            for subscriber in channel.subscribers:
                subscriber.end()

    async def stop(self) -> None:
        self.end_streams()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def count_streams(self) -> int:
        return sum(len(channel.subscribers) for channel in tuple(self._channels.values()))

    # --- subscribers ---

    async def join(self, name: str, subscriber: Subscriber, last_id: str) -> bool:
        """Add the subscriber to the channel, and tell it whether it has missed events. Return False without a public tournament."""
        self.start()
        if name not in self._channels and not await self._check(name):
            return False
        await subscriber.open(_HEADERS)
        # No await from here on, so that no change is missed before the subscriber is added.
        channel = self._channels.get(name) or self._channels.setdefault(name, Channel(self._next_count()))
        channel.subscribers.add(subscriber)
        topics = set() if last_id == f"{self._boot}-{channel.count}" else {EVERYTHING}
        subscriber.put(f"retry: {random.randint(1000, 3000)}\n".encode() + self._event(channel, topics))
        if self._is_ending:
            subscriber.end()
        return True

    def leave(self, name: str, subscriber: Subscriber) -> None:
        subscriber.close()
        channel = self._channels.get(name)
        if channel is not None:
            channel.subscribers.discard(subscriber)
            if not channel.subscribers:
                del self._channels[name]

    async def _check(self, name: str, *, again: bool = False) -> bool:
        """Return whether the tournament is public. again: also if it has subscribers, as it had when it was checked last.

        Clubs take turns, so that one that waits for the database takes no threads from the others.
        """
        async with self._checks.place(name, club=name.rpartition("/")[0]):
            if name in self._channels and not again:
                return True
            return await asyncio.to_thread(closing_connections, self.is_public, name)

    def _next_count(self) -> int:
        self._count += 1
        return self._count

    def _event(self, channel: Channel, topics: set[str]) -> bytes:
        content = json.dumps({"topics": sorted(topics), "edition": edition(), "spread": channel.spread})
        return f"id: {self._boot}-{channel.count}\ndata: {content}\n\n".encode()

    # --- changes ---

    def changed(self, name: str, topic: str) -> None:
        """Tell the subscribers of a tournament about a change, at once or with the next event."""
        channel = self._channels.get(name)
        if channel is None:
            return
        channel.topics.add(topic)
        if not channel.is_telling:
            channel.is_telling = True
            self._spawn(self._tell(name, channel))

    def changed_everywhere(self, topic: str) -> None:
        for name in self._channels:
            self.changed(name, topic)

    async def _tell(self, name: str, channel: Channel) -> None:
        while channel.topics:
            topics, channel.topics = channel.topics, set()
            channel.count = self._next_count()
            await _to_all(channel, self._event(channel, topics))
            if topics & OF_PUBLICITY:
                await self._end_if_over(name, channel)
            await asyncio.sleep(max(FOLD, channel.spread / 1000))
        channel.is_telling = False

    async def _end_if_over(self, name: str, channel: Channel) -> None:
        """End the streams of a tournament that is no longer public."""
        try:
            is_over = not await self._check(name, again=True)
        except Exception:
            logger.warning("Whether %s is public could not be read.", name, exc_info=True)
            return  # once the database answers again, everything may have changed
        for subscriber in tuple(channel.subscribers) if is_over else ():
            subscriber.end()

    # --- notifications ---

    def on_connected(self) -> None:
        self._has_heard.set()
        self._boot = secrets.token_hex(4)
        for act in self.on_connection:
            act()
        self.changed_everywhere(EVERYTHING)

    def on_disconnected(self, *, is_deaf: bool) -> None:
        for act in self.on_disconnection:
            act()
        if is_deaf:
            self.changed_everywhere(EVERYTHING)

    def dispatch(self, payload: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            change = json.loads(payload)
            if self.screens is not None and "screens" in change:
                self.screens.hear(change["screens"])
                return
            name, topic, keeps = change["slug"], change["topic"], change.get("keeps", ())
            for act in self.on_change:
                act(name, topic, keeps, change.get("id", ""))
            self.changed(name, topic)

    def to_tell(self) -> str:
        return self.screens.to_tell() if self.screens is not None else ""

    async def _beat(self) -> None:
        day = self.today()
        while True:
            await asyncio.sleep(HEARTBEAT)
            before, day = day, self.today()
            if day != before:
                self.changed_everywhere("day")
            for channel in tuple(self._channels.values()):
                await _to_all(channel, ALIVE)


async def _to_all(channel: Channel, message: bytes) -> None:
    for number, subscriber in enumerate(tuple(channel.subscribers), start=1):
        subscriber.put(message)
        if number % BATCH == 0:
            await asyncio.sleep(0)


class LiveStream:
    """ASGI application in front of `app`: answers /t/<slug>/live itself, and starts and stops the hub with the server."""

    def __init__(self, app: App, hub: Hub, *, companions: Sequence[Companion] = ()) -> None:
        self._app = app
        self._companions = companions
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and (address := _ADDRESS.fullmatch(scope["path"])):
            await self._answer(everywhere(address[1]), scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        page_cache.is_enabled = True
        self._hub.start()
        for companion in self._companions:
            companion.start()
        on_stop_signal(self._hub.end_streams)
        await self._hub.wait_until_heard()  # else /healthz/ready would refuse for a moment
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._hub.stop()
        for companion in self._companions:
            await companion.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await _plain(send, 405, "Only GET.", (b"allow", b"GET"))
            return
        subscriber = Subscriber(send)
        last_id = dict(scope["headers"]).get(b"last-event-id", b"")[:LONGEST_EVENT_ID].decode("latin-1")
        try:
            is_public = await self._hub.join(name, subscriber, last_id)
        except Exception:
            logger.exception("The stream of %s could not begin.", name)
            await _plain(send, 503, "Please come back in a moment.", (b"retry-after", b"2"))
            return
        if not is_public:
            await _plain(send, 404, "No such tournament.")
            return
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            return  # dropped, or the server stops: no error
        finally:
            self._hub.leave(name, subscriber)


async def _plain(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    content_type = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [content_type, *headers]})
    await send({"type": "http.response.body", "body": text.encode()})
