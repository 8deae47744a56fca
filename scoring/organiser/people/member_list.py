"""Lists of members: a text with headings becomes lines, and the people become such a list again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.organiser.people.forms import EARLIEST_MEMBER
from tournaments.core.names import clean_person_name, clean_text
from tournaments.core.refusal import Refusal
from tournaments.forms import DayField
from tournaments.list_files import Row, rows_of
from tournaments.person_details import HEADINGS_OF_PEOPLE, LONGEST_DETAIL, PERSON_DETAILS, word_of
from tournaments.queries.member_list import MEMBER_COLUMNS, MemberLine
from tournaments.queries.people import all_people
from tournaments.services.people import LONGEST_MEMBER_NUMBER
from tournaments.services.people_lists import MOST_AT_ONCE
from tournaments.spreadsheets import file_of, plain

_HEADINGS = HEADINGS_OF_PEOPLE | {
    "name": (*HEADINGS_OF_PEOPLE["name"], "mitglied", "member"),
    "town": PERSON_DETAILS["town"].headings,
    "member_number": (
        "mitgliedsnummer", "mitgliedsnr", "mitgliednr", "mitgliedernr", "mgnr", "nr", "nummer",
        "membernumber", "memberno", "number", "no",
    ),
    "member_from_on": (
        "mitgliedseit", "mitgliedab", "eintritt", "eintrittsdatum", "beitritt", "seit", "membersince", "memberfrom", "joined", "since",
    ),
    "member_until_on": ("mitgliedbis", "austritt", "austrittsdatum", "bis", "memberuntil", "until", "left"),
}  # fmt: skip
_MOST_TITLES = 30  # lines above the headings


@dataclass(frozen=True, slots=True)
class MemberList:
    """A list that was read. bad: line, text and why it is not taken. dropped: headings of columns that are not taken."""

    lines: tuple[MemberLine, ...]
    bad: tuple[tuple[int, str, Refusal], ...]
    dropped: tuple[str, ...]


def read_members(text: str) -> MemberList:
    """Read every line below the headings. Refuses file_unreadable, too_many_lines (most), and members_without_headings."""
    rows = rows_of(text, most=MOST_AT_ONCE)
    top, columns = next(
        (
            (at, columns)
            for at, (_line, cells) in enumerate(rows[:_MOST_TITLES])
            if (columns := _columns(cells))
        ),
        (0, {}),
    )
    if not columns:
        raise Refusal("members_without_headings")
    below = rows[top + 1 :]
    if len(below) > MOST_AT_ONCE:
        raise Refusal("too_many_lines", most=MOST_AT_ONCE)
    lines, bad = [], []
    for row in below:
        try:
            lines.append(_line_of(row, columns))
        except Refusal as refusal:
            bad.append((row[0], " · ".join(filter(None, row[1]))[:120], refusal))
    dropped = (cell[:40] for at, cell in enumerate(rows[top][1]) if cell and at not in columns.values())
    return MemberList(tuple(lines), tuple(bad), tuple(dropped))


def _columns(cells: Sequence[str]) -> dict[str, int]:
    """Return the columns by meaning, none for a row without a heading of names."""
    columns: dict[str, int] = {}
    for at, cell in enumerate(cells):
        meaning = next((what for what, words in _HEADINGS.items() if word_of(cell) in words), "")
        if meaning and meaning not in columns:
            columns[meaning] = at
    if "first" in columns and "last" not in columns and "name" in columns:
        columns["last"] = columns.pop("name")
    return columns if columns.keys() & {"name", "last"} else {}


def _line_of(row: Row, columns: dict[str, int]) -> MemberLine:
    """Return a line with what it says. Refuses date_bad, and an invalid name or text as `edit_person` does."""
    line, cells = row
    says = {meaning: plain(cells[at]) for meaning, at in columns.items() if at < len(cells)}
    name = says.get("name") or " ".join(filter(None, (says.get("first"), says.get("last"))))
    values: dict[str, str | date | None] = {
        "name": clean_person_name(name),
        "club": clean_text(says.get("club", ""), most=LONGEST_DETAIL),
        "town": clean_text(says.get("town", ""), most=LONGEST_DETAIL),
        "member_number": clean_text(says.get("member_number", ""), most=LONGEST_MEMBER_NUMBER),
        "member_from_on": _day(says.get("member_from_on", "")),
        "member_until_on": _day(says.get("member_until_on", "")),
    }
    return MemberLine(line, {column: value for column, value in values.items() if value})


def _day(text: str) -> date | None:
    """Return a day, the first of a year that stands alone. Workbooks add the time to their days. Refuses date_bad."""
    text = text.removesuffix(" 00:00:00")
    if len(text) == 4 and text.isdecimal():
        text = f"{text}-01-01"
    try:
        day: date | None = DayField(required=False, earliest=EARLIEST_MEMBER).clean(text)
    except ValidationError:
        raise Refusal("date_bad") from None
    return day


def member_file(kind: str) -> bytes:
    """Return all people as a file that `read_members` reads. kind: of CONTENT_TYPES."""
    headings = [
        _("Name"),
        _("Verein"),
        str(PERSON_DETAILS["town"].name),
        _("Mitgliedsnummer"),
        _("Mitglied seit"),
        _("Mitglied bis"),
    ]
    rows = [[getattr(person, column) for column in MEMBER_COLUMNS] for person in all_people()]
    return file_of(kind, _("Leute"), headings, rows)
