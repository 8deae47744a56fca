"""Fixtures of the journeys: a table with phones that open its link, and a whole evening with its devices."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Page, Playwright, expect
from pytest_django import Settings

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.evening import PLACING, Evening, NewApi, NewPage, bring_session
from tests.journeys.phones import NAMES, PHONE, KeptPhones, NewPhone, link_to
from tournaments.models import Membership, Participant, Table
from tournaments.rulesets.loader import preset


@pytest.fixture
def table(request: pytest.FixtureRequest, committed: None) -> Table:
    """Create a table in a released round, seat 1 the first of NAMES; by default six players under sheet 1.

    `@pytest.mark.parametrize("table", [(preset("schafkopf"), 4)], indirect=True)` sets ruleset and players.
    """
    ruleset, players = getattr(request, "param", (preset("schnauz-placing"), 6))
    tournament = TournamentFactory.create(slug=f"handy-{uuid4().hex[:8]}", ruleset=ruleset.to_dict())
    ParticipantFactory.create_batch(players, tournament=tournament)
    table = a_round(tournament).tables.get()
    seated = [seat.participant for seat in table.seats.select_related("participant").order_by("seat_number")]
    for participant, name in zip(seated, NAMES, strict=False):
        participant.name = name
    Participant.objects.bulk_update(seated, ["name"])
    return table


@pytest.fixture
def without_worker() -> None:
    """Let phones fetch no pages in advance for a time without a network, which other journeys play.

    They are those of earlier tests, emptied, except where a test changes more than the size of the window.
    """


@pytest.fixture(scope="session")
def kept_phones(
    browser: Browser, browser_context_args: dict[str, Any], live_url: str
) -> Iterator[KeptPhones]:
    device = {**browser_context_args, **PHONE, "service_workers": "block"}
    phones = KeptPhones(lambda: browser.new_context(**device), live_url)
    yield phones
    phones.close()


@pytest.fixture
def new_phone(
    request: pytest.FixtureRequest, browser: Browser, browser_context_args: dict[str, Any], table: Table
) -> Iterator[NewPhone]:
    """Open the table's link on a phone of its own. before: a script that runs before the page's own. heading: what is seen then."""
    contexts: list[BrowserContext] = []
    kept: KeptPhones | None = None
    if "without_worker" in request.fixturenames:
        kept = request.getfixturevalue("kept_phones")

    def page_of(before: str, changed: dict[str, Any]) -> Page:
        if kept and not before and changed.keys() <= {"viewport"}:
            return kept.take(changed.get("viewport", PHONE["viewport"]))
        workers = "block" if kept else "allow"
        contexts.append(
            browser.new_context(**{**browser_context_args, **PHONE, "service_workers": workers, **changed})
        )
        page = contexts[-1].new_page()
        if before:
            page.add_init_script(before)
        return page

    def open_phone(*, address: str = "", before: str = "", heading: str = "Tisch 1", **changed: Any) -> Page:
        page = page_of(before, changed)
        page.goto(address or link_to(table))
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        return page

    yield open_phone
    for context in contexts:
        context.close()
    if kept:
        kept.take_back_all()


@pytest.fixture
def board(page: Page, table: Table) -> Page:
    """Open the board of the round on an organiser's laptop."""
    tournament = table.round.tournament
    user = UserFactory.create()
    Membership.objects.create(tournament=tournament, user=user, role=Membership.Role.ORGANISER)
    bring_session(page, user)
    page.goto(reverse("organiser:round", args=[tournament.slug, 1]))
    return page


# --- laptops -------------------------------------------------------------------------------------------------------

LAPTOPS: dict[str, dict[str, Any]] = {
    "1366": {"viewport": {"width": 1366, "height": 768}},
    "1280": {"viewport": {"width": 1280, "height": 720}},
    "1024": {"viewport": {"width": 1024, "height": 768}},
    "1366 at 125 %": {"viewport": {"width": 1093, "height": 614}, "device_scale_factor": 1.25},
}


@pytest.fixture(params=list(LAPTOPS.values()), ids=list(LAPTOPS))
def laptop(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The windows in which organisers and cashiers see the program."""
    return dict(request.param)


@pytest.fixture(scope="session")
def shared_page(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """Provide a page for tests that load addresses of their own tournament and measure what they see.

    They bring their own session and leave nothing that outlasts the next address.
    """
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def lent_page(shared_page: Page) -> Iterator[Page]:
    """Lend the page to a test that does more than look: it gets it without cookies, and the next one without what it opened."""
    context = shared_page.context
    shared_page.goto("about:blank")  # the page of the test before would go to the log-in
    context.clear_cookies()
    yield shared_page
    for page in context.pages:
        if page is not shared_page:
            page.close()
    shared_page.unroute_all(behavior="ignoreErrors")
    shared_page.emulate_media(color_scheme="null")
    shared_page.goto("about:blank")  # no stream goes on
    for height in (721, 720):  # a size that Playwright believes is there already is not set
        shared_page.set_viewport_size({"width": 1280, "height": height})
    context.clear_cookies()


# --- a whole evening -----------------------------------------------------------------------------------------------


@pytest.fixture
def new_page(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[NewPage]:
    """Open a page on a device of its own."""
    devices: list[BrowserContext] = []

    def open_page(device: dict[str, Any]) -> Page:
        devices.append(browser.new_context(**{**browser_context_args, **device}))
        return devices[-1].new_page()

    yield open_page
    for device in devices:
        device.close()


@pytest.fixture
def new_api(playwright: Playwright, live_url: str) -> Iterator[NewApi]:
    """Create a device without a page, with cookies of its own."""
    apis: list[APIRequestContext] = []

    def open_api() -> APIRequestContext:
        headers = {"Origin": live_url}
        apis.append(playwright.request.new_context(base_url=live_url, extra_http_headers=headers))
        return apis[-1]

    yield open_api
    for api in apis:
        api.dispose()


@pytest.fixture
def evening(
    request: pytest.FixtureRequest, new_page: NewPage, new_api: NewApi, live_url: str, settings: Settings
) -> Evening:
    """Create an evening, by default under rule sheet 1: `@pytest.mark.parametrize("evening", [...], indirect=True)`."""
    settings.PUBLIC_URL = live_url
    return Evening(new_page, new_api, getattr(request, "param", PLACING))
