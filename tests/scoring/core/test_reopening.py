"""A reopened sheet is confirmed anew before it is handed in again."""

from dataclasses import replace

import pytest

from scoring.core.reopening import standing_confirmations, to_confirm_anew
from scoring.core.sheet import SheetLog
from tests.scoring.core.writing import (
    SCHNAUZ_PLACING,
    SUBMITTED,
    accepted,
    confirmed,
    knock,
    reopened,
    stroke,
    table_of,
    written,
)
from tournaments.rulesets.schema import Confirmation


def handed_in(confirmation: Confirmation, *seats: int) -> SheetLog:
    """Return a sheet of two that was handed in with the confirmations of these seats."""
    ruleset = replace(SCHNAUZ_PLACING, confirmation=confirmation)
    return table_of(2, *[knock(2)] * 4, *map(confirmed, seats), SUBMITTED, ruleset=ruleset)


def test_before_a_reopening_every_confirmation_that_stands_counts() -> None:
    sheet = table_of(2, *[knock(2)] * 4, confirmed(1), ruleset=SCHNAUZ_PLACING)
    assert standing_confirmations(sheet) == {1}
    assert to_confirm_anew(sheet) == []


def test_after_a_reopening_all_confirm_anew_also_if_nothing_has_changed() -> None:
    sheet = written(handed_in("required", 1, 2), reopened())
    assert sheet.confirmed == {1, 2}
    assert standing_confirmations(sheet) == frozenset()
    assert to_confirm_anew(sheet) == [1, 2]
    assert to_confirm_anew(written(sheet, confirmed(2))) == [1]
    assert to_confirm_anew(written(sheet, confirmed(2), confirmed(1))) == []


def test_each_reopening_asks_again() -> None:
    sheet = written(
        handed_in("required", 1, 2), accepted(), reopened(), confirmed(1), confirmed(2), SUBMITTED
    )
    assert to_confirm_anew(written(sheet, reopened(), confirmed(2))) == [1]


def test_a_fact_ends_the_new_confirmations_as_well() -> None:
    sheet = written(handed_in("required", 1, 2), reopened(), confirmed(1), confirmed(2), stroke(1))
    assert (standing_confirmations(sheet), to_confirm_anew(sheet)) == (frozenset(), [1, 2])


@pytest.mark.parametrize(
    ("confirmation", "before", "asked"),
    [("optional", (1, 2), [1, 2]), ("optional", (2,), [2]), ("optional", (), []), ("paper", (1, 2), [])],
)
def test_where_nobody_has_to_confirm_those_do_it_anew_who_did(
    confirmation: Confirmation, before: tuple[int, ...], asked: list[int]
) -> None:
    assert to_confirm_anew(written(handed_in(confirmation, *before), reopened())) == asked
