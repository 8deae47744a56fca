"""Stored moments, compared with a clock that may have been set since.

A laptop's clock is hours or years wrong now and then, and it is set in the middle of an evening. So a moment of the future
is never waited for: a limit does not count it, a deadline further away than any that is given is brought nearer, and what
is signed is refused once it is older or younger than it may be. Durations within a process are of time.monotonic.
"""

from datetime import UTC, datetime, timedelta

from django.db.models import Q

CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the clocks of the machines of one installation may differ."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""The end of what is over for good, whichever way the clock is set."""


def within(field: str, duration: timedelta, at: datetime) -> Q:
    """Return the condition for the moments of the last `duration`. Those of the future are none of them."""
    return Q(**{f"{field}__gt": at - duration, f"{field}__lte": at + CLOCKS_DIFFER})


def is_ahead(deadline: datetime, longest: timedelta, at: datetime) -> bool:
    """Whether a deadline lies ahead, and no further than the longest one that is given."""
    return at < deadline <= at + longest + CLOCKS_DIFFER
