"""The operator logs in with a second factor, closes a club and opens it again, and announces maintenance."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import Page, expect
from pytest_django.plugin import DjangoDbBlocker

from schnauz_turnier.clubs import catalogue, schemas
from schnauz_turnier.clubs.changes import archive_club, create_club, create_operator, delete_club
from tests import labels
from tests.clubs.conftest import Account, hosting_here
from tests.clubs.conftest import account as account
from tournaments.current_club import in_club

PASSWORD = "ein langes Kennwort 77"
KEY = "1234567890abcdef1234567890abcdef12345678"


@pytest.fixture
def address(account: Account, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Serve a club and the operator's pages; yield the address of the server."""
    with django_db_blocker.unblock(), hosting_here(account):
        create_club("alpha", "Verein Alpha", at=datetime.now(UTC))
        operators = create_operator(at=datetime.now(UTC))
        with in_club(operators.club):
            user = User.objects.create_superuser("betrieb", password=PASSWORD)
            TOTPDevice.objects.create(user=user, confirmed=True, key=KEY)
        with account.serving("tests.served_under_attack") as server:
            yield server.url
        archive_club("alpha")
        delete_club("alpha")
        schemas.drop(operators.schema)
        catalogue.remove(operators.slug, operators.schema)


def log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/c/operator/")
    page.get_by_label("Name des Kontos").fill("betrieb")
    page.get_by_label("Passwort", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").click()
    page.get_by_label("Code").fill(f"{totp(bytes.fromhex(KEY)):06}")
    page.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("heading", name="Vereine")).to_be_visible()


def test_the_operator_closes_and_opens_a_club_and_announces_maintenance(
    address: str, lent_page: Page
) -> None:
    page = lent_page
    log_in(page, address)
    page.get_by_role("link", name="Verein Alpha").click()
    page.get_by_text("Verein schließen …").click()
    page.get_by_role("button", name="Verein schließen").click()
    expect(page.get_by_text("Der Verein ist geschlossen.")).to_be_visible()
    page.get_by_role("button", name="Wieder öffnen").click()
    expect(page.get_by_text("Der Verein ist wieder offen.")).to_be_visible()

    page.get_by_role("link", name="Wartung").click()
    today = datetime.now()  # noqa: DTZ005 (as the operator types it)
    page.get_by_label("Beginn").fill(f"{today:%d.%m.%Y} 00:00")
    page.get_by_label("Ende").fill(f"{today + timedelta(days=1):%d.%m.%Y} 23:59")
    page.get_by_label("Text auf Deutsch").fill("Eine neue Fassung")
    page.get_by_role("button", name="Ankündigen").click()
    expect(page.locator("#messages")).to_be_visible()
    page.goto(f"{address}/c/alpha/")
    expect(page.get_by_text("Eine neue Fassung")).to_be_visible()
    page.goto(f"{address}/c/operator/operator/maintenance/")
    page.get_by_role("button", name=labels.TAKE_BACK).click()
    expect(page.get_by_text("Nichts ist angekündigt.")).to_be_visible()
