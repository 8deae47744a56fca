"""Numbers by seat: as JSON, and with plausible mistakes."""

from collections.abc import Mapping
from random import Random
from typing import Any


def by_seat(values: Mapping[int, int]) -> dict[str, int]:
    return {str(seat): value for seat, value in values.items()}


def spoilt(chance: Random, values: Mapping[str, int]) -> Any:
    """Return numbers by seat with one mistake."""
    seat = chance.choice(list(values))
    others = {name: value for name, value in values.items() if name != seat}
    return chance.choice(
        [
            {**values, seat: values[seat] + chance.choice([-1, 1, 9])},
            {**values, seat: chance.choice(["7", None, True, [7], 10**9])},
            {**values, "99": 7},
            others,
            None,
            [7],
        ]
    )
