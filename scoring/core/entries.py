"""The entries of a table sheet: their fields, and the rules of their form.

A sheet is an append-only list of entries. Some are *facts* of the game (a deal, a stroke, a ranking), others
belong to the *life cycle* of the sheet: a player confirms or objects, the scribe hands it in, the organiser
accepts or reopens it, a fact is taken back or corrected. The life cycle is the same for every kind of
sheet and is defined here; the facts belong to the kind (`sheet_kind.py`).

Data is *normalised* before it counts: exact keys, JSON types, possible values, and optional keys left out
if they are null. So two bodies with the same meaning compare equal.
"""

import re
from collections.abc import Callable, Collection, Mapping
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


def normalised(seats: Collection[int], kind: str, data: object) -> dict[str, Any]:
    """Return the data of an entry of the life cycle, normalised.

    The new data of a corrected fact is left to the kind of sheet. Raises Refusal unknown_kind, bad_entry,
    bad_text, unknown_seat or reason_needed.
    """
    if kind not in _NORMALISED:
        raise Refusal("unknown_kind", kind=kind[:40])
    return _NORMALISED[kind](seats, data)


def _confirmed(seats: Collection[int], data: object) -> dict[str, Any]:
    given = exact_keys(data, ("seat_number",))
    return {"seat_number": known_seat(given["seat_number"], seats, "data.seat_number")}


def _objected(seats: Collection[int], data: object) -> dict[str, Any]:
    given = exact_keys(data, ("seat_number", "note"))
    seat = known_seat(given["seat_number"], seats, "data.seat_number")
    return {"seat_number": seat, "note": free_text(given["note"], "data.note")}


def _submitted(_seats: Collection[int], data: object) -> dict[str, Any]:
    return exact_keys(data, ())


def _accepted(_seats: Collection[int], data: object) -> dict[str, Any]:
    return _reason(exact_keys(data, (), ("reason",)))


def _reopened(_seats: Collection[int], data: object) -> dict[str, Any]:
    return _needed_reason(exact_keys(data, (), ("reason",)))


def _voided(_seats: Collection[int], data: object) -> dict[str, Any]:
    given = exact_keys(data, ("entry",), ("reason",))
    return {"entry": canonical_id(given["entry"], name="data.entry"), **_reason(given)}


def _corrected(_seats: Collection[int], data: object) -> dict[str, Any]:
    given = exact_keys(data, ("entry", "data"), ("reason",))
    entry = canonical_id(given["entry"], name="data.entry")
    return {"entry": entry, "data": given["data"], **_needed_reason(given)}


def _reason(given: Data) -> dict[str, str]:
    """Return the reason, if one is given; a blank one counts as none."""
    reason = given.get("reason")
    if reason is None or (isinstance(reason, str) and not reason.strip()):
        return {}
    return {"reason": free_text(reason, "data.reason")}


def _needed_reason(given: Data) -> dict[str, str]:
    reason = _reason(given)
    if not reason:
        raise Refusal("reason_needed")
    return reason


_NORMALISED: Mapping[str, Callable[[Collection[int], object], dict[str, Any]]] = {
    "confirmed": _confirmed,
    "objected": _objected,
    "submitted": _submitted,
    "accepted": _accepted,
    "reopened": _reopened,
    "voided": _voided,
    "corrected": _corrected,
}

LIFE_CYCLE = frozenset(_NORMALISED)
"""The kinds of entries that every kind of sheet has."""
