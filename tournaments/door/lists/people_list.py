"""Lists of people from spreadsheet programs.

Accepts CSV with any usual separator and encoding, XLSX, and lines pasted from either.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from django.utils.functional import Promise

from tournaments.core.fees import FULL, FeeKind, kind_of
from tournaments.core.name_order import NameOrder, guess_order, with_comma
from tournaments.core.names import clean_name, clean_text, in_capitals, same_name_key
from tournaments.core.refusal import Refusal
from tournaments.door.lists.columns import NO, YES, Columns, is_word, read_columns
from tournaments.list_files import rows_of
from tournaments.person_details import LONGEST_DETAIL, PERSON_DETAILS
from tournaments.queries.door import DoorRow
from tournaments.queries.sign_ups import SignUpRow
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import MOST_AT_ONCE
from tournaments.text.money import word_fee

_MOST_NUMBER = 99_999
_EXAMPLES = 3

# --- reading: text to newcomers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoodLine:
    """A valid line. `same_line`, `same_number`, `same_sign_up`: the earlier line, registered player or open sign-up with
    the same name, if any.

    is_known: the line has number and name of a registered player.
    """

    line: int
    newcomer: Newcomer
    same_line: int | None = None
    same_number: int | None = None
    same_sign_up: int | None = None
    is_known: bool = False

    @property
    def details(self) -> list[tuple[Promise | str, str]]:
        """The details with their names."""
        return [(detail.name, self.newcomer.details[key]) for key, detail in PERSON_DETAILS.items()]

    @property
    def is_double(self) -> bool:
        same = (self.same_line, self.same_number, self.same_sign_up)
        return not self.is_known and any(number is not None for number in same)


@dataclass(frozen=True, slots=True)
class BadLine:
    line: int
    text: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that is about nobody: a title, a sum, headings again."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of the list. number: from 1. meaning: "" if it is not taken; guess: without a choice. values: of the first lines."""

    number: int
    heading: str
    meaning: str
    guess: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The valid and invalid lines of a list, and what is not taken.

    asks_order: whether the order of the names makes a difference. fee_words: words for a fee that no kind has, with the key of
    the kind that is chosen for them. is_foreign: see `Columns`. small: names in
    small letters, with capitals.
    """

    good: tuple[GoodLine, ...]
    bad: tuple[BadLine, ...]
    skipped: tuple[SkippedLine, ...]
    columns: tuple[ListColumn, ...]
    order: NameOrder
    asks_order: bool
    fee_words: tuple[tuple[str, str], ...]
    is_foreign: bool
    small: tuple[str, ...]

    @property
    def dropped(self) -> tuple[str | int, ...]:
        """The headings of the columns that are not taken, or the number of one without a heading."""
        return tuple(
            column.heading[:40] or column.number
            for column in self.columns
            if not column.meaning and (column.heading or column.values)
        )

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
    """Context of a list: the tournament's players, its open sign-ups and its kinds of fees, and what somebody has chosen.

    order: of the names, None to guess it. columns: meanings by column. fee_words: keys of fees by the word in the list.
    capitals: names in small letters get capitals.
    """

    people: Collection[DoorRow] = ()
    kinds: Sequence[FeeKind] = (FeeKind(FULL, "", 0),)
    sign_ups: Collection[SignUpRow] = ()
    order: NameOrder | None = None
    columns: Mapping[int, str] = field(default_factory=dict)
    fee_words: Mapping[str, str] = field(default_factory=dict)
    capitals: bool = False


_ORDER_OF_HEADING: Mapping[str, NameOrder] = {
    "vornamename": "first_last",
    "vornamenachname": "first_last",
    "vorundnachname": "first_last",
    "vorundzuname": "first_last",
    "namevorname": "last_first",
    "nameundvorname": "last_first",
    "nachnamevorname": "last_first",
}
_NOBODY = re.compile(
    r"(summen?|gesamt(summe|zahl)?|zwischensumme|anzahl|total|übertrag|saldo|unterschrift(en)?)\b"
    r"|\d+ (teilnehmer|spieler|personen|leute|players|people)"
    r"|(stand|datum|erstellt|gedruckt|seite|kasse)\s*(:|am\b|vom\b|\d)|\d{1,2}\.\d{1,2}\.",
    re.IGNORECASE,
)
"""The beginnings of what stands in place of a name in lines that are about nobody."""
_MOST_FEE_WORDS = 20


def read_people(text: str, context: ListContext) -> PeopleList:
    """Validate every line of a list. Refuses file_unreadable, too_many_lines (most)."""
    columns = read_columns(rows_of(text, most=MOST_AT_ONCE), context.people, context.kinds, context.columns)
    if len(columns.rows) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    has_parts = "first" in columns.meanings
    names = [name for _line, cells in columns.rows if (name := columns.cell(cells, "name"))]
    order = context.order or _ORDER_OF_HEADING.get(columns.names_heading) or guess_order(names)
    reader = _LineReader(columns, order, context)
    lines = [reader.read(number, cells) for number, cells in columns.rows]
    good = tuple(line for line in lines if isinstance(line, GoodLine))
    return PeopleList(
        good=good,
        bad=tuple(line for line in lines if isinstance(line, BadLine)),
        skipped=(
            *(SkippedLine(number, _in_one(cells)) for number, cells in columns.titles),
            *(line for line in lines if isinstance(line, SkippedLine)),
        ),
        columns=tuple(_list_columns(columns)),
        order=order,
        asks_order=not has_parts and any(" " in line.newcomer.name for line in good),
        fee_words=tuple(reader.fee_words.items()),
        is_foreign=columns.is_foreign,
        small=tuple(reader.small),
    )


def _list_columns(columns: Columns) -> Iterator[ListColumn]:
    for index, meaning in enumerate(columns.meanings):
        cells = (cells[index] for _line, cells in columns.rows if index < len(cells) and cells[index])
        values = tuple(cell[:30] for cell in islice(cells, _EXAMPLES))
        yield ListColumn(index + 1, columns.headings[index], meaning, columns.guess[index], values)


def _in_one(cells: Iterable[str]) -> str:
    return " · ".join(filter(None, cells))[:120]


class _LineReader:
    """Reader of the lines of one list. Remembers names and numbers to find duplicates, and unknown words for fees."""

    def __init__(self, columns: Columns, order: NameOrder, context: ListContext) -> None:
        self.columns, self.order, self.context = columns, order, context
        self.people = {row.start_number: row for row in context.people}
        self.people_by_name = _by_name(context.people)
        self.sign_ups_by_name = _by_name(entry for entry in context.sign_ups if not entry.start_number)
        self.lines_by_name: dict[str, list[GoodLine]] = {}
        self.numbers: set[int] = set()
        self.fee_words: dict[str, str] = {}
        self.small: list[str] = []

    def read(self, line: int, cells: list[str]) -> GoodLine | BadLine | SkippedLine:
        name = self.columns.cell(cells, "name") or " ".join(
            filter(None, (self.columns.cell(cells, "first"), self.columns.cell(cells, "last")))
        )
        if self._is_about_nobody(name, cells):
            return SkippedLine(line, _in_one(cells))
        try:
            newcomer = self._newcomer(name, cells)
            key, number = same_name_key(newcomer.name), newcomer.start_number
            registered = self.people.get(number or 0)
            is_known = registered is not None and same_name_key(registered.name) == key
            if number in self.numbers or (registered is not None and not is_known):
                raise Refusal("number_taken", start_number=number)
        except Refusal as refusal:
            return BadLine(line, _in_one(cells), refusal)
        if number is not None:
            self.numbers.add(number)
        good = self._compared(GoodLine(line, newcomer, is_known=is_known), key)
        self.lines_by_name.setdefault(key, []).append(good)
        return good

    def _is_about_nobody(self, name: str, cells: list[str]) -> bool:
        if self.columns.is_heading(cells):
            return True
        if is_word(name):
            return _NOBODY.match(name) is not None
        texts = [cell for cell in cells if is_word(cell)]
        has_number = bool(self.columns.cell(cells, "number"))
        return any(map(_NOBODY.match, texts)) or not (texts or has_number or name)

    def _compared(self, good: GoodLine, key: str) -> GoodLine:
        """Return the line with those of the same name whom neither club nor number tells apart."""
        number, club = good.newcomer.start_number, good.newcomer.club
        lines = [
            same.line
            for same in self.lines_by_name.get(key, [])
            if not _differ(same.newcomer.club, club)
            and (number is None or same.newcomer.start_number in (None, number))
        ]
        people = [row.start_number for row in self.people_by_name.get(key, []) if not _differ(row.club, club)]
        sign_ups = [entry.number for entry in self.sign_ups_by_name.get(key, [])]
        return replace(
            good,
            same_line=next(iter(lines), None),
            same_number=next(iter(people), None),
            same_sign_up=next(iter(sign_ups), None),
        )

    def _newcomer(self, written: str, cells: list[str]) -> Newcomer:
        name, number = clean_name(written), _number(self.columns.cell(cells, "number"))
        if not is_word(name):
            raise Refusal("not_a_name")
        if capitals := in_capitals(name):
            self.small.append(capitals)
            name = capitals if self.context.capitals else name
        stated = self._fee(self.columns.cell(cells, "fee"))
        registered = self.people.get(number or 0)
        kind = stated or kind_of(self.context.kinds, registered.fee if registered else "")
        return Newcomer(
            with_comma(name) if self.order == "last_first" and "first" not in self.columns.meanings else name,
            clean_text(self.columns.cell(cells, "club"), most=80),
            start_number=number,
            paid_cents=paid_cents(self.columns.cell(cells, "paid"), kind),
            fee=stated.key if stated else "",
            details={
                key: clean_text(self.columns.cell(cells, key), most=LONGEST_DETAIL) for key in PERSON_DETAILS
            },
        )

    def _fee(self, text: str) -> FeeKind | None:
        """Return the kind of fee that a line states: by its name, or the one that is chosen for a word that no kind has."""
        kinds = self.context.kinds
        if text.casefold() in _NO_KIND:
            return None
        kind = fee_kind(text, kinds)
        word = text[:40]
        if kind is None and (word in self.fee_words or len(self.fee_words) < _MOST_FEE_WORDS):
            kind = kind_of(kinds, self.context.fee_words.get(word, ""))
            self.fee_words[word] = kind.key
        return kind


_Named = TypeVar("_Named", DoorRow, SignUpRow)


def _by_name(rows: Iterable[_Named]) -> dict[str, list[_Named]]:
    by_name: dict[str, list[_Named]] = {}
    for row in rows:
        by_name.setdefault(same_name_key(row.name), []).append(row)
    return by_name


def _differ(club: str, other: str) -> bool:
    """Whether two clubs tell people of one name apart."""
    return bool(club and other) and same_name_key(club) != same_name_key(other)


def _number(text: str) -> int | None:
    text = text.removesuffix(".")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and 1 <= int(text) <= _MOST_NUMBER):
        raise Refusal("number_bad", most=_MOST_NUMBER)
    return int(text)


_NO_KIND = frozenset(["", "nein", "no", "-", "–", "—"])
_AMOUNT = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")


def paid_cents(text: str, kind: FeeKind) -> int:
    """Return the paid cents of a line: its amount, or the fee for a yes. Refuses paid_bad, paid_too_much (open_cents).

    Where amounts are hidden, any amount is a yes.
    """
    word = _word(text)
    if word in YES:
        return kind.cents
    if word in NO:
        return 0
    cents = _cents(word)
    if cents is None:
        raise Refusal("paid_bad")
    if kind.hides_amount:
        return kind.cents if cents else 0
    if cents > kind.cents:
        raise Refusal("paid_too_much", open_cents=kind.cents)
    return cents


def fee_kind(text: str, kinds: Sequence[FeeKind]) -> FeeKind | None:
    """Return the kind of fee with this name or key, or with an amount that only this kind has; else None."""
    matches = [kind for kind in kinds if text.casefold() in _words_of(kind)]
    matches = matches or [kind for kind in kinds if kind.cents == _cents(_word(text))]
    return matches[0] if len(matches) == 1 else None


def _words_of(kind: FeeKind) -> Iterator[str]:
    return (word.casefold() for word in (kind.name, word_fee(kind), kind.key))


def _word(text: str) -> str:
    return text.casefold().removesuffix("eur").removesuffix("euro").strip(" €")


def _cents(word: str) -> int | None:
    amount = _AMOUNT.fullmatch(word)
    return int(amount[1]) * 100 + int((amount[2] or "").ljust(2, "0")) if amount else None
