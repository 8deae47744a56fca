"""Race tests of flags: two organisers look into one at once, or one looks while the other settles it."""

from functools import partial
from threading import Barrier

import pytest
from django.db import transaction

from scoring.models import Flag
from scoring.services.flags import close_flag, mark_in_progress, raise_flag
from tests.factories import AT
from tests.races import at_once
from tests.races import kept_threads as kept_threads
from tests.scoring.pages import Staff
from tournaments.core.refusal import Refusal

pytestmark = pytest.mark.usefixtures("kept_threads")
TIMES = 8


@pytest.fixture
def desk(committed: None) -> Staff:
    desk = Staff(5)
    desk.draw()
    return desk


def raised(desk: Staff, number: int = 1) -> Flag:
    note, browser = f"falsch {number}", str(number)
    return raise_flag(desk.tournament, 1, 1, note=note, name="", address="10.0.0.7", browser=browser, at=AT)


def test_of_two_organisers_who_mark_a_flag_at_once_one_succeeds(desk: Staff) -> None:
    for number in range(TIMES):
        flag = raised(desk, number)
        both = [partial(mark_in_progress, desk.tournament, flag.pk, by=by, at=AT) for by in "ab"]
        answers = at_once(*both)
        refused = [answer for answer in answers if isinstance(answer, Refusal)]
        looks = Flag.objects.get(pk=flag.pk).looked_by
        assert [answer.code for answer in refused] == ["flag_is_looked_at"]
        assert [answer.looked_by for answer in answers if isinstance(answer, Flag)] == [looks]


def test_marking_does_not_reopen_a_closed_flag(desk: Staff) -> None:
    for number in range(TIMES):
        flag = raised(desk, number)
        look = partial(mark_in_progress, desk.tournament, flag.pk, by="a", at=AT)
        close = partial(close_flag, desk.tournament, flag.pk, word="stimmt", by="b", at=AT)
        looked, closed = at_once(look, close)
        stored = Flag.objects.get(pk=flag.pk)
        assert isinstance(closed, Flag)
        assert (stored.closed_word, stored.phone) == ("stimmt", "")
        assert isinstance(looked, Flag) is (stored.looked_by == "a")


def test_without_the_lock_the_second_would_replace_the_first(desk: Staff) -> None:
    """Control: both see that nobody looks into it, and the second is stored over the first."""
    flag = raised(desk)
    both_have_seen, first_is_stored = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def look(by: str) -> None:
        with transaction.atomic():
            row = Flag.objects.get(pk=flag.pk)
            assert row.looked_at is None
            both_have_seen.wait()
            if by == "b":
                first_is_stored.wait()
            row.looked_at, row.looked_by = AT, by
            row.save(update_fields=["looked_at", "looked_by"])
        if by == "a":
            first_is_stored.wait()

    at_once(*(partial(look, by) for by in "ab"))
    assert Flag.objects.get(pk=flag.pk).looked_by == "b"
