"""The current request of a task or thread, with the id in its answer, its log lines and its error page."""

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class CurrentRequest:
    """A running request. route: the name of its URL pattern, "" while unknown. status: 0 before the answer."""

    id: str
    method: str
    route: str = ""
    status: int = 0
    began: float = field(default_factory=time.perf_counter)

    @property
    def milliseconds(self) -> int:
        return round(1000 * (time.perf_counter() - self.began))


_current: ContextVar[CurrentRequest | None] = ContextVar("current_request", default=None)


def begin(request: CurrentRequest) -> None:
    """Make this the request of the current task, and of tasks and threads started by it."""
    _current.set(request)


def current_request() -> CurrentRequest | None:
    return _current.get()


def name_route(name: str) -> None:
    """Set the route of the current request."""
    if (request := _current.get()) is not None:
        request.route = name


def new_id() -> str:
    """Return a random id that is short enough to read out."""
    return secrets.token_hex(6)
