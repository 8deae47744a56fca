"""The prize plan while the queue stands: made from a preset, looked at, changed, and seen in the hall."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.queries.prizes import plan_of
from tests import labels
from tests.factories import AT
from tests.journeys import hands
from tests.journeys.access import violations
from tests.journeys.evening import NewPage, bring_session
from tests.scoring.pages import Staff
from tournaments.models import Payment

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def desk(committed: None) -> Staff:
    """Create nine players who have paid."""
    desk = Staff(9)
    for person in desk.tournament.participants.all():
        Payment.objects.create(participant=person, kind="fee", cents=300, at=AT, by="kasse")
    return desk


def row(page: Page, number: int, field: str) -> Any:
    return page.locator(f"[name=prize-{number}-{field}]")


def test_a_plan_changed_while_the_queue_stands(lent_page: Page, desk: Staff, new_page: NewPage) -> None:
    slug, page = desk.tournament.slug, lent_page
    page.set_viewport_size({"width": 1366, "height": 768})
    bring_session(page, desk.user)
    hall = new_page({"viewport": {"width": 360, "height": 740}})
    hall.goto(f"/t/{slug}/")
    expect(hall.locator("[data-live]")).to_be_visible()
    expect(hall.locator("#prizes")).to_be_hidden()

    # from a preset to a plan of one's own; what it gives is said while it is typed
    page.goto(desk.url("prize_plan"))
    page.get_by_role("link", name="Hälfte, Drittel, Sechstel").click()
    given = page.locator("#outlook")
    expect(given).to_contain_text("9 Spieler, 27,00 € eingenommen, 27,00 € im Topf.")
    expect(given).to_contain_text("13,50 €")
    page.wait_for_load_state()  # with the script that asks what the plan gives
    row(page, 3, "what").select_option("last")
    row(page, 3, "thing").fill("Trostpreis")
    row(page, 0, "money").fill("30,00")
    row(page, 0, "money").press("Tab")
    expect(given).to_contain_text("Der Plan gibt 3,00 € mehr her, als da ist.")
    row(page, 0, "money").fill("5 Eu")
    row(page, 0, "money").press("Tab")
    row(page, 0, "money").fill("5,00")
    row(page, 0, "money").press("Tab")
    expect(given).not_to_contain_text("mehr her, als da ist")
    page.get_by_label("Den Plan auf der Seite der Spieler").check()
    page.get_by_role("button", name=labels.SAVE).click()
    expect(page.get_by_text("Der Preisplan ist gespeichert.")).to_be_visible()
    assert violations(page) == []

    # the hall sees it without loading anything again, and not the money that nobody knows yet
    expect(hall.locator("#prizes")).to_contain_text("1/3 vom Topf")
    expect(hall.locator("#prizes")).to_contain_text("Trostpreis")
    assert violations(hall) == []

    # the queue goes on: another player, more money
    hands.DoorLaptop(page, slug).enter("Maria Muster")
    expect(page.locator("#door-note")).to_contain_text("Maria Muster")
    page.goto(desk.url("round", 1))
    shown = page.locator("section", has=page.get_by_role("heading", name="Was der Preisplan gibt"))
    expect(shown.locator("tbody th")).to_have_text(["7", "8", "9", "10", "11", "12", "13"])
    expect(shown.locator("tr[aria-current]")).to_contain_text("Rang 1: 5,50 €; Rang 2: 8,00 €")

    # the plan is changed meanwhile
    shown.get_by_role("link", name="Preisplan ändern").click()
    row(page, 1, "money").fill("")
    row(page, 1, "thing").fill("Schinken")
    page.get_by_role("button", name=labels.SAVE).click()
    expect(page.get_by_text("Der Preisplan ist gespeichert.")).to_be_visible()
    expect(hall.locator("#prizes")).to_contain_text("Schinken")
    expect(hall.locator("#prizes")).not_to_contain_text("1/3")
    page.get_by_label("Den Plan auf der Seite der Spieler").uncheck()
    page.get_by_role("button", name=labels.SAVE).click()
    expect(hall.locator("#prizes")).to_be_hidden()


def test_on_a_phone_without_script(new_page: NewPage, desk: Staff) -> None:
    page = new_page({"viewport": {"width": 320, "height": 568}, "java_script_enabled": False})
    bring_session(page, desk.user)
    page.goto(desk.url("prize_plan"))
    row(page, 0, "ranks").fill("1")
    row(page, 0, "money").fill("viel")
    page.get_by_role("button", name="Ausrechnen").click()
    expect(page.get_by_text("Bitte einen Betrag oder einen Anteil eintragen")).to_be_visible()
    expect(row(page, 0, "money")).to_have_value("viel")
    row(page, 0, "money").fill("50 %")
    page.get_by_role("button", name="Ausrechnen").click()
    expect(page.locator("#outlook")).to_contain_text("13,50 €")
    desk.tournament.refresh_from_db()
    assert plan_of(desk.tournament) is None
    page.get_by_role("button", name=labels.SAVE).click()
    expect(page.get_by_text("Der Preisplan ist gespeichert.")).to_be_visible()
    desk.tournament.refresh_from_db()
    assert plan_of(desk.tournament) is not None
