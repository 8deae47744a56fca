"""Columns of a list: what each of them means, and where the people begin.

Headings are found below title lines, in one row or in several (merged cells). Without headings the content decides. A column
of numbers never holds the names.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournaments.core.fees import FeeKind
from tournaments.core.name_order import looks_like_first_names
from tournaments.core.names import same_name_key
from tournaments.list_files import Row
from tournaments.person_details import HEADINGS_OF_PEOPLE, PERSON_DETAILS, word_of
from tournaments.queries.door import DoorRow
from tournaments.spreadsheets import plain
from tournaments.text.money import word_fee

_HEADINGS = {
    "number": ("nr", "no", "nummer", "teilnnr", "teilnehmernr", "teilnehmernummer", "startnr", "startnummer", "number"),
    **HEADINGS_OF_PEOPLE,
    "fee": (
        "beitrag", "gebühr", "gebuehr", "startgebühr", "startgebuehr", "startgeld", "beitragsart", "gebührenart",
        "gebuehrenart", "ermässigung", "ermaessigung", "fee", "entryfee", "feekind",
    ),
    "paid": ("bezahlt", "gezahlt", "startgeldbezahlt", "paid"),
}  # fmt: skip
_NAMES = frozenset({"name", "first", "last"})
_FEE_BY_CONTENT = frozenset({"art", "kategorie", "tarif", "status", "gruppe"})
_OF_OUR_LISTS = ("angemeldetam", "offen"), ("registeredon", "owed")
_MOST_TITLES = 30  # lines above the headings
_MOST_LOOKED_AT = 200  # lines whose cells say what a column holds
_LONGEST_NUMBER = 5  # digits: longer ones are of members or telephones
_NUMBERING = re.compile(r"^\d{1,4}[.)]\s*(?=[^\W\d])")
_TITLE = re.compile(r"liste\b|turnier|\bteilnehmer|\banmeldung|\d", re.IGNORECASE)

YES = frozenset(
    ["ja", "j", "yes", "y", "x", "✓", "✔", "true", "wahr", "bezahlt", "paid", "bar", "überwiesen"]
)
NO = frozenset(["", "nein", "n", "no", "-", "–", "—", "offen", "unbezahlt", "unpaid", "false", "falsch"])


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a list. meanings: of each column, "" for one that is not taken. guess: them, as long as nobody chooses.

    titles: the lines above the headings; rows: those below. is_foreign: whether it is the program's own list of another
    evening, whose money and numbers do not count here.
    """

    headings: tuple[str, ...]
    guess: tuple[str, ...]
    meanings: tuple[str, ...]
    titles: list[Row]
    rows: list[Row]
    is_foreign: bool

    @property
    def names_heading(self) -> str:
        """The heading of the names as one word, "" for none."""
        return next(
            (word_of(self.headings[i]) for i, what in enumerate(self.meanings) if what in ("name", "last")),
            "",
        )

    def cell(self, cells: Sequence[str], meaning: str) -> str:
        """Return the text with this meaning in a line, "" without one; „1. Huber Sepp“ without its number."""
        text = _cell(cells, self.meanings.index(meaning)) if meaning in self.meanings else ""
        return _NUMBERING.sub("", text) if meaning == "name" else text

    def is_heading(self, cells: Sequence[str]) -> bool:
        """Whether the line repeats the headings, as at the top of a printed page."""
        return any(self.headings) and [cell for cell in cells if cell] == [
            heading for heading in self.headings if heading
        ]


def known_meanings() -> tuple[str, ...]:
    return (*_HEADINGS, *PERSON_DETAILS)


def read_columns(
    rows: list[Row], people: Collection[DoorRow], kinds: Sequence[FeeKind], choices: Mapping[int, str]
) -> Columns:
    """Find the headings and what the columns mean. choices: the meanings that somebody has chosen, by column."""
    width = max((len(cells) for _line, cells in rows), default=0)
    first, end = _find_headings(rows)
    headings = tuple(_merged_headings(rows[first:end], width))
    if end:
        titles, lines = rows[:first], rows[end:]
        guess = _guess_by_headings(headings, lines, kinds)
    else:
        titles, lines = _split_titles(rows)
        guess = _guess_by_content(lines, width)
    words = set(map(word_of, headings))
    is_ours = any(words.issuperset(needed) for needed in _OF_OUR_LISTS)
    is_foreign = is_ours and not _is_of_this_evening(headings, guess, lines, people)
    if is_foreign or _is_running_number(guess, lines, people):
        _drop(guess, "number")
    if is_foreign:
        _drop(guess, "paid")
    meanings = _with_choices(guess, choices)
    if is_foreign:
        _drop(meanings, "paid")
    return Columns(headings, tuple(guess), tuple(meanings), titles, lines, is_foreign)


def _drop(meanings: list[str], meaning: str) -> None:
    meanings[:] = ["" if what == meaning else what for what in meanings]


def _cell(cells: Sequence[str], index: int) -> str:
    return plain(cells[index]) if index < len(cells) else ""


def _values(rows: Iterable[Row], index: int) -> list[str]:
    """Return the non-empty cells of a column, as far as they are looked at."""
    return [cell for _line, cells in list(rows)[:_MOST_LOOKED_AT] if (cell := _cell(cells, index))]


def _are_words(values: Sequence[str]) -> bool:
    """Whether most of the values may be names: with letters, and no mail address."""
    return 2 * sum(is_word(value) for value in values) > len(values) or not values


def is_word(value: str) -> bool:
    return any(map(str.isalpha, value)) and "@" not in value


# --- headings -------------------------------------------------------------------------------------------------------


def _meaning_of(heading: str) -> str:
    by_meaning = _HEADINGS | {key: detail.headings for key, detail in PERSON_DETAILS.items()}
    return next((what for what, words in by_meaning.items() if word_of(heading) in words), "")


def _find_headings(rows: list[Row]) -> tuple[int, int]:
    """Return the first row of the headings and the first one below them; 0, 0 without headings."""
    top = rows[:_MOST_TITLES]
    scores = [_score(rows, index) for index in range(len(top))]
    if not any(scores):
        return 0, 0
    first = scores.index(max(scores))
    end = first + 1
    while end < len(rows) and all(map(_meaning_of, filter(None, rows[end][1]))):
        end += 1
    above = list(filter(None, rows[first - 1][1])) if first else []
    if len(above) > 1 and any(map(_meaning_of, above)):
        first -= 1
    return first, end


def _score(rows: list[Row], index: int) -> int:
    """Return how many meanings a row names as headings; 0 if it has no heading of names with names below."""
    cells, below = rows[index][1], rows[index + 1 :]
    meanings = {column: meaning for column, cell in enumerate(cells) if (meaning := _meaning_of(cell))}
    for column, meaning in meanings.items():
        is_repeated = bool(below) and _cell(below[0][1], column) == cells[column]
        if meaning in _NAMES and not is_repeated and _are_words(_values(below, column)):
            return len(set(meanings.values()))
    return 0


def _merged_headings(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield the heading of each column: its lowest cell."""
    for index in range(width):
        yield next((cell for _line, cells in reversed(rows) if (cell := _cell(cells, index))), "")


def _guess_by_headings(headings: Sequence[str], rows: list[Row], kinds: Sequence[FeeKind]) -> list[str]:
    meanings: list[str] = []
    for index, heading in enumerate(headings):
        meaning, values = _meaning_of(heading), _values(rows, index)
        if meaning == "fee" and values and all(value.casefold() in YES | NO for value in values):
            meaning = "paid"
        fits = (meaning not in _NAMES or _are_words(values)) and (meaning != "number" or _are_numbers(values))
        meanings.append(meaning if fits and meaning not in meanings else "")
    if "fee" not in meanings:
        names = {name.casefold() for kind in kinds for name in (kind.name, word_fee(kind))}
        for index, heading in enumerate(headings):
            values = _values(rows, index)
            if word_of(heading) in _FEE_BY_CONTENT and values and names.issuperset(map(str.casefold, values)):
                meanings[index] = "fee"
                break
    if "name" in meanings and "first" not in meanings:
        index = meanings.index("name")
        if index + 1 < len(headings) and not headings[index + 1]:
            meanings[index : index + 2] = _parts_of_names(rows, index) or ["name", ""]
    return _with_parts(meanings, ())


def _are_numbers(values: Sequence[str]) -> bool:
    """Whether most of the values may be start numbers."""
    return 2 * sum(map(_is_number, values)) > len(values) or not values


def _is_number(value: str) -> bool:
    number = value.removesuffix(".")
    return number.isdecimal() and len(number) <= _LONGEST_NUMBER


def _parts_of_names(rows: list[Row], index: int) -> list[str] | None:
    """Return the meanings of two columns of single words, if one of them holds first names; else None."""
    both = [_values(rows, column) for column in (index, index + 1)]
    if not all(values and 2 * sum(" " not in value for value in values) > len(values) for values in both):
        return None
    if looks_like_first_names(both[1]):
        return ["last", "first"]
    return ["first", "last"] if looks_like_first_names(both[0]) else None


def _with_parts(meanings: list[str], chosen: Collection[str]) -> list[str]:
    """Read a column of names beside one of first names as surnames; a whole name that is chosen needs no parts."""
    parts = [part for part in ("first", "last") if part in meanings]
    if "name" not in meanings or not parts:
        return meanings
    if "name" in chosen:
        for part in set(parts) - set(chosen):
            _drop(meanings, part)
    elif len(parts) == 2:
        _drop(meanings, "name")
    else:
        meanings[meanings.index("name")] = "last" if parts == ["first"] else "first"
    return meanings


# --- without headings -----------------------------------------------------------------------------------------------


def _split_titles(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return title lines and the rest: single cells above a table, or what is no name above a list of names."""
    widths = [sum(map(bool, cells)) for _line, cells in rows]
    usual = sorted(widths)[len(widths) // 2] if widths else 0
    has_digits = 2 * sum(bool(_TITLE.search(" ".join(cells))) for _line, cells in rows) > len(rows)
    count = 0
    while count < min(len(rows) - 1, _MOST_TITLES) and widths[count] == 1:
        text = next(filter(None, rows[count][1]))
        if usual == 1 and (has_digits or not _TITLE.search(text)):
            break
        count += 1
    return rows[:count], rows[count:]


def _guess_by_content(rows: list[Row], width: int) -> list[str]:
    """Take numbers in the first column, then the names, then the club."""
    meanings = [""] * width
    columns = [_values(rows, index) for index in range(width)]
    names = next((index for index, values in enumerate(columns) if values and _are_words(values)), 0)
    if not width:
        return meanings
    meanings[names] = "name"
    if names and columns[0] and _are_numbers(columns[0]):
        meanings[0] = "number"
    if names + 1 < width:
        has_club = bool(columns[names + 1]) and _are_words(columns[names + 1])
        meanings[names : names + 2] = _parts_of_names(rows, names) or ["name", "club" if has_club else ""]
        if (
            meanings[names] != "name"
            and names + 2 < width
            and columns[names + 2]
            and _are_words(columns[names + 2])
        ):
            meanings[names + 2] = "club"
    return meanings


# --- numbers of another evening -------------------------------------------------------------------------------------


def _numbered(guess: list[str], rows: list[Row]) -> list[tuple[str, str, list[str]]]:
    """Return number, key of the name and cells of each line with a number."""
    if "number" not in guess:
        return []
    index = guess.index("number")
    names = [i for i, meaning in enumerate(guess) if meaning in _NAMES]
    return [
        (number.removesuffix("."), same_name_key(" ".join(_cell(cells, i) for i in names)), cells)
        for _line, cells in rows
        if (number := _cell(cells, index))
    ]


def _is_running_number(guess: list[str], rows: list[Row], people: Collection[DoorRow]) -> bool:
    """Whether the numbers only count the lines, and some of them are other people's here."""
    numbered = _numbered(guess, rows)
    counted = [str(number) for number in range(1, len(numbered) + 1)]
    if len(numbered) < 2 or [number for number, _name, _cells in numbered] != counted:
        return False
    names = {str(row.start_number): same_name_key(row.name) for row in people}
    return any(names.get(number, name) != name for number, name, _cells in numbered)


def _is_of_this_evening(
    headings: Sequence[str], guess: list[str], rows: list[Row], people: Collection[DoorRow]
) -> bool:
    """Whether a line of the program's own list has number, name and time of registration of a player of this evening."""
    here = {
        (
            str(row.start_number),
            same_name_key(row.name),
            f"{timezone.localtime(row.registered_at):%Y-%m-%d %H:%M}",
        )
        for row in people
    }
    index = next(
        i for i, heading in enumerate(headings) if word_of(heading) in {of[0] for of in _OF_OUR_LISTS}
    )
    return any(
        (number, name, _minute(_cell(cells, index))) in here for number, name, cells in _numbered(guess, rows)
    )


def _minute(text: str) -> str:
    """Return a time to the minute, whether this program or a spreadsheet program has written it."""
    for shape in ("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"):
        try:
            return f"{datetime.strptime(text[:16], shape):%Y-%m-%d %H:%M}"  # noqa: DTZ007 - only written again
        except ValueError:
            continue
    return ""


# --- choices --------------------------------------------------------------------------------------------------------


def _with_choices(guess: list[str], choices: Mapping[int, str]) -> list[str]:
    """Return the meanings with those that are chosen. Each stands once: a choice takes it from the guessed column."""
    chosen = set(choices.values())
    meanings: list[str] = []
    for index, guessed in enumerate(guess):
        meaning = choices.get(index, "" if guessed in chosen else guessed)
        meanings.append("" if meaning in meanings else meaning)
    return _with_parts(meanings, chosen)
