"""Measures of the clubs. They are kept in the catalogue, so that lists of clubs and quotas ask no club.

The process that makes the backups measures a club after each of its backups. Once a day one process measures all clubs.
"""

from collections.abc import Collection, Iterable
from dataclasses import astuple, dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings

from schnauz_turnier.clubs import schemas
from schnauz_turnier.clubs.catalogue import (
    Entry,
    State,
    all_clubs,
    failure_is_logged,
    rows_of_catalogue,
    write_catalogue,
)
from schnauz_turnier.clubs.quotas import note_room
from scoring.models import SheetEntry
from scoring.services.backup import last_note
from tournaments.current_club import in_club
from tournaments.models import Participant, Tournament
from tournaments.queries.activity import latest_moments

IS_MEASURED_EVERY = timedelta(hours=20)
LONGEST_WITHOUT_BACKUP = timedelta(hours=1)  # of a club with changes

_COLUMNS = "slug, measured_at, tournaments, people, bytes, last_evening, backed_up_at, has_failed"
_STORE = f"""
INSERT INTO catalogue.measured ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (slug) DO UPDATE SET
({_COLUMNS}) = ROW (excluded.*)
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of a club.

    tournaments: all of them, also those to practise with. people: players on the lists of its tournaments, each as often as
    they are on one. bytes: of its tables and indexes. last_evening: the day of the latest tournament with a round that has
    been released. backed_up_at: the last backup that succeeded. has_failed: whether the last backup failed, or changes have
    waited for one for longer than LONGEST_WITHOUT_BACKUP.
    """

    slug: str
    measured_at: datetime
    tournaments: int
    people: int
    bytes: int
    last_evening: date | None
    backed_up_at: datetime | None
    has_failed: bool


def all_measured() -> dict[str, Measured]:
    """Return the measures of all clubs that have been measured, by slug. One query."""
    return _read(f"SELECT {_COLUMNS} FROM catalogue.measured")


def measured_of(slugs: Collection[str]) -> dict[str, Measured]:
    """Return the measures of those clubs that have been measured, by slug. One query."""
    return _read(f"SELECT {_COLUMNS} FROM catalogue.measured WHERE slug = ANY(%s)", list(slugs))


def backups_have_failed() -> bool:
    """Whether the last backup of an open club has failed, or is missing."""
    query = "SELECT 1 FROM catalogue.measured JOIN catalogue.club USING (slug) WHERE has_failed AND state = %s LIMIT 1"
    return bool(rows_of_catalogue(query, State.OPEN))


def _read(query: str, *values: Any) -> dict[str, Measured]:
    return {row[0]: Measured(*row) for row in rows_of_catalogue(query, *values)}


# --- measuring -----------------------------------------------------------------------------------------------------


def measure_all(*, at: datetime) -> None:
    """Measure all clubs that have tables."""
    _measure_each(all_clubs(), at)


def measure_those_due(*, at: datetime) -> None:
    """Measure all clubs whose measures are older than IS_MEASURED_EVERY, or of a clock that was ahead."""
    measured = all_measured()
    since = at - IS_MEASURED_EVERY
    current = {slug for slug, of_club in measured.items() if since <= of_club.measured_at <= at}
    due = [entry for entry in all_clubs() if entry.slug not in current]
    _measure_each(due, at)


def _measure_each(entries: Iterable[Entry], at: datetime) -> None:
    for entry in entries:
        if entry.state is not State.NEW:
            measure(entry, at=at)


def measure(entry: Entry, *, at: datetime) -> None:
    """Measure a club. A failure is logged and leaves its measures as they are."""
    with failure_is_logged("The club %s could not be measured.", entry):
        with in_club(entry.club):
            measured = _measured_here(entry, at)
        write_catalogue(_STORE, *astuple(measured))
        note_room(entry.slug)


def _measured_here(entry: Entry, at: datetime) -> Measured:
    played = Tournament.objects.filter(rounds__released_at__isnull=False)
    note = last_note()
    return Measured(
        slug=entry.slug,
        measured_at=at,
        tournaments=Tournament.objects.count(),
        people=Participant.objects.count(),
        bytes=schemas.size(entry.club),
        last_evening=played.order_by("-played_on").values_list("played_on", flat=True).first(),
        backed_up_at=note.made_at,
        has_failed=bool(note.failure) or _waits(entry, note.made_at, at),
    )


def _waits(entry: Entry, backed_up_at: datetime | None, at: datetime) -> bool:
    """Whether the current club has changes that wait for a backup for too long."""
    since = backed_up_at or entry.created_at
    if settings.BACKUP_DIR is None or entry.state is not State.OPEN or at - since <= LONGEST_WITHOUT_BACKUP:
        return False
    latest_entry = SheetEntry.objects.order_by("-pk").values_list("recorded_at", flat=True).first()
    return any(moment > since for moment in (*latest_moments(at), latest_entry or since))
