"""The canonical text of a JSON value: one text for each value, over which digests are made.

It is JSON in UTF-8 with the keys of every object sorted and no white space. Numbers are whole. Keys are ASCII, so their
order is the same by bytes, characters, and UTF-16 units.
"""

import json
from datetime import UTC, datetime
from typing import Any


def canonical(value: Any) -> bytes:
    """Return the canonical text. value: of dicts, lists, texts, whole numbers, booleans and None."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def canonical_moment(at: datetime) -> str:
    """Return a moment in ISO 8601, UTC, with microseconds unless they are 0."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
