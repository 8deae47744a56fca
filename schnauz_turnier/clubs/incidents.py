"""Incidents: what went wrong lately in this installation, for the operator. They have no free text and no names.

A handler of the log notes errors of all processes, at most so many a minute. It hands them to a thread of its own: what cannot be
written waits there, or is dropped; the program neither fails nor waits for it.
"""

import logging
import queue
import threading
import time
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from django.db import connection

from schnauz_turnier.clubs.catalogue import rows_of_catalogue, write_catalogue
from schnauz_turnier.web.current_request import current_request
from tournaments.current_club import current_club

MOST_A_MINUTE = 30
MOST_WAITING = 100
MOST_KEPT = 1000
KEPT_FOR = timedelta(days=30)
RETRY = 5.0  # seconds


class IncidentKind(StrEnum):
    REQUEST = "request"
    BACKUP = "backup"
    MIGRATION = "migration"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Incident:
    """An error. club: its slug, "" for none. request: its id, as error page and log say it. error: its class, "" for none.

    place: the route of the request, else the logger or the command.
    """

    happened_at: datetime
    kind: IncidentKind
    club: str
    request: str
    error: str
    place: str


def recent_incidents(*, club: str, kind: str) -> list[Incident]:
    """Return the incidents that are kept, latest first. club, kind: "" for all. One query."""
    rows = rows_of_catalogue(
        "SELECT happened_at, kind, slug, request, error, place FROM catalogue.incident "
        "WHERE %(club)s IN ('', slug) AND %(kind)s IN ('', kind) ORDER BY id DESC LIMIT %(most)s",
        club=club,
        kind=kind,
        most=MOST_KEPT,
    )
    return [Incident(at, IncidentKind(kind), *others) for at, kind, *others in rows]


def note_incident(incident: Incident) -> None:
    """Write an incident, and delete those that are too old or too many."""
    write_catalogue(
        "INSERT INTO catalogue.incident (happened_at, kind, slug, request, error, place) "
        "VALUES (%s, %s, %s, left(%s, 40), left(%s, 100), left(%s, 200))",
        *astuple(incident),
    )
    write_catalogue(
        "DELETE FROM catalogue.incident WHERE happened_at < %s "
        "OR id <= (SELECT id FROM catalogue.incident ORDER BY id DESC OFFSET %s LIMIT 1)",
        *(incident.happened_at - KEPT_FOR, MOST_KEPT),
    )


def incident_of(record: logging.LogRecord) -> Incident:
    """Return the incident of a line of the log. Its attribute `club` names the club that it is about, if it is not the current one."""
    request, club = current_request(), current_club()
    error = record.exc_info[0] if record.exc_info else None
    if "backup" in str(record.msg).casefold():  # a constant
        kind = IncidentKind.BACKUP
    else:
        kind = IncidentKind.REQUEST if request else IncidentKind.OTHER
    return Incident(
        happened_at=datetime.fromtimestamp(record.created, UTC),
        kind=kind,
        club=getattr(record, "club", "") or (club.slug if club else ""),
        request=request.id if request else "",
        error=error.__name__ if error else "",
        place=(request.route if request else "") or record.name,
    )


class IncidentHandler(logging.Handler):
    """Handler of the log that notes errors as incidents. waiting: those that are not yet written."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.waiting: queue.Queue[Incident] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._minute = 0
        self._noted = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Hand the incident of a line to the thread. The caller holds the lock of the handler."""
        if threading.current_thread() is self._thread:
            return
        minute = int(time.monotonic() // 60)
        self._minute, self._noted = minute, self._noted + 1 if minute == self._minute else 1
        if self._noted > MOST_A_MINUTE:
            return
        with suppress(Exception):  # the log must go on
            self.waiting.put_nowait(incident_of(record))
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="incidents", daemon=True)
                self._thread.start()

    def _write(self) -> None:
        while True:
            incident = self.waiting.get()
            while not _is_written(incident):
                time.sleep(RETRY)
            self.waiting.task_done()


def _is_written(incident: Incident) -> bool:
    try:
        note_incident(incident)
    except Exception:  # noqa: BLE001 - the database is away; an error in the log would be another incident
        return False
    finally:
        with suppress(Exception):
            connection.close()
    return True
