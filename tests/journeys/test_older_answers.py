"""A page that was answered by a process that had not heard of a change yet asks once more."""

from itertools import count
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.services import sheets
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "live_url")

MARKS = "#seating .mark"


@pytest.fixture
def table() -> Table:
    tournament = TournamentFactory.create(slug=f"aelter-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    return a_round(tournament).tables.get()


def stroke(table: Table) -> None:
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)


def after_an_older_answer(page: Page, table: Table, *, asks: int) -> None:
    """Let the answer to the first request after a stroke be one that was made before it. asks: how often the page asks at first."""
    address = f"/t/{table.round.tournament.slug}/"
    older: list[str] = []

    def answer(route: Route) -> None:
        if route.request.resource_type == "fetch" and older:
            route.fulfill(body=older.pop(), content_type="text/html; charset=utf-8")
        else:
            route.continue_()

    page.route(f"**{address}", answer)
    asked = count(1)
    with page.expect_response(
        lambda response: response.request.resource_type == "fetch" and next(asked) == asks
    ):
        page.goto(address)
    expect(page.locator("[data-live]")).to_have_attribute("data-stream", "open")
    older.append(page.context.request.get(address).text())
    with page.expect_request_finished(lambda request: request.resource_type == "fetch"):
        stroke(table)


def test_it_shows_the_change_in_the_end(page: Page, table: Table) -> None:
    after_an_older_answer(page, table, asks=2)  # it confirms what it shows
    expect(page.locator(MARKS)).to_have_count(1)


def test_without_asking_once_more_it_would_not(page: Page, table: Table) -> None:
    """The control: the same page, which asks once."""

    def without(route: Route) -> None:
        script = route.fetch().text()
        assert "if(isToConfirm)askSoon();" in script  # stored without spaces
        route.fulfill(body=script.replace("if(isToConfirm)askSoon();", ""), content_type="text/javascript")

    page.route("**/js/live.*js", without)
    after_an_older_answer(page, table, asks=1)
    page.wait_for_timeout(3_000)
    expect(page.locator(MARKS)).to_have_count(0)
