"""A player's phone that follows its owner: chosen once, stored on the phone, updated live, forgotten on request."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.services import standings
from tests import labels
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.journeys.access import COLOURS, small_targets, violations_in_all_colours
from tests.journeys.evening import NewPage, bring_session
from tournaments.models import Membership, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

NAMES = ("Anna Berger", "Bernd Dorn", "Clara Egger", "Dieter Fuchs", "Eva Gruber")
LONG_NAME = "Maximiliane Oberhuber-Niederreitmeier-Hinterwimmer"


@pytest.fixture
def tournament(committed: None) -> Tournament:
    """Create five players with full names, one of them very long, after the first round."""
    made = TournamentFactory.create(slug=f"ich-{uuid4()}", names="full")
    for name in (*NAMES, LONG_NAME):
        ParticipantFactory.create(tournament=made, name=name)
    a_played_round(made)
    return made


@pytest.fixture(scope="session")
def small_of_all(browser_context_args: dict[str, Any], browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(**browser_context_args, viewport={"width": 320, "height": 640})
    yield context
    context.close()


@pytest.fixture
def small(small_of_all: BrowserContext) -> Iterator[BrowserContext]:
    """Provide the smallest phone. Who its owner is in the tournament of another test, it does not ask."""
    small_of_all.clear_cookies()
    yield small_of_all
    for page in small_of_all.pages:
        page.close()


def is_anna(phone: Page) -> None:
    phone.get_by_role("searchbox", name="Wo sitze ich?").fill("anna")
    phone.get_by_role("button", name=labels.SEARCH).click()
    it_is_me = phone.get_by_role("link", name="Das bin ich", exact=True)
    expect(it_is_me).to_be_visible()
    phone.wait_for_load_state()  # the script is there that keeps it
    it_is_me.click()
    expect(phone.locator("#me-title")).to_contain_text("Anna Berger")


def test_said_once_it_is_known_whenever_the_page_is_opened(
    small: BrowserContext, tournament: Tournament
) -> None:
    phone = small.new_page()
    page = f"/t/{tournament.slug}/"
    phone.goto(page)
    is_anna(phone)
    expect(phone.locator("#me-title")).to_be_focused()
    expect(phone.locator("#answer > *")).to_have_count(0)
    again = small.new_page()
    again.goto(page)
    expect(again.locator("#me")).to_contain_text("Meine Spielrunden")
    assert small.cookies() == []
    again.get_by_role("link", name="Das bin nicht ich").click()
    expect(again.locator("#me")).to_have_count(0)
    expect(again.get_by_role("searchbox")).to_be_focused()
    again.reload()
    expect(again.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
    expect(again.locator("#me")).to_have_count(0)


def test_another_tournament_does_not_know_me(small: BrowserContext, tournament: Tournament) -> None:
    other = TournamentFactory.create(slug=f"{tournament.slug}-x")
    ParticipantFactory.create(tournament=other, name="Sepp Huber")
    phone = small.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    phone.goto(f"/t/{other.slug}/")
    expect(phone.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
    expect(phone.locator("#me")).to_have_count(0)


def test_it_follows_seat_and_result_and_the_freeze_holds(
    small: BrowserContext, tournament: Tournament
) -> None:
    phone = small.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    me = phone.locator("#me")
    table = a_round(tournament, 2).tables.get()
    seat = table.seats.get(participant__name="Anna Berger").seat_number
    expect(me.locator(".answer__where")).to_contain_text(f"Platz {seat}")
    expect(me).to_contain_text("Ergebnis steht noch aus")
    standings.freeze(tournament, by="x", at=AT)
    expect(me).to_contain_text("Ergebnis noch nicht gezeigt")
    a_paper_sheet(table, strokes={seat: 3})
    expect(phone.locator("#seating")).to_contain_text("1 von 1 Tisch ist fertig")
    phone.wait_for_timeout(1_000)
    expect(me).not_to_contain_text("3 Striche")
    standings.release(tournament, by="x", at=AT)
    expect(me.locator(".my-rounds li").nth(1)).to_contain_text("3 Striche")


def test_it_comes_back_after_the_server_was_away(small: BrowserContext, tournament: Tournament) -> None:
    phone = small.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    phone.route("**/me/**", lambda route: route.abort())
    a_round(tournament, 2)
    expect(phone.locator("#seating")).to_contain_text("Tische der 2. Spielrunde")
    phone.wait_for_timeout(1_000)
    phone.unroute("**/me/**")
    a_paper_sheet(tournament.rounds.get(number=2).tables.get())
    expect(phone.locator("#me .my-rounds li")).to_have_count(2)


def test_where_nothing_can_be_kept_the_link_says_it(small: BrowserContext, tournament: Tournament) -> None:
    phone = small.new_page()
    phone.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })"
    )
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    assert phone.url.endswith("?me=1")
    a_round(tournament, 2)
    expect(phone.locator("#me .my-rounds li")).to_have_count(2)
    phone.get_by_role("link", name="Das bin nicht ich").click()
    expect(phone.locator("#me")).to_have_count(0)


def test_it_works_without_script(
    browser_context_args: dict[str, Any], browser: Browser, tournament: Tournament
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)
    phone = context.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    phone.get_by_role("searchbox", name="Wo sitze ich?").fill("bernd")
    phone.get_by_role("button", name=labels.SEARCH).click()
    expect(phone.locator("#me-title")).to_contain_text("Anna Berger")
    expect(phone.locator("#answer")).to_contain_text("Bernd Dorn")
    phone.get_by_role("link", name="Das bin nicht ich").click()
    expect(phone.locator("#me")).to_have_count(0)
    context.close()


def test_everybody_can_use_it_on_the_smallest_phone(small: BrowserContext, tournament: Tournament) -> None:
    a_round(tournament, 2)
    phone = small.new_page()
    problems: list[str] = []
    phone.on("console", lambda message: problems.append(message.text))
    phone.goto(f"/t/{tournament.slug}/?q=Maximiliane")
    phone.get_by_role("link", name="Das bin ich", exact=True).click()
    expect(phone.locator("#me-title")).to_contain_text(LONG_NAME)
    for scheme in COLOURS:
        phone.emulate_media(color_scheme=scheme)
        phone.goto(f"/t/{tournament.slug}/")
        expect(phone.locator("#me-title")).to_contain_text(LONG_NAME)
        assert problems == [], scheme
    sheet = phone.locator("#me .my-rounds a").get_attribute("href") or ""
    is_usable(phone)
    assert small_targets(phone, "#me a", 44) == []
    phone.goto(sheet)
    is_usable(phone)


def is_usable(phone: Page) -> None:
    """Check that the smallest phone shows the whole width, accessible in all colours."""
    for scheme in COLOURS:
        phone.emulate_media(color_scheme=scheme)
        assert phone.evaluate("document.documentElement.scrollWidth") == 320, scheme
    assert violations_in_all_colours(phone) == {}


def test_what_is_wrong_is_said_from_ones_own_answer_and_closed_by_the_organiser(
    small: BrowserContext, tournament: Tournament, new_page: NewPage
) -> None:
    table = a_round(tournament, 2).tables.get()
    phone = small.new_page()
    phone.goto(f"/t/{tournament.slug}/")
    is_anna(phone)
    phone.get_by_text("Das stimmt nicht").click()
    phone.get_by_label("Was stimmt nicht?").fill("Mein Strich fehlt")
    a_paper_sheet(table)  # the result is reloaded, and the input is kept
    expect(phone.locator("#me .my-rounds li").nth(1)).to_contain_text("Punkt")
    expect(phone.get_by_label("Was stimmt nicht?")).to_have_value("Mein Strich fehlt")
    expect(phone.get_by_label("Was stimmt nicht?")).to_be_focused()
    expect(phone.get_by_label("Wer sagt das?")).to_have_value("Anna Berger (1)")
    is_usable(phone)
    assert small_targets(phone, "#me button, #me summary", 44) == []
    phone.get_by_role("button", name="Melden").click()
    expect(phone.get_by_text("Danke. Die Spielleitung sieht es jetzt.")).to_be_visible()
    expect(phone.locator("#me-title")).to_contain_text("Anna Berger")

    laptop = new_page({"viewport": {"width": 1280, "height": 800}})
    owner = UserFactory.create(username=f"chef-{tournament.slug}")
    Membership.objects.create(tournament=tournament, user=owner, role=Membership.Role.ORGANISER)
    bring_session(laptop, owner)
    laptop.goto(f"/o/{tournament.slug}/rounds/2/")
    expect(laptop.locator("#board")).to_contain_text("Mein Strich fehlt")
    assert violations_in_all_colours(laptop) == {}
    laptop.get_by_role("link", name="Aus dem Saal:").click()
    expect(laptop.get_by_role("heading", name="Aus dem Saal gemeldet")).to_be_visible()
    expect(laptop.locator("main")).to_contain_text("Anna Berger (1)")
    assert violations_in_all_colours(laptop) == {}
    laptop.get_by_label("Was ist daraus geworden?").fill("Nachgetragen")
    laptop.get_by_role("button", name="Erledigt").click()
    expect(laptop.locator("main")).to_contain_text("Erledigt: „Nachgetragen“")
    expect(laptop.get_by_role("button", name="Rückgängig")).to_be_visible()
    assert violations_in_all_colours(laptop) == {}
