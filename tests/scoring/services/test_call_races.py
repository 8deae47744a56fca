"""Race tests of calls for the supervisor."""

from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import transaction

from scoring.models import Sheet
from scoring.services import calls
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.races import at_once
from tests.races import kept_threads as kept_threads
from tests.scoring.pages import Staff
from tournaments import links
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("kept_threads")
TIMES = 8


def pass_of(table: Table, device: str) -> links.PhonePass:
    return links.PhonePass(table.pk, table.link_version, device)


def test_of_two_calls_at_once_the_first_keeps_its_time() -> None:
    desk = Staff(5)
    table = desk.draw().tables.get()
    for number in range(TIMES):
        both = [
            partial(
                calls.call_supervisor,
                pass_of(table, device),
                at=AT + timedelta(minutes=number, seconds=second),
            )
            for second, device in enumerate("ab")
        ]
        told = [sheet.row.called_at for sheet in at_once(*both) if not isinstance(sheet, Exception)]
        assert len(told) == 2
        assert told[0] == told[1] == open_sheet(table.pk).row.called_at
        calls.come(table, by="x", at=AT + timedelta(minutes=number, seconds=30))


def test_of_two_simultaneous_answers_to_a_call_one_counts() -> None:
    desk = Staff(5)
    table = desk.draw().tables.get()
    for _ in range(TIMES):
        calls.call_supervisor(pass_of(table, "a"), at=AT)
        at_once(*(partial(calls.come, table, by=by, at=AT) for by in "ab"))
        came = open_sheet(table.pk).row.came_by
        calls.come(table, by="c", at=AT)
        assert open_sheet(table.pk).row.came_by == came in ("a", "b")


def test_without_the_lock_the_second_call_would_replace_the_first() -> None:
    """Control: both see that nobody has called, and the later time is stored over the earlier one."""
    desk = Staff(5)
    table = desk.draw().tables.get()
    open_sheet(table.pk)
    both_have_looked, first_is_stored = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def call_at(second: int) -> None:
        with transaction.atomic():
            row = Sheet.objects.get(table=table)
            assert row.open_call is None
            both_have_looked.wait()
            if second:
                first_is_stored.wait()
            row.called_at = AT + timedelta(seconds=second)
            row.save(update_fields=["called_at"])
        if not second:
            first_is_stored.wait()

    at_once(*(partial(call_at, second) for second in (0, 1)))
    assert Sheet.objects.get(table=table).called_at == AT + timedelta(seconds=1)
