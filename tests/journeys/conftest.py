"""A table of six, and phones that open its link."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.journeys.phones import NAMES, PHONE, NewPhone, link_to
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset


@pytest.fixture
def table(request: pytest.FixtureRequest, committed: None) -> Table:
    """A table in a released round, seat 1 the first of NAMES; of six under sheet 1 unless a test says otherwise.

    `@pytest.mark.parametrize("table", [(preset("schafkopf"), 4)], indirect=True)` gives another ruleset and its players.
    """
    ruleset, players = getattr(request, "param", (preset("schnauz-placing"), 6))
    tournament = TournamentFactory.create(
        slug=f"handy-{Tournament.objects.count()}", ruleset=ruleset.to_dict()
    )
    for name in NAMES[:players]:
        ParticipantFactory.create(tournament=tournament, name=name)
    table = a_round(tournament).tables.get()
    for seat in table.seats.select_related("participant"):
        seat.participant.name = NAMES[seat.seat_number - 1]
        seat.participant.save()
    return table


@pytest.fixture
def new_phone(browser: Browser, browser_context_args: dict[str, Any], table: Table) -> Iterator[NewPhone]:
    """Opens the table's link on a phone of its own; `before`: a script that runs before its own."""
    contexts: list[BrowserContext] = []

    def open_phone(*, address: str = "", before: str = "", **changed: Any) -> Page:
        context = browser.new_context(**{**browser_context_args, **PHONE, **changed})
        contexts.append(context)
        page = context.new_page()
        if before:
            page.add_init_script(before)
        page.goto(address or link_to(table))
        expect(page.get_by_role("heading", name="Tisch 1")).to_be_visible()
        return page

    yield open_phone
    for context in contexts:
        context.close()
