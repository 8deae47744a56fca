"""The prize-giving: what is due, what was had, and the steps in which the prizes are revealed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.prize_giving import Handout, PrizeGiving, ceremony_steps, number_revealed, prize_giving
from scoring.core.prizes import PrizeList, PrizeRow

FIRST = PrizeRow("rank", 1, (4,), 7000)
SHARED = PrizeRow("rank", 2, (1, 3), 1500)
HAM = PrizeRow("rank", 3, (2, 5), 0, ("Schinken", "Wurst"), is_open=True)
STROKES = PrizeRow("strokes", None, (2,), 500, key="strokes")
PRIZES = PrizeList(12_000, (FIRST, SHARED, HAM, STROKES))


def got(prize: str, number: int, cents: int = 0, *things: str, kind: Any = "given") -> Handout:
    return Handout(prize, number, kind, cents, things)


def state(*handouts: Handout, prizes: PrizeList = PRIZES) -> PrizeGiving:
    return prize_giving(prizes, handouts)


def settled(giving: PrizeGiving) -> list[str]:
    return [f"{row.row.key} {row.row.rank or ''}".strip() for row in giving.rows if row.is_settled]


# --- what was given ------------------------------------------------------------------------------------------------


def test_special_prizes_come_first_and_the_best_rank_last() -> None:
    assert [row.row for row in state().rows] == [STROKES, HAM, SHARED, FIRST]


def test_the_next_prize_is_the_first_that_nobody_was_called_for() -> None:
    asked = [state(), state(got("strokes", 2, 500)), state(got("strokes", 2, kind="absent"))]
    assert [giving.next and giving.next.row.key for giving in asked] == ["strokes", "rank", "rank"]
    assert settled(asked[1]) == ["strokes"]
    assert settled(asked[2]) == []
    assert asked[2].rows[0].awards[0].is_absent


def test_a_prize_of_two_is_settled_when_both_have_theirs() -> None:
    one = state(got("rank", 1, 1500))
    both = state(got("rank", 1, 1500), got("rank", 3, 1500))
    assert (settled(one), settled(both)) == ([], ["rank 2"])
    assert (one.paid_cents, one.rest_cents) == (1500, 7000 + 1500 + 500)


def test_shared_things_go_to_whom_a_person_has_chosen() -> None:
    before, after = state(), state(got("rank", 5, 0, "Schinken"))
    assert before.rows[1].loose == ("Schinken", "Wurst")
    assert after.rows[1].loose == ("Wurst",)
    assert [award.had_things for award in after.rows[1].awards] == [(), ("Schinken",)]
    assert [row.things for row in after.rows[1].by_player] == [("Wurst",), ("Schinken",)]
    assert not after.over
    assert settled(state(got("rank", 5, 0, "Schinken"), got("rank", 5, 0, "Wurst"))) == ["rank 3"]


def test_a_corrected_sheet_shows_who_got_too_much_and_who_too_little() -> None:
    """Player 4 was first and got 70.00. Now player 1 is first, and 4 shares rank 2 with player 3."""
    corrected = PrizeList(
        12_000, (PrizeRow("rank", 1, (1,), 7000), PrizeRow("rank", 2, (3, 4), 1500), HAM, STROKES)
    )
    giving = state(got("rank", 4, 7000), got("rank", 1, 1500), prizes=corrected)
    assert [(award.start_number, award.over_cents) for award in giving.over] == [(4, 5500)]
    rest = {award.start_number: award.rest_cents for award in giving.awards if award.prize == "rank"}
    assert rest == {1: 5500, 3: 1500, 4: 0, 2: 0, 5: 0}
    back = state(
        got("rank", 4, 7000), got("rank", 1, 1500), got("rank", 4, 5500, kind="back"), prizes=corrected
    )
    assert not back.over


def test_a_prize_that_is_somebody_elses_now_is_named() -> None:
    """Player 9 was excluded after the prize-giving, or the plan has no such prize any more."""
    giving = state(got("lot", 9, 300, "Pokal"))
    assert [
        (award.prize, award.start_number, award.over_cents, award.over_things) for award in giving.over
    ] == [("lot", 9, 300, ("Pokal",))]
    assert not state(got("lot", 9, 300), got("lot", 9, 300, kind="back")).over


def test_the_version_changes_with_the_due_and_with_each_handout() -> None:
    other = PrizeList(12_000, (PrizeRow("rank", 1, (4,), 6000),))
    found = [state(), state(got("rank", 4, kind="absent")), state(prizes=other)]
    versions = {award.version for giving in found for award in giving.awards if award.start_number == 4}
    assert len(versions) == 3


THINGS = st.lists(st.sampled_from(["Schinken", "Wurst"]), max_size=2).map(tuple)
HANDOUTS = st.lists(
    st.builds(
        Handout,
        st.sampled_from(["rank", "strokes", "lot"]),
        st.integers(1, 6),
        st.sampled_from(["given", "given", "back", "absent"]),
        st.integers(0, 9000),
        THINGS,
    ),
    max_size=8,
)


@given(HANDOUTS)
def test_due_and_had_differ_by_what_is_left_and_what_is_too_much(handouts: list[Handout]) -> None:
    for award in state(*handouts).awards:
        assert award.due_cents + award.over_cents == award.had_cents + award.rest_cents or award.had_cents < 0
        assert not (award.rest_cents and award.over_cents)


@given(HANDOUTS)
def test_giving_the_rest_and_taking_back_what_is_too_much_settles_everything(handouts: list[Handout]) -> None:
    facts = [handout for handout in handouts if handout.kind == "given"]
    giving = state(*facts)
    for award in giving.awards:
        if award.has_rest:
            facts.append(got(award.prize, award.start_number, award.rest_cents, *award.rest_things))
        if award.is_over:
            facts.append(
                got(award.prize, award.start_number, award.over_cents, *award.over_things, kind="back")
            )
    after = state(*facts)
    assert not after.over
    assert after.paid_cents == sum(row.all_cents for row in PRIZES.rows)
    assert after.rest_cents == 0


# --- in which steps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "expected"),
    [("first", ("strokes", "lot", "4", "2", "1")), ("last", ("4", "2", "1", "strokes", "lot"))],
)
def test_steps_are_ranks_and_special_prizes(order: Any, expected: tuple[str, ...]) -> None:
    assert ceremony_steps([1, 2, 2, 4], ["strokes", "lot"], order) == expected


@pytest.mark.parametrize(
    ("steps", "latest", "count"),
    [
        ("strokes lot 4 2 1", "", 0),
        ("strokes lot 4 2 1", "lot", 2),
        ("strokes lot 4 2 1", "2", 4),
        ("strokes lot 4 2 1", "3", 3),  # nobody is third any more
        ("strokes lot 4 2 1", "9", 2),  # nor ninth, the first to be revealed
        ("strokes lot 4 2 1", "last", 0),  # not in the plan any more
        ("4 2 1 strokes lot", "3", 1),
        ("4 2 1 strokes lot", "9", 0),
        ("4 2 1 strokes lot", "lot", 5),
        ("strokes", "3", 0),
        ("", "1", 0),
    ],
)
def test_what_has_been_revealed_never_shows_anybody_else(steps: str, latest: str, count: int) -> None:
    assert number_revealed(steps.split(), latest) == count


def test_a_thing_that_one_of_several_got_is_the_prize_of_nobody_else() -> None:
    """Unless there is money beside it, or another thing to be given."""
    cup = PrizeRow("strokes", None, (1, 2), 0, ("Pokal",), is_open=True, key="strokes")
    for row, left in (
        (cup, [2]),
        (replace(cup, cents=200), [1, 2]),
        (replace(cup, things=("A", "Pokal")), [1, 2]),
    ):
        giving = state(got("strokes", 2, 0, "Pokal"), prizes=PrizeList(0, (row,)))
        assert [shown.start_numbers[0] for shown in giving.rows[0].by_player] == left
