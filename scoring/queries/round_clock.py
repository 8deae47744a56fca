"""The clock of the round in play, for the organiser."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.models import RoundClock
from tournaments.models import Round, Tournament

MINUTES = range(1, 241)
"""The minutes that a round may last."""


@dataclass(frozen=True, slots=True)
class ClockRow:
    """The clock of the round in play. minutes: as set last, None if none was set. ends_at: None while it does not run."""

    round_number: int
    minutes: int | None
    ends_at: datetime | None


def clock_of(tournament: Tournament) -> ClockRow | None:
    """Return the clock of the round in play; None while none is in play. Two queries."""
    latest = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("-number").first()
    if latest is None or latest.state != Round.State.RELEASED:
        return None
    clock = RoundClock.objects.filter(tournament=tournament).first()
    if clock is None:
        return ClockRow(latest.number, None, None)
    ends_at = clock.started_at + timedelta(minutes=clock.minutes) if runs_for(clock, latest) else None
    return ClockRow(latest.number, clock.minutes, ends_at)


def runs_for(clock: RoundClock, released: Round) -> bool:
    """Whether the clock runs for a released round. A release that is withdrawn takes its clock with it."""
    is_of_round = clock.round_number == released.number and clock.stopped_at is None
    return is_of_round and released.released_at is not None and clock.started_at >= released.released_at
