"""Race tests of sign-ups: two desks confirm one person, and two players want the last place."""

from functools import partial
from threading import Barrier

import pytest
from django.db import transaction

from tests.factories import AT
from tests.races import at_once
from tests.races import kept_threads as kept_threads
from tests.tournaments.services.test_sign_ups import HOME, an_evening, signed_up
from tournaments.core.refusal import Refusal
from tournaments.links import new_sign_up_code
from tournaments.models import Participant, SignUp, SignUpTerms, Tournament
from tournaments.services import sign_ups

pytestmark = pytest.mark.usefixtures("kept_threads")
TIMES = 6


def test_of_two_desks_that_confirm_a_person_at_once_one_does() -> None:
    for _ in range(TIMES):
        tournament = an_evening()
        signed_up(tournament)
        both = [
            partial(sign_ups.confirm, tournament, 1, paid=True, by=by, at=AT, desk=by) for by in ("a", "b")
        ]
        told = at_once(*both)
        assert {type(answer) for answer in told} == {Participant, Refusal}
        [refusal] = [answer for answer in told if isinstance(answer, Refusal)]
        assert refusal.code == "sign_up_confirmed_as"
        assert [person.payments.count() for person in tournament.participants.all()] == [1]


def test_without_the_lock_both_desks_would_make_a_player() -> None:
    """Control: both read the sign-up before one of them has written."""
    tournament = an_evening()
    signed_up(tournament)
    both_have_read = Barrier(2)

    def confirm_without_lock(number: int) -> None:
        with transaction.atomic():
            assert SignUp.objects.get(tournament=tournament, number=1).participant is None
            both_have_read.wait(30)
            Participant.objects.create(
                tournament=tournament, start_number=number, name="x", registered_at=AT, registered_by="x"
            )

    at_once(partial(confirm_without_lock, 1), partial(confirm_without_lock, 2))
    assert tournament.participants.count() == 2


def test_of_two_simultaneous_sign_ups_for_the_last_place_one_waits() -> None:
    for _ in range(TIMES):
        tournament = an_evening(most=1)
        told = at_once(*(partial(signed_up, tournament, name) for name in ("Huber Sepp", "Meier Anna")))
        assert [row for row in told if isinstance(row, Exception)] == []
        assert sorted(row.number for row in tournament.sign_ups.all()) == [1, 2]
        assert tournament.sign_ups.filter(placed_at=None).count() == 1


def test_without_the_lock_both_would_have_the_last_place() -> None:
    """Control: both count the places before one of them has taken one."""
    tournament = an_evening(most=1)
    both_have_counted = Barrier(2)

    def sign_up_without_lock(number: int) -> None:
        with transaction.atomic():
            assert SignUpTerms.objects.get(tournament=tournament).most == 1
            assert not tournament.sign_ups.exists()
            both_have_counted.wait(30)
            tournament.sign_ups.create(
                number=number, name="x", code_hash=str(number), made_at=AT, placed_at=AT
            )

    at_once(partial(sign_up_without_lock, 1), partial(sign_up_without_lock, 2))
    assert tournament.sign_ups.exclude(placed_at=None).count() == 2


def test_a_form_sent_twice_at_once_makes_one_sign_up() -> None:
    for _ in range(TIMES):
        tournament = an_evening()
        code = new_sign_up_code()
        told = at_once(*(partial(_sent, tournament, code) for _ in range(2)))
        assert told == [1, 1]
        assert tournament.sign_ups.count() == 1


def _sent(tournament: Tournament, code: str) -> int:
    made = sign_ups.sign_up(
        tournament, name="Huber Sepp", club="", names="", code=code, in_hall=False, sender=HOME, at=AT
    )
    return made.number


def test_a_withdrawal_at_the_door_and_a_sign_up_at_once_do_not_wait_for_each_other_for_ever() -> None:
    """The door locks the tournament and then the terms; a sign-up in the hall does so in the same order."""
    for _ in range(TIMES):
        tournament = an_evening(without_desk=True)
        signed_up(tournament, "Moser Max", in_hall=True)
        told = at_once(
            partial(sign_ups.confirm, tournament, 1, paid=True, by="a", at=AT),
            partial(signed_up, tournament, "Huber Sepp", in_hall=True),
        )
        assert [row for row in told if isinstance(row, Exception)] == []
        assert tournament.participants.count() == 2
