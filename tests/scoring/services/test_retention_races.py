"""Races of the night in which names become numbers: with a consent that is being given, and with another server."""

from collections.abc import Iterator
from functools import partial

import pytest
from django.db import transaction

from scoring.queries.retention import names_without_ground
from tests.races import at_once, while_uncommitted
from tests.races import kept_threads as kept_threads
from tests.scoring.a_club import forget_club
from tests.scoring.services.test_retention import NAMES, club, consent, evening, forget, named
from tests.tournaments.services.test_people import a_person
from tournaments.models import Deletion

pytestmark = pytest.mark.usefixtures("kept_threads", "no_club_afterwards")


@pytest.fixture
def no_club_afterwards(committed: None) -> Iterator[None]:
    """Leave neither club nor people behind, which the server of other tests would show."""
    yield
    with transaction.atomic():
        forget_club()


def test_a_consent_that_is_given_at_the_same_moment_counts() -> None:
    club()
    person = a_person(NAMES[0])
    tournament = evening(31, person)
    answers = while_uncommitted(partial(consent, person), forget)
    assert (answers, named(tournament)) == ([4], [NAMES[0]])


def test_without_the_lock_the_consent_would_not_be_seen() -> None:
    """The control: who reads and does not wait for the person still counts the name."""
    club()
    person = a_person(NAMES[0])
    tournament = evening(31, person)

    def unlocked() -> int:
        return names_without_ground([tournament.pk]).count()

    assert while_uncommitted(partial(consent, person), unlocked) == [5]
    assert unlocked() == 4


def test_two_servers_that_forget_at_once_do_it_once() -> None:
    club()
    forget()
    before = Deletion.objects.count()
    tournament = evening(31)
    at_once(forget, forget)
    assert (Deletion.objects.count() - before, named(tournament)) == (1, [])
