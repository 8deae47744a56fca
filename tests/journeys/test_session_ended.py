"""A session that ends while the cashier types: nothing typed is lost, and a page that nobody uses leads to the log-in.

What the cashier sees and presses is looked at in the windows of all laptops.
"""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from tests.factories import PASSWORD, UserFactory
from tests.journeys.evening import LAPTOP, NewPage
from tests.journeys.held import SlowServer
from tests.journeys.test_door import a_tournament_of, open_door, people, type_line
from tests.journeys.windows import Windows
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def cashier(committed: None) -> User:
    return UserFactory.create(username=f"kasse-{uuid4()}")


@pytest.fixture
def tournament(cashier: User) -> Tournament:
    return a_tournament_of(cashier)


@pytest.fixture
def door(new_page: NewPage, cashier: User, tournament: Tournament) -> Page:
    return open_door(new_page(LAPTOP), cashier, tournament)


@pytest.fixture
def windows(door: Page) -> Windows:
    return Windows(door)


def end_session(page: Page) -> None:
    """End the session as the clock does: the browser keeps its cookies."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    assert Session.objects.filter(session_key=cookies["sessionid"]).delete()[0] == 1


def log_in_again(page: Page, cashier: User, windows: Windows) -> None:
    windows.look(expect(page.get_by_label("Name des Kontos")).to_be_focused)
    page.keyboard.type(cashier.username)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def test_a_name_typed_without_a_session_is_registered_once_after_the_log_in(
    door: Page, cashier: User, tournament: Tournament, windows: Windows
) -> None:
    windows.look(expect(door.locator("#id_name")).to_be_focused)
    type_line(door, "Huber Sepp", club="Krone")
    note = door.locator("#door-note")
    windows.look(lambda: expect(note).to_contain_text("Nr. 1 · Huber Sepp"))  # the control: with a session

    door.keyboard.type("Meier Anna")
    end_session(door)
    door.keyboard.press("Enter")
    windows.look(expect(door.get_by_text("Ihre Eingabe ist noch da")).to_be_visible)
    assert people(tournament) == [(1, "Huber Sepp", "Krone")]

    log_in_again(door, cashier, windows)
    heading = door.get_by_role("heading", name="Weiter mit Ihrer Eingabe")
    typed = door.get_by_text("Meier Anna", exact=True)
    windows.look(expect(heading).to_be_visible, expect(typed).to_be_visible)
    assert people(tournament) == [(1, "Huber Sepp", "Krone")]
    windows.click(door.get_by_role("button", name="Jetzt speichern"))

    windows.look(lambda: expect(door.locator("#messages")).to_contain_text("Nr. 2 · Meier Anna"))
    door.reload()
    windows.look(expect(door.locator("#id_name")).to_be_focused)
    type_line(door, "Kern Lena")
    windows.look(lambda: expect(note).to_contain_text("Nr. 3 · Kern Lena"))
    assert people(tournament) == [(1, "Huber Sepp", "Krone"), (2, "Meier Anna", ""), (3, "Kern Lena", "")]


def test_the_search_without_a_session_leaves_what_is_typed_and_says_so_once(
    door: Page, cashier: User, tournament: Tournament, windows: Windows
) -> None:
    end_session(door)
    with door.expect_response(lambda answer: "/list/" in answer.url and answer.status == 401):
        door.keyboard.type("Meier")
    expect(door.locator(".toasts")).to_contain_text("Ihre Eingabe steht noch hier")
    with door.expect_response(lambda answer: "version=" in answer.url and answer.status == 401):
        door.keyboard.type(" Anna")

    def look() -> None:
        expect(door.locator(".toasts")).to_contain_text("Ihre Eingabe steht noch hier")
        expect(door.locator("#id_name")).to_have_value("Meier Anna")
        expect(door.locator("#id_name")).to_be_focused()
        expect(door.locator(".toasts > *")).to_have_count(1)

    windows.look(look)
    door.keyboard.press("Enter")
    log_in_again(door, cashier, windows)
    windows.look(expect(door.get_by_role("heading", name="Weiter mit Ihrer Eingabe")).to_be_visible)
    windows.click(door.get_by_role("button", name="Jetzt speichern"))
    windows.look(lambda: expect(door.locator("#messages")).to_contain_text("Nr. 1 · Meier Anna"))
    assert people(tournament) == [(1, "Meier Anna", "")]


def test_a_line_under_way_is_kept_though_the_list_hears_first_that_there_is_no_session(
    door: Page, cashier: User, tournament: Tournament, windows: Windows
) -> None:
    server = SlowServer(door, f"**/o/{tournament.slug}/door/register/")
    door.keyboard.type("Meier Anna")
    door.keyboard.press("Enter")
    server.has(1)
    end_session(door)
    for _ in range(2):  # a page that leads to the log-in asks only once
        with door.expect_response(lambda answer: "version=" in answer.url and answer.status == 401):
            pass
    server.answers()
    door.unroute_all()
    windows.look(expect(door.get_by_text("Ihre Eingabe ist noch da")).to_be_visible)
    log_in_again(door, cashier, windows)
    windows.click(door.get_by_role("button", name="Jetzt speichern"))
    windows.look(lambda: expect(door.locator("#messages")).to_contain_text("Nr. 1 · Meier Anna"))
    assert people(tournament) == [(1, "Meier Anna", "")]


def test_an_idle_page_leads_to_the_log_in_and_back(
    door: Page, cashier: User, tournament: Tournament, windows: Windows
) -> None:
    end_session(door)
    log_in_again(door, cashier, windows)
    windows.look(expect(door.locator("#id_name")).to_be_focused)
    assert tournament.slug in door.url
