"""The clock of a round on the wall: it counts down, calls the last game, and rings where the gong was turned on."""

import re
from collections.abc import Iterator
from datetime import timedelta
from time import sleep
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route, expect

from scoring.services.round_clock import start_clock, stop_clock
from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.journeys.test_hall import check_legible
from tests.journeys.test_screens import paired
from tournaments.models import Tournament
from tournaments.services.rounds import give_start_sign

pytestmark = pytest.mark.usefixtures("committed", "live_url")

COUNT_STROKES = """
  window.strokes = 0;
  const own = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.strokes += 1; return own.call(this); };
"""
TONES = 4
MINUTE = timedelta(minutes=1)


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    """Create a round in play."""
    slug = "uhr-" + re.sub(r"[^a-z]+", "-", request.node.name.lower())[:50]
    tournament: Tournament = TournamentFactory.create(slug=slug)
    ParticipantFactory.create_batch(10, tournament=tournament)
    table = a_round(tournament).tables.get(number=1)
    write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    return tournament


@pytest.fixture
def wall(browser: Browser, browser_context_args: dict[str, Any], tournament: Tournament) -> Iterator[Page]:
    context = browser.new_context(**browser_context_args, viewport={"width": 1920, "height": 1080})
    page = paired(context, tournament).new_page()
    page.add_init_script(COUNT_STROKES)
    yield page
    context.close()


def open_play(wall: Page, tournament: Tournament, *, stream: str = "open") -> None:
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("body")).to_have_attribute("data-stream", stream)
    turn_to_play(wall)


def turn_to_play(wall: Page) -> None:
    wall.keyboard.press("Space")
    while wall.locator(".wall-page:visible").get_attribute("data-kind") != "play":
        wall.keyboard.press("ArrowRight")


def open_alone(wall: Page, tournament: Tournament) -> None:
    """Open the screen and cut it off, so that its time is that of the test and not the server's."""
    wall.clock.install()
    without_news(wall)
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("[data-clock]").first).not_to_be_empty()  # the server has told its time
    turn_to_play(wall)


def without_news(wall: Page) -> None:
    """Let the server answer when a page is opened, and tell it its time, but bring no news."""

    def answer(route: Route) -> None:
        asked = route.request
        is_news = asked.resource_type in {"eventsource", "fetch"} and asked.method == "GET"
        (route.abort if is_news else route.continue_)()

    wall.route("**/t/**", answer)


def test_the_clock_appears_counts_down_and_goes(wall: Page, tournament: Tournament) -> None:
    open_play(wall, tournament)
    left = wall.locator(".wall-page:visible [data-ends-at]")
    expect(left).to_have_count(0)
    start_clock(tournament, 1, minutes=45, by="x", at=timezone.now())
    expect(left).to_have_text(re.compile(r"^4[34]:\d\d$"))
    expect(left).to_have_attribute("data-state", "runs")
    check_legible(wall)
    start_clock(tournament, 1, minutes=3, by="x", at=timezone.now())
    expect(left).to_have_attribute("data-state", "soon")
    expect(wall.locator(".wall-page:visible [data-call]")).to_have_text("Gleich letztes Spiel")
    check_legible(wall)
    stop_clock(tournament, 1, by="x", at=timezone.now())
    expect(left).to_have_count(0)


def test_a_device_whose_clock_is_hours_wrong_shows_the_time_of_the_server(
    wall: Page, tournament: Tournament
) -> None:
    """And that at once, before there are any news."""
    start_clock(tournament, 1, minutes=45, by="x", at=timezone.now())
    wall.clock.install(time=timezone.now() + timedelta(hours=5))
    without_news(wall)
    open_play(wall, tournament, stream="lost")
    page = wall.locator(".wall-page:visible")
    expect(page.locator("[data-ends-at]")).to_have_text(re.compile(r"^4[345]:\d\d$"))
    now = timezone.localtime()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(f"^({now:%H:%M}|{now + MINUTE:%H:%M})$"))
    wall.goto(f"/t/{tournament.slug}/")
    expect(wall.locator("#clock [data-ends-at]")).to_have_text(re.compile(r"^4[345]:\d\d$"))


def test_a_slow_answer_does_not_set_the_clock_back(wall: Page, tournament: Tournament) -> None:
    start_clock(tournament, 1, minutes=45, by="x", at=timezone.now())
    wall.route("**/live", lambda route: route.abort())
    open_play(wall, tournament, stream="lost")
    expect(wall.locator(".wall-page:visible [data-ends-at]")).to_have_text(re.compile(r"^4[34]:\d\d$"))
    wall.evaluate(
        """() => {
          window.seen = [];
          const look = () => seen.push(document.querySelector(".wall-page:not([hidden]) [data-ends-at]").textContent);
          setInterval(look, 50);
        }"""
    )

    def late(route: Route) -> None:
        answer = route.fetch()
        sleep(3)
        route.fulfill(response=answer)

    wall.route("**/screen/", late)  # all, as an answer that was overtaken would not count
    with wall.expect_response("**/screen/"):
        wall.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wall.wait_for_timeout(1_000)  # the clock is drawn twice
    seen = wall.evaluate("seen")
    wall.unroute_all(behavior="ignoreErrors")
    assert seen[0] > seen[-1]
    assert seen == sorted(seen, reverse=True)


def test_while_people_look_for_their_tables_it_counts_down_to_the_start(
    wall: Page, tournament: Tournament
) -> None:
    tournament.rounds.update(state="closed")
    a_round(tournament, 2)
    start_clock(tournament, 2, minutes=45, wait=10, by="x", at=timezone.now())
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("body")).to_have_attribute("data-stream", "open")
    page = wall.locator(".wall-page:visible")
    expect(page).to_have_attribute("data-kind", "seating")
    expect(page.locator(".wall-clock")).to_have_text(re.compile(r"^\s*Start in\s+(9|10):\d\d\s*$"))
    expect(page.locator("[data-ends-at]")).to_have_attribute("data-state", "waits")
    check_legible(wall)
    give_start_sign(tournament, 2, at=timezone.now())
    expect(page).to_have_attribute("data-kind", "start")
    expect(page.locator(".wall-clock")).to_have_text(re.compile(r"^\s*noch\s+4[45]:\d\d\s*$"))
    check_legible(wall)


def test_at_the_start_it_rings_twice_and_goes_on(wall: Page, tournament: Tournament) -> None:
    start_clock(tournament, 1, minutes=45, wait=10, by="x", at=timezone.now())
    open_alone(wall, tournament)
    left = wall.locator(".wall-page:visible [data-ends-at]")
    wall.locator("[data-gong]").click()
    wall.clock.fast_forward("05:00")
    expect(left).to_have_attribute("data-state", "waits")
    assert wall.evaluate("strokes") == TONES
    wall.clock.fast_forward("05:10")
    expect(left).to_have_attribute("data-state", "runs")
    assert wall.evaluate("strokes") == 3 * TONES


def test_the_gong_is_off_until_it_is_turned_on_at_this_screen(wall: Page, tournament: Tournament) -> None:
    start_clock(tournament, 1, minutes=45, by="x", at=timezone.now())
    open_alone(wall, tournament)
    call = wall.locator(".wall-page:visible [data-call]")
    gong = wall.locator("[data-gong]")
    expect(gong).to_have_attribute("aria-pressed", "false")
    wall.clock.fast_forward("41:00")
    expect(call).to_have_text("Gleich letztes Spiel")
    assert wall.evaluate("strokes") == 0
    gong.click()
    expect(gong).to_have_attribute("aria-pressed", "true")
    assert wall.evaluate("strokes") == TONES  # so that one hears that it is on
    wall.clock.fast_forward("04:30")
    expect(call).to_have_text("Die Zeit ist um")
    assert wall.evaluate("strokes") == 4 * TONES


def test_a_screen_that_is_opened_after_the_end_does_not_ring(wall: Page, tournament: Tournament) -> None:
    start_clock(tournament, 1, minutes=1, by="x", at=timezone.now() - timedelta(minutes=1))
    open_play(wall, tournament)
    call = wall.locator(".wall-page:visible [data-call]")
    expect(call).to_have_text("Die Zeit ist um")
    wall.locator("[data-gong]").click()
    start_clock(tournament, 1, minutes=2, by="x", at=timezone.now())
    expect(call).to_have_text("Gleich letztes Spiel")
    assert wall.evaluate("strokes") == TONES
