"""The versions of the document, and its keys."""

import re

from tournaments.core.document_reader import Fields, Reader, parse

SCHEMA = "schnauz-turnier/2"
READABLE_SCHEMAS = ("schnauz-turnier/1", SCHEMA)
_KEYS = ("schema", "tournament", "participants", "rounds")
_MORE_KEYS = ("desks", "cash", "commitments", "decisions", "prizes_given", "marks")


def read_document(text: str) -> Fields:
    """Return a document of a readable version, after checking its keys. Raises DocumentError."""
    reader = parse(text)
    _refuse_newer(reader)
    fields = reader.fields(_KEYS, _MORE_KEYS)
    if fields["schema"].value not in READABLE_SCHEMAS:
        raise fields["schema"].error("document_schema_unknown", expected=SCHEMA)
    return fields


def _refuse_newer(reader: Reader) -> None:
    """Refuse a document of a newer program before its keys, which may be unknown here, are read."""
    if not isinstance(reader.value, dict):
        return
    schema = reader.key("schema")
    name, _slash, number = str(schema.value).rpartition("/")
    ours, _slash, newest = SCHEMA.rpartition("/")
    if name == ours and re.fullmatch("[0-9]{1,9}", number) and int(number) > int(newest):
        raise schema.error("document_schema_newer")
