"""`manage.py prizes`, and their sum in `manage.py cash`: the prizes of whole evenings, read from documents and printed."""

import json
import os
from datetime import datetime
from hashlib import sha256
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from scoring.documents import dump, export_tournament, import_tournament
from tests.factories import AT
from tests.scoring.core import cash_evenings, prize_evenings
from tests.scoring.core.test_prizes_of_evenings import left_open
from tests.scoring.evenings import sheet_entry, simple_evening
from tests.scoring.prize_giving import giving_of
from tournaments.core.document_reader import DocumentError
from tournaments.documents.schema import SCHEMA

pytestmark = pytest.mark.django_db

CREATED_AT = "2026-11-20T08:00:00Z"
WRITTEN = {"at": CREATED_AT, "by": "kasse"}
FIRST = 10_000
EVENINGS = range(FIRST, FIRST + int(os.environ.get("EVENINGS", "25")))
"""As many as EVENINGS says."""
PLAN = {
    "costs_cents": 0,
    "rounding_cents": 1,
    "rest": "club",
    "one_each": False,
    "present_only": False,
    "prizes": [{"for": "rank", "from": 1, "to": 2, "cents": 500}],
}


def printed(slug: str, command: str = "prizes") -> Any:
    output = StringIO()
    call_command(command, slug, stdout=output)
    return json.loads(output.getvalue())


def document_of(evening: dict[str, Any]) -> dict[str, Any]:
    """Return the evening as a document, its sheets typed in from paper."""
    numbers = iter(range(1, 1_000_000))
    return {
        "schema": SCHEMA,
        "tournament": {
            "slug": "abend",
            "name": "Preisschnauz",
            "date": "2026-11-21",
            "ruleset": "schnauz-placing",
            "created_at": CREATED_AT,
            "fees": [
                {"key": key, "name": key, "cents": cents}
                for key, cents in (("full", 300), ("reduced", 150), ("free", 0))
            ],
            "prize_plan": evening["plan"],
        },
        "participants": [person_document(person) for person in evening["people"]],
        "rounds": [
            {
                "number": number,
                "state": "closed",
                "tables": [
                    table_document(place, table, numbers) for place, table in enumerate(tables, start=1)
                ],
            }
            for number, tables in enumerate(evening["rounds"], start=1)
        ],
        "cash": [line | WRITTEN for line in evening.get("lines", ())],
        "prizes_given": [handout | WRITTEN for handout in evening.get("handouts", ())],
        "decisions": [
            {
                "kind": "playoff",
                "order": decision["order"],
                "reason": "gestochen",
                "by": "spielleitung",
                "at": CREATED_AT,
                "revoked_at": CREATED_AT if decision["revoked"] else None,
            }
            for decision in evening["decisions"]
        ],
    }


def person_document(person: dict[str, Any]) -> dict[str, Any]:
    return {
        "start_number": person["start_number"],
        "name": f"Spieler {person['start_number']}",
        "club": person["club"],
        "fee": None if person["fee"] == "full" else person["fee"],
        "withdrawn": person["withdrawn"],
        "excluded": "falsch angeschrieben" if person["excluded"] else None,
        "payments": [
            {"kind": kind, "cents": cents, "desk": desk, **WRITTEN}
            for (kind, cents), desk in zip(person["payments"], person["desks"], strict=True)
        ],
    }


def table_document(place: int, table: list[dict[str, int]], numbers: Any) -> dict[str, Any]:
    strokes = [
        {"seat_number": seat_number, "mark": "schnauz"}
        for seat_number, seat in enumerate(table, start=1)
        for _ in range(seat["strokes"])
    ]
    ranks = {str(seat_number): seat["rank"] for seat_number, seat in enumerate(table, start=1)}
    return {
        "number": place,
        "seats": [
            {"seat_number": seat_number, "start_number": seat["start_number"]}
            for seat_number, seat in enumerate(table, start=1)
        ],
        "entries": [
            *(sheet_entry(next(numbers), "stroke", stroke, "organiser") for stroke in strokes),
            sheet_entry(next(numbers), "ranked", {"ranks": ranks}, "organiser"),
            sheet_entry(next(numbers), "accepted", {"reason": "vom Papier"}, "organiser"),
        ],
    }


@pytest.mark.parametrize("number", EVENINGS)
def test_an_evening_is_printed_as_it_was_worked_out_by_hand(number: int) -> None:
    """Without a draw on record, lots are drawn with the moment at which the tournament was made."""
    evening = cash_evenings.evening(number)
    tournament = import_tournament(json.dumps(document_of(evening)), at=AT)
    moment = datetime.fromisoformat(CREATED_AT).timestamp()
    evening["seed"] = sha256(f"{moment:.6f}".encode()).hexdigest()
    rows = printed("abend")
    cash = printed("abend", "cash")
    assert cash["pot_cents"] == prize_evenings.pot(evening)
    expected = prize_evenings.prizes_of(evening)
    assert [{**row, "open": row["open"] is not None} for row in rows] == [
        {name: value for name, value in row.items() if name != "key"} for row in expected
    ]
    given = sum(row["cents"] * len(row["start_numbers"]) for row in rows)
    assert cash["prizes_cents"] == given
    assert cash["desks"] == cash_evenings.figures_of(evening)
    assert left_open(giving_of(tournament)) == cash_evenings.open_of(evening)
    exported = dump(export_tournament(tournament))
    again = import_tournament(exported.replace('"slug": "abend"', '"slug": "zweiter"'), at=AT)
    assert dump(export_tournament(again)) == exported.replace('"slug": "abend"', '"slug": "zweiter"')


def test_a_lot_is_drawn_with_the_seed_of_the_last_draw() -> None:
    document = simple_evening("abend") | {"rounds": []}
    document["tournament"]["prize_plan"] = {**PLAN, "prizes": [{"for": "lot", "count": 3, "cents": 100}]}
    import_tournament(json.dumps(document), at=AT)
    call_command("draw_round", "abend", "--seed", "5c" * 32, stdout=StringIO())
    drawn = prize_evenings.lot("5c" * 32, list(range(1, 11)))[:3]
    assert [row["start_numbers"] for row in printed("abend")] == [sorted(drawn)]


def test_keys_and_reasons() -> None:
    document = simple_evening("abend", players=5)
    document["tournament"]["prize_plan"] = {
        **PLAN,
        "prizes": [{"for": "rank", "from": 1, "to": 1, "thing": "Schinken"}],
    }
    document["participants"][0] |= {
        "payments": [{"kind": "fee", "cents": 300, "at": CREATED_AT, "by": "kasse"}]
    }
    import_tournament(json.dumps(document), at=AT)
    (row,) = printed("abend")
    assert row == {
        "for": "rank",
        "rank": 1,
        "start_numbers": [1, 2, 3, 4, 5],
        "cents": 0,
        "things": ["Schinken"],
        "open": "Sie teilen sich den Rang, und Sachen werden nicht geteilt: bitte stechen oder losen.",
    }


def test_without_a_plan_there_are_no_prizes() -> None:
    import_tournament(json.dumps(simple_evening("abend")), at=AT)
    assert printed("abend") == []


def test_a_plan_goes_there_and_back() -> None:
    document = simple_evening("abend")
    document["tournament"]["prize_plan"] = PLAN
    first = dump(export_tournament(import_tournament(json.dumps(document), at=AT)))
    again = json.loads(first)
    again["tournament"]["slug"] = "zweiter"
    assert json.loads(first)["tournament"]["prize_plan"] == {**PLAN, "public": False}
    second = dump(export_tournament(import_tournament(json.dumps(again), at=AT)))
    assert second == first.replace('"slug": "abend"', '"slug": "zweiter"')


@pytest.mark.parametrize(
    ("plan", "path", "code"),
    [
        ({**PLAN, "taxes": 1}, "$.tournament.prize_plan.taxes", "document_unknown_key"),
        ({**PLAN, "costs_cents": -1}, "$.tournament.prize_plan.costs_cents", "document_number_expected"),
        (
            {**PLAN, "prizes": [{"for": "last"}]},
            "$.tournament.prize_plan.prizes[0]",
            "prize_is_nothing",
        ),
        (
            {**PLAN, "prizes": [{"for": "rank", "from": 1, "to": 3, "share": 34}]},
            "$.tournament.prize_plan.prizes",
            "prize_shares_above_all",
        ),
    ],
)
def test_a_bad_plan_is_refused_at_import_with_its_path(plan: dict[str, Any], path: str, code: str) -> None:
    document = simple_evening("abend")
    document["tournament"]["prize_plan"] = plan
    with pytest.raises(DocumentError) as caught:
        import_tournament(json.dumps(document), at=AT)
    assert (caught.value.path, caught.value.refusal.code) == (path, code)
