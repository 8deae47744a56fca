"""The clock of a round: the organiser starts and stops it."""

from datetime import datetime, timedelta

from django.db import transaction

from scoring.models import RoundClock
from scoring.queries.round_clock import MINUTES, WAIT, begin_of, runs_for
from tournaments.clocks import CLOCKS_DIFFER
from tournaments.core.refusal import Refusal
from tournaments.models import Round, Tournament
from tournaments.notify import notify
from tournaments.services.rounds import locked_round_of


def start_clock(
    tournament: Tournament, number: int, *, minutes: int, wait: int = 0, by: str, at: datetime
) -> RoundClock:
    """Start the clock of a released round. A running clock keeps its start: a second call changes only the minutes.
    After the machine's clock was set back, it starts anew, and the round counts as released now.

    wait: minutes of countdown before the start.
    Refuses clock_minutes, clock_wait (least, most), round_not_released, round_is_closed (round).
    """
    if minutes not in MINUTES:
        raise Refusal("clock_minutes", least=MINUTES.start, most=MINUTES.stop - 1)
    if wait not in WAIT:
        raise Refusal("clock_wait", least=WAIT.start, most=WAIT.stop - 1)
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        if locked_round.state != Round.State.RELEASED:
            is_drawn = locked_round.state == Round.State.DRAWN
            raise Refusal("round_not_released" if is_drawn else "round_is_closed", round=number)
        if locked_round.released_at is not None and locked_round.released_at > at:
            locked_round.released_at = at
            locked_round.save(update_fields=["released_at"])
        before = RoundClock.objects.filter(tournament=tournament).first()
        started_at = at + timedelta(minutes=wait)
        if before is not None and runs_for(before, locked_round):
            begins_at = begin_of(before.started_at, set_at=before.at, sign_at=locked_round.started_at)
            waits = before.started_at > before.at
            if begins_at <= (at if waits else at + CLOCKS_DIFFER):
                started_at = begins_at
        running = {"round_number": number, "minutes": minutes, "started_at": started_at, "stopped_at": None}
        columns = {**running, "by": by, "at": at}
        clock, _is_new = RoundClock.objects.update_or_create(tournament=tournament, defaults=columns)
        notify(tournament.slug, "seating")
    return clock


def stop_clock(tournament: Tournament, number: int, *, by: str, at: datetime) -> None:
    """Stop the clock of a round. If it does not run, nothing changes."""
    with transaction.atomic():
        locked_round_of(tournament, number)
        running = RoundClock.objects.filter(tournament=tournament, round_number=number, stopped_at=None)
        if running.update(stopped_at=at, by=by, at=at):
            notify(tournament.slug, "seating")
