"""When a round and the evening will be over, from the pace of the tables."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from scoring.core.pace import end_of_evening, end_of_round
from tests.factories import AT

HALF_AN_HOUR = timedelta(minutes=30)


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ([0.5], 60),
        ([0.5, 0.75, 1], 60),
        ([0.5, 0.25], 120),
        ([0.5, 0.1], 60),  # nothing can be said of a table that has hardly begun
    ],
)
def test_a_round_is_over_when_its_slowest_table_has_finished(written: Sequence[float], minutes: int) -> None:
    ends_at = end_of_round(written, started_at=AT, at=AT + HALF_AN_HOUR)
    assert ends_at == AT + timedelta(minutes=minutes)


@pytest.mark.parametrize("written", [[], [0, 0.1], [1, 1]])
def test_without_a_pace_nothing_is_said(written: Sequence[float]) -> None:
    assert end_of_round(written, started_at=AT, at=AT + HALF_AN_HOUR) is None


def test_each_round_to_come_takes_as_long_and_a_break() -> None:
    ends_at = AT + timedelta(minutes=60)
    assert end_of_evening(ends_at, started_at=AT, rounds_left=0) == ends_at
    assert end_of_evening(ends_at, started_at=AT, rounds_left=2) == ends_at + timedelta(minutes=150)
