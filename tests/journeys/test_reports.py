"""A report from the hall: its state reaches the phone that sent it, by itself."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.evening import NewPage, bring_session
from tournaments.models import Membership, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")


@pytest.fixture
def tournament(committed: None) -> Tournament:
    """Create a round in play, and its organiser "chefin"."""
    made: Tournament = TournamentFactory.create(slug=f"meldung-{uuid4().hex[:12]}")
    ParticipantFactory.create_batch(5, tournament=made)
    Membership.objects.create(
        tournament=made, user=UserFactory.create(username="chefin"), role=Membership.Role.ORGANISER
    )
    a_round(made)
    return made


def report(phone: Page, tournament: Tournament, note: str) -> None:
    phone.goto(f"/t/{tournament.slug}/rounds/1/tables/1/")
    phone.get_by_text("Das stimmt nicht").click()
    phone.get_by_label("Was stimmt nicht?").fill(note)
    phone.get_by_role("button", name="Melden").click()
    expect(phone.get_by_text("Die Spielleitung sieht es jetzt")).to_be_visible()
    phone.get_by_role("link", name="Meine Meldungen").click()
    expect(phone.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")


def test_each_state_reaches_the_phone_that_reported_and_no_other(
    new_page: NewPage, tournament: Tournament
) -> None:
    size = {"viewport": {"width": 320, "height": 640}}
    mine, other, desk = new_page(size), new_page(size), new_page({})
    report(mine, tournament, "Mein Strich fehlt")
    report(other, tournament, "Rang falsch")
    for phone in (mine, other):
        expect(phone.locator("#reports .badge")).to_have_text("gemeldet")
    bring_session(desk, User.objects.get(username="chefin"))
    desk.goto(f"/o/{tournament.slug}/flags/")
    card = desk.locator("section.card").filter(has_text="Mein Strich fehlt")
    card.get_by_role("button", name="Ich sehe nach").click()
    expect(card).to_contain_text("chefin sieht nach, seit")
    expect(mine.locator("#reports .badge")).to_have_text("wird angesehen")
    card.get_by_label("Was ist daraus geworden?").fill("Nachgetragen")
    card.get_by_role("button", name="Erledigt").click()
    expect(mine.locator("#reports .badge")).to_have_text("erledigt")
    expect(mine.locator("#reports")).to_contain_text("„Nachgetragen“")
    expect(mine.locator("#reports")).not_to_contain_text("chefin")
    expect(other.locator("#reports .badge")).to_have_text("gemeldet")
