"""JSON from outside is read once and in one way, or not at all."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.strict_json import DEEPEST, UnreadableJson, read

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_value_is_read_unchanged(value: object) -> None:
    assert read(json.dumps(value).encode()) == value
    assert read(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=40))
def test_any_text_is_read_or_refused(body: bytes) -> None:
    with suppress(UnreadableJson):
        read(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"\xef\xbb\xbf{}",
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e999",
        b"9223372036854775808",
        b"-9223372036854775809",
        b"1" * 10_000,
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "b": 2}}',
        b'"\\u0000"',
        b'{"\\u0000": 1}',
        b'["\\ud800"]',
        b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1),
        b"[" * 1_000_000,
    ],
)
def test_invalid_and_ambiguous_json_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableJson):
        read(body)
