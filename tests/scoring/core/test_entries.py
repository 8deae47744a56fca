"""The form of an entry, which is checked before the rules of the sheet."""

from typing import Any

import pytest

from scoring.core.entries import LIFE_CYCLE, canonical_id, exact_keys, free_text, known_seat, normalised
from tests.scoring.core.vectors import entry_id
from tournaments.core.refusal import Refusal

SEATS = (1, 2, 3, 4, 5)
ID = "0b9c3d1e-7a42-4c55-9d21-6f0e8a1b2c3d"


def code_of(kind: str, data: Any) -> str:
    with pytest.raises(Refusal) as caught:
        normalised(SEATS, kind, data)
    return caught.value.code


def test_an_id_is_a_uuid_in_lower_case() -> None:
    assert canonical_id(ID.upper()) == ID


@pytest.mark.parametrize("value", ["", "7", ID.replace("-", ""), ID + "\n", "{" + ID + "}", None, 7])
def test_anything_else_is_no_id(value: object) -> None:
    with pytest.raises(Refusal) as caught:
        canonical_id(value)
    assert (caught.value.code, caught.value.params) == ("bad_entry", {"field": "id"})


def test_keys_that_may_be_missing_are_left_out_when_null() -> None:
    assert normalised(SEATS, "accepted", {"reason": None}) == {}
    assert normalised(SEATS, "accepted", {}) == {}
    assert normalised(SEATS, "voided", {"entry": ID.upper(), "reason": None}) == {"entry": ID}


def test_a_blank_reason_is_no_reason() -> None:
    assert normalised(SEATS, "accepted", {"reason": "  "}) == {}
    assert code_of("reopened", {"reason": "  "}) == "reason_needed"


def test_text_is_stripped() -> None:
    assert normalised(SEATS, "reopened", {"reason": " Karten gezählt "}) == {"reason": "Karten gezählt"}


@pytest.mark.parametrize("kind", ["reopened", "corrected"])
def test_the_organiser_reopens_and_corrects_with_a_reason_only(kind: str) -> None:
    """RULES 1.12."""
    data = {"entry": ID, "data": {}} if kind == "corrected" else {}
    assert code_of(kind, data) == "reason_needed"
    assert code_of(kind, {**data, "reason": None}) == "reason_needed"


@pytest.mark.parametrize(
    "text",
    ["", " ", "x" * 501, "a\nb", "a\x00b", "\u202eabc", "a\u2066b", "a\u200fb", "a\ud800b", "a\x85b"],
    ids=ascii,
)
def test_a_note_is_one_line_of_1_to_500_characters(text: str) -> None:
    assert code_of("objected", {"seat_number": 1, "note": text}) == "bad_text"


@pytest.mark.parametrize("text", ["Ü", "x" * 500, "😀" * 500, "Zwei „Schnauz“ – 3,00 €", "a\u200db"])
def test_every_script_and_sign_may_stand_in_a_note(text: str) -> None:
    assert free_text(text, "data.note") == text


@pytest.mark.parametrize(
    ("kind", "data", "field"),
    [
        ("confirmed", None, "data"),
        ("confirmed", [1], "data"),
        ("confirmed", {}, "data.seat_number"),
        ("confirmed", {"seat_number": None}, "data.seat_number"),
        ("confirmed", {"seat_number": True}, "data.seat_number"),
        ("confirmed", {"seat_number": 1.0}, "data.seat_number"),
        ("confirmed", {"seat_number": "1"}, "data.seat_number"),
        ("confirmed", {"seat_number": 1, "name": None}, "data.name"),
        ("objected", {"seat_number": 1}, "data.note"),
        ("objected", {"seat_number": 1, "note": 7}, "data.note"),
        ("submitted", {"reason": "fertig"}, "data.reason"),
        ("accepted", {"reason": 7}, "data.reason"),
        ("voided", {}, "data.entry"),
        ("voided", {"entry": "7"}, "data.entry"),
        ("corrected", {"entry": ID, "reason": "x"}, "data.data"),
    ],
)
def test_keys_and_types_are_exact(kind: str, data: object, field: str) -> None:
    with pytest.raises(Refusal) as caught:
        normalised(SEATS, kind, data)
    assert (caught.value.code, caught.value.params) == ("bad_entry", {"field": field})


def test_only_who_sits_at_the_table_can_confirm_or_object() -> None:
    assert code_of("confirmed", {"seat_number": 6}) == "unknown_seat"
    assert code_of("objected", {"seat_number": 0, "note": "x"}) == "unknown_seat"


def test_what_is_no_kind_of_entry_is_refused() -> None:
    assert code_of("cheered", {}) == "unknown_kind"


def test_normalised_data_stays_as_it_is() -> None:
    data: dict[str, dict[str, Any]] = {
        "confirmed": {"seat_number": 3},
        "objected": {"seat_number": 3, "note": "x"},
        "submitted": {},
        "accepted": {"reason": "x"},
        "reopened": {"reason": "x"},
        "voided": {"entry": ID, "reason": "x"},
        "corrected": {"entry": ID, "data": {"any": 1}, "reason": "x"},
    }
    assert data.keys() == LIFE_CYCLE
    assert {kind: normalised(SEATS, kind, body) for kind, body in data.items()} == data


def test_normalising_changes_nothing_that_was_given() -> None:
    given = {"entry": entry_id(1).upper(), "reason": None}
    normalised(SEATS, "voided", given)
    assert given == {"entry": entry_id(1).upper(), "reason": None}


def test_needed_keys_keep_their_null() -> None:
    assert exact_keys({"finisher": None, "note": None}, ("finisher",), ("note",)) == {"finisher": None}


def test_a_seat_of_the_table_is_a_seat() -> None:
    assert [known_seat(seat, SEATS, "data.seat_number") for seat in SEATS] == list(SEATS)
