"""The last day of a tournament's public pages: some time after it is over, or as its organiser decides."""

from collections.abc import Iterable
from datetime import date, timedelta

PUBLIC_DAYS = 30


def last_public_day(days: Iterable[date], named: date | None) -> date:
    """Return the last day on which the pages are public: `named`, or thirty days after the latest of `days`.

    days: the days of events (the tournament was played, a round was closed, it was imported here). named: the last
    day that the organiser has chosen, if any.
    """
    return max(days) + timedelta(days=PUBLIC_DAYS) if named is None else named
