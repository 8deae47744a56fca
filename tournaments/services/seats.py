"""Seat changes after the draw: latecomers, no-shows and undo.

The callers in scoring check and lock the sheets of the tables touched.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

from tournaments.core.draw import Step, Tables, TakenBack, apply_changes, touched
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.models import DrawAttempt, Participant, Round, SeatChange, Tournament
from tournaments.notify import notify
from tournaments.queries.seating import round_with_seating, steps_of
from tournaments.services.rounds import forget_scribes_elsewhere, lay_tables, locked_round_of


def change_seats(
    tournament: Tournament, number: int, steps: Sequence[Step], *, reason: str, by: str, at: datetime
) -> Round:
    """Apply `steps` to the seating of round `number`, and record them with the draw.

    A player who takes a seat becomes present; a player who loses one becomes absent, and so is not in the next draw.
    The caller has locked the tournament and checked that the sheets of the tables touched are empty. Refuses
    round_not_drawn, round_is_closed, draw_not_recorded (round), unknown_participant (start_number), a missing reason,
    and what the first impossible step refuses.
    """
    reason = clean_text(reason, most=500, required=True)
    with transaction.atomic():
        locked_round = locked_round_of(tournament, number)
        if locked_round.state == Round.State.CLOSED:
            raise Refusal("round_is_closed", round=number)
        attempt = locked_round.attempts.filter(abandoned_at=None).first()
        if attempt is None:
            raise Refusal("draw_not_recorded", round=number)
        before = seating_of(tournament, number)
        after = seating_after(attempt, before, steps)
        _record(attempt, steps, reason=reason, by=by, at=at)
        _lay(locked_round, before, after)
        _note_presence(tournament, before, after, steps)
        notify(tournament.slug, "seating")
    return locked_round


def seating_of(tournament: Tournament, number: int) -> Tables:
    """Return the current tables of a round. Refuses round_not_drawn (round)."""
    round_row = round_with_seating(tournament, number)
    if round_row is None:
        raise Refusal("round_not_drawn", round=number)
    return round_row.seating


def seating_after(attempt: DrawAttempt, before: Tables, steps: Sequence[Step]) -> Tables:
    """Return the tables after further steps. If a step is taken back, all remaining steps are replayed from the draw."""
    if any(isinstance(step, TakenBack) for step in steps):
        return apply_changes(attempt.drawn(), [*steps_of(attempt), *steps])
    return apply_changes(before, steps)


def _record(attempt: DrawAttempt, steps: Sequence[Step], *, reason: str, by: str, at: datetime) -> None:
    earlier = attempt.changes.count()
    attempt.changes.bulk_create(
        SeatChange(attempt=attempt, sequence=sequence, data=step.to_dict(), reason=reason, at=at, by=by)
        for sequence, step in enumerate(steps, start=earlier + 1)
    )


def _lay(locked_round: Round, before: Tables, after: Tables) -> None:
    """Rewrite the seats of the tables that differ, and delete tables without players. The others keep their links."""
    numbers = touched(before, after)
    tables = {table.number: table for table in locked_round.tables.select_for_update()}
    locked_round.seats.filter(table__number__in=numbers).delete()
    seating = {
        number: dict(enumerate(after[number - 1], start=1))
        for number in numbers
        if number <= len(after) and after[number - 1]
    }
    for number in numbers:
        if number not in seating:
            tables[number].delete()
    lay_tables(locked_round, seating, tables)
    forget_scribes_elsewhere(locked_round)


def _note_presence(tournament: Tournament, before: Tables, after: Tables, steps: Iterable[Step]) -> None:
    sat, sit = ({player for table in tables for player in table} for tables in (before, after))
    people = Participant.objects.filter(tournament=tournament)
    changed = people.filter(start_number__in=sit - sat).update(presence=Participant.Presence.PRESENT)
    if not any(
        isinstance(step, TakenBack) for step in steps
    ):  # a latecomer whose seat is taken back is still present
        changed += people.filter(start_number__in=sat - sit).update(presence=Participant.Presence.ABSENT)
    if changed:
        notify(tournament.slug, "people")
