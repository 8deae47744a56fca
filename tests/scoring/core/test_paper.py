"""A paper sheet typed in as one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.paper import MOST_STROKES, PaperSheet, read_line
from tournaments.core.refusal import Refusal

SIX = range(1, 7)
RANKS = dict(zip(SIX, (3, 4, 1, 6, 2, 4), strict=True))
STROKES = dict(zip(SIX, (1, 0, 2, 0, 0, 1), strict=True))


@pytest.mark.parametrize(
    "line",
    [
        "341624 102001",
        "341624102001",
        "3 4 1 6 2 4 1 0 2 0 0 1",
        "3,4,1,6,2,4  1,0,2,0,0,1",
        "341624 1 0 2 0 0 1",
        "3 4 1 6 2 4 / 1 0 2 0 0 1",
        "341624/102001",
        "341624 1-2--1",
        "  341624\t102001 ",
    ],
)
def test_ranks_and_strokes_can_be_typed_in_many_ways(line: str) -> None:
    assert read_line(line, SIX) == PaperSheet(RANKS, {"schnauz": STROKES})


@pytest.mark.parametrize("line", ["341624 0", "341624/0", "341624 000000", "3 4 1 6 2 4 0", "341624 -"])
def test_a_single_nought_stands_for_no_strokes(line: str) -> None:
    assert read_line(line, SIX) == PaperSheet(RANKS, {"schnauz": dict.fromkeys(SIX, 0)})


def test_ten_strokes_and_more_are_typed_with_spaces() -> None:
    assert read_line("341624 1 0 12 0 0 1", SIX).strokes == {"schnauz": STROKES | {3: 12}}


def test_a_third_group_holds_the_strokes_for_feuer() -> None:
    assert read_line("341624 102001 000010", SIX).strokes == {
        "schnauz": STROKES,
        "feuer": dict.fromkeys(SIX, 0) | {5: 1},
    }


def test_a_table_of_two_can_be_typed_run_together_or_apart() -> None:
    both = [read_line(line, (1, 2)) for line in ("12 1 0", "1 2 1 0", "12/10")]
    assert both == [PaperSheet({1: 1, 2: 2}, {"schnauz": {1: 1, 2: 0}})] * 3


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "paper_ranks_count"),
        ("34162", "paper_ranks_count"),
        ("3416245", "paper_ranks_count"),
        ("341624", "paper_strokes_missing"),
        ("341624 1020", "paper_strokes_count"),
        ("341624 1 0 2", "paper_strokes_count"),
        ("341624 102001 000000 000000", "paper_too_much"),
        ("34a624 102001", "paper_unreadable"),
        ("341624 ١٠٢٠٠١", "paper_unreadable"),
        ("=341624", "paper_unreadable"),
        (f"341624 1 0 {MOST_STROKES + 1} 0 0 1", "paper_too_many_strokes"),
        ("341624 " + "9" * 5000, "paper_strokes_count"),
    ],
)
def test_a_line_that_says_something_else_is_refused(line: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_line(line, SIX)
    assert refused.value.code == code


@pytest.mark.parametrize(("line", "given"), [("34162 0", 5), ("341624 10200", 5), ("341624 1 0 2", 3)])
def test_what_was_read_is_counted(line: str, given: int) -> None:
    with pytest.raises(Refusal) as refused:
        read_line(line, SIX)
    assert refused.value.params == {"given": given, "needed": 6}


def test_the_facts_are_the_ranks_and_one_entry_a_stroke() -> None:
    assert read_line("341624 102001", SIX).drafts() == [
        ("ranked", {"ranks": {"1": 3, "2": 4, "3": 1, "4": 6, "5": 2, "6": 4}}),
        ("stroke", {"seat_number": 1, "mark": "schnauz"}),
        ("stroke", {"seat_number": 3, "mark": "schnauz"}),
        ("stroke", {"seat_number": 3, "mark": "schnauz"}),
        ("stroke", {"seat_number": 6, "mark": "schnauz"}),
    ]


@given(st.integers(3, 7).flatmap(lambda n: st.tuples(*[st.tuples(st.integers(1, 9), st.integers(0, 9))] * n)))
def test_spaces_between_the_numbers_change_nothing(columns: tuple[tuple[int, int], ...]) -> None:
    seats = range(1, len(columns) + 1)
    ranks, strokes = ([str(number) for number in row] for row in zip(*columns, strict=True))
    together = read_line(f"{''.join(ranks)} {''.join(strokes)}", seats)
    assert together == read_line(f"{' '.join(ranks)} {' '.join(strokes)}", seats)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_read_or_refused(line: str) -> None:
    codes = {"paper"}
    try:
        read_line(line, SIX)
    except Refusal as refused:
        codes.add(refused.code.partition("_")[0])
    assert codes == {"paper"}
