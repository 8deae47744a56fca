"""Errors of the scripts of sheets, players' pages and walls, as static/js/errors.js tells them: one line in the log, and a counter.

They hold nothing from a page: each value is a number or from a closed set.
"""

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders

from scoring.metrics import PAGE_ERRORS
from scoring.phone.requests import unreadable, whole

OTHER = "other"
_WINDOW = 60  # seconds
_LARGEST_NUMBER = 1_000_000
_FILE = re.compile(r"(js(/\w{1,20})?|vendor/idb-[\d.]{1,12})/[\w-]{1,40}\.js", re.ASCII)
_KIND = re.compile(r"[A-Za-z]{1,40}")
_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}((a|b|rc|\.dev|\.post)\d{1,4})?", re.ASCII)
_KIND_OF_BROWSERS = re.compile(
    "(Abort|Aggregate|Constraint|DataClone|Data|Encoding|Eval|HierarchyRequest|Internal|InvalidAccess|InvalidState|"
    "Network|NotAllowed|NotFound|NotReadable|NotSupported|Operation|QuotaExceeded|Range|ReadOnly|Reference|Security|"
    "Syntax|Timeout|TransactionInactive|Type|URI|Unknown|Version)?Error"
)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageError:
    """Place and class of an error. file: a static file, or OTHER. kind: the class, or OTHER. version: of the page."""

    file: str
    line: int
    column: int
    kind: str
    version: str

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "PageError":
        """Return what a page tells. Raises Unfit."""
        file, kind = _matched(_FILE, body["file"]), _matched(_KIND, body["kind"])
        return cls(
            file if finders.find(file) else OTHER,
            whole(body["line"], least=0, most=_LARGEST_NUMBER),
            whole(body["column"], least=0, most=_LARGEST_NUMBER),
            kind if _KIND_OF_BROWSERS.fullmatch(kind) else OTHER,
            _matched(_VERSION, body["version"]),
        )

    def note(self) -> None:
        PAGE_ERRORS.labels(self.file, self.kind).inc()
        logger.warning(
            "A script of a page has failed: %s in %s, line %s, column %s, version %s.",
            *(self.kind, self.file, self.line, self.column, self.version),
        )


def _matched(pattern: re.Pattern[str], value: object) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise unreadable()
    return value


class ErrorLimit:
    """Limit of the errors that are noted in a minute: of a device, of an address, and in all."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._window = 0
        self._counts: Counter[str] = Counter()

    def take(self, address: str, device: str) -> bool:
        """Count an error. Return False if a limit is reached; then it does not count. device: "" for an unknown one."""
        limits = {"all": settings.PHONE_ERRORS, f"address {address}": settings.PHONE_ERRORS_OF_AN_ADDRESS}
        if device:
            limits[f"device {device}"] = settings.PHONE_ERRORS_OF_A_DEVICE
        with self._lock:
            window = int(self._now() // _WINDOW)
            if window != self._window:
                self._window = window
                self._counts.clear()
            if any(self._counts[name] >= most for name, most in limits.items()):
                return False
            self._counts.update(limits.keys())
            return True


error_limit = ErrorLimit()
"""The limit of this process."""
