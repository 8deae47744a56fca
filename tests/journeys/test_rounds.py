"""The organiser's laptop in a real browser: type in from paper, accept, close, view the standings."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.queries.standings import current_standings
from scoring.services.sheets import write
from tests.factories import AT
from tests.scoring.pages import Staff
from tournaments.models import Round

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def desk(committed: None) -> Staff:
    """Create an organiser with sixteen players who are seated: a table of six and two of five."""
    desk = Staff(16)
    desk.draw()
    return desk


@pytest.fixture
def laptop(lent_page: Page, live_url: str, desk: Staff) -> Page:
    lent_page.set_viewport_size({"width": 1366, "height": 768})
    session = desk.client.cookies["sessionid"].value
    lent_page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    return lent_page


def line_of(page: Page, table: int) -> Any:
    return page.get_by_label(f"Tisch {table}: Ränge und Striche")


def test_a_round_from_the_seats_to_the_standings(laptop: Page, desk: Staff) -> None:
    page = laptop
    page.goto(desk.url("round", 1))

    # typed in from paper: the focus moves from line to line by itself
    page.get_by_role("link", name="Papierblätter eintippen").click()
    page.wait_for_url("**/paper/")  # with the script that looks at what is typed
    expect(line_of(page, 1)).to_be_focused()
    page.keyboard.type("123456 100000")
    expect(page.locator("#paper-said-1 li").first).to_contain_text("6 Punkte")
    page.keyboard.press("Enter")
    expect(line_of(page, 2)).to_be_focused()
    page.keyboard.type("11345 0")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Es kann nur einen Sieger geben.").first).to_be_visible()
    # The response to Enter, not to the typing.
    expect(line_of(page, 2)).to_have_attribute("aria-invalid", "true")
    expect(line_of(page, 2)).to_have_value("11345 0")
    expect(line_of(page, 2)).to_be_focused()
    line_of(page, 2).fill("12345 02000")
    page.keyboard.press("Enter")
    expect(line_of(page, 3)).to_be_focused()
    # The cursor goes on before the answer is there, and the answer moves the link below.
    expect(page.locator("#paper-2[data-saved]")).to_be_visible()

    # the third table submits by phone; the table monitor updates, and one tap accepts the sheet
    page.get_by_role("link", name="Zu den Tischen").click()
    expect(page.get_by_text("2 von 3 Tischlisten angenommen")).to_be_visible()
    ranks = {"ranks": {str(seat): seat for seat in range(1, 6)}}
    write(desk.table(3), [("ranked", ranks), ("submitted", {})], by="tisch", at=AT)
    page.get_by_role("button", name="Annehmen", exact=True).click()
    expect(page.get_by_text("3 von 3 Tischlisten angenommen")).to_be_visible()

    # closed, and the standings are right
    page.reload()
    page.get_by_role("button", name="1. Spielrunde abschließen").click()
    expect(page.get_by_role("link", name="2. Spielrunde auslosen …")).to_be_visible()
    assert Round.objects.get(tournament=desk.tournament).state == "closed"
    page.get_by_role("link", name="Rangliste").click()
    expect(page.locator("tbody th")).to_have_text(
        [row.name for row in current_standings(desk.tournament).rows]
    )


def test_the_board_keeps_quiet_while_nothing_changes(laptop: Page, desk: Staff) -> None:
    page = laptop
    page.goto(desk.url("round", 1))
    with page.expect_response(lambda answer: "/board/" in answer.url) as poll:
        pass
    assert poll.value.status == 204
    write(desk.table(1), [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="tisch", at=AT)
    expect(page.locator("#table-1 .badge")).to_have_text("wird gespielt")
