"""Typing in paper sheets faster than the server answers: nothing that was typed is lost or lands in another line."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.sheet_log import open_sheet
from tests.journeys.access import violations
from tests.journeys.evening import NewPage
from tests.journeys.held import SlowServer
from tests.scoring.pages import Staff

pytestmark = pytest.mark.usefixtures("committed")

LINES = "**/tables/*/paper/"


@pytest.fixture
def desk(committed: None) -> Staff:
    """Create an organiser with three tables of five, released."""
    desk = Staff(15)
    desk.draw()
    return desk


@pytest.fixture
def page(new_page: NewPage, laptop: dict[str, Any], live_url: str, desk: Staff) -> Page:
    page = new_page(laptop)
    session = desk.client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    page.goto(desk.url("paper", 1))
    expect(line_of(page, 1)).to_be_focused()  # a browser sets it some time after the page is loaded
    return page


def line_of(page: Page, table: int) -> Locator:
    return page.get_by_label(f"Tisch {table}: Ränge und Striche")


def saved(page: Page, table: int) -> Locator:
    return page.locator(f"#paper-{table}[data-saved]")


def strokes(desk: Staff, table: int) -> list[int]:
    return [score.strokes for score in open_sheet(desk.table(table).pk).log.results]


def test_what_a_second_person_types_differently_is_shown_and_nothing_else(page: Page, desk: Staff) -> None:
    for table in (1, 2):
        page.keyboard.type("12345 10000")
        page.keyboard.press("Enter")
        expect(saved(page, table)).to_be_visible()
    page.get_by_role("link", name="Zur Kontrolle noch einmal tippen").click()
    page.wait_for_url("**/paper/?again=1")  # with the scripts that send a line
    expect(line_of(page, 1)).to_be_focused()
    for line in ("12345 10000", "12354 10000"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    expect(page.locator("#paper-said-1")).to_have_text("Beide Male gleich.")
    said = page.locator("#paper-said-2")
    expect(said.get_by_role("listitem")).to_have_count(2)
    expect(said).to_contain_text("zuerst Rang 4, Punkte: 2 – jetzt Rang 5, Punkte: 1")
    assert violations(page) == []


def test_the_next_line_is_typed_while_the_answer_is_on_its_way(page: Page, desk: Staff) -> None:
    server = SlowServer(page, LINES)
    page.keyboard.type("12345 10000")
    page.keyboard.press("Enter")
    page.keyboard.type("12345 0")

    expect(line_of(page, 2)).to_have_value("12345 0")
    server.answers()
    expect(saved(page, 1)).to_be_visible()
    expect(line_of(page, 2)).to_be_focused()
    page.keyboard.type("2000")
    page.keyboard.press("Enter")
    page.keyboard.type("54321 00003")
    page.keyboard.press("Enter")
    server.has(2)
    server.answers()
    server.answers()

    for table in (2, 3):
        expect(saved(page, table)).to_be_visible()
    assert [strokes(desk, table) for table in (1, 2, 3)] == [
        [1, 0, 0, 0, 0],
        [0, 2, 0, 0, 0],
        [0, 0, 0, 0, 3],
    ]


def test_a_line_that_is_refused_meanwhile_leaves_the_cursor_where_somebody_types(
    page: Page, desk: Staff
) -> None:
    server = SlowServer(page, LINES)
    page.keyboard.type("11345 0")
    page.keyboard.press("Enter")
    page.keyboard.type("123")
    server.answers()

    expect(page.get_by_text("Tisch 1 ist nicht eingetragen.")).to_be_visible()
    expect(line_of(page, 1)).to_have_attribute("aria-invalid", "true")
    expect(line_of(page, 1)).to_have_value("11345 0")
    page.keyboard.type("45 0")
    expect(line_of(page, 2)).to_have_value("12345 0")
    page.unroute_all()

    # the cursor comes back to the refused line at the end
    page.keyboard.press("Enter")
    expect(saved(page, 2)).to_be_visible()
    page.keyboard.type("12345 0")
    page.keyboard.press("Enter")
    expect(saved(page, 3)).to_be_visible()
    expect(line_of(page, 1)).to_be_focused()


def test_a_line_that_is_refused_before_anything_else_is_typed_gets_the_cursor_back(page: Page) -> None:
    page.keyboard.type("11345 0")
    page.keyboard.press("Enter")

    expect(line_of(page, 1)).to_have_attribute("aria-invalid", "true")
    expect(line_of(page, 1)).to_be_focused()
    page.keyboard.type("9")  # meant for table 2, it replaces nothing
    expect(line_of(page, 1)).to_have_value("11345 09")


def test_what_is_typed_in_the_last_line_after_enter_is_kept_with_its_error(page: Page, desk: Staff) -> None:
    for table in (1, 2):
        page.keyboard.type("12345 0")
        page.keyboard.press("Enter")
        expect(saved(page, table)).to_be_visible()
    server = SlowServer(page, LINES)
    page.keyboard.type("11345 0")
    page.keyboard.press("Enter")
    page.keyboard.type("2000")
    server.answers()

    expect(page.get_by_text("Es kann nur einen Sieger geben.").first).to_be_visible()
    expect(line_of(page, 3)).to_have_value("11345 02000")
    expect(line_of(page, 3)).to_be_focused()
