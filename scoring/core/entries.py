"""The entries of a table sheet: their fields, and the rules of their form.

A sheet is an append-only list of entries. Some are *facts* of the game (a deal, a stroke, a ranking), others
belong to the *life cycle* of the sheet: a player confirms or objects, the scribe hands it in, the organiser
accepts or reopens it, a fact is taken back or corrected. The life cycle is the same for every kind of
sheet and is defined here; the facts belong to the kind (`sheet_kind.py`).

Data is *normalised* before it counts: exact keys, JSON types, possible values, and optional keys left out
if they are null. So two bodies with the same meaning compare equal.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from tournaments.core.refusal import Refusal

Writer = Literal["scribe", "organiser"]
Data = Mapping[str, Any]

FREE_TEXT: Mapping[str, str] = {
    "objected": "note",
    "accepted": "reason",
    "reopened": "reason",
    "voided": "reason",
    "corrected": "reason",
}
"""The key of an entry's data that is free text; all other values are from a closed set."""

ORGANISER_ONLY = frozenset({"accepted", "reopened", "corrected"})
"""Kinds of entries that a scribe's phone may not make. The organiser may make every kind."""

LONGEST_TEXT = 500
LARGEST_VALUE = 10**6

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line ends, marks and overrides of the writing direction, halves of surrogate pairs."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry in the log of a sheet.

    id: a UUID, made before the first attempt to send the entry. by: the author. made_at: time by the clock of the
    writing device, for information; the order of the log decides. initials: an organiser's, as on paper.
    """

    id: str
    kind: str
    data: Data
    by: Writer
    made_at: datetime | None = field(default=None, kw_only=True)
    initials: str = field(default="", kw_only=True)


def canonical_id(value: object, *, name: str = "id") -> str:
    """Return a UUID in lower case with hyphens. Raises Refusal bad_entry(field=name) for anything else."""
    if not isinstance(value, str) or not _UUID.fullmatch(value.lower()):
        raise Refusal("bad_entry", field=name)
    return value.lower()


def exact_keys(data: object, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Any]:
    """Return `data` with all the needed keys, and without optional ones that are null.

    Raises Refusal bad_entry naming the first missing, then the first unknown key.
    """
    if not isinstance(data, Mapping):
        raise Refusal("bad_entry", field="data")
    for key in needed:
        if key not in data:
            raise Refusal("bad_entry", field=f"data.{key}")
    unknown = sorted(str(key) for key in data if key not in needed and key not in optional)
    if unknown:
        raise Refusal("bad_entry", field=f"data.{unknown[0][:40]}")
    return {key: value for key, value in data.items() if value is not None or key in needed}


def known_seat(value: object, seats: Collection[int], name: str) -> int:
    """Return a seat of this table. Raises Refusal bad_entry (not a whole number) or unknown_seat."""
    if type(value) is not int:
        raise Refusal("bad_entry", field=name)
    if value not in seats:
        raise Refusal("unknown_seat", seat=value)
    return value


def whole_by_seat(values: object, seats: Collection[int], name: str) -> dict[str, int]:
    """Return a whole number for every seat of this table, in their order; seats are JSON keys, and therefore texts.

    Raises Refusal bad_entry, or seats_incomplete if a seat is missing or unknown.
    """
    if not isinstance(values, Mapping) or any(type(value) is not int for value in values.values()):
        raise Refusal("bad_entry", field=name)
    if set(values) != {str(seat) for seat in seats}:
        raise Refusal("seats_incomplete")
    if any(abs(value) > LARGEST_VALUE for value in values.values()):
        raise Refusal("bad_entry", field=name)
    return {str(seat): values[str(seat)] for seat in seats}


def by_seat(values: Mapping[str, int]) -> dict[int, int]:
    """Return values whose keys are seats as JSON has them, by the number of the seat."""
    return {int(seat): value for seat, value in values.items()}


def free_text(value: object, name: str) -> str:
    """Return free text, stripped: 1 to 500 characters on one line. Raises Refusal bad_entry, bad_text."""
    if not isinstance(value, str):
        raise Refusal("bad_entry", field=name)
    text = value.strip()
    if not 0 < len(text) <= LONGEST_TEXT or _UNPRINTABLE.search(text):
        raise Refusal("bad_text", field=name, longest=LONGEST_TEXT)
    return text


_KEYS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "confirmed": (("seat_number",), ()),
    "objected": (("seat_number", "note"), ()),
    "submitted": ((), ()),
    "accepted": ((), ("reason",)),
    "reopened": ((), ("reason",)),
    "voided": (("entry",), ("reason",)),
    "corrected": (("entry", "data"), ("reason",)),
}
"""The needed and the optional keys of each kind."""
_NEEDS_REASON = ("reopened", "corrected")

LIFE_CYCLE = frozenset(_KEYS)
"""The kinds of entries that every kind of sheet has."""


def normalised(seats: Collection[int], kind: str, data: object) -> dict[str, Any]:
    """Return the data of an entry of the life cycle, normalised. A blank reason counts as none.

    The new data of a corrected fact is left to the kind of sheet. Raises Refusal unknown_kind, bad_entry,
    bad_text, unknown_seat or reason_needed.
    """
    if kind not in _KEYS:
        raise Refusal("unknown_kind", kind=kind[:40])
    values = exact_keys(data, *_KEYS[kind])
    if "seat_number" in values:
        values["seat_number"] = known_seat(values["seat_number"], seats, "data.seat_number")
    if "note" in values:
        values["note"] = free_text(values["note"], "data.note")
    if "entry" in values:
        values["entry"] = canonical_id(values["entry"], name="data.entry")
    reason = values.pop("reason", "")
    if not isinstance(reason, str) or reason.strip():
        values["reason"] = free_text(reason, "data.reason")
    elif kind in _NEEDS_REASON:
        raise Refusal("reason_needed")
    return values
