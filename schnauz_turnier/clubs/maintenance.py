"""Maintenance that the operator announces, shown to the staff of all clubs and on their start pages from a day before until its end."""

import logging
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language

from schnauz_turnier.clubs.catalogue import rows_of_catalogue, write_catalogue

logger = logging.getLogger(__name__)

AHEAD = timedelta(days=1)
KEPT = 10.0  # seconds
MOST = 20
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Maintenance:
    """An announced maintenance. english: "" to show the German text to all."""

    id: int
    begins_at: datetime
    ends_at: datetime
    german: str
    english: str

    @property
    def text(self) -> str:
        """The text in the language of the page."""
        return self.german if get_language() == "de" else self.english or self.german

    @property
    def period(self) -> str:
        """The period as text, in the time zone and the language of the page."""
        begins, ends = timezone.localtime(self.begins_at), timezone.localtime(self.ends_at)
        until = ends.strftime("%H:%M")
        if begins.date() != ends.date():
            until = f"{date_format(ends, 'SHORT_DATE_FORMAT')}, {until}"
        return f"{date_format(begins, 'SHORT_DATE_FORMAT')}, {begins:%H:%M} – {until}"

    def is_shown(self, at: datetime) -> bool:
        return self.begins_at - AHEAD <= at < self.ends_at


def announced(at: datetime) -> list[Maintenance]:
    """Return what is not over, the next one first."""
    rows = rows_of_catalogue(
        "SELECT id, begins_at, ends_at, german, english FROM catalogue.maintenance WHERE ends_at > %s "
        "ORDER BY begins_at, id LIMIT %s",
        at,
        MOST,
    )
    return [Maintenance(*row) for row in rows]


def announce(begins_at: datetime, ends_at: datetime, *, german: str, english: str) -> None:
    """Announce maintenance; once, if it was announced before. What was over a month ago goes."""
    _write("DELETE FROM catalogue.maintenance WHERE ends_at < now() - interval '30 days'")
    _write(
        "INSERT INTO catalogue.maintenance (begins_at, ends_at, german, english) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
        *(begins_at, ends_at, german, english),
    )


def withdraw(number: int) -> None:
    """Withdraw what was announced; nothing happens if it is gone."""
    _write("DELETE FROM catalogue.maintenance WHERE id = %s", number)


def _write(statement: str, *values: Any) -> None:
    write_catalogue(statement, *values)
    notices.clear()


class Notices:
    """Cache of what is announced, for KEPT seconds. Thread-safe. One thread at a time asks the catalogue; others get what was there."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._until = 0.0
        self._announced: list[Maintenance] = []

    def clear(self) -> None:
        self._until = 0.0

    def current(self, at: datetime) -> list[Maintenance]:
        """Return what a page shows now. A page whose transaction belongs to a club, or without a catalogue, shows what was there."""
        if not settings.CLUBS:
            return []
        is_due = time.monotonic() >= self._until and not connection.in_atomic_block
        if is_due and self._asking.acquire(blocking=False):
            try:
                self._until = time.monotonic() + KEPT
                self._announced = announced(at)
            except DatabaseError:
                logger.warning("What maintenance is announced could not be read.")
            finally:
                self._asking.release()
        return [maintenance for maintenance in self._announced if maintenance.is_shown(at)]


notices = Notices()
"""The cache of this process."""
