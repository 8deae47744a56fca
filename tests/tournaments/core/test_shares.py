"""Shares of a limit between clubs."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.shares import has_place, most_of_all_clubs

CLUBS = st.sampled_from("abcdefgh")
STEPS = st.lists(st.tuples(CLUBS, st.booleans()), max_size=80)
"""A club, and whether it uses one more place, or gives one back."""


@given(st.integers(1, 12))
def test_a_club_alone_has_all_places_and_no_more(most: int) -> None:
    used: Counter[str] = Counter()
    while has_place(used, "a", most):
        used["a"] += 1
    assert used["a"] == most


@given(STEPS, st.integers(1, 12))
def test_beyond_the_limit_each_club_has_its_share_and_all_together_are_bounded(
    steps: list[tuple[str, bool]], most: int
) -> None:
    used: Counter[str] = Counter()
    for club, is_more in steps:
        if is_more:
            share = most // len(used.keys() | {club})
            assert has_place(used, club, most) == (used.total() < most or used[club] < share)
            used[club] += has_place(used, club, most)
        elif used[club]:
            used[club] -= 1
        used += Counter()  # forgets clubs that have none
        assert used.total() <= most_of_all_clubs(most)


def test_a_second_club_has_half_of_the_places_and_a_third_one_a_third() -> None:
    used = Counter(a=6)
    for club, share in (("b", 3), ("c", 2), ("d", 1), ("e", 1), ("f", 1), ("g", 0)):
        while has_place(used, club, 6):
            used[club] += 1
        assert used[club] == share
    assert used.total() == most_of_all_clubs(6)
