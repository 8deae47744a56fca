"""Limits of a workbook, checked before openpyxl reads it.

A few kilobytes of XLSX unpack to millions of XML elements, for each of which openpyxl makes several objects. This module
unpacks every part in pieces and counts its elements with expat, which keeps none, until a limit is exceeded.
"""

import io
import zipfile
from collections import Counter
from typing import IO
from xml.parsers.expat import ExpatError, ParserCreate

from django.conf import settings

from tournaments.core.refusal import Refusal

_MOST_PARTS = 500
_DEEPEST = 50
_CONTENT = frozenset(
    {"row", "c", "v", "f", "is", "t", "si", "r"}
)  # of a list; all others are styles and the like


def check_workbook(data: bytes) -> None:
    """Refuse file_too_large for a workbook beyond the limits, file_unreadable for one that defines entities."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        infos = parts.infolist()
        unpacked = sum(info.file_size for info in infos)
        if len(infos) > _MOST_PARTS or unpacked > settings.IMPORT_UNPACKED_BYTES:
            raise Refusal("file_too_large")
        elements = _Elements()
        for info in infos:
            with parts.open(info) as part:
                elements.count(part)


class _Elements:
    """The elements of all parts so far."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._depth = 0
        self._cells = 0

    def count(self, part: IO[bytes]) -> None:
        """Count the elements of a part up to its first XML error, where openpyxl stops too."""
        parser = ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._depth = 0
        try:
            while piece := part.read(1 << 16):
                parser.Parse(piece)
        except ExpatError:
            return

    def _start(self, tag: str, _attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        name = name if name in _CONTENT else "other"
        self._counts[name] += 1
        self._depth += 1
        self._cells = 0 if name == "row" else self._cells + (name == "c")
        if (
            self._depth > _DEEPEST
            or self._cells > settings.IMPORT_COLUMNS
            or self._counts["row"] > settings.IMPORT_ROWS
            or self._counts["si"] > settings.IMPORT_STRINGS
            or self._counts["other"] > settings.IMPORT_STYLES
            or self._counts[name] > settings.IMPORT_CELLS
        ):
            raise Refusal("file_too_large")

    def _end(self, _tag: str) -> None:
        self._depth -= 1

    def _refuse_doctype(self, *_names: object) -> None:
        raise Refusal("file_unreadable")
