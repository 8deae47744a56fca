"""After a plain form the page stands where it was left, with the focus on what the answer says."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.core.prize_plan import PrizePlan
from scoring.services.prizes import set_prize_plan
from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.access import violations
from tests.journeys.evening import bring_session
from tests.labels import SAVE
from tests.scoring.prize_giving import PLAN
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed")

PAGES = {
    "settings": ("organiser:settings", (), SAVE),
    "fees": ("organiser:fees", (), SAVE),
    "prize plan": ("organiser:prize_plan", (), SAVE),
    "a player": ("door:person", (1,), "Hat bezahlt"),
}


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    shared_page.set_viewport_size({"width": 360, "height": 480})
    yield shared_page
    shared_page.set_viewport_size({"width": 1280, "height": 720})


@pytest.fixture
def tournament(page: Page) -> Tournament:
    organiser = UserFactory.create(username=f"veranstalter-{uuid4()}")
    tournament: Tournament = TournamentFactory.create(slug=f"bleibt-{uuid4()}", owner=organiser)
    ParticipantFactory.create_batch(6, tournament=tournament)
    set_prize_plan(tournament, PrizePlan.from_dict(PLAN))
    a_round(tournament)
    bring_session(page, organiser)
    return tournament


def top_of_content(page: Page) -> float:
    box = page.locator("main h1").bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(("name", "more", "button"), PAGES.values(), ids=PAGES)
def test_a_page_is_where_it_was_and_says_what_happened(
    page: Page, tournament: Tournament, name: str, more: tuple[int, ...], button: str
) -> None:
    page.goto(reverse(name, args=[tournament.slug, *more]))
    page.get_by_role("button", name=button).last.focus()
    assert page.evaluate("scrollY") > 100
    left = top_of_content(page)
    page.keyboard.press("Enter")
    said = page.locator("#messages")
    expect(said).to_be_focused()
    assert top_of_content(page) == pytest.approx(left, abs=50)
    expect(said.locator(".notice")).to_be_in_viewport(ratio=1)
    assert violations(page) == []


def test_what_is_refused_above_a_form_is_in_sight(page: Page, tournament: Tournament) -> None:
    page.goto(reverse("organiser:prize_plan", args=[tournament.slug]))
    page.get_by_role("button", name=SAVE).last.focus()
    assert page.evaluate("scrollY") > 100
    set_prize_plan(tournament, PrizePlan.from_dict({**PLAN, "rounding_cents": 100}))
    page.keyboard.press("Enter")
    expect(page.locator("main form .notice[role=alert]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("pause", [60, 250, 400])
def test_the_second_press_of_two_leaves_what_happened_in_sight(
    page: Page, tournament: Tournament, pause: int
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(reverse("organiser:settings", args=[tournament.slug]))
    page.evaluate("scrollTo(0, 900)")
    box = page.get_by_role("button", name=SAVE).bounding_box()
    assert box is not None
    for _ in range(2):
        page.mouse.click(box["x"] + 20, box["y"] + 10)
        page.wait_for_timeout(pause)
    said = page.locator("#messages")
    expect(said).to_be_focused()
    expect(said.locator(".notice")).to_be_in_viewport(ratio=1)


def test_another_page_that_begins_with_a_field_keeps_the_focus_there(
    page: Page, tournament: Tournament
) -> None:
    page.goto(reverse("door:person", args=[tournament.slug, 1]))
    page.get_by_role("button", name=SAVE).last.press("Enter")
    expect(page.locator("#messages .notice")).to_be_visible()
    expect(page.locator("#id_name")).to_be_focused()
