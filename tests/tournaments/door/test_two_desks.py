"""Registering at two cash desks at once: no number is given twice or left out."""

from datetime import UTC, date, datetime
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Max

from tests.races import at_once
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.door import Newcomer, check_in, register, take_fee
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import create_tournament

AT = datetime(2026, 11, 21, 18, 25, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tournament(committed: None) -> Tournament:
    return create_tournament(
        slug=f"abend-{uuid4()}"[:40],
        name="Preisschnauz",
        played_on=date(2026, 11, 21),
        place="",
        names="full",
        ruleset=preset("schnauz-placing"),
        owner=None,
        at=AT,
    )


def test_two_desks_give_every_number_once(tournament: Tournament) -> None:
    def desk(name: str) -> list[int]:
        return [
            register(
                tournament, name=f"Spieler {name} {n}", paid=True, by=name, at=AT, desk=name
            ).start_number
            for n in range(20)
        ]

    answers = at_once(lambda: desk("eins"), lambda: desk("zwei"))
    numbers = [number for answer in answers if isinstance(answer, list) for number in answer]
    assert sorted(numbers) == list(range(1, 41))


def test_without_the_lock_two_desks_would_give_one_number_twice(tournament: Tournament) -> None:
    """Control: without the lock the same steps interleave between reading and writing."""
    both_have_read = Barrier(2, timeout=10)

    def desk() -> int:
        with transaction.atomic():
            last = tournament.participants.aggregate(last=Max("start_number"))["last"] or 0
            both_have_read.wait()
            return tournament.participants.create(
                start_number=last + 1, name="Spieler", registered_at=AT, registered_by="x"
            ).start_number

    answers = at_once(desk, desk)
    assert {type(answer) for answer in answers} == {int, IntegrityError}


def test_two_desks_take_one_fee_once(tournament: Tournament) -> None:
    number = register(tournament, name="Spieler", paid=False, by="eins", at=AT).start_number

    def desk() -> object:
        return take_fee(tournament, number, by="x", at=AT)

    at_once(desk, desk)
    player = Participant.objects.get(tournament=tournament, start_number=number)
    assert [payment.cents for payment in player.payments.all()] == [300]


def test_two_desks_check_one_player_in_once(tournament: Tournament) -> None:
    (player,) = announce(tournament, [Newcomer("Spieler")], by="eins", at=AT)

    def desk() -> object:
        return check_in(tournament, player.start_number, by="x", at=AT)

    answers = at_once(desk, desk)
    assert [payment.cents for payment in player.payments.all()] == [300]
    assert [answer.code for answer in answers if isinstance(answer, Refusal)] == ["already_present"]
