"""Importing a list: pasted or uploaded, previewed line by line, saved as announced players."""

import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from openpyxl import Workbook

from tests.tournaments.door.doors import Cashier
from tournaments.core.refusal import Refusal
from tournaments.door.lists.people_list import ListContext, read_people
from tournaments.list_files import text_of

pytestmark = pytest.mark.django_db

THREE = "Nr;Name;Verein\n7;Müller Jörg;SV Ort\n8;Strauß Änne;\n9;Huber Sepp;Krone\n"
THREE_READ = [("Müller Jörg", "SV Ort", 7), ("Strauß Änne", "", 8), ("Huber Sepp", "Krone", 9)]


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def read(text: str) -> list[tuple[str, str, int | None]]:
    people = read_people(text, ListContext({}, order="first_last"))
    assert people.bad == ()
    return [(line.newcomer.name, line.newcomer.club, line.newcomer.start_number) for line in people.good]


def post(desk: Cashier, text: str = "", **more: object) -> HttpResponse:
    return desk.client.post(desk.url("import_list"), {"text": text, "order": "first_last", **more})  # type: ignore[return-value]


def enter(desk: Cashier, text: str, **more: object) -> HttpResponse:
    seen = re.search(r'name="seen" value="(\w+)"', post(desk, text).content.decode())
    assert seen
    return post(desk, text, seen=seen[1], enter="1", **more)


def people(desk: Cashier) -> list[tuple[int, str, str]]:
    rows = desk.tournament.participants.order_by("start_number")
    return list(rows.values_list("start_number", "name", "presence"))


def workbook(rows: list[list[object]]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_usual_separator_and_encoding(separator: str, encoding: str) -> None:
    data = THREE.replace(";", separator).encode(encoding)
    assert read(text_of(data)) == THREE_READ


def test_windows_line_ends_and_quotes() -> None:
    assert read('"Name";"Verein"\r\n"Huber; Sepp";"SV ""Ort"""\r\n') == [("Huber; Sepp", 'SV "Ort"', None)]


def test_xlsx() -> None:
    data = workbook([["Nr", "Name", "Verein"], [7, "Müller Jörg", "SV Ort"], [8.0, "Strauß Änne", None]])
    assert read(text_of(data)) == THREE_READ[:2]


def test_first_and_last_name_in_two_columns() -> None:
    assert read("Nachname;Vorname;Ort\nHuber;Sepp;Dorf\n") == [("Sepp Huber", "", None)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Huber Sepp\nMeier Anna\n", [("Huber Sepp", "", None), ("Meier Anna", "", None)]),
        ("Huber Sepp\tKrone\n", [("Huber Sepp", "Krone", None)]),
        ("3\tHuber Sepp\tKrone\n4.\tMeier Anna\t\n", [("Huber Sepp", "Krone", 3), ("Meier Anna", "", 4)]),
        ("\n\nHuber Sepp\n\n", [("Huber Sepp", "", None)]),
    ],
)
def test_lists_without_headings(text: str, lines: list[tuple[str, str, int | None]]) -> None:
    assert read(text) == lines


def test_the_preview_names_every_bad_line_and_enters_nothing(desk: Cashier) -> None:
    text = (
        "Nr;Name\n1;Huber Sepp\n2;\nx;Meier Anna\n1;Kern Lena\n5;"
        + "x" * 81
        + "\n6;Zacherl\u202e Max\n7;42\n"
    )
    page = post(desk, text).content.decode()
    reasons = re.findall(r"<li><b>Zeile (\d+)</b>[^:]*: ([^<]*?)[.<]", page)
    assert [(int(line), reason) for line, reason in reasons] == [
        (3, "Der Name fehlt"),
        (4, "Die Teiln"),
        (5, "Die Teiln"),
        (6, "Der Name ist zu lang"),
        (7, "Der Name enthält ein unsichtbares Zeichen (U+202E)"),
        (8, "Das ist kein Name"),
    ]
    assert people(desk) == []


def test_a_previewed_list_is_announced(desk: Cashier) -> None:
    response = enter(desk, "Nr;Name\n4;Huber Sepp\n2;\n;Meier Anna\n")
    assert response.status_code == 302
    assert people(desk) == [(4, "Huber Sepp", "announced"), (5, "Meier Anna", "announced")]


def test_a_list_changed_after_the_preview_is_previewed_again(desk: Cashier) -> None:
    seen = re.search(r'name="seen" value="(\w+)"', post(desk, "Huber Sepp").content.decode())
    assert seen
    response = post(desk, "Huber Sepp\nMeier Anna", seen=seen[1], enter="1")
    assert response.status_code == 200
    assert people(desk) == []


def test_duplicates_are_listed_and_left_out_by_default(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    text = "Sepp Huber\nMeier Anna\nMeier Anna\n"
    page = post(desk, text).content.decode()
    assert "wie Nr. 1, schon in der Liste der Spieler" in page
    assert "wie Zeile 2" in page
    enter(desk, text)
    assert [name for _, name, _ in people(desk)] == ["Huber Sepp", "Meier Anna"]


def test_duplicates_are_registered_on_request(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    enter(desk, "Sepp Huber\nMeier Anna\nMeier Anna\n", doubles="on")
    assert len(people(desk)) == 4


def test_a_number_that_is_given_already_is_a_bad_line(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    page = post(desk, "1;Meier Anna\n").content.decode()
    assert "Die Teiln.-Nr. 1 ist schon vergeben." in page


def test_a_file_is_read_and_can_be_corrected_as_text(desk: Cashier) -> None:
    upload = SimpleUploadedFile("liste.xlsx", workbook([["Name", "Verein"], ["Huber Sepp", "Krone"]]))
    page = post(desk, file=upload).content.decode()
    assert "Name\tVerein\nHuber Sepp\tKrone" in page


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\x03\x04 no workbook", "lässt sich nicht lesen"),
        (b"%PDF-1.4 \x81\x8d", "lässt sich nicht lesen"),
        (b"\xd0\xcf\x11\xe0 an old xls", "lässt sich nicht lesen"),
        (b"Huber\n" * 200_000, "zu groß"),
        (b"Huber Sepp\n" * 2001, "mehr als 2000 Zeilen"),
        (b"", "kein Name"),
        (b"\n;;\n", "kein Name"),
    ],
)
def test_files_that_are_no_lists_are_refused_with_a_reason(desk: Cashier, data: bytes, sentence: str) -> None:
    response = post(desk, file=SimpleUploadedFile("liste.csv", data))
    assert response.status_code == (422)
    assert sentence in response.content.decode()


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("xl/worksheets/sheet1.xml", " " * 10_000_000),
        ("xl/worksheets/sheet1.xml", "<a>" + "<row/>" * 10_001 + "</a>"),
        ("xl/worksheets/sheet1.xml", "<a><row>" + "<c/>" * 257 + "</row></a>"),
        ("xl/worksheets/sheet1.xml", "<a>" + ("<x:row>" + "<x:c/>" * 250 + "</x:row>") * 401 + "</a>"),
        ("xl/sharedStrings.xml", "<sst>" + "<si/>" * 50_001 + "</sst>"),
        ("xl/styles.xml", "<styleSheet>" + "<xf/>" * 50_000 + "</styleSheet>"),
        ("xl/any.name", "<a>" * 51),
    ],
)
def test_a_workbook_that_unpacks_to_too_much_is_not_read(part: str, content: str) -> None:
    data = altered(workbook([["Huber Sepp"]]), part, content)
    assert len(data) < 20_000
    with pytest.raises(Refusal, match="file_too_large"):
        text_of(data)


def test_a_workbook_that_defines_entities_is_not_read() -> None:
    entities = '<!DOCTYPE sst [<!ENTITY name "Huber">]><sst><si><t>&name;</t></si></sst>'
    with pytest.raises(Refusal, match="file_unreadable"):
        text_of(altered(workbook([["Huber Sepp"]]), "xl/sharedStrings.xml", entities))


def test_a_large_list_with_many_columns_is_within_the_limits() -> None:
    rows: list[list[object]] = [[f"Spieler {number}", *map(str, range(24))] for number in range(2000)]
    assert text_of(workbook(rows)).count("\n") == 2000


def altered(data: bytes, part: str, content: str) -> bytes:
    """Return the workbook with another content of a part, or with one part more."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
        new.writestr(part, content)
    return output.getvalue()


def test_a_workbook_with_a_name_in_its_last_row_does_not_take_all_day() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"] = "Huber Sepp"
    sheet["A1048576"] = "Meier Anna"
    output = io.BytesIO()
    book.save(output)
    assert text_of(output.getvalue()).startswith("Huber Sepp")


def test_2000_lines_are_read(desk: Cashier) -> None:
    text = "\n".join(f"Spieler Nummer{number}" for number in range(2000))
    assert enter(desk, text).status_code == 302
    assert len(people(desk)) == 2000


def test_text_that_looks_like_markup_stays_text(desk: Cashier) -> None:
    page = post(desk, "</textarea><script>alert(1)</script>\n").content.decode()
    assert "<script>alert" not in page


def test_a_cashier_may_read_lists(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    assert cashier.client.get(cashier.url("import_list")).status_code == 200
