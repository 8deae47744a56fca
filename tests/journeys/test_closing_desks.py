"""Two desks from the opening float to the signed closing sheet, in a real browser; one with 3.50 too little."""

import io
import re
from collections.abc import Callable

import pdfplumber
import pytest
from playwright.sync_api import Page, expect

from tests import labels
from tests.factories import AT, TournamentFactory, UserFactory
from tests.journeys.evening import NewPage, bring_session
from tests.tournaments.accounts.test_year_book import an_evening
from tournaments.core.fees import FeeKind
from tournaments.models import Tournament
from tournaments.queries.desks import desk_rows
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tournament(committed: None) -> Tournament:
    owner = UserFactory.create()
    made: Tournament = TournamentFactory.create(slug=f"kasse-{owner.username}", owner=owner)
    edit_fees(made, [FeeKind("", "voll", 300), FeeKind("", "ermäßigt", 150)])
    return made


@pytest.fixture
def new_desk(new_page: NewPage, tournament: Tournament) -> Callable[[int], Page]:
    """Open a laptop with a desk of its own and a float."""
    return lambda number: open_desk(new_page({}), tournament, number)


def open_desk(page: Page, tournament: Tournament, number: int) -> Page:
    bring_session(page, tournament.memberships.get().user)
    page.goto(f"/o/{tournament.slug}/door/desks/")
    page.get_by_label("Neue Kasse").fill(f"Kasse {number}")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=f"Kasse {number}").click()
    move(page, "Anfangsbestand", "50,00")
    return page


def move(page: Page, what: str, amount: str, reason: str = "") -> None:
    page.get_by_role("radio", name=what).check()
    page.get_by_label("Betrag").fill(amount)
    page.get_by_label("Grund", exact=True).fill(reason)
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text(f"{what.split()[0]} ist eingetragen.")


def open_door(page: Page) -> None:
    page.get_by_role("link", name="Anmelden").click()
    page.wait_for_url("**/door/")  # with the keys of the desk
    expect(page.locator("#id_name")).to_be_focused()


def register(page: Page, name: str, *keys: str) -> None:
    """Register a player with the keyboard alone; the keys choose the fee."""
    expect(page.locator("#id_name")).to_be_focused()
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator("#door-note")).to_contain_text(name)


def count(page: Page, pieces: dict[int, int]) -> None:
    """Type the numbers of all notes and coins with the keyboard: figure, Tab."""
    page.get_by_label("500\u00a0€").focus()
    for value in (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1):
        if value in pieces:
            page.keyboard.type(str(pieces[value]))
        page.keyboard.press("Tab")


def closing_sheet(page: Page) -> str:
    page.get_by_role("link", name="Abschlussblatt drucken").click()
    # A click returns before the page behind it is there, and PDF is made of what stands.
    page.wait_for_url("**/print/desks/*/")
    with pdfplumber.open(io.BytesIO(page.pdf(prefer_css_page_size=True))) as pdf:
        assert len(pdf.pages) == 1
        return re.sub(r"[ \u00a0]+", " ", pdf.pages[0].extract_text())


def test_two_desks_from_float_to_closing_sheet(
    new_desk: Callable[[int], Page], tournament: Tournament
) -> None:
    first, second = new_desk(1), new_desk(2)
    for page in (first, second):
        open_door(page)
    register(first, "Huber Sepp")
    register(first, "Meier Anna", "F4")
    register(second, "Kern Lena")
    register(second, "Auer Karl", "F2")
    first.goto(f"/o/{tournament.slug}/door/desks/1/")
    move(first, "Entnahme", "12,50", "Kartenspiele")
    move(first, "Übergabe an Kasse 2", "20,00")
    assert [row.expected_cents for row in desk_rows(tournament)] == [
        5000 + 450 - 1250 - 2000,
        5000 + 300 + 2000,
    ]

    count(first, {2000: 1, 200: 1})
    expect(first.locator("[data-counted]")).to_have_text("22,00\u00a0€")
    first.get_by_label("Grund der Differenz").focus()
    expect(first.locator("[data-difference]")).to_have_text("0,00\u00a0€")
    first.keyboard.press("Enter")
    expect(first.locator("#messages")).to_contain_text("Kasse 1 ist abgeschlossen.")
    sheet = closing_sheet(first)
    for line in (
        "Abschlussblatt: Kasse 1",
        "Anfangsbestand 50,00 €",
        "+ Startgebühren (2) 4,50 €",
        "− Rückzahlungen (0) 0,00 €",
        "− Entnahmen 12,50 €",
        "− an andere Kassen 20,00 €",
        "= Soll 22,00 €",
        "Gezählt 22,00 €",
        "Differenz 0,00 €",
        "20 € 1 20,00 €",
        "2 € 1 2,00 €",
        "Gezählt: Datum, Unterschrift",
        "Geprüft: Datum, Unterschrift",
    ):
        assert line in sheet
    assert "Entnahme −12,50 € Kartenspiele" in sheet
    assert "Zu wenig" not in sheet


def test_a_desk_with_3_50_too_little_is_closed_with_a_word(
    new_desk: Callable[[int], Page], tournament: Tournament
) -> None:
    page = new_desk(1)
    count(page, {2000: 2, 500: 1, 100: 1, 50: 1})
    expect(page.locator("[data-difference]")).to_have_text("−3,50\u00a0€")
    page.keyboard.press("Enter")
    expect(page.locator(".field__error")).to_contain_text("3,50\u00a0€ zu wenig")
    expect(page.get_by_label("20\u00a0€")).to_have_value("2")
    page.get_by_label("Grund der Differenz").fill("Wechselgeld verzählt")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Kasse 1 ist abgeschlossen.")
    open_door(page)
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect(page.locator("#id_name_error")).to_contain_text(
        "Kasse 1 ist abgeschlossen und nimmt nichts mehr an."
    )
    expect(page.locator("#id_name")).to_have_value("Huber Sepp")
    page.goto(f"/o/{tournament.slug}/door/desks/1/")
    sheet = closing_sheet(page)
    for line in (
        "= Soll 50,00 €",
        "Gezählt 46,50 €",
        "Differenz −3,50 €",
        "Zu wenig: 3,50 € – „Wechselgeld verzählt“",
    ):
        assert line in sheet
    page.goto(f"/o/{tournament.slug}/door/desks/1/")
    page.get_by_label("Begründung").fill("Die 3,50 lagen unter der Kasse")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Kasse 1 ist wieder offen.")


def test_a_double_click_takes_no_more_out_than_there_is(
    new_desk: Callable[[int], Page], tournament: Tournament
) -> None:
    page = new_desk(1)
    page.get_by_role("radio", name="Entnahme").check()
    page.get_by_label("Betrag").fill("500")
    page.get_by_label("Grund", exact=True).fill("Bank")
    page.get_by_role("button", name="Eintragen", exact=True).dblclick(delay=60)
    confirm = page.get_by_role("button", name="Trotzdem 500,00\u00a0€ eintragen")
    expect(confirm).to_be_visible()
    expect(page.locator(".field__error")).to_contain_text("müssten 50,00\u00a0€ sein")
    assert [row.expected_cents for row in desk_rows(tournament)] == [5000]
    page.get_by_label("Betrag").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(confirm).to_be_visible()
    assert [row.expected_cents for row in desk_rows(tournament)] == [5000]
    confirm.click()
    expect(page.locator("#messages")).to_contain_text("Entnahme ist eingetragen.")
    assert [row.expected_cents for row in desk_rows(tournament)] == [-45_000]
    page.get_by_role("button", name=labels.TAKE_BACK).first.click()
    expect(page.locator("#messages")).to_contain_text("Entnahme ist zurückgenommen.")
    assert [row.expected_cents for row in desk_rows(tournament)] == [5000]


def test_the_cash_book_of_a_year_lies_across_the_paper_with_one_sum(new_page: NewPage) -> None:
    """On a screen of 1024 px its nine columns are seen whole."""
    for number in range(25):
        an_evening(f"Preisschnauzen am Kirchweihsamstag {number}")
    page = new_page({"viewport": {"width": 1024, "height": 768}})
    bring_session(page, UserFactory.create(is_superuser=True))
    page.goto(f"/account/cash/{AT.year}/")
    table = page.locator(".table-wrap")
    assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth")
    page.evaluate(
        "document.querySelectorAll('td.num').forEach((one) => (one.textContent = '−12.345,00\u00a0€'))"
    )
    assert table.evaluate("wrap => wrap.scrollWidth - wrap.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") == 1024
    with pdfplumber.open(io.BytesIO(page.pdf(prefer_css_page_size=True))) as pdf:
        assert len(pdf.pages) > 1
        assert {page.width > page.height for page in pdf.pages} == {True}
        texts = [page.extract_text() for page in pdf.pages]
    assert sum(text.count("Summe") for text in texts) == 1
    assert all("Anfangsbestand" in text for text in texts if "Kasse 1" in text)
