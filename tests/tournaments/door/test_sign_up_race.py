"""Two desks that press the same key at once; the control is among the tests of the service."""

from functools import partial

import pytest

from tests.races import at_once
from tests.tournaments.door.doors import Cashier
from tests.tournaments.services.test_sign_ups import an_evening, signed_up

pytestmark = pytest.mark.usefixtures("committed")
TIMES = 4


def both(first: Cashier, second: Cashier, number: int, *, by_name: bool) -> list[object]:
    """Return what the two desks are told."""
    if by_name:
        return list(at_once(*(partial(desk.register, f"A{number}") for desk in (first, second))))
    return list(at_once(*(partial(pressed, desk, number) for desk in (first, second))))


def pressed(desk: Cashier, number: int) -> str:
    response = desk.client.post(desk.url("sign_up", number, "confirm-paid"), headers={"HX-Request": "true"})
    return response.content.decode()


@pytest.mark.parametrize("by_name", [True, False])
def test_of_two_desks_one_checks_in_and_the_other_is_refused(*, by_name: bool) -> None:
    tournament = an_evening()
    first, second = Cashier(tournament=tournament), Cashier(tournament=tournament)
    for number in range(1, TIMES + 1):
        signed_up(tournament, f"Spieler {number}", in_hall=True)
        told = both(first, second, number, by_name=by_name)
        assert all(isinstance(answer, str) for answer in told)
        assert (
            sum("Nr. " in str(answer) and "ist da · 3,00\xa0€ kassiert" in str(answer) for answer in told)
            == 1
        )
    people = tournament.participants.order_by("start_number")
    assert list(people.values_list("name", "payments__cents")) == [
        (f"Spieler {number}", 300) for number in range(1, TIMES + 1)
    ]
