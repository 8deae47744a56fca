"""The request that a task or a thread works for, with the id that is in its answer, its log lines and its error page."""

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class CurrentRequest:
    """A request that is under way. route: the name of its address, "" while unknown. status: 0 before the answer."""

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
    """Make this the request of the current task, and of the tasks and threads that it starts."""
    _current.set(request)


def current_request() -> CurrentRequest | None:
    return _current.get()


def name_route(name: str) -> None:
    """Say which address the current request asks for."""
    if (request := _current.get()) is not None:
        request.route = name


def new_id() -> str:
    """Return a random id, short enough to be read out."""
    return secrets.token_hex(6)
