"""Channels and subscribers of the server-sent events.

Terms: a *subscriber* is one open stream. A *channel* is the content that all subscribers of one tournament, audience and
language share. It consists of *parts*. Every version of a channel has a count, and each part has the count of its latest
change.

The id of an event is "boot-count-digest": the boot id of the listener, the count, and a digest of the channel's content.
A subscriber that names the current digest lacks nothing, even after a restart. One that names an earlier count of the
same boot lacks the parts that have changed since. In all other cases it gets the whole content.
"""

import asyncio
import json
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Parts = dict[str, Any]
Key = tuple[str, str, str]

PATIENCE = 30.0  # seconds until a message must be sent
EVERYTHING = "everything"  # the topic of an event with the whole content, independent of earlier events


class Subscriber:
    """One open stream. Messages are passed to the server at once, without a task or a queue per subscriber.

    A subscriber that reads more slowly than messages come is *behind*: it is skipped until its last message is sent,
    and then gets everything it lacks in one message. One that takes longer than PATIENCE is dropped; if it still
    exists, it reconnects.
    """

    __slots__ = ("_behind", "_send", "_task", "seen")

    def __init__(self, send: Send) -> None:
        self._send = send
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
        """End the stream, even if the subscriber is behind."""
        self._begin({"type": "http.response.body", "body": b""}, lambda _subscriber: None)
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


@dataclass(frozen=True, slots=True)
class Rendered:
    """A version of a channel's content: its parts, all parts encoded, and their digest."""

    parts: Parts
    whole: bytes
    digest: str

    @classmethod
    def of(cls, parts: Parts) -> "Rendered":
        whole = _encoded([EVERYTHING], parts)
        return cls(parts, whole, blake2b(whole, digest_size=6).hexdigest())


@dataclass(slots=True)
class Channel:
    """The content and the subscribers of one tournament, audience and language.

    now: the current version; None before the first rendering, or if there is no such tournament. count: of the current
    version. first: the lowest count of this boot. changed, topics: the count of the latest change of a part, a topic.
    """

    key: Key
    now: Rendered | None = None
    boot: str = ""
    count: int = 0
    first: int = 0
    changed: dict[str, int] = field(default_factory=dict)
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
        self.changed |= {name: count for name, part in after.items() if before.get(name) != part}
        self.topics |= dict.fromkeys(topics, count)

    def lacking(self, event_id: str) -> bytes:
        """Return the event that brings a subscriber up to date whose last event has this id; "" for none."""
        assert self.now is not None
        boot, _, rest = event_id.partition("-")
        count, _, digest = rest.partition("-")
        if digest == self.now.digest:
            return self._event(_encoded([], {}))
        if boot == self.boot and count.isdecimal() and self.first <= int(count) <= self.count:
            return self.since(int(count))
        return self._event(self.now.whole)

    def since(self, count: int) -> bytes:
        """Return the event with everything that has changed after the version of this count."""
        assert self.now is not None
        if EVERYTHING in (topics := sorted(topic for topic, at in self.topics.items() if at > count)):
            return self._event(self.now.whole)
        names = [name for name in self.now.parts if self.changed.get(name, 0) > count]
        return self._event(_encoded(topics, {name: self.now.parts[name] for name in names}))

    def _event(self, encoded: bytes) -> bytes:
        assert self.now is not None
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        event_id = f"{self.boot}-{self.count}-{self.now.digest}"
        return f'id: {event_id}\ndata: {{"at":"{at}",'.encode() + encoded + b"\n\n"


def _encoded(topics: Sequence[str], parts: Parts) -> bytes:
    """Return the end of an event's JSON. It is preceded by the time at which the event is sent."""
    written = json.dumps({"topics": topics, "parts": parts}, ensure_ascii=False, separators=(",", ":"))
    return written[1:].encode()
