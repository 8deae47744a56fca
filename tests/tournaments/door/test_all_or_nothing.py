"""One request of the desk is one transaction: what is refused in its second step leaves nothing of the first."""

from typing import Any

import pytest

from tests.factories import AT
from tests.tournaments.door.doors import Cashier
from tests.tournaments.services.test_sign_ups import an_evening, signed_up
from tournaments.core.fees import FeeKind
from tournaments.models import Participant, PersonChange
from tournaments.services.desks import close_desk, set_up_desk
from tournaments.services.door import Newcomer
from tournaments.services.exclusion import exclude
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    """Return a desk with two kinds of fees, whose cash desk is closed."""
    desk = Cashier(tournament=an_evening(without_desk=True))
    edit_fees(desk.tournament, [FeeKind("full", "Erwachsene", 300), FeeKind("youth", "Jugend", 200)])
    set_up_desk(desk.tournament, "Kasse 1")
    close_desk(desk.tournament, 1, pieces={}, by="x", at=AT)
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse 1"})
    return desk


def state(desk: Cashier) -> tuple[Any, ...]:
    people = Participant.objects.filter(tournament=desk.tournament)
    return (
        list(people.values_list("start_number", "fee", "presence", "names", "payments__cents")),
        list(PersonChange.objects.filter(participant__tournament=desk.tournament)),
        list(desk.tournament.sign_ups.values_list("number", "participant", "confirmed_at")),
    )


def test_a_refused_check_in_leaves_the_fee_unchanged(desk: Cashier) -> None:
    announce(desk.tournament, [Newcomer("Huber Sepp")], by="x", at=AT)
    before = state(desk)
    assert "Kasse 1 ist abgeschlossen" in desk.register("Huber Sepp", fee="youth")
    assert state(desk) == before


@pytest.mark.parametrize("typed", ["A1", "Huber Sepp"])
def test_a_refused_confirmation_leaves_the_fee_unchanged(desk: Cashier, typed: str) -> None:
    signed_up(desk.tournament, "Huber Sepp", in_hall=True)
    before = state(desk)
    assert "Kasse 1 ist abgeschlossen" in desk.register(typed, fee="youth")
    assert state(desk) == before


def test_confirming_an_excluded_player_leaves_the_fee_unchanged(desk: Cashier) -> None:
    signed_up(desk.tournament, "Huber Sepp", in_hall=True)
    exclude(desk.tournament, 1, reason="x", by="x", at=AT)
    before = state(desk)
    assert "ausgeschlossen" in desk.register("A1", fee="youth", unpaid="on")
    assert state(desk) == before


@pytest.mark.parametrize("unpaid", [{}, {"unpaid": "on"}])
def test_fee_and_check_in_together_are_said_and_undone(unpaid: dict[str, str]) -> None:
    desk = Cashier(tournament=an_evening())
    edit_fees(desk.tournament, [FeeKind("full", "Erwachsene", 300), FeeKind("youth", "Jugend", 200)])
    announce(desk.tournament, [Newcomer("Huber Sepp")], by="x", at=AT)
    answer = desk.register("Huber Sepp", fee="youth", **unpaid)
    assert f"ist da · 2,00\xa0€ {'offen' if unpaid else 'kassiert'}" in answer
    assert f"/people/1/announced{'' if unpaid else '-refund'}/" in answer
    assert state(desk)[0] == [(1, "youth", "present", "", None if unpaid else 200)]
