"""How long a tournament's pages are public: for a while after it is over, or as long as its organiser says."""

from collections.abc import Iterable
from datetime import date, timedelta

PUBLIC_DAYS = 30


def last_public_day(days: Iterable[date], named: date | None) -> date:
    """The last day on which everybody may look.

    days: those on which something happened to the tournament (it was played, a round was closed, it was imported here);
    thirty days after the latest of them it is over. named: the organiser's own last day, which then counts alone.
    """
    return max(days) + timedelta(days=PUBLIC_DAYS) if named is None else named
