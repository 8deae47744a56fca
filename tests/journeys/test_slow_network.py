"""Scripts and answers that come late take nothing away from people who have gone on meanwhile."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.evening import LAPTOP, NewPage
from tests.journeys.held import SlowServer
from tests.scoring.pages import Staff

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def desk(committed: None) -> Staff:
    return Staff(5)


@pytest.fixture
def page(new_page: NewPage, live_url: str, desk: Staff) -> Page:
    page = new_page(LAPTOP)
    session = desk.client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    return page


def test_a_late_script_leaves_the_cursor_where_somebody_types(page: Page) -> None:
    """The control: where nobody types, it puts the cursor where something is missing."""
    for typed in ("Saal", ""):
        page.goto("/o/+/")
        server = SlowServer(page, "**/js/ui*.js")
        page.get_by_role("button", name="Turnier anlegen").click()
        name = page.get_by_label("Name des Turniers")
        place = page.get_by_role("textbox", name="Ort (freiwillig)")
        expect(name).to_have_attribute("aria-invalid", "true")
        if typed:
            place.press_sequentially(typed)
        server.answers()
        page.wait_for_load_state()
        expect(place if typed else name).to_be_focused()
        expect(place).to_have_value(typed)
        page.unroute_all()


def test_a_round_that_is_closed_slowly_is_said_to_be_closed(page: Page, desk: Staff) -> None:
    """The table monitor, which reloads the page of a closed round, asks before the answer is there."""
    desk.draw()
    desk.type_in_everything()
    page.goto(desk.url("round", 1))
    server = SlowServer(page, f"**{desk.url('close', 1)}")
    page.get_by_role("button", name="1. Spielrunde abschließen").click(no_wait_after=True)
    server.has(1)
    answer = server.held[0].fetch(max_redirects=0)
    for _ in range(2):  # a page that reloads itself asks only once
        with page.expect_response(lambda answer: answer.headers.get("hx-refresh") == "true"):
            pass
    server.held[0].fulfill(response=answer)
    expect(page).to_have_url(re.compile(f"{desk.url('overview')}$"))
    expect(page.get_by_text("Die 1. Spielrunde ist abgeschlossen.")).to_be_visible()


def test_the_code_of_a_link_comes_late_and_leaves_the_cursor_too(page: Page) -> None:
    page.context.clear_cookies()
    server = SlowServer(page, "**/js/fragment*.js")
    for typed in ("Maria", ""):
        page.goto("about:blank")
        page.goto("/account/join/#ABCD-EFGH", wait_until="commit")
        name, code = page.get_by_label("Name des Kontos"), page.get_by_label("Code")
        name.press_sequentially(typed)
        server.answers()
        expect(code).to_have_value("ABCD-EFGH")
        expect(name).to_be_focused()
        expect(name).to_have_value(typed)
