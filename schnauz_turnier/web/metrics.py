"""Metrics of this process for Prometheus, at /metrics, protected by METRICS_TOKEN.

No label holds a slug, a name or a token. Routes are names of URL patterns, and codes are the program's own.
"""

import asyncio
import math
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, partial
from hmac import compare_digest
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connections
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, generate_latest

from schnauz_turnier.web.asgi_types import App, Receive, Scope, Send
from schnauz_turnier.web.current_request import CurrentRequest
from scoring.metrics import METRICS
from scoring.services.backup import last_note

ADDRESS = "/metrics"

_REQUESTS = Counter("schnauz_requests", "Answers", ["route", "status"], registry=METRICS)
_STREAMS = Gauge("schnauz_event_streams", "Open event streams", registry=METRICS)
_POOL = Gauge(
    "schnauz_pool", "Connections to the database, and requests for one", ["state"], registry=METRICS
)
_BACKUP = Gauge(
    "schnauz_backup_age_seconds", "Age of the last good backup; NaN without one", registry=METRICS
)
_DISK = Gauge("schnauz_disk_free_bytes", "Free disk space", ["folder"], registry=METRICS)


def count_answer(request: CurrentRequest) -> None:
    """Count a request by the class of its status, such as 2xx; "none" if its client left before the answer."""
    _answers(request.route, request.status // 100).inc()


@cache
def _answers(route: str, hundreds: int) -> Counter:
    """Return the counter with these labels. Cached, as looking it up takes longer than counting."""
    return _REQUESTS.labels(route, f"{hundreds}xx" if hundreds else "none")


class Metrics:
    """ASGI application in front of `app`. streams: returns the number of open event streams."""

    def __init__(self, app: App, *, streams: Callable[[], int]) -> None:
        self._app = app
        _STREAMS.set_function(streams)
        for state in ("pool_size", "pool_available", "requests_waiting"):
            _POOL.labels(state).set_function(partial(_pool, state))
        _BACKUP.set_function(_backup_age)
        _DISK.labels("data").set_function(partial(_free, settings.DATA_DIR))
        if settings.BACKUP_DIR is not None:
            _DISK.labels("backups").set_function(partial(_free, settings.BACKUP_DIR))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asked = scope["type"] == "http" and scope["path"] == ADDRESS and scope["method"] == "GET"
        if not is_asked or settings.METRICS_TOKEN is None:
            await self._app(scope, receive, send)
        elif _has_token(scope):
            text = await asyncio.to_thread(generate_latest, METRICS)
            await _answer(send, 200, CONTENT_TYPE_LATEST, text)
        else:
            await _answer(send, 401, "text/plain; charset=utf-8", b"Send METRICS_TOKEN as a bearer token.\n")


def _has_token(scope: Scope) -> bool:
    sent = [value for name, value in scope["headers"] if name == b"authorization"]
    return len(sent) == 1 and compare_digest(sent[0], f"Bearer {settings.METRICS_TOKEN}".encode())


async def _answer(send: Send, status: int, content_type: str, body: bytes) -> None:
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *([(b"www-authenticate", b"Bearer")] if status == 401 else []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _pool(state: str) -> float:
    pool = getattr(connections["default"], "pool", None)
    return float(pool.get_stats().get(state, 0)) if pool is not None else math.nan


def _backup_age() -> float:
    try:
        made_at = last_note().made_at
    except DatabaseError:
        return math.nan
    finally:
        connections["default"].close()  # no request ends in this thread
    return (datetime.now(UTC) - made_at).total_seconds() if made_at else math.nan


def _free(folder: Path) -> float:
    try:
        return float(shutil.disk_usage(folder).free)
    except OSError:
        return math.nan
