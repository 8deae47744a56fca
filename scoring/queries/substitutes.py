"""Page model for replacing a player who leaves."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from scoring.sheet_log import is_begun
from tournaments.models import Participant, Round, Seat, Tournament


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the player. is_free: nothing is written on its sheet, so another player can take it."""

    round_number: int
    table_number: int
    seat_number: int
    is_free: bool


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player who leaves, their seats, and the candidates for them.

    Candidates are all who take part and have no seat in the rounds that become free.
    """

    start_number: int
    name: str
    has_left: bool
    places: tuple[Place, ...]
    candidates: tuple[tuple[int, str], ...]

    @property
    def free(self) -> list[Place]:
        return [place for place in self.places if place.is_free]

    @property
    def kept(self) -> list[Place]:
        """Seats the leaver keeps: in closed or started rounds."""
        return [place for place in self.places if not place.is_free]


def leaver(tournament: Tournament, start_number: int) -> Leaver | None:
    """Return the player with seats and candidates; None if there is no such participant. Three queries."""
    person = tournament.participants.filter(start_number=start_number).first()
    if person is None:
        return None
    places = _places(person)
    free = [place.round_number for place in places if place.is_free]
    seated = Seat.objects.filter(participant=OuterRef("pk"), round__number__in=free)
    others = tournament.participants.filter(withdrawn_at=None, excluded_at=None).exclude(pk=person.pk)
    candidates = others.filter(~Exists(seated)).order_by("start_number")
    return Leaver(
        start_number=start_number,
        name=person.name,
        has_left=person.has_left,
        places=places,
        candidates=tuple(candidates.values_list("start_number", "name")),
    )


def _places(person: Participant) -> tuple[Place, ...]:
    seats = Seat.objects.filter(participant=person).annotate(is_begun=is_begun("table"))
    columns = ("round__number", "round__state", "table__number", "seat_number", "is_begun")
    return tuple(
        Place(number, table, seat, state != Round.State.CLOSED and not has_begun)
        for number, state, table, seat, has_begun in seats.order_by("round__number").values_list(*columns)
    )
