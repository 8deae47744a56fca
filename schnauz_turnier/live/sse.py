"""Channels and subscribers of the server-sent events.

Terms: a *subscriber* is one open stream. A *channel* is the content that all subscribers of one tournament, audience and
language share. It consists of *parts*. Every version of a channel has a count, and each part has the count of its latest
change, as has each piece of a part that is a `Fragment`.

The id of an event is "boot-count-digest": the boot id of the listener, the count, and a digest of the channel's content.
A subscriber that names the current digest lacks nothing, even after a restart. One that names an earlier count of the
same boot lacks the parts that have changed since. In all other cases it gets the whole content.

A subscriber that takes pieces gets, instead of a part, {"pieces": {key: html}, "lists": {name: [key]}}: the pieces that
have changed, and the lists with other keys or another order. It gets the whole part where that is hardly longer, and
where the frame around the pieces has changed.
"""

import asyncio
import json
import random
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any

from schnauz_turnier.web.asgi_types import Message, Send
from scoring.public.pieces import Fragment, digest_of
from tournaments.edition import edition

Parts = dict[str, Any]
Key = tuple[str, str, str]

BACK_SOON = 100, 1000  # milliseconds, not the same for all
PATIENCE = 30.0  # seconds until a message must be sent
BATCH = 500  # subscribers that get a message before control returns to the event loop
WORTH_IT = 0.6  # of the length of a part: pieces that are longer are sent as the whole part
EVERYTHING = "everything"  # the topic of an event with the whole content, independent of earlier events
UNHEARD = "unheard"  # the topic of an event without content: changes are not heard until the next event


class Subscriber:
    """One open stream. Messages are passed to the server at once, without a task or a queue per subscriber.

    A subscriber that reads more slowly than messages come is *behind*: it is skipped until its last message is sent,
    and then gets everything it lacks in one message. One that takes longer than PATIENCE is dropped; if it still
    exists, it reconnects.

    takes_pieces: whether it understands parts in pieces.
    """

    __slots__ = ("_behind", "_send", "_task", "seen", "takes_pieces")

    def __init__(self, send: Send, *, takes_pieces: bool = False) -> None:
        self._send = send
        self.takes_pieces = takes_pieces
        self._task = asyncio.current_task()
        self._behind: asyncio.Task[None] | None = None
        self.seen = 0

    async def open(self, headers: Sequence[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    def put(self, message: bytes, catch_up: Callable[["Subscriber"], None]) -> bool:
        """Send a message and return True; return False if the subscriber is behind or closed.

        catch_up: called with the subscriber after a message that could not be sent at once has been sent.
        """
        return self._begin({"type": "http.response.body", "body": message, "more_body": True}, catch_up)

    def end(self) -> None:
        """End the stream, even if the subscriber is behind. A browser comes back soon, to another process if this one ends."""
        last = f"retry: {random.randint(*BACK_SOON)}\n\n".encode()
        self._begin({"type": "http.response.body", "body": last}, lambda _subscriber: None)
        self.drop()

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Release the tasks after the stream has ended."""
        if self._behind is not None:
            self._behind.cancel()
        self._task = None

    def _begin(self, message: Message, catch_up: Callable[["Subscriber"], None]) -> bool:
        if self._behind is not None or self._task is None:
            return False
        sending: Any = self._send(message)
        try:
            waiting = sending.send(None)
        except StopIteration:
            return True
        except OSError:
            self.drop()
            return True
        self._behind = asyncio.create_task(self._wait(_rest_of(sending, waiting), catch_up))
        return True

    async def _wait(self, sending: Awaitable[None], catch_up: Callable[["Subscriber"], None]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await sending
        except (TimeoutError, OSError):
            self.drop()
        else:
            self._behind = None
            catch_up(self)


@types.coroutine
def _rest_of(begun: Coroutine[Any, Any, None], waiting: Any) -> Generator[Any, Any, None]:
    """Continue a coroutine that was started outside of a task and is waiting."""
    try:
        while True:
            yield waiting
            try:
                waiting = begun.send(None)
            except StopIteration:
                return
    finally:
        begun.close()


@dataclass(frozen=True)
class Rendered:
    """A version of a channel's content: its parts and their digest."""

    parts: Parts
    digest: str

    @classmethod
    def of(cls, parts: Parts) -> "Rendered":
        return cls(parts, digest_of(parts))

    @cached_property
    def whole(self) -> bytes:
        """All parts, encoded."""
        return _encoded([EVERYTHING], self.parts)


@dataclass(slots=True)
class _Changes:
    """The counts of the latest change of a part: of anything in it, its frame, its pieces and its lists."""

    latest: int = 0
    frame: int = 0
    pieces: dict[str, int] = field(default_factory=dict)
    lists: dict[str, int] = field(default_factory=dict)

    def note(self, before: Any, after: Any, count: int) -> None:
        if before == after:
            return
        self.latest = count
        if isinstance(before, Fragment) and isinstance(after, Fragment) and before.frame == after.frame:
            self.pieces |= {
                key: count for key, body in after.bodies.items() if before.bodies.get(key) != body
            }
            self.lists |= {name: count for name, keys in after.lists.items() if before.lists[name] != keys}
        else:
            self.frame = count
            self.pieces, self.lists = {}, {}

    def since(self, count: int, part: Any) -> Any:
        """Return what has changed after the version of this count: pieces and lists, or the whole part."""
        if not isinstance(part, Fragment) or self.frame > count:
            return part
        changed = {key for key, at in self.pieces.items() if at > count and key in part.bodies}
        pieces = {key: part.piece(key) for key in changed if part.outer.get(key) not in changed}
        lists = {name: part.lists[name] for name, at in self.lists.items() if at > count}
        size = sum(map(len, pieces.values())) + sum(len(key) + 3 for keys in lists.values() for key in keys)
        return {"pieces": pieces, "lists": lists} if size < len(part) * WORTH_IT else part


@dataclass(slots=True)
class Channel:
    """The content and the subscribers of one tournament, audience and language.

    now: the current version; None before the first rendering, or if there is no such tournament. count: of the current
    version. first: the lowest count of this boot. changes: of each part. topics: the count of the latest change of each.
    """

    key: Key
    now: Rendered | None = None
    boot: str = ""
    count: int = 0
    first: int = 0
    changes: dict[str, _Changes] = field(default_factory=dict)
    topics: dict[str, int] = field(default_factory=dict)
    subscribers: set[Subscriber] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def show(self, rendered: Rendered | None, *, boot: str, count: int, topics: set[str]) -> None:
        """Set the current version, and record which parts and topics changed with it."""
        if boot != self.boot:
            self.boot, self.first = boot, count
        before = self.now.parts if self.now is not None else {}
        self.now, self.count = rendered, count
        after = rendered.parts if rendered is not None else {}
        for name, part in after.items():
            self.changes.setdefault(name, _Changes()).note(before.get(name), part, count)
        self.topics |= dict.fromkeys(topics, count)

    def lacking(self, event_id: str, *, in_pieces: bool = False) -> bytes:
        """Return the event that brings a subscriber up to date whose last event has this id; "" for none."""
        assert self.now is not None
        boot, _, rest = event_id.partition("-")
        count, _, digest = rest.partition("-")
        if digest == self.now.digest:
            return self._event(_encoded([], {}))
        if boot == self.boot and count.isdecimal() and self.first <= int(count) <= self.count:
            return self.since(int(count), in_pieces=in_pieces)
        return self._event(self.now.whole)

    def since(self, count: int, *, in_pieces: bool = False) -> bytes:
        """Return the event with everything that has changed after the version of this count."""
        assert self.now is not None
        if EVERYTHING in (topics := sorted(topic for topic, at in self.topics.items() if at > count)):
            return self._event(self.now.whole)
        changed = {name: part for name, part in self.now.parts.items() if self.changes[name].latest > count}
        if in_pieces:
            changed = {name: self.changes[name].since(count, part) for name, part in changed.items()}
        return self._event(_encoded(topics, changed))

    async def send_to_all(self, before: int, event: Callable[[bool], bytes]) -> None:
        """Send a change to all subscribers.

        event: returns the event for those that have the version of count `before`; of whether they take pieces.
        """
        event = cache(event)
        for number, subscriber in enumerate(tuple(self.subscribers), start=1):
            in_pieces = subscriber.takes_pieces
            has_last = subscriber.seen == before
            message = event(in_pieces) if has_last else self.since(subscriber.seen, in_pieces=in_pieces)
            if subscriber.put(message, self.catch_up):
                subscriber.seen = self.count
            if number % BATCH == 0:
                await asyncio.sleep(0)

    def catch_up(self, subscriber: Subscriber) -> None:
        """Send a subscriber that was behind everything it has missed."""
        if self.now is not None and subscriber.seen != self.count:
            seen, subscriber.seen = subscriber.seen, self.count
            subscriber.put(self.since(seen, in_pieces=subscriber.takes_pieces), self.catch_up)

    def _event(self, encoded: bytes) -> bytes:
        assert self.now is not None
        return f"id: {self.boot}-{self.count}-{self.now.digest}\n".encode() + _data(encoded)


def unheard_event() -> bytes:
    """Return the event that tells a subscriber that changes are not heard. Without an id, it leaves the last one in force."""
    return _data(_encoded([UNHEARD], {}))


def _data(encoded: bytes) -> bytes:
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f'data: {{"at":"{at}","edition":"{edition()}",'.encode() + encoded + b"\n\n"


def _encoded(topics: Sequence[str], parts: Parts) -> bytes:
    """Return the end of an event's JSON. It is preceded by the time at which the event is sent."""
    written = json.dumps({"topics": topics, "parts": parts}, ensure_ascii=False, separators=(",", ":"))
    return written[1:].encode()
