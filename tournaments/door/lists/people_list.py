"""Lists of people from spreadsheet programs.

Accepts CSV with any usual separator and encoding, XLSX, and lines pasted from either.
"""

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError

from charset_normalizer import from_bytes
from django.conf import settings
from django.utils.functional import Promise

from tournaments.core.fees import FULL, FeeKind, kind_of
from tournaments.core.name_order import NameOrder, guess_order, looks_like_first_names, with_comma
from tournaments.core.names import clean_person_name, clean_text, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.door.lists.workbook_limits import check_workbook
from tournaments.person_details import LONGEST_DETAIL, PERSON_DETAILS
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import MOST_AT_ONCE
from tournaments.spreadsheets import plain
from tournaments.text.money import word_fee

_MOST_COLUMNS = 20  # further ones are ignored
_MOST_NUMBER = 99_999
LONGEST_CELL = 1_000
"""Characters of a cell that are read: more than any field allows, few enough for comparisons."""

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


# --- reading: text to newcomers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoodLine:
    """A valid line. `same_line`, `same_number`: the earlier line or registered player with the same name, if any.

    is_known: the line has number and name of a registered player.
    """

    line: int
    newcomer: Newcomer
    same_line: int | None = None
    same_number: int | None = None
    is_known: bool = False

    @property
    def details(self) -> list[tuple[Promise | str, str]]:
        """The details with their names."""
        return [(detail.name, self.newcomer.details[key]) for key, detail in PERSON_DETAILS.items()]

    @property
    def is_double(self) -> bool:
        return not self.is_known and (self.same_line is not None or self.same_number is not None)


@dataclass(frozen=True, slots=True)
class BadLine:
    line: int
    text: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The valid and invalid lines of a list.

    asks_order: whether the order of the names makes a difference. dropped: the headings of ignored columns, or the number
    of one without a heading.
    """

    good: tuple[GoodLine, ...]
    bad: tuple[BadLine, ...]
    order: NameOrder
    asks_order: bool
    dropped: tuple[str | int, ...] = ()

    @property
    def new(self) -> tuple[GoodLine, ...]:
        return tuple(line for line in self.good if not line.is_double and not line.is_known)

    @property
    def doubles(self) -> tuple[GoodLine, ...]:
        return tuple(line for line in self.good if line.is_double)

    @property
    def updates(self) -> list[Newcomer]:
        return [line.newcomer for line in self.good if line.is_known]

    def newcomers(self, *, with_doubles: bool) -> list[Newcomer]:
        lines = [line for line in self.good if not line.is_known]
        return [line.newcomer for line in lines if with_doubles or not line.is_double]


@dataclass(frozen=True, slots=True)
class ListContext:
    """Context of a list: the tournament's players and the keys of their fees by start number, and its kinds of fees.

    order: the chosen order of names, None to guess it.
    """

    people: Mapping[int, str]
    kinds: Sequence[FeeKind] = (FeeKind(FULL, "", 0),)
    fees: Mapping[int, str] = field(default_factory=dict)
    order: NameOrder | None = None


Row = tuple[int, list[str]]

_HEADINGS = {
    "number": ("nr", "no", "nummer", "teilnnr", "teilnehmernr", "teilnehmernummer", "startnr", "startnummer", "number"),
    "name": (
        "name", "namen", "spieler", "teilnehmer", "spielername", "player",
        "vornamename", "vornamenachname", "vorundnachname", "namevorname", "nachnamevorname",
    ),
    "first": ("vorname", "rufname", "firstname"),
    "last": ("nachname", "familienname", "zuname", "lastname", "surname"),
    "club": ("verein", "club", "stammtisch", "mannschaft", "team"),
    "paid": ("bezahlt", "gezahlt", "paid"),
    "fee": (
        "beitrag", "gebühr", "gebuehr", "startgebühr", "startgebuehr", "startgeld", "beitragsart", "gebührenart",
        "gebuehrenart", "ermässigung", "ermaessigung", "fee", "entryfee", "feekind",
    ),
}  # fmt: skip
_ORDER_OF_HEADING: Mapping[str, NameOrder] = {
    "vornamename": "first_last",
    "vornamenachname": "first_last",
    "vorundnachname": "first_last",
    "namevorname": "last_first",
    "nachnamevorname": "last_first",
}


def read_people(text: str, context: ListContext) -> PeopleList:
    """Validate every line of a list. Refuses file_unreadable, too_many_lines (most)."""
    separator = _separator(text)
    every = _rows(text, separator)
    columns, rows, heading = _columns(every)
    has_parts = "first" in columns
    order = context.order or _ORDER_OF_HEADING.get(heading) or _guessed_order(rows, columns, separator)
    if order == "comma" and separator == "," and not heading and not has_parts:
        start = columns["name"]
        columns = {**columns, "last": start, "first": start + 1, "club": start + 2}
        del columns["name"]
    headings = every[0][1] if len(rows) < len(every) else []
    reader = _LineReader(columns, order, context)
    lines = [reader.read(number, cells) for number, cells in rows]
    good = tuple(line for line in lines if isinstance(line, GoodLine))
    return PeopleList(
        good=good,
        bad=tuple(line for line in lines if isinstance(line, BadLine)),
        order=order,
        asks_order=not has_parts and any(" " in line.newcomer.name for line in good),
        dropped=tuple(_dropped(headings, rows, columns)),
    )


def _dropped(headings: list[str], rows: list[Row], columns: Mapping[str, int]) -> Iterator[str | int]:
    """Yield heading or number of each ignored column with content."""
    width = max((len(cells) for _line, cells in rows), default=0)
    for index in sorted(set(range(max(width, len(headings)))) - set(columns.values())):
        heading = headings[index] if index < len(headings) else ""
        if heading or any(cells[index] for _line, cells in rows if index < len(cells)):
            yield heading[:40] or index + 1


def _guessed_order(rows: list[Row], columns: dict[str, int], separator: str) -> NameOrder:
    names = [cell for _line, cells in rows if (cell := _cell(cells, columns, "name"))]
    are_words = 2 * sum(" " not in name for name in names) > len(names)
    if (
        separator == ","
        and are_words
        and looks_like_first_names(_cell(cells, columns, "club") for _line, cells in rows)
    ):
        return "comma"
    return guess_order(names)


class _LineReader:
    """Reader of the lines of one list. Remembers names and numbers to find duplicates."""

    def __init__(self, columns: dict[str, int], order: NameOrder, context: ListContext) -> None:
        self.columns, self.order, self.context = columns, order, context
        self.registered = {number: same_name_key(name) for number, name in context.people.items()}
        self.numbers_by_name = {name: number for number, name in self.registered.items()}
        self.lines_by_name: dict[str, int] = {}
        self.numbers: set[int] = set()

    def read(self, line: int, cells: list[str]) -> GoodLine | BadLine:
        written = _cell(cells, self.columns, "name") or " ".join(
            filter(None, (_cell(cells, self.columns, "first"), _cell(cells, self.columns, "last")))
        )
        try:
            newcomer = self._newcomer(written, cells)
            key, number = same_name_key(newcomer.name), newcomer.start_number
            is_known = number is not None and self.registered.get(number) == key
            if number in self.numbers or (number in self.registered and not is_known):
                raise Refusal("number_taken", start_number=number)
        except Refusal as refusal:
            return BadLine(line, " · ".join(filter(None, cells))[:120], refusal)
        if number is not None:
            self.numbers.add(number)
        earlier = self.lines_by_name.setdefault(key, line)
        same_line = earlier if earlier != line else None
        return GoodLine(line, newcomer, same_line, self.numbers_by_name.get(key), is_known)

    def _newcomer(self, written: str, cells: list[str]) -> Newcomer:
        name, number = clean_person_name(written), _number(_cell(cells, self.columns, "number"))
        stated = fee_kind(_cell(cells, self.columns, "fee"), self.context.kinds)
        kind = stated or kind_of(self.context.kinds, self.context.fees.get(number or 0, ""))
        return Newcomer(
            with_comma(name) if self.order == "last_first" and "first" not in self.columns else name,
            clean_text(_cell(cells, self.columns, "club"), most=80),
            start_number=number,
            paid_cents=paid_cents(_cell(cells, self.columns, "paid"), kind.cents),
            fee=stated.key if stated else "",
            details={
                key: clean_text(_cell(cells, self.columns, key), most=LONGEST_DETAIL)
                for key in PERSON_DETAILS
            },
        )


def _cell(cells: list[str], columns: dict[str, int], what: str) -> str:
    index = columns.get(what, _MOST_COLUMNS)
    return plain(cells[index]) if index < len(cells) else ""


def _rows(text: str, separator: str) -> list[Row]:
    """Return the non-empty lines with their line numbers, counted from 1."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            cells = [cell.strip()[:LONGEST_CELL] for cell in cells[:_MOST_COLUMNS]]
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


def _columns(rows: list[Row]) -> tuple[dict[str, int], list[Row], str]:
    """Return the column of each field, the rows without the headings, and the heading of the names ("" for none).

    Without headings the columns are the number (if the first column holds numbers), the name, the club.
    """
    if not rows:
        return {"name": 0}, rows, ""
    headings = ["".join(c for c in cell.casefold() if c.isalpha()) for cell in rows[0][1]]
    by_column = _HEADINGS | {key: detail.headings for key, detail in PERSON_DETAILS.items()}
    columns = {
        what: next(index for index, heading in enumerate(headings) if heading in words)
        for what, words in by_column.items()
        if any(heading in words for heading in headings)
    }
    if columns.keys() & {"name", "first", "last"}:
        if "name" in columns and "first" in columns:  # a column „Name“ beside „Vorname“ holds the surname
            columns["last"] = columns.pop("name")
        return columns, rows[1:], headings[columns.get("name", columns.get("last", 0))]
    if len(rows) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    starts_with_number = any(len(cells) > 1 for _, cells in rows) and all(
        _number_text(cells[0]).isdecimal() or not cells[0] for _, cells in rows
    )
    first = 1 if starts_with_number and any(cells[0] for _, cells in rows) else 0
    return ({"number": 0} if first else {}) | {"name": first, "club": first + 1}, rows, ""


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


_YES = frozenset(
    ["ja", "j", "yes", "y", "x", "✓", "✔", "true", "wahr", "bezahlt", "paid", "bar", "überwiesen"]
)
_NO = frozenset(["", "nein", "n", "no", "-", "–", "—", "offen", "unbezahlt", "unpaid", "false", "falsch"])
_NO_KIND = frozenset(["", "nein", "no", "-", "–", "—"])
_AMOUNT = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")


def paid_cents(text: str, fee_cents: int) -> int:
    """Return the paid cents of a line: its amount, or the fee for a yes. Refuses paid_bad, paid_too_much."""
    word = _word(text)
    if word in _YES:
        return fee_cents
    if word in _NO:
        return 0
    cents = _cents(word)
    if cents is None:
        raise Refusal("paid_bad")
    if cents > fee_cents:
        raise Refusal("paid_too_much")
    return cents


def fee_kind(text: str, kinds: Sequence[FeeKind]) -> FeeKind | None:
    """Return a line's kind of fee: by its name, its key, or an amount that only this kind has.

    None if it names none. Refuses fee_word_unknown (word, fees).
    """
    if text.casefold() in _NO_KIND:
        return None
    matches = [kind for kind in kinds if text.casefold() in _words_of(kind)]
    matches = matches or [kind for kind in kinds if kind.cents == _cents(_word(text))]
    if len(matches) != 1:
        raise Refusal("fee_word_unknown", word=text[:40], fees=", ".join(map(word_fee, kinds)))
    return matches[0]


def _words_of(kind: FeeKind) -> Iterator[str]:
    return (word.casefold() for word in (kind.name, word_fee(kind), kind.key))


def _word(text: str) -> str:
    return text.casefold().removesuffix("eur").removesuffix("euro").strip(" €")


def _cents(word: str) -> int | None:
    amount = _AMOUNT.fullmatch(word)
    return int(amount[1]) * 100 + int((amount[2] or "").ljust(2, "0")) if amount else None
