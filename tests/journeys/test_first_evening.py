"""The organiser's first evening in a real browser, in the windows of four laptops."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.queries.standings import visible_standings
from tests.factories import a_played_round
from tests.journeys.access import violations
from tests.scoring.pages import Desk
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed")

NewWindow = Callable[[Desk], Page]


@pytest.fixture
def window(
    browser: Browser, browser_context_args: dict[str, Any], live_url: str, laptop: dict[str, Any]
) -> Iterator[NewWindow]:
    """Open the organiser's browser."""
    contexts: list[BrowserContext] = []

    def open_window(desk: Desk) -> Page:
        contexts.append(browser.new_context(**{**browser_context_args, **laptop}))
        session = desk.client.cookies["sessionid"].value
        contexts[-1].add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
        page = contexts[-1].new_page()
        page.set_default_timeout(8_000)
        page.goto(desk.url("overview"))
        return page

    yield open_window
    for context in contexts:
        context.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_half_past_eleven_after_two_rounds(window: NewWindow) -> None:
    """Round 3 is released, nobody sits down any more: it is taken back, the evening ends, and is resumed."""
    desk = Desk(6)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    desk.draw(3)
    page = window(desk)
    page.get_by_role("link", name="Turnier hier beenden …").click()
    expect(page.get_by_text("Die Spielrunde 3 wird noch gespielt")).to_be_visible()
    press(page, "Freigabe zurücknehmen")
    page.get_by_label("Begründung").fill("Der Wirt will heim")
    assert violations(page) == []
    press(page, "Turnier hier beenden")
    expect(page.get_by_text("Nach 2 Spielrunden beendet")).to_be_visible()
    expect(page.get_by_role("link", name="Endstand drucken")).to_be_visible()
    assert violations(page) == []

    hall = page.context.new_page()
    hall.goto(page.url.replace("/o/", "/t/"))
    expect(hall.get_by_role("heading", name="Endstand, beendet nach 2 Spielrunden")).to_be_visible()
    expect(hall.get_by_text("Der Wirt will heim")).to_have_count(0)
    press(page, "Doch weiterspielen")
    expect(page.get_by_role("link", name="Auslosung ansehen und freigeben")).to_be_visible()
    expect(hall.get_by_role("heading", name="Stand nach der 2. Spielrunde")).to_be_visible()
    hall.close()
    assert not visible_standings(desk.tournament.slug).final


def test_a_rehearsal_is_hidden_and_deleted(window: NewWindow) -> None:
    desk = Desk(6)
    page = window(desk)
    page.get_by_role("link", name="Einstellungen").click()
    page.get_by_label("Nicht auf der Startseite nennen").check()
    press(page, "Speichern")
    expect(page.get_by_text("Die Einstellungen sind gespeichert.")).to_be_visible()
    expect(page.get_by_label("Nicht auf der Startseite nennen")).to_be_checked()
    page.get_by_role("link", name="Turnier löschen …").click()
    page.get_by_label("Name des Turniers").fill("Preisschnauz")
    press(page, "Endgültig löschen")
    expect(page.get_by_text("So heißt das Turnier nicht.")).to_be_visible()
    expect(page.get_by_label("Name des Turniers")).to_have_value("Preisschnauz")
    assert violations(page) == []
    page.get_by_label("Name des Turniers").fill("Preisschnauzen")
    press(page, "Endgültig löschen")
    expect(page.get_by_text("„Preisschnauzen“ ist gelöscht.")).to_be_visible()
    assert not Tournament.objects.filter(pk=desk.tournament.pk).exists()


def test_the_prize_giving_comes_before_the_final_standings(window: NewWindow) -> None:
    desk = Desk(6)
    for number in (1, 2):
        a_played_round(desk.tournament, number)
    desk.post("freeze")
    a_played_round(desk.tournament, 3)
    page = window(desk)
    wall = page.context.new_page()
    wall.goto(f"/t/{desk.tournament.slug}/screen/")
    expect(wall.locator("#screen")).to_be_visible()
    page.reload()
    press(page, "Siegerehrung beginnen")
    expect(wall.get_by_role("heading", name="Siegerehrung")).to_be_visible()
    for rank in (3, 2, 1):
        expect(page.get_by_text(f"Als Nächstes Rang {rank}:")).to_be_visible()
        press(page, "Auf der Leinwand zeigen")
    expect(page.get_by_text("Alle Preise sind gezeigt.")).to_be_visible()
    assert not visible_standings(desk.tournament.slug).final
    page.goto(desk.url("overview"))
    press(page, "Endstand zeigen")
    expect(page.get_by_text("Alle sehen jetzt den Endstand.")).to_be_visible()
    page.goto(desk.url("overview"))
    for name in ("Endstand drucken", "Kasse abrechnen", "Sicherungskopie speichern"):
        expect(page.get_by_role("link", name=name)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Endstand drucken").click()
    expect(page.get_by_role("heading", name="Endstand")).to_be_visible()


def test_a_player_goes_home_in_mid_play(window: NewWindow) -> None:
    desk = Desk(6)
    desk.draw()
    page = window(desk)
    page.get_by_role("link", name="Anmeldung").first.click()
    row = page.locator("#row-4")
    row.get_by_text("Mehr").click()
    row.get_by_role("button", name="Geht heim: abmelden").click()
    expect(page.get_by_text("sitzt aber noch an Tisch 1")).to_be_visible()
    page.get_by_role("link", name="Platz eintragen").click()
    expect(page.get_by_role("button", name="Vom Tisch nehmen")).to_be_visible()
    desk.post("write", 1, 1, "stroke", seat_number="1", mark="schnauz")
    page.reload()
    assert violations(page) == []
    page.get_by_role("link", name="Zur Tischliste von Tisch 1").click()
    expect(page.get_by_role("heading", name="Tischliste Tisch 1")).to_be_visible()


def test_the_codes_lead_to_this_machine_only_and_the_pages_say_so(window: NewWindow) -> None:
    """The server of these journeys is such a one."""
    desk = Desk(6)
    page = window(desk)
    warning = page.get_by_text("Noch erreicht kein Handy dieses Programm")
    expect(warning).to_be_visible()
    expect(page.get_by_text("HOST=0.0.0.0 make run")).to_be_visible()
    assert violations(page) == []
    for name in ("Drucken", "Leinwand"):
        page.get_by_role("link", name=name).first.click()
        expect(warning).to_be_visible()
    wall = page.context.new_page()
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(f"/t/{desk.tournament.slug}/screen/")
    expect(wall.get_by_text("Dieser Code erreicht noch kein Handy")).to_be_visible()


def test_a_new_tournament_begins_with_its_name(window: NewWindow) -> None:
    page = window(Desk())
    title = f"Preisschnauz der Feuerwehr {uuid4().hex[:6]}"
    page.goto("/o/+/")
    name, fee = page.get_by_label("Name des Turniers"), page.get_by_label("Startgebühr in Euro")
    expect(name).to_be_in_viewport()
    expect(fee).to_be_hidden()
    name.fill(title)
    page.locator("summary", has_text="Geld und Regeln: Schnauz nach Plätzen").click()
    fee.fill("viel")
    name.press("Enter")
    expect(fee).to_have_value("viel")
    expect(fee).to_be_visible()
    press(page, "Nehmen (Preisschafkopf)")
    expect(page.locator("summary", has_text="Geld und Regeln: Preisschafkopf")).to_be_visible()
    expect(name).to_have_value(title)
    assert violations(page) == []
    press(page, "Turnier anlegen")
    expect(page.get_by_text("Das Turnier ist angelegt. Die Anmeldung ist offen.")).to_be_visible()


def test_no_player_gets_a_stroke_by_an_oversight(window: NewWindow) -> None:
    desk = Desk(6)
    desk.draw()
    page = window(desk)
    page.goto(desk.url("write", 1, 1, "stroke"))
    press(page, "Eintragen")
    expect(page.get_by_text("Bitte den Spieler auswählen.")).to_be_visible()
    expect(page.get_by_text("Bitte auswählen, wofür der Strich ist.")).to_be_visible()
    assert violations(page) == []
    with page.expect_popup() as opened:
        page.goto(desk.url("screens"))
        page.get_by_role("link", name="Leinwand öffnen").click()
    expect(opened.value.locator("#screen")).to_be_visible()
    expect(page.get_by_role("heading", name="Leinwand").first).to_be_visible()
