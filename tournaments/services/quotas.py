"""Quotas of a club of an installation of many: tournaments, players on their lists, room on disk.

No evening in play is stopped: entries, rounds, payments and closing ask for no quota, nor do players who join a tournament
that is in play. Concurrent additions to a club take turns where it has a quota, after they have locked their tournament.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from tournaments.core.refusal import Refusal
from tournaments.current_club import Quotas, current_club
from tournaments.models import Participant, Round, Tournament

_LOCK = 0x5C51


def check_tournaments(*, takes_turns: bool = True) -> None:
    """Check that the club may have one tournament more. Refuses quota_tournaments (most) and quota_room.

    takes_turns: False where none is added, as on the page that asks for its name.
    """
    check_room()
    most = _quotas().tournaments
    if most is not None:
        if takes_turns:
            _take_turns()
        if Tournament.objects.count() >= most:
            raise Refusal("quota_tournaments", most=most)


def check_people(locked: Tournament, count: int = 1, *, at: datetime) -> None:
    """Check that the lists of the club have room for more players, of a tournament that is not in play. Refuses quota_people (most)."""
    most = _quotas().people
    if most is not None and not is_in_play(locked, at):
        _take_turns()
        if Participant.objects.count() + count > most:
            raise Refusal("quota_people", most=most)


def check_room() -> None:
    """Check that the club has not used up its room on disk. Refuses quota_room."""
    if _quotas().is_full:
        raise Refusal("quota_room")


def is_in_play(tournament: Tournament, at: datetime) -> bool:
    """Whether the tournament is played today, began yesterday, or has a round that is not closed."""
    today = timezone.localdate(at)
    if today - timedelta(days=1) <= tournament.played_on <= today:
        return True
    return tournament.rounds.exclude(state=Round.State.CLOSED).exists()


def _quotas() -> Quotas:
    club = current_club()
    return club.quotas if club else Quotas()


def _take_turns() -> None:
    """Wait for other additions to this club, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", [_LOCK])
