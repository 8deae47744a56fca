"""The versions of the documents, and their keys."""

import re
from collections.abc import Sequence

from tournaments.core.document_reader import Fields, Reader, parse

SCHEMA = "schnauz-turnier/2"
READABLE_SCHEMAS = ("schnauz-turnier/1", SCHEMA)
_KEYS = ("schema", "tournament", "participants", "rounds")
_MORE_KEYS = ("desks", "cash", "commitments", "decisions", "prizes_given", "marks")


def read_document(text: str) -> Fields:
    """Return a tournament's document of a readable version, after checking its keys. Raises DocumentError."""
    return read_parts(text, READABLE_SCHEMAS, _KEYS, _MORE_KEYS)


def read_parts(
    text: str, readable: Sequence[str], needed: Sequence[str], optional: Sequence[str] = ()
) -> Fields:
    """Return a document of one of these versions, the newest last, after checking its keys. Raises DocumentError.

    Refuses a document of a newer program, or of another kind, before its keys, which may be unknown here, are read.
    """
    reader = parse(text)
    if isinstance(reader.value, dict) and "schema" in reader.value:
        _refuse_other(reader.key("schema"), readable)
    return reader.fields(needed, optional)


def _refuse_other(schema: Reader, readable: Sequence[str]) -> None:
    name, _slash, number = str(schema.value).rpartition("/")
    ours, _slash, newest = readable[-1].rpartition("/")
    if name == ours and re.fullmatch("[0-9]{1,9}", number) and int(number) > int(newest):
        raise schema.error("document_schema_newer")
    if schema.value not in readable:
        raise schema.error("document_schema_unknown", expected=readable[-1])
