"""Readiness of this process, for proxies and monitoring."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from scoring.services.backup import last_note
from tournaments.access import public_view
from tournaments.disk_room import failed_writes, rooms
from tournaments.notify import changes_are_heard
from tournaments.queries.readiness import database_answers, is_migrated


@never_cache
@public_view("GET")
def healthz_ready(
    request: HttpRequest,
    clubs_are_current: Callable[[], bool] | None = None,
    backups_have_failed: Callable[[], bool] | None = None,
) -> JsonResponse:
    """Return 200 if this process can serve, else 503, and why. It is public, so it holds no figures.

    A process that does not hear of changes can answer, but its pages may be two seconds old. Disk and backup are
    reported but do not count: all processes share them. So are the clubs, by `clubs_are_current` and `backups_have_failed`: while one is
    migrated, others are played in.
    """
    answers = database_answers()
    needed = {
        "database": answers,
        "listening": changes_are_heard.is_set(),
        "migrations": answers and (bool(settings.CLUBS) or is_migrated()),  # each club has its own
    }
    told = {
        "disk": _has_room(),
        "clubs": clubs_are_current() if answers and clubs_are_current else None,
        "backup": _is_backed_up(backups_have_failed) if needed["migrations"] else None,
    }
    is_ready = all(needed.values())
    headers = {} if is_ready else {"Retry-After": "5"}
    return JsonResponse({**needed, **told}, status=200 if is_ready else 503, headers=headers)


def _has_room() -> bool:
    """Whether the disk of the data has room, and that of the backups."""
    return not failed_writes.is_recent and not any(room.is_least for room in rooms())


def _is_backed_up(backups_have_failed: Callable[[], bool] | None) -> bool | None:
    """Whether the last backup succeeded, of whichever process; None without a folder for backups.

    Many clubs: whether that of each of them did, or None in a club, which knows of no other.
    """
    if settings.BACKUP_DIR is None:
        return None
    if settings.CLUBS:
        return not backups_have_failed() if backups_have_failed else None
    note = last_note()
    return note.made_at is not None and not note.failure
