"""Sizes of values in memory."""

import sys
from collections.abc import Collection
from typing import Any

MEASURED = 32
"""Of a larger collection so many items are measured; all others count as these."""
SIMPLE = {str, bytes, int, float, bool, type(None)}


def size_of(value: Any) -> int:
    """Return how many bytes a value takes, with all that it contains; of large collections about how many.

    Other threads may change the value meanwhile.
    """
    return _size(value, set())


def _size(value: Any, seen: set[int]) -> int:
    if type(value) in SIMPLE:
        return sys.getsizeof(value)
    if id(value) in seen or callable(value):
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + _size_of_all(value.keys(), seen) + _size_of_all(value.values(), seen)
    if isinstance(value, tuple | list | set | frozenset):
        return size + _size_of_all(value, seen)
    names = (name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()))
    parts = [*getattr(value, "__dict__", {}).values(), *(getattr(value, name, None) for name in names)]
    return size + sum(_size(part, seen) for part in parts)


def _size_of_all(items: Collection[Any], seen: set[int]) -> int:
    copied = list(items)
    measured = [_size(item, seen) for item in copied[:: -(-len(copied) // MEASURED) or 1]]
    return sum(measured) * len(copied) // len(measured) if measured else 0
