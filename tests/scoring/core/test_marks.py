"""Digests and marks: fixed vectors, since marks that people have photographed must stay right for ever."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest

from scoring.core.entries import Entry
from scoring.core.marks import first_digest, mark_of, next_digest
from tournaments.core.canonical import canonical

START = first_digest(round_number=1, table_number=3, start_numbers=[5, 9, 2])
AT = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
DEAL = Entry(
    "6f1c9a52-6d0e-4d1b-9d39-0d2f5f0c7a11", "deal", {"losers": [2], "ended_by": "knock"}, "scribe", made_at=AT
)


def test_the_texts_over_which_digests_are_made() -> None:
    place = '{"players":[5,9,2],"round":1,"table":3}'
    assert sha256(place.encode()).hexdigest() == START
    deal = (
        '{"by":"scribe","data":{"ended_by":"knock","losers":[2]},'
        '"id":"6f1c9a52-6d0e-4d1b-9d39-0d2f5f0c7a11","kind":"deal","made_at":"2026-11-21T19:30:00Z"}'
    )
    assert sha256(bytes.fromhex(START) + deal.encode()).hexdigest() == next_digest(START, DEAL)


def test_the_mark_is_the_first_forty_bits() -> None:
    assert mark_of("0" * 64) == "00000000"
    assert mark_of("f" * 10 + "0" * 54) == "ZZZZZZZZ"
    assert mark_of("0000000001" + "f" * 54) == "00000001"
    assert mark_of("8000000000" + "f" * 54) == "G0000000"
    assert mark_of(next_digest(START, DEAL)) == "H8YP59CE"


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "6f1c9a52-6d0e-4d1b-9d39-0d2f5f0c7a12"},
        {"kind": "stroke"},
        {"data": {"losers": [1], "ended_by": "knock"}},
        {"data": {"losers": [2]}},
        {"by": "organiser"},
        {"made_at": AT + timedelta(microseconds=1)},
    ],
)
def test_any_change_of_an_entry_gives_another_digest(changed: dict[str, object]) -> None:
    assert next_digest(START, replace(DEAL, **changed)) != next_digest(START, DEAL)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "place",
    [(2, 3, [5, 9, 2]), (1, 4, [5, 9, 2]), (1, 3, [9, 5, 2]), (1, 3, [5, 9])],
    ids=["round", "table", "seats", "player"],
)
def test_another_place_gives_another_beginning(place: tuple[int, int, list[int]]) -> None:
    round_number, table, players = place
    assert first_digest(round_number=round_number, table_number=table, start_numbers=players) != START


def test_a_digest_depends_on_all_entries_before() -> None:
    other = replace(DEAL, id="00000000-0000-4000-8000-000000000000")
    one_way = next_digest(next_digest(START, DEAL), other)
    assert one_way != next_digest(next_digest(START, other), DEAL)


def test_what_may_be_erased_is_in_no_digest() -> None:
    objected = replace(DEAL, kind="objected", data={"seat_number": 1, "note": "So nicht"})
    erased = replace(objected, data={"seat_number": 1, "note": "–"}, initials="AB")
    assert next_digest(START, objected) == next_digest(START, erased)
    assert next_digest(START, replace(objected, data={"seat_number": 1})) == next_digest(START, objected)


def test_the_time_zone_of_the_clock_does_not_matter() -> None:
    elsewhere = replace(DEAL, made_at=AT.astimezone(timezone(timedelta(hours=1))))
    assert next_digest(START, elsewhere) == next_digest(START, DEAL)


def test_the_canonical_text() -> None:
    value = {"b": [1, None, True], "a": {"ü": "„x“\n"}}
    assert canonical(value).decode() == '{"a":{"ü":"„x“\\n"},"b":[1,null,true]}'
