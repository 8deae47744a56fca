"""The state of the backups for the organiser: the time of the last successful one, and the problem if any."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from django.db.models import Min

from scoring.models import SheetEntry
from scoring.services.backup import last_note
from tournaments.models import Participant, Tournament

LATE = timedelta(minutes=3)
"""Age after which an entry without a backup is overdue. Backups are made once a minute."""

Problem = Literal["", "gone", "not_writable", "failed", "late"]


@dataclass(frozen=True, slots=True)
class BackupState:
    """The state of the backups.

    made_at: time of the last successful backup, None without one. reason: the system's message if the problem is `failed`.
    """

    folder: Path
    made_at: datetime | None
    problem: Problem
    reason: str = ""


def backup_state(folder: Path, tournament: Tournament, *, now: datetime) -> BackupState:
    note = last_note()
    if not folder.is_dir():
        return BackupState(folder, note.made_at, "gone")
    if not os.access(folder, os.W_OK | os.X_OK):
        return BackupState(folder, note.made_at, "not_writable")
    if note.failure:
        return BackupState(folder, note.made_at, "failed", note.failure)
    unsaved_at = _unsaved_since(tournament, note.made_at)
    is_late = unsaved_at is not None and now - unsaved_at > LATE
    return BackupState(folder, note.made_at, "late" if is_late else "")


def _unsaved_since(tournament: Tournament, made_at: datetime | None) -> datetime | None:
    """Return the time of the oldest entry or registration since the last backup, None without one."""
    entries = SheetEntry.objects.filter(tournament=tournament)
    people = Participant.objects.filter(tournament=tournament)
    if made_at is not None:
        entries, people = entries.filter(recorded_at__gt=made_at), people.filter(registered_at__gt=made_at)
    moments = [
        entries.aggregate(at=Min("recorded_at"))["at"],
        people.aggregate(at=Min("registered_at"))["at"],
    ]
    return min((at for at in moments if at is not None), default=None)
