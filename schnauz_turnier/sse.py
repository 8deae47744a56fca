"""What viewers of a stream see, and how they are told.

Terms: a *viewer* is one open stream; a *board* is what all viewers of one tournament, audience and language see. It is
made of *parts*; every version of it has a count, and each part knows the count of its latest change.

The id of an event is "boot-count-digest": the boot id of the listener, the count, and what the whole board says. Who
names the digest of this board lacks nothing, also after a restart; who names an earlier count of the same boot lacks the
parts that have changed since; in doubt it is the whole board.
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

PATIENCE = 30.0  # seconds for one message to leave
EVERYTHING = "everything"  # the topic of an event that stands for itself, whatever came before


class Subscriber:
    """One open stream. Messages are handed to the server at once, without a task or a queue for each viewer.

    A viewer that does not read as fast as news comes is *behind*: it is passed over until the last message has left,
    and then gets what it lacks in one. Who takes longer than PATIENCE is dropped: he comes back, or he is gone.
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
        """Sends a message, unless the viewer is behind; then, and for this one, catch_up is called in time."""
        return self._begin({"type": "http.response.body", "body": message, "more_body": True}, catch_up)

    def end(self) -> None:
        """The end of the stream, also for who is behind."""
        self._begin({"type": "http.response.body", "body": b""}, lambda _viewer: None)
        self.drop()

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """The stream is over."""
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
    """Goes on with a coroutine that was begun outside of any task and waits for something."""
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
    """A version of a board: its parts, and all of them encoded."""

    parts: Parts
    whole: bytes
    digest: str

    @classmethod
    def of(cls, parts: Parts) -> "Rendered":
        whole = _encoded([EVERYTHING], parts)
        return cls(parts, whole, blake2b(whole, digest_size=6).hexdigest())


@dataclass(slots=True)
class Channel:
    """now: as its viewers have it; None before the first rendering, and where there is no such tournament."""

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
        """From now on this is what it says."""
        if boot != self.boot:
            self.boot, self.first = boot, count
        before = self.now.parts if self.now is not None else {}
        self.now, self.count = rendered, count
        after = rendered.parts if rendered is not None else {}
        self.changed |= {name: count for name, part in after.items() if before.get(name) != part}
        self.topics |= dict.fromkeys(topics, count)

    def lacking(self, event_id: str) -> bytes:
        """What brings a viewer up to date who has seen the event of this id last; "" for none."""
        assert self.now is not None
        boot, _, rest = event_id.partition("-")
        count, _, digest = rest.partition("-")
        if digest == self.now.digest:
            return self._event(_encoded([], {}))
        if boot == self.boot and count.isdecimal() and self.first <= int(count) <= self.count:
            return self.since(int(count))
        return self._event(self.now.whole)

    def since(self, count: int) -> bytes:
        """What has changed after the event of this count."""
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
    """The end of an event; what comes before it is the moment at which it is sent."""
    written = json.dumps({"topics": topics, "parts": parts}, ensure_ascii=False, separators=(",", ":"))
    return written[1:].encode()
