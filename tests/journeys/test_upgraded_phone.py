"""A phone that was in when a release ran, with two unsent entries, opens the page of the program of today."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser, expect
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import url_of_test_database
from tests.databases import another_database
from tests.faults.house import Web
from tests.journeys.phones import PHONE, all_sent
from tests.upgrades import releases
from tests.upgrades.dumps import load
from tests.upgrades.phones import store_on
from tournaments.links import PhonePass

LOG = """
SELECT entry.entry_id::text FROM scoring_sheetentry AS entry JOIN scoring_sheet AS sheet ON sheet.id = entry.sheet_id
WHERE sheet.table_id = %s ORDER BY entry.sequence
"""


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The program on the migrated database of a release, and what a phone has stored by then."""

    web: Web
    database_url: str
    phone: dict[str, Any]

    @property
    def cookie(self) -> str:
        """The phone's cookie as it would be of today: one that is kept here becomes too old."""
        return PhonePass(self.phone["table"], self.phone["link_version"], self.phone["device"]).to_cookie()

    def log(self) -> list[str]:
        """Return the ids of the entries of the phone's sheet."""
        with psycopg.connect(self.database_url) as connection:
            return [entry for (entry,) in connection.execute(LOG, [self.phone["table"]])]


@pytest.fixture(params=releases.kept_releases())
def upgraded(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    live_url: str,
    tmp_path: Path,
) -> Iterator[Upgraded]:
    folder = releases.HERE / request.param
    with django_db_blocker.unblock(), another_database():
        load(folder / releases.DATABASE)
        call_command("migrate", verbosity=0, interactive=False)
        url = url_of_test_database()
        web = Web(tmp_path, [])
        web.command = [sys.executable, "-m", "schnauz_turnier.serve", "127.0.0.1", str(web.port)]
        web.environment |= {
            "DJANGO_SETTINGS_MODULE": "tests.served",
            "DATABASE_URL": url,
            "SECRET_KEY": settings.SECRET_KEY,
            "PUBLIC_URL": web.url,
        }
        web.start()
        try:
            yield Upgraded(web, url, json.loads((folder / releases.PHONE).read_text(encoding="utf-8")))
        finally:
            web.end()


def test_its_unsent_entries_are_sent_and_it_writes_another(upgraded: Upgraded, browser: Browser) -> None:
    before = upgraded.log()
    unsent = sorted(upgraded.phone["stores"]["entries"]["values"], key=lambda entry: entry["number"])
    assert (len(before), len(unsent)) == (1, 2)
    context = browser.new_context(**PHONE, locale="de-DE", base_url=upgraded.web.url)
    context.add_cookies(
        [
            {
                "name": settings.PHONE_COOKIE_NAME,
                "value": upgraded.cookie,
                "domain": "127.0.0.1",
                "path": settings.PHONE_COOKIE_PATH,
            }
        ]
    )
    page = context.new_page()
    page.goto("/healthz")
    store_on(page, upgraded.phone)
    page.goto("/s/")
    expect(page.get_by_text("Zuletzt: 3. Spiel")).to_be_visible()
    all_sent(page)
    assert upgraded.log() == [*before, *(entry["id"] for entry in unsent)]

    page.locator("button.seat-row__name").nth(1).tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()
    expect(page.get_by_text("Zuletzt: 4. Spiel")).to_be_visible()
    all_sent(page)
    assert len(upgraded.log()) == 4
    context.close()
