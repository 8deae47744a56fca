"""A draw while a desk confirms a player: they are confirmed first and have a seat, or are a latecomer without one."""

from collections.abc import Callable
from functools import partial

import pytest

from scoring.services.rounds import DrawOptions, draw_ahead
from tests.factories import AT, ParticipantFactory
from tests.races import at_once
from tests.tournaments.services.test_sign_ups import an_evening, signed_up
from tournaments.models import Participant, Tournament
from tournaments.services import sign_ups

pytestmark = pytest.mark.usefixtures("committed")
TIMES = 4


def test_a_draw_and_a_confirmation_at_once_leave_nobody_half_drawn() -> None:
    for _ in range(TIMES):
        tournament = an_evening()
        ParticipantFactory.create_batch(10, tournament=tournament)
        signed_up(tournament, "Huber Sepp", in_hall=True)
        told: list[object] = list(at_once(*_both(tournament)))
        assert [answer for answer in told if isinstance(answer, Exception)] == []
        person = Participant.objects.get(tournament=tournament, name="Huber Sepp")
        drawn = tournament.rounds.get()
        assert drawn.seats.count() == 10 + person.seats.count()
        assert person.payments.count() == 1


def _both(tournament: Tournament) -> tuple[Callable[[], object], Callable[[], object]]:
    return (
        partial(sign_ups.confirm, tournament, 1, paid=True, by="a", at=AT),
        partial(draw_ahead, tournament, number=1, options=DrawOptions(), by="b", at=AT),
    )
