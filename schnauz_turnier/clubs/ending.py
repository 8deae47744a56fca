"""The end of a club here: it moves to another place, or it is archived and deleted a month later, after a last backup.

Its owner gets a code that opens it again as long as it is there.
"""

import logging
import shutil
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.backups import folder_of, put_aside_before
from schnauz_turnier.clubs.catalogue import ClubRefusal, Entry, State, club_to_change, failure_is_logged
from schnauz_turnier.clubs.changes import delete_rows
from scoring.backups import back_up_with_documents
from tournaments.current_club import in_club
from tournaments.links import code_hash
from tournaments.queries.activity import latest_moments

logger = logging.getLogger(__name__)

GRACE = timedelta(days=30)
BACKUPS_STAY = timedelta(days=90)
"""How long backups of a deleted club are kept. Whoever misses it is back by then; the law wants them gone some day."""
"""From the decision to the deletion."""

_OPEN = "UPDATE catalogue.club SET state = 'open', ends_at = NULL, moved_to = '', return_hash = ''"


def end_club(slug: str, *, at: datetime, code: str = "") -> datetime:
    """Archive an open or archived club, to be deleted after GRACE; return when. code: see `reopen`. Raises ClubRefusal."""
    club_to_change(slug)
    ends_at = at + GRACE
    if not catalogue.write_catalogue(
        "UPDATE catalogue.club SET state = 'archived', ends_at = %s, return_hash = %s "
        "WHERE slug = %s AND state IN ('open', 'archived') AND ends_at IS NULL",
        ends_at,
        _digest(code),
        slug,
    ):
        raise ClubRefusal(f"{slug} is ending already, or is not complete.")
    return ends_at


def keep_club(slug: str) -> None:
    """Open a club that was to be deleted. Raises ClubRefusal."""
    club_to_change(slug)
    if not catalogue.write_catalogue(
        f"{_OPEN} WHERE slug = %s AND state = 'archived' AND ends_at IS NOT NULL", slug
    ):
        raise ClubRefusal(f"{slug} is not ending, or is being deleted.")


def move_out(slug: str, *, address: str, code: str) -> None:
    """Archive an open club that lives elsewhere now. address: where, "" for unknown. code: see `reopen`. Raises ClubRefusal."""
    club_to_change(slug)
    if not catalogue.write_catalogue(
        "UPDATE catalogue.club SET state = 'archived', moved_to = %s, return_hash = %s "
        "WHERE slug = %s AND state = 'open'",
        address,
        _digest(code),
        slug,
    ):
        raise ClubRefusal(f"{slug} is not open.")


def reopen(code: str) -> str | None:
    """Open the club whose owner got this code when closing it, and return its slug; None without one. A code is good once."""
    rows = catalogue.rows_of_catalogue(
        f"{_OPEN} WHERE return_hash = %s AND state = 'archived' RETURNING slug", code_hash(code)
    )
    return str(rows[0][0]) if rows else None


def delete_ended_clubs(at: datetime) -> None:
    """Delete the clubs whose time is over, each after a last backup, and old backups of deleted ones.

    at: a moment that a wrong clock cannot have made.

    A process without a folder of backups deletes none. A club that cannot be backed up or deleted is tried again the next time,
    stops no other, and is logged.
    """
    if settings.BACKUP_DIR is None:
        return
    for entry in catalogue.all_clubs():
        if _is_over(entry, at):
            with failure_is_logged("The ended club %s could not be deleted.", entry):
                _delete(entry, settings.BACKUP_DIR, at)
    for folder in put_aside_before(at - BACKUPS_STAY):
        try:
            shutil.rmtree(folder)
        except OSError:
            logger.exception("The backups %s of a deleted club could not be deleted.", folder.name)


def clubs_have_ended(at: datetime) -> bool:
    """Whether the time of any club or of the backups of a deleted one is over, if the clock is right."""
    return any(_is_over(entry, at) for entry in catalogue.all_clubs()) or bool(
        put_aside_before(at - BACKUPS_STAY)
    )


def moments_of_use(before: datetime) -> list[datetime]:
    """Return moments until `before` at which the installation was used; see `tournaments.clocks.confirmed`."""
    moments = [entry.created_at for entry in catalogue.all_clubs() if entry.created_at <= before]
    catalogue.in_each_open_club(
        lambda _entry: moments.extend(latest_moments(before)),
        "When the club %s was used could not be found out.",
    )
    return moments


def _is_over(entry: Entry, at: datetime) -> bool:
    """Whether a club is to be deleted. One that is new and has an end was claimed by a process that did not get through."""
    return entry.ends_at is not None and entry.ends_at <= at and entry.state is not State.OPEN


def _delete(entry: Entry, backups: Path, at: datetime) -> None:
    if entry.state is State.ARCHIVED:
        with in_club(entry.club):
            back_up_with_documents(folder_of(backups, entry.slug), (), at=at)
        if not _claim(entry.slug, at):  # kept in the meantime
            return
    delete_rows(entry)


def _claim(slug: str, at: datetime) -> bool:
    """Take a club out of the reach of those who keep it. Return False if it is kept, or another process has it."""
    claimed = (
        "UPDATE catalogue.club SET state = 'new' WHERE slug = %s AND state = 'archived' AND ends_at <= %s"
    )
    return catalogue.write_catalogue(claimed, slug, at)


def _digest(code: str) -> str:
    """Return what is stored of a code; "", which no code has, without one."""
    return code_hash(code) if code else ""
