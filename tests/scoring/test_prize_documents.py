"""Prizes given in the document: there and back, and refusals that name their location."""

import json
from typing import Any

import pytest

from scoring.documents import export_tournament, import_tournament
from scoring.models import PrizeHandout
from tests.factories import AT
from tests.scoring.evenings import simple_evening, text_of
from tournaments.core.document_reader import DocumentError

pytestmark = pytest.mark.django_db

WRITTEN = {"at": "2026-11-21T22:10:00Z", "by": "leitung"}
GIVEN = {"start_number": 1, "prize": "rank", "kind": "given", "cents": 700, "payment": 1, **WRITTEN}
BACK = {"start_number": 1, "prize": "rank", "kind": "back", "cents": 300, "cash": 0, **WRITTEN}
ABSENT = {"start_number": 2, "prize": "club:SV Hof#2", "kind": "absent", **WRITTEN}
THING = {"start_number": 2, "prize": "last", "kind": "given", "things": ["Schinken", "Wurst"], **WRITTEN}


def document(*handouts: Any) -> dict[str, Any]:
    found = simple_evening("abend")
    found["participants"][0]["payments"] = [
        {"kind": "fee", "cents": 300, **WRITTEN},
        {"kind": "payout", "cents": 700, "desk": "Kasse 1", **WRITTEN},
    ]
    line = {"desk": "Kasse 1", "kind": "in", "cents": 300, "reason": "Preis zurück", **WRITTEN}
    return found | {"cash": [line], "prizes_given": list(handouts)}


def refused(*handouts: Any) -> tuple[str, str]:
    with pytest.raises(DocumentError) as caught:
        import_tournament(text_of(document(*handouts)), at=AT)
    return caught.value.path, caught.value.refusal.code


def test_prizes_given_are_there_and_back() -> None:
    tournament = import_tournament(text_of(document(GIVEN, ABSENT, BACK, THING)), at=AT)
    exported = export_tournament(tournament)
    empty = {"cents": 0, "things": [], "payment": None, "cash": None}
    assert exported["prizes_given"] == [empty | row for row in (GIVEN, ABSENT, BACK, THING)]
    assert [line["kind"] for line in exported["cash"]] == ["back"]  # an older document says "in"
    assert list(tournament.handouts.values_list("prize", "number").order_by("id")) == [
        ("rank", 1),
        ("club:SV Hof#2", 1),
        ("rank", 2),
        ("last", 1),
    ]
    again = import_tournament(json.dumps(exported).replace('"abend"', '"zweiter"'), at=AT)
    assert export_tournament(again)["prizes_given"] == exported["prizes_given"]


@pytest.mark.parametrize(
    ("handouts", "path", "code"),
    [
        ([GIVEN | {"start_number": 99}], "[0].start_number", "unknown_participant"),
        ([GIVEN | {"kind": "stolen"}], "[0].kind", "document_choice_expected"),
        ([GIVEN | {"prize": ""}], "[0].prize", "text_empty"),
        ([GIVEN | {"payment": None}], "[0].payment", "document_number_expected"),
        ([GIVEN | {"payment": 0}], "[0].payment", "document_payout_differs"),
        ([GIVEN | {"payment": 7}], "[0].payment", "document_payout_differs"),
        ([GIVEN | {"cents": 600}], "[0].payment", "document_payout_differs"),
        ([GIVEN | {"start_number": 2}], "[0].payment", "document_payout_differs"),
        ([GIVEN, GIVEN], "[1]", "document_money_twice"),
        ([GIVEN, BACK | {"cash": 1}], "[1].cash", "document_money_back_differs"),
        ([GIVEN, BACK | {"cents": 301}], "[1].cash", "document_money_back_differs"),
        ([GIVEN, BACK, BACK], "[2]", "document_money_twice"),
        ([BACK], "[0].cents", "document_more_back"),
        ([ABSENT | {"cents": 1}], "[0].cents", "document_handout_empty"),
        ([THING | {"things": []}], "[0].cents", "document_handout_empty"),
        ([THING | {"things": [""]}], "[0].things[0]", "text_empty"),
        ([THING | {"things": ["Wurst"] * 61}], "[0].things", "prize_plan_too_long"),
        ([THING | {"ribbon": 1}], "[0].ribbon", "document_unknown_key"),
        (["Schinken"], "[0]", "document_object_expected"),
    ],
)
def test_what_cannot_have_been_given_is_refused_with_its_place(
    handouts: list[Any], path: str, code: str
) -> None:
    assert refused(*handouts) == (f"$.prizes_given{path}", code)
    assert not PrizeHandout.objects.exists()
