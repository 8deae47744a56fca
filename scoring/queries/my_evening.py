"""What somebody has played so far, for whoever looks for himself: his table in each round, and what he got there.

The scores are those that the standings beside it are made of, so it holds back what they hold back.
"""

from dataclasses import dataclass

from scoring.core.ranking import Score
from scoring.core.reach import Reach
from scoring.queries.hall import Found, Hall, find
from scoring.queries.reaching import reachable
from tournaments.models import Round, Seat


@dataclass(frozen=True, slots=True)
class MyRound:
    """A round that he sits in. score: None as long as the sheet does not count, or is held back."""

    number: int
    table_number: int
    seat_number: int
    score: Score | None


@dataclass(frozen=True, slots=True)
class MyEvening:
    """person: with his seat now and his row in the standings. reach: the ranks still possible, see `reachable`."""

    person: Found
    rounds: tuple[MyRound, ...]
    reach: Reach | None

    @property
    def latest(self) -> MyRound | None:
        return self.rounds[-1] if self.rounds else None


def my_evening(hall: Hall, start_number: int) -> MyEvening | None:
    """None where the hall knows nobody of that number. One query."""
    answer = find(hall, str(start_number))
    if not answer.is_unique:
        return None
    return MyEvening(answer.found[0], _rounds(hall, start_number), reachable(hall, start_number))


def _rounds(hall: Hall, start_number: int) -> tuple[MyRound, ...]:
    """Those that the hall knows of, a round released since not among them."""
    known = hall.round.number if hall.round else 0
    seats = Seat.objects.filter(
        tournament=hall.tournament, participant__start_number=start_number, round__number__lte=known
    ).exclude(round__state=Round.State.DRAWN)
    scores = {
        score.round_number: score
        for score in hall.board.scores
        if score.start_number == start_number and score.is_decided
    }
    columns = ("round__number", "table__number", "seat_number")
    found = seats.order_by("round__number").values_list(*columns)
    return tuple(MyRound(number, table, seat, scores.get(number)) for number, table, seat in found)
