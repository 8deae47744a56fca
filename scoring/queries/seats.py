"""Reads for changing the seating by hand: the player searched for, free seats, the cost of a change."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from scoring.queries.entrants import taking_part
from scoring.sheet_log import is_begun
from tournaments.core.draw import Change, Left, Moved, Tables
from tournaments.core.person_search import name_fits, start_number_in
from tournaments.core.rebalance import FreeSeat, free_seats, rebalance
from tournaments.core.refusal import Refusal
from tournaments.core.repeats import Cost, cost_of
from tournaments.models import Participant, Table, Tournament
from tournaments.queries.seating import RoundRow, SeatRow, rounds_with_seating

MOST_FOUND = 12


@dataclass(frozen=True, slots=True)
class Person:
    """A player who may play the round. seat: None while they have none."""

    start_number: int
    name: str
    is_present: bool
    seat: SeatRow | None


@dataclass(frozen=True, slots=True)
class Leaving:
    """The consequences of a missing player: `left` players stay at the table, `moves` fill it, at a `cost`.

    has_begun: the table has begun, so nothing can be changed. refusal: why the table cannot be filled.
    """

    left: int
    moves: tuple[Moved, ...]
    cost: Cost
    has_begun: bool
    refusal: Refusal | None = None


def waiting_for_a_seat(tournament: Tournament, row: RoundRow) -> list[Person]:
    """Return those who are present, do not pause and have no seat in a drawn round. One query."""
    seated = {seat.start_number for seat in row.seats}
    here = taking_part(tournament, row.number).filter(presence=Participant.Presence.PRESENT)
    people = here.exclude(pauses_round=row.number).exclude(start_number__in=seated).order_by("start_number")
    return [_person(person, None) for person in people]


def people_meant(tournament: Tournament, row: RoundRow, words: str) -> list[Person]:
    """Return the players of the round with this start number, or with a name that begins so.

    A player who has left belongs to the round while they have a seat in it.
    """
    seats = {seat.start_number: seat for seat in row.seats}
    of_round = Q(pk__in=taking_part(tournament, row.number)) | Q(start_number__in=seats)
    people = _called(tournament.participants.filter(of_round), words)
    return [_person(person, seats.get(person.start_number)) for person in people]


def players_called(tournament: Tournament, words: str) -> list[int]:
    """Return the start numbers of those who have not left and match by start number or beginning of the name."""
    people = tournament.participants.filter(withdrawn_at=None, excluded_at=None)
    return [person.start_number for person in _called(people, words)]


def _called(people: QuerySet[Participant], words: str) -> QuerySet[Participant]:
    people = people.order_by("start_number")
    number = start_number_in(words)
    if number is not None:
        return people.filter(start_number=number)
    wanted = [person.pk for person in people if name_fits(person.name, words)]
    return people.filter(pk__in=wanted[:MOST_FOUND])


def _person(person: Participant, seat: SeatRow | None) -> Person:
    is_present = person.presence == Participant.Presence.PRESENT
    return Person(person.start_number, person.name, is_present, seat)


def seats_for(tournament: Tournament, row: RoundRow, player: int) -> tuple[FreeSeat, ...]:
    """Return the free seats for a latecomer, the best first."""
    history = earlier_rounds(tournament, row.number)
    return free_seats(player, row.seating, history, tournament.rules.tables, begun=begun_tables(row))


def leaving(tournament: Tournament, row: RoundRow, seat: SeatRow) -> Leaving:
    """Return the consequences if the player of this seat does not play."""
    left = len(row.seating[seat.table_number - 1]) - 1
    has_begun = seat.table_number in begun_tables(row)
    try:
        moves = rebalancing(tournament, row, seat.start_number)
    except Refusal as refusal:
        return Leaving(left, (), Cost((), ()), has_begun, refusal)
    cost = cost_of_moves(tournament, row, [Left(seat.start_number), *moves])
    return Leaving(left, moves, cost, has_begun)


def cost_of_moves(tournament: Tournament, row: RoundRow, changes: Iterable[Change]) -> Cost:
    """Return the repeats that the changes would cost. Refuses what the first impossible one refuses."""
    return cost_of(changes, row.seating, earlier_rounds(tournament, row.number))


def rebalancing(tournament: Tournament, row: RoundRow, player: int) -> tuple[Moved, ...]:
    """Return the moves needed when a player leaves their seat.

    None are needed if enough are left at the table, or in a final. Players with a fixed table and players at
    tables that have begun are not moved. Refuses not_at_a_table (start_number), cannot_be_mended (table).
    """
    tables = Left(player).apply(row.seating)
    rules = tournament.rules
    if rules.qualifying is not None and sum(map(len, tables)) <= rules.qualifying.final:
        return ()
    wishes = row.attempt.wishes if row.attempt else []
    return rebalance(
        tables,
        earlier_rounds(tournament, row.number),
        rules.tables,
        fixed={wish["player"] for wish in wishes if wish["kind"] == "fixed_table"},
        begun=begun_tables(row),
    )


def begun_tables(row: RoundRow) -> frozenset[int]:
    """Return the numbers of the tables that have begun. One query."""
    begun = Table.objects.filter(is_begun("pk"), pk__in=[table.id for table in row.tables])
    return frozenset(begun.values_list("number", flat=True))


def earlier_rounds(tournament: Tournament, number: int) -> list[Tables]:
    """Return the tables of the rounds before, as they were played."""
    return [row.seating for row in rounds_with_seating(tournament, range(1, number))]
