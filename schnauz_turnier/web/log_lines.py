"""Lines of the log. Each names the request that caused it, if there is one."""

import json
import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable, Hashable
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
from django.db import OperationalError

from schnauz_turnier.web.current_request import current_request

EXPECTED = (OSError, OperationalError, psycopg.OperationalError)
"""Errors of the environment, not of the program: a full disk, a removed stick, a lost database."""


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _of_request() -> str:
    request = current_request()
    return f" [{request.id}]" if request else ""


class AlikeLimit:
    """A filter that passes at most `most` warnings and errors of a kind per minute, so that a flood does not fill the disk.

    The next line of the kind, at least a minute later, says how many were dropped. A kind is the text without its values, and
    for an error its type and the line of code that raised it.
    """

    MOST_KINDS = 500  # per minute; all others count as one kind

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._lock = Lock()
        self._minute = 0
        self._counts: Counter[Hashable] = Counter()
        self._left_out: Counter[Hashable] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = _kind_of(record)
        with self._lock:
            minute = int(self._now() // 60)
            if minute != self._minute:
                self._minute = minute
                self._counts.clear()
                if len(self._left_out) > self.MOST_KINDS:
                    self._left_out.clear()
            if kind not in self._counts and len(self._counts) >= self.MOST_KINDS:
                kind = None
            self._counts[kind] += 1
            if self._counts[kind] > self._most:
                self._left_out[kind] += 1
                return False
            left_out = self._left_out.pop(kind, 0)
        if left_out:
            record.msg = f"{record.msg} ({left_out} lines like this one were left out before.)"
        return True


def _kind_of(record: logging.LogRecord) -> Hashable:
    kind, _error, frames = record.exc_info or (None, None, None)
    where = [(frame.f_code, line) for frame, line in traceback.walk_tb(frames)][-1:]
    return record.name, str(record.msg), kind, *where


class LineFormatter(logging.Formatter):
    """A formatter that adds an expected error to the line in a few words, and the traceback of any other error."""

    def format(self, record: logging.LogRecord) -> str:
        record.__dict__["of_request"] = _of_request()
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, EXPECTED):
            return super().format(record)
        message = f"{record.getMessage().strip()} {_reason(error)}"
        without = {"exc_info": None, "exc_text": None, "args": None}
        return super().format(logging.makeLogRecord({**record.__dict__, **without, "msg": message}))


class JsonFormatter(logging.Formatter):
    """A formatter for programs that collect logs: one JSON object a line.

    A line has the route of a request instead of its path, and the type of an error with its lines of code. The message of an
    error may contain a user's input and is left out, except for expected errors: their messages come from the system.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
            **_facts_of_request(),
            **_facts_of_error(record),
        }
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """Return the message, with the route of a request instead of its path."""
    if record.name.startswith("django.security"):
        return "refused"  # the message repeats the client's input
    asked, request = getattr(record, "request", None), current_request()
    if asked is None or not isinstance(record.args, tuple):
        return record.getMessage().strip()
    route = (request and request.route) or "an unknown address"
    return str(record.msg) % tuple(route if value == asked.path else value for value in record.args)


def _facts_of_request() -> dict[str, Any]:
    request = current_request()
    if request is None:
        return {}
    asked = {"request": request.id, "method": request.method, "route": request.route}
    answered = {"status": request.status, "milliseconds": request.milliseconds} if request.status else {}
    return {**asked, **answered}


def _facts_of_error(record: logging.LogRecord) -> dict[str, Any]:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return {}
    if isinstance(error, EXPECTED):
        return {"error": type(error).__name__, "reason": _reason(error)}
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "where": where}
