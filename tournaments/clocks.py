"""Comparison of stored moments with a clock that may have been set since.

A laptop's clock is hours or years wrong now and then, and it is set in the middle of an evening. So a moment of the future
is never waited for: a limit does not count it, a deadline beyond the longest duration is shortened, and a
signature is refused if its age is negative or above the limit. Durations within a process are of time.monotonic.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.db.models import Q

CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the clocks of the machines of one installation may differ."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""The end of what is over for good, whichever way the clock is set."""
UNCONFIRMED = timedelta(days=7)
"""How far after the latest use a clock is believed at once where rows are deleted by it."""
_A_DAY = timedelta(days=1)


def within(field: str, duration: timedelta, at: datetime) -> Q:
    """Return the condition for the moments of the last `duration`. Moments of the future are excluded."""
    return Q(**{f"{field}__gt": at - duration, f"{field}__lte": at + CLOCKS_DIFFER})


def is_ahead(deadline: datetime, longest: timedelta, at: datetime) -> bool:
    """Whether a deadline lies ahead, and no further than the longest one that is given."""
    return at < deadline <= at + longest + CLOCKS_DIFFER


def confirmed(at: datetime, used_at: Callable[[datetime], list[datetime]]) -> datetime:
    """Return the moment by which old rows may be deleted: `at`, unless the clock seems to be ahead.

    used_at: returns the latest moments until the given one, at which the installation was used. Those of the last day do not
    count, as this clock has told them. `at` is believed up to UNCONFIRMED after the others; without any, nothing is old.
    """
    before = used_at(at - _A_DAY)
    return min(at, max(before) + UNCONFIRMED) if before else LONG_AGO


class SteadyClock:
    """Check that the clock has advanced for a day as time.monotonic has: then nobody has set it, and it is trusted."""

    def __init__(self, ticks: Callable[[], float] = time.monotonic) -> None:
        self._ticks = ticks
        self._since: tuple[datetime, float] | None = None

    def is_steady(self, at: datetime) -> bool:
        """Look at the clock, which shows `at`. To be called now and then."""
        now = self._ticks()
        if (
            self._since is None
            or abs(at - self._since[0] - timedelta(seconds=now - self._since[1])) > CLOCKS_DIFFER
        ):
            self._since = at, now
        return at - self._since[0] >= _A_DAY - CLOCKS_DIFFER
