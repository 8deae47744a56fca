"""Two screens and three phones: all of them follow a correction, and none of them shows a frozen one."""

import json
import re
from uuid import uuid4

import pytest
from playwright.sync_api import APIRequestContext, Page, expect

from scoring.services import standings
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_round,
)
from tests.journeys.evening import HANDY, LAPTOP, WALL, NewApi, NewPage, bring_session
from tests.journeys.hands import Office
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "live_url")

CELLS = "[...document.querySelectorAll('.board th, .board td')].map((cell) => JSON.stringify(cell.getBoundingClientRect()))"
SHIFTS = """() => {
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted.push(...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)));
  }).observe({ type: "layout-shift" });
}"""


@pytest.fixture
def table(committed: None) -> Table:
    """Create table 1 of the first round, all sheets accepted: ranks in the order of the seats, three strokes for seat 1."""
    slug = f"saal-{uuid4().hex[:8]}"
    tournament = TournamentFactory.create(slug=slug, names="full", owner=UserFactory.create(username=slug))
    ParticipantFactory.create_batch(12, tournament=tournament)
    first = a_round(tournament)
    for one in first.tables.order_by("number"):
        a_paper_sheet(one, strokes={1: 3})
    return first.tables.order_by("number")[0]


@pytest.fixture
def office(new_page: NewPage, table: Table) -> Office:
    page, tournament = new_page(LAPTOP), table.round.tournament
    bring_session(page, tournament.memberships.get().user)
    return Office(page, tournament.slug)


@pytest.fixture
def hall(new_page: NewPage, table: Table) -> list[Page]:
    """Open two screens, and the phones of the player on seat 2, of a reader of the standings, of a reader of the sheet."""
    slug = table.round.tournament.slug
    number = table.seats.get(seat_number=2).participant.start_number
    addresses = {
        f"/t/{slug}/screen/": WALL,
        f"/t/{slug}/screen/2/": WALL,
        f"/t/{slug}/?me={number}": HANDY,
        f"/t/{slug}/": HANDY,
        f"/t/{slug}/rounds/1/tables/1/": HANDY,
    }
    pages = []
    for address, device in addresses.items():
        page = new_page(device)
        page.goto(address)
        expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")
        if device is WALL:
            expect(page.locator("#pairing b")).to_be_visible()
            page.keyboard.press("Space")  # else another page may be shown when it is looked at again
            expect(page.locator(".wall-pace")).to_have_text("angehalten")
        page.evaluate("document.fonts.ready")
        page.evaluate(SHIFTS)
        pages.append(page)
    return pages


def person(table: Table, seat: int) -> tuple[int, str]:
    found = table.seats.select_related("participant").get(seat_number=seat).participant
    return found.start_number, found.name


def exchange(office: Office, table: Table, *, ranks: tuple[int, int]) -> None:
    """Exchange the ranks of seats 1 and 2 by the supervisor's correction; the sheet stays accepted."""
    ranked = next(
        number
        for number, entry in enumerate(table.sheet.entries.order_by("sequence"), start=1)
        if entry.kind == "ranked"
    )
    office.go(f"rounds/1/tables/{table.number}/")
    office.correct(ranked)
    names = {seat.seat_number: seat.participant.name for seat in table.seats.select_related("participant")}
    for seat, rank in zip((1, 2), ranks, strict=True):
        office.page.get_by_label(f"Rang von {names[seat]} (Platz-Nr. {seat})").fill(str(rank))
    office.confirm_correction("Zwei Zeilen verwechselt")


def everything_public(api: APIRequestContext, table: Table) -> dict[str, str]:
    """Return every response that needs no account, without times of day."""
    slug, (number, _) = table.round.tournament.slug, person(table, 2)
    paths = ("", f"?q={number}", f"?me={number}", f"me/{number}/", "screen/", "screen/2/", "leaderboard.json")
    sheet = ("rounds/1/", "rounds/1.json", "rounds/1/tables/1/")
    changing = re.compile(r"\d\d:\d\d:\d\d")
    answers = {path: api.get(f"/t/{slug}/{path}") for path in (*paths, *sheet)}
    assert all(answer.status == 200 for answer in answers.values())
    return {path: changing.sub("", answer.text()) for path, answer in answers.items()}


def events_of(page: Page) -> list[str]:
    """Return a list that collects the data of every event that the page's stream receives from now on."""
    found: list[str] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.eventSourceMessageReceived", lambda event: found.append(event["data"]))
    return found


def test_all_follow_a_correction_but_behind_a_freeze_nobody_until_the_release(
    hall: list[Page], office: Office, table: Table, new_api: NewApi
) -> None:
    all_follow_and_nothing_shifts(hall, office, table)
    exchange(office, table, ranks=(1, 2))
    all_show(hall, table, winner=1)
    nobody_learns_what_is_corrected_until_the_release(hall, office, table, new_api())


def all_show(hall: list[Page], table: Table, *, winner: int) -> None:
    """Check that the player on seat 1 or 2 has won, the other is second, and the sheet says so as corrected."""
    walls, mine, sheet = hall[:2], hall[2], hall[4]
    for wall in walls:
        expect(wall.locator(f"[data-number='{person(table, winner)[0]}'] .points")).to_have_text("6")
    expect(mine.locator("#me")).to_contain_text(f"{6 if winner == 2 else 4} Punkte")
    corrected = sheet.locator("#sheet p", has_text="berichtigt, es gilt:")
    expect(corrected).to_contain_text(
        re.compile(rf"{person(table, winner)[1]}.*{person(table, 3 - winner)[1]}")
    )


def all_follow_and_nothing_shifts(hall: list[Page], office: Office, table: Table) -> None:
    first, second, mine, standing, _ = hall
    (loser, _), (winner, name) = person(table, 1), person(table, 2)
    for wall in (first, second):
        expect(wall.locator(f"[data-number='{winner}'] .points")).to_have_text("4")
    expect(mine.locator("#me")).to_contain_text("4 Punkte")
    before = [page.evaluate(CELLS) for page in (first, second)]
    assert all(before)
    exchange(office, table, ranks=(2, 1))
    for wall in (first, second):
        expect(wall.locator(f"[data-number='{winner}'] .points")).to_have_text("6")
        expect(wall.locator(f"[data-number='{loser}'] .points")).to_have_text("4")
        expect(wall.locator(f"[data-number='{winner}'] .move")).to_have_attribute("data-move", "up")
    expect(standing.locator("#standings tr", has_text=name)).to_contain_text("6")
    all_show(hall, table, winner=2)
    assert [page.evaluate(CELLS) for page in (first, second)] == before
    for page in hall:
        assert page.evaluate("window.shifted") == []


def nobody_learns_what_is_corrected_until_the_release(
    hall: list[Page], office: Office, table: Table, api: APIRequestContext
) -> None:
    tournament = table.round.tournament
    standings.freeze(tournament, by="x", at=AT)
    for page, words in zip(hall, ("Neues folgt später",) * 2 + ("macht es spannend",) * 3, strict=True):
        expect(page.locator("body")).to_contain_text(words)
    events = [events_of(page) for page in hall]
    before, shown = (
        everything_public(api, table),
        [page.locator("main, body").last.inner_text() for page in hall],
    )
    exchange(office, table, ranks=(2, 1))
    for page in hall:
        page.wait_for_timeout(500)
    assert everything_public(api, table) == before
    assert all(
        set(json.loads(event)) == {"topics", "edition", "spread"} for found in events for event in found
    )
    assert [page.locator("main, body").last.inner_text() for page in hall] == shown
    standings.release(tournament, by="x", at=AT)
    all_show(hall, table, winner=2)
    assert any("standings" in event for event in events[0])
    assert everything_public(api, table) != before
