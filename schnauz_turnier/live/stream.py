"""Live stream: what a process hears of changes (see listening.py), published as server-sent events.

*Listeners* (a parameter) are notified of every change: `invalidate` gets the tournament's slug, the topic and what the
change keeps valid, or None if changes may have been missed. `rely` is called every second with the moment until which no
change is missed, `disable` when changes are no longer heard.

The *renderer* (a parameter) makes the parts of a channel (see sse.py). An event contains the parts that have changed,
or of these, where a subscriber takes them, the pieces that have.
After a reconnect notifications may have been lost, so all channels are rendered and compared in full. While changes are
not heard, the same happens every two seconds, as long as the database answers. Each channel is rendered once, in a
thread, at most five times a second, and all subscribers get the same bytes.
"""

import asyncio
import contextlib
import json
import logging
import random
import re
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from typing import Any, Protocol
from urllib.parse import parse_qs

from django.db import connections
from django.utils import timezone

from schnauz_turnier.clubs.servers import AllServers
from schnauz_turnier.live.listening import PROVEN, Parameters
from schnauz_turnier.live.sse import (
    BATCH,
    EVERYTHING,
    Channel,
    Key,
    Parts,
    Rendered,
    Subscriber,
    unheard_event,
)
from schnauz_turnier.start.stop_signals import on_stop_signal
from schnauz_turnier.web.asgi_types import App, Receive, Scope, Send
from tournaments.current_club import everywhere

Renderer = Callable[[str, str, str], Parts | None]
"""Map (slug, audience, language) to the parts by name; None if there is no such tournament. Runs in a thread."""

Guard = Callable[[str, str], bool]
"""Whether a browser may see the audience of a tournament: of slug and Cookie header. Runs in a thread."""

FOLD = 0.2  # seconds between two renderings of a channel; the first change is sent at once, those in between are combined
HEARTBEAT = 15.0
ADMISSION = "pairings"  # after this topic the streams of guarded audiences end, and have to be admitted anew
LONGEST_EVENT_ID = 60
ALIVE = b": alive\n\n"

_ADDRESS = re.compile(r"/t/([-\w]{1,60})/live", re.ASCII)
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"connection", b"close"),  # so that a browser does not come back to a process that ends
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
]
logger = logging.getLogger(__name__)


class Listener(Protocol):
    """An object that is notified of every change, and of the times when changes may be missed."""

    def invalidate(self, slug: str | None, topic: str, keeps: Collection[str] = (), /) -> None: ...

    def rely(self, until: float, /) -> None: ...

    def disable(self) -> None: ...


class Shared(Protocol):
    """A record that the processes keep together. They tell each other of it, by messages {"screens": [...]}."""

    def to_tell(self) -> str: ...

    def hear(self, screens: Sequence[tuple[str, int, str, float]], /) -> None: ...


class Hub:
    """The channels that have subscribers, kept current by what the process hears of changes."""

    def __init__(
        self,
        *,
        channel: str,
        servers: Sequence[tuple[Parameters, Parameters]],
        renderer: Renderer,
        listeners: Sequence[Listener] = (),
        shared: Shared | None = None,
        guards: Mapping[str, Guard] | None = None,
        today: Callable[[], date] = timezone.localdate,
        pass_on: Callable[[Callable[[], None]], None] = lambda act: act(),
    ) -> None:
        """servers: for each the parameters of the connections that listen and write, see `Listening`. guards: by audience; every browser may see the others.

        today: returns the current day. A new day changes all channels: a tournament may no longer be public then. pass_on: calls
        a function when the renderer can read what has just been heard.
        """
        self._listening = AllServers(self, channel=channel, servers=servers)
        self._renderer = renderer
        self._listeners = listeners
        self._shared = shared
        self._guards = guards or {}
        self._today = today
        self._pass_on = pass_on
        self._channels: dict[Key, Channel] = {}
        self._pending: dict[str, set[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="live")
        self._boot = ""
        self._count = 0
        self._is_ending = False
        self._has_heard = asyncio.Event()
        self._heard_until = 0.0  # of time.monotonic()

    # --- life cycle ---

    def start(self) -> None:
        if not self._tasks:
            self._spawn(self._listening.run())
            self._spawn(self._beat())

    async def wait_until_heard(self) -> None:
        """Wait until changes are heard for the first time; at most as long as it would take to notice that they are not."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PROVEN):
                await self._has_heard.wait()

    def end_streams(self) -> None:
        """End all streams, also those that begin from now on."""
        self._is_ending = True
        for channel in self._channels.values():
            for subscriber in channel.subscribers:
                subscriber.end()

    async def stop(self) -> None:
        self.end_streams()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def count_streams(self) -> int:
        return sum(len(channel.subscribers) for channel in tuple(self._channels.values()))

    # --- subscribers ---

    async def admits(self, key: Key, cookies: str) -> bool:
        """Return whether a browser with this Cookie header may see a channel."""
        if key[1] not in self._guards:
            return True
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._admits_in_thread, key, cookies)

    def _admits_in_thread(self, key: Key, cookies: str) -> bool:
        try:
            return self._guards[key[1]](key[0], cookies)
        finally:
            connections.close_all()

    async def join(self, key: Key, subscriber: Subscriber, last_id: str) -> bool:
        """Send the subscriber what it lacks, and add it to the channel. Return False if there is no such tournament."""
        self.start()
        channel = self._channels.setdefault(key, Channel(key))
        async with channel.lock:
            try:
                if channel.now is None or time.monotonic() >= self._heard_until:
                    await self._render(channel, set())
            except BaseException:
                self._remove_if_unused(channel)
                raise
            if channel.now is None:
                self._remove_if_unused(channel)
                return False
            await subscriber.open(_HEADERS)
            # No await from here on, so that no change comes before the subscriber is added.
            hello = f"retry: {random.randint(1000, 3000)}\n\n".encode()
            subscriber.seen = channel.count
            lacking = channel.lacking(last_id, in_pieces=subscriber.takes_pieces)
            subscriber.put(hello + lacking, channel.catch_up)
            channel.subscribers.add(subscriber)
            self._channels[key] = channel
            if self._is_ending:
                subscriber.end()
        return True

    def leave(self, key: Key, subscriber: Subscriber) -> None:
        subscriber.close()
        channel = self._channels.get(key)
        if channel is not None:
            channel.subscribers.discard(subscriber)
            self._remove_if_unused(channel)

    def _remove_if_unused(self, channel: Channel) -> None:
        if not channel.subscribers and self._channels.get(channel.key) is channel:
            del self._channels[channel.key]

    # --- changes ---

    def changed(self, slug: str, topic: str) -> None:
        """Schedule one rendering of the tournament's channels after a change."""
        if slug in self._pending:
            self._pending[slug].add(topic)
        elif any(key[0] == slug for key in self._channels):
            self._pending[slug] = {topic}
            self._spawn(self._publish(slug))

    def changed_everywhere(self, topic: str) -> None:
        for slug in {key[0] for key in self._channels}:
            self.changed(slug, topic)

    async def _publish(self, slug: str) -> None:
        while topics := self._pending[slug]:
            self._pending[slug] = set()
            if not await self._refresh_all(slug, topics):
                self._pending[slug] |= topics
                await asyncio.sleep(1)
            await asyncio.sleep(FOLD)
        del self._pending[slug]

    async def _refresh_all(self, slug: str, topics: set[str]) -> bool:
        """Refresh the tournament's channels, the one with most subscribers first. Return False if one has to be retried.

        They are rendered one after the other; none waits until another is sent.
        """
        channels = [channel for key, channel in self._channels.items() if key[0] == slug]
        channels.sort(key=lambda channel: len(channel.subscribers), reverse=True)
        turn = asyncio.Lock()
        return all(await asyncio.gather(*[self._refresh(channel, topics, turn) for channel in channels]))

    async def _refresh(self, channel: Channel, topics: set[str], turn: asyncio.Lock | None = None) -> bool:
        """Render a channel and send its changes to the subscribers. Return False if it has to be retried.

        turn: held while it is rendered.
        """
        async with channel.lock:
            before, count = channel.now, channel.count
            try:
                async with turn or asyncio.Lock():
                    await self._render(channel, topics)
            except Exception:
                logger.exception("The board %s could not be rendered; trying again.", channel.key)
                return False
            if channel.now is None or (channel.key[1] in self._guards and topics & {ADMISSION, EVERYTHING}):
                for subscriber in channel.subscribers:
                    subscriber.end()
            elif EVERYTHING in topics:
                known = channel.lacking(f"--{before.digest}" if before else "")
                await channel.send_to_all(count, lambda _in_pieces: known)
            else:
                await channel.send_to_all(count, lambda in_pieces: channel.since(count, in_pieces=in_pieces))
        return True

    async def _render(self, channel: Channel, topics: set[str]) -> None:
        loop = asyncio.get_running_loop()
        rendered = await loop.run_in_executor(self._threads, self._render_in_thread, channel.key)
        self._count += 1
        channel.show(rendered, boot=self._boot, count=self._count, topics=topics)

    def _render_in_thread(self, key: Key) -> Rendered | None:
        try:
            parts = self._renderer(*key)
        finally:
            connections.close_all()
        return None if parts is None else Rendered.of(parts)

    # --- what is heard ---

    def begin(self) -> None:
        self._has_heard.set()
        self._boot = secrets.token_hex(4)
        for listener in self._listeners:
            listener.invalidate(None, EVERYTHING)
        self.changed_everywhere(EVERYTHING)

    def rely(self, until: float) -> None:
        self._heard_until = until
        for listener in self._listeners:
            listener.rely(until)

    def dispatch(self, payload: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            change = json.loads(payload)
            if self._shared is not None and "screens" in change:
                self._shared.hear(change["screens"])
                return
            for listener in self._listeners:
                listener.invalidate(change["slug"], change["topic"], change.get("keeps", ()))
            self._pass_on(partial(self.changed, change["slug"], change["topic"]))

    def to_tell(self) -> str:
        return self._shared.to_tell() if self._shared is not None else ""

    def lose(self) -> None:
        self._heard_until = 0.0
        for listener in self._listeners:
            listener.disable()
        event = unheard_event()
        for channel in self._channels.values():
            for subscriber in tuple(channel.subscribers):
                subscriber.put(event, channel.catch_up)

    def remain_deaf(self) -> None:
        self.changed_everywhere(EVERYTHING)

    async def _beat(self) -> None:
        day = self._today()
        while True:
            await asyncio.sleep(HEARTBEAT)
            before, day = day, self._today()
            if day != before:
                self.changed_everywhere("day")
            for channel in tuple(self._channels.values()):
                for number, subscriber in enumerate(tuple(channel.subscribers), start=1):
                    subscriber.put(ALIVE, channel.catch_up)
                    if number % BATCH == 0:
                        await asyncio.sleep(0)


class Companion(Protocol):
    """A further task with the lifetime of the server."""

    def start(self) -> None: ...

    async def stop(self) -> None: ...


class LiveStream:
    """ASGI application in front of `app`: answers /t/<slug>/live itself, and starts and stops the hub with the server.

    The query names audience and language: ?view=screen&lang=en. An unknown value stands for the first of the list.
    With &pieces=1 events contain, of a part that consists of pieces, what has changed (see sse.py). &shows= is the digest of the
    parts that a page was loaded with: a stream that begins with it does not send them once more.
    """

    def __init__(
        self,
        app: App,
        hub: Hub,
        *,
        audiences: Sequence[str],
        languages: Sequence[str],
        companions: Sequence[Companion] = (),
    ) -> None:
        self._app = app
        self._companions = companions
        self._hub = hub
        self._audiences = audiences
        self._languages = languages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and (address := _ADDRESS.fullmatch(scope["path"])):
            await self._answer(address[1], scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            event = (await receive())["type"]
            if event == "lifespan.startup":
                self._hub.start()
                for companion in self._companions:
                    companion.start()
                on_stop_signal(self._hub.end_streams)
                await self._hub.wait_until_heard()  # else /healthz/ready would refuse for a moment
            else:
                await self._hub.stop()
                for companion in self._companions:
                    await companion.stop()
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return

    async def _answer(self, slug: str, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await _plain(send, 405, "Only GET.", (b"allow", b"GET"))
            return
        query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
        key = (
            everywhere(slug),
            _one_of(query.get("view"), self._audiences),
            _one_of(query.get("lang"), self._languages),
        )
        subscriber = Subscriber(send, takes_pieces=query.get("pieces") == ["1"])
        last_id = _short(dict(scope["headers"]).get(b"last-event-id", b""))
        if not last_id and (shown := query.get("shows")):
            last_id = _short(f"--{shown[0]}".encode())
        cookies = "; ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie")
        try:
            if not await self._hub.admits(key, cookies):
                await _plain(send, 403, "This screen is not paired.")
                return
            is_known = await self._hub.join(key, subscriber, last_id)
        except Exception:
            logger.exception("The board of %s could not be rendered.", slug)
            await _plain(send, 503, "Please come back in a moment.", (b"retry-after", b"2"))
            return
        if not is_known:
            await _plain(send, 404, "No such tournament.")
            return
        try:
            if not await self._hub.admits(key, cookies):  # a pairing that ended before the stream was known
                subscriber.end()
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            return  # dropped, or the server stops: no error
        finally:
            self._hub.leave(key, subscriber)


async def _plain(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    content_type = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [content_type, *headers]})
    await send({"type": "http.response.body", "body": text.encode()})


def _short(event_id: bytes) -> str:
    """Return the id of an event; "" for one that is longer than any of ours."""
    return event_id.decode("ascii", "replace") if len(event_id) <= LONGEST_EVENT_ID else ""


def _one_of(requested: Sequence[str] | None, known: Sequence[str]) -> str:
    return requested[0] if requested and requested[0] in known else known[0]
