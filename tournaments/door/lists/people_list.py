"""Lists of people from spreadsheet programs.

Accepts CSV with any usual separator and encoding, XLSX, and lines pasted from either.
"""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError

from charset_normalizer import from_bytes
from django.conf import settings
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from tournaments.core.names import clean_name, clean_text, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.door.lists.workbook_limits import check_workbook
from tournaments.services.door import MOST_AT_ONCE, Newcomer

_MOST_COLUMNS = 20  # further ones are ignored
_MOST_NUMBER = 99_999

# --- reading: file to text ------------------------------------------------------------------------------------------


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
    """Decode as Unicode if the bytes indicate it, else as the usual Windows encoding, else by the best guess."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif data[:200].count(0) > len(data[:200]) // 4:
        encodings = ["utf-16-le" if data[1:2] == b"\0" else "utf-16-be"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    guess = from_bytes(data, cp_isolation=["cp850", "cp437", "mac_roman", "cp1250", "iso8859_15"]).best()
    if guess is None:
        raise Refusal("file_unreadable")
    return str(guess)


def _text_of_workbook(data: bytes) -> str:
    """Return the first sheet, tab-separated. Every row is a line, so line numbers match Excel's row numbers."""
    try:
        check_workbook(data)
        workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        # The file's own statement of its dimensions is not trusted.
        sheet = workbook.worksheets[0]
        sheet.reset_dimensions()
        rows = [
            _row_text(row)
            for row in sheet.iter_rows(max_row=settings.IMPORT_ROWS, max_col=_MOST_COLUMNS, values_only=True)
        ]
    except _UNREADABLE:
        raise Refusal("file_unreadable") from None
    output = io.StringIO()
    csv.writer(output, "excel-tab", lineterminator="\n").writerows(rows)
    return output.getvalue()


# The exceptions that openpyxl and its dependencies raise on invalid files.
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, InvalidFileException, ParseError, EOFError, OSError, KeyError, IndexError,
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


# --- reading: text to newcomers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoodLine:
    """A valid line. `same_line`, `same_number`: the earlier line or registered player with the same name, if any."""

    line: int
    newcomer: Newcomer
    same_line: int | None = None
    same_number: int | None = None

    @property
    def is_double(self) -> bool:
        return self.same_line is not None or self.same_number is not None


@dataclass(frozen=True, slots=True)
class BadLine:
    line: int
    text: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The valid and invalid lines of a list."""

    good: tuple[GoodLine, ...]
    bad: tuple[BadLine, ...]

    @property
    def new(self) -> tuple[GoodLine, ...]:
        return tuple(line for line in self.good if not line.is_double)

    @property
    def doubles(self) -> tuple[GoodLine, ...]:
        return tuple(line for line in self.good if line.is_double)

    def newcomers(self, *, with_doubles: bool) -> list[Newcomer]:
        return [line.newcomer for line in self.good if with_doubles or not line.is_double]


Row = tuple[int, list[str]]

_HEADINGS = {
    "number": ("nr", "no", "nummer", "teilnnr", "teilnehmernr", "teilnehmernummer", "startnr", "startnummer", "number"),
    "name": ("name", "namen", "spieler", "teilnehmer", "spielername", "player"),
    "first": ("vorname", "rufname", "firstname"),
    "last": ("nachname", "familienname", "zuname", "lastname", "surname"),
    "club": ("verein", "club", "stammtisch", "mannschaft", "team"),
}  # fmt: skip


def read_people(text: str, *, known: dict[str, int], taken: Iterable[int]) -> PeopleList:
    """Validate every line of a list.

    known: same-name key -> start number of the registered players. taken: the start numbers in use. Refuses
    file_unreadable, too_many_lines (most).
    """
    rows = _rows(text)
    columns, rows = _columns(rows)
    good: list[GoodLine] = []
    bad: list[BadLine] = []
    lines_by_name: dict[str, int] = {}
    numbers = set(taken)
    for line, cells in rows:
        try:
            newcomer = _newcomer(cells, columns, numbers)
        except Refusal as refusal:
            bad.append(BadLine(line, " · ".join(filter(None, cells))[:120], refusal))
            continue
        if newcomer.start_number is not None:
            numbers.add(newcomer.start_number)
        key = same_name_key(newcomer.name)
        good.append(GoodLine(line, newcomer, lines_by_name.get(key), known.get(key)))
        lines_by_name.setdefault(key, line)
    return PeopleList(tuple(good), tuple(bad))


def _rows(text: str) -> list[Row]:
    """Return the non-empty lines with their line numbers, counted from 1."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), skipinitialspace=True)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells[:_MOST_COLUMNS]]
            if any(cells):
                rows.append((line, cells))
            if len(rows) > MOST_AT_ONCE + 1:
                raise Refusal("too_many_lines", most=MOST_AT_ONCE)
            line = reader.line_num + 1
    except csv.Error:
        raise Refusal("file_unreadable") from None
    return rows


def _separator(text: str) -> str:
    """Return the separator that occurs equally often in most lines; on a tie the first of tab, semicolon, bar, comma."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]

    def alike(separator: str) -> tuple[int, int]:
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts) - {0}, key=counts.count, default=0)
        return (counts.count(usual) if usual else 0, usual)

    return max("\t;|,", key=alike) if lines else ";"


def _columns(rows: list[Row]) -> tuple[dict[str, int], list[Row]]:
    """Return the column of each field, and the rows without the headings.

    Without headings the columns are the number (if the first column holds numbers), the name, the club.
    """
    if not rows:
        return {"name": 0}, rows
    headings = ["".join(c for c in cell.casefold() if c.isalpha()) for cell in rows[0][1]]
    found = {
        what: next(index for index, heading in enumerate(headings) if heading in words)
        for what, words in _HEADINGS.items()
        if any(heading in words for heading in headings)
    }
    if found.keys() & {"name", "first", "last"}:
        return found, rows[1:]
    if len(rows) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    starts_with_number = any(len(cells) > 1 for _, cells in rows) and all(
        _number_text(cells[0]).isdecimal() or not cells[0] for _, cells in rows
    )
    first = 1 if starts_with_number and any(cells[0] for _, cells in rows) else 0
    return ({"number": 0} if first else {}) | {"name": first, "club": first + 1}, rows


def _newcomer(cells: list[str], columns: dict[str, int], taken: set[int]) -> Newcomer:
    def cell(what: str) -> str:
        index = columns.get(what, _MOST_COLUMNS)
        return cells[index] if index < len(cells) else ""

    name = cell("name") or f"{cell('first')} {cell('last')}"
    newcomer = Newcomer(clean_name(name), clean_text(cell("club"), most=80), _number(cell("number")))
    if newcomer.start_number in taken:
        raise Refusal("number_taken", start_number=newcomer.start_number)
    return newcomer


def _number(text: str) -> int | None:
    text = _number_text(text)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and 1 <= int(text) <= _MOST_NUMBER):
        raise Refusal("number_bad", most=_MOST_NUMBER)
    return int(text)


def _number_text(text: str) -> str:
    """Strip the trailing dot: „17.“ and „17“ are the same number."""
    return text.strip().removesuffix(".")
