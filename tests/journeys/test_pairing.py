"""Pairing of screens in a real browser: a TV with a code, the organiser's own browser, the end of a pairing."""

import os
import re

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from scoring.queries.screens import SentScene
from scoring.services import screens
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round
from tests.journeys.access import violations
from tests.journeys.evening import LAPTOP, WALL, NewPage, bring_session
from tests.journeys.test_hall import check_legible
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

NAME = "Zita Rosenmüller"


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    slug = "verbinden-" + re.sub(r"[^a-z]+", "-", request.node.name.lower())[:50]
    made: Tournament = TournamentFactory.create(
        slug=slug, names="number", owner=UserFactory.create(username=slug)
    )
    ParticipantFactory.create(tournament=made, name=NAME)
    ParticipantFactory.create_batch(11, tournament=made)
    a_played_round(made)
    return made


def organiser(page: Page, tournament: Tournament) -> Page:
    bring_session(page, tournament.memberships.get().user)
    page.goto(f"/o/{tournament.slug}/screens/")
    return page


def picture(page: Page, name: str) -> None:
    """Save a screenshot if SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page="organiser" in name)


def test_a_tv_shows_a_code_and_is_paired_until_the_organiser_ends_it(
    new_page: NewPage, tournament: Tournament
) -> None:
    tv = new_page(WALL)
    tv.goto(f"/t/{tournament.slug}/screen/")
    code = tv.locator("#pairing b")
    expect(code).to_have_text(re.compile(r"^\d{3} \d{3}$"))
    expect(tv.locator("#screen")).not_to_contain_text(NAME)
    check_legible(tv)
    assert violations(tv) == []
    picture(tv, "pairing-wall-unpaired")
    shown = code.inner_text()
    tv.reload()
    expect(code).to_have_text(shown)

    desk = organiser(new_page(LAPTOP), tournament)
    desk.get_by_label("Code auf dem Bildschirm").fill("000 00")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Diesen Code zeigt gerade keine Leinwand.")).to_be_visible()
    desk.get_by_label("Code auf dem Bildschirm").fill(shown)
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Leinwand 1 ist verbunden.")).to_be_visible()
    expect(tv.locator("#screen")).to_contain_text(NAME)
    expect(tv.locator("body")).to_have_attribute("data-stream", "open")
    expect(code).to_have_count(0)
    picture(tv, "pairing-wall-paired")
    tv.reload()
    expect(tv.locator("#screen")).to_contain_text(NAME)
    screens.set_scene(tournament, [1], SentScene("announcement", text="Pause"), by="x", at=AT)
    expect(tv.locator(".wall-huge:visible")).to_have_text("Pause")
    screens.set_scene(tournament, [1], SentScene(), by="x", at=AT)
    expect(tv.locator("#screen")).to_contain_text(NAME)

    expect(desk.locator(".screens").nth(1).get_by_text("geöffnet", exact=True)).to_be_visible()
    assert violations(desk) == []
    for width, height in ((1366, 768), (1024, 768), (360, 740)):
        desk.set_viewport_size({"width": width, "height": height})
        assert desk.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        picture(desk, f"pairing-organiser-{width}")
    desk.get_by_role("button", name="Trennen").click()
    expect(desk.get_by_text("Die Verbindung ist getrennt.")).to_be_visible()
    expect(tv.locator("#screen")).not_to_contain_text(NAME)
    expect(code).not_to_have_text(shown)


def test_a_screen_is_opened_in_the_organisers_own_browser_and_one_is_paired_without_script(
    new_page: NewPage, tournament: Tournament
) -> None:
    desk = organiser(new_page(LAPTOP), tournament)
    expect(desk.get_by_text("Keiner. Wer die Leinwand jetzt öffnet")).to_be_visible()
    wall = desk.context.new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("#screen")).to_contain_text(NAME)
    expect(wall.locator("#pairing")).to_have_count(0)
    expect(desk.get_by_role("button", name="Trennen")).to_be_visible()

    tv = new_page({**WALL, "java_script_enabled": False})
    tv.goto(f"/t/{tournament.slug}/screen/2/")
    tv.get_by_role("button", name="Bildschirm verbinden").click()
    expect(tv).to_have_url(re.compile("/screen/2/$"))
    shown = tv.locator("#pairing b").inner_text()
    desk.get_by_label("Code auf dem Bildschirm").fill(shown)
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Leinwand 2 ist verbunden.")).to_be_visible()
    paired = tv.context.new_page()  # not by reloading: a page without script does that itself, at any moment
    paired.goto(tv.url)
    expect(paired.locator("#screen")).to_contain_text(NAME)

    desk.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    wall.reload()
    expect(wall.locator("#screen")).to_contain_text(NAME)
