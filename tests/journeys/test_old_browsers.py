"""A browser without `:has()`: attributes take its place, and follow what is chosen and what appears."""

import pytest
from playwright.sync_api import Route, expect

from tests.factories import TournamentFactory
from tests.journeys.evening import NewPage

pytestmark = pytest.mark.usefixtures("committed")

GREEN = "rgb(223, 238, 218)"


def test_what_is_chosen_is_seen_without_has(new_page: NewPage) -> None:
    """The styles come without the rules that an old browser drops; the script, believing that it is in one, sets the others."""
    page = new_page({"color_scheme": "light", "viewport": {"width": 360, "height": 740}})

    def without_has(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(":has(", ":unknown("))

    page.route("**/css/*.css", without_has)
    page.add_init_script('CSS.supports = (condition) => condition !== "selector(:has(a))"')
    page.goto(f"/t/{TournamentFactory.create().slug}/hand/")
    card = page.locator(".pick").first
    expect(card).not_to_have_css("background-color", GREEN)
    card.click()
    expect(card).to_have_css("background-color", GREEN)
    expect(page.locator('.hand-deck[data-hand="2"]')).to_be_hidden()
    page.get_by_label("2. Hand").check()
    expect(page.locator('.hand-deck[data-hand="2"]')).to_be_visible()
    expect(card).to_be_hidden()
