"""Room on the disks of the data and the backups, and writes that have failed for want of it."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

LEAST_ROOM = 200_000_000
"""Bytes. With less, the disk is as good as full: the log of the database alone may need so much."""
SCARCE_ROOM = 1_000_000_000
TOLD_FOR = 600.0  # seconds after a write that has failed


@dataclass(frozen=True, slots=True)
class Room:
    """The free bytes of the disk that a folder is on."""

    folder: Path
    free: int

    @property
    def is_least(self) -> bool:
        return self.free < LEAST_ROOM

    @property
    def is_scarce(self) -> bool:
        return self.free < SCARCE_ROOM

    @property
    def megabytes(self) -> int:
        return self.free // 1_000_000


class FailedWrites:
    """The latest write that has found no room, of this process."""

    def __init__(self) -> None:
        self._failed_at: float | None = None

    def note(self) -> None:
        self._failed_at = time.monotonic()

    @property
    def is_recent(self) -> bool:
        return self._failed_at is not None and time.monotonic() - self._failed_at < TOLD_FOR


failed_writes = FailedWrites()


def rooms() -> Iterator[Room]:
    """Yield what is free for the data and for the backups. A folder that is missing or cannot be read is left out."""
    for folder in (settings.DATA_DIR, settings.BACKUP_DIR):
        try:
            if folder is not None:
                yield Room(folder, shutil.disk_usage(folder).free)
        except OSError:
            continue


def least_room() -> Room | None:
    """Return where the least is free; None if that is not known."""
    return min(rooms(), key=lambda room: room.free, default=None)
