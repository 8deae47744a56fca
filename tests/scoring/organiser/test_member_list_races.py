"""Two imports of one list of members at the same time."""

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


def test_two_imports_at_once_do_not_double() -> None:
    """Both have been shown the same, and wait for somebody who is being added: one is taken, the other is asked again."""
    lines, today = read_members("Name;Ort\nHuber Sepp;Hof").lines, AT.date()
    once = partial(take_members, lines, seen=member_plan(lines, on=today).digest, on=today)
    try:
        told = while_uncommitted(partial(a_person, "Kern Lena"), once, once)
        assert sorted(getattr(answer, "code", "taken") for answer in told) == ["people_have_changed", "taken"]
        assert Person.objects.count() == 2
    finally:
        Person.objects.all().delete()
