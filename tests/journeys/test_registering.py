"""A club registers in a real browser, from the start page of the installation to its first round, and goes home to a laptop."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.catalogue import State
from schnauz_turnier.clubs.changes import archive_club, delete_club
from scoring.documents import dump as document
from scoring.documents import export_tournament
from tests.clubs.conftest import Account, account, hosting
from tests.clubs.operator_texts import filled_in
from tests.journeys.access import violations
from tests.journeys.held import SlowServer
from tests.journeys.mailbox import Mailbox
from tests.journeys.test_going_home import PASSWORD, follow, laptop, press, takes_its_backup
from tests.schnauz_turnier.test_another_laptop import Laptop
from tests.security.conftest import Server
from tournaments.current_club import in_club
from tournaments.models import Participant, Round, Tournament

__all__ = ["account", "hosting", "laptop"]

# The test database is made before Playwright's event loop starts.
pytestmark = pytest.mark.usefixtures("django_db_setup")

NAMES = [f"Spieler {number}" for number in range(1, 7)]


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as opened:
        yield opened


@pytest.fixture
def server(lent_page: Page, hosting: Account, mailbox: Mailbox, tmp_path: Path) -> Iterator[Server]:
    """Serve an installation without any club, whose operator has written the texts."""
    operators = {"TEXTS_DIR": str(filled_in(tmp_path / "texts")), "EMAIL_URL": mailbox.url}
    with hosting.serving("tests.served_under_attack", **operators) as server:
        yield server
    for entry in catalogue.all_clubs():
        if entry.state is State.OPEN:
            archive_club(entry.slug)
        delete_club(entry.slug)


def register(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/")
    follow(page, "Verein anmelden")
    page.wait_for_url("**/register/")  # with the script that proposes the address
    page.get_by_label("Name des Vereins").fill("Kartenfreunde Süd")
    page.get_by_label("E-Mail").fill("verein@example.org")
    expect(page.get_by_label("Adresse im Netz")).to_have_value("kartenfreunde-sued")
    expect(page.get_by_text("/c/kartenfreunde-sued ist frei.")).to_be_visible()
    page.get_by_label("Ihr Name").fill("Vorstand Eins")
    press(page, "Verein anmelden")
    expect(page.get_by_text("Ohne diese Zustimmung geht es nicht.")).to_have_count(2)
    assert violations(page) == []
    for tick in page.get_by_role("checkbox").all():
        tick.check()
    press(page, "Verein anmelden")
    expect(page.get_by_role("heading", name="Jetzt in Ihr Postfach sehen")).to_be_visible()


def open_link(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_label("Code")).not_to_be_empty()
    assert "#" not in page.url
    assert violations(page) == []
    press(page, "Verein anlegen")
    expect(page.get_by_role("heading", name="„Kartenfreunde Süd“ ist angelegt")).to_be_visible(timeout=30_000)


def make_account(page: Page) -> None:
    follow(page, "Erstes Konto anlegen")
    page.get_by_label("Name des Kontos").fill("leitung")
    page.get_by_label("Passwort", exact=True).fill(PASSWORD)
    page.get_by_label("Passwort noch einmal").fill(PASSWORD)
    press(page, "Konto anlegen")
    expect(page.get_by_role("heading", name="Ihr erster Abend")).to_be_visible()


def draw_first_round(page: Page) -> None:
    follow(page, "Neues Turnier anlegen")
    page.get_by_label("Name des Turniers").fill("Preisschnauz")
    press(page, "Turnier anlegen")
    page.wait_for_url("**/door/")  # with its scripts, else the first line is sent as a whole form
    name = page.get_by_label("Name", exact=True)
    for player in NAMES:
        name.fill(player)
        name.press("Enter")
        expect(page.locator("#door-note")).to_contain_text(f"· {player}")
        expect(name).to_have_value("")
    page.goto(page.url.replace("/door/", "/"))
    follow(page, "1. Spielrunde auslosen …")
    press(page, "1. Spielrunde auslosen")
    expect(page.get_by_text("Ausgelost. Bitte ansehen und dann freigeben.")).to_be_visible()
    press(page, "Freigeben")
    expect(page.get_by_text("Freigegeben.").first).to_be_visible()


def test_an_address_that_is_typed_before_the_proposal_comes_stays(lent_page: Page, server: Server) -> None:
    page = lent_page
    page.goto(f"{server.url}/register/")
    address = page.get_by_label("Adresse im Netz")
    page.get_by_label("Name des Vereins").fill("Kartenfreunde Süd")
    proposal = SlowServer(page, "**/register/address/")
    address.press_sequentially("kf")
    proposal.answers()
    page.unroute_all()
    address.press_sequentially("-sued")
    page.get_by_label("E-Mail").focus()
    expect(page.get_by_text("/c/kf-sued ist frei.")).to_be_visible()
    expect(address).to_have_value("kf-sued")


def test_a_club_registers_plays_and_goes_home(
    lent_page: Page, server: Server, mailbox: Mailbox, laptop: Laptop, tmp_path: Path
) -> None:
    page = lent_page
    register(page, server)
    [letter] = mailbox.letters
    assert letter["To"] == "verein@example.org"
    assert catalogue.all_clubs() == []
    open_link(page, mailbox.link())
    other_tab = page.context.new_page()
    open_link(other_tab, mailbox.link())
    other_tab.close()
    make_account(page)
    assert "/c/kartenfreunde-sued/" in page.url
    draw_first_round(page)
    [entry] = catalogue.all_clubs()
    with in_club(entry.club):
        assert sorted(Participant.objects.values_list("name", flat=True)) == NAMES
        assert [drawn.number for drawn in Round.objects.all()] == [1]
        played = Tournament.objects.get()
        whole = document(export_tournament(played))
    open_link(page, mailbox.link())
    expect(page.get_by_text("Das erste Konto gibt es schon.")).to_be_visible()
    follow(page, "Zum Verein")
    expect(page.get_by_text("Preisschnauz").first).to_be_visible()

    page.goto(f"{server.url}/c/kartenfreunde-sued/account/club/")
    file = takes_its_backup(page, tmp_path)
    laptop.manage(["restore", str(file)])
    assert laptop.manage(["export_tournament", played.slug]) == whole
    laptop.start()
    page.goto(f"{laptop.url}/t/{played.slug}/tables/")
    expect(page.get_by_text("Tisch 1").first).to_be_visible()
    for secret in ("verein@", "Vorstand", "Kartenfreunde", PASSWORD):
        assert secret not in server.log
