"""Moments and days in ISO 8601, as documents and phones write them, parsed without guessing."""

import re
from datetime import UTC, date, datetime

YEARS = range(1970, 2200)
"""The accepted years. Clocks of phones may be wrong by years, but other years cannot be shown in every time zone."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LONGEST = 40


def moment_of(value: object) -> datetime | None:
    """Return the moment, in UTC, that a text with "T" and an offset from UTC names; None if it names none."""
    if not isinstance(value, str) or len(value) > _LONGEST or "T" not in value:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo and moment.year in YEARS else None


def iso_moment(at: datetime | None) -> str | None:
    """Return a moment in UTC as text, with microseconds if it has any; None for None."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def day_of(value: object) -> date | None:
    """Return the day that a text such as 2026-11-21 names; None if it names none."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    return day if day.year in YEARS else None
