"""Strict reader of JSON from outside, which refuses input that two readers could understand differently.

Refused are: duplicate keys, NaN and Infinity, whole numbers beyond 64 bit, NUL characters and halves of surrogate
pairs in texts (Postgres stores neither), and nesting deeper than any legitimate input.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn

DEEPEST = 32
_LARGEST = 2**63


class UnreadableJson(ValueError):
    """A text that is not JSON, or JSON that is refused."""


def read(body: bytes) -> Any:
    """Return the value of the UTF-8 text in `body`. Raises UnreadableJson."""
    value = parse(body)
    _check(value, DEEPEST)
    return value


def parse(body: bytes) -> Any:
    """Parse without the checks of `is_fit`, for input of which some parts may be fit to be kept and others not."""
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_mapping,
            parse_float=_number,
            parse_constant=_constant,
        )
    except (
        UnicodeDecodeError,
        RecursionError,
        ValueError,
    ) as error:  # ValueError: not JSON, or thousands of digits
        raise UnreadableJson(str(error)) from None


def is_fit(value: object) -> bool:
    """Return whether a parsed value holds only data that can be kept."""
    try:
        _check(value, DEEPEST)
    except UnreadableJson:
        return False
    return True


def _mapping(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise UnreadableJson("a key is there twice")
    return mapping


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise UnreadableJson("a number too large")
    return number


def _constant(text: str) -> NoReturn:
    raise UnreadableJson(f"{text} is no JSON")


def _check(value: object, depth: int) -> None:
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise UnreadableJson("a whole number beyond 64 bit")
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise UnreadableJson("a text with a character that is none")
    elif isinstance(value, dict | list):
        if depth == 0:
            raise UnreadableJson("nested too deep")
        for item in value if isinstance(value, list) else (*value.keys(), *value.values()):
            _check(item, depth - 1)
