"""The hall's code on the wall: a paired screen shows the one of now, renews it, and stops with the first round."""

import os
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django import Settings

from scoring.queries.screens import SentScene
from scoring.screen_cookie import COOKIE
from scoring.services import screens
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.journeys.access import violations
from tests.journeys.test_hall import check_legible
from tests.scoring.paired import paired_client, pairing_cookie
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.hall_codes import LASTS, hall_code
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

NewWall = Callable[..., Page]
CODE = ".wall-sign-up__code"


@pytest.fixture
def tournament(committed: None) -> Tournament:
    made = TournamentFactory.create(slug=f"saalcode-{uuid4().hex[:8]}", names="short")
    ParticipantFactory.create_batch(11, tournament=made)
    return opened(made)


@pytest.fixture
def new_wall(
    browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament
) -> Iterator[NewWall]:
    """Return a function that opens the screen in a browser of its own."""
    contexts: list[BrowserContext] = []

    def start(*, is_paired: bool = True, answer: str = "") -> Page:
        size = {"width": 1920, "height": 1080}
        contexts.append(browser.new_context(**{**browser_context_args, "viewport": size}))
        if is_paired:
            value, path = pairing_cookie(tournament), f"/t/{tournament.slug}/"
            contexts[-1].add_cookies([{"name": COOKIE, "value": value, "domain": "127.0.0.1", "path": path}])
        wall = contexts[-1].new_page()
        if answer:
            wall.route(
                "**/screen/hall-code/", lambda route: route.fulfill(body=answer, content_type="text/html")
            )
        wall.goto(f"/t/{tournament.slug}/screen/")
        return wall

    yield start
    for context in contexts:
        context.close()


def codes_of_now(tournament: Tournament) -> list[str]:
    """Return the code of now and the one before it, which the screen may show for half a minute longer."""
    now = timezone.now()
    return [hall_code(tournament, now - LASTS), hall_code(tournament, now)]


def shown(wall: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        wall.screenshot(path=f"{folder}/{name}.png")


@pytest.mark.parametrize(
    "password", ["", "Eichel-Ober-zahlt-alles-7", "Schnauz und Feuer " * 3 + "und Spitz"]
)
def test_the_code_is_legible_from_far_away(
    tournament: Tournament, new_wall: NewWall, settings: Settings, password: str
) -> None:
    settings.PUBLIC_URL = (
        "https://turnier.example.org"  # the server of the tests has one that no phone reaches
    )
    answer = paired_client(tournament).get(f"/t/{tournament.slug}/screen/hall-code/").content.decode()
    network = "Gasthaus zum Eichel-Ober, Markt" if password else ""
    scene = SentScene("welcome", network=network, password=password)
    screens.set_scene(tournament, [1], scene, by="x", at=AT)
    wall = new_wall(answer=answer)
    expect(wall.get_by_text("Mitspielen? Code scannen")).to_be_visible()
    assert wall.locator(CODE).inner_text() in codes_of_now(tournament)
    for width, height in ((1920, 1080), (1280, 720)):
        wall.set_viewport_size({"width": width, "height": height})
        box = wall.locator(CODE).bounding_box()
        assert box
        assert box["height"] * 0.7 >= 120 * height / 1080, "capitals are 0.7 of the line"
        if height == 1080:
            check_legible(wall)
        shown(wall, f"hall-code-{width}-{len(password)}")
        assert violations(wall) == [], f"{width} × {height}"


def test_a_screen_that_is_not_paired_leads_to_the_form_without_a_code(
    tournament: Tournament, new_wall: NewWall
) -> None:
    wall = new_wall(is_paired=False)
    expect(wall.locator(".wall-sign-up svg")).to_be_visible()
    expect(wall.locator(CODE)).to_have_count(0)
    expect(wall.locator("[data-hall-code]")).to_have_count(0)
    check_legible(wall)
    shown(wall, "hall-code-unpaired")


def test_the_screen_renews_the_code_by_itself_and_keeps_it_when_the_scene_changes(
    tournament: Tournament, new_wall: NewWall
) -> None:
    wall = new_wall()
    expect(wall.locator(CODE)).to_be_visible()
    with wall.expect_response("**/screen/hall-code/"):
        wall.evaluate("document.querySelector('.wall-sign-up__code').textContent = 'OLD'")
        wall.evaluate("const now = performance.now; performance.now = () => now.call(performance) + 60_000")
    expect(wall.locator(CODE)).not_to_have_text("OLD")
    assert wall.locator(CODE).inner_text() in codes_of_now(tournament)
    ParticipantFactory.create(tournament=tournament)
    screens.set_scene(tournament, [1], SentScene("welcome"), by="x", at=AT)
    expect(wall.get_by_text("12 Spieler sind angemeldet")).to_be_visible()
    expect(wall.locator(CODE)).to_be_visible()


def test_the_code_goes_when_the_organiser_closes_the_sign_ups_or_releases_the_tables(
    tournament: Tournament, new_wall: NewWall
) -> None:
    wall = new_wall()
    expect(wall.locator(CODE)).to_be_visible()
    opened(tournament, is_open=False)
    expect(wall.get_by_text("Herzlich willkommen!")).to_be_visible()
    expect(wall.locator(".wall-sign-up")).to_have_count(0)
    opened(tournament)
    expect(wall.locator(CODE)).to_be_visible()
    a_round(tournament)
    screens.set_scene(tournament, [1], SentScene(), by="x", at=AT)
    expect(wall.locator(".wall-page:visible")).to_have_attribute("data-kind", "seating")
    expect(wall.locator(".wall-sign-up")).to_have_count(0)
