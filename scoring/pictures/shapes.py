"""Bars and lengths of all pictures."""

from collections.abc import Sequence
from dataclasses import dataclass


def written(length: float, unit: str) -> str:
    """Return a length as an SVG attribute, with a point in every language."""
    return f"{length:.2f}".rstrip("0").rstrip(".") + unit


def share(value: float, lowest: float, highest: float) -> float:
    """Return the place of a value between the lowest and the highest, in per cent; 0 if they are equal."""
    return (value - lowest) / (highest - lowest) * 100 if highest > lowest else 0.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar that lies between zero and a value, in per cent of the width. mark: place of a value to compare with."""

    start: float
    length: float
    mark: float | None = None


def bars(values: Sequence[float | None], marks: Sequence[float | None] = ()) -> tuple[Bar | None, ...]:
    """Return a bar for each value, all to the same scale, which holds zero. None: there is no value.

    marks: a value to compare with for each value, or none at all.
    """
    compared = tuple(marks) or (None,) * len(values)
    present = [0.0, *(value for value in (*values, *compared) if value is not None)]
    lowest, highest = min(present), max(present)
    zero = share(0, lowest, highest)

    def bar(value: float | None, mark: float | None) -> Bar | None:
        if value is None:
            return None
        end = share(value, lowest, highest)
        place = None if mark is None else share(mark, lowest, highest)
        return Bar(min(zero, end), abs(end - zero), place)

    return tuple(bar(value, mark) for value, mark in zip(values, compared, strict=True))
