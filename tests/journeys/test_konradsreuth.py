"""A table under rule sheet 2 on a scribe's phone: three of a kind never pays (RULES 2.3)."""

import pytest
from playwright.sync_api import expect

from tests.journeys.phones import NewPhone, all_sent, mark, name_of, written
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = [
    pytest.mark.usefixtures("committed", "without_worker"),
    pytest.mark.parametrize("table", [(preset("konradsreuth"), 6)], indirect=True),
]


def test_a_handschnauz_spares_who_holds_three_of_a_kind(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    expect(mark(page, 3, "Schnauz")).to_be_visible()
    expect(page.get_by_role("button", name="Feuer: Anna Berger")).to_have_count(0)  # there is no Feuer
    mark(page, 3, "Schnauz").tap()
    page.get_by_role("button", name="Handschnauz: ohne die mit drei Gleichen").tap()
    expect(page.locator("button.seat-row__name[aria-pressed=true]")).to_have_count(5)
    expect(page.get_by_text("Wer drei Gleiche hat, verliert nicht.")).to_be_visible()
    name_of(page, 2).tap()
    page.get_by_role("button", name="Handschnauz – eintragen").tap()
    expect(page.get_by_text("2. Spiel: Wer hat verloren?")).to_be_visible()
    all_sent(page)
    assert [entry["losers"] for entry in written(table)] == [[1, 4, 5, 6]]
    assert written(table)[0]["ended_by"] == "handschnauz"


def test_it_can_happen_that_nobody_pays(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_disabled()
    expect(page.get_by_role("button", name="Niemand verliert – eintragen")).to_have_count(0)
    mark(page, 1, "Schnauz").tap()
    expect(page.get_by_role("button", name="eintragen")).to_have_count(0)  # nothing can be written yet
    page.get_by_role("button", name="Niemand verliert", exact=True).tap()
    expect(page.get_by_text("Schnauz: Anna. Und niemand verliert?")).to_be_visible()
    page.get_by_role("button", name="Niemand verliert – eintragen").tap()
    expect(page.get_by_text("1. Spiel: Schnauz von Anna Berger, niemand verliert").first).to_be_visible()
    all_sent(page)
    assert [(entry["losers"], entry["finisher"]) for entry in written(table)] == [([], 1)]


def test_sheet_2_a_schnauz_waits_for_a_loser(new_phone: NewPhone, table: Table) -> None:
    """That nobody loses is the second choice, and a name that is tapped after it loses."""
    page = new_phone()
    mark(page, 1, "Schnauz").tap()
    page.get_by_role("button", name="Niemand verliert", exact=True).tap()
    name_of(page, 4).tap()
    name_of(page, 2).tap()
    expect(page.get_by_role("button", name="Niemand verliert")).to_have_count(0)
    page.get_by_role("button", name="Schnauz – eintragen", exact=True).tap()
    expect(page.get_by_text("2. Spiel: Wer hat verloren?")).to_be_visible()
    all_sent(page)
    assert [(entry["losers"], entry["finisher"]) for entry in written(table)] == [([2, 4], 1)]


def test_sheet_2_on_a_knock_nobody_pays_after_a_second_tap(new_phone: NewPhone, table: Table) -> None:
    """A knock at which nobody loses is said first and written then; a name that is tapped in between loses."""
    page = new_phone()
    nobody = page.get_by_role("button", name="Niemand verliert", exact=True)
    nobody.tap()
    expect(page.get_by_text("1. Spiel: geklopft, und niemand verliert?")).to_be_visible()
    name_of(page, 4).tap()
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_enabled()
    page.get_by_role("button", name="Abbrechen").tap()
    nobody.tap()
    page.get_by_role("button", name="Niemand verliert – eintragen").tap()
    expect(page.get_by_text("1. Spiel: geklopft, niemand verliert").first).to_be_visible()
    all_sent(page)
    assert [(entry["losers"], entry["ended_by"]) for entry in written(table)] == [([], "knock")]
