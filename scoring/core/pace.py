"""Estimates of the end of a round and of the evening, from the pace of the tables."""

from collections.abc import Iterable
from datetime import datetime, timedelta

TELLING = 0.15
"""The part of a sheet from which on its pace says something."""

BREAK = timedelta(minutes=15)
"""Assumed between two rounds: closing, drawing, finding the seats."""


def end_of_round(written: Iterable[float], *, started_at: datetime, at: datetime) -> datetime | None:
    """Return when the slowest table will have finished; None while no sheet is far enough, and once all are finished.

    written: the part of each table's sheet that is written, 1 where it is finished.
    """
    parts = [part for part in written if TELLING <= part < 1]
    return started_at + (at - started_at) / min(parts) if parts and at > started_at else None


def end_of_evening(round_ends_at: datetime, *, started_at: datetime, rounds_left: int) -> datetime:
    """Return when the last round will be over, if each takes as long as the one in play. rounds_left: those after it."""
    return round_ends_at + rounds_left * (round_ends_at - started_at + BREAK)
