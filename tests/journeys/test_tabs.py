"""The four tabs of the players' page on a phone: an app for the evening, with and without JavaScript."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import product
from typing import Any, Literal
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from scoring.queries.screens import SentScene
from scoring.services import sheets, standings
from scoring.services.round_clock import start_clock, stop_clock
from scoring.services.screens import set_scene
from tests import labels
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.journeys.access import small_targets, violations
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

NewPhone = Callable[..., Page]
TABS = ("", "standings/", "tables/", "rules/")
SIZES = ((320, 568), (360, 740), (768, 1024), (1366, 768))
CLOCKS: dict[Literal["light", "dark"], int] = {"light": 45, "dark": 3}
MINUTES_LEFT = {45: re.compile(r"^4[34]:\d\d$"), 3: re.compile(r"^[0-2]:\d\d$")}
PLAYERS, MANY = 12, 300
OWN_PARTS = {"": "#me .pictures", "standings/": "#me"}
LONG_NAME = "Maximiliane Oberhuber-Niederreitmeier-Hinterwimmer"
DEAL = {"ended_by": "knock", "finisher": None}

SHIFTS = """
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted.push(...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)));
  }).observe({ type: "layout-shift" });
"""


@pytest.fixture
def tournament(committed: None) -> Tournament:
    """Create players, number 1 with a very long name, in the second round."""
    made = TournamentFactory.create(slug=f"reiter-{uuid4().hex[:8]}", names="full")
    ParticipantFactory.create(tournament=made, name=LONG_NAME)
    ParticipantFactory.create_batch(PLAYERS - 1, tournament=made)
    a_played_round(made)
    a_round(made, 2)
    return made


@pytest.fixture
def second(tournament: Tournament) -> Round:
    return tournament.rounds.get(number=2)


@pytest.fixture
def new_phone(
    browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament
) -> Iterator[NewPhone]:
    """Return a function that opens a tab on a phone on which somebody has said to be number 1.

    The pages of a test are pages of one browser.
    """
    contexts: dict[bool, BrowserContext] = {}

    def start(tab: str = "", *, has_script: bool = True) -> Page:
        if has_script not in contexts:
            device = {"viewport": {"width": 360, "height": 740}, "java_script_enabled": has_script}
            contexts[has_script] = browser.new_context(**{**browser_context_args, **device})
            contexts[has_script].add_init_script(f"localStorage.setItem('me:{tournament.slug}', '1')")
        phone = contexts[has_script].new_page()
        if has_script:
            load(phone, tournament, tab)
        else:
            phone.goto(f"/t/{tournament.slug}/{tab}")
        return phone

    yield start
    for context in contexts.values():
        context.close()


def load(phone: Page, tournament: Tournament, tab: str) -> None:
    """Load a tab until it is live and shows what it knows about number 1."""
    phone.goto(f"/t/{tournament.slug}/{tab}")
    if tab != "rules/":
        expect(phone.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
    if tab in ("", "standings/"):
        expect(phone.locator("#me")).to_be_visible()


def tab(phone: Page, name: str) -> None:
    phone.get_by_role("navigation", name="Seite der Spieler").get_by_role("link", name=name).click()


def test_each_tab_is_a_tap_away_and_knows_me_and_my_row_follows_a_result(
    new_phone: NewPhone, second: Round
) -> None:
    phone = new_phone()
    table = second.tables.get(seats__participant__start_number=1)
    seat = table.seats.get(participant__start_number=1)
    expect(phone.locator(".answer__where")).to_contain_text(f"Platz {seat.seat_number}")
    tab(phone, "Stand")
    expect(phone.locator("#me")).to_contain_text(LONG_NAME)
    expect(phone.locator("tr[data-mine]")).to_contain_text(LONG_NAME)
    phone.get_by_role("link", name="Zu mir").click()
    expect(phone.locator("tr[data-mine]")).to_be_in_viewport()
    expect(phone.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
    before = phone.locator("#me").inner_text()
    a_paper_sheet(table, strokes={seat.seat_number: 9})
    expect(phone.locator("#me")).not_to_have_text(before, use_inner_text=True)
    expect(phone.locator("tr[data-mine]")).to_contain_text(LONG_NAME)
    tab(phone, "Tische")
    first = phone.locator(".table-card").first
    expect(first).to_have_attribute("data-mine", "true")
    expect(first.locator("[data-mine]")).to_contain_text(LONG_NAME)
    tab(phone, "Regeln")
    expect(phone.get_by_role("link", name="Auslosung der 2. Spielrunde")).to_be_visible()
    tab(phone, "Ich")
    expect(phone.locator("#me-title")).to_contain_text(LONG_NAME)


def test_without_script_the_links_carry_who_i_am(new_phone: NewPhone, tournament: Tournament) -> None:
    phone = new_phone(has_script=False)
    phone.get_by_role("searchbox", name="Wo sitze ich?").fill("1")
    phone.get_by_role("button", name=labels.SEARCH).click()
    phone.get_by_role("link", name="Das bin ich", exact=True).click()
    tab(phone, "Stand")
    expect(phone.locator("#me")).to_contain_text(LONG_NAME)
    phone.get_by_role("link", name="Zu mir").click()
    expect(phone.locator("tr[data-mine]")).to_be_in_viewport()
    tab(phone, "Tische")
    expect(phone.locator(".table-card").first.locator("[data-mine]")).to_contain_text(LONG_NAME)
    tab(phone, "Regeln")
    tab(phone, "Ich")
    expect(phone.locator("#me-title")).to_contain_text(LONG_NAME)


def test_lives_and_strokes_reach_my_table_on_every_phone_and_nothing_shifts_until_the_freeze(
    new_phone: NewPhone, second: Round
) -> None:
    """Behind the freeze no life is shown."""
    table = second.tables.get(seats__participant__start_number=1)
    seat = table.seats.get(participant__start_number=1).seat_number
    other = seat % table.seats.count() + 1
    mine, tables = new_phone(), new_phone("tables/")
    for phone in (mine, tables):
        phone.evaluate("document.fonts.ready")
    sheets.write(table, [("deal", {"losers": [seat], **DEAL})], by="x", at=AT)
    expect(mine.locator(".mine .seat[data-chosen] .coins")).to_have_attribute("data-lives", "2")
    expect(tables.locator(".table-card[data-mine] [data-mine] .coins")).to_have_attribute("data-lives", "2")
    for phone in (mine, tables):
        phone.evaluate(SHIFTS)
    schnauz = {"losers": [seat], "ended_by": "schnauz", "finisher": other}
    sheets.write(table, [("deal", schnauz)], by="x", at=AT)
    expect(mine.locator(".mine .seat[data-chosen] .coins")).to_have_attribute("data-lives", "1")
    expect(tables.locator(".table-card[data-mine] [data-mine] .coins")).to_have_attribute("data-lives", "1")
    expect(tables.locator(".table-card[data-mine] .tally")).to_have_attribute("aria-label", "1 Strich")
    expect(tables.locator(".table-card").first).to_have_attribute("data-mine", "true")
    for phone in (mine, tables):
        assert phone.evaluate("window.shifted") == []
    expect(tables.locator(".coins").first).to_be_visible()
    standings.freeze(second.tournament, by="x", at=AT)
    expect(tables.locator(".coins")).to_have_count(0)


def test_an_announcement_of_the_wall_reaches_the_phones(new_phone: NewPhone, tournament: Tournament) -> None:
    phones = [new_phone(name) for name in ("", "standings/", "tables/")]
    set_scene(tournament, [1], SentScene(kind="announcement", text="Die Suppe ist fertig"), by="x", at=AT)
    for phone in phones:
        expect(phone.get_by_role("status").get_by_text("Die Suppe ist fertig")).to_be_visible()
    set_scene(tournament, [1], SentScene(), by="x", at=AT)
    for phone in phones:
        expect(phone.get_by_text("Die Suppe ist fertig")).to_have_count(0)


def test_what_cannot_be_shown_is_no_lost_connection(new_phone: NewPhone, tournament: Tournament) -> None:
    """A script that fails while it shows what is new, as in a browser that lacks something."""
    page = new_phone("")
    page.evaluate("() => { Element.prototype.replaceWith = () => { throw new TypeError('not here'); }; }")
    expect(page.locator("[data-stream=open]")).to_be_attached()
    with page.expect_event("pageerror"):
        set_scene(tournament, [1], SentScene(kind="announcement", text="Die Suppe ist fertig"), by="x", at=AT)
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")


def test_the_clock_of_the_round_counts_down_on_the_phones_and_nothing_moves(
    new_phone: NewPhone, tournament: Tournament, second: Round
) -> None:
    phones = [new_phone(name) for name in ("", "tables/")]
    for phone in phones:
        expect(phone.locator("#clock")).to_contain_text("2. Spielrunde seit")
        phone.evaluate("document.fonts.ready")
        phone.evaluate(SHIFTS)
    start_clock(tournament, 2, minutes=45, by="x", at=timezone.now())
    for phone in phones:
        left = phone.locator("#clock [data-ends-at]")
        expect(left).to_have_text(re.compile(r"^4[34]:\d\d$"))
        expect(phone.locator("#clock")).to_contain_text("Gong um")
    start_clock(tournament, 2, minutes=3, by="x", at=timezone.now())
    for phone in phones:
        expect(phone.locator("#clock [data-call]")).to_have_text("Gleich letztes Spiel")
    stop_clock(tournament, 2, by="x", at=timezone.now())
    for phone in phones:
        expect(phone.locator("#clock [data-ends-at]")).to_have_count(0)
    start_clock(tournament, 2, minutes=45, wait=10, by="x", at=timezone.now())
    for phone in phones:
        expect(phone.locator("#clock [data-call]")).to_have_text("Start in")
        expect(phone.locator("#clock [data-ends-at]")).to_have_text(re.compile(r"^(9|10):\d\d$"))
        assert phone.evaluate("window.shifted") == []


def test_without_script_the_time_of_the_gong_stands_there(
    new_phone: NewPhone, tournament: Tournament
) -> None:
    clock = start_clock(tournament, 2, minutes=45, by="x", at=timezone.now())
    gong = timezone.localtime(clock.started_at + timedelta(minutes=45))
    for name in ("", "tables/"):
        phone = new_phone(name, has_script=False)
        expect(phone.locator("#clock")).to_have_text(
            re.compile(rf"^\s*2\. Spielrunde\s+Gong um {gong:%H:%M} Uhr\s*$")
        )


def test_everybody_can_use_it_in_all_sizes_and_colours(new_phone: NewPhone, second: Round) -> None:
    """In dark colours, the clock announces the last deal."""
    clock = partial(start_clock, second.tournament, 2, by="x")
    clock(minutes=45, at=timezone.now())
    table = second.tables.get(seats__participant__start_number=1)
    sheets.write(table, [("deal", {"losers": [1], **DEAL})], by="x", at=AT)
    phone = new_phone()
    for name in TABS:
        load(phone, second.tournament, name)
        for scheme, minutes in CLOCKS.items():
            if name in ("", "tables/"):
                clock(minutes=minutes, at=timezone.now())
                expect(phone.locator("#clock [data-ends-at]")).to_have_text(MINUTES_LEFT[minutes])
            phone.emulate_media(color_scheme=scheme)
            for number, (width, height) in enumerate(SIZES, start=TABS.index(name)):
                seen = (name, scheme, width)
                phone.set_viewport_size({"width": width, "height": height})
                if (number % 2 == 0) == (scheme == "light"):  # each tab in each size, and in both colours
                    assert violations(phone, "wcag2aaa") == [], seen
                assert small_targets(phone, ".app-tabs a", 44) == [], seen
                assert phone.evaluate("document.documentElement.scrollWidth") == width, seen
                phone.evaluate("document.documentElement.style.fontSize = '200%'")
                assert phone.evaluate("document.documentElement.scrollWidth") == width, (*seen, "200 %")
                phone.evaluate("document.documentElement.style.fontSize = ''")


def counted(network: CDPSession) -> dict[str, int]:
    """Return the bytes of each request, which are counted from now on; of a stream those that have come."""
    received: dict[str, int] = {}

    def came(event: dict[str, Any]) -> None:
        found = received.get(event["requestId"], 0)
        received[event["requestId"]] = max(found, event["encodedDataLength"])

    def came_in_part(event: dict[str, Any]) -> None:
        received[event["requestId"]] = received.get(event["requestId"], 0) + event["encodedDataLength"]

    network.send("Network.enable")
    network.on("Network.dataReceived", came_in_part)
    network.on("Network.loadingFinished", came)
    return received


def test_the_first_load_of_each_tab_is_small(
    browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament
) -> None:
    """Under 80 kB with 2 kB of room, also on a phone that knows its owner and fetches what a tab tells about them."""
    ParticipantFactory.create_batch(MANY - PLAYERS, tournament=tournament)
    for table in tournament.rounds.get(number=2).tables.all():
        a_paper_sheet(table)
    tournament.rounds.filter(number=2).update(state=Round.State.CLOSED, closed_at=AT)
    start_clock(tournament, a_round(tournament, 3).number, minutes=45, by="x", at=timezone.now())
    sizes = {}
    for name, is_known in product(TABS, (False, True)):
        context = browser.new_context(**browser_context_args)
        if is_known:
            context.add_init_script(f"localStorage.setItem('me:{tournament.slug}', '1')")
        page = context.new_page()
        received = counted(context.new_cdp_session(page))
        page.goto(f"/t/{tournament.slug}/{name}")
        if name != "rules/":
            expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
        if is_known and name in OWN_PARTS:
            expect(page.locator(OWN_PARTS[name])).to_be_visible()
        page.evaluate("document.fonts.ready")
        page.wait_for_load_state("load")
        page.wait_for_function(
            "() => [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)"
        )
        sizes[name, "owner" if is_known else "stranger"] = sum(received.values())
        context.close()
    assert [tab for tab, size in sizes.items() if not 20_000 < size < 80_000] == [], sizes
