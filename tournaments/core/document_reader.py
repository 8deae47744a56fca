"""Strict reader of JSON documents. Each error names its path, such as `$.rounds[0].tables[2].number`.

Nothing is converted silently: true is not a number, 3.0 is not a whole number, and an unknown key is an error.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from tournaments.core.moments import day_of, moment_of
from tournaments.core.names import clean_text
from tournaments.core.refusal import Refusal
from tournaments.core.strict_json import UnreadableJson, read

LARGEST_NUMBER = 10**9
"""The largest whole number: a column of 4 bytes has room for those that follow it, such as the number of the next player."""


LARGEST_TABLE_NUMBER = 9_999
"""Tables are numbered from 1, and one that all have left stays empty: a page lists the numbers up to the largest."""


class DocumentError(ValueError):
    """An unreadable document. `refusal` holds the code and parameters of the error, `path` its location."""

    def __init__(self, path: str, refusal: Refusal) -> None:
        super().__init__(path, refusal)
        self.path = path
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.path}: {self.refusal}"


@dataclass(frozen=True, slots=True)
class Reader:
    """A value of the document and its path."""

    value: Any
    path: str = "$"

    def error(self, code: str, **params: object) -> DocumentError:
        return DocumentError(self.path, Refusal(code, **params))

    @property
    def is_null(self) -> bool:
        return self.value is None

    def fields(self, needed: Collection[str], optional: Collection[str] = ()) -> "Fields":
        """Return the value as an object with exactly these keys; an optional one may be missing or null."""
        if not isinstance(self.value, dict):
            raise self.error("document_object_expected")
        for key in self.value:
            if key not in needed and key not in optional:
                raise self.key(key).error("document_unknown_key", key=key)
        for key in needed:
            if key not in self.value:
                raise self.key(key).error("document_missing_key", key=key)
        return Fields(self)

    def key(self, name: str) -> "Reader":
        plain = name.isidentifier() and len(name) <= 60
        path = f"{self.path}.{name}" if plain else f"{self.path}[{json.dumps(name[:60], ensure_ascii=False)}]"
        return Reader(self.value.get(name), path)

    def items(self) -> Iterator["Reader"]:
        if not isinstance(self.value, list):
            raise self.error("document_list_expected")
        return (Reader(item, f"{self.path}[{index}]") for index, item in enumerate(self.value))

    def whole(self, *, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        if type(self.value) is not int or not least <= self.value <= most:
            raise self.error("document_number_expected", least=least, most=most)
        return int(self.value)

    def yes_or_no(self) -> bool:
        if type(self.value) is not bool:
            raise self.error("document_yes_or_no_expected")
        return bool(self.value)

    def text(self, *, most: int, required: bool = True) -> str:
        """Return one clean line of at most `most` characters."""
        if not isinstance(self.value, str):
            raise self.error("document_text_expected")
        try:
            return clean_text(self.value, most=most, required=required)
        except Refusal as refusal:
            raise DocumentError(self.path, refusal) from None

    def choice(self, choices: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in choices:
            raise self.error("document_choice_expected", choices=sorted(choices))
        return self.value

    def day(self) -> date:
        day = day_of(self.value)
        if day is None:
            raise self.error("document_day_expected")
        return day

    def moment(self) -> datetime:
        """Return the moment, in UTC."""
        moment = moment_of(self.value)
        if moment is None:
            raise self.error("document_moment_expected")
        return moment

    def identifier(self) -> str:
        """Return a UUID in its usual spelling, in lower case."""
        try:
            canonical = str(UUID(self.value)) if isinstance(self.value, str) else ""
        except ValueError:
            canonical = ""
        if not canonical or canonical != self.value.lower():
            raise self.error("document_uuid_expected")
        return canonical


@dataclass(frozen=True, slots=True)
class Fields:
    """An object whose keys have been checked."""

    reader: Reader

    def __getitem__(self, name: str) -> Reader:
        return self.reader.key(name)

    def has(self, name: str) -> bool:
        return self.reader.value.get(name) is not None

    def text(self, name: str, *, most: int) -> str:
        """Return the text under an optional key; "" without it."""
        return self[name].text(most=most) if self.has(name) else ""

    def choice(self, name: str, choices: Collection[str], default: str) -> str:
        """Return the choice under an optional key."""
        return self[name].choice(choices) if self.has(name) else default

    def moment(self, name: str) -> datetime | None:
        """Return the moment under an optional key."""
        return self[name].moment() if self.has(name) else None


def parse(text: str) -> Reader:
    """Parse a JSON text. Raises DocumentError unless it is unambiguous JSON (see `strict_json`)."""
    try:
        return Reader(read(text.encode("utf-8", "surrogatepass")))
    except UnreadableJson as error:
        raise Reader(None).error("document_no_json", what=str(error)) from None
