"""A table under rule sheet 5 on a scribe's phone: three taps a deal, and the list in the form of its sample (RULES 5)."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from scoring.organiser.kinds.registry import organiser_kind
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests import labels
from tests.factories import AT
from tests.journeys.access import close_targets, small_targets, violations_in_all_colours
from tests.journeys.pads import write_game
from tests.journeys.phones import (
    NAMES,
    NewPhone,
    all_sent,
    confirm_each,
    have_dealt,
    name_of,
    take_back_last,
    try_now,
    written,
)
from tests.rulesets import sheet_as
from tests.scoring.core.test_plus_minus import THE_SAMPLE
from tests.scoring.core.writing import Line, ruf, solo
from tournaments.models import Round, Table
from tournaments.rulesets.loader import preset
from tournaments.rulesets.sheets import PlusMinusRules
from tournaments.services.rounds import give_start_sign

SCHAFKOPF = preset("schafkopf")
TWELVE_DEALS = replace(
    SCHAFKOPF, scribe_takes_back="latest_deal", sheet=replace(sheet_as(SCHAFKOPF, PlusMinusRules), deals=12)
)
pytestmark = [
    pytest.mark.usefixtures("committed", "without_worker"),
    pytest.mark.parametrize("table", [(TWELVE_DEALS, 4)], indirect=True),
]


def write_deal(page: Page, line: Line) -> int:
    return write_game(page, line.data, lambda seat: name_of(page, seat))


def footing(page: Page) -> list[list[str]]:
    return cells(page, "tfoot")


def body(page: Page) -> list[list[str]]:
    return cells(page, "tbody")


def cells(page: Page, part: str) -> list[list[str]]:
    script = "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.innerText.trim()))"
    found: list[list[str]] = page.locator(f".deal-list {part} tr").evaluate_all(script)
    return found


def test_the_sample_list_of_the_rule_sheet_in_three_taps_a_deal(new_phone: NewPhone, table: Table) -> None:
    """RULES 5.4; the Tout of deal 7 waits for the supervisor's mark (RULES 5.3), all players confirm (RULES 5.6)."""
    page = new_phone()
    for number, deal in enumerate(THE_SAMPLE, start=1):
        expect(page.get_by_text(f"{number}. Spiel: Wer spielt?")).to_be_visible()
        assert write_deal(page, deal) == 3
    expect(
        page.get_by_text("Spiel 7: Der Tout zählt erst, wenn ihn die Aufsicht abgezeichnet hat.")
    ).to_be_visible()
    all_sent(page)
    expect(page.get_by_text("Bitte prüfen alle am Tisch mit.")).to_be_visible()
    expect(page.get_by_text("Alle 12 Spiele sind eingetragen.")).to_be_visible()
    expect(page.locator(".action-bar__hint")).to_contain_text(
        "Es fehlt noch das Zeichen der Aufsicht für Spiel 7."
    )
    expect(page.get_by_text("Wer spielt?")).to_have_count(0)
    expect(page.locator("button.seat-row__name")).to_have_count(0)

    tout = next(entry for entry in open_sheet(table.pk).log.entries if entry.data.get("level") == "tout")
    sheets.write(table, [("approved", {"entry": tout.id})], by="aufsicht", at=AT)
    try_now(page)
    expect(page.get_by_role("heading", name="Ergebnis")).to_be_visible()
    assert footing(page) == [
        ["11", "25", "14", "18", "17", "15", "30", "14"],
        ["–", "11", "–", "14", "15", "–", "14", "–"],
        ["−14", "−4", "+2", "+16"],
    ]
    expect(page.get_by_role("button", name="Blatt abgeben")).to_be_disabled()
    page.locator("button.result__row").filter(has_text=NAMES[0]).tap()
    expect(page.locator("button.result__row")).to_have_count(3)
    confirm_each(page)
    page.get_by_role("button", name="Blatt abgeben").tap()
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)
    log = open_sheet(table.pk).log
    assert [score.points for score in log.results] == [-14, -4, 2, 16]
    assert log.status == "submitted"


def test_the_list_is_written_as_on_the_sample_and_as_on_paper(new_phone: NewPhone, table: Table) -> None:
    """RULES 5.4: a dash in an empty column; if the columns are equal, plus has the deduction, as on paper.

    The whole list is a tap away and stays open.
    """
    page = new_phone(viewport={"width": 320, "height": 640})
    write_deal(page, ruf(1, 2))
    write_deal(page, ruf(1, 3, won=False))
    rows = page.locator(".deal-list tbody tr")
    expect(rows).to_have_count(2)
    assert body(page) == [["1", "–", "1", "–", "–", "1", "–", "1"], ["–", "1", "1", "–", "–", "1", "1", "–"]]
    assert footing(page) == [
        ["1", "1", "2", "0", "0", "2", "1", "1"],
        ["1", "–", "0", "–", "–", "0", "1", "–"],
        ["0", "+2", "−2", "0"],
    ]
    all_sent(page)
    log = open_sheet(table.pk).log
    columns = organiser_kind(log.ruleset).columns(log, (1, 2, 3, 4))
    on_paper = [text for one in columns for text in (one.plus_deduction, one.minus_deduction)]
    assert on_paper == footing(page)[1]

    have_dealt(page, *[ruf(1, 2).data] * 4)
    expect(page.get_by_role("button", name="Alle 6 Spiele zeigen")).to_be_visible()
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Alle 6 Spiele zeigen").tap()
    expect(rows).to_have_count(6)
    write_deal(page, solo(3))
    expect(rows).to_have_count(7)
    expect(rows.locator(".circled")).to_have_text(["7"])  # sheet 5: Solos and Wenz are circled
    expect(page.get_by_role("button", name="Nur die letzten Spiele zeigen")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    frame = "frame => frame.scrollWidth <= frame.clientWidth"
    assert page.locator(".deal-list__frame").evaluate(frame)


def test_in_the_first_deal_there_is_no_tout_and_an_objection_to_it_falls_with_the_next(
    new_phone: NewPhone, table: Table
) -> None:
    """RULES 5.5."""
    page = new_phone()
    name_of(page, 1).tap()
    page.get_by_role("button", name="Wenz", exact=True).tap()
    expect(page.locator(".action-bar__hint")).to_contain_text("Im 1. Spiel nicht: Durch, Tout.")
    page.get_by_role("button", name="Gewonnen, Tout").tap(force=True)  # dimmed, but a tap shows the reason
    expect(page.get_by_role("alert")).to_contain_text("Im ersten Spiel")
    page.get_by_role("button", name="Gewonnen, Schneider").tap()
    all_sent(page)
    assert [(entry["game"], entry["level"]) for entry in written(table)] == [("wenz", "schneider")]

    page.get_by_role("button", name="Einspruch erheben").tap()
    page.get_by_label("Wer erhebt Einspruch?").select_option(index=1)
    page.get_by_label("Was stimmt nicht?").fill("Es war nicht Schneider")
    page.get_by_role("button", name="Einspruch erheben").last.tap()
    expect(page.get_by_text("Es war nicht Schneider").first).to_be_visible()
    all_sent(page)
    assert open_sheet(table.pk).log.status == "objected"
    write_deal(page, ruf(1, 2, won=False))
    all_sent(page)
    assert open_sheet(table.pk).log.status == "open"


def test_the_scribe_takes_back_the_latest_deal_and_no_other_where_the_club_allows_it(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    write_deal(page, ruf(1, 2))
    all_sent(page)
    assert len(written(table)) == 1
    write_deal(page, solo(3))
    expect(page.locator(".entries").get_by_role("button", name=labels.TAKE_BACK)).to_have_count(1)
    take_back_last(page)
    expect(name_of(page, 3)).to_contain_text("−1")
    write_deal(page, solo(3, won=False))
    all_sent(page)
    assert [score.points for score in open_sheet(table.pk).log.results] == [3, 3, -7, 1]


def test_a_deal_that_the_supervisor_has_corrected_has_no_button(new_phone: NewPhone, table: Table) -> None:
    """RULES 5.5: neither in the list of entries nor below it; the next deal has buttons again."""
    page = new_phone()
    write_deal(page, ruf(1, 2))
    expect(page.get_by_role("button", name=labels.TAKE_BACK)).to_have_count(2)
    all_sent(page)
    deal = open_sheet(table.pk).log.entries[0]
    data = {"entry": deal.id, "data": dict(ruf(1, 3).data), "reason": "Verschrieben"}
    sheets.write(table, [("corrected", data)], by="aufsicht", at=AT)
    try_now(page)
    expect(page.get_by_text("2. Spiel: Wer spielt?")).to_be_visible()
    expect(page.get_by_role("button", name=labels.TAKE_BACK)).to_have_count(0)
    write_deal(page, solo(3))
    expect(page.get_by_role("button", name=labels.TAKE_BACK)).to_have_count(2)


def test_sheet_5_the_phone_waits_for_the_sign_and_says_when_it_came(
    new_phone: NewPhone, table: Table
) -> None:
    """All tables start at a sign; the phone says so without reloading, and has no buttons before it."""
    Round.objects.filter(pk=table.round_id).update(started_at=None)
    page = new_phone()
    waits = page.get_by_text("Noch nicht anfangen: Das Zeichen kommt für alle Tische zugleich.")
    expect(waits).to_be_visible()
    expect(page.locator(".action-bar__hint")).to_have_text("Geschrieben wird ab dem Zeichen.")
    expect(page.locator("button.seat-row__name")).to_have_count(0)
    assert violations_in_all_colours(page) == {}
    give_start_sign(table.round.tournament, 1, at=AT)
    expect(page.get_by_text("Es geht los! Das Zeichen kam um 19:30 Uhr.")).to_be_visible()
    expect(waits).to_have_count(0)
    write_deal(page, ruf(1, 2))
    expect(page.get_by_text("Es geht los!")).to_have_count(0)


def test_sheet_5_what_a_phone_without_a_network_wrote_before_the_sign_is_kept_and_taken_after_it(
    new_phone: NewPhone, table: Table
) -> None:
    Round.objects.filter(pk=table.round_id).update(started_at=None)
    page = new_phone()
    expect(page.get_by_text("Noch nicht anfangen")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("button.seat-row__name")).to_have_count(4)
    write_deal(page, ruf(1, 2))
    write_deal(page, solo(3))
    page.context.set_offline(False)
    kept = page.get_by_text("Das Zeichen zum Anfangen ist noch nicht gegeben.")
    expect(kept).to_have_count(2)
    assert written(table) == []
    give_start_sign(table.round.tournament, 1, at=AT)
    expect(kept).to_have_count(0)
    all_sent(page)
    assert [entry["game"] for entry in written(table)] == ["ruf", "solo"]


def test_everybody_can_use_it_in_light_and_dark(new_phone: NewPhone, table: Table) -> None:
    # so high that the bar at its foot cuts no button in two, whose half would count as a small target
    page = new_phone(viewport={"width": 320, "height": 2000})
    name_of(page, 1).tap()
    found = {"who": violations_in_all_colours(page)}
    page.get_by_role("button", name="Solo", exact=True).tap()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert small_targets(page, ".seat-row__name", 64) == small_targets(page, "button", 48) == []
    assert close_targets(page, ".pad__key") == []
    found["how"] = violations_in_all_colours(page)
    page.get_by_role("button", name="Verloren, Schneider").tap()
    write_deal(page, solo(2, level="tout"))
    expect(page.get_by_text("Spiel 2: Der Tout zählt erst")).to_be_visible()
    all_sent(page)
    found["list"] = violations_in_all_colours(page)
    assert {state: rules for state, rules in found.items() if rules} == {}


def test_a_game_may_be_tapped_before_its_player_but_not_with_the_second_tap_of_two(
    new_phone: NewPhone, table: Table
) -> None:
    """The outcomes make room for the games of the next deal, which a hand that taps twice would hit."""
    page = new_phone()
    all_sent(page)
    solo_button = page.get_by_role("button", name="Solo", exact=True)
    solo_button.tap()
    expect(solo_button).to_have_attribute("aria-pressed", "true")
    name_of(page, 3).tap()
    outcome = page.get_by_role("button", name="Gewonnen, Schneider")
    outcome.evaluate(
        """async (button) => {
            button.click();
            for (let games = null; !games; games = document.querySelector(".action-bar__games button")) {
                await new Promise(requestAnimationFrame);
            }
            document.querySelector(".action-bar__games button").click();
        }"""
    )
    expect(page.get_by_text("2. Spiel: Wer spielt?")).to_be_visible()
    expect(solo_button).to_have_attribute("aria-pressed", "false")
    all_sent(page)
    assert [(deal["game"], deal["declarer"], deal["level"]) for deal in written(table)] == [
        ("solo", 3, "schneider")
    ]
