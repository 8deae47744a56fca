"""The scribe's phone in a real browser: a round written deal by deal, or strokes and ranks only."""

import re
from itertools import count, pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from scoring.core.marks import mark_of
from scoring.phone.assets import MODULES
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests import labels
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.journeys.evening import NewPage
from tests.journeys.held import SlowServer
from tests.journeys.phones import (
    PHONE,
    NewPhone,
    all_sent,
    decided_by_the_supervisor,
    feuer,
    have_knocked,
    knock,
    knock_each,
    link_to,
    mark,
    name_of,
    ranks,
    take_back_last,
    try_now,
    written,
)
from tournaments import links
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "without_worker")


def shows_mark(page: Page, table: Table) -> None:
    mark = mark_of(open_sheet(table.pk).digest)
    expect(page.locator(".action-bar__mark")).to_have_text(f"Prüfzeichen {mark}")


def test_a_round_is_written_deal_by_deal(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    assert page.url.endswith("/s/")  # the secret is no longer in the address

    knock(page, 4)
    take_back_last(page)
    knock_each(page, *[(4,)] * 4)
    expect(page.locator("[data-fate=drowned]").first).to_contain_text("untergegangen – Rang 6, 1 Punkt")
    mark(page, 3, "Schnauz").tap()
    name_of(page, 2).tap()
    name_of(page, 6).tap()
    expect(page.locator(".action-bar__hint")).to_have_text(
        "Schnauz: Clara. Bernd und Franz geben je ein Leben."
    )
    page.get_by_role("button", name="Schnauz – eintragen").tap()
    feuer(page, 3)
    mark(page, 5, "Schnauz").tap()
    page.get_by_role("button", name="Handschnauz: alle anderen verlieren").tap()
    expect(page.locator("[data-fate=swimming]").first).to_contain_text("schwimmt")
    knock(page, 2, 6)
    knock_each(page, (1,), (1,), (5,), (5,), (5,))

    expect(page.get_by_role("heading", name="Ergebnis")).to_be_visible()
    expect(page.locator(".result__row").first).to_contain_text("Clara Egger")
    expect(page.locator(".result__row").first).to_contain_text("bekommt 3,00 €")
    expect(page.get_by_text("Rang 4 teilen sich")).to_have_text(
        "Rang 4 teilen sich Bernd Dorn und Franz Huber: im selben Spiel untergegangen. "
        "Alle bekommen 2 Punkte, Rang 5 entfällt."
    )
    page.get_by_role("button", name=re.compile("Rang 3 Anna Berger .*3 Punkte – stimmt")).tap()
    expect(page.locator(".result__word[data-confirmed]")).to_have_count(1)
    page.wait_for_timeout(550)
    page.get_by_role("button", name="Blatt abgeben").tap()
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)
    shows_mark(page, table)
    expect(page.get_by_role("button", name=labels.TAKE_BACK)).to_have_count(0)

    deals = [fact.data for fact in open_sheet(table.pk).log.facts]
    assert deals == [
        *[{"losers": [4], "ended_by": "knock", "finisher": None}] * 4,
        {"losers": [2, 6], "ended_by": "schnauz", "finisher": 3},
        {"losers": [1, 2, 5, 6], "ended_by": "feuer", "finisher": 3},
        {"losers": [1, 2, 3, 6], "ended_by": "handschnauz", "finisher": 5},
        {"losers": [2, 6], "ended_by": "knock", "finisher": None},
        *[{"losers": [1], "ended_by": "knock", "finisher": None}] * 2,
        *[{"losers": [5], "ended_by": "knock", "finisher": None}] * 3,
    ]
    assert ranks(table) == {1: 3, 2: 4, 3: 1, 4: 6, 5: 2, 6: 4}

    sheets.write(table, [("accepted", {})], by="spielleitung", at=AT)
    expect(page.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
    shows_mark(page, table)


def test_a_table_without_deals_taps_strokes_and_then_names_with_a_network_or_without(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Nur Striche und Ränge").tap()
    for _ in range(5):
        mark(page, 2, "Schnauz").tap()
    mark(page, 5, "Feuer").tap()
    mark(page, 1, "Feuer").tap()
    expect(page.get_by_role("img", name="1 Strich")).to_have_count(2)
    expect(page.locator(".link-state")).to_have_text("7 Einträge warten")
    assert written(table) == []
    page.context.set_offline(False)
    all_sent(page)
    assert written(table) == [
        *[{"kind": "stroke", "seat_number": 2, "mark": "schnauz"}] * 5,
        {"kind": "stroke", "seat_number": 5, "mark": "feuer"},
        {"kind": "stroke", "seat_number": 1, "mark": "feuer"},
    ]
    take_back_last(page)
    expect(page.get_by_role("img", name="5 Striche")).to_be_visible()

    page.get_by_role("button", name="Ränge eintragen").tap()
    for seat in (2, 5, 1):
        name_of(page, seat).tap()
    name_of(page, 1).tap()  # a slip: the next player is tapped first
    for seat in (6, 1, 3):
        name_of(page, seat).tap()
    page.get_by_role("button", name="gleich: zusammen mit Anna Berger untergegangen").tap()
    page.get_by_role("button", name="Ränge eintragen").tap()

    expect(page.get_by_text("Rang 4 teilen sich")).to_have_text(
        "Rang 4 teilen sich Anna Berger und Clara Egger. Alle bekommen 2 Punkte, Rang 5 entfällt."
    )
    all_sent(page)
    assert ranks(table) == {2: 1, 5: 2, 6: 3, 1: 4, 3: 4, 4: 6}
    assert [score.strokes for score in open_sheet(table.pk).log.results] == [0, 5, 0, 0, 1, 0]


def test_an_objection_needs_a_player_and_words_and_stops_the_hand_in_until_it_is_taken_back(
    new_phone: NewPhone, table: Table
) -> None:
    decided_by_the_supervisor(table)
    page = new_phone()
    page.get_by_role("button", name="Einspruch erheben").tap()
    expect(page.get_by_label("Wer erhebt Einspruch?")).to_have_value("")
    page.get_by_label("Was stimmt nicht?").fill("Ich war vor Dieter draußen")
    page.get_by_role("button", name="Einspruch erheben").last.tap()
    expect(page.get_by_role("alert")).to_have_text("Bitte auswählen, wer Einspruch erhebt.")
    expect(page.get_by_label("Was stimmt nicht?")).to_have_value("Ich war vor Dieter draußen")
    page.get_by_label("Wer erhebt Einspruch?").select_option("Eva Gruber")
    page.get_by_label("Was stimmt nicht?").fill("")
    page.get_by_role("button", name="Einspruch erheben").last.tap()
    expect(page.get_by_role("alert")).to_contain_text("1 bis 500 Zeichen")
    page.get_by_label("Was stimmt nicht?").fill("Ich war vor Dieter draußen")
    page.get_by_role("button", name="Einspruch erheben").last.tap()

    expect(page.get_by_role("button", name="Blatt abgeben")).to_be_disabled()
    expect(page.locator(".action-bar__hint")).to_contain_text("Ein Einspruch ist noch offen (Eva Gruber).")
    all_sent(page)
    log = open_sheet(table.pk).log
    assert (log.status, [stands.seat_number for stands in log.objections]) == ("objected", [5])

    expect(page.locator(".action-bar").get_by_role("button", name="Spiel")).to_have_count(0)
    expect(page.locator(".action-bar__back")).to_have_text("Einspruch zurücknehmen")
    take_back_last(page)
    expect(page.locator(".action-bar__back")).to_have_text("Spiel 20 zurücknehmen")
    expect(page.get_by_role("button", name="Blatt abgeben")).to_be_enabled()
    all_sent(page)
    assert [entry["kind"] for entry in written(table)] == [*["deal"] * 20, "objected", "voided"]


def test_a_deal_that_would_drown_everybody_says_why_it_is_not_written(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    have_knocked(page, *[(seat,) for seat in (6, 5, 4, 3) for _ in range(4)], *[(1, 2)] * 3)
    name_of(page, 1).tap()
    name_of(page, 2).tap()

    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_disabled()
    expect(page.locator(".action-bar__hint")).to_contain_text("Damit wären alle untergegangen")


def test_a_dead_link_says_what_to_do(new_phone: NewPhone, live_url: str) -> None:
    page = new_phone()
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto("/s/#1-aaaa")

    expect(page.get_by_text("Dieser Link gilt nicht mehr.")).to_be_visible()
    for _ in range(2):  # the second question follows when the first answer is drawn
        with page.expect_response("**/s/sheet"):
            try_now(page)
    expect(page.get_by_text("Dieser Link gilt nicht mehr.")).to_be_visible()
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_have_count(0)


def test_every_target_is_large_enough_at_320_pixels(new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 320, "height": 640})
    knock(page, 1)
    mark(page, 2, "Schnauz").tap()
    expect(page.get_by_text("Schnauz: Bernd. Wer hat verloren?")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") == 320
    for kind, least in ((".stroke", 64), (".seat-row__name", 64), ("button", 48)):
        boxes = boxes_of(page.locator(f"{kind}:visible"))
        assert boxes
        assert [box for box in boxes if min(box["width"], box["height"]) < least] == []
    rows = boxes_of(page.locator(".seat-row"))
    assert [a for a, b in pairwise(rows) if b["y"] - a["y"] - a["height"] < 8] == []
    cells = boxes_of(page.locator(".seat-row").first.locator("button"))
    assert [a for a, b in pairwise(cells) if b["x"] - a["x"] - a["width"] < 8] == []


def boxes_of(locator: Locator) -> list[FloatRect]:
    """Return where the elements stand, in one question to the browser."""
    boxes: list[FloatRect] = locator.evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON())"
    )
    return boxes


def test_no_name_moves_under_the_finger_while_entries_are_stored_and_sent(new_phone: NewPhone) -> None:
    page = new_phone()
    all_sent(page)
    page.evaluate(
        """() => {
          window.heights = new Set();
          const look = () => {
            window.heights.add(document.querySelector(".phone-head").offsetHeight);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    heights, deals = {}, count(2)
    for width in (320, 360, 430):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.evaluate("() => heights.clear()")
        for seat in (1, 2):
            knock_each(page, (seat,))
            expect(page.get_by_text(f"{next(deals)}. Spiel: Wer hat verloren?")).to_be_visible()
            all_sent(page)
        page.context.set_offline(True)
        knock_each(page, (3,))
        expect(page.locator(".link-state")).to_have_text("1 Eintrag wartet")
        expect(page.get_by_text(f"{next(deals)}. Spiel: Wer hat verloren?")).to_be_visible()
        page.context.set_offline(False)
        all_sent(page)
        heights[width] = page.evaluate("() => [...heights]")
    assert {width: seen for width, seen in heights.items() if len(seen) != 1} == {}


@pytest.mark.parametrize("table", [(preset("knockout"), 6)], indirect=True)
def test_rules_4_2_the_result_says_who_goes_on_except_in_the_final(new_phone: NewPhone, table: Table) -> None:
    """RULES 4.2: the best two of a table, and who shares the second rank; where there is one table, its winner has won."""
    tournament = TournamentFactory.create(slug="pokal", ruleset=preset("knockout").to_dict())
    ParticipantFactory.create_batch(12, tournament=tournament)
    first = a_round(tournament).tables.get(number=1)
    lost = [[6], [5], [4], [2, 3]]
    deals = [("deal", {"losers": losers, "ended_by": "knock", "finisher": None}) for losers in lost]
    sheets.write(first, [deal for deal in deals for _ in range(4)], by="spielleitung", at=AT)
    decided_by_the_supervisor(table)
    page = new_phone(address=link_to(first))
    expect(page.locator(".phone-head__where")).to_have_text("1. Spielrunde")
    fates = ["kommt weiter"] * 3 + ["scheidet aus"] * 3
    expect(page.locator(".result__more")).to_have_text(fates)
    expect(page.get_by_text(re.compile("^Rang 2 teilen sich [^:]+\\.$"))).to_be_visible()
    final = new_phone()
    expect(final.locator(".phone-head__where")).to_have_text("Finale")
    expect(final).to_have_title("Tisch 1, Finale")
    expect(final.locator(".result__more")).to_have_text([""] * 6)


def test_the_first_load_is_small(
    browser: Browser, browser_context_args: dict[str, Any], table: Table
) -> None:
    """Everything comes over the wire: no cache, no service worker that loads the same files."""
    context = browser.new_context(**{**browser_context_args, **PHONE}, service_workers="block")
    page = context.new_page()
    asked: dict[str, str] = {}
    received: dict[str, int] = {}  # by address: a repeated request is not part of the first load

    def arrived(event: dict[str, Any]) -> None:
        address = asked[event["requestId"]]
        received[address] = max(event["encodedDataLength"], received.get(address, 0))

    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    network.on(
        "Network.requestWillBeSent", lambda sent: asked.update({sent["requestId"]: sent["request"]["url"]})
    )
    network.on("Network.loadingFinished", arrived)
    page.goto(f"/s/#{links.sheet_secret(table.pk, table.link_version)}")
    all_sent(page)
    expect(name_of(page, 1)).to_be_visible()  # the module of this kind of sheet has arrived
    page.wait_for_load_state("networkidle")
    context.close()

    needed = [*MODULES, "js/sheet/main.js", "js/sheet/survival_view.js"]
    addresses = " ".join(received)  # with a hash before the suffix
    assert [name for name in needed if f"/{name.removesuffix('.js')}." not in addresses] == []
    assert set(asked.values()) == set(received)
    assert min(received.values()) > 0
    assert sum(received.values()) < 60_000, received


def test_no_script_or_style_is_refused_and_nothing_comes_from_elsewhere(
    new_phone: NewPhone, live_url: str
) -> None:
    page = new_phone(service_workers="allow")
    messages: list[str] = []
    requested: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("request", lambda request: requested.append(request.url))
    page.reload()
    all_sent(page)
    knock(page, 1)
    all_sent(page)

    assert messages == []
    assert [url for url in requested if not url.startswith(live_url)] == []


def test_it_can_be_played_with_the_keyboard_and_read_in_english(new_phone: NewPhone) -> None:
    page = new_phone()
    all_sent(page)
    name_of(page, 2).focus()
    page.keyboard.press("Space")
    expect(name_of(page, 2)).to_have_attribute("aria-pressed", "true")
    expect(name_of(page, 2)).to_be_focused()
    page.get_by_role("button", name="Geklopft – eintragen").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("1. Spiel: geklopft, Bernd Dorn verliert")

    all_sent(page)
    page.get_by_role("button", name="English").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible()


def test_the_other_language_is_chosen_once_the_page_is_at_work(new_page: NewPage, table: Table) -> None:
    page = new_page({**PHONE, "service_workers": "block"})
    script = SlowServer(page, "**/js/sheet/main*.js")
    page.goto(link_to(table), wait_until="commit")
    english = page.get_by_role("button", name="English")
    expect(english).to_be_disabled()
    script.answers()
    english.tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
