"""After the end of a round the phone goes on: accepted, over, the next seat of its owner; and a scan asks before it takes the pen."""

import re

import pytest
from playwright.sync_api import expect

from scoring.services import sheets
from scoring.services.rounds import close
from tests.factories import AT, a_paper_sheet, a_round
from tests.journeys.phones import NAMES, NewPhone, all_sent, deals, knock, link_to, try_now
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "without_worker")


def test_the_owner_learns_of_the_next_seat_once_it_is_released(new_phone: NewPhone, table: Table) -> None:
    tournament = table.round.tournament
    anna = table.seats.get(seat_number=1).participant
    page = new_phone(
        before=f"localStorage.setItem('me:{tournament.slug}', '{anna.start_number}')\n"
        "const real = performance.now.bind(performance);\n"
        "performance.now = () => real() * 1000;  // the page looks again without a wait"
    )
    all_sent(page)
    a_paper_sheet(table)
    try_now(page)
    after = page.locator("section", has=page.get_by_role("heading", name="Angenommen"))
    expect(after).to_contain_text("Hier steht Ihr nächster Platz, sobald er feststeht.")

    close(tournament, 1, at=AT)
    drawn = a_round(tournament, 2, released=False)
    try_now(page)
    expect(page.get_by_role("heading", name="Die Runde ist vorbei")).to_be_visible()
    expect(page.get_by_text("2. Spielrunde für")).to_have_count(0)  # nothing that is not released

    drawn.state = drawn.State.RELEASED
    drawn.released_at = AT
    drawn.save()
    seat = anna.seats.get(round=drawn)
    expect(
        page.get_by_text(
            f"2. Spielrunde für {NAMES[0]}: Tisch {seat.table.number}, Platz-Nr. {seat.seat_number}"
        )
    ).to_be_visible()
    page.get_by_role("link", name="Zur Spielerseite").tap()
    expect(page).to_have_url(re.compile(f"/t/{tournament.slug}/$"))


def test_a_phone_of_nobody_known_leads_to_the_players_page(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    a_paper_sheet(table)
    try_now(page)
    expect(page.get_by_text("Ihr nächster Platz steht auf der Spielerseite")).to_be_visible()
    expect(page.get_by_role("link", name="Zur Spielerseite")).to_be_visible()


def test_a_scan_of_a_closed_round_says_so_and_leads_to_the_players_page(
    new_phone: NewPhone, table: Table
) -> None:
    tournament = table.round.tournament
    a_paper_sheet(table)
    close(tournament, 1, at=AT)
    page = new_phone(address=link_to(table), heading="Tischliste")
    expect(page.get_by_text("Die 1. Spielrunde ist abgeschlossen, ihr Code gilt nicht mehr.")).to_be_visible()
    page.get_by_role("link", name="Zur Spielerseite").tap()
    expect(page).to_have_url(re.compile(f"/t/{tournament.slug}/$"))


def test_a_scan_asks_who_writes_and_a_no_takes_nothing(new_phone: NewPhone, table: Table) -> None:
    first, second = new_phone(), new_phone()
    expect(second.get_by_text("Ein anderes Handy schreibt diese Tischliste. Schreiben Sie?")).to_be_visible()
    second.get_by_role("button", name="Nein").tap()
    expect(second.get_by_text("Schreiben Sie?")).to_have_count(0)
    knock(first, 2)
    all_sent(first)
    expect(second.get_by_text("1. Spiel: geklopft, Bernd Dorn verliert").first).to_be_visible()
    second.get_by_role("button", name="Hier weiterschreiben").tap()
    knock(second, 3)
    all_sent(second)
    assert deals(table) == [[2], [3]]


def test_a_pen_that_cannot_be_had_is_not_offered(new_phone: NewPhone, table: Table) -> None:
    tournament = table.round.tournament
    tournament.ruleset = {**tournament.ruleset, "pen_needs_supervisor": True}
    tournament.save()
    first, second = new_phone(), new_phone()
    all_sent(first)
    pen = second.get_by_role("button", name="Hier weiterschreiben")
    expect(second.locator(".action-bar")).to_contain_text("Bitte die Spielleitung holen")
    expect(pen).to_have_count(0)
    sheets.free_pen(table, at=AT)
    expect(pen).to_be_visible()
    second.context.set_offline(True)
    try_now(second)
    expect(second.locator(".action-bar")).to_contain_text("Zum Weiterschreiben braucht es eine Verbindung.")
    expect(pen).to_have_count(0)
