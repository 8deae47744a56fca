"""Seat changes by hand: latecomers, no-shows, substitutes and undo, while the sheets of the affected tables are empty.

The tournament is locked first, then the sheet of every affected table. A phone that holds the pen of such a sheet gets
the new seats; entries that it wrote before are parked.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from scoring.queries.entrants import taking_part
from scoring.queries.seats import rebalancing, seats_for, waiting_for_a_seat
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
    """Give a latecomer the next seat of a table and mark them present. No other player moves.

    Refuses cannot_join (start_number) if the player may not play this round, table_full and unknown_table (table), and
    what `_change` refuses.
    """
    with transaction.atomic():
        round_row = _locked(tournament, number)
        if not taking_part(tournament, number).filter(start_number=player).exists():
            raise Refusal("cannot_join", start_number=player)
        joined = Joined(player, table)
        size = len(joined.apply(round_row.seating)[table - 1])
        rules = tournament.rules.tables
        if size not in rules.sizes + rules.exceptions or size == 1:
            raise Refusal("table_full", table=table)
        return _change(tournament, round_row, [joined], reason=reason, by=by, at=at)


def draw_seats(
    tournament: Tournament, number: int, *, reason: str, by: str, at: datetime
) -> tuple[list[tuple[str, int]], list[str]]:
    """Seat those who are present without a seat, each by lot among the tables that fit them best.

    Return the names and tables of those who got a seat, and the names of those for whom none is free. Refuses what
    `take_seat` refuses.
    """
    seated, left = list[tuple[str, int]](), list[str]()
    with transaction.atomic():
        round_row = _locked(tournament, number)
        for person in waiting_for_a_seat(tournament, round_row):
            seats = seats_for(tournament, round_row, person.start_number)
            if not seats:
                left.append(person.name)
            else:
                fit = [seat.change.table for seat in seats if seat.is_as_good_as(seats[0])]
                table, player = secrets.choice(fit), person.start_number
                take_seat(tournament, number, player=player, table=table, reason=reason, by=by, at=at)
                seated.append((person.name, table))
                round_row = _locked(tournament, number)
    return seated, left


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
    """Remove a player from a round. If too few players are left at the table, `moves` rebalance it.

    moves: the proposal of `rebalancing` that the organiser saw. Refuses proposal_outdated if it has changed
    since, and what `rebalancing` and `_change` refuse.
    """
    with transaction.atomic():
        round_row = _locked(tournament, number)
        if list(moves) != list(rebalancing(tournament, round_row, player)):
            raise Refusal("proposal_outdated")
        return _change(tournament, round_row, [Left(player), *moves], reason=reason, by=by, at=at)


def take_back(
    tournament: Tournament, number: int, *, sequence: int, reason: str, by: str, at: datetime
) -> Round:
    """Undo the latest change by hand with all its steps. Both stay on record.

    sequence: the number of the last step on the organiser's page. Refuses nothing_to_take_back, proposal_outdated
    if there is a later step, round_already_released (round) for a swap in a round that is public, and what `_change`
    refuses.
    """
    with transaction.atomic():
        round_row = _locked(tournament, number)
        last = round_row.last_change
        if not last:
            raise Refusal("nothing_to_take_back")
        if last[-1].sequence != sequence:
            raise Refusal("proposal_outdated")
        if not round_row.is_draft and any(isinstance(step, Swap) for step in round_row.changes[-len(last) :]):
            raise Refusal("round_already_released", round=number)
        return _change(tournament, round_row, [TakenBack(len(last))], reason=reason, by=by, at=at)


def substitute(
    tournament: Tournament,
    leaver: int,
    by_whom: int | Newcomer,
    *,
    reason: str,
    by: str,
    at: datetime,
    paid: bool = False,
    others: Collection[int] = (),
    desk: str = "",
) -> Participant:
    """Give a leaver's seat to a substitute in each round in which the leaver's table has not begun.

    Only for rulesets that draw all rounds ahead. The leaver is withdrawn and keeps their results. Seats at sheets that
    have begun stay the leaver's; the substitute plays from the next sheet on (RULES 5.1). by_whom, paid, others: as in
    `door.hand_over`. Refuses no_substitutes (other rulesets), nothing_to_take_over (start_number), a missing reason,
    already_at_a_table (start_number), and what `change_seats` and `hand_over` refuse.
    """
    with transaction.atomic():
        locked = lock_tournament(tournament)
        if not locked.rules.drawn_ahead:
            raise Refusal("no_substitutes")
        numbers = _rounds_to_take_over(locked, leaver, at)
        coming = door.hand_over(locked, leaver, by_whom, paid=paid, others=others, by=by, at=at, desk=desk)
        if not numbers:
            raise Refusal("nothing_to_take_over", start_number=leaver)
        for number in numbers:
            replaced = Replaced(leaver, coming.start_number)
            change_seats(locked, number, [replaced], reason=reason, by=by, at=at)
        notify(locked.slug, "sheet")
    return coming


def _rounds_to_take_over(tournament: Tournament, leaver: int, at: datetime) -> list[int]:
    """Lock the sheets of the leaver's tables, and return the rounds in which the table has not begun."""
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
    round_row = round_with_seating(tournament, number)
    if round_row is None:
        raise Refusal("round_not_drawn", round=number)
    if round_row.attempt is None:
        raise Refusal("draw_not_recorded", round=number)
    return round_row


def _change(
    tournament: Tournament, round_row: RoundRow, steps: Sequence[Step], *, reason: str, by: str, at: datetime
) -> Round:
    """Apply steps to a round, after locking and checking the affected sheets.

    Refuses table_has_begun (table) if an affected sheet has entries or parked entries, round_is_closed (round), and a
    missing reason.
    """
    if round_row.is_closed:
        raise Refusal("round_is_closed", round=round_row.number)
    assert round_row.attempt is not None
    numbers = touched(round_row.seating, seating_after(round_row.attempt, round_row.seating, steps))
    for table in round_row.tables:
        if table.number in numbers:
            sheet = open_sheet(table.id, lock=True)
            if sheet.has_begun:
                raise Refusal("table_has_begun", table=table.number)
            _outdate(sheet, at)
    changed = change_seats(tournament, round_row.number, steps, reason=reason, by=by, at=at)
    notify(tournament.slug, "sheet")
    return changed


def _outdate(sheet: OpenSheet, at: datetime) -> None:
    """Raise the epoch of a locked sheet that has had a pen, so that its phone loads the new seats."""
    if sheet.row.pen_epoch:
        raise_epoch(sheet.row, at)
