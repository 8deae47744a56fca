"""The prize plan: read strictly, written back whole."""

from typing import Any

import pytest

from scoring.core.prize_plan import MOST_PRIZES, Prize, PrizePlan, read_plan
from tournaments.core.document_reader import DocumentError, Reader
from tournaments.core.refusal import Refusal

WHOLE: dict[str, Any] = {
    "costs_cents": 2500,
    "rounding_cents": 50,
    "rest": "first",
    "one_each": False,
    "present_only": False,
    "public": False,
    "prizes": [
        {"for": "rank", "from": 1, "to": 1, "share": 50},
        {"for": "rank", "from": 2, "to": 3, "cents": 1500},
        {"for": "rank", "from": 3, "to": 4, "thing": "Schinken"},
        {"for": "strokes", "cents": 500},
        {"for": "last", "thing": "Trostpreis"},
        {"for": "fee", "fee": "reduced", "cents": 200, "thing": "Pokal"},
        {"for": "club", "club": "SV Hof", "share": 2},
        {"for": "last", "share": "1/3"},
        {"for": "lot", "count": 2, "cents": 300},
    ],
}


def with_prizes(*prizes: dict[str, Any]) -> dict[str, Any]:
    return {**WHOLE, "prizes": list(prizes)}


def test_a_plan_is_written_as_it_was_read() -> None:
    assert PrizePlan.from_dict(WHOLE).to_dict() == WHOLE


def test_switches_that_are_missing_or_null_are_off() -> None:
    plan = PrizePlan.from_dict({"prizes": [{"for": "lot", "cents": 100}], "one_each": None})
    assert plan == PrizePlan(prizes=(Prize(kind="lot", cents=100, count=1),))
    assert (plan.costs_cents, plan.rest, plan.one_each) == (0, "club", False)
    assert PrizePlan.from_dict({"costs_cents": 250}) == PrizePlan(prizes=(), costs_cents=250)


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({**WHOLE, "taxes": 1}, "$.taxes", "document_unknown_key"),
    ({**WHOLE, "costs_cents": -1}, "$.costs_cents", "document_number_expected"),
    ({**WHOLE, "rounding_cents": 0.5}, "$.rounding_cents", "document_number_expected"),
    ({**WHOLE, "rest": "second"}, "$.rest", "document_choice_expected"),
    ({**WHOLE, "one_each": 1}, "$.one_each", "document_yes_or_no_expected"),
    ({**WHOLE, "prizes": {}}, "$.prizes", "document_list_expected"),
    (with_prizes({"for": "beauty", "cents": 1}), "$.prizes[0].for", "document_choice_expected"),
    (with_prizes({"cents": 1}), "$.prizes[0].for", "document_choice_expected"),
    (
        with_prizes({"for": "strokes", "cents": 1, "count": 2}),
        "$.prizes[0].count",
        "document_unknown_key",
    ),
    (with_prizes({"for": "rank", "from": 1, "cents": 1}), "$.prizes[0].to", "document_missing_key"),
    (
        with_prizes({"for": "rank", "from": 0, "to": 1, "cents": 1}),
        "$.prizes[0].from",
        "document_number_expected",
    ),
    (
        with_prizes({"for": "rank", "from": 1, "to": 10**9, "cents": 1}),
        "$.prizes[0].to",
        "document_number_expected",
    ),
    (
        with_prizes({"for": "lot", "count": 0, "cents": 1}),
        "$.prizes[0].count",
        "document_number_expected",
    ),
    *(
        (with_prizes({"for": "last", "share": share}), "$.prizes[0].share", "document_number_expected")
        for share in ("1/0", "3/3", "4/3", "0/3", "1/3 ", "-1/3", "½", "third", "1000/2000", 0.5, 101)
    ),
    (
        with_prizes({"for": "rank", "from": 1, "to": 3, "share": "1/3"}, {"for": "last", "share": "1/999"}),
        "$.prizes",
        "prize_shares_above_all",
    ),
    ({**WHOLE, "every_third": 3}, "$.every_third", "document_yes_or_no_expected"),
    (with_prizes({"for": "last", "cents": -500}), "$.prizes[0].cents", "document_number_expected"),
    (with_prizes({"for": "last", "thing": "x" * 61}), "$.prizes[0].thing", "text_too_long"),
    (with_prizes({"for": "last", "thing": "\u202e"}), "$.prizes[0].thing", "text_bad_characters"),
    (with_prizes({"for": "club", "club": "", "cents": 5}), "$.prizes[0].club", "text_empty"),
    (with_prizes({"for": "rank", "from": 3, "to": 2, "cents": 1}), "$.prizes[0]", "prize_range_reversed"),
    (with_prizes({"for": "last", "cents": 0}), "$.prizes[0]", "prize_is_nothing"),
    (with_prizes({"for": "last", "cents": 1, "share": 1}), "$.prizes[0]", "prize_has_two_amounts"),
    (
        with_prizes({"for": "rank", "from": 1, "to": 3, "share": 34}),
        "$.prizes",
        "prize_shares_above_all",
    ),
    (
        with_prizes({"for": "rank", "from": 1, "to": 1, "share": 99}, {"for": "lot", "count": 2, "share": 1}),
        "$.prizes",
        "prize_shares_above_all",
    ),
    (
        with_prizes(
            {"for": "rank", "from": 3, "to": 5, "cents": 1}, {"for": "rank", "from": 1, "to": 3, "share": 1}
        ),
        "$.prizes",
        "prize_ranks_overlap",
    ),
    (with_prizes(*[{"for": "last", "cents": 1}] * (MOST_PRIZES + 1)), "$.prizes", "prize_plan_too_long"),
]


@pytest.mark.parametrize(("source", "path", "code"), BAD, ids=[f"{path} {code}" for _, path, code in BAD])
def test_a_bad_plan_is_refused_with_its_path(source: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_plan(Reader(source))
    assert (caught.value.path, caught.value.refusal.code) == (path, code)
    with pytest.raises(Refusal) as refused:
        PrizePlan.from_dict(source)
    assert refused.value.code == code


def test_the_limits_themselves_are_not_refused() -> None:
    """The control of the test above."""
    shares = with_prizes({"for": "rank", "from": 1, "to": 2, "share": 50})
    meeting = with_prizes(
        {"for": "rank", "from": 1, "to": 2, "cents": 1}, {"for": "rank", "from": 3, "to": 3, "share": 1}
    )
    many = with_prizes(*[{"for": "last", "cents": 1}] * MOST_PRIZES)
    thirds = with_prizes({"for": "rank", "from": 1, "to": 3, "share": "1/3"}) | {"every_third": True}
    for source in (thirds, shares, meeting, many, with_prizes({"for": "last", "thing": "x" * 60})):
        assert PrizePlan.from_dict(source).to_dict() == source
