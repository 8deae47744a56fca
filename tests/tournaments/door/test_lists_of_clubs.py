"""Lists as clubs have them: the players are right, and what is not taken is named. The names come from a factory."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from faker import Faker
from openpyxl import Workbook

from tests.tournaments.door.doors import Cashier
from tournaments.core.fees import FeeKind
from tournaments.door.lists.people_list import ListContext, PeopleList, read_people
from tournaments.list_files import text_of
from tournaments.models import Payment

KINDS = (FeeKind("full", "voll", 500), FeeKind("fee-2", "ermäßigt", 250))
Cells = Sequence[object]


@dataclass
class Person:
    """A person of a list."""

    first: str
    last: str
    club: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


def some_people() -> list[Person]:
    """Return people whose names no other list of the test has, with umlauts, in clubs whose names are no first names."""
    faker = Faker("de_DE")
    faker.seed_instance(1925)
    first_names = ["Jörg", "Günther", "Käthe", "Anna", "Max", "Resi", "Sepp", "Lena"]
    return [
        Person(first, f"{faker.unique.lexify('????', 'bdfgklmnrst').capitalize()}müßl", f"SV Muster {number}")
        for number, first in enumerate(first_names, 1)
    ]


PEOPLE = some_people()
NAMES = [person.name for person in PEOPLE]
WITH_COMMA = [f"{person.last}, {person.first}" for person in PEOPLE]
CLUBS = [person.club for person in PEOPLE]


@dataclass
class Sheet:
    """A spreadsheet of a club. names, clubs: of the players in it; skipped: the lines that are about nobody.

    dropped: the columns that are not taken; bad: the lines with an error. fees: the fees of the players.
    """

    rows: list[Cells]
    names: Sequence[str] = field(default_factory=lambda: NAMES)
    clubs: Sequence[str] | None = field(default_factory=lambda: CLUBS)
    skipped: Sequence[int] = ()
    dropped: Sequence[str | int] = ()
    bad: Sequence[int] = ()
    numbers: Sequence[int | None] = (None,) * 8
    fees: Sequence[str] | None = None


def table(
    heading: Cells, *columns: Sequence[object], above: Sequence[Cells] = (), below: Sequence[Cells] = ()
) -> list[Cells]:
    lines = [list(line) for line in zip(*columns, strict=True)]
    return [*above, *([heading] if heading else []), *lines, *below]


COUNT = len(PEOPLE)
RUNNING = list(range(1, COUNT + 1))
FIRST, LAST = [person.first for person in PEOPLE], [person.last for person in PEOPLE]
PHONES = [f"0171/{number}234567" for number in RUNNING]
MAILS = [f"person{number}@verein.example" for number in RUNNING]
BIRTHDAYS = [f"0{number}.03.1970" for number in RUNNING]
MEMBERS = [4711000 + number for number in RUNNING]
NOTES = ["kommt später" if number % 3 == 0 else "" for number in RUNNING]

SHEETS = {
    "title_lines": Sheet(
        table(["Name", "Verein"], NAMES, CLUBS, above=[["Preisturnier 2026"], ["Stand: 21.11.2026"], []]),
        skipped=[1, 2],
    ),
    "title_that_is_a_heading": Sheet(
        table(["Nr.", "Name", "Verein"], RUNNING, NAMES, CLUBS, above=[["Teilnehmer"]]),
        skipped=[1],
        numbers=RUNNING,
    ),
    "running_number": Sheet(
        table(["lfd. Nr.", "Name", "Verein"], RUNNING, NAMES, CLUBS), dropped=["lfd. Nr."]
    ),
    "place_and_points": Sheet(
        table(["Platz", "Name", "Verein", "Punkte"], RUNNING, NAMES, CLUBS, RUNNING),
        dropped=["Platz", "Punkte"],
    ),
    "surname_and_first_name": Sheet(table(["Nachname", "Vorname", "Verein"], LAST, FIRST, CLUBS)),
    "name_and_first_name": Sheet(table(["Vorname", "Name", "Stammtisch"], FIRST, LAST, CLUBS)),
    "merged_heading_over_two_columns": Sheet(table(["Name", "", "Verein"], LAST, FIRST, CLUBS)),
    "headings_in_two_rows": Sheet(
        table(
            ["", "Vorname", "Nachname", ""],
            RUNNING,
            FIRST,
            LAST,
            CLUBS,
            above=[["Anmeldungen"], ["Nr.", "Spieler", "", "Verein"]],
        ),
        skipped=[1],
        numbers=RUNNING,
    ),
    "one_cell_with_comma": Sheet(table(["Name, Vorname", "Verein"], WITH_COMMA, CLUBS), names=WITH_COMMA),
    "sums_at_the_end": Sheet(
        table(
            ["Name", "Verein", "Betrag"],
            NAMES,
            CLUBS,
            ["5,00"] * COUNT,
            below=[[], ["Summe", "", "40,00"], ["", "", "40,00"], ["8 Teilnehmer"], ["Gesamt: 8"]],
        ),
        skipped=[COUNT + 3, COUNT + 4, COUNT + 5, COUNT + 6],
        dropped=["Betrag"],
    ),
    "sum_beside_the_names": Sheet(
        table(["lfd. Nr.", "Name", "Verein"], RUNNING, NAMES, CLUBS, below=[["Summe", "8"]]),
        skipped=[COUNT + 2],
        dropped=["lfd. Nr."],
    ),
    "a_number_below_the_names": Sheet(
        table(["Name", "Verein"], NAMES, CLUBS, below=[["8"]]), bad=[COUNT + 2]
    ),
    "member_numbers": Sheet(table(["Nr.", "Name", "Verein"], MEMBERS, NAMES, CLUBS), dropped=["Nr."]),
    "telephone_mail_birthday": Sheet(
        table(["Name", "Telefon", "E-Mail", "Geb.", "Verein"], NAMES, PHONES, MAILS, BIRTHDAYS, CLUBS),
        dropped=["Telefon", "E-Mail", "Geb."],
    ),
    "notes": Sheet(table(["Name", "Verein", "Bemerkung"], NAMES, CLUBS, NOTES), dropped=["Bemerkung"]),
    "plus_and_minus": Sheet(
        table(["Name", "+", "-", "Verein"], NAMES, RUNNING, RUNNING, CLUBS), dropped=["+", "-"]
    ),
    "empty_columns": Sheet(table(["", "Name", "", "Verein"], [""] * COUNT, NAMES, [""] * COUNT, CLUBS)),
    "kind_is_a_fee": Sheet(
        table(["Name", "Verein", "Art"], NAMES, CLUBS, ["voll", "ermäßigt"] * 4), fees=["full", "fee-2"] * 4
    ),
    "kind_is_no_fee": Sheet(
        table(["Name", "Verein", "Art"], NAMES, CLUBS, ["Gast", "voll"] * 4), dropped=["Art"]
    ),
    "headings_on_each_page": Sheet(
        [
            ["Name", "Verein"],
            *zip(NAMES[:4], CLUBS[:4], strict=True),
            ["Name", "Verein"],
            *zip(NAMES[4:], CLUBS[4:], strict=True),
        ],
        skipped=[6],
    ),
    "no_headings": Sheet(table([], NAMES, CLUBS)),
    "no_headings_below_a_title": Sheet(
        table([], RUNNING, NAMES, CLUBS, above=[["Schafkopfturnier"]]), skipped=[1], numbers=RUNNING
    ),
    "no_headings_two_names_and_phones": Sheet(table([], LAST, FIRST, PHONES), clubs=None, dropped=[3]),
    "numbered_names": Sheet(
        table([], [f"{number}. {name}" for number, name in enumerate(NAMES, 1)]), clubs=None
    ),
    "names_alone_below_a_title": Sheet(
        table([], NAMES, above=[["Teilnehmerliste 2026"]]), clubs=None, skipped=[1]
    ),
}


def separated(rows: Sequence[Cells], separator: str) -> str:
    return "\n".join(separator.join(_quoted(cell, separator) for cell in row) for row in rows)


def _quoted(cell: object, separator: str) -> str:
    return f'"{cell}"' if separator in str(cell) else str(cell)


def workbook(rows: Sequence[Cells]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append([cell or None for cell in row])  # type: ignore[union-attr]
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()


FILES = {
    "utf-8 with semicolons": lambda rows: separated(rows, ";").encode("utf-8-sig"),
    "cp1252 with commas": lambda rows: separated(rows, ",").encode("cp1252"),
    "mac-roman with semicolons": lambda rows: separated(rows, ";").encode("mac_roman"),
    "utf-16 with tabs": lambda rows: separated(rows, "\t").encode("utf-16"),
    "xlsx": workbook,
}


def read(data: bytes) -> PeopleList:
    return read_people(text_of(data), ListContext(kinds=KINDS))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", SHEETS)
def test_the_players_are_right_and_what_is_not_taken_is_named(name: str, file: str) -> None:
    sheet = SHEETS[name]
    people = read(FILES[file](sheet.rows))
    assert [line.newcomer.name for line in people.good] == list(sheet.names)
    assert [line.newcomer.club for line in people.good] == list(sheet.clubs or [""] * COUNT)
    assert [line.newcomer.start_number for line in people.good] == list(sheet.numbers)
    assert [line.line for line in people.skipped] == list(sheet.skipped)
    assert [line.line for line in people.bad] == list(sheet.bad)
    assert list(people.dropped) == list(sheet.dropped)
    assert [line.newcomer.fee for line in people.good] == list(sheet.fees or [""] * COUNT)
    assert not people.doubles


def test_merged_cells_of_a_workbook() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in table(["Nr.", "Name", "", "Verein"], RUNNING, LAST, FIRST, CLUBS, above=[["Vereinsturnier"]]):
        sheet.append(list(row))
    sheet.merge_cells("A1:D1")
    sheet.merge_cells("B2:C2")
    output = io.BytesIO()
    book.save(output)
    people = read(output.getvalue())
    assert [line.newcomer.name for line in people.good] == NAMES
    assert [line.line for line in people.skipped] == [1]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_own_list_of_another_evening_brings_people_and_never_money(kind: str, language: str) -> None:
    last, tonight = Cashier(), Cashier()
    for person in PEOPLE:
        last.register(person.name, club=person.club)
    headers = {"Accept-Language": language}
    data = last.client.get(last.url("participants_file", kind), headers=headers).content
    tonight.register("Ganz Anders", unpaid="on")
    text = text_of(data)
    chosen = {"column": ["paid"] * 9, "guess": [""] * 9}
    for more in ({}, chosen):
        preview = tonight.client.post(tonight.url("import_list"), {"text": text, **more}).context["preview"]
        assert preview.people.is_foreign
        assert preview.paid == 0
    page = tonight.client.post(tonight.url("import_list"), {"text": text})
    seen = page.context["preview"].digest
    tonight.client.post(tonight.url("import_list"), {"text": text, "seen": seen, "enter": "1"})
    added = tonight.tournament.participants.filter(presence="announced").order_by("start_number")
    assert list(added.values_list("name", "club", "start_number")) == [
        (person.name, person.club, number) for number, person in enumerate(PEOPLE, 2)
    ]
    assert not Payment.objects.filter(participant__tournament=tonight.tournament).exists()


def test_a_column_is_what_somebody_chooses() -> None:
    text = separated(table(["Wer", "Woher", "Name"], NAMES, CLUBS, LAST), ";")
    people = read_people(text, ListContext(columns={0: "name", 1: "club"}))
    assert [(line.newcomer.name, line.newcomer.club) for line in people.good] == list(
        zip(NAMES, CLUBS, strict=True)
    )
    assert people.dropped == ("Name",)
    assert [column.guess for column in people.columns] == ["", "", "name"]


def test_a_number_is_no_name_though_somebody_chooses_its_column() -> None:
    text = separated(table(["Nr.", "Name"], RUNNING, NAMES), ";")
    people = read_people(text, ListContext(columns={0: "name"}))
    assert [line.refusal.code for line in people.bad] == ["not_a_name"] * COUNT
