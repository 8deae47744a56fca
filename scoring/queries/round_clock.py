"""The clock of the round in play, for the organiser."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from scoring.models import RoundClock
from tournaments.models import Round, Tournament

MINUTES = range(1, 241)
"""The minutes that a round may last."""

WAIT = range(61)
"""The minutes that a clock may wait for the sign to start."""


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The clock of the round in play. minutes: as set last, None if none was set. begins_at, ends_at: None while it does not run."""

    round_number: int
    minutes: int | None
    begins_at: datetime | None
    ends_at: datetime | None

    def minutes_to_start(self, at: datetime) -> int:
        """Return how many minutes the clock still waits, rounded up; 0 once it has begun, and without one."""
        left = (self.begins_at - at).total_seconds() if self.begins_at else 0
        return max(ceil(left / 60), 0)


def clock_of(tournament: Tournament) -> ClockRow | None:
    """Return the clock of the round in play; None while none is in play. Two queries."""
    latest = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("-number").first()
    if latest is None or latest.state != Round.State.RELEASED:
        return None
    clock = RoundClock.objects.filter(tournament=tournament).first()
    if clock is None:
        return ClockRow(latest.number, None, None, None)
    if not runs_for(clock, latest):
        return ClockRow(latest.number, clock.minutes, None, None)
    begins_at = begin_of(clock.started_at, set_at=clock.at, sign_at=latest.started_at)
    return ClockRow(latest.number, clock.minutes, begins_at, begins_at + timedelta(minutes=clock.minutes))


def begin_of(started_at: datetime, *, set_at: datetime, sign_at: datetime | None) -> datetime:
    """Return when a clock begins. A sign to all tables that comes while it waits begins it."""
    return min(started_at, sign_at) if sign_at is not None and sign_at >= set_at else started_at


def runs_for(clock: RoundClock, released: Round) -> bool:
    """Whether the clock runs for a released round. It ends when the release is withdrawn."""
    is_of_round = clock.round_number == released.number and clock.stopped_at is None
    return is_of_round and released.released_at is not None and clock.started_at >= released.released_at
