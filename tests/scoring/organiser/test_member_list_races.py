"""Imports of a list of members while somebody else is at the people."""

from functools import partial

import pytest

from scoring.organiser.people.member_list import read_members
from tests.factories import AT
from tests.races import while_uncommitted
from tests.tournaments.services.test_people import a_person
from tournaments.models import Person
from tournaments.queries.member_list import member_plan
from tournaments.services.people import take_members

pytestmark = pytest.mark.usefixtures("committed")


def test_a_list_waits_for_somebody_who_is_being_added_and_nobody_is_doubled() -> None:
    """Both lists have been shown before the person is there; without the lock of the table each would add another one."""
    lines, today = read_members("Name;Ort\nHuber Sepp;Hof").lines, AT.date()
    once = partial(take_members, lines, seen=member_plan(lines, on=today).digest, on=today)
    before = Person.objects.count()  # of other tests
    try:
        told = while_uncommitted(partial(a_person, "Huber Sepp", town="Hof"), once, once)
        assert [getattr(answer, "code", "taken") for answer in told] == ["people_have_changed"] * 2
        assert Person.objects.count() == before + 1
    finally:
        Person.objects.all().delete()
