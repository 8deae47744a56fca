"""Hand points, read along the rule sheet `fce` (RULES 3)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.cards import possible_values
from scoring.core.hand_points import HandPoints
from scoring.core.sheet import SheetLog
from tests.rulesets import sheet_as
from tests.scoring.core.playing_hand_points import hands_of, ruleset_of, sensible_deal
from tests.scoring.core.vectors import Log, logs, steps
from tests.scoring.core.writing import (
    SUBMITTED,
    Line,
    accepted,
    corrected,
    hands,
    points,
    ranks,
    refused,
    stroke,
    strokes,
    table_of,
    totalled,
    voided,
    written,
)
from tournaments.rulesets.loader import preset
from tournaments.rulesets.sheets import HandPointsRules

FCE = preset("fce")


def fce(size: int, *lines: Line) -> SheetLog:
    return table_of(size, *lines, ruleset=FCE)


def whole_round(size: int = 3) -> list[Line]:
    return [hands(*[20] * size)] * 24


# -- What a hand can be worth (RULES 3.3) -----------------------------------------------------------------------------


def test_rules_3_3_every_value_that_some_hand_has_and_no_other() -> None:
    """RULES 3.3: one card of a suit 8 to 11, two 15 to 21, three 24 to 30; then the three kinds of hands."""
    assert possible_values(hands_of(fce(3))) == {*range(8, 12), *range(15, 22), *range(24, 31), 31, 33, 35}


@pytest.mark.parametrize("value", [32, 34, 7, 36, 0, -8, 12, 13, 14, 22, 23])
def test_rules_3_3_a_value_that_no_hand_has_is_refused(value: int) -> None:
    """RULES 3.3."""
    refusal = refused(fce(3), hands(20, value, 20))
    assert (refusal.code, refusal.params) == ("impossible_hand", {"seat": 2, "points": value})


@pytest.mark.parametrize("value", [8, 11, 15, 18, 21, 24, 30, 31, 33, 35])
def test_rules_3_3_a_value_that_some_hand_has_is_written(value: int) -> None:
    """RULES 3.3."""
    assert points(fce(3, hands(20, value, 20))) == {1: 20, 2: value, 3: 20}


def test_rules_3_3_there_is_at_most_one_feuer_a_deal() -> None:
    """RULES 3.3: there are only four aces; the fourth makes one Schnauz beside a Feuer."""
    assert refused(fce(3), hands(33, 33, 20)).code == "two_feuer"
    assert strokes(fce(3, hands(33, 35, 20), hands(33, 31, 31))) == {1: 2, 2: 1, 3: 0}


# -- A deal (RULES 3.3, 3.4) ------------------------------------------------------------------------------------------


def test_rules_3_3_every_deal_gives_every_player_points() -> None:
    """RULES 3.3."""
    sheet = fce(3, hands(20, 31, 8), hands(30, 9, 35))
    assert points(sheet) == {1: 50, 2: 40, 3: 43}
    assert ranks(sheet) == {1: 1, 2: 3, 3: 2}


def test_equal_points_share_the_better_rank_at_the_table() -> None:
    assert ranks(fce(4, hands(20, 30, 20, 8))) == {1: 2, 2: 1, 3: 2, 4: 4}


def test_schnauz_and_feuer_are_counted_apart() -> None:
    sheet = fce(3, hands(35, 33, 20), hands(35, 20, 20))
    assert [score.counts for score in sheet.results] == [
        {"schnauz": 2, "feuer": 0},
        {"schnauz": 0, "feuer": 1},
        {"schnauz": 0, "feuer": 0},
    ]


@pytest.mark.parametrize("ended_by", ["knock", "schnauz", "feuer", None])
def test_how_a_deal_ended_may_be_written_down(ended_by: str | None) -> None:
    sheet = fce(2, hands(35, 20, ended_by=ended_by))
    assert strokes(sheet) == {1: 1, 2: 0}
    assert sheet.entries[0].data.get("ended_by") == ended_by


@pytest.mark.parametrize(("ended_by", "value"), [("table_schnauz", 35), ("table_feuer", 33)])
def test_rules_3_4_what_lies_on_the_table_scores_the_hands_and_gives_nobody_a_stroke(
    ended_by: str, value: int
) -> None:
    """RULES 3.4."""
    sheet = fce(3, hands(value, 30, 20, ended_by=ended_by))
    assert points(sheet) == {1: value, 2: 30, 3: 20}
    assert strokes(sheet) == {1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize("ended_by", ["handschnauz", "gong", 7, ["knock"]])
def test_another_ending_is_refused(ended_by: object) -> None:
    line = Line("deal", {"points": {"1": 20, "2": 20}, "ended_by": ended_by})
    assert refused(fce(2), line).code == "unknown_ending"


@pytest.mark.parametrize(
    ("given_points", "code"),
    [
        ({"1": 20}, "seats_incomplete"),
        ({"1": 20, "2": 20, "3": 20}, "seats_incomplete"),
        ({1: 20, 2: 20}, "seats_incomplete"),
        ({"1": 20, "2": None}, "bad_entry"),
        ({"1": 20, "2": True}, "bad_entry"),
        ({"1": 20, "2": 20.0}, "bad_entry"),
        ({"1": 20, "2": "20"}, "bad_entry"),
        ([20, 20], "bad_entry"),
        (None, "bad_entry"),
    ],
)
def test_every_seat_has_a_whole_number_of_points(given_points: object, code: str) -> None:
    assert refused(fce(2), Line("deal", {"points": given_points})).code == code


def test_there_are_no_strokes_and_ranks_on_this_sheet() -> None:
    assert refused(fce(3), stroke(1)).code == "unknown_kind"


# -- 24 deals (RULES 3.1, 3.5) ----------------------------------------------------------------------------------------


def test_rules_3_1_a_round_has_24_deals_and_no_25th() -> None:
    """RULES 3.1."""
    sheet = fce(3, *whole_round())
    refusal = refused(sheet, hands(20, 20, 20))
    assert (refusal.code, refusal.params) == ("all_deals_written", {"deals": 24})
    assert written(sheet, voided(24), hands(30, 8, 8)).is_complete


def test_rules_3_5_the_points_of_24_deals_are_added_up() -> None:
    """RULES 3.5."""
    sheet = fce(3, *whole_round(), SUBMITTED)
    assert points(sheet) == {1: 480, 2: 480, 3: 480}


def test_rules_3_5_with_23_deals_the_sheet_cannot_be_submitted() -> None:
    """RULES 3.5."""
    refusal = refused(fce(3, *whole_round()[1:]), SUBMITTED)
    assert (refusal.code, refusal.params) == (
        "not_complete",
        {"why": "deals_missing", "played": 23, "deals": 24},
    )


def test_rules_3_5_with_fewer_deals_it_is_accepted_early_with_a_reason_only() -> None:
    """RULES 3.5."""
    sheet = fce(3, *whole_round()[1:])
    assert refused(sheet, accepted()).code == "reason_needed"
    early = written(sheet, accepted("Der Wirt macht zu"))
    assert early.status == "accepted"
    assert points(early) == {1: 460, 2: 460, 3: 460}


def test_a_correction_and_a_void_count_for_the_sums() -> None:
    sheet = fce(2, hands(20, 20), hands(35, 20), corrected(2, hands(20, 33)), voided(1))
    assert points(sheet) == {1: 20, 2: 33}
    assert strokes(sheet) == {1: 0, 2: 1}


# -- From paper -------------------------------------------------------------------------------------------------------


PAPER = totalled(points=[500, 480, 510], schnauz=[2, 0, 1], feuer=[0, 1, 0])


def test_the_sums_of_a_paper_sheet_stand_instead_of_deals() -> None:
    sheet = fce(3, PAPER, SUBMITTED)
    assert points(sheet) == {1: 500, 2: 480, 3: 510}
    assert (ranks(sheet), strokes(sheet)) == ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 1, 3: 1})


def test_sums_and_deals_do_not_mix() -> None:
    assert refused(fce(3, PAPER), hands(20, 20, 20)).code == "already_totalled"
    assert refused(fce(3, PAPER), PAPER).code == "already_totalled"
    assert refused(fce(3, hands(20, 20, 20)), PAPER).code == "deals_written"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (totalled(points=[500, 480], schnauz=[0, 0], feuer=[0, 0]), "seats_incomplete"),
        (totalled(points=[500, 480, 510], schnauz=[0, 0, 0]), "bad_entry"),
        (totalled(points=[69, 480, 510], schnauz=[2, 0, 0], feuer=[0, 0, 0]), "impossible_total"),
        (totalled(points=[841, 480, 510], schnauz=[0, 0, 0], feuer=[0, 0, 0]), "impossible_total"),
        (totalled(points=[800, 480, 510], schnauz=[25, 0, 0], feuer=[0, 0, 0]), "impossible_total"),
        (totalled(points=[500, 480, 510], schnauz=[-1, 0, 0], feuer=[0, 0, 0]), "impossible_total"),
        (totalled(points=[700, 700, 700], schnauz=[0, 0, 0], feuer=[9, 9, 9]), "two_feuer"),
    ],
)
def test_sums_that_no_24_deals_give_are_refused(line: Line, code: str) -> None:
    assert refused(fce(3), line).code == code


# -- What always holds ------------------------------------------------------------------------------------------------


@given(logs("hand_points"))
def test_on_every_sheet_the_sums_are_those_of_its_deals(log: Log) -> None:
    sheet, _ = steps(log)
    rules, named, state = sheet_as(log.ruleset, HandPointsRules), hands_of(sheet), sheet.state
    assert isinstance(state, HandPoints)
    deals = [fact.data for fact in sheet.facts if fact.kind == "deal"]
    assert state.deals == len(deals) <= rules.deals
    assert state.is_totalled == any(fact.kind == "totalled" for fact in sheet.facts)
    if not state.is_totalled:
        for score in sheet.results:
            own = [deal["points"][str(score.seat_number)] for deal in deals]
            assert score.points == sum(own)
            assert own.count(named.schnauz_points) + own.count(named.feuer_points) >= score.strokes
            assert set(own) <= possible_values(named)


@given(logs("hand_points"))
def test_on_every_sheet_ranks_are_a_competition_ranking_of_the_points(log: Log) -> None:
    sheet, _ = steps(log)
    scored = [(score.points or 0, score.rank) for score in sheet.results]
    assert [rank for _, rank in scored] == [1 + sum(p > own for p, _ in scored) for own, _ in scored]
    assert all(score.strokes == sum(score.counts.values()) for score in sheet.results)


@given(st.randoms(use_true_random=True))
def test_hands_that_can_be_dealt_are_written_until_the_round_is_over(chance: Random) -> None:
    sheet = table_of(chance.randint(2, 7), ruleset=ruleset_of(chance))
    deals = sheet_as(sheet.ruleset, HandPointsRules).deals
    for _ in range(deals):
        assert not sheet.is_complete
        sheet = written(sheet, Line("deal", sensible_deal(chance, sheet)))
    assert sheet.is_complete
    assert refused(sheet, Line("deal", sensible_deal(chance, sheet))).code == "all_deals_written"
