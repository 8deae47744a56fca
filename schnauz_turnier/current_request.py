"""The request that a task or a thread works for, with the id that is in its answer, its log lines and its error page."""

import secrets
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class CurrentRequest:
    """A request that is under way."""

    id: str


_current: ContextVar[CurrentRequest | None] = ContextVar("current_request", default=None)


def begin(request: CurrentRequest) -> None:
    """Make this the request of the current task, and of the tasks and threads that it starts."""
    _current.set(request)


def current_request() -> CurrentRequest | None:
    return _current.get()


def new_id() -> str:
    """Return a random id, short enough to be read out."""
    return secrets.token_hex(6)
