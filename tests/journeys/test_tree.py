"""The bracket of a knockout, on a phone and on a laptop: live updates and accessibility."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from scoring.services.rounds import close
from tests.factories import AT, a_round
from tests.journeys.access import violations
from tests.journeys.evening import NewPage
from tests.scoring.organiser.rounds.test_knockout import a_knockout, decide, play
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("live_url", "committed")


def test_the_tree_follows_the_evening_without_being_touched_and_is_open_to_all(lent_page: Page) -> None:
    page = lent_page
    tournament = a_knockout(12).tournament
    one, other = a_round(tournament).tables.all()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/t/{tournament.slug}/")
    page.get_by_role("link", name="Turnierbaum").click()
    tables = page.locator("#tree-1 .table-card")
    expect(tables).to_have_count(2)
    expect(page.locator("#tree [data-fate=on]")).to_have_count(0)
    decide(one)
    winner = one.seats.get(seat_number=1).participant.name
    expect(tables.first.locator("[data-fate=on]")).to_have_count(2)
    expect(tables.first.get_by_role("listitem").first).to_contain_text(winner)
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 740})
        expect(page.locator("#tree-1")).to_be_visible()
        assert violations(page) == [], width
    decide(other)
    close(tournament, 1, at=AT)
    decide(a_round(tournament, 2).tables.get())
    champion = Table.objects.get(round__tournament=tournament, round__number=2).seats.get(seat_number=1)
    expect(page.locator("#tree [data-fate=won]")).to_contain_text(champion.participant.name)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1366, "height": 768})
    first, final = page.locator("#tree-1").bounding_box(), page.locator("#tree-2").bounding_box()
    assert first
    assert final
    assert final["x"] > first["x"]


def test_large_text_needs_no_sideways_scrolling_on_the_pages_of_a_knockout(lent_page: Page) -> None:
    tournament = a_knockout(12).tournament
    play(tournament, 1)
    a_round(tournament, 2)
    lent_page.set_viewport_size({"width": 320, "height": 568})
    for tab in ("?me=1", "standings/?me=1", "tables/?me=1", "tree/"):
        lent_page.goto(f"/t/{tournament.slug}/{tab}")
        lent_page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert lent_page.evaluate("document.documentElement.scrollWidth") == 320, tab


def test_without_a_stream_the_tree_asks_again_by_itself(page: Page, new_page: NewPage) -> None:
    tournament = a_knockout(12).tournament
    one = a_round(tournament).tables.all()[0]
    address = f"/t/{tournament.slug}/tree/"
    beside = new_page({})  # a clock is that of all pages of a device
    beside.goto(address)
    page.route("**/live", lambda route: route.fulfill(status=503))
    page.clock.install(time=AT)
    page.clock.pause_at(AT + timedelta(minutes=1))  # only the test lets it ask
    page.goto(address)
    expect(page.locator("[data-live]")).to_have_attribute("data-stream", "lost")
    decide(one)
    expect(beside.locator("#tree [data-fate=on]")).to_have_count(2)
    expect(page.locator("#tree [data-fate=on]")).to_have_count(0)
    page.clock.run_for(10_500)
    expect(page.locator("#tree [data-fate=on]")).to_have_count(2)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
