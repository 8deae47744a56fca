"""The backup folder (a USB stick, a synced folder). Files are written atomically; the last twenty of each kind are kept.

A *backup* is a dump of the database (`scoring.services.dump`) plus the documents of the club and of each tournament that changed. Its
number continues from the files in the folder, so the order does not depend on a laptop's clock. The folder is made at the start
only (`make_folder`): after a stick is removed, a folder of its name on the laptop's own disk would look like a backup.
Without BACKUP_DIR the last three are kept beside the data, and none is made on a disk that is as good as full.

The result of the last attempt is stored in a *note* in the database: all processes show it, and it is needed most when the
folder is gone.
"""

import errno
import os
import re
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection

from scoring.models import BackupNote
from scoring.services import dump
from scoring.services.dump_file import Table, UnfitDump
from tournaments.current_club import public_address, signing_key
from tournaments.disk_room import Room
from tournaments.queries.club import CLUB

KEPT = 20
KEPT_BESIDE_THE_DATA = 3
DUMP = "schnauz-turnier"
_LOCK = 0x5C4B
_NAME = re.compile(r"(?P<of>[-\w]+)-(?P<number>\d{6,})-\d{8}T\d{6}Z\.(?P<kind>zip|json|club\.json)", re.ASCII)

Documents = Callable[[str], str | None]
"""Maps a slug to the tournament's document as text, CLUB to the club's; None if there is no such tournament, or nothing of the club."""


def back_up(folder: Path, slugs: Collection[str], documents: Documents, *, at: datetime) -> Path | None:
    """Make a backup with the documents of the tournaments `slugs` and return the path of the dump.

    Return None if `slugs` is empty and nothing has changed. On failure record the error in the note and raise
    it; earlier backups stay unchanged.
    """
    try:
        made = _write_all(folder, slugs, documents, at)
    except Exception as error:
        with suppress(DatabaseError):
            _write_note(failure=_reason(error), failed_at=at)
        raise
    _write_note(made_at=at, failure="", failed_at=None)
    return made


def back_up_tables(folder: Path, tables: Sequence[Table], *, at: datetime) -> Path:
    """Dump the tables of a database of an older version, and return the path of the dump. No note is written.

    If the latest dump in the folder has the same content, return that one.
    """
    made = _write_all(folder, (), lambda _slug: None, at, tables) or latest(folder)
    assert made is not None
    return made


def make_folder(folder: Path) -> None:
    """Make a missing folder inside one that is there: on a stick, but not in the place of a stick. A failure is no error here."""
    with suppress(OSError):
        folder.mkdir(mode=0o700)


def latest(folder: Path) -> Path | None:
    """Return the latest dump in a folder, None if there is none."""
    return max(_files(folder, DUMP, "zip"), default=(0, None), key=lambda numbered: numbered[0])[1]


def dump_in(place: Path) -> Path:
    """Return a dump, or the latest one if `place` is a folder. Raises UnfitDump for a folder without any."""
    if not place.is_dir():
        return place
    if (latest_dump := latest(place)) is None:
        raise UnfitDump(f"There is no dump in {place}.")
    return latest_dump


def last_note() -> BackupNote:
    """Return the note of the last attempt; an empty note if there was none."""
    return BackupNote.objects.first() or BackupNote()


def _write_all(
    folder: Path,
    slugs: Collection[str],
    documents: Documents,
    at: datetime,
    tables: Sequence[Table] | None = None,
) -> Path | None:
    if not folder.is_dir():
        raise FileNotFoundError(2, "No such folder", str(folder))
    _check_room(folder)
    with dump.snapshot():
        _take_turns()
        before = latest(folder)
        number = 1 + max((number for number, _file in _files(folder)), default=0)
        name = f"{number:06}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        draft = write_draft(folder / f".{DUMP}.zip.new", lambda out: _dump(out, at, tables))
        if not slugs and before is not None and _is_same(before, draft):
            draft.unlink()
            return None
        for slug in sorted({*slugs, CLUB}):
            # No tournament's file can have the name of the club's, whatever its slug.
            of, kind = (slug, "json") if slug else (DUMP, "club.json")
            text = documents(slug)
            if text is not None and (slug or not _is_latest(folder, of, kind, text.encode())):
                _put(folder, of, kind, name, text.encode())
        return _move(draft, folder / f"{DUMP}-{name}.zip", DUMP, "zip")


def _check_room(folder: Path) -> None:
    """Refuse to fill the disk of the data with backups: what is left of it is for the database."""
    if folder == settings.OWN_BACKUP_DIR and Room(folder, shutil.disk_usage(folder).free).is_least:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def _take_turns() -> None:
    """Take an advisory lock, so that the server and a management command do not write at the same time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _dump(out: IO[bytes], at: datetime, tables: Sequence[Table] | None) -> None:
    dump.dump(
        out,
        key=signing_key(),
        with_key=settings.BACKUP_WITH_KEY,
        public_url=public_address(),
        at=at,
        tables=tables,
    )


def _is_same(before: Path, draft: Path) -> bool:
    """Whether two dumps have the same content. A damaged earlier dump counts as different, so a new one is made."""
    with suppress(Exception):
        return dump.same_content(before, draft)
    return False


# --- files ---------------------------------------------------------------------------------------------------------


def _is_latest(folder: Path, of: str, kind: str, content: bytes) -> bool:
    """Whether the latest file of a kind holds this. A missing or unreadable one does not."""
    files = _files(folder, of, kind)
    with suppress(OSError):
        return bool(files) and max(files)[1].read_bytes() == content
    return False


def _put(folder: Path, of: str, kind: str, name: str, content: bytes) -> Path:
    draft = write_draft(folder / f".{of}.{kind}.new", lambda out: out.write(content))
    return _move(draft, folder / f"{of}-{name}.{kind}", of, kind)


def write_draft(draft: Path, write: Callable[[IO[bytes]], object]) -> Path:
    """Write a new file under a draft name, which no backup has, for its owner only. The next run replaces a draft left by a power cut.

    The folder may be shared: a symbolic link at this place is removed and never followed.
    """
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        try:
            write(out)
            out.flush()
            os.fsync(out.fileno())
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    return draft


def _move(draft: Path, file: Path, of: str, kind: str) -> Path:
    """Move a draft to its final name atomically, then delete the oldest files beyond those that are kept."""
    draft.replace(file)
    with suppress(OSError):  # not every file system of a USB stick supports this
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    kept = KEPT_BESIDE_THE_DATA if file.parent == settings.OWN_BACKUP_DIR else KEPT
    for _number, old in sorted(_files(file.parent, of, kind))[:-kept]:
        old.unlink(missing_ok=True)
    return file


def _files(folder: Path, of: str | None = None, kind: str | None = None) -> list[tuple[int, Path]]:
    """Return the backups in a folder with their numbers. Other files are ignored."""
    return [
        (int(match["number"]), file)
        for file in folder.iterdir()
        if (match := _NAME.fullmatch(file.name))
        and (of or match["of"], kind or match["kind"]) == match.group(1, 3)
    ]


# --- the note ------------------------------------------------------------------------------------------------------


def _write_note(**columns: object) -> None:
    BackupNote.objects.update_or_create(pk=1, defaults=columns)


def _reason(error: Exception) -> str:
    return str((isinstance(error, OSError) and error.strerror) or error) or type(error).__name__
