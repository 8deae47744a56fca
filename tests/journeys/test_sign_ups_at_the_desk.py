"""Forty who have registered themselves wait for the desk, and the cashier works with the keyboard only."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.factories import AT, ParticipantFactory, UserFactory
from tests.journeys.test_door import USUAL_SIZE, a_tournament_of, figure, open_door, type_line
from tests.tournaments.services.test_sign_ups import signed_up, terms
from tournaments.models import SignUp, SignUpTerms, Tournament
from tournaments.services import sign_ups

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def organiser(committed: None) -> User:
    return UserFactory.create(username=f"veranstalter-{uuid4()}")


@pytest.fixture
def waiting(organiser: User) -> Tournament:
    tournament = a_tournament_of(organiser)
    terms(tournament)
    first, _ = signed_up(tournament, "Spieler 1", club="SV Ort", in_hall=True, at=AT)
    SignUp.objects.bulk_create(another(first, number) for number in range(2, 41))
    SignUpTerms.objects.filter(tournament=tournament).update(last_number=40)
    return tournament


def another(first: SignUp, number: int) -> SignUp:
    """Return a sign-up that follows the first one by as many minutes as its number."""
    at = AT + timedelta(minutes=number)
    return SignUp(
        tournament=first.tournament,
        number=number,
        name=f"Spieler {number}",
        club=first.club,
        in_hall=first.in_hall,
        code_hash=uuid4().hex,
        made_at=at,
        placed_at=at,
        arrived_at=at,
        origin=first.origin,
        phone=first.phone,
    )


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    yield shared_page
    shared_page.set_viewport_size(USUAL_SIZE)


@pytest.fixture
def door(page: Page, organiser: User, waiting: Tournament) -> Page:
    return open_door(page, organiser, waiting)


@pytest.fixture
def other_laptop(
    browser: Browser, browser_context_args: dict[str, str], organiser: User, waiting: Tournament
) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(**browser_context_args)  # type: ignore[arg-type]
    yield open_door(context.new_page(), organiser, waiting)
    context.close()


def rows(page: Page) -> list[str]:
    return page.locator("#sign-ups td.num").all_inner_texts()


def test_forty_wait_and_one_is_found_confirmed_and_taken_back_with_the_keyboard(
    door: Page,
) -> None:
    expect(door.locator("#sign-ups")).to_contain_text("40 sind da")
    assert rows(door) == [f"A{number}" for number in range(1, 9)]
    door.keyboard.type("Spieler 33")
    expect(door.locator("#door-hint")).to_contain_text(
        "A33 Spieler 33 hat sich selbst angemeldet und ist da."
    )
    expect(door.locator("#sign-ups td.num")).to_have_text(["A33"])
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Spieler 33")
    expect(door.locator("#sign-ups")).to_contain_text("39 sind da")
    expect(door.locator("#id_name")).to_be_focused()
    assert [figure(door, name) for name in ("present", "cash")] == ["1", "3,00 €"]
    door.locator("#door-undo").press("Enter")
    expect(door.locator("#sign-ups")).to_contain_text("40 sind da")
    expect(door.locator("[data-figure=cash]")).to_have_text("0,00\u00a0€")
    type_line(door, "A40")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Spieler 40")


def test_the_list_is_walked_through_with_the_arrows_and_shows_all_on_demand(
    door: Page,
) -> None:
    for _ in range(2):
        door.keyboard.press("ArrowDown")
    expect(door.locator("#confirm-paid-a2")).to_be_focused()
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Spieler 2")
    door.get_by_role("link", name="Alle 39 zeigen").press("Enter")
    expect(door.locator("#sign-ups td.num")).to_have_count(39)
    door.locator("#confirm-paid-a39").press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Spieler 39")
    expect(door.locator("#sign-ups td.num")).to_have_count(39)  # all of them are still shown
    expect(door.locator("#sign-up-39").get_by_role("button")).to_have_text(["Rückgängig"])


def test_a_wrong_double_is_taken_back(door: Page, waiting: Tournament) -> None:
    known = ParticipantFactory.create(tournament=waiting, name="Spieler 5", presence="announced")
    type_line(door, "Spieler 5")
    expect(door.locator("#door-hint[data-choose]")).to_be_visible()
    door.locator(f"#same-{known.start_number}-a5").press("Enter")
    expect(door.locator("#door-note")).to_contain_text(f"Nr. {known.start_number} · Spieler 5")
    door.locator("#sign-up-5").get_by_role("button", name="Rückgängig").press("Enter")
    expect(door.locator("#confirm-paid-a5")).to_be_visible()
    expect(door.locator("[data-figure=announced]")).to_have_text("41")
    door.locator("#confirm-paid-a5").press("Enter")
    expect(door.locator("[data-figure=present]")).to_have_text("1")
    expect(door.locator("[data-figure=announced]")).to_have_text("40")


def test_a_new_one_appears_by_itself_and_what_another_desk_confirms_goes(
    door: Page,
    other_laptop: Page,
    waiting: Tournament,
) -> None:
    expect(door.locator("#sign-up-1")).to_be_visible()
    door.locator("#id_name").fill("Halb getip")
    sign_ups.discard(waiting, 40, by="x", at=AT)
    expect(door.locator("#sign-ups")).to_contain_text("39 sind da")
    expect(door.locator("#id_name")).to_have_value("Halb getip")
    type_line(other_laptop, "A1")
    expect(other_laptop.locator("#door-note")).to_contain_text("Spieler 1")
    expect(door.locator("#sign-up-1")).to_have_count(0)


def test_nothing_scrolls_sideways(door: Page, waiting: Tournament) -> None:
    door.goto(f"/o/{waiting.slug}/door/?waiting=1")
    expect(door.locator("#sign-ups td.num")).to_have_count(40)
    for width in (360, 1366):
        door.set_viewport_size({"width": width, "height": 768})
        assert door.evaluate("document.documentElement.scrollWidth") <= width, width
