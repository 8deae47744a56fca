"""Latecomers and no-shows: seats of a drawn round change by hand, on record, until a table has begun.

Rule sheet 1: tables of five or six; a table plays on with four; late players take a free seat of a drawn table.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from scoring.documents import dump, export_tournament
from scoring.queries.entrants import players_of_round
from scoring.queries.seats import rebalancing
from scoring.services.seats import leave_seat, take_back, take_seat
from scoring.services.sheets import Sent, enter, record, take_pen, write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.scoring.services.test_rounds import refused
from tournaments.core.draw import Moved
from tournaments.links import sheet_secret
from tournaments.models import Participant, SeatChange, Table, Tournament
from tournaments.queries.seating import RoundRow, round_with_seating
from tournaments.rulesets.loader import preset
from tournaments.services import door, rounds
from tournaments.verification import verify_draws

pytestmark = pytest.mark.django_db

STROKE: dict[str, Any] = {"seat_number": 1, "mark": "schnauz"}


def evening(players: int, ruleset: str = "schnauz-placing") -> Tournament:
    """Create a tournament whose first round is released: tables of five, larger ones first."""
    made: Tournament = TournamentFactory.create(ruleset=preset(ruleset).to_dict())
    ParticipantFactory.create_batch(players, tournament=made)
    a_round(made)
    return made


def row(tournament: Tournament, number: int = 1) -> RoundRow:
    seating = round_with_seating(tournament, number)
    assert seating is not None
    return seating


def tables(tournament: Tournament, number: int = 1) -> tuple[tuple[int, ...], ...]:
    return row(tournament, number).seating


def joins(tournament: Tournament, player: int, table: int, at: datetime = AT) -> None:
    take_seat(tournament, 1, player=player, table=table, reason="kam später", by="kasse", at=at)


def leaves(
    tournament: Tournament, player: int, moves: Sequence[Moved] | None = None, at: datetime = AT
) -> None:
    proposed = rebalancing(tournament, row(tournament), player) if moves is None else moves
    leave_seat(tournament, 1, player=player, moves=proposed, reason="nicht da", by="kasse", at=at)


def takes_back(tournament: Tournament) -> None:
    last = row(tournament).last_change
    sequence = last[-1].sequence if last else 0
    take_back(tournament, 1, sequence=sequence, reason="doch da", by="kasse", at=AT + timedelta(hours=1))


# --- latecomers ----------------------------------------------------------------------------------------------------


def test_a_latecomer_makes_a_five_a_six_and_nobody_moves() -> None:
    tournament = evening(10)
    before = tables(tournament)
    late = ParticipantFactory.create(tournament=tournament, presence=Participant.Presence.ANNOUNCED)
    joins(tournament, late.start_number, 2)
    late.refresh_from_db()
    assert tables(tournament) == (before[0], (*before[1], 11))
    assert late.presence == "present"


def test_author_time_and_reason_of_a_change_are_recorded_with_the_draw() -> None:
    tournament = evening(10)
    ParticipantFactory.create(tournament=tournament)
    joins(tournament, 11, 1)
    change = SeatChange.objects.get(attempt__round__tournament=tournament)
    assert (change.data, change.by, change.at, change.reason) == (
        {"kind": "joined", "player": 11, "table": 1},
        "kasse",
        AT,
        "kam später",
    )


def test_the_link_of_the_table_stays_and_the_phone_gets_the_new_seat() -> None:
    tournament = evening(10)
    table = row(tournament).tables[0]
    secret = sheet_secret(table.id, table.link_version)
    before, _ = enter(secret, device=None)
    pen = take_pen(before, device="a", at=AT)
    ParticipantFactory.create(tournament=tournament)
    joins(tournament, 11, 1)
    after, _ = enter(secret, device="a")
    assert after.pk == before.pk
    assert [seat.participant.start_number for seat in take_pen(after, device="a", at=AT).seats][-1] == 11
    late = Sent(str(uuid4()), "stroke", STROKE, AT)
    outcomes, sheet = record(after, [late], device="a", pen_epoch=pen.row.pen_epoch, at=AT)
    assert (outcomes[0].outcome, sheet.log.entries) == ("parked", ())


@pytest.mark.parametrize(
    ("player", "table", "code"),
    [
        (1, 1, "already_at_a_table"),
        (99, 1, "cannot_join"),
        (12, 1, "cannot_join"),
        (11, 3, "unknown_table"),
        (11, 0, "unknown_table"),
    ],
)
def test_a_seat_is_for_who_is_registered_and_sits_nowhere(player: int, table: int, code: str) -> None:
    tournament = evening(10)
    ParticipantFactory.create_batch(2, tournament=tournament)
    door.withdraw(tournament, 12, by="kasse", at=AT)
    before = tables(tournament)
    assert refused(lambda: joins(tournament, player, table)) == code
    assert tables(tournament) == before


def test_a_table_has_no_more_seats_than_the_rules_say() -> None:
    tournament = evening(5)
    ParticipantFactory.create_batch(3, tournament=tournament)
    joins(tournament, 6, 1)
    joins(tournament, 7, 1)
    assert refused(lambda: joins(tournament, 8, 1)) == "table_full"


# --- no-shows ------------------------------------------------------------------------------------------------------


def test_a_table_of_five_plays_on_with_four() -> None:
    tournament = evening(10)
    first, second = tables(tournament)
    leaves(tournament, first[1])
    assert tables(tournament) == ((first[0], *first[2:]), second)
    assert players_of_round(tournament, 2) == sorted({*first, *second} - {first[1]})


def test_a_table_of_four_is_mended_by_the_fewest_moves() -> None:
    tournament = evening(14)
    before = tables(tournament)
    small = next(number for number, seats in enumerate(before, start=1) if len(seats) == 4)
    gone = before[small - 1][2]
    proposed = rebalancing(tournament, row(tournament), gone)
    leaves(tournament, gone)
    after = tables(tournament)
    assert [move.table for move in proposed] == [small]
    assert sorted(map(len, after)) == [4, 4, 5]
    assert proposed[0].player == after[small - 1][-1]


def test_only_the_proposed_moves_are_made() -> None:
    tournament = evening(14)
    before = tables(tournament)
    small = next(seats for seats in before if len(seats) == 4)
    assert refused(lambda: leaves(tournament, small[0], [])) == "proposal_outdated"
    assert refused(lambda: leaves(tournament, small[0], [Moved(small[1], 1)])) == "proposal_outdated"
    assert tables(tournament) == before


def test_nobody_is_moved_from_a_table_that_has_begun() -> None:
    tournament = evening(14)
    before = row(tournament)
    small = next(table for table in before.tables if len(table.seats) == 4)
    other, begun = [table for table in before.tables if table.number != small.number]
    write(Table.objects.get(pk=begun.id), [("stroke", STROKE)], by="x", at=AT)
    (move,) = rebalancing(tournament, before, small.start_numbers[0])
    assert move.player in other.start_numbers


def test_a_table_whose_players_all_find_seats_elsewhere_is_taken_away_and_its_number_stays_free() -> None:
    tournament = evening(10)
    first, second = tables(tournament)
    leaves(tournament, first[0])
    leaves(tournament, second[0])
    leaves(tournament, first[1])
    assert tables(tournament)[1:] in [(), ((*second[1:], *first[2:]),)]
    assert sorted(player for table in tables(tournament) for player in table) == sorted(
        {*first, *second} - {first[0], first[1], second[0]}
    )
    verify_draws(dump(export_tournament(tournament)))


def test_a_final_is_played_by_those_who_are_there() -> None:
    tournament = evening(4, "knockout")
    (final,) = tables(tournament)
    leaves(tournament, final[0])
    assert tables(tournament) == (final[1:],)


# --- taking back ---------------------------------------------------------------------------------------------------


def test_taking_back_puts_everybody_where_he_sat() -> None:
    tournament = evening(14)
    before = tables(tournament)
    small = next(seats for seats in before if len(seats) == 4)
    leaves(tournament, small[1])
    takes_back(tournament)
    assert tables(tournament) == before
    assert players_of_round(tournament, 2) == list(range(1, 15))


def test_an_undone_change_stays_on_record() -> None:
    tournament = evening(10)
    ParticipantFactory.create(tournament=tournament)
    joins(tournament, 11, 1)
    takes_back(tournament)
    kinds = [
        change.data["kind"] for change in SeatChange.objects.filter(attempt__round__tournament=tournament)
    ]
    assert kinds == ["joined", "taken_back"]
    assert not row(tournament).is_changed_by_hand
    verify_draws(dump(export_tournament(tournament)))


def test_changes_are_taken_back_one_after_the_other() -> None:
    tournament = evening(10)
    before = tables(tournament)
    ParticipantFactory.create(tournament=tournament)
    joins(tournament, 11, 1)
    leaves(tournament, before[1][0], at=AT + timedelta(minutes=1))
    takes_back(tournament)
    takes_back(tournament)
    assert tables(tournament) == before
    assert refused(lambda: takes_back(tournament)) == "nothing_to_take_back"


def test_only_the_change_that_was_shown_is_taken_back() -> None:
    tournament = evening(10)
    ParticipantFactory.create_batch(2, tournament=tournament)
    joins(tournament, 11, 1)
    joins(tournament, 12, 2, at=AT + timedelta(minutes=1))
    back: Callable[[], object] = lambda: take_back(  # noqa: E731
        tournament, 1, sequence=1, reason="x", by="x", at=AT
    )
    assert refused(back) == "proposal_outdated"


def test_a_swap_is_taken_back_until_it_is_released() -> None:
    tournament: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_round(tournament, released=False)
    before = tables(tournament)
    rounds.swap(tournament, 1, a=before[0][0], b=before[1][0], reason="x", by="x", at=AT)
    takes_back(tournament)
    assert tables(tournament) == before
    rounds.swap(tournament, 1, a=before[0][0], b=before[1][0], reason="x", by="x", at=AT)
    rounds.release(tournament, 1, at=AT)
    assert refused(lambda: takes_back(tournament)) == "round_already_released"


# --- too late ------------------------------------------------------------------------------------------------------


def test_a_table_that_has_begun_stays_as_it_is() -> None:
    tournament = evening(10)
    ParticipantFactory.create(tournament=tournament)
    joins(tournament, 11, 1)
    before = tables(tournament)
    write(Table.objects.get(pk=row(tournament).tables[0].id), [("stroke", STROKE)], by="x", at=AT)
    codes = [
        refused(lambda: joins(tournament, ParticipantFactory.create(tournament=tournament).start_number, 1)),
        refused(lambda: leaves(tournament, before[0][0])),
        refused(lambda: takes_back(tournament)),
    ]
    assert codes == ["table_has_begun"] * 3
    assert tables(tournament) == before


def test_a_closed_round_stays_as_it_is() -> None:
    tournament: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_played_round(tournament)
    ParticipantFactory.create(tournament=tournament)
    assert refused(lambda: joins(tournament, 11, 1)) == "round_is_closed"
    assert refused(lambda: leaves(tournament, 1)) == "round_is_closed"


def test_every_change_has_a_reason() -> None:
    tournament = evening(10)
    ParticipantFactory.create(tournament=tournament)
    join: Callable[[], object] = lambda: take_seat(  # noqa: E731
        tournament, 1, player=11, table=1, reason=" ", by="x", at=AT
    )
    assert refused(join) == "text_empty"
