"""Counts of wrong passwords. They make the next attempt wait, and for longer each time; nobody is locked out.

A password is counted for its *origins*: the name at this address, the address, and the name, or only the device if it
has logged in to this account before. An attempt is counted as wrong before its password is checked, and taken back
if it was right, so that concurrent attempts in any process never get past the count.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from tournaments.core.refusal import Refusal
from tournaments.current_club import signing_key
from tournaments.models import WrongPasswords
from tournaments.services.turns import DAILY, DAY


@dataclass(frozen=True, slots=True)
class Attempt:
    """A counted attempt. own_origin: cleared by a right password. before: the time of the previous attempt by origin."""

    own_origin: str
    at: datetime
    before: Mapping[str, datetime]


def count_attempt(name: str, *, address: str, device: str | None, at: datetime) -> Attempt:
    """Count an attempt. Refuses log_in_slowed (seconds).

    device: the device, if it has logged in to this account before. It is exempt from the other counts.
    """
    own_origin, free = _origins(name.casefold(), address, device)
    with transaction.atomic():
        _forget(at)
        rows = _locked(sorted(free), at)
        wait = max(row.latest_at + _wait(row.number - free[row.origin]) - at for row in rows)
        if wait <= timedelta():
            WrongPasswords.objects.filter(origin__in=free).update(number=F("number") + 1, latest_at=at)
            return Attempt(own_origin, at, {row.origin: row.latest_at for row in rows})
    # Raised outside the transaction, so that counts of the future stay corrected.
    raise Refusal("log_in_slowed", seconds=math.ceil(wait.total_seconds()))


def take_back(attempt: Attempt) -> None:
    """Take back an attempt that was not wrong. It delays nobody, unless there was another attempt since."""
    with transaction.atomic():
        for origin, before in sorted(attempt.before.items()):
            row = WrongPasswords.objects.select_for_update().filter(origin=origin, number__gt=0).first()
            if row is not None:
                row.number -= 1
                row.latest_at = before if row.latest_at == attempt.at else row.latest_at
                row.save()


def succeed(attempt: Attempt) -> None:
    """Clear the count of the name at this address or of the device. Other people's attempts stay counted."""
    take_back(attempt)
    WrongPasswords.objects.filter(origin=attempt.own_origin).delete()


def _origins(name: str, address: str, device: str | None) -> tuple[str, Mapping[str, int]]:
    """Return the person's own origin, and the number of free attempts by origin."""
    if device is not None:
        own_origin = _origin("device", device, name)
        return own_origin, {own_origin: settings.FREE_PASSWORDS}
    own_origin = _origin("pair", address, name)
    return own_origin, {
        own_origin: settings.FREE_PASSWORDS,
        _origin("address", address): settings.FREE_PASSWORDS_PER_ADDRESS,
        _origin("name", name): settings.FREE_PASSWORDS_PER_NAME,
    }


def _origin(*parts: str) -> str:
    """Return a keyed digest: what is typed as a name may be a password, and addresses are personal data."""
    return salted_hmac("tournaments.log_ins", "\0".join(parts), signing_key(), algorithm="sha256").hexdigest()


def _forget(at: datetime) -> None:
    """Delete old counts. Skips locked ones, which another attempt uses."""
    old = WrongPasswords.objects.filter(latest_at__lt=at - timedelta(minutes=settings.WRONG_PASSWORD_MINUTES))
    old = old.exclude(origin__startswith=DAILY, latest_at__gte=at - DAY)
    unused = list(old.select_for_update(skip_locked=True).values_list("origin", flat=True)[:1000])
    WrongPasswords.objects.filter(origin__in=unused).delete()


def _locked(origins: list[str], at: datetime) -> list[WrongPasswords]:
    """Return the counts, locked in the order of their origins, so that no two attempts wait for each other.

    Counts of the future, from before the clock was set back, are set to now: else the wait would last until that time.
    """
    WrongPasswords.objects.bulk_create(
        [WrongPasswords(origin=origin, number=0, latest_at=at) for origin in origins], ignore_conflicts=True
    )
    rows = list(WrongPasswords.objects.select_for_update().filter(origin__in=origins).order_by("origin"))
    ahead = [row for row in rows if row.latest_at > at]
    for row in ahead:
        row.latest_at = at
    if ahead:
        WrongPasswords.objects.bulk_update(ahead, ["latest_at"])
    return rows


def _wait(excess: int) -> timedelta:
    """Return the wait after `excess` wrong passwords beyond the free ones: 2, 4, 8 seconds and so on."""
    if excess < 0:
        return timedelta()
    return timedelta(seconds=min(2 ** min(excess + 1, 20), settings.LONGEST_PASSWORD_WAIT))
