"""The players' pages without a connection: a tab as it was last seen, and a page that says so. See static/js/worker.js."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory
from tests.faults.house import wait_until
from tests.journeys.evening import HANDY, NewPage, bring_session
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("spieler "));
  const requests = (await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))).flat();
  return requests.map(({ url }) => new URL(url).pathname).filter((path) => !path.startsWith("/static/")).sort();
}"""


@pytest.fixture
def tournament(committed: None) -> Tournament:
    made = TournamentFactory.create(slug=f"funkloch-{uuid4().hex[:8]}")
    ParticipantFactory.create_batch(6, tournament=made)
    return made


def has_worker(page: Page) -> None:
    page.evaluate("navigator.serviceWorker.ready")


def test_a_tab_is_shown_as_it_was_last_seen_and_comes_alive_again(
    new_page: NewPage, tournament: Tournament
) -> None:
    page = new_page(HANDY)
    page.goto(f"/t/{tournament.slug}/standings/")
    has_worker(page)
    page.reload()
    expect(page.get_by_text("Noch gibt es keine Punkte. 6 Spieler sind angemeldet.")).to_be_visible()
    assert wait_until(lambda: f"/t/{tournament.slug}/standings/" in page.evaluate(KEPT))
    page.context.set_offline(True)
    page.reload()
    said = page.locator(".last-seen")
    expect(said).to_contain_text("Keine Verbindung. So war es um ")
    expect(said).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("6 Spieler sind angemeldet.")).to_be_visible()

    ParticipantFactory.create(tournament=tournament)
    page.context.set_offline(False)
    said.get_by_role("link", name="Nochmal versuchen").click()
    expect(page.get_by_text("7 Spieler sind angemeldet.")).to_be_visible()
    expect(said).to_have_count(0)


def test_of_a_page_that_was_not_seen_it_is_said_that_there_is_no_connection(
    new_page: NewPage, tournament: Tournament
) -> None:
    page = new_page(HANDY)
    page.goto(f"/t/{tournament.slug}/standings/")
    has_worker(page)
    page.context.set_offline(True)
    page.goto(f"/t/{tournament.slug}/tables/")
    expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.topbar')).backgroundColor")
        == "rgb(23, 64, 45)"
    )
    page.context.set_offline(False)
    page.get_by_role("link", name="Nochmal versuchen").click()
    expect(page.get_by_role("link", name="Tische")).to_have_attribute("aria-current", "page")


def test_nothing_is_kept_of_one_reader_nor_of_the_wall(new_page: NewPage, tournament: Tournament) -> None:
    page = new_page({})
    for _ in range(2):  # the first one brings the worker
        page.goto(f"/t/{tournament.slug}/")
        has_worker(page)
    for path in ("?q=1", "check/", "screen/"):
        page.goto(f"/t/{tournament.slug}/{path}")
    kept = [f"/t/{tournament.slug}/", "/t/offline.html"]
    assert wait_until(lambda: page.evaluate(KEPT) == kept)
    bring_session(page, UserFactory.create(is_superuser=True))
    page.goto(f"/t/{tournament.slug}/standings/")
    assert page.evaluate(KEPT) == kept


def test_without_https_there_is_no_worker(new_page: NewPage, tournament: Tournament, live_url: str) -> None:
    page = new_page({**HANDY, "base_url": live_url.replace("127.0.0.1", "turnier.lan")})
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"/t/{tournament.slug}/")
    page.wait_for_load_state("load")
    assert page.evaluate("'serviceWorker' in navigator") is False
    assert failed == []
