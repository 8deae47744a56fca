"""Who meets whom again."""

from tournaments.core.repeats import Repeat, pairs_met, repeats

FIRST = ((3, 1, 2), (4, 5, 6))
SECOND = ((1, 4, 2), (3, 5, 6))


def test_pairs_are_counted_over_the_rounds() -> None:
    met = pairs_met([FIRST, SECOND])
    assert (met[1, 2], met[5, 6], met[1, 3], met[1, 4], met[1, 6]) == (2, 2, 1, 1, 0)
    assert met.total() == 12


def test_nobody_has_met_before_the_first_round() -> None:
    assert pairs_met([]) == {}
    assert repeats(FIRST, []) == ()


def test_a_repeat_names_table_pair_and_how_often_before() -> None:
    assert repeats(SECOND, [FIRST]) == (Repeat(1, 1, 2, 1), Repeat(2, 5, 6, 1))
    third = ((6, 5), (2, 1), (3, 4))
    assert repeats(third, [FIRST, SECOND]) == (Repeat(1, 5, 6, 2), Repeat(2, 1, 2, 2))
