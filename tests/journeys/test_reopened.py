"""A sheet that was reopened is confirmed anew on the scribe's phone, with or without a network."""

import pytest
from playwright.sync_api import Page, expect

from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.journeys.phones import NAMES, NewPhone, all_sent, confirm_each, have_decided, try_now
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "without_worker")


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Blatt abgeben").tap()
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()


def test_all_who_had_confirmed_confirm_anew_before_the_next_hand_in(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    have_decided(page)
    confirm_each(page)
    hand_in(page)
    sheets.write(table, [("reopened", {"reason": "Rang 2 und 3?"})], by="maria", at=AT)
    try_now(page)

    go = page.get_by_role("button", name="Blatt abgeben")
    expect(page.get_by_text("Vom Veranstalter wieder geöffnet: Rang 2 und 3?").first).to_be_visible()
    expect(go).to_be_disabled()
    expect(page.locator(".action-bar__hint")).to_contain_text("Noch nicht bestätigt: ")
    page.get_by_role("button", name=NAMES[0]).tap()
    expect(page.get_by_role("button", name="– stimmt")).to_have_count(5)
    expect(go).to_be_disabled()
    page.context.set_offline(True)
    confirm_each(page)
    expect(page.get_by_role("button", name="– stimmt")).to_have_count(0)
    expect(go).to_be_enabled()
    go.tap()
    expect(page.get_by_text("Zum Abgeben bereit, aber noch nicht übertragen.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)

    kinds = [entry.kind for entry in open_sheet(table.pk).log.entries]
    assert kinds[-15:] == [*["confirmed"] * 6, "submitted", "reopened", *["confirmed"] * 6, "submitted"]
