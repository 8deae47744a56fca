"""The search of every page: by keys alone, and without script."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.access import violations_in_all_colours
from tests.journeys.evening import LAPTOP, bring_session
from tests.labels import SEARCH
from tournaments.models import Membership, Participant, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")


@pytest.fixture
def tournament(committed: None) -> Tournament:
    tournament: Tournament = TournamentFactory.create(slug=f"suche-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_round(tournament)
    Participant.objects.filter(tournament=tournament, start_number=7).update(name="Sepp Hübner", club="")
    return tournament


def open_page(page: Page, tournament: Tournament, name: str, role: str = "organiser") -> Page:
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=role)
    bring_session(page, user)
    page.goto(reverse(name, args=[tournament.slug]))
    return page


@pytest.mark.parametrize("key", ["Control+k", "/"])
def test_the_search_is_opened_read_and_left_by_keys(page: Page, tournament: Tournament, key: str) -> None:
    page.set_viewport_size(LAPTOP["viewport"])
    open_page(page, tournament, "organiser:standings")
    dialog = page.get_by_role("dialog", name=SEARCH)
    page.keyboard.press(key)
    expect(dialog.get_by_label("Spieler, Tisch oder Seite")).to_be_focused()
    page.keyboard.type("2")
    expect(dialog.get_by_role("link")).to_have_count(2)
    assert violations_in_all_colours(page) == {}
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("link", name="Tisch 2")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(dialog.get_by_label("Spieler, Tisch oder Seite")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press(key)
    page.keyboard.press("Control+a")
    page.keyboard.type("hueb")
    expect(dialog.get_by_role("link")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sepp Hübner")).to_be_visible()


def test_a_slash_in_a_field_is_a_slash(page: Page, tournament: Tournament) -> None:
    open_page(page, tournament, "door:desk", role="cashier")
    page.locator("#id_name").press("/")
    expect(page.locator("#id_name")).to_have_value("/")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name=SEARCH)).to_be_visible()


def test_without_script_the_search_is_a_page(
    browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    page = open_page(context.new_page(), tournament, "organiser:standings")
    page.get_by_role("link", name=SEARCH).click()
    page.get_by_label("Spieler, Tisch oder Seite").fill("hueb")
    page.get_by_role("button", name=SEARCH).click()
    page.get_by_role("link", name="Sepp Hübner").click()
    expect(page.get_by_role("heading", name="Sepp Hübner")).to_be_visible()
    context.close()
