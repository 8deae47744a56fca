"""The year's standing of generated clubs: as the oracle says, and what holds for every rule."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from scoring.core.series import EveningScore, PlayedEvening, SeriesRow, series_standing
from scoring.core.series_rule import SeriesRule
from tests.scoring.core import series_clubs
from tournaments.core.lot import draw_lot

SEED = "5e" * 32
Evenings = Sequence[Sequence[series_clubs.Result]]


def evenings_of(evenings: Evenings) -> list[PlayedEvening]:
    return [
        PlayedEvening(f"a{number}", "survival", tuple(EveningScore(**result) for result in results))
        for number, results in enumerate(evenings)
    ]


def ranked(rule: dict[str, Any], evenings: Evenings, **options: Any) -> tuple[SeriesRow, ...]:
    return series_standing(SeriesRule.from_dict(rule), evenings_of(evenings), **options)


def counting(row: SeriesRow) -> list[int]:
    return [number for number, evening in enumerate(row.evenings) if evening.counts]


@pytest.mark.parametrize("first", range(0, 500, 50))
def test_standings_of_500_clubs_are_as_worked_out_once_more(first: int) -> None:
    for number in range(first, first + 50):
        rule, evenings = series_clubs.club(number)
        seed = SEED if number % 2 else ""
        rows = ranked(rule, evenings, lot_seed=seed)
        found = {row.player: {"rank": row.rank, "value": row.value, "counts": counting(row)} for row in rows}
        lot = (lambda size: draw_lot(SEED, range(size))) if seed else None
        assert found == series_clubs.standing(rule, evenings, lot), number
        ranks = [row.rank for row in rows if row.rank is not None]
        assert [row.shared for row in rows if row.rank is not None] == [
            ranks.count(rank) > 1 for rank in ranks
        ]


def test_every_value_and_every_way_of_guests_occurs_among_these_clubs() -> None:
    rules = [series_clubs.club(number)[0] for number in range(500)]
    combinations = {(rule["value"], rule["combine"], rule["guests"]) for rule in rules}
    assert len(combinations) == 5 * 2 * 3


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_the_order_of_evenings_matters_for_the_last_evening_only(first: int) -> None:
    for number in range(first, first + 40):
        rule, evenings = series_clubs.club(number)
        rule["ties"] = [tie for tie in rule["ties"] if tie != "last_evening"]
        shuffled = Random(number).sample(evenings, len(evenings))
        assert ranks_and_values(ranked(rule, shuffled)) == ranks_and_values(ranked(rule, evenings))


def ranks_and_values(rows: Sequence[SeriesRow]) -> dict[str, tuple[int | None, Fraction]]:
    return {row.player: (row.rank, row.value) for row in rows}


def test_the_last_evening_decides_by_the_order() -> None:
    rule = {"title": "Jahr", "value": "points", "ties": ["last_evening"]}
    evenings = [
        [{"player": "a", "rank": 1, "points": 9}, {"player": "b", "rank": 2, "points": 4}],
        [{"player": "b", "rank": 1, "points": 9}, {"player": "a", "rank": 2, "points": 4}],
    ]
    assert [row.player for row in ranked(rule, evenings)] == ["b", "a"]
    assert [row.player for row in ranked(rule, evenings[::-1])] == ["a", "b"]


def test_a_sum_of_the_best_never_falls_when_an_evening_of_at_least_nothing_is_added() -> None:
    for number in range(150):
        rule, evenings = series_clubs.club(number)
        rule |= {"combine": "sum", "count_best": 1 + number % 9}
        rule.pop("strike_worst", None)
        evenings = [[line | {"points": max(0, line["points"])} for line in lines] for lines in evenings]
        before = ranks_and_values(ranked(rule, evenings[:-1]))
        after = ranks_and_values(ranked(rule, evenings))
        assert all(after[player][1] >= value for player, (_, value) in before.items()), number


def test_skipping_guests_lowers_the_place_points_of_nobody() -> None:
    for number in range(150):
        rule, evenings = series_clubs.club(number)
        rule |= {"value": "place_points", "place_points": [10, 8, 6, 5, 4, 3, 2, 1]}
        everybody = {row.player: row.evenings for row in ranked(rule | {"guests": "rank"}, evenings)}
        for row in ranked(rule | {"guests": "skip"}, evenings):
            for with_guests, without in zip(everybody[row.player], row.evenings, strict=True):
                assert without.value is None or without.value >= (with_guests.value or 0)


def test_players_who_cannot_win_any_more_never_win_in_any_future() -> None:
    """Each club is cut off early, and its own last evenings are the future; the wall shows who is still in it."""
    said_out = 0
    for number in range(300):
        rule, evenings = series_clubs.club(number)
        if len(evenings) > 30 or rule["value"] in ("points", "strokes"):
            continue
        for left in range(min(4, len(evenings))):
            held = evenings[: len(evenings) - left]
            out = {row.player for row in ranked(rule, held, remaining=left) if row.can_win is False}
            winners = {row.player for row in ranked(rule, evenings) if row.rank == 1}
            assert not winners & out, (number, left)
            said_out += len(out)
    assert said_out > 100


def test_points_and_strokes_have_no_bound_so_nobody_is_out() -> None:
    rule, evenings = series_clubs.club(3)
    rule = {"title": "Jahr", "value": "points"}
    assert {row.can_win for row in ranked(rule, evenings, remaining=2)} == {None}
