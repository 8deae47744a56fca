"""A player is missing at a table: its phone says so, wall and own phone tell it, the organiser ends it."""

import os

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.public.wall import wanted_on
from scoring.queries.public_view import public_view
from scoring.queries.screens import SentScene
from scoring.services.calls import report_missing
from scoring.services.screens import set_scene
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_round
from tests.journeys.access import violations
from tests.journeys.evening import NewPage
from tests.journeys.phones import NAMES, PHONE, NewPhone, all_sent
from tests.journeys.test_hall import LONG_NAMES, check_legible
from tests.journeys.test_offline import opens_offline
from tournaments.models import Table, Tournament
from tournaments.services.rounds import give_start_sign

pytestmark = pytest.mark.usefixtures("committed", "live_url")

WALL = {"viewport": {"width": 1920, "height": 1080}}
BERND = NAMES[1]


def test_the_table_reports_wall_and_own_phone_tell_and_the_organiser_ends_it(
    new_phone: NewPhone, new_page: NewPage, board: Page, table: Table
) -> None:
    slug = table.round.tournament.slug
    number = table.seats.get(seat_number=2).participant.start_number
    wall, own, other = new_page(WALL), new_page(PHONE), new_page(PHONE)
    wall.goto(f"/t/{slug}/screen/")
    for page, me in ((own, number), (other, table.seats.get(seat_number=3).participant.start_number)):
        page.add_init_script(f"localStorage.setItem('me:{slug}', '{me}')")
        page.goto(f"/t/{slug}/")
        expect(page.locator("#me")).to_be_visible()
    phone = new_phone()
    all_sent(phone)
    phone.get_by_role("button", name="Wer fehlt?").tap()
    phone.get_by_role("button", name=f"{BERND} fehlt").tap()
    expect(phone.get_by_role("button", name=f"{BERND} wird gesucht. Wieder da?")).to_be_visible()
    expect(own.locator("#me")).to_contain_text("Sie werden an Tisch 1 erwartet")
    expect(wall.locator(".wall-missing:visible")).to_contain_text("Gesucht an Tisch")
    expect(other.locator("#me")).not_to_contain_text("erwartet")
    assert violations(own) == []
    assert violations(phone) == []
    if folder := os.environ.get("SCREENSHOTS"):
        own.screenshot(path=f"{folder}/missing-own.png")
        phone.screenshot(path=f"{folder}/missing-phone.png", full_page=True)
        board.screenshot(path=f"{folder}/missing-board.png", full_page=True)

    expect(board.locator("#table-1")).to_contain_text(f"{BERND} fehlt am Tisch")
    board.locator("#table-1").get_by_role("button", name="Gefunden").click()
    expect(board.get_by_text("Tisch 1: gefunden.")).to_be_visible()
    expect(wall.locator(".wall-missing")).to_have_count(0)
    expect(own.locator("#me")).not_to_contain_text("erwartet")


def test_the_organiser_reports_and_another_phone_of_the_table_ends_it(
    new_phone: NewPhone, board: Page, table: Table
) -> None:
    phone = new_phone()
    board.goto(reverse("organiser:sheet", args=[table.round.tournament.slug, 1, 1]))
    board.get_by_text("Fehlt jemand am Tisch?").click()
    board.get_by_role("button", name=BERND).click()
    expect(board.get_by_text("Wird jetzt gesucht")).to_be_visible()
    expect(board.get_by_role("button", name=f"{BERND} ist gefunden")).to_be_visible()
    assert violations(board) == []
    phone.get_by_role("button", name="Wer fehlt?").tap()
    phone.get_by_role("button", name=f"{BERND} wird gesucht. Wieder da?").tap()
    expect(phone.get_by_role("button", name=f"{BERND} fehlt")).to_be_visible()
    board.reload()
    expect(board.get_by_role("button", name=f"{BERND} ist gefunden")).to_have_count(0)


def test_without_a_network_the_phone_says_so(new_phone: NewPhone) -> None:
    phone = new_phone()
    all_sent(phone)
    opens_offline(phone)
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Wer fehlt?").tap()
    expect(phone.get_by_text("Geht nur mit Netz.")).to_be_visible()


@pytest.mark.parametrize("players", [20, 60, 88])
def test_the_longest_names_are_whole_and_legible_on_every_scene(
    committed: None, new_page: NewPage, players: int
) -> None:
    tournament: Tournament = TournamentFactory.create(slug=f"gesucht-{players}")
    for name in LONG_NAMES:
        ParticipantFactory.create(tournament=tournament, name=name)
    ParticipantFactory.create_batch(players - len(LONG_NAMES), tournament=tournament)
    found = a_round(tournament)
    longest = sorted(
        (seat for table in found.tables.all() for seat in table.seats.select_related("participant", "table")),
        key=lambda seat: -len(seat.participant.name),
    )
    for seat in longest[:7]:
        report_missing(seat.table, seat.seat_number, by="x", at=AT)
    named = len(wanted_on(public_view(tournament.slug, full_names=True).round).seats)
    assert named >= 4
    wall = new_page({**WALL, "reduced_motion": "reduce"})
    wall.goto(f"/t/{tournament.slug}/screen/")
    wall.keyboard.press("Space")

    def look(kind: str) -> None:
        expect(wall.locator(".wall-page:visible")).to_have_attribute("data-kind", kind)
        expect(wall.locator(".wall-page:visible .wall-missing li")).to_have_count(named)
        whole = "all => all.every((one) => one.scrollWidth <= one.clientWidth && one.getClientRects().length === 1)"
        assert wall.locator(".wall-page:visible .wall-missing li").evaluate_all(whole)
        if folder := os.environ.get("SCREENSHOTS"):
            wall.screenshot(path=f"{folder}/missing-{kind}-{players}.png")
        for _ in range(wall.locator(".wall-page").count()):
            check_legible(wall)
            wall.keyboard.press("ArrowRight")
        assert violations(wall) == []

    look("seating")
    give_start_sign(tournament, 1, at=AT)
    look("start")
    a_paper_sheet(found.tables.get(number=1))
    set_scene(tournament, [1], SentScene("play"), by="x", at=AT)
    look("play")
