"""Accessibility of the phone sheet: no axe violation in any of its states, and large enough targets."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from scoring.services import sheets
from tests.factories import AT
from tests.journeys.access import violations
from tests.journeys.phones import (
    NewPhone,
    all_sent,
    confirm_each,
    have_decided,
    knock,
    knock_each,
    mark,
    name_of,
    parked,
    tray,
    try_now,
)
from tournaments.models import Table
from tournaments.services.rounds import revoke_link

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

COLOURS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
Found = dict[str, list[dict[str, Any]]]


def in_both_colours(page: Page, state: str) -> Found:
    """Return what axe finds in a state of the page, in light and in dark colours."""
    found = {}
    for colours in COLOURS:
        page.emulate_media(color_scheme=colours)
        found[f"{state}, {colours}"] = violations(page)
    return found


def test_axe_finds_nothing_on_the_phone_sheet_by_day_and_by_night(new_phone: NewPhone, table: Table) -> None:
    # So high that the bar cuts no target in two: axe would count the half that is left.
    page = new_phone(viewport={"width": 320, "height": 1600})
    found = in_both_colours(page, "empty")
    knock_each(page, *[(6,)] * 4, (2,))
    name_of(page, 3).tap()
    mark(page, 1, "Schnauz").tap()
    found |= in_both_colours(page, "deal begun")
    page.get_by_role("button", name="Abbrechen").tap()
    page.get_by_role("button", name="Code für andere Handys").tap()
    expect(page.get_by_role("img", name="QR-Code für Tisch 1")).to_be_visible()
    found |= in_both_colours(page, "moving")
    page.get_by_role("button", name="Nur Striche und Ränge").tap()
    found |= in_both_colours(page, "strokes")
    page.get_by_role("button", name="Ränge eintragen").tap()
    for seat in (1, 2, 3):
        name_of(page, seat).tap()
    found |= in_both_colours(page, "ranks")
    page.get_by_role("button", name="Abbrechen").tap()
    page.context.set_offline(True)
    mark(page, 4, "Feuer").tap()
    expect(page.locator(".link-state")).to_contain_text("1 Eintrag wartet")
    found |= in_both_colours(page, "offline")
    sheets.write(table, [("stroke", {"seat_number": 5, "mark": "feuer"})], by="o", at=AT)
    page.context.set_offline(False)
    expect(parked(page)).to_have_count(1)
    found |= in_both_colours(page, "parked")

    assert {state: rules for state, rules in found.items() if rules} == {}


def test_axe_finds_nothing_at_the_end_of_the_round(new_phone: NewPhone, table: Table) -> None:
    page, watching = new_phone(), new_phone()
    have_decided(page)
    page.get_by_role("button", name="Einspruch erheben").tap()
    found = {"result": violations(page)}
    confirm_each(page)
    page.get_by_role("button", name="Blatt abgeben").tap()
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)
    try_now(watching)
    expect(watching.get_by_text("Abgegeben. Danke!")).to_be_visible()
    found["handed in"] = violations(watching)
    watching.get_by_role("link", name="Ganze Geschichte der Tischliste").tap()
    watching.wait_for_url("**/s/history")  # entries stand on the sheet as well
    expect(watching.locator(".entry").first).to_be_visible()
    found["history"] = violations(watching)

    assert {state: rules for state, rules in found.items() if rules} == {}


def test_axe_finds_nothing_when_the_phone_is_turned_away(new_phone: NewPhone, table: Table) -> None:
    page, watching = new_phone(), new_phone()
    expect(watching.get_by_text("Ein anderes Handy schreibt diese Tischliste.")).to_be_visible()
    found = {"watching": violations(watching)}
    page.context.set_offline(True)
    knock(page, 2)
    revoke_link(table.round.tournament, 1, table.number)
    page.context.set_offline(False)
    expect(tray(page)).to_have_count(1)
    found["revoked"] = violations(page)
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto("/s/#1-aaaa")
    expect(page.get_by_text("Dieser Link gilt nicht mehr.")).to_be_visible()
    found["closed door"] = violations(page)

    assert {state: rules for state, rules in found.items() if rules} == {}
