"""A table under rule sheet 3 on a scribe's phone: points of every hand, for a fixed number of deals (RULES 3)."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scoring.sheet_log import open_sheet
from tests.journeys.access import close_targets, small_targets, violations_in_all_colours
from tests.journeys.pads import key, taps_felt, write_values
from tests.journeys.phones import NAMES, NewPhone, all_sent, name_of, take_back_last, written
from tests.journeys.test_offline import opens_offline
from tests.rulesets import sheet_as
from tournaments.models import Table
from tournaments.rulesets.loader import preset
from tournaments.rulesets.sheets import HandPointsRules

FCE = preset("fce")
THREE_DEALS = replace(FCE, sheet=replace(sheet_as(FCE, HandPointsRules), deals=3))
pytestmark = [
    pytest.mark.usefixtures("committed", "without_worker"),
    pytest.mark.parametrize("table", [(THREE_DEALS, 5)], indirect=True),
]


def points(table: Table) -> list[dict[str, int]]:
    return [entry["points"] for entry in written(table) if entry["kind"] == "deal"]


def test_a_deal_is_a_value_for_every_player_and_after_the_last_the_sheet_is_handed_in(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    expect(page.get_by_text("1. von 3 Spielen, Anna gibt")).to_be_visible()
    named = page.locator(".pad__row").first.get_by_role("button")
    expect(named).to_have_text(["Schnauz 35", "Feuer 33", "Halbes 31"])
    for value in (7, 32, 34, 36, 14, 22):  # no hand has these values (RULES 3.3)
        expect(key(page, value)).to_have_count(0)
    hand_in = page.get_by_role("button", name="Blatt abgeben")
    expect(hand_in).to_have_count(0)
    before = taps_felt(page)
    write_values(page, 35, 30, 21, 8, 33)
    assert taps_felt(page) - before == 6, "a tap for each player, and one for the deal"

    expect(page.get_by_text("2. von 3 Spielen, Bernd gibt")).to_be_visible()
    expect(name_of(page, 1)).to_contain_text("35 Punkte")
    expect(name_of(page, 1).get_by_role("img", name="1 Strich")).to_be_visible()
    expect(hand_in).to_have_count(0)
    write_values(page, 10, 31, 21, 8, 20)
    expect(name_of(page, 1)).to_contain_text("45 Punkte")
    expect(hand_in).to_have_count(0)
    all_sent(page)
    assert points(table) == [
        {"1": 35, "2": 30, "3": 21, "4": 8, "5": 33},
        {"1": 10, "2": 31, "3": 21, "4": 8, "5": 20},
    ]

    write_values(page, 20, 20, 20, 20, 20)
    rows = page.locator(".result__row")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text(NAMES[1])
    expect(rows.first).to_contain_text("81 Punkte")
    page.locator("button.result__row").filter(has_text=NAMES[0]).tap()
    page.wait_for_timeout(550)  # the second of two quick taps does not submit
    hand_in.tap()
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)
    log = open_sheet(table.pk).log
    assert (log.status, {score.seat_number: score.points for score in log.results}) == (
        "submitted",
        {1: 65, 2: 81, 3: 62, 4: 36, 5: 73},
    )


def test_sheet_3_a_volunteer_writes_if_the_whole_table_agrees(new_phone: NewPhone, table: Table) -> None:
    """RULES 3.1: one step that names all players; what is missing is said, and nothing chosen is lost."""
    page = new_phone()
    expect(page.get_by_text("Es schreibt Anna Berger.")).to_be_visible()
    page.get_by_role("button", name="Jemand anders soll schreiben").tap()
    give = page.get_by_role("button", name="Das Schreiben weitergeben")
    give.tap()
    expect(page.get_by_role("alert")).to_have_text("Bitte auswählen, wer ab jetzt schreibt.")
    page.get_by_label("Wer schreibt ab jetzt?").select_option("Clara Egger")
    give.tap()
    expect(page.get_by_role("alert")).to_contain_text("nur, wenn alle am Tisch einverstanden sind")
    page.get_by_label(f"Alle am Tisch sind einverstanden: {', '.join(NAMES[:4])} und {NAMES[4]}").check()
    page.context.set_offline(True)
    give.tap()
    expect(page.get_by_role("alert")).to_contain_text("Dafür braucht es eine Verbindung.")
    page.context.set_offline(False)
    give.tap()
    expect(page.locator("#main").get_by_text("Es schreibt Clara Egger; alle am Tisch")).to_be_visible()
    expect(give).to_have_count(0)
    scribe = Table.objects.get(pk=table.pk)
    assert (scribe.scribe and scribe.scribe.name, scribe.scribe_agreed) == ("Clara Egger", True)
    other = new_phone()
    expect(other.get_by_text("Es schreibt Clara Egger; alle am Tisch")).to_be_visible()
    expect(other.get_by_role("button", name="Jemand anders soll schreiben")).to_have_count(0)
    write_values(page, 9, 9, 9, 9, 8)  # the pen stays with this phone
    expect(page.get_by_text("2. von 3 Spielen")).to_be_visible()
    all_sent(page)
    assert len(points(table)) == 1


def test_a_slip_of_the_finger_is_mended_before_the_deal_and_after_it(
    new_phone: NewPhone, table: Table
) -> None:
    """There are only four aces, so that a second Feuer is a slip. A Feuer on the table is nobody's stroke."""
    page = new_phone()
    key(page, 33).tap()
    key(page, 33).tap()
    expect(page.get_by_role("alert")).to_contain_text("höchstens ein Feuer")
    expect(page.get_by_text("Bernd: wie viele Punkte?")).to_have_count(0)
    key(page, 30).tap()
    expect(name_of(page, 2)).to_contain_text("30")
    assert written(table) == []
    for value in (30, 30, 30):
        key(page, value).tap()
    name_of(page, 1).tap()
    key(page, 30).tap()
    name_of(page, 2).tap()
    key(page, 31).tap()
    page.get_by_role("button", name="1. Spiel eintragen").tap()
    expect(page.get_by_text("1. Spiel: Anna Berger 30, Bernd Dorn 31, Clara Egger 30").first).to_be_visible()
    take_back_last(page)
    expect(page.get_by_text("1. von 3 Spielen")).to_be_visible()
    write_values(page, 9, 9, 9, 9, 8)
    page.get_by_role("button", name="Tischfeuer").tap()
    write_values(page, 35, 30, 21, 8, 20)
    expect(page.get_by_text("2. Spiel, Tischfeuer: Anna Berger 35").first).to_be_visible()
    all_sent(page)
    expect(name_of(page, 1).get_by_role("img", name="1 Strich")).to_have_count(0)
    facts = [fact.data for fact in open_sheet(table.pk).log.facts]
    assert [fact["points"]["5"] for fact in facts] == [8, 20]
    assert [fact.get("ended_by") for fact in facts] == [None, "table_feuer"]


def test_the_pad_is_there_when_the_page_opens_without_a_network(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(service_workers="allow")
    all_sent(page)
    opens_offline(page)
    page.context.set_offline(True)
    write_values(page, 35, 30, 21, 8, 33)
    expect(page.get_by_text("2. von 3 Spielen")).to_be_visible()
    page.reload()
    expect(page.get_by_text("2. von 3 Spielen")).to_be_visible()
    write_values(page, 10, 31, 21, 8, 20)
    expect(page.get_by_text("3. von 3 Spielen")).to_be_visible()
    page.context.set_offline(False)
    all_sent(page)
    assert [fact["1"] for fact in points(table)] == [35, 10]


def test_everybody_can_use_the_pad_in_light_and_dark(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(viewport={"width": 320, "height": 640})
    expect(key(page, 30)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert small_targets(page, "button", 48) == []
    assert close_targets(page, ".pad__key") == []
    found = {"empty": violations_in_all_colours(page)}
    for value in (35, 33, 31, 8, 30):
        key(page, value).tap()
    found["full"] = violations_in_all_colours(page)
    page.get_by_role("button", name="1. Spiel eintragen").tap()
    all_sent(page)
    key(page, 20).tap()
    found["next"] = violations_in_all_colours(page)
    assert {state: rules for state, rules in found.items() if rules} == {}
