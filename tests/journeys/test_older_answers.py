"""What the stream has brought is not overwritten by an answer that was made before it."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.services import sheets
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "live_url")

MARKS = "#seating .mark"
RECORDED = """() => {
  const count = () => document.querySelectorAll("#seating .mark").length;
  window.seen = [count()];
  new MutationObserver(() => window.seen.push(count())).observe(document.body, { childList: true, subtree: true });
}"""
ASK = """document.dispatchEvent(new Event("visibilitychange"))"""


@pytest.fixture
def table() -> Table:
    tournament = TournamentFactory.create(slug=f"aelter-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    return a_round(tournament).tables.get()


def stroke(table: Table) -> None:
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)


def strokes_seen(page: Page, table: Table) -> list[int]:
    """Return how many strokes the page has shown, one after another.

    Between two strokes, the page asks for itself and gets an answer that was made before the first, as by a process
    that has not heard of it yet.
    """
    address = f"/t/{table.round.tournament.slug}/"
    older: list[str] = []

    def answer(route: Route) -> None:
        if route.request.resource_type == "fetch":
            route.fulfill(body=older[0], content_type="text/html; charset=utf-8")
        else:
            route.continue_()

    page.route(f"**{address}", answer)
    page.goto(address)
    older.append(page.context.request.get(address).text())
    expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")
    page.evaluate(RECORDED)
    stroke(table)
    expect(page.locator(MARKS)).to_have_count(1)
    with page.expect_request_finished(lambda request: request.resource_type == "fetch"):
        page.evaluate(ASK)
    stroke(table)
    expect(page.locator(MARKS)).to_have_count(2)
    return list(page.evaluate("window.seen"))


def test_an_older_answer_never_overwrites_a_newer_event(page: Page, table: Table) -> None:
    seen = strokes_seen(page, table)
    assert seen == sorted(seen)


def test_without_looking_at_the_time_it_would(page: Page, table: Table) -> None:
    """The control: the same page, where no answer counts as too old."""

    def without(route: Route) -> None:
        script = route.fetch().text()
        assert "BEHIND = 2_000" in script
        route.fulfill(
            body=script.replace("BEHIND = 2_000", "BEHIND = -Infinity"), content_type="text/javascript"
        )

    page.route("**/js/live.*js", without)
    seen = strokes_seen(page, table)
    assert seen != sorted(seen)
