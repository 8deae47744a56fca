"""The comparison of two hands on a phone."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.factories import TournamentFactory
from tests.journeys.access import COLOURS, violations
from tests.journeys.held import SlowServer
from tests.journeys.phones import NewPhone
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "live_url", "without_worker")

SMALL_PHONE: dict[str, Any] = {
    "viewport": {"width": 320, "height": 700},
    "has_touch": True,
    "is_mobile": True,
}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Open]:
    contexts: list[BrowserContext] = []

    def opened(address: str, **device: Any) -> Page:
        context = browser.new_context(**{**browser_context_args, **device})
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


def under(sheet: str) -> Tournament:
    return TournamentFactory.create(
        slug=f"hand-{uuid4()}", name="Preisschnauzen im Wirtshaus", ruleset=preset(sheet).to_dict()
    )


def pick(page: Page, hand: int, *names: str) -> None:
    for name in names:
        page.get_by_role("group", name=f"{hand}. Hand").get_by_role("checkbox", name=name, exact=True).check()


def answer(page: Page) -> Locator:
    return page.locator("#hand-answer")


def test_an_argument_is_settled_with_a_few_taps(open_page: Open) -> None:
    page = open_page(f"/t/{under('schnauz-placing').slug}/", **SMALL_PHONE)
    page.get_by_role("link", name="Was zählt meine Hand?").tap()
    page.wait_for_url("**/hand/")  # with its scripts
    pick(page, 1, "Herz-König", "Schellen-König")
    expect(answer(page)).to_contain_text("noch 1 Karte")
    pick(page, 1, "Gras-König")
    expect(answer(page)).to_contain_text("Spitz 30½ Punkte")
    page.get_by_role("link", name="Mit 2. Hand vergleichen").tap()
    page.wait_for_url("**/hand/?hand=2&*")
    expect(page.get_by_role("group", name="1. Hand")).to_be_hidden()
    tabs, found = page.locator(".app-tabs").bounding_box(), answer(page).bounding_box()
    assert tabs is not None
    assert found is not None
    assert found["y"] + found["height"] <= tabs["y"]
    pick(page, 2, "Herz-Ass", "Herz-Ober", "Herz-10")
    expect(answer(page)).to_contain_text("Die 2. Hand ist besser. 31 Punkte sind mehr als 30½.")
    expect(answer(page)).to_be_in_viewport()
    page.reload()
    expect(answer(page)).to_contain_text("Die 2. Hand ist besser.")
    page.get_by_role("link", name="Neu anfangen").tap()
    expect(answer(page)).to_contain_text("Drei Karten antippen")


def test_cards_picked_before_the_script_is_there_are_answered_once_it_is(open_page: Open) -> None:
    page = open_page("/healthz", **SMALL_PHONE)
    script = SlowServer(page, "**/htmx-2*.js")
    page.goto(f"/t/{under('schnauz-placing').slug}/hand/", wait_until="commit")
    script.has(1)
    pick(page, 1, "Herz-König", "Schellen-König", "Gras-König")
    expect(answer(page)).to_contain_text("Drei Karten antippen")
    script.answers()
    expect(answer(page)).to_contain_text("Spitz 30½ Punkte")


def test_an_impossible_pick_is_said_and_can_be_put_right(open_page: Open) -> None:
    page = open_page(f"/t/{under('konradsreuth').slug}/hand/", **SMALL_PHONE)
    pick(page, 1, "Herz-Ass", "Herz-König", "Herz-Unter", "Gras-9")
    expect(answer(page)).to_contain_text("Eine Hand hat genau drei Karten, hier sind es 4.")
    page.get_by_role("checkbox", name="Gras-9").uncheck()
    expect(answer(page)).to_contain_text("Kein Schnauz: der ist nur Ass, König und 10 einer Farbe.")
    page.get_by_role("radio", name="2. Hand").check()
    pick(page, 2, "Herz-Ass")
    expect(answer(page)).to_contain_text("Herz-Ass ist zweimal dabei, und jede Karte gibt es nur einmal.")
    page.get_by_role("group", name="2. Hand").get_by_role("checkbox", name="Herz-Ass").uncheck()
    expect(answer(page)).to_contain_text("31 Punkte")


def test_without_script_a_button_asks_and_the_page_answers(open_page: Open) -> None:
    page = open_page(f"/t/{under('fce').slug}/hand/", **SMALL_PHONE, java_script_enabled=False)
    pick(page, 1, "Kreuz-Ass", "Herz-Ass", "Karo-Ass")
    page.get_by_role("button", name="Was zählt das?").tap()
    expect(answer(page)).to_contain_text("Feuer 33 Punkte")
    page.get_by_role("radio", name="2. Hand").check()
    pick(page, 2, "Pik-Ass", "Pik-Dame", "Pik-Bube")
    page.get_by_role("button", name="Was zählt das?").tap()
    expect(answer(page)).to_contain_text("Die 2. Hand ist besser. 35 Punkte sind mehr als 33.")


def test_a_laptop_shows_both_hands_at_once_and_needs_no_mouse(open_page: Open) -> None:
    page = open_page(f"/t/{under('knockout').slug}/hand/", **LAPTOP)
    expect(page.get_by_role("button", name="Was zählt das?")).to_be_hidden()
    for hand, first in ((1, "Kreuz-7"), (2, "Karo-10")):
        page.get_by_role("group", name=f"{hand}. Hand").get_by_role("checkbox", name=first).focus()
        page.keyboard.press("Space")
    expect(answer(page)).to_contain_text("noch 2 Karten")
    pick(page, 1, "Herz-7", "Pik-7")
    pick(page, 2, "Herz-10", "Pik-10")
    expect(answer(page)).to_contain_text("Beide Hände sind gleich.")


HANDS = {
    "empty": "",
    "one hand": "?a=hearts-ace&a=hearts-king&a=hearts-10",
    "two hands": "?a=hearts-ace&a=hearts-king&a=hearts-10&b=bells-ace&b=acorns-9&b=leaves-9",
    "impossible": "?a=hearts-ace&a=hearts-king&a=hearts-10&b=bells-ace&b=acorns-9&b=leaves-9&b=hearts-ace",
}
SHAPES = {"phone": SMALL_PHONE["viewport"], "laptop": LAPTOP["viewport"]}


def test_axe_finds_nothing_in_light_and_dark(open_page: Open) -> None:
    """Each state of the page is looked at in both shapes and colours, under one sheet or the other."""
    page = open_page("about:blank", **SMALL_PHONE)
    found = {}
    for one, sheet in enumerate(("schnauz-placing", "fce")):
        address = f"/t/{under(sheet).slug}/hand/"
        for two, (state, hands) in enumerate(HANDS.items()):
            page.goto(f"{address}{hands}")
            for three, (shape, size) in enumerate(SHAPES.items()):
                page.set_viewport_size(size)
                colours = COLOURS[(one + two + three) % 2]
                page.emulate_media(color_scheme=colours)
                found[sheet, state, shape, colours] = violations(page)
    assert len(found) == 16
    assert {seen: rules for seen, rules in found.items() if rules} == {}


BOXES = "all => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON())"


def test_cards_are_big_enough_for_thumbs(open_page: Open) -> None:
    page = open_page("about:blank", **SMALL_PHONE)
    for sheet in ("schnauz-placing", "konradsreuth"):
        page.goto(f"/t/{under(sheet).slug}/hand/?a=hearts-ace&a=hearts-king&a=bells-10")
        boxes = page.locator(".pick, .hand-tabs label, #hand-answer a").evaluate_all(BOXES)
        assert min(min(box["width"], box["height"]) for box in boxes) >= 48, sheet
        one, beside, *_, below = page.locator(".pick").evaluate_all(BOXES)[:5]
        assert beside["x"] - one["x"] - one["width"] >= 8, sheet
        assert below["y"] - one["y"] - one["height"] >= 8, sheet
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), sheet


def test_the_phone_of_the_scribe_leads_there_without_leaving_the_sheet(new_phone: NewPhone) -> None:
    phone = new_phone()
    with phone.context.expect_page() as opened:
        phone.get_by_role("link", name="Was zählt meine Hand?").tap()
    expect(opened.value).to_have_url(re.compile(r"/t/[\w-]+/hand/$"))
    expect(opened.value.get_by_role("heading", name="Was zählt meine Hand?")).to_be_visible()
    expect(phone.get_by_role("heading", name="Tisch 1")).to_be_visible()
