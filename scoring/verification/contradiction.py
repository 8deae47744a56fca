"""A contradiction in a record: where it is, what is there, and what it should be."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import override

from scoring.text.refusals import message
from tournaments.core.document_reader import Reader
from tournaments.core.printable import printable
from tournaments.core.refusal import Refusal

_LONGEST = 300
_SENTENCES = re.compile(r"(?<=[.!?]) ")
_STEP = re.compile(r"\.(\w+)(?:\[(\d+)\])?")
_PARTS: Mapping[str, str] = {"draw": "the draw", "standings": "the standings"}
"""Parts of a record in words."""
_ITEMS: Mapping[str, tuple[str, str]] = {
    "participants": ("player", "start_number"),
    "rounds": ("round", "number"),
    "abandoned": ("abandoned attempt", "attempt"),
    "changes": ("change", ""),
    "wishes": ("wish", ""),
    "history": ("history of round", ""),
    "tables": ("table", "number"),
    "seats": ("seat", "seat_number"),
    "entries": ("entry", ""),
    "commitments": ("commitment", "number"),
    "decisions": ("decision", ""),
    "marks": ("mark", ""),
    "rows": ("row of player", "start_number"),
    "by_round": ("round", ""),
}
"""The word for an item of each list, and the key of its number, empty where it is its place in the list."""


class Contradiction(ValueError):
    """Anything in a record that is not right. path: its JSON path. what: a sentence. place: the path in words."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(path, what)
        self.path = path
        self.what = what
        self.place = ""

    def __str__(self) -> str:
        """Return one line, without characters that could confuse a terminal."""
        line = f"{self.path} ({self.place}): {self.what}" if self.place else f"{self.path}: {self.what}"
        return printable(line)


def should_be(place: Reader, expected: Any) -> Contradiction:
    """Return the contradiction of a place that has another value than it should have."""
    return Contradiction(place.path, f"It is {shown(place.value)}. It should be {shown(expected)}.")


def refused(path: str, refusal: Refusal, prefix: str = "") -> Contradiction:
    """Return the contradiction of what the program refuses. Its sentence says why, without the request that follows."""
    with override("en"):
        sentences = _SENTENCES.split(message(refusal))
    why = " ".join(sentence for sentence in sentences if not sentence.startswith("Please"))
    return Contradiction(path, f"{prefix} {why}".strip())


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def place_in_words(path: str, record: Any) -> str:
    """Return a path in words, such as "round 2, table 3, entry 5"; "" if there are none for it."""
    return ", ".join(_places(path, record))


def _places(path: str, record: Any) -> Iterator[str]:
    """Yield the parts of a path in words, such as "round 2", "table 3", "entry 5"."""
    value = record
    for name, index in _STEP.findall(path):
        value = value.get(name) if isinstance(value, dict) else None
        if index:
            value = value[int(index)] if isinstance(value, list) and int(index) < len(value) else None
        if name in _PARTS:
            yield _PARTS[name]
        elif name in _ITEMS and index:
            word, key = _ITEMS[name]
            number = value.get(key) if isinstance(value, dict) else None
            yield f"{word} {number if type(number) is int else int(index) + 1}"
