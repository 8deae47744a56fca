"""Races of the way back from an import and a draw: either the players are seated, or they are taken out."""

from collections.abc import Callable
from functools import partial
from threading import Barrier

import pytest
from django.db.models import ProtectedError

from scoring.services.rounds import DrawOptions, draw_next
from tests.factories import TournamentFactory
from tests.races import at_once, while_uncommitted
from tests.tournaments.door.test_taking_a_list_out import BY, an_import
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Seat, Tournament
from tournaments.queries.people_lists import reasons_to_stay
from tournaments.services.door import set_presence
from tournaments.services.people_lists import take_out_list

pytestmark = pytest.mark.usefixtures("committed")


def an_evening_of_a_list() -> Tournament:
    tournament = TournamentFactory.create()
    an_import(tournament, range(1, 11), paid_cents=0)
    for number in range(1, 11):
        set_presence(tournament, number, present=True)
    return tournament


def draws(tournament: Tournament) -> Callable[[], object]:
    return partial(draw_next, tournament, number=1, options=DrawOptions(exceptions=True), **BY)


def take_out_without_lock(tournament: Tournament, all_have_looked: Callable[[], object]) -> None:
    people = tournament.participants.filter(imported_list__number=1)
    assert not reasons_to_stay(tournament, people)
    all_have_looked()
    people.delete()


def test_a_list_that_is_being_drawn_stays() -> None:
    tournament = an_evening_of_a_list()
    (told,) = while_uncommitted(draws(tournament), partial(take_out_list, tournament, 1, **BY))
    assert isinstance(told, Refusal)
    assert told.code == "list_in_use"
    assert Seat.objects.filter(tournament=tournament).count() == 10


def test_a_list_that_is_being_taken_out_is_not_drawn() -> None:
    tournament = an_evening_of_a_list()
    (told,) = while_uncommitted(partial(take_out_list, tournament, 1, **BY), draws(tournament))
    assert isinstance(told, Refusal)
    assert told.code == "too_few_players"
    assert not Participant.objects.filter(tournament=tournament).exists()


def test_without_the_lock_people_who_are_seated_meanwhile_count_as_untouched() -> None:
    """Control: who takes out has looked before the draw. Only the key of their seats keeps the players, without a sentence."""
    tournament = an_evening_of_a_list()
    both = Barrier(2, timeout=30)
    drawn = Barrier(2, timeout=30)

    def looks_and_deletes() -> None:
        take_out_without_lock(tournament, lambda: (both.wait(), drawn.wait()))

    def is_drawn_meanwhile() -> None:
        both.wait()
        draws(tournament)()
        drawn.wait()

    told = at_once(looks_and_deletes, is_drawn_meanwhile)
    assert isinstance(told[0], ProtectedError)
    assert told[1] is None
