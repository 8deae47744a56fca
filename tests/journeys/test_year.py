"""The year's standing in the browser: it follows an evening that goes on, and those who have qualified come to the final."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoring.models import Series
from scoring.queries.screens import SentScene
from scoring.screen_cookie import COOKIE
from scoring.services import screens
from scoring.services.standings import freeze, release
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_paper_sheet, a_round
from tests.journeys.access import violations, violations_in_all_colours
from tests.journeys.evening import LAPTOP, bring_session
from tests.journeys.test_hall import LONG_NAMES, check_legible
from tests.scoring.organiser.test_series import PEOPLE, evening, series_of
from tests.scoring.paired import pairing_cookie
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")


@pytest.fixture(autouse=True)
def no_series(committed: None) -> None:
    Series.objects.all().delete()


@pytest.fixture
def owner(committed: None) -> User:
    owner: User = UserFactory.create(is_superuser=True)
    return owner


def test_the_year_follows_the_evening_without_being_loaded_anew(page: Page) -> None:
    tonight = TournamentFactory.create(name="Heute", played_on=timezone.localdate(), names="full")
    ParticipantFactory.create_batch(10, tournament=tonight)
    a_round(tonight)
    series_of(evening("Früher", *PEOPLE), tonight, planned=9)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/series/jahr/")
    expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")
    page.evaluate("self.isSamePage = true")
    expect(page.get_by_role("heading", name="Stand", exact=True)).to_be_visible()
    first, second = Table.objects.filter(round__tournament=tonight).order_by("number")
    a_paper_sheet(first)
    expect(page.get_by_role("heading", name="Wenn es jetzt aus wäre")).to_be_visible()
    expect(page.get_by_text("„Heute“ läuft noch")).to_be_visible()
    expect(page.locator(".series tbody tr")).to_have_count(10)
    freeze(tonight, by="leitung", at=AT)
    expect(page.get_by_text("als die Rangliste angehalten wurde")).to_be_visible()
    a_paper_sheet(second)
    release(tonight, by="leitung", at=AT)
    expect(page.locator(".series tbody tr")).to_have_count(15)
    assert violations_in_all_colours(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate("self.isSamePage")


def test_the_final_is_set_up_with_those_who_have_qualified(page: Page, owner: User) -> None:
    past = [evening(name, *PEOPLE, owner=owner) for name in ("Erster", "Zweiter")]
    series_of(*past, rule="cup-with-final")
    page.set_viewport_size(LAPTOP["viewport"])
    bring_session(page, owner)
    page.goto("/o/+/series/")
    page.get_by_role("link", name="Jahr 2026").click()
    page.get_by_role("link", name="Finale anlegen").click()
    expect(page.get_by_role("heading", name="5 Spieler werden vorgemerkt")).to_be_visible()
    page.wait_for_load_state()
    assert violations_in_all_colours(page) == {}
    page.get_by_role("button", name="Finale anlegen").click()
    expect(page.get_by_text("„Finale Jahr 2026“ ist angelegt.")).to_be_visible()
    for name in PEOPLE:
        expect(page.get_by_text(name.partition("/")[0]).first).to_be_visible()
    final = Tournament.objects.get(name="Finale Jahr 2026")
    assert set(final.participants.values_list("presence", flat=True)) == {"announced"}


def test_the_year_on_the_wall_is_legible_from_far_away(page: Page) -> None:
    tonight = TournamentFactory.create(slug="wand", name="Heute", names="full")
    for name in (*LONG_NAMES, *PEOPLE):
        ParticipantFactory.create(tournament=tonight, name=name.partition("/")[0])
    tables = a_round(tonight).tables.all()
    for table in tables:
        a_paper_sheet(table)
    series_of(evening("Früher", *PEOPLE), tonight, planned=9)
    screens.set_scene(tonight, (1,), SentScene("series"), by="x", at=AT)
    page.set_viewport_size({"width": 1920, "height": 1080})
    cookie: Any = {
        "name": COOKIE,
        "value": pairing_cookie(tonight),
        "domain": "127.0.0.1",
        "path": "/t/wand/",
    }
    page.context.add_cookies([cookie])
    page.goto("/t/wand/screen/")
    shown = page.locator(".wall-page[data-kind=series]")
    expect(shown.first).to_be_visible()
    expect(shown.first.get_by_role("heading")).to_have_text("Jahr 2026, wenn es jetzt aus wäre")
    assert violations(page) == []
    for _ in range(shown.count()):
        check_legible(page)
        page.keyboard.press("ArrowRight")
