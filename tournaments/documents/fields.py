"""Tables of fields: for each model its keys in a document, their columns, readers and writers.

Reader, writer and default follow from the column unless the field overrides them. A test compares the tables with
the columns of the models.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, TypeVar

from django.db import models

from tournaments.core.document_reader import LARGEST_NUMBER, Reader
from tournaments.core.moments import iso_moment

M = TypeVar("M", bound=models.Model)
NEEDED: Any = object()
IMPORT_TIME: Any = object()
_OF_COLUMN: Any = object()


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a document and its column ("": of the same name).

    default: value for a missing or null key; IMPORT_TIME: the time of import; NEEDED: the key is required.
    required: a text may not be empty. or_null: an empty text is written as null. least, most: of a number. read, write:
    instead of those of the column.
    """

    key: str
    column: str = ""
    default: Any = _OF_COLUMN
    required: bool = False
    or_null: bool = False
    least: int = 0
    most: int = LARGEST_NUMBER
    read: Callable[[Reader], Any] | None = None
    write: Callable[[Any], Any] | None = None


class _BoundField:
    """A field with the column of its model. column: None for a part. read: None if the caller reads it."""

    def __init__(self, field: Field, column: Any) -> None:
        self.key, self.column = field.key, column
        self.default = _default_of(column) if field.default is _OF_COLUMN else field.default
        self.read = field.read or _reader_of(field, column)
        self._write = field.write or _writer_of(field, column)

    def written(self, row: Any) -> Any:
        return self._write(getattr(row, self.column.name))

    def value(self, reader: Reader, at: datetime) -> Any:
        """Return the value of the column. at: the time of import."""
        if self.default is NEEDED or not reader.is_null:
            return self.read(reader) if self.read else None
        if self.default is IMPORT_TIME:
            return at
        return self.default() if callable(self.default) else self.default


def _default_of(column: Any) -> Any:
    """Return the default of a column for a missing key: its own default, None, or ""; NEEDED if there is none."""
    if column is None or column.null:
        return None
    if column.has_default():
        return column.get_default
    return "" if column.blank else NEEDED


def _writer_of(field: Field, column: Any) -> Callable[[Any], Any]:
    if isinstance(column, models.DateTimeField):
        return iso_moment
    if isinstance(column, models.DateField):
        return lambda day: day and date.isoformat(day)
    return (lambda text: text or None) if field.or_null else lambda value: value


def _reader_of(field: Field, column: Any) -> Callable[[Reader], Any] | None:
    match column:
        case models.BooleanField():
            return Reader.yes_or_no
        case models.DateTimeField():
            return Reader.moment
        case models.DateField():
            return Reader.day
        case models.IntegerField():
            return lambda reader: reader.whole(least=field.least, most=field.most)
        case models.CharField(choices=None):
            return lambda reader: reader.text(most=column.max_length or 0, required=field.required)
        case models.CharField():
            return lambda reader: reader.choice([choice for choice, _name in column.flatchoices])
    return None


class FieldTable(Generic[M]):
    """The fields of a model in the order in which they are written. A string is a field with defaults.

    A key without a column is a part: its value is an argument of `write`. The caller of `read` reads the parts, and
    relations, UUIDs and JSON without a `read` of their own.
    """

    def __init__(self, model: type[M], *fields: Field | str) -> None:
        self.model = model
        columns = {column.name: column for column in model._meta.concrete_fields}
        definitions = [Field(field) if isinstance(field, str) else field for field in fields]
        self.fields = [_BoundField(field, columns.get(field.column or field.key)) for field in definitions]
        self.keys = {field.key for field in self.fields}
        self._needed = [field.key for field in self.fields if field.default is NEEDED]
        self._optional = [field.key for field in self.fields if field.default is not NEEDED]

    def write(self, row: Any, **values: Any) -> dict[str, Any]:
        """Return the document of a row, which has the columns as attributes. values: by key, instead of the row's."""
        return {
            field.key: values[field.key] if field.key in values else field.written(row)
            for field in self.fields
            if field.column is not None or field.key in values
        }

    def read(self, reader: Reader, *, at: datetime, **columns: Any) -> M:
        """Return the row of a document, unsaved. at: the time of import. columns: values of columns without a field."""
        return self.model(**self.columns(reader, at=at), **columns)

    def columns(self, reader: Reader, *, at: datetime) -> dict[str, Any]:
        """Return the columns of a document, after checking its keys. Raises DocumentError."""
        reader.fields(self._needed, self._optional)
        return {
            field.column.name: field.value(reader.key(field.key), at)
            for field in self.fields
            if field.read is not None
        }


def read_numbers(reader: Reader) -> list[int]:
    """Return a list of whole numbers from 1."""
    return [number.whole(least=1) for number in reader.items()]


def read_object(reader: Reader) -> dict[str, Any]:
    """Return an object unchanged."""
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    return reader.value


def parts_of(reader: Reader, key: str) -> Iterator[Reader]:
    """Return the items of a list under a key; none if it is missing or null."""
    items = reader.key(key)
    return iter(()) if items.is_null else items.items()
