"""Backups of the clubs: each club has its own folder, with backups that a laptop can restore. It is measured after each of them."""

import os
import re
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from django.conf import settings

from schnauz_turnier.clubs.catalogue import Entry, in_each_open_club
from schnauz_turnier.clubs.measures import measure
from scoring.backups import back_up_with_documents
from scoring.services.backup import make_folder


def back_up_clubs(folder: Path, names: Collection[str], *, at: datetime) -> None:
    """Back up the clubs of these tournaments; without any, all clubs. names: as `everywhere` returns them.

    A club that cannot be backed up stops no other; its name is logged.
    """
    slugs: dict[str, set[str]] = defaultdict(set)
    for name in names:
        club, _slash, slug = name.rpartition("/")
        slugs[club].add(slug)

    def back_up(entry: Entry) -> None:
        if entry.slug in slugs or not names:
            try:
                back_up_with_documents(folder_of(folder, entry.slug), slugs[entry.slug], at=at)
            finally:
                measure(entry, at=at)

    in_each_open_club(back_up, "No backup of the club %s could be made.")


_PUT_ASIDE = re.compile(r"club_[a-z0-9_]+_[0-9a-f]{8}")


def put_aside(entry: Entry) -> None:
    """Name the backups of a deleted club after its schema: they stay apart from those of a later club with its slug.

    The time of the folder says when that was.
    """
    if settings.BACKUP_DIR is not None:
        before, after = settings.BACKUP_DIR / entry.slug, settings.BACKUP_DIR / entry.schema
        if before.is_dir() and not after.exists():
            before.rename(after)
            os.utime(after)


def put_aside_before(moment: datetime) -> list[Path]:
    """Return the folders of backups of clubs that were deleted before this moment."""
    backups = settings.BACKUP_DIR
    folders = backups.iterdir() if backups is not None and backups.is_dir() else ()
    return [
        folder
        for folder in folders
        if _PUT_ASIDE.fullmatch(folder.name)
        and folder.is_dir()
        and folder.stat().st_mtime < moment.timestamp()
    ]


def folder_of(folder: Path, slug: str) -> Path:
    """Return the folder of a club in `folder`; created if `folder` exists."""
    club_folder = folder / slug
    if folder.is_dir():
        make_folder(club_folder)
    return club_folder
