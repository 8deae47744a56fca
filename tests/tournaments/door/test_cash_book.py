"""The cash book, and the downloads for a spreadsheet program."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.door.doors import Cashier, figures, numbers
from tournaments.models import Payment

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def read_csv(desk: Cashier, name: str) -> list[list[str]]:
    response = desk.client.get(desk.url(name, "csv"))
    assert response.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=";"))


def read_xlsx(desk: Cashier, name: str) -> list[list[tuple[object, str]]]:
    response = desk.client.get(desk.url(name, "xlsx"))
    sheet = load_workbook(io.BytesIO(response.content)).worksheets[0]
    return [[(cell.value, cell.data_type) for cell in row] for row in sheet.iter_rows()]


def test_every_payment_is_a_line_with_the_till_after_it(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.register("Meier Anna")
    desk.act(1, "refund")
    page = desk.get("cash").replace("\u00a0", " ")
    lines = re.findall(
        r'<td class="num"[^>]*>(−?[\d,]+ €)</td>\s*<td class="num"[^>]*>(−?[\d,]+ €)</td>', page
    )
    assert lines == [("−3,00 €", "3,00 €"), ("3,00 €", "6,00 €"), ("3,00 €", "3,00 €")]
    assert figures(page) == {"cash": "3,00 €"}


def test_two_desks_have_two_tills(desk: Cashier) -> None:
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse 1"})
    desk.register("Huber Sepp")
    other = Cashier("cashier", desk.tournament)
    other.client.post(other.url("name_desk"), {"desk": "Kasse 2"})
    other.register("Meier Anna")
    other.register("Kern Lena")
    page = other.get("cash").replace("\u00a0", " ")
    assert re.findall(r"<dt>(Kasse \d)</dt><dd>([^<]*)</dd>", page) == [
        ("Kasse 1", "3,00 €"),
        ("Kasse 2", "6,00 €"),
    ]


def test_a_desk_keeps_its_name_after_the_log_out_and_for_another_account(desk: Cashier) -> None:
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse für Gäste"})
    desk.client.post("/account/logout/")
    desk.client.force_login(Cashier("cashier", desk.tournament).user)
    desk.register("Huber Sepp")
    assert Payment.objects.get(participant__tournament=desk.tournament).desk == "Kasse für Gäste"


def test_a_desk_name_is_taken_away_again(desk: Cashier) -> None:
    desk.client.post(desk.url("name_desk"), {"desk": "Kasse 1"})
    desk.client.post(desk.url("name_desk"), {"desk": ""})
    desk.register("Huber Sepp")
    assert Payment.objects.get(participant__tournament=desk.tournament).desk == ""


def test_a_desk_name_that_this_program_did_not_give_counts_for_nothing(desk: Cashier) -> None:
    desk.client.cookies["desk"] = "Kasse 7"
    desk.register("Huber Sepp")
    assert Payment.objects.get(participant__tournament=desk.tournament).desk == ""


def test_an_invalid_desk_name_is_refused(desk: Cashier) -> None:
    desk.client.post(desk.url("name_desk"), {"desk": "\u202eKasse"})
    desk.register("Huber Sepp")
    assert Payment.objects.get(participant__tournament=desk.tournament).desk == ""


@pytest.mark.parametrize("count", [1, 3])
def test_the_cash_book_asks_as_often_for_one_as_for_three(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = Cashier()
    for number in range(count):
        desk.register(f"Spieler {number}")
    with django_assert_num_queries(6):  # session, account, tournament, membership, payments, the unpaid
        desk.get("cash")


def test_all_pages_show_the_same_unpaid_amount(desk: Cashier) -> None:
    for number, action in enumerate(("present", "absent", "withdraw", "announced", "pay"), start=1):
        desk.register(f"Spieler Num{number}", unpaid="on")
        desk.act(number, action)
    overview = desk.client.get(f"/o/{desk.tournament.slug}/").content.decode()
    assert figures(desk.get("desk"))["unpaid"] == "2"
    assert numbers(desk.get("desk", query="?only=unpaid")) == [2, 1]
    assert "<dd>6,00\u00a0€</dd>" in desk.get("cash").partition("2 unbezahlt")[2]
    assert re.findall(r"Startgebühr offen</dt>\s*<dd>(\d+)</dd>", overview) == ["2"]


def test_participants_as_csv_for_a_german_excel(desk: Cashier) -> None:
    desk.register("Müller Jörg", club="SV Ort")
    headings, row = read_csv(desk, "participants_file")
    assert headings[:6] == ["Teiln.-Nr.", "Name", "Verein", "Stand", "Bezahlt", "Angemeldet am"]
    assert headings[6:] == ["Ort", "Beitrag", "Offen"]
    assert row[:5] == ["1", "Müller Jörg", "SV Ort", "anwesend", "3,00"]


def test_participants_as_xlsx_have_numbers_as_numbers(desk: Cashier) -> None:
    desk.register("Müller Jörg", club="SV Ort")
    row = read_xlsx(desk, "participants_file")[1]
    assert row[:5] == [(1, "n"), ("Müller Jörg", "s"), ("SV Ort", "s"), ("anwesend", "s"), (3, "n")]
    assert row[5][1] == "d"


@pytest.mark.parametrize("name", ["=1+1", "+49 Sepp", "-2 Anna", "@SUM(A1)", "＝1"])
def test_formulas_stay_text(desk: Cashier, name: str) -> None:
    desk.register(name)
    assert read_csv(desk, "participants_file")[1][1] == f"'{name}"
    assert read_xlsx(desk, "participants_file")[1][1] == (name, "s")


def test_payments_as_csv_and_xlsx(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "refund")
    assert [row[1:6] for row in read_csv(desk, "payments_file")[1:]] == [
        ["1", "Huber Sepp", "Startgebühr", "3,00", "3,00"],
        ["1", "Huber Sepp", "Rückzahlung", "-3,00", "0,00"],
    ]
    assert read_xlsx(desk, "payments_file")[2][4] == (-3, "n")


@pytest.mark.parametrize(
    "url", [lambda desk: desk.url("participants_file", "pdf"), lambda desk: desk.url("payments_file", "exe")]
)
def test_other_kinds_of_file_do_not_exist(desk: Cashier, url: Callable[[Cashier], str]) -> None:
    assert desk.client.get(url(desk)).status_code == 404
