"""Kinds of fees. The first one is the default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FULL = "full"
MOST_KINDS = 9


@dataclass(frozen=True, slots=True)
class FeeKind:
    """A kind of fee, as stored in `Tournament.fees`. name: "" for the ruleset's fee, which has no name of its own.

    hides_amount: as of the tournament: the kind is known by its name only.
    """

    key: str
    name: str
    cents: int
    hides_amount: bool = False


def kinds_of_fees(
    stored: Sequence[Mapping[str, Any]], ruleset_cents: int, *, hides_amounts: bool = False
) -> tuple[FeeKind, ...]:
    """Return the kinds of a tournament, default first: those stored, or one with the ruleset's fee."""
    if not stored:
        return (FeeKind(FULL, "", ruleset_cents, hides_amounts),)
    return tuple(FeeKind(kind["key"], kind["name"], kind["cents"], hides_amounts) for kind in stored)


def kind_of(kinds: Sequence[FeeKind], key: str) -> FeeKind:
    """Return the kind with this key; the default for "" and for a key that is unknown."""
    return next((kind for kind in kinds if kind.key == key), kinds[0])
