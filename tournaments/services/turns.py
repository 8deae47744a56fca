"""Turns at what is dear or bothers others, such as mails and backups: so many in a while, counted for all processes."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from tournaments.clocks import within
from tournaments.current_club import signing_key
from tournaments.models import WrongPasswords

WHILE = timedelta(minutes=15)
"""A count ends this long after its last turn, as those of wrong passwords do, whose table it is in."""
DAY = timedelta(days=1)
DAILY = "day "
"""What the stored origins of counts that last for a day begin with."""


def take_turn(*origins: str, most: int, at: datetime, lasts: timedelta = WHILE) -> bool:
    """Count a turn for each origin. Return False, and count none, if one has had so many.

    origins: what is counted by. Only keyed digests of them are stored. lasts: WHILE or DAY, how long after its last turn a count ends.
    """
    keys = sorted(_stored(origin, lasts) for origin in origins)
    with transaction.atomic():
        WrongPasswords.objects.bulk_create(
            [WrongPasswords(origin=key, number=0, latest_at=at) for key in keys], ignore_conflicts=True
        )
        rows = WrongPasswords.objects.select_for_update().filter(origin__in=keys).order_by("origin")
        recent = within("latest_at", lasts, at)
        list(rows)  # locked, before any is looked at
        if WrongPasswords.objects.filter(recent, origin__in=keys, number__gte=most).exists():
            return False
        WrongPasswords.objects.filter(origin__in=keys).exclude(recent).update(number=0)
        WrongPasswords.objects.filter(origin__in=keys).update(number=F("number") + 1, latest_at=at)
        return True


def _stored(origin: str, lasts: timedelta) -> str:
    digest = salted_hmac("tournaments.turns", origin, signing_key(), algorithm="sha256").hexdigest()
    return f"{DAILY}{digest}"[: len(digest)] if lasts == DAY else digest
