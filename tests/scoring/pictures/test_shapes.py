"""Shapes of the pictures: they stay in the box, keep the order, and say the same as the figures."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring.core.ranking import Score, standings
from scoring.pictures.meetings import matrix, met_by
from scoring.pictures.race import MOST_ROUNDS, race, ranks_by_round
from scoring.pictures.shapes import bars, written
from scoring.pictures.spread import HEAD, MOST_STEPS, PLOT, spread
from tournaments.rulesets.loader import preset

RULES = preset("schnauz-placing")
VALUES = st.one_of(st.none(), st.integers(-200, 900))


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=20))
def test_bars_stay_in_the_box_and_are_as_long_as_their_values(
    pairs: list[tuple[int | None, int | None]],
) -> None:
    values, marks = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = bars(values, marks)
    assert [bar is None for bar in found] == [value is None for value in values]
    drawn = [(bar, value) for bar, value in zip(found, values, strict=True) if bar and value is not None]
    for bar, _value in drawn:
        assert -1e-9 <= bar.start <= bar.start + bar.length <= 100 + 1e-9
        assert bar.mark is None or -1e-9 <= bar.mark <= 100 + 1e-9
    by_value = sorted(drawn, key=lambda pair: abs(pair[1]))
    assert all(a[0].length <= b[0].length + 1e-9 for a, b in pairwise(by_value))


def test_a_bar_below_zero_ends_where_those_above_begin() -> None:
    lost, won, nothing, absent = bars([-5, 15, 0, None])
    assert lost is not None
    assert won is not None
    assert nothing is not None
    assert (lost.start, lost.length, won.start, won.length) == (0, 25, 25, 75)
    assert (nothing.start, nothing.length, absent) == (25, 0, None)


def test_lengths_are_written_with_a_point_and_without_what_says_nothing() -> None:
    assert [written(12.5, "%"), written(100, "%"), written(0, "em"), written(1 / 3, "em")] == [
        "12.5%",
        "100%",
        "0em",
        "0.33em",
    ]


HISTORIES = st.integers(2, 30).flatmap(
    lambda players: st.lists(
        st.lists(st.integers(0, 6), min_size=players, max_size=players), min_size=1, max_size=8
    )
)


@given(HISTORIES, st.data())
def test_a_race_keeps_the_order_of_the_ranks_in_every_round(
    points: list[list[int]], data: st.DataObject
) -> None:
    people = range(1, len(points[0]) + 1)
    scores = [Score(p, n, points[n - 1][p - 1], 0) for n in range(1, len(points) + 1) for p in people]
    now = standings(people, scores, rounds=len(points), ruleset=RULES)
    history = ranks_by_round(people, scores, RULES, {row.start_number: row.rank for row in now})
    assert len(history) == len(points)
    own = data.draw(st.sampled_from(people))
    leaders = [row.start_number for row in now[:5]]
    picture = race(history, leaders, own)
    if len(points) < 2:
        assert picture is None
        return
    assert picture is not None
    assert {runner.start_number for runner in picture.runners} == {*leaders, own}
    assert [runner.start_number for runner in picture.runners if runner.is_own] == [own]
    assert [runner.ranks[-1] for runner in picture.runners] == sorted(history[-1][p] for p in {*leaders, own})
    for runner in picture.runners:
        assert list(runner.ranks) == [ranks[runner.start_number] for ranks in history]
        assert [stop.rank for stop in runner.stops] == list(runner.ranks[-MOST_ROUNDS:])
        assert all(0 < stop.column < 100 for stop in runner.stops)
    for index in range(len(picture.columns)):
        stops = sorted((runner.stops[index] for runner in picture.runners), key=lambda stop: stop.place)
        assert [stop.place for stop in stops] == list(range(len(picture.runners)))
        assert [stop.rank for stop in stops] == sorted(stop.rank for stop in stops)


def test_players_who_share_a_rank_lie_in_rows_of_their_own_with_the_same_number() -> None:
    history = ({1: 1, 2: 1, 3: 3}, {1: 2, 2: 2, 3: 1})
    picture = race(history, [3, 1, 2])
    assert picture is not None
    first = [runner.stops[0] for runner in picture.runners]
    assert [(runner.start_number, runner.stops[-1].rank) for runner in picture.runners] == [
        (3, 1),
        (1, 2),
        (2, 2),
    ]
    assert sorted((stop.place, stop.rank) for stop in first) == [(0, 1), (1, 1), (2, 3)]


def test_the_heights_of_a_race_are_shares_of_the_picture_so_that_they_follow_the_size_of_the_text() -> None:
    picture = race(({1: 1, 2: 2, 3: 3}, {1: 1, 2: 2, 3: 3}), [1, 2, 3])
    assert picture is not None
    assert picture.height == "9.5em"
    assert [runner.stops[-1].y for runner in picture.runners] == ["34.21%", "60.53%", "86.84%"]


def test_a_race_takes_the_ranks_of_now_as_they_are_shown() -> None:
    """A decision on a tie counts."""
    scores = [Score(player, number, 3, 0) for player in (1, 2) for number in (1, 2)]
    assert ranks_by_round([1, 2], scores, RULES, {2: 1, 1: 2}) == ({1: 1, 2: 1}, {2: 1, 1: 2})
    assert ranks_by_round([1, 2], [Score(1, 1, None, 4)], RULES, {1: 1, 2: 1}) == ()


@given(st.lists(st.integers(-300, 2000), min_size=1, max_size=300), st.data())
def test_the_spread_counts_everybody_once_and_stays_in_the_box(
    points: list[int], data: st.DataObject
) -> None:
    own = data.draw(st.sampled_from(points))
    picture = spread(points, own)
    if len(set(points)) == 1:
        assert picture is None
        return
    assert picture is not None
    assert len(picture.steps) <= MOST_STEPS
    assert sum(step.count for step in picture.steps) == len(points)
    assert [step.first <= own <= step.last for step in picture.steps] == [
        step.is_own for step in picture.steps
    ]
    assert picture.ahead + picture.level + picture.behind + 1 == len(points)
    assert (picture.lowest, picture.highest) == (min(points), max(points))
    assert all(a.last + 1 == b.first for a, b in pairwise(picture.steps))
    for step in picture.steps:
        assert step.count == sum(step.first <= value <= step.last for value in points)
        assert 0 <= step.left <= step.left + step.breadth <= 100
        assert 0 <= step.tall <= PLOT
        assert (step.tall == PLOT) == (step.count == max(one.count for one in picture.steps))
    assert HEAD > 1


def test_without_a_result_of_ones_own_there_is_no_spread() -> None:
    assert spread([1, 2], 3) is None
    assert spread([], 0) is None


SEATINGS = st.lists(
    st.lists(st.integers(1, 40), min_size=2, max_size=7, unique=True), min_size=1, max_size=20
)


@given(SEATINGS, st.integers(1, 40))
def test_meetings_agree_with_the_matrix_of_everybody(tables: list[list[int]], player: int) -> None:
    picture = matrix(tables)
    assert picture is not None
    pairs = {(one, other): times for one, other, times in picture.pairs}
    met = met_by(player, enumerate(tables, start=1))
    assert {one.start_number: len(one.rounds) for one in met} == {
        other if player == one else one: times
        for (one, other), times in pairs.items()
        if player in (one, other)
    }
    assert [len(one.rounds) for one in met] == sorted((len(one.rounds) for one in met), reverse=True)
    assert sum(cells.path.count("M") for cells in picture.cells) == 2 * len(pairs)
    assert [picture.once, picture.twice] == [list(pairs.values()).count(times) for times in (1, 2)]
    assert picture.once + picture.twice + picture.more == len(pairs)
    assert all(0 < label.place < 100 for label in picture.labels)
    assert len(picture.labels) <= 12


def test_the_matrix_is_symmetric_and_leaves_the_diagonal_free() -> None:
    picture = matrix([[7, 3], [3, 7], [3, 9]])
    assert picture is not None
    assert picture.numbers == (3, 7, 9)
    assert [(cells.times, cells.path) for cells in picture.cells] == [
        (1, "M0 2h1v1h-1zM2 0h1v1h-1z"),
        (2, "M0 1h1v1h-1zM1 0h1v1h-1z"),
    ]
    assert picture.pairs == ((3, 7, 2), (3, 9, 1))
    assert [cells.shade for cells in picture.cells] == [1, 2]
    assert matrix([]) is None
