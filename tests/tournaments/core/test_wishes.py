"""Wishes as dictionaries. The tests of the draw show that wishes are granted."""

import pytest

from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable, KeepApart, Wish, wish_from_dict

WISHES: list[tuple[Wish, dict[str, object]]] = [
    (KeepApart(7, 9, "Streit"), {"kind": "keep_apart", "a": 7, "b": 9, "reason": "Streit"}),
    (
        FixedTable(7, 1, "schlecht zu Fuß"),
        {"kind": "fixed_table", "player": 7, "table": 1, "reason": "schlecht zu Fuß"},
    ),
]


@pytest.mark.parametrize(("wish", "written"), WISHES)
def test_a_wish_survives_serialisation(wish: Wish, written: dict[str, object]) -> None:
    assert wish.to_dict() == written
    assert wish_from_dict(written) == wish


def test_the_reason_may_be_left_out() -> None:
    assert wish_from_dict({"kind": "fixed_table", "player": 7, "table": 1}) == FixedTable(7, 1, "")


@pytest.mark.parametrize(
    "source",
    [
        {},
        {"kind": "window_seat", "player": 7},
        {"kind": ["fixed_table"], "player": 7, "table": 1},
        {"kind": "fixed_table", "player": 7},
        {"kind": "fixed_table", "player": 7, "table": "1"},
        {"kind": "fixed_table", "player": True, "table": 1},
        {"kind": "fixed_table", "player": 7, "table": 1, "seat": 2},
        {"kind": "fixed_table", "player": 7, "table": 1, "reason": None},
        {"kind": "keep_apart", "a": 7, "b": 9, "table": 1},
    ],
)
def test_an_unknown_kind_of_wish_is_refused(source: dict[str, object]) -> None:
    with pytest.raises(Refusal) as caught:
        wish_from_dict(source)
    assert caught.value.code == "unknown_wish"
