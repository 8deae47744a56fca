"""The field of a round: who plays in it.

Everybody who is here, unless the ruleset knows better: where players drop out, those who go on from the round before;
where all rounds are drawn ahead, those who have a seat in it, or in the one before as long as it is not drawn.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from scoring.core.qualifying import going_on
from tournaments.models import Participant, Seat, Tournament
from tournaments.queries.seating import RoundRow
from tournaments.rulesets.schema import Qualifying


@dataclass(frozen=True, slots=True)
class Survivors:
    """Who goes on after a round (start numbers), and its tables whose sheet does not count yet: from there nobody."""

    going_on: frozenset[int]
    uncounted: tuple[int, ...]


def survivors(tournament: Tournament, number: int, qualifying: Qualifying) -> Survivors:
    """Who goes on after round `number`, whether he is still here or not (RULES 4.2). One query."""
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
    """Who may play round `number` (start numbers), here or not; None if everybody may. At most one query."""
    rules = tournament.rules
    if number == 1:
        return None
    if rules.qualifying is not None:
        return survivors(tournament, number - 1, rules.qualifying).going_on
    return _seated(tournament, number) if rules.drawn_ahead else None


def _seated(tournament: Tournament, number: int) -> frozenset[int]:
    """Who has a seat in a round; where it is not drawn, in the one before."""
    seats = Seat.objects.filter(tournament=tournament, round__number__in=(number, number - 1))
    found = list(seats.values_list("round__number", "participant__start_number"))
    latest = max((of_round for of_round, _ in found), default=number)
    return frozenset(player for of_round, player in found if of_round == latest)


def uncounted_tables(tournament: Tournament, number: int) -> tuple[int, ...]:
    """Where players drop out: the tables before round `number` from which nobody goes on, as their sheet does not count."""
    qualifying = tournament.rules.qualifying
    if qualifying is None or number == 1:
        return ()
    return survivors(tournament, number - 1, qualifying).uncounted


@dataclass(frozen=True, slots=True)
class Qualified:
    """Somebody who goes on, from which table and rank there; is_here: he will be drawn. has_left: for good."""

    start_number: int
    name: str
    table_number: int
    rank: int
    is_here: bool
    has_left: bool


def qualified(tournament: Tournament, number: int) -> list[Qualified]:
    """Who has made it into round `number`, by table and rank; empty where nobody drops out. Two queries."""
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
    has_left = person.withdrawn_at is not None or person.excluded_at is not None
    return Qualified(
        start_number=person.start_number,
        name=person.name,
        table_number=seat.table.number,
        rank=seat.result.rank or 0,
        is_here=not has_left and person.presence == Participant.Presence.PRESENT,
        has_left=has_left,
    )


@dataclass(frozen=True, slots=True)
class Misfits:
    """Where a drawn round is not the field that follows from the round before, as its sheets stand now.

    missing: who would be drawn and has no seat. surplus: names of who has a seat and did not make it.
    """

    missing: tuple[Qualified, ...] = ()
    surplus: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.surplus)


def misfits(tournament: Tournament, found: RoundRow) -> Misfits:
    """After a sheet was corrected others may go on than those who were drawn. Two queries at most."""
    if tournament.rules.qualifying is None or found.number == 1:
        return Misfits()
    people = qualified(tournament, found.number)
    seated = {seat.start_number for seat in found.seats}
    made_it = {person.start_number for person in people}
    return Misfits(
        missing=tuple(person for person in people if person.is_here and person.start_number not in seated),
        surplus=tuple(seat.name for seat in found.seats if seat.start_number not in made_it),
    )


def taking_part(tournament: Tournament, number: int) -> QuerySet[Participant]:
    """Who may play round `number` and has not left, present or not."""
    people = Participant.objects.filter(tournament=tournament, withdrawn_at=None, excluded_at=None)
    only = eligible(tournament, number)
    return people if only is None else people.filter(start_number__in=only)


def players_of_round(tournament: Tournament, number: int) -> list[int]:
    """The start numbers that a draw of round `number` has in it: who may play it and is here."""
    here = taking_part(tournament, number).filter(presence=Participant.Presence.PRESENT)
    return list(here.order_by("start_number").values_list("start_number", flat=True))
