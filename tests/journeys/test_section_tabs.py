"""The second level of navigation: the same tabs in the same place on every page of a section."""

from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.core.prize_plan import Prize, PrizePlan
from scoring.services.prizes import set_prize_plan
from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.access import violations
from tests.journeys.evening import bring_session
from tournaments.models import Membership, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

SECTIONS = {
    "Anmeldung": {
        "Anmelden": "door:desk",
        "Wer fehlt?": "door:roll_call",
        "Liste einlesen": "door:import_list",
        "Kassenbuch": "door:cash",
        "Kassen": "door:desks",
        "Voranmeldung": "organiser:sign_ups",
    },
    "Rangliste": {
        "Stand": "organiser:standings",
        "Preisplan": "organiser:prize_plan",
        "Wer was bekommt": "organiser:prize_list",
        "Bilder": "organiser:pictures",
    },
    "Einstellungen": {
        "Der Abend": "organiser:settings",
        "Beiträge": "organiser:fees",
        "Wer darf mitarbeiten?": "organiser:members",
    },
}


@pytest.fixture
def tournament(page: Page) -> Tournament:
    """Create a round in play with a prize plan, and log an organiser in."""
    tournament: Tournament = TournamentFactory.create(slug=f"reiter-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(10, tournament=tournament)
    set_prize_plan(tournament, PrizePlan(prizes=(Prize(kind="last", cents=500),)))
    a_round(tournament)
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=Membership.Role.ORGANISER)
    bring_session(page, user)
    return tournament


@pytest.mark.parametrize("section", SECTIONS)
def test_tabs_stand_in_one_place_and_say_which_page_is_open(
    page: Page, tournament: Tournament, section: str
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    tabs = page.get_by_role("navigation", name="In diesem Bereich")
    places = set()
    for label, name in SECTIONS[section].items():
        page.goto(reverse(name, args=[tournament.slug]))
        expect(tabs.get_by_role("link")).to_have_text(list(SECTIONS[section]))
        expect(tabs.locator("[aria-current=page]")).to_have_text([label])
        expect(page.locator(".nav [aria-current=page]")).to_have_text([section])
        expect(page.get_by_role("link", name="0/2 fertig")).to_be_visible()
        box = tabs.bounding_box()
        assert box
        places.add((box["x"], box["y"], box["height"]))
    assert len(places) == 1
    assert violations(page) == []
    page.get_by_role("link", name="0/2 fertig").click()
    expect(page.get_by_role("heading", name="1. Spielrunde", exact=True)).to_be_visible()


def test_the_account_is_named_whole_on_a_phone(page: Page, tournament: Tournament) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(reverse("organiser:overview", args=[tournament.slug]))
    account = page.locator(".topbar__account")
    expect(page.locator(".strip__line")).to_be_visible()
    assert account.evaluate("(menu) => menu.offsetWidth") <= 64
    name = account.locator("summary").inner_text().strip()
    account.locator("summary").click()
    said = account.locator(".menu__body").evaluate("(menu) => getComputedStyle(menu, '::before').content")
    assert (said, page.evaluate("document.documentElement.scrollWidth")) == (f'"{name}"', 320)
