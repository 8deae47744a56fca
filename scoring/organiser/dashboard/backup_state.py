"""What the organiser has to know of the backups: when the last good one was made, and whether something is wrong."""

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
"""One a minute is made; what is older than this and not in it should be."""

Problem = Literal["", "gone", "not_writable", "failed", "late"]


@dataclass(frozen=True, slots=True)
class BackupState:
    """made_at: of the last good one, None if there was none. reason: what the system said, where it `failed`."""

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
    """The oldest that was written or registered after the last good backup."""
    entries = SheetEntry.objects.filter(tournament=tournament)
    people = Participant.objects.filter(tournament=tournament)
    if made_at is not None:
        entries, people = entries.filter(recorded_at__gt=made_at), people.filter(registered_at__gt=made_at)
    moments = [
        entries.aggregate(at=Min("recorded_at"))["at"],
        people.aggregate(at=Min("registered_at"))["at"],
    ]
    return min((at for at in moments if at is not None), default=None)
