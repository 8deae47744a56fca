"""A scribe's phone in clubs at paths of one host, in a real browser: offline, and in two clubs."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from schnauz_turnier.clubs import catalogue
from scoring.models import SheetEntry
from tests.clubs.conftest import Account
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.journeys.phones import PHONE, all_sent, link_state, link_to
from tests.security.conftest import Server
from tournaments.current_club import Club, in_club
from tournaments.models import Table

# The test database is made before Playwright's event loop starts.
pytestmark = pytest.mark.usefixtures("django_db_setup")


@pytest.fixture
def clubs(new_club: Callable[..., Club]) -> tuple[Club, Club]:
    """Make two clubs with the same players at the same table."""
    made = new_club("alpha"), new_club("beta")
    for club in made:
        with in_club(club):
            tournament = TournamentFactory.create(slug="herbst", name=f"Herbst {club.slug}")
            for number in range(5):
                ParticipantFactory.create(tournament=tournament, name=f"Spieler {number}")
            a_round(tournament)
    return made


@pytest.fixture
def server(hosting: Account, clubs: tuple[Club, Club]) -> Iterator[Server]:
    with hosting.serving("tests.served_under_attack") as server:
        yield server


@pytest.fixture
def phone(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**{**browser_context_args, **PHONE})
    yield context.new_page()
    context.close()


def address(server: Server, slug: str) -> str:
    with in_club(catalogue.club_of(slug).club):
        return f"{server.url}/c/{slug}{link_to(Table.objects.get())}"


def entries(slug: str) -> int:
    with in_club(catalogue.club_of(slug).club):
        return SheetEntry.objects.count()


def knock_by(page: Page, name: str) -> None:
    page.locator("button.seat-row__name").filter(has_text=name).tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()


def test_what_a_phone_keeps_for_one_club_reaches_no_other(phone: Page, server: Server) -> None:
    """The tables have the same number in both clubs."""
    phone.goto(address(server, "alpha"))
    all_sent(phone)
    phone.evaluate("navigator.serviceWorker.ready")  # else the page asks later whether it may be left
    phone.context.set_offline(True)
    knock_by(phone, "Spieler 1")
    expect(link_state(phone)).to_contain_text("1 Eintrag")
    there = phone.context.new_page()
    phone.goto("about:blank")  # closing alone lets the page come online for a moment
    phone.close()  # with an entry that is not sent
    there.context.set_offline(False)
    there.goto(address(server, "beta"))
    all_sent(there)
    knock_by(there, "Spieler 2")
    expect(there.get_by_text("Zuletzt: 1. Spiel")).to_be_visible()
    all_sent(there)
    assert (entries("alpha"), entries("beta")) == (0, 1)
    there.goto(address(server, "alpha"))
    all_sent(there)
    assert (entries("alpha"), entries("beta")) == (1, 1)
