"""Latecomers, no-shows, substitutes and taking back: who sits elsewhere, as long as nothing stands on the sheets of those tables.

The tournament is locked first, then the sheet of every table touched; a phone that has one of them in its hand gets
the new seats, and what it wrote before it knew of them is parked.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from scoring.queries.entrants import taking_part
from scoring.queries.seats import rebalancing
from scoring.services.sheets import raise_epoch
from scoring.sheet_log import OpenSheet, open_sheet
from tournaments.core.draw import Joined, Left, Moved, Replaced, Step, Swap, TakenBack, touched
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Round, Seat, Tournament
from tournaments.notify import notify
from tournaments.queries.seating import RoundRow, round_with_seating
from tournaments.services import door
from tournaments.services.door import Newcomer
from tournaments.services.seats import change_seats, seating_after
from tournaments.services.tournaments import lock_tournament


def take_seat(
    tournament: Tournament, number: int, *, player: int, table: int, reason: str, by: str, at: datetime
) -> Round:
    """Somebody who comes late takes the next seat of a table; nobody moves, and he is present from now on.

    Refuses cannot_join (start_number) for who may not play this round, table_full and unknown_table (table), and what
    `_change` refuses.
    """
    with transaction.atomic():
        found = _locked(tournament, number)
        if not taking_part(tournament, number).filter(start_number=player).exists():
            raise Refusal("cannot_join", start_number=player)
        joined = Joined(player, table)
        size = len(joined.apply(found.seating)[table - 1])
        rules = tournament.rules.tables
        if size not in rules.sizes + rules.exceptions or size == 1:
            raise Refusal("table_full", table=table)
        return _change(tournament, found, [joined], reason=reason, by=by, at=at)


def leave_seat(
    tournament: Tournament,
    number: int,
    *,
    player: int,
    moves: Sequence[Moved],
    reason: str,
    by: str,
    at: datetime,
) -> Round:
    """Somebody does not play this round after all; where too few are left at his table, `moves` mend it.

    moves: as `rebalancing` proposed and the organiser has seen them. Refuses proposal_outdated where another proposal
    would be made by now, and what `rebalancing` and `_change` refuse.
    """
    with transaction.atomic():
        found = _locked(tournament, number)
        if list(moves) != list(rebalancing(tournament, found, player)):
            raise Refusal("proposal_outdated")
        return _change(tournament, found, [Left(player), *moves], reason=reason, by=by, at=at)


def take_back(
    tournament: Tournament, number: int, *, sequence: int, reason: str, by: str, at: datetime
) -> Round:
    """The latest change by hand is undone, with all that was done in one go with it; both stay on record.

    sequence: of the last line that the organiser has seen. Refuses nothing_to_take_back, proposal_outdated where it is
    another by now, round_already_released for a swap that everybody has seen, and what `_change` refuses.
    """
    with transaction.atomic():
        found = _locked(tournament, number)
        last = found.last_change
        if not last:
            raise Refusal("nothing_to_take_back")
        if last[-1].sequence != sequence:
            raise Refusal("proposal_outdated")
        if not found.is_draft and any(isinstance(step, Swap) for step in found.changes[-len(last) :]):
            raise Refusal("round_already_released", round=number)
        return _change(tournament, found, [TakenBack(len(last))], reason=reason, by=by, at=at)


def substitute(
    tournament: Tournament,
    leaver: int,
    by_whom: int | Newcomer,
    *,
    reason: str,
    by: str,
    at: datetime,
    paid: bool = False,
    desk: str = "",
) -> Participant:
    """Where all rounds are drawn ahead: somebody takes the leaver's seat in each round in which his table has not begun.

    The leaver is withdrawn and keeps what he has played for; a seat at a sheet that is begun stays his, and what is
    played from the next sheet on is the substitute's (RULES 5.1). by_whom, paid: as in `door.hand_over`. Refuses
    no_substitutes (other rulesets), nothing_to_take_over (name), a missing reason, already_at_a_table
    (start_number), and what `change_seats` and `hand_over` refuse.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.rules.drawn_ahead:
            raise Refusal("no_substitutes")
        numbers = _rounds_to_take_over(locked, leaver, at)
        coming = door.hand_over(locked, leaver, by_whom, paid=paid, by=by, at=at, desk=desk)
        if not numbers:
            raise Refusal("nothing_to_take_over", start_number=leaver)
        for number in numbers:
            replaced = Replaced(leaver, coming.start_number)
            change_seats(locked, number, [replaced], reason=reason, by=by, at=at)
        notify(locked.slug, "sheet")
    return coming


def _rounds_to_take_over(tournament: Tournament, leaver: int, at: datetime) -> list[int]:
    """Where he sits at a table that has not begun; nobody writes on its sheet until the transaction ends."""
    seats = Seat.objects.filter(tournament=tournament, participant__start_number=leaver)
    tables = seats.exclude(round__state=Round.State.CLOSED).order_by("round__number")
    numbers = []
    for number, table_id in tables.values_list("round__number", "table_id"):
        sheet = open_sheet(table_id, lock=True)
        if not sheet.has_begun:
            _outdate(sheet, at)
            numbers.append(number)
    return numbers


def _locked(tournament: Tournament, number: int) -> RoundRow:
    lock_tournament(tournament)
    found = round_with_seating(tournament, number)
    if found is None:
        raise Refusal("round_not_drawn", round=number)
    if found.attempt is None:
        raise Refusal("draw_not_recorded", round=number)
    return found


def _change(
    tournament: Tournament, found: RoundRow, steps: Sequence[Step], *, reason: str, by: str, at: datetime
) -> Round:
    """Refuses table_has_begun (table) once anything stands on a sheet touched, round_is_closed, and a missing reason."""
    if found.is_closed:
        raise Refusal("round_is_closed", round=found.number)
    assert found.attempt is not None
    numbers = touched(found.seating, seating_after(found.attempt, found.seating, steps))
    for table in found.tables:
        if table.number in numbers:
            sheet = open_sheet(table.id, lock=True)
            if sheet.has_begun:
                raise Refusal("table_has_begun", table=table.number)
            _outdate(sheet, at)
    changed = change_seats(tournament, found.number, steps, reason=reason, by=by, at=at)
    notify(tournament.slug, "sheet")
    return changed


def _outdate(sheet: OpenSheet, at: datetime) -> None:
    """A phone that writes on the sheet, which is locked, has to look at the seats anew."""
    if sheet.row.pen_epoch:
        raise_epoch(sheet.row, at)
