"""Buttons of the scribe's phone do what they say, and the light in its header is always true."""

from typing import Any

import pytest
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from tests.journeys.pads import taps_felt, write_game
from tests.journeys.phones import (
    NewPhone,
    all_sent,
    deals,
    feuer,
    knock,
    link_state,
    mark,
    name_of,
    set_aside,
    take_back_last,
    try_now,
    written,
)
from tests.scoring.core.writing import ruf
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "without_worker")


# --- taking back ---------------------------------------------------------------------------------------------------


def test_the_button_names_the_deal_that_it_takes_back_and_takes_back_no_other(
    new_phone: NewPhone, table: Table
) -> None:
    """A tap that waits for an entry to be stored means the entry that the button named."""
    page = new_phone()
    knock(page, 2)
    expect(page.locator(".action-bar__back")).to_have_text("Spiel 1 zurücknehmen")
    all_sent(page)
    stale = page.locator(".action-bar__back").evaluate_handle("button => button.onclick")
    knock(page, 3)
    expect(page.locator(".action-bar__back")).to_have_text("Spiel 2 zurücknehmen")
    stale.evaluate("tap => tap()")
    expect(page.get_by_role("alert")).to_have_text(
        "Seither ist etwas Neues eingetragen worden. Bitte nachsehen, was jetzt das Letzte ist."
    )
    all_sent(page)
    assert [entry["kind"] for entry in written(table)] == ["deal", "deal"]
    take_back_last(page)
    expect(page.locator(".action-bar__back")).to_have_text("Spiel 1 zurücknehmen")
    expect(page.locator(".entries").get_by_role("button", name="zurücknehmen")).to_have_accessible_name(
        "Spiel 1 zurücknehmen: 1. Spiel: geklopft, Bernd Dorn verliert"
    )


@pytest.mark.parametrize("table", [(preset("schafkopf"), 4)], indirect=True)
def test_people_are_named_where_something_is_missing(new_phone: NewPhone, table: Table) -> None:
    tournament = table.round.tournament
    tournament.ruleset = {**tournament.ruleset, "sheet": {**tournament.ruleset["sheet"], "deals": 1}}
    tournament.save()
    page = new_phone()
    write_game(page, ruf(1, 2).data, lambda seat: name_of(page, seat))
    page.locator("button.result__row").filter(has_text="Clara Egger").tap()
    expect(page.locator(".action-bar__hint")).to_have_text(
        "Noch nicht bestätigt: Anna Berger, Bernd Dorn und Dieter Fuchs. Bitte jeden Spieler seinen Namen antippen lassen."
    )


# --- Feuer ---------------------------------------------------------------------------------------------------------


def test_a_feuer_is_said_before_it_is_written(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    mark(page, 3, "Feuer").tap()
    expect(page.locator(".action-bar__hint")).to_have_text("Feuer: Clara. Alle anderen geben ein Leben.")
    expect(page.locator("button.seat-row__name[aria-pressed=true]")).to_have_count(5)
    mark(page, 3, "Schnauz").tap()  # it was the button beside it
    expect(page.locator("button.seat-row__name[aria-pressed=true]")).to_have_count(0)
    page.get_by_role("button", name="Abbrechen").tap()
    feuer(page, 4)
    all_sent(page)
    assert [(entry["ended_by"], entry["losers"]) for entry in written(table)] == [("feuer", [1, 2, 3, 5, 6])]


# --- taps ----------------------------------------------------------------------------------------------------------


def test_taps_of_what_happens_most_under_sheet_1(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    start = taps_felt(page)
    knock(page, 2)
    assert taps_felt(page) - start == 2
    mark(page, 1, "Schnauz").tap()
    name_of(page, 3).tap()
    name_of(page, 4).tap()
    page.get_by_role("button", name="Schnauz – eintragen", exact=True).tap()
    assert taps_felt(page) - start == 2 + 4
    take_back_last(page)
    assert taps_felt(page) - start == 2 + 4 + 1
    all_sent(page)
    assert [entry["kind"] for entry in written(table)] == ["deal", "deal", "voided"]


# --- the light -----------------------------------------------------------------------------------------------------

CASES: list[tuple[dict[str, Any], str, list[list[Any]]]] = [
    ({"link": "good"}, "green", [["all_sent", 0]]),
    ({"link": "offline"}, "amber", [["no_network", 0]]),
    ({"link": "opening"}, "amber", [["opening", 0]]),
    ({"link": "good", "waiting": 2}, "amber", [["waiting", 2]]),
    ({"link": "offline", "waiting": 1, "isLasting": False}, "amber", [["waiting_not_lasting", 1]]),
    ({"link": "good", "waiting": 2, "storing": 1}, "amber", [["storing", 1]]),
    ({"link": "good", "aside": 3}, "red", [["set_aside", 3]]),
    ({"link": "offline", "aside": 3, "waiting": 2}, "red", [["set_aside", 3], ["waiting", 2]]),
    ({"link": "good", "aside": 1, "storing": 1}, "red", [["set_aside", 1], ["storing", 1]]),
    ({"link": "dead", "waiting": 2}, "red", [["set_aside", 2]]),
    ({"link": "elsewhere", "aside": 1, "waiting": 2}, "red", [["set_aside", 3]]),
    ({"link": "dead"}, "amber", [["not_let_in", 0]]),
]


def test_the_light_is_green_only_if_all_is_with_the_tournament(shared_page: Page) -> None:
    shared_page.goto("/healthz")
    nothing = {"waiting": 0, "storing": 0, "aside": 0, "isLasting": True}
    shown = shared_page.evaluate(
        """async ([address, cases]) => {
            const { lightOf } = await import(address);
            return cases.map((one) => lightOf(one)).map(({ colour, says }) => [colour, says]);
        }""",
        [static("js/sheet/light.js"), [{**nothing, **case} for case, *_ in CASES]],
    )
    assert shown == [[colour, says] for _, colour, says in CASES]


def test_a_takeover_shows_red_until_it_is_decided_and_nothing_moves_under_the_finger(
    new_phone: NewPhone, table: Table
) -> None:
    first, second = new_phone(), new_phone(viewport={"width": 320, "height": 568})
    knock(first, 2)
    all_sent(first)
    expect(link_state(first)).to_have_attribute("data-light", "green")
    first.context.set_offline(True)
    for seat in (3, 4, 5):
        knock(first, seat)
    expect(link_state(first)).to_have_text("3 Einträge warten")
    expect(link_state(first)).to_have_attribute("data-light", "amber")
    second.get_by_role("button", name="Hier weiterschreiben").tap()
    expect(second.get_by_role("button", name="Geklopft – eintragen")).to_be_visible()
    first.context.set_offline(False)
    for page in (first, second):
        try_now(page)
        set_aside(page, 3)
        expect(link_state(page)).to_have_attribute("data-light", "red")
    assert deals(table) == [[2]]
    height = "document.querySelector('.phone-head').offsetHeight"
    before = second.evaluate(height)
    second.context.set_offline(True)
    knock(second, 3)
    expect(link_state(second)).to_have_text("3 zurückgestellt: Spielleitung holen · 1 Eintrag wartet")
    assert second.evaluate(height) == before
