"""The preview of a draw with a few players more or fewer."""

from tournaments.core.preview import previews
from tournaments.rulesets.loader import preset

SHEET_1 = preset("schnauz-placing")
THIRTY = tuple(tuple(range(first, first + 5)) for first in range(1, 31, 5))


def test_three_fewer_to_three_more() -> None:
    rows = previews(range(1, 31), SHEET_1.tables)
    assert [(row.players, row.tables) for row in rows] == [
        (27, 5),
        (28, 5),
        (29, 5),
        (30, 6),
        (31, 6),
        (32, 6),
        (33, 6),
    ]


def test_the_repeats_that_cannot_be_avoided_whoever_stays_away() -> None:
    """30 played in six fives. With 27 to 29 there are five tables: no pair of a five has to meet again."""
    rows = previews(range(1, 31), SHEET_1.tables, history=[THIRTY])
    assert [row.repeats for row in rows] == [0] * 7
    sixes = [tuple(range(first, first + 6)) for first in range(1, 25, 6)]
    rows = previews(range(1, 25), SHEET_1.tables, history=[tuple(sixes)])
    assert [(row.players, row.repeats) for row in rows] == [
        (21, 5),
        (22, 6),
        (23, 7),
        (24, 8),
        (25, 4),
        (26, 4),
        (27, 4),
    ]


def test_a_head_count_without_tables_says_why() -> None:
    found = previews([1, 2], SHEET_1.tables)
    assert [one.tables for one in found] == [0, 0, 0, 0, 1, 1]
    assert found[0].refusal is not None
    assert found[0].refusal.code == "too_few_players"
