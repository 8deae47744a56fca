"""Comparison of the entries that phones made, and of the answers they got, with the stored entries."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.faults.phones import DONE, Phone

Stored = Mapping[int, Sequence[tuple[str, str, dict[str, Any]]]]
"""Map a table to its entries (id, kind, data) in the order of the log."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The result of a run.

    lost: answered as recorded or duplicate, but not stored. doubled: stored more than once. stuck: not answered.
    refused: answered otherwise. strange: stored, but made by no phone or with another body. disordered: tables whose log
    is in another order than the entries of their phone.
    """

    made: int
    stored: int
    lost: frozenset[str]
    doubled: frozenset[str]
    stuck: frozenset[str]
    refused: frozenset[str]
    strange: frozenset[str]
    disordered: tuple[int, ...]

    @property
    def is_sound(self) -> bool:
        wrong = (self.lost, self.doubled, self.stuck, self.refused, self.strange, self.disordered)
        return self.made == self.stored and not any(wrong)

    def __str__(self) -> str:
        return (
            f"{self.made} made, {self.stored} stored: {len(self.lost)} lost, {len(self.doubled)} doubled, "
            f"{len(self.stuck)} stuck, {len(self.refused)} refused, {len(self.strange)} strange, "
            f"{len(self.disordered)} tables out of order"
        )


def reckon(phones: Mapping[int, Phone], stored: Stored) -> Reckoning:
    made = {entry.id: entry for phone in phones.values() for entry in phone.made}
    answered = {key: value for phone in phones.values() for key, value in phone.answered.items()}
    rows = [row for table in phones for row in stored.get(table, ())]
    times = Counter(entry_id for entry_id, _kind, _data in rows)
    done = {entry_id for entry_id, outcome in answered.items() if outcome in DONE}
    return Reckoning(
        made=len(made),
        stored=len(rows),
        lost=frozenset(done - times.keys()),
        doubled=frozenset(entry_id for entry_id, count in times.items() if count > 1),
        stuck=frozenset(made.keys() - answered.keys()),
        refused=frozenset(answered.keys() - done),
        strange=frozenset(row[0] for row in rows if row[0] not in made or row[1:] != _body(made[row[0]])),
        disordered=tuple(table for table, phone in phones.items() if not _in_order(phone, stored, table)),
    )


def strokes_made(phone: Phone) -> Counter[int]:
    """Return the strokes by seat that the table's tally must have."""
    voided = {entry.data["entry"] for entry in phone.made if entry.kind == "voided"}
    kept = [entry for entry in phone.made if entry.kind == "stroke" and entry.id not in voided]
    return Counter(entry.data["seat_number"] for entry in kept)


def _body(entry: Any) -> tuple[str, dict[str, Any]]:
    return entry.kind, entry.data


def _in_order(phone: Phone, stored: Stored, table: int) -> bool:
    """Whether the stored entries of a phone are in the order in which it made them. Doubled entries count once."""
    places = {entry.id: index for index, entry in enumerate(phone.made)}
    order = [
        places[entry_id]
        for entry_id in dict.fromkeys(row[0] for row in stored.get(table, ()))
        if entry_id in places
    ]
    return order == sorted(order)
