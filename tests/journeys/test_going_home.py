"""A club goes from an installation of many to a laptop, in a real browser: every number is there, and the codes lead on."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from schnauz_turnier.clubs import catalogue
from schnauz_turnier.clubs.catalogue import State, club_of
from schnauz_turnier.clubs.changes import archive_club, create_club, delete_club
from scoring.documents import dump as document
from scoring.documents import export_tournament
from tests.clubs.conftest import Account, account, hosting
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.journeys.access import violations
from tests.ports import free_port
from tests.schnauz_turnier.test_another_laptop import Laptop
from tests.security.conftest import Server
from tournaments import links
from tournaments.current_club import in_club
from tournaments.models import Table, Tournament

__all__ = ["account", "hosting"]

# The test database is made before Playwright's event loop starts.
pytestmark = pytest.mark.usefixtures("django_db_setup")

PASSWORD = "ein langes Kennwort 77"
SLUG = "kartenfreunde"


@pytest.fixture
def server(lent_page: Page, hosting: Account) -> Iterator[Server]:
    """Serve an installation with a club that has played one round and drawn another."""
    with in_club(create_club(SLUG, "Kartenfreunde", at=AT).club):
        owner = User.objects.create_superuser("leitung", password=PASSWORD)
        tournament = TournamentFactory.create(slug="herbst", owner=owner, played_on=timezone.localdate())
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_played_round(tournament)
        a_round(tournament, number=2)
    with hosting.serving("tests.served_under_attack") as server:
        yield server
    for entry in catalogue.all_clubs():
        if entry.state is State.OPEN:
            archive_club(entry.slug)
        delete_club(entry.slug)


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Laptop]:
    """A laptop on which the program has never run."""
    (stick := tmp_path / "stick").mkdir()
    one = Laptop(tmp_path / "laptop", free_port(), stick)
    yield one
    one.kill()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    page.get_by_role("link", name=name).first.click()


def log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/account/login/?next=/c/{SLUG}/account/club/")
    page.get_by_label("Name des Kontos").fill("leitung")
    page.get_by_label("Passwort").fill(PASSWORD)
    press(page, "Anmelden")


def takes_its_backup(page: Page, folder: Path) -> Path:
    """Go from the page of the club to the backup with the key, and download it."""
    follow(page, "Sichern und umziehen")
    expect(page.get_by_role("heading", name="Sichern und umziehen", level=1)).to_be_visible()
    page.wait_for_load_state()
    assert violations(page) == []
    follow(page, "Umziehen")
    expect(page.get_by_text("Hier ist es ein Turnier,")).to_be_visible()
    page.get_by_label("Ihr Passwort").first.fill(PASSWORD)
    with page.expect_download() as download:
        press(page, "Sicherung herunterladen")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def closes_here(page: Page, address: str) -> str:
    """Close the club, and return the link that opens it again."""
    page.get_by_label("Neue Adresse").fill(address)
    page.get_by_label("Kurzname des Vereins").fill(SLUG)
    page.get_by_label("Ihr Passwort").last.fill(PASSWORD)
    press(page, "Hier schließen")
    expect(page.get_by_role("heading", name="Der Verein ist geschlossen")).to_be_visible()
    assert violations(page) == []
    return page.locator("code.code").inner_text()


def test_a_club_goes_home_and_may_come_back(
    lent_page: Page, server: Server, laptop: Laptop, tmp_path: Path
) -> None:
    page, address = lent_page, f"{server.url}/c/{SLUG}"
    with in_club(club_of(SLUG).club):
        whole = document(export_tournament(Tournament.objects.get()))
        table = Table.objects.get(round__number=2)
        secret = links.sheet_secret(table.pk, table.link_version)
    log_in(page, address)
    file = takes_its_backup(page, tmp_path)
    assert file.name.startswith(f"{SLUG}-")

    assert f"stay good, but lead to {address}. Close the club there" in laptop.manage(["restore", str(file)])
    assert laptop.manage(["export_tournament", "herbst"]) == whole
    laptop.start()

    link = closes_here(page, laptop.url)
    assert (club_of(SLUG).state, club_of(SLUG).ends_at) == (State.ARCHIVED, None)
    page.wait_for_timeout(timedelta(seconds=2.5) / timedelta(milliseconds=1))  # what a process has cached

    page.goto(f"{address}/s/#{secret}")
    expect(page.get_by_role("heading", name="Dieser Verein ist umgezogen")).to_be_visible()
    assert violations(page) == []
    follow(page, "Dort weiter")
    page.wait_for_url(f"{laptop.url}/s/**")
    expect(page.get_by_text("Tisch 1").first).to_be_visible()

    page.goto(link)
    expect(page.get_by_label("Code")).not_to_be_empty()
    assert club_of(SLUG).state is State.ARCHIVED
    press(page, "Wieder öffnen")
    expect(page.get_by_role("heading", name="Der Verein ist wieder offen")).to_be_visible()
    assert club_of(SLUG).state is State.OPEN
    for told in (PASSWORD, link.partition("#")[2], laptop.url):
        assert told not in server.log
