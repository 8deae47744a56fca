"""Names in columns: how many lines they take, and how pages are filled."""

from collections.abc import Sequence

import pytest

from scoring.public.name_columns import pages_of_names
from scoring.public.wall import shortened
from scoring.queries.public_seats import PublicSeat

HUBER, GROSSMANN = ("Huber,", " Sepp"), ("Großmann-Wimmerstedt,", " Wilhelmine-Mathilde")


def sizes(names: Sequence[tuple[str, ...]], kept: int = 0) -> list[list[int]]:
    return [[len(column) for column in page] for page in pages_of_names(names, kept=kept)]


@pytest.mark.parametrize(
    ("names", "pages"),
    [
        (0, []),
        (12, [[12]]),
        (13, [[8, 5]]),
        (21, [[12, 9]]),
        (22, [[7, 4], [7, 4]]),  # as even as can be
        (126, [[12, 9]] * 6),
        (132, [[12, 12, 9]] * 4),
        (300, [[11, 11, 8]] * 10),
    ],
)
def test_columns_are_as_few_as_suffice_and_the_last_ends_above_the_code(
    names: int, pages: list[list[int]]
) -> None:
    assert sizes([HUBER] * names) == pages


def test_a_long_name_takes_the_lines_of_several() -> None:
    long = [GROSSMANN] * 12
    assert sizes(long) == [[12]]  # one column is wide enough
    assert sizes([*long, HUBER]) == [[4, 2], [4, 3]]


def test_who_is_missing_takes_lines_of_each_column() -> None:
    assert sizes([HUBER] * 12, kept=4) == [[8, 4]]


def test_names_that_would_be_the_same_with_an_initial_stay_whole() -> None:
    names = ["Sepp Huber", "Stefan Huber", "Karl-Heinz Maier"]
    seats = [PublicSeat(1, number, number, name) for number, name in enumerate(names, start=1)]
    assert [seat.listed_parts for seat in shortened(seats)] == [
        ("Huber", "Sepp"),
        ("Huber", "Stefan"),
        ("Maier", "K."),
    ]
