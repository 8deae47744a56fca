"""The last day of a tournament's public pages: some time after it is over, or as its organiser decides."""

from collections.abc import Iterable
from datetime import date, timedelta

PUBLIC_DAYS = 30


def last_public_day(played_on: date, days: Iterable[date], named: date | None, *, today: date) -> date:
    """Return the last day on which the pages are public: `named`, or thirty days after the latest event.

    days: of what has happened (a round was closed, it was imported here); one after `today` was noted while the clock was
    ahead, and does not count. named: the last day that the organiser has chosen, if any.
    """
    past = (day for day in days if day <= today)
    return max([played_on, *past]) + timedelta(days=PUBLIC_DAYS) if named is None else named
