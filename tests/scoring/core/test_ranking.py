"""The standings of the tournament (RULES 1.11; Turnierablauf 8)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.ranking import Score, Standing, competition_ranks, standings
from tournaments.rulesets.loader import preset

RULESET = preset("schnauz-placing")


def table(
    players: Sequence[int], scores: Sequence[Score], decisions: Sequence[Sequence[int]] = (), rounds: int = 3
) -> tuple[Standing, ...]:
    return standings(players, scores, rounds=rounds, ruleset=RULESET, decisions=decisions)


def ranks(rows: Sequence[Standing]) -> dict[int, int]:
    return {row.start_number: row.rank for row in rows}


def level(*players: int) -> list[Score]:
    """Return scores of players who are equal in everything."""
    return [Score(player, 1, 6, 2) for player in players]


def test_rules_1_11_most_points_over_all_rounds_win() -> None:
    scores = [Score(7, 1, 6, 0), Score(7, 2, 4, 0), Score(7, 3, 1, 0), Score(8, 1, 4, 5), Score(8, 2, 6, 0)]
    winner, second = table([8, 7], scores)
    assert (winner.start_number, winner.rank, winner.points, winner.by_round) == (7, 1, 11, (6, 4, 1))
    assert (second.start_number, second.rank, second.points, second.by_round) == (8, 2, 10, (4, 6, None))


def test_rules_1_11_equal_points_more_strokes_win() -> None:
    winner, second = table([1, 2], [Score(1, 1, 6, 1), Score(2, 1, 6, 2)])
    assert (winner.start_number, winner.tie_break, winner.tied) == (2, (2,), False)
    assert (second.start_number, second.tie_break, second.tied) == (1, (1,), False)


def test_rules_1_11_still_equal_they_share_the_rank_and_the_next_is_left_out() -> None:
    rows = table([4, 3, 2, 1], [*level(3, 2), Score(4, 1, 6, 9), Score(1, 1, 1, 0)])
    assert [(row.rank, row.start_number, row.tied) for row in rows] == [
        (1, 4, False),
        (2, 2, True),
        (2, 3, True),
        (4, 1, False),
    ]


def test_who_was_not_there_for_a_round_has_no_points_for_it() -> None:
    (row,) = table([5], [Score(5, 2, 3, 1)])
    assert (row.points, row.by_round, row.strokes) == (3, (None, 3, None), 1)


def test_who_has_not_played_yet_shares_the_last_rank() -> None:
    assert ranks(table([1, 2, 3], level(2))) == {2: 1, 1: 2, 3: 2}


def test_a_sheet_that_does_not_count_yet_gives_neither_points_nor_strokes() -> None:
    (row,) = table([5], [Score(5, 1, None, 4)])
    assert (row.points, row.strokes, row.by_round) == (0, 0, (None, None, None))


def test_scores_of_the_excluded_are_left_out() -> None:
    """RULES 5.8."""
    assert ranks(table([1], [*level(1), Score(2, 1, 6, 9)])) == {1: 1}


def test_there_is_one_place_for_each_round_that_was_drawn() -> None:
    assert table([1], [], rounds=0)[0].by_round == ()
    assert table([1], [], rounds=2)[0].by_round == (None, None)


def test_without_a_chain_of_tie_breaks_points_alone_decide() -> None:
    plain = replace(RULESET, tie_break=())
    rows = standings([1, 2], [Score(1, 1, 6, 9), Score(2, 1, 6, 0)], rounds=1, ruleset=plain)
    assert [(row.rank, row.tie_break, row.strokes) for row in rows] == [(1, (), 9), (1, (), 0)]


# -- The chains of the other rule sheets ------------------------------------------------------------------------------


def by(
    name: str, *scores: Score, rounds: int = 3, players: Sequence[int] = (1, 2, 3)
) -> tuple[Standing, ...]:
    """Return the standings under a preset."""
    return standings(players, scores, rounds=rounds, ruleset=preset(name))


def hands(player: int, number: int, points: int, schnauz: int, feuer: int) -> Score:
    return Score(player, number, points, schnauz + feuer, 1, {"schnauz": schnauz, "feuer": feuer})


def lists(player: int, points: int, *counts: int) -> Score:
    """Return a list of round 1 with Tout won and played, Solos won and played."""
    names = ("tout_won", "tout_played", "solo_won", "solo_played")
    return Score(player, 1, points, 0, 1, dict(zip(names, counts, strict=True)))


def test_rules_2_4_konradsreuth_is_ranked_by_points_and_strokes() -> None:
    """RULES 2.4."""
    rows = by("konradsreuth", Score(1, 1, 6, 1, 1), Score(2, 1, 6, 2, 1))
    assert [(row.start_number, row.tie_break) for row in rows][:2] == [(2, (2,)), (1, (1,))]


def test_rules_3_5_the_points_of_the_rounds_are_added_up() -> None:
    """RULES 3.5."""
    rows = by("fce", hands(1, 1, 500, 0, 0), hands(1, 2, 510, 1, 0), hands(2, 1, 1000, 9, 9))
    assert [(row.start_number, row.points, row.by_round) for row in rows] == [
        (1, 1010, (500, 510, None)),
        (2, 1000, (1000, None, None)),
        (3, 0, (None, None, None)),
    ]


def test_rules_3_6_more_schnauz_decide_then_more_feuer_then_the_rank_is_shared() -> None:
    """RULES 3.6."""
    rows = by("fce", hands(1, 1, 500, 2, 9), hands(2, 1, 500, 3, 0), hands(3, 1, 500, 3, 1))
    assert [(row.start_number, row.rank, row.tie_break) for row in rows] == [
        (3, 1, (3, 1)),
        (2, 2, (3, 0)),
        (1, 3, (2, 9)),
    ]
    assert [row.strokes for row in rows] == [4, 3, 11]
    equal = by("fce", hands(1, 1, 500, 3, 1), hands(3, 1, 500, 3, 1))
    assert [(row.start_number, row.rank, row.tied) for row in equal] == [
        (1, 1, True),
        (3, 1, True),
        (2, 3, False),
    ]


@pytest.mark.parametrize(
    "worse_first",
    [
        [(9, 9, 9, 9), (10, 0, 0, 0)],
        [(1, 1, 9, 9), (1, 2, 0, 0)],
        [(1, 2, 3, 9), (1, 2, 4, 4)],
        [(1, 2, 3, 4), (1, 2, 3, 5)],
    ],
)
def test_rules_5_7_tout_won_then_tout_played_then_solos_won_then_solos_played(
    worse_first: list[tuple[int, ...]],
) -> None:
    """RULES 5.7."""
    worse, better = worse_first
    rows = by("schafkopf", lists(1, 12, *worse), lists(2, 12, *better), rounds=2, players=(1, 2))
    assert [(row.start_number, row.rank, row.tie_break) for row in rows] == [(2, 1, better), (1, 2, worse)]


def test_rules_5_7_points_come_first_and_minus_points_are_points() -> None:
    """RULES 5.7: and until a lot is drawn the rank is shared."""
    rows = by("schafkopf", lists(1, -14, 5, 5, 5, 5), lists(2, -4, 0, 0, 0, 0), lists(3, -4, 0, 0, 0, 0))
    assert [(row.start_number, row.rank, row.tied, row.strokes) for row in rows] == [
        (2, 1, True, 0),
        (3, 1, True, 0),
        (1, 3, False, 0),
    ]


# -- Knockout (RULES 4.3) ---------------------------------------------------------------------------------------------


def at_table(player: int, number: int, rank: int, strokes: int = 0) -> Score:
    return Score(player, number, None, strokes, rank, {"schnauz": strokes, "feuer": 0})


def test_rules_4_3_who_came_further_is_ranked_higher() -> None:
    """RULES 4.3."""
    rows = by("knockout", at_table(1, 1, 1, 9), at_table(2, 1, 2), at_table(2, 2, 7), players=(1, 2, 3))
    assert [(row.start_number, row.points, row.by_round, row.tie_break) for row in rows] == [
        (2, 2, (2, 7, None), (7, 0)),
        (1, 1, (1, None, None), (1, 9)),
        (3, 0, (None, None, None), ()),
    ]


def test_rules_4_3_then_the_better_rank_at_the_last_table_then_more_strokes_there() -> None:
    """RULES 4.3."""
    first = [at_table(player, 1, 1, strokes=9 - player) for player in (1, 2, 3)]
    rows = by("knockout", *first, at_table(1, 2, 2, 1), at_table(2, 2, 2, 3), at_table(3, 2, 1, 0), rounds=2)
    assert [(row.start_number, row.rank, row.tie_break, row.strokes) for row in rows] == [
        (3, 1, (1, 0), 6),
        (2, 2, (2, 3), 10),
        (1, 3, (2, 1), 9),
    ]


def test_rules_4_3_equal_is_shared_and_who_never_sat_comes_last() -> None:
    """RULES 4.3."""
    rows = by(
        "knockout", at_table(1, 1, 3, 1), at_table(3, 1, 3, 1), at_table(4, 1, 4), players=(1, 2, 3, 4, 5)
    )
    assert [(row.start_number, row.rank, row.tied) for row in rows] == [
        (1, 1, True),
        (3, 1, True),
        (4, 3, False),
        (2, 4, True),
        (5, 4, True),
    ]


def test_rules_4_3_a_table_that_is_not_accepted_yet_has_not_been_reached() -> None:
    """RULES 4.3: the last round with an accepted sheet."""
    (row,) = by("knockout", at_table(1, 1, 2), Score(1, 2, None, 5), players=(1,))
    assert (row.points, row.by_round, row.strokes) == (1, (2, None, None), 0)


# -- Decisions: playoff, lot ------------------------------------------------------------------------------------------


def test_rules_1_11_a_decision_orders_players_who_are_equal() -> None:
    rows = table([1, 2, 3, 4], [*level(1, 2, 3), Score(4, 1, 1, 0)], [(3, 1, 2)])
    assert [(row.rank, row.start_number, row.tied) for row in rows] == [
        (1, 3, False),
        (2, 1, False),
        (3, 2, False),
        (4, 4, False),
    ]


def test_a_decision_never_puts_fewer_points_before_more() -> None:
    assert ranks(table([1, 2], [Score(1, 1, 6, 0), Score(2, 1, 4, 0)], [(2, 1)])) == {1: 1, 2: 2}


def test_a_correction_can_take_a_player_out_of_a_decision() -> None:
    rows = table([1, 2, 3], [*level(1, 2), Score(3, 1, 1, 0)], [(3, 2, 1)])
    assert ranks(rows) == {2: 1, 1: 2, 3: 3}


def test_a_decision_is_moot_where_a_correction_made_another_player_equal() -> None:
    rows = table([1, 2, 3], level(1, 2, 3), [(2, 1)])
    assert [(row.rank, row.tied) for row in rows] == [(1, True)] * 3


def test_the_latest_decision_about_the_same_players_counts() -> None:
    assert ranks(table([1, 2], level(1, 2), [(1, 2), (2, 1)])) == {2: 1, 1: 2}


def test_decisions_about_different_ranks_stand_side_by_side() -> None:
    low = [Score(3, 1, 1, 0), Score(4, 1, 1, 0)]
    assert ranks(table([1, 2, 3, 4], [*level(1, 2), *low], [(2, 1), (4, 3)])) == {2: 1, 1: 2, 4: 3, 3: 4}


# -- What always holds ------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5)))
def test_a_competition_rank_is_one_more_than_the_number_of_better_ones(keys: list[int]) -> None:
    assert competition_ranks(keys) == [1 + sum(other > key for other in keys) for key in keys]


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[int], list[Score]]:
    players = draw(st.lists(st.integers(1, 400), unique=True, max_size=25))
    scores = [
        Score(player, number, draw(st.sampled_from([6, 4, None])), draw(st.integers(0, 1)))
        for player in players
        for number in (1, 2, 3)
        if draw(st.booleans())
    ]
    return players, draw(st.permutations(scores))


@given(evenings())
def test_the_standings_are_those_of_comparing_everybody_with_everybody(
    evening: tuple[list[int], list[Score]],
) -> None:
    players, scores = evening
    counting = [score for score in scores if score.points is not None]
    points = {p: sum(s.points or 0 for s in counting if s.start_number == p) for p in players}
    strokes = {p: sum(s.strokes for s in counting if s.start_number == p) for p in players}

    def beats(one: int, other: int) -> bool:
        if points[one] != points[other]:
            return points[one] > points[other]
        return strokes[one] > strokes[other]

    expected = sorted((1 + sum(beats(other, player) for other in players), player) for player in players)
    rows = table(players, scores)
    assert [(row.rank, row.start_number) for row in rows] == expected
    for row in rows:
        assert row.tied == ([rank for rank, _ in expected].count(row.rank) > 1)
        assert row.ranking_key == (points[row.start_number], strokes[row.start_number])
        assert row.points == sum(value or 0 for value in row.by_round)


@given(evenings(), st.lists(st.permutations(range(1, 401)).map(lambda order: tuple(order[:200])), max_size=3))
def test_decisions_change_the_order_among_equals_only(
    evening: tuple[list[int], list[Score]], decisions: list[tuple[int, ...]]
) -> None:
    players, scores = evening
    shared, decided = table(players, scores), table(players, scores, decisions)
    assert [row.ranking_key for row in shared] == [row.ranking_key for row in decided]
    assert {row.start_number for row in shared} == {row.start_number for row in decided}
    assert competition_ranks([-row.rank for row in decided]) == [row.rank for row in decided]
