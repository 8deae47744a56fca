"""The pictures in a browser: legible at every size, in both colour schemes and on paper, and left open while they are read."""

import io
from collections.abc import Iterator
from itertools import product
from typing import Any

import pdfplumber
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import labels
from tests.factories import a_paper_sheet, a_played_round, a_round
from tests.journeys.access import COLOURS, all_violations, small_targets
from tests.scoring.pages import Staff
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

LONG_NAME = "Maximiliane Hinterwimmer-Oberleitner"

TOO_SMALL = """() => [...document.querySelectorAll(".pictures *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.outerHTML)"""
OUTSIDE = """() => [...document.querySelectorAll(".picture svg *")]
  .filter((one) => !(one instanceof SVGTextElement))
  .filter((one) => {
    const [inner, outer] = [one, one.closest(".picture")].map((each) => each.getBoundingClientRect());
    return inner.left < outer.left - 1 || inner.right > outer.right + 1;
  }).map((one) => one.outerHTML)"""


@pytest.fixture
def desk() -> Staff:
    """Create a tournament with three rounds played, and names that need room."""
    desk = Staff(14)
    desk.tournament.participants.filter(start_number__lte=3).update(name=LONG_NAME)
    Tournament.objects.filter(pk=desk.tournament.pk).update(names="full")
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    a_round(desk.tournament, 3)
    return desk


@pytest.fixture
def context(
    browser: Browser, browser_context_args: dict[str, Any], live_url: str, desk: Staff
) -> Iterator[BrowserContext]:
    context = browser.new_context(**browser_context_args)
    session = desk.client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    yield context
    context.close()


def opened(page: Page) -> None:
    page.evaluate("() => document.querySelectorAll('.pictures details').forEach((one) => (one.open = true))")


def wrong(page: Page) -> list[Any]:
    """Return what is inaccessible, too small, or beyond the edge."""
    found: list[Any] = all_violations(page, "wcag2aaa")
    found += page.evaluate(TOO_SMALL) + page.evaluate(OUTSIDE)
    if page.locator(".pictures").evaluate("(one) => one.scrollWidth > one.clientWidth + 1"):
        found.append("the pictures scroll sideways")
    return found


def test_the_pictures_can_be_read_at_every_size(context: BrowserContext, desk: Staff) -> None:
    page = context.new_page()
    for address in (f"/t/{desk.tournament.slug}/?me=1", desk.url("pictures")):
        page.goto(address)
        expect(page.locator(".picture svg").first).to_be_visible()
        opened(page)
        for scheme, width in product(COLOURS, (320, 360, 1366)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 768})
            assert wrong(page) == [], (address, scheme, width)
        assert small_targets(page, ".pictures summary", 44) == []


def test_at_twice_the_text_the_pictures_stay_in_their_column(context: BrowserContext, desk: Staff) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/t/{desk.tournament.slug}/?me=1")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    opened(page)
    assert page.evaluate(OUTSIDE) == []
    assert page.locator(".pictures").evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")


def test_numbers_that_are_read_stay_open_when_the_standings_change(
    context: BrowserContext, desk: Staff
) -> None:
    page = context.new_page()
    page.goto(f"/t/{desk.tournament.slug}/?me=1")
    page.evaluate(f"localStorage.setItem('me:{desk.tournament.slug}', '1')")
    page.reload()
    race = page.get_by_role("region", name="Rang nach jeder Spielrunde")
    expect(page.locator(".race")).to_be_visible()
    page.locator("#my-race-numbers summary").click()
    expect(race.get_by_role("columnheader")).to_have_text(["Name", "1.", "2."])
    a_paper_sheet(desk.table(1, 3))
    expect(race.get_by_role("columnheader")).to_have_text(["Name", "1.", "2.", "3."])
    expect(page.locator(".race")).to_be_visible()


def test_on_paper_the_pictures_keep_their_colours(context: BrowserContext, desk: Staff) -> None:
    page = context.new_page()
    page.goto(desk.url("pictures"))
    page.emulate_media(media="print")
    expect(page.locator(".matrix")).to_be_visible()
    kept = page.locator(".picture").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).printColorAdjust)"
    )
    assert set(kept) == {"exact"}


def test_on_paper_stand_ones_own_evening_and_the_numbers_of_its_pictures(
    context: BrowserContext, desk: Staff
) -> None:
    """Nobody opens anything on paper, and nothing is pressed there. It is dark on light, also from a dark phone."""
    page = context.new_page()
    page.emulate_media(color_scheme="dark")
    page.goto(f"/t/{desk.tournament.slug}/?me=1")
    page.get_by_role("button", name="dunkel").click()
    expect(page.locator(".race")).to_be_visible()
    with pdfplumber.open(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=False))) as pdf:
        text = "\n".join(sheet.extract_text() for sheet in pdf.pages)
        ink = {
            char["non_stroking_color"] for sheet in pdf.pages for char in sheet.chars if char["text"] == "Ø"
        }
    numbers = page.locator("#my-meetings tbody th").all_text_contents()
    assert [name for name in set(numbers) if name.split()[0] not in text] == []
    assert [word for word in ("Mein Abend in Bildern", "Mit wem ich am Tisch saß") if word not in text] == []
    assert [
        word
        for word in (labels.SEARCH, "Als Zahlen", "Helligkeit", "Regeln", "Das bin nicht ich")
        if word in text
    ] == []
    assert [colour for colour in ink if min(colour) > 0.5] == []
