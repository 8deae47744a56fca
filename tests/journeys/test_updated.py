"""An update in the middle of an evening: the program stops and starts again as another version.

A phone first sends what it holds, then loads itself anew and keeps the pen; never while something is drafted on it. Those who
look on come back by themselves, on the pages of the new version.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Request, Route, expect
from pytest_django.plugin import DjangoDbBlocker

from scoring.documents import import_tournament
from tests.conftest import url_of_test_database
from tests.factories import AT
from tests.faults.evening import document
from tests.faults.house import Web, program
from tests.journeys.phones import PHONE, all_sent, link_state, link_to, written
from tests.served_after_an_update import VERSION
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed")

SLUG = "aktualisiert"
TABLES = 3
REAL, UPDATED = "schnauz_turnier.settings", "tests.served_after_an_update"
WAITING = re.compile(r"(UNTOUCHED_MS|SCATTERED) ?= ?[\d_]+;")
Open = Callable[..., Page]


@dataclass(frozen=True, slots=True)
class Hall:
    """The program, which is stopped and started, and the tables that play meanwhile."""

    web: Web
    tables: dict[int, Table]

    def link(self, table: int) -> str:
        return link_to(self.tables[table])

    def kinds(self, table: int) -> list[str]:
        """Return the kind of each entry of a table's sheet."""
        return [entry["kind"] for entry in written(self.tables[table])]


@pytest.fixture(scope="module")
def hall(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Hall]:
    """Run the program on the database of the tests, with a tournament in play."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # see `live_url`
    with django_db_blocker.unblock():
        in_play = document(TABLES)
        in_play["tournament"]["slug"] = SLUG
        tournament = import_tournament(json.dumps(in_play), at=AT)
        tables = {table.number: table for table in Table.objects.filter(round__tournament=tournament)}
        database = url_of_test_database()
    web = Web(tmp_path_factory.mktemp("updated"), ())
    web.command = program("schnauz_turnier.serve", "127.0.0.1", str(web.port))
    web.environment |= {"DATABASE_URL": database, "PUBLIC_URL": web.url, "SECRET_KEY": settings.SECRET_KEY}
    web.start()
    try:
        yield Hall(web, tables)
    finally:
        web.end()


@pytest.fixture
def open_page(browser: Browser, hall: Hall) -> Iterator[Open]:
    """Open an address on a device of its own. The mark on the page is gone when it is loaded anew."""
    contexts = []

    def opened(address: str, *, impatient: bool = False, **device: object) -> Page:
        contexts.append(browser.new_context(**PHONE | device, locale="de-DE"))
        page = contexts[-1].new_page()
        if impatient:
            page.route(re.compile(r"/js/(live|sheet/update)\."), at_once)
        page.goto(f"{hall.web.url}{address}")
        page.evaluate("window.isTheFirst = true")
        return page

    yield opened
    for context in contexts:
        context.close()


def at_once(route: Route) -> None:
    """Answer with the script, but without the times that it waits."""
    script = route.fetch().text()
    assert re.search(WAITING, script)
    route.fulfill(body=re.sub(WAITING, r"\1 = 0;", script), content_type="text/javascript")


def restart(web: Web, *, settings: str) -> None:
    web.environment["DJANGO_SETTINGS_MODULE"] = settings
    web.start()


def loser(page: Page, table: int) -> None:
    page.locator("button.seat-row__name").filter(has_text=f"Spieler {5 * table - 4}").tap()


def knock(page: Page, table: int) -> None:
    loser(page, table)
    page.get_by_role("button", name="Geklopft – eintragen").tap()


def is_of(page: Page, version: str) -> None:
    """Wait until the page is one of this version."""
    expect(page.locator(f"[data-version='{version}']")).to_be_attached(timeout=60_000)


def is_the_first(page: Page) -> bool:
    return bool(page.evaluate("window.isTheFirst === true"))


def asked(page: Page) -> list[str]:
    """Return what the phone asks for from now on: pages and entries that were answered."""
    seen: list[str] = []

    def note(request: Request) -> None:
        path = request.url.partition("/s/")[2]
        if request.is_navigation_request() or path == "entries":
            seen.append(path)

    page.on("requestfinished", note)
    return seen


def test_phones_pens_and_unsent_entries_outlive_an_update(hall: Hall, open_page: Open) -> None:
    scribe = open_page(hall.link(1))
    all_sent(scribe)
    knock(scribe, 1)
    all_sent(scribe)
    watcher = open_page(hall.link(1))
    expect(watcher.get_by_text("Ein anderes Handy schreibt diese Tischliste.")).to_be_visible()
    drafting = open_page(hall.link(2))
    all_sent(drafting)
    player = open_page(f"/t/{SLUG}/tables/")
    wall = open_page(f"/t/{SLUG}/screen/", viewport={"width": 1920, "height": 1080}, is_mobile=False)
    for page in (player, wall):
        expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")

    hall.web.end()
    for _ in range(2):
        knock(scribe, 1)
    expect(link_state(scribe)).to_have_text("2 Einträge warten")
    loser(drafting, 2)
    seen = asked(scribe)
    restart(hall.web, settings=UPDATED)

    for page in (scribe, watcher, player, wall):
        is_of(page, VERSION)
    all_sent(scribe)
    expect(scribe.get_by_text("Zuletzt: 3. Spiel")).to_be_visible()
    assert seen[:2] == ["entries", ""]
    knock(scribe, 1)  # with the pen that it had
    all_sent(scribe)
    expect(watcher.get_by_text("4. Spiel")).to_be_visible()
    assert hall.kinds(1) == ["deal"] * 4
    for page in (player, wall):
        expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")

    assert is_the_first(drafting)
    drafting.get_by_role("button", name="Geklopft – eintragen").tap()
    is_of(drafting, VERSION)
    assert hall.kinds(2) == ["deal"]


def test_after_a_restart_no_page_is_loaded_anew_unless_the_version_is_another(
    hall: Hall, open_page: Open
) -> None:
    """The control: it is the version that they follow, and another one at once."""
    before = hall.web.environment.get("DJANGO_SETTINGS_MODULE", REAL)
    scribe = open_page(hall.link(3), impatient=True)
    all_sent(scribe)
    player = open_page(f"/t/{SLUG}/tables/", impatient=True)
    expect(player.locator("[data-live]")).to_have_attribute("data-stream", "open")
    hall.web.end()
    knock(scribe, 3)
    expect(link_state(scribe)).to_have_text("1 Eintrag wartet")
    expect(player.locator("[data-live]")).to_have_attribute("data-stream", "lost")
    restart(hall.web, settings=before)
    expect(player.locator("[data-live]")).to_have_attribute("data-stream", "open")
    all_sent(scribe)  # up to 15 seconds later
    for _ in range(2):
        with scribe.expect_response("**/s/sheet"):
            pass
    assert is_the_first(scribe)
    assert is_the_first(player)

    hall.web.end()
    restart(hall.web, settings=UPDATED if before == REAL else REAL)
    for page in (scribe, player):
        is_of(page, VERSION if before == REAL else settings.VERSION)
        assert not is_the_first(page)
