"""People press twice, and go back: in a real browser, nothing happens twice, and to nobody else."""

from datetime import date
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory
from tests.journeys.evening import bring_session
from tournaments.models import Payment, Tournament

pytestmark = pytest.mark.usefixtures("committed")

PAUSES = (10, 60, 150, 250, 400)
"""Milliseconds between two presses."""


def press_twice(page: Page, button: Locator, pause: int) -> None:
    """Press twice at one place of the screen, whatever stands there the second time."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(pause)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture
def tournament() -> Tournament:
    organiser = UserFactory.create(username=f"veranstalter-{uuid4()}")
    return TournamentFactory.create(slug=f"zweimal-{uuid4()}", owner=organiser)


@pytest.fixture
def organiser_page(shared_page: Page, tournament: Tournament) -> Page:
    organiser = tournament.memberships.select_related("user").get().user
    bring_session(shared_page, organiser)
    return shared_page


@pytest.mark.parametrize("pause", PAUSES)
def test_a_double_click_at_the_door_lets_in_one_person(
    organiser_page: Page, tournament: Tournament, pause: int
) -> None:
    """The row leaves the list of the announced, and the next one slides under the pointer."""
    ParticipantFactory.create_batch(6, tournament=tournament, presence="announced")
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/door/?only=announced")
    press_twice(page, page.locator("#door-list .actions button").first, pause)
    expect(page.locator("#door-list .actions")).to_have_count(5)
    page.wait_for_timeout(300)  # an answer to a second press would be here
    assert tournament.participants.filter(presence="present").count() == 1
    assert Payment.objects.filter(participant__tournament=tournament).count() == 1


@pytest.mark.parametrize("pause", PAUSES)
def test_a_double_click_makes_one_tournament(
    organiser_page: Page, tournament: Tournament, pause: int
) -> None:
    page = organiser_page
    name = f"Herbst {uuid4().hex[:8]}"
    page.goto("/o/+/")
    page.locator("#id_name").fill(name)
    page.locator("#id_played_on").fill(f"{date(2026, 11, 28):%d.%m.%Y}")
    press_twice(page, page.locator("main button[type=submit]").last, pause)
    expect(page).not_to_have_url("/o/+/")
    expect(page.locator("main")).not_to_contain_text("Noch nicht gespeichert")
    assert Tournament.objects.filter(name=name).count() == 1


def test_after_back_the_form_lives_again_and_a_new_line_is_sent(
    organiser_page: Page, tournament: Tournament
) -> None:
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/settings/")
    field = page.locator("#id_place")
    for place in ("Krone", "Linde"):
        field.fill(place)
        field.press("Enter")
        expect(page.locator("#messages")).to_be_visible()
        page.go_back()
    tournament.refresh_from_db()
    assert tournament.place == "Linde"


def test_without_a_script_the_same_form_sent_again_changes_nothing(
    browser: Browser, browser_context_args: dict[str, str], tournament: Tournament
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    bring_session(page, tournament.memberships.select_related("user").get().user)
    page.goto(f"/o/{tournament.slug}/door/")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    page.locator("#id_name").fill("Spieler Eins")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Spieler Eins")
    again = context.request.post(
        sent[0].url,
        data=sent[0].post_data_buffer,
        headers={"Content-Type": sent[0].headers["content-type"], "Referer": page.url},
    )
    assert "Spieler Eins" in again.text()
    assert tournament.participants.count() == 1
    context.close()
