"""The prize-giving with wall, the organiser's phone and paper: a tie on rank 2, a ham on rank 3, and a corrected sheet."""

import io
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pdfplumber
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect

from scoring.screen_cookie import COOKIE
from tests import labels
from tests.factories import a_paper_sheet
from tests.journeys.access import violations
from tests.scoring.pages import Staff
from tests.scoring.paired import pairing_cookie
from tests.scoring.prize_giving import play_otherwise, prize_evening
from tournaments.models import Table
from tournaments.queries.desks import desk_rows

pytestmark = pytest.mark.usefixtures("committed")

PLAN: list[dict[str, Any]] = [
    {"for": "rank", "from": 1, "to": 1, "share": 50},
    {"for": "rank", "from": 2, "to": 2, "cents": 1500},
    {"for": "rank", "from": 3, "to": 3, "thing": "Schinken"},
    {"for": "strokes", "cents": 300},
]
"""45.00 less 18.00 in amounts leaves 27.00, and half of it is 13.50. The tie on rank 2 uses up rank 3."""

Open = Callable[[int, int], Page]


@pytest.fixture
def desk(committed: None) -> Staff:
    """Create three tables of five, played once: at each the first seat wins, at the first with a stroke."""
    desk = prize_evening(15, prizes=PLAN)
    for table in Table.objects.filter(round__tournament=desk.tournament):
        a_paper_sheet(table, strokes={1: 1} if table.number == 1 else {})
    desk.tournament.rounds.update(state="closed")
    return desk


@pytest.fixture
def open_page(
    browser: Browser, browser_context_args: dict[str, Any], live_url: str, desk: Staff
) -> Iterator[Open]:
    contexts = []
    path = f"/t/{desk.tournament.slug}/"
    pairing: Any = {
        "name": COOKIE,
        "value": pairing_cookie(desk.tournament),
        "domain": "127.0.0.1",
        "path": path,
    }

    def new(width: int, height: int) -> Page:
        view = {"viewport": {"width": width, "height": height}}
        contexts.append(browser.new_context(**{**browser_context_args, **view}))
        session = desk.client.cookies["sessionid"].value
        contexts[-1].add_cookies([{"name": "sessionid", "value": session, "url": live_url}, pairing])
        return contexts[-1].new_page()

    yield new
    for context in contexts:
        context.close()


def at_seat(desk: Staff, table: int, seat: int = 1) -> str:
    """Return the name of the player at a seat."""
    found = Table.objects.get(round__tournament=desk.tournament, number=table)
    return found.seats.get(seat_number=seat).participant.name


def press(page: Page, words: str, name: str) -> None:
    """Press the button of a player."""
    button = button_of(page, re.escape(words).replace("\\ ", r"\s"), name)
    button.click()
    expect(button).to_have_count(0)


def button_of(page: Page, words: str, name: str) -> Locator:
    """Return a player's button with these words, a regular expression."""
    return page.get_by_role("button", name=re.compile(rf"^{words}\s*: {re.escape(name)}$"))


def printed(page: Page, address: str) -> str:
    page.goto(address)
    with pdfplumber.open(io.BytesIO(page.pdf(prefer_css_page_size=True))) as pdf:
        return re.sub(r"[ \u00a0]+", " ", "\n".join(page.extract_text() for page in pdf.pages))


def test_the_next_prize_waits_until_the_wall_has_named_the_one_before(desk: Staff, open_page: Open) -> None:
    phone = open_page(360, 740)
    phone.clock.install()
    phone.goto(desk.url("prize_list"))
    expect(phone.get_by_text("Keine verbundene Leinwand ist offen.")).to_be_visible()
    phone.get_by_role("button", name=labels.BEGIN_PRIZE_GIVING).click()
    reveal = phone.get_by_role("button", name="Auf der Leinwand zeigen")
    expect(reveal).to_be_enabled()
    phone.clock.pause_at(timezone.now() + timedelta(minutes=1))  # however late its answer is looked at
    reveal.click()
    expect(phone.get_by_text("Die Leinwand zeigt")).to_be_visible()
    expect(reveal).to_be_disabled()
    phone.clock.run_for(3_100)
    expect(reveal).to_be_enabled()


def test_prize_giving_with_a_tie_and_a_ham_and_a_sheet_corrected_afterwards(
    desk: Staff, open_page: Open
) -> None:
    tournament = desk.tournament
    first, *shared = (at_seat(desk, table) for table in (1, 2, 3))
    phone, wall = open_page(360, 740), open_page(1920, 1080)
    wall.goto(f"/t/{tournament.slug}/screen/")
    phone.goto(desk.url("prize_list"))

    # nobody is shown before it is said; the special prize comes first
    phone.get_by_role("button", name=labels.BEGIN_PRIZE_GIVING).click()
    expect(wall.locator(".wall-page:visible")).to_have_attribute("data-kind", "prizes")
    expect(phone.get_by_text("Als Nächstes Meiste Striche:")).to_be_visible()
    expect(wall.locator("body")).not_to_contain_text(first)
    phone.get_by_role("button", name="Auf der Leinwand zeigen").click()
    expect(wall.locator(".wall-prize__for")).to_have_text("Meiste Striche")
    expect(wall.locator(".is-newest")).to_contain_text(["3,00 €"])
    expect(phone.get_by_text("Die Leinwand zeigt Meiste Striche:")).to_contain_text(first)
    press(phone, "3,00 € geben", first)

    # the ham of rank 3 is for one of the two, and a person decides
    expect(phone.locator("[data-next]")).to_contain_text("Sachen werden nicht geteilt")
    expect(phone.get_by_role("button", name="Auf der Leinwand zeigen")).to_be_enabled()
    assert violations(phone) == []
    phone.get_by_role("button", name="Auf der Leinwand zeigen").click()
    expect(wall.locator(".is-newest")).to_have_count(2)
    for name in shared:
        expect(wall.locator(".is-newest", has_text=name)).to_contain_text("7,50 € + Schinken")
    expect(wall.locator(".is-known")).to_contain_text(["Meiste Striche"])
    expect(wall.locator(".wall-prize__earlier[data-few]")).to_have_css("display", "flex")
    press(phone, "7,50 € + Schinken geben", shared[0])
    press(phone, "Nicht da", shared[1])
    phone.get_by_role("button", name="Auf der Leinwand zeigen").click()
    expect(wall.locator(".is-newest")).to_contain_text([first])
    expect(wall.locator(".is-newest")).to_contain_text("13,50 €")
    press(phone, "13,50 € geben", first)
    expect(phone.get_by_text("Alle Preise sind gezeigt.")).to_be_visible()
    expect(phone.get_by_text("Es folgt: Leinwand 1.")).to_be_visible()
    expect(wall.locator(".pager")).to_have_css("opacity", "0")  # its buttons have faded out
    assert violations(wall) == []

    phone.get_by_role("button", name=labels.SHOW_FINAL_STANDINGS).click()
    expect(wall.locator(".wall-page:visible")).to_have_attribute("data-kind", "standings")
    expect(phone.get_by_text("Alle sehen jetzt den Endstand.")).to_be_visible()

    # on paper: a receipt for each, and what nobody has fetched
    receipts = printed(phone, desk.url("print_receipts"))
    assert [amount in receipts for amount in ("16,50 €", "7,50 € + Schinken")] == [True, True]
    (row,) = desk_rows(tournament)
    sheet = printed(phone, desk.url("closing_sheet", row.number))
    assert re.search(r"Preisgelder \(3\) 24,00 €", sheet)
    assert re.search(rf"Rang 2 {re.escape(shared[1])} \(\d+\) 7,50 €", sheet)
    assert "Geld, das nicht abgeholt ist 7,50 €" in sheet

    # two seats of the winner's sheet were swapped: who was second there has won
    play_otherwise(Table.objects.get(round__tournament=tournament, number=1), [2, 1, 3, 4, 5])
    phone.goto(desk.url("prize_list"))
    expect(phone.get_by_text("Zu viel bekommen")).to_be_visible()
    winners = sorted([at_seat(desk, 1, 2), *shared])
    assert violations(phone) == []
    phone.get_by_role("button", name="13,50 € zurückbekommen").click()
    expect(phone.get_by_text("Zu viel bekommen")).to_be_hidden()
    for name in winners:
        button = button_of(phone, r"[\d,]+\s€ geben", name)
        button.press("Enter")  # a click could meet the guard against a second press at the same place
        expect(button).to_have_count(0)
    (row,) = desk_rows(tournament)
    pot = 300 + sum(cents for cents in (950, 950, 950))
    assert -row.expected_cents + row.fees_cents == pot
