"""A sheet that was reopened is confirmed anew on the scribe's phone, with or without a network."""

import json
from random import Random

import pytest
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from scoring.core.reopening import standing_confirmations, to_confirm_anew
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.journeys.phones import NAMES, NewPhone, all_sent, confirm_each, have_decided, try_now
from tests.scoring.core.vectors import PLAYS, log_of, steps
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


def test_the_phone_asks_for_new_confirmations_like_the_server(shared_page: Page) -> None:
    shared_page.goto("/healthz")
    logs = [steps(log_of(Random(seed), 40, kind))[0] for kind in PLAYS for seed in range(40)]
    given = [
        {
            "ruleset": {"confirmation": sheet.ruleset.confirmation},
            "seats": sheet.seats,
            "entries": [{"kind": one.kind, "data": dict(one.data)} for one in sheet.entries],
            "confirmed": sorted(sheet.confirmed),
            "last_reopened": sheet.last_reopened,
        }
        for sheet in logs
    ]

    shown = shared_page.evaluate(
        """async ([address, given]) => {
            const { confirmedAnew } = await import(address);
            return JSON.parse(given).map(confirmedAnew).map(({ confirmed, to_confirm }) => [confirmed, to_confirm]);
        }""",
        [static("js/sheet/replay.js"), json.dumps(given)],
    )

    assert shown == [[sorted(standing_confirmations(sheet)), to_confirm_anew(sheet)] for sheet in logs]
    assert any(to_confirm_anew(sheet) for sheet in logs)
