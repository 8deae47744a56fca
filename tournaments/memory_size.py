"""Sizes of values in memory."""

import sys
from collections.abc import Collection
from functools import lru_cache
from typing import Any

MEASURED = 8
"""The number of items measured of a collection; the size of a larger one is extrapolated from them."""
SIMPLE = {str, bytes, int, float, bool, type(None)}


def size_of(value: Any) -> int:
    """Return the size of a value in bytes, with all that it contains; an estimate for large collections.

    Other threads may change the value meanwhile.
    """
    return _size(value, set())


def _size(value: Any, seen: set[int]) -> int:
    kind: object = type(value)
    if kind in SIMPLE:
        return sys.getsizeof(value)
    if id(value) in seen or callable(value):
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, tuple | list | set | frozenset):
        return size + _size_of_all(value, seen)
    if isinstance(value, dict):
        return size + _size_of_all(value.keys(), seen) + _size_of_all(value.values(), seen)
    for part in getattr(value, "__dict__", {}).copy().values():
        size += _size(part, seen)
    for name in _slots(kind):
        size += _size(getattr(value, name, None), seen)
    return size


@lru_cache(maxsize=256)
def _slots(kind: type) -> tuple[str, ...]:
    return tuple({name for base in kind.__mro__ for name in getattr(base, "__slots__", ())})


def _size_of_all(items: Collection[Any], seen: set[int]) -> int:
    copied = list(items)
    step = -(-len(copied) // MEASURED) or 1
    measured = [_size(item, seen) for item in (copied if step == 1 else copied[::step])]
    return sum(measured) * len(copied) // len(measured) if measured else 0
