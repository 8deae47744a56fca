"""The field of a round: the players who may play in it.

It is all who are present, with two exceptions. In a knockout it is those who qualified in the round before.
If all rounds are drawn ahead it is those who have a seat in it, or in the one before while it is not drawn.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from scoring.core.qualifying import going_on
from tournaments.models import Participant, Seat, Tournament
from tournaments.queries.seating import RoundRow
from tournaments.rulesets.schema import Qualifying


@dataclass(frozen=True, slots=True)
class Survivors:
    """The qualified players after a round (start numbers), and the tables that do not count yet.

    None qualify from a table whose sheet does not count.
    """

    going_on: frozenset[int]
    uncounted: tuple[int, ...]


def survivors(tournament: Tournament, number: int, qualifying: Qualifying) -> Survivors:
    """Return the players who qualify in round `number`, present or not (RULES 4.2). One query."""
    columns = ("table__number", "participant__start_number", "result__rank", "result__accepted")
    ranks: dict[int, dict[int, int]] = {}
    uncounted = set()
    seats = Seat.objects.filter(tournament=tournament, round__number=number)
    for table, player, rank, accepted in seats.values_list(*columns):
        if accepted and rank is not None:
            ranks.setdefault(table, {})[player] = rank
        else:
            uncounted.add(table)
    on = [going_on(table, qualifying) for table in ranks.values()]
    return Survivors(frozenset().union(*on), tuple(sorted(uncounted)))


def eligible(tournament: Tournament, number: int) -> frozenset[int] | None:
    """Return the start numbers of those who may play a round, present or not; None for all.

    At most one query.
    """
    rules = tournament.rules
    if number == 1:
        return None
    if rules.qualifying is not None:
        return survivors(tournament, number - 1, rules.qualifying).going_on
    return _seated(tournament, number) if rules.drawn_ahead else None


def _seated(tournament: Tournament, number: int) -> frozenset[int]:
    """Return the players with a seat in a round; if it is not drawn, in the one before."""
    seats = Seat.objects.filter(tournament=tournament, round__number__in=(number, number - 1))
    rows = list(seats.values_list("round__number", "participant__start_number"))
    latest = max((of_round for of_round, _ in rows), default=number)
    return frozenset(player for of_round, player in rows if of_round == latest)


def uncounted_tables(tournament: Tournament, number: int) -> tuple[int, ...]:
    """Return the tables of the knockout round before `number` whose sheet does not count yet.

    None qualify from them.
    """
    qualifying = tournament.rules.qualifying
    if qualifying is None or number == 1:
        return ()
    return survivors(tournament, number - 1, qualifying).uncounted


@dataclass(frozen=True, slots=True)
class Qualified:
    """A qualified player with their table and rank. is_here: they will be drawn. has_left: for good."""

    start_number: int
    name: str
    table_number: int
    rank: int
    is_here: bool
    has_left: bool


def qualified(tournament: Tournament, number: int) -> list[Qualified]:
    """Return the players qualified for a round, by table and rank; [] unless it is a knockout.

    Two queries.
    """
    qualifying = tournament.rules.qualifying
    if qualifying is None or number == 1:
        return []
    only = survivors(tournament, number - 1, qualifying).going_on
    seats = Seat.objects.filter(
        tournament=tournament, round__number=number - 1, participant__start_number__in=only
    )
    return [
        _qualified(seat)
        for seat in seats.select_related("participant", "table", "result").order_by(
            "table__number", "result__rank", "seat_number"
        )
    ]


def _qualified(seat: Seat) -> Qualified:
    person = seat.participant
    return Qualified(
        start_number=person.start_number,
        name=person.name,
        table_number=seat.table.number,
        rank=seat.result.rank or 0,
        is_here=not person.has_left and person.presence == Participant.Presence.PRESENT,
        has_left=person.has_left,
    )


@dataclass(frozen=True, slots=True)
class Misfits:
    """Differences between a drawn round and the field that follows from the sheets of the round before.

    missing: players who would be drawn and have no seat. surplus: names of seated players who did not
    qualify.
    """

    missing: tuple[Qualified, ...] = ()
    surplus: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.surplus)


def misfits(tournament: Tournament, row: RoundRow) -> Misfits:
    """Return the differences, which arise if a sheet is corrected after the draw. Two queries at most."""
    if tournament.rules.qualifying is None or row.number == 1:
        return Misfits()
    people = qualified(tournament, row.number)
    seated = {seat.start_number for seat in row.seats}
    made_it = {person.start_number for person in people}
    return Misfits(
        missing=tuple(person for person in people if person.is_here and person.start_number not in seated),
        surplus=tuple(seat.name for seat in row.seats if seat.start_number not in made_it),
    )


def taking_part(tournament: Tournament, number: int) -> QuerySet[Participant]:
    """Return those who may play round `number` and have not left, present or not."""
    people = Participant.objects.filter(tournament=tournament, withdrawn_at=None, excluded_at=None)
    only = eligible(tournament, number)
    return people if only is None else people.filter(start_number__in=only)


def players_of_round(tournament: Tournament, number: int) -> list[int]:
    """Return the start numbers for a draw of round `number`: those who may play it, are present and do not pause."""
    here = taking_part(tournament, number).filter(presence=Participant.Presence.PRESENT)
    here = here.exclude(pauses_round=number)
    return list(here.order_by("start_number").values_list("start_number", flat=True))


def names_of_the_pausing(tournament: Tournament, number: int) -> list[str]:
    """Return the names of those who are present and sit out round `number`, by start number. One query."""
    here = taking_part(tournament, number).filter(presence=Participant.Presence.PRESENT, pauses_round=number)
    return list(here.order_by("start_number").values_list("name", flat=True))
