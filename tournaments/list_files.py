"""Files of lists from spreadsheet programs, as rows of cells.

Accepts CSV with any usual separator and encoding, XLSX, and lines pasted from either.
"""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterable
from xml.etree.ElementTree import ParseError

from charset_normalizer import from_bytes
from django.conf import settings
from django.http import HttpRequest

from tournaments.core.refusal import Refusal
from tournaments.workbook_limits import check_workbook

Row = tuple[int, list[str]]
"""Line number and cells."""

_MOST_COLUMNS = 20  # further ones are ignored
_MOST_OTHER_LINES = 100  # titles, sums
LONGEST_CELL = 1_000
"""Characters of a cell that are read: more than any field allows, few enough for comparisons."""


def posted_list(request: HttpRequest) -> str:
    """Return the list of a form, from its file or else from its text. Refuses file_too_large, file_unreadable."""
    upload = request.FILES.get("file")
    if upload is not None and (upload.size or 0) > settings.IMPORT_FILE_BYTES:
        raise Refusal("file_too_large")
    text = request.POST.get("text", "") if upload is None else text_of(upload.read())
    if len(text.encode(errors="replace")) > settings.IMPORT_FILE_BYTES:
        raise Refusal("file_too_large")
    return text


def text_of(data: bytes) -> str:
    """Return the list in a file as text, one line per row. Refuses file_too_large, file_unreadable."""
    if len(data) > settings.IMPORT_FILE_BYTES:
        raise Refusal("file_too_large")
    if data.startswith(b"PK\x03\x04"):
        return _text_of_workbook(data)
    text = _decoded(data)
    if "\0" in text or data.startswith((b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise Refusal("file_unreadable")
    return text


def _decoded(data: bytes) -> str:
    """Decode as Unicode if the bytes indicate it, else in the encoding that gives the most usual letters, else by a guess."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif data[:200].count(0) > len(data[:200]) // 4:
        encodings = ["utf-16-le" if data[1:2] == b"\0" else "utf-16-be"]
    else:
        encodings = ["utf-8-sig", max(_ENCODINGS, key=lambda name: _usual_letters(data, name))]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    guess = from_bytes(data, cp_isolation=["cp850", "cp437", "mac_roman", "cp1250", "iso8859_15"]).best()
    if guess is None:
        raise Refusal("file_unreadable")
    return str(guess)


_ENCODINGS = ("cp1252", "mac_roman", "cp850")
_USUAL_LETTERS = frozenset("äöüÄÖÜßéèáàóôçñøåšž–„“”’€")


def _usual_letters(data: bytes, encoding: str) -> int:
    return sum(letter in _USUAL_LETTERS for letter in data.decode(encoding, errors="replace"))


def _text_of_workbook(data: bytes) -> str:
    """Return the first sheet, tab-separated. Every row is a line, so line numbers match Excel's row numbers."""
    from openpyxl import load_workbook  # noqa: PLC0415 (22 MB of memory, which most processes never need)
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415

    try:
        check_workbook(data)
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        # The dimensions that the file states are not trusted.
        sheet = workbook.worksheets[0]
        sheet.reset_dimensions()
        rows = [
            _row_text(row)
            for row in sheet.iter_rows(max_row=settings.IMPORT_ROWS, max_col=_MOST_COLUMNS, values_only=True)
        ]
    except (*_UNREADABLE, InvalidFileException):
        raise Refusal("file_unreadable") from None
    output = io.StringIO()
    csv.writer(output, "excel-tab", lineterminator="\n").writerows(rows)
    return output.getvalue()


# The exceptions that openpyxl and its dependencies raise on invalid files, besides its own.
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, ParseError, EOFError, OSError, KeyError, IndexError,
    ValueError, TypeError, AttributeError, NotImplementedError, OverflowError, RuntimeError, UnicodeError,
)  # fmt: skip


def _row_text(row: Iterable[object]) -> list[str]:
    cells = [_cell_text(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(str(value).split())


def rows_of(text: str, *, most: int) -> list[Row]:
    """Return the non-empty lines with their line numbers, counted from 1. Refuses file_unreadable, too_many_lines (most)."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), skipinitialspace=True)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            cells = [cell.strip()[:LONGEST_CELL] for cell in cells[:_MOST_COLUMNS]]
            if any(cells):
                rows.append((line, cells))
            if len(rows) > most + _MOST_OTHER_LINES:
                raise Refusal("too_many_lines", most=most)
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("file_unreadable") from None
    return rows


def _separator(text: str) -> str:
    """Return the first of tab, semicolon and bar that most lines have, else the one that occurs equally often in most lines."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]

    def alike(separator: str) -> tuple[int, int]:
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts) - {0}, key=counts.count, default=0)
        return (counts.count(usual) if usual else 0, usual)

    usual = (each for each in "\t;|" if 2 * sum(each in line for line in lines) > len(lines))
    return next(usual, None) or max("\t;|,", key=alike)
