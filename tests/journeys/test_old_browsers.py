"""A browser without `:has()`: attributes take its place, and follow what is chosen and what appears."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.factories import TournamentFactory
from tests.journeys.evening import NewPage
from tests.journeys.phones import PHONE, all_sent, link_to
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed")

GREEN = "rgb(223, 238, 218)"
IN_PLACE_OF_HAS = 'xpath=//*[@*[starts-with(name(), "data-has-")]]'
"""What has.js has marked, once it is at work."""


def made_old(page: Page) -> None:
    """Let the styles come without the rules that an old browser drops, and the script believe that it is in one."""

    def without_has(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(":has(", ":unknown("))

    page.route("**/css/*.css", without_has)
    page.add_init_script('CSS.supports = (condition) => condition !== "selector(:has(a))"')


def test_what_is_chosen_is_seen_without_has(new_page: NewPage) -> None:
    page = new_page({"color_scheme": "light", "viewport": {"width": 360, "height": 740}})
    made_old(page)
    page.goto(f"/t/{TournamentFactory.create().slug}/hand/")
    card = page.locator(".pick").first
    expect(card).not_to_have_css("background-color", GREEN)
    card.click()
    expect(card).to_have_css("background-color", GREEN)
    expect(page.locator('.hand-deck[data-hand="2"]')).to_be_hidden()
    page.get_by_label("2. Hand").check()
    expect(page.locator('.hand-deck[data-hand="2"]')).to_be_visible()
    expect(card).to_be_hidden()


@pytest.mark.parametrize("table", [(preset("schafkopf"), 4), (preset("fce"), 6)], indirect=True)
def test_the_bar_of_the_sheet_is_as_high_without_has(new_page: NewPage, table: Table) -> None:
    heights = []
    page = new_page({**PHONE, "viewport": {"width": 360, "height": 740}, "service_workers": "block"})
    for is_old in (False, True):
        page.goto(link_to(table))
        all_sent(page)
        if is_old:
            expect(page.locator(IN_PLACE_OF_HAS)).not_to_have_count(0)
        page.wait_for_load_state("networkidle")
        heights.append(page.evaluate("document.getElementById('actions').style.minBlockSize"))
        page = page.context.new_page()  # of the same phone, which may write
        made_old(page)
    assert heights[0] == heights[1] != ""


def test_what_no_style_asks_for_is_not_watched(new_page: NewPage) -> None:
    """The wall; its control is a tab."""
    seen = []
    for path in ("screen/", "standings/"):
        page = new_page({})
        made_old(page)
        page.add_init_script(
            "window.watched = 0; MutationObserver.prototype.observe = () => { window.watched += 1; };"
        )
        with page.expect_response("**/js/has*.js"):
            page.goto(f"/t/{TournamentFactory.create().slug}/{path}", wait_until="load")
        if path == "standings/":
            expect(page.locator(IN_PLACE_OF_HAS)).not_to_have_count(0)
        page.wait_for_timeout(500)  # until has.js has begun on the wall, too
        seen.append(page.evaluate("window.watched"))
    assert seen == [0, 1]
