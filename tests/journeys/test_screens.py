"""Scenes on the screens in a real browser: each screen follows at once, and is legible from far away."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.queries.screens import SentScene
from scoring.queries.standings import current_standings
from scoring.screen_cookie import COOKIE
from scoring.services import screens, standings
from scoring.services.rounds import close
from tests import labels
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.journeys.access import violations
from tests.journeys.evening import bring_session
from tests.journeys.steps import WITHOUT_BAR
from tests.journeys.test_hall import LONG_NAMES, check_legible
from tests.journeys.test_tabs import counted
from tests.scoring.paired import pairing_cookie
from tests.scoring.prize_giving import reveal_until
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "live_url")

WALL = {"viewport": {"width": 1920, "height": 1080}}
SMALL_WALL = {"viewport": {"width": 640, "height": 360}}
"""For tests of what a screen shows, not of how: it is drawn with less work."""
NewContext = Callable[..., BrowserContext]


@pytest.fixture
def tournament(committed: None, request: pytest.FixtureRequest) -> Tournament:
    slug = "bild-" + re.sub(r"[^a-z]+", "-", request.node.name.lower())[:50]
    made: Tournament = TournamentFactory.create(
        slug=slug, name="Preisschnauzen im Wirtshaus", owner=UserFactory.create(username=slug)
    )
    for name in LONG_NAMES:
        ParticipantFactory.create(tournament=made, name=name)
    ParticipantFactory.create_batch(12, tournament=made)
    return made


@pytest.fixture
def new_context(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[NewContext]:
    contexts: list[BrowserContext] = []

    def open_context(**options: Any) -> BrowserContext:
        contexts.append(browser.new_context(**{**browser_context_args, **options}))
        contexts[-1].add_init_script(WITHOUT_BAR)
        return contexts[-1]

    yield open_context
    for context in contexts:
        context.close()


def logged_in(context: BrowserContext, tournament: Tournament) -> Page:
    page = context.new_page()
    bring_session(page, tournament.memberships.get().user)
    return page


def paired(context: BrowserContext, tournament: Tournament) -> BrowserContext:
    """Return the context as one whose browser is paired as a screen."""
    value, path = pairing_cookie(tournament), f"/t/{tournament.slug}/"
    context.add_cookies([{"name": COOKIE, "value": value, "domain": "127.0.0.1", "path": path}])
    return context


def send(tournament: Tournament, kind: str, *numbers: int, **more: Any) -> None:
    screens.set_scene(tournament, numbers or (1,), SentScene(kind, **more), by="x", at=AT)


def picture(wall: Page, name: str) -> None:
    """Save a screenshot if SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        wall.screenshot(path=f"{folder}/{name}.png")


def is_shown(wall: Page, kind: str) -> None:
    expect(wall.locator(".wall-page:visible")).to_have_attribute("data-kind", kind)


def check_scene(wall: Page, kind: str, name: str = "") -> None:
    is_shown(wall, kind)
    wall.wait_for_timeout(100)
    picture(wall, name or kind)
    assert violations(wall) == []
    for _ in range(wall.locator(".wall-page").count()):
        check_legible(wall)
        wall.keyboard.press("ArrowRight")


def test_every_scene_is_legible_from_far_away(new_context: NewContext, tournament: Tournament) -> None:
    wall = paired(new_context(**WALL), tournament).new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    send(tournament, "welcome", network="Wirtshaus-Gast", password="Eichel-Ober-zahlt-alles-7")
    expect(wall.locator(".wall-codes")).to_contain_text("Eichel-Ober-zahlt-alles-7")
    check_scene(wall, "welcome", "welcome-wifi")
    send(
        tournament,
        "welcome",
        network="Gasthaus zum Eichel-Ober, Markt",
        password="Schnauz und Feuer " * 3 + "und Spitz",
    )
    expect(wall.locator(".wall-codes--narrow")).to_be_visible()
    check_scene(wall, "welcome", "welcome-long")
    send(tournament, "welcome")
    expect(wall.locator(".wall-code--small")).to_have_count(0)
    check_scene(wall, "welcome")
    send(tournament, "gather")
    check_scene(wall, "gather")
    send(tournament, "announcement", text="Die Küche schließt um neun.")
    check_scene(wall, "announcement", "announcement-short")
    send(tournament, "announcement", text="Donaudampfschifffahrt macht Durst. " * 6 + "Zahlen, bitte!")
    expect(wall.locator(".wall-large")).to_be_visible()
    check_scene(wall, "announcement", "announcement-long")
    send(tournament, "race")
    expect(wall.locator(".wall-large:visible")).to_have_text(
        "Den Verlauf gibt es, sobald zwei Spielrunden gezählt sind."
    )
    check_scene(wall, "race", "race-none")
    send(tournament, "seating")
    a_round(tournament)
    check_scene(wall, "seating")
    for table in tournament.rounds.get().tables.order_by("number")[:1]:
        a_paper_sheet(table, strokes={1: 13, 2: 4})
    send(tournament, "play")
    check_scene(wall, "play")
    send(tournament, "standings")
    check_scene(wall, "standings")
    for table in tournament.rounds.get().tables.order_by("number")[1:]:
        a_paper_sheet(table)
    tournament.rounds.update(state="closed")
    a_played_round(tournament, 2)
    expect(wall.locator(".wall-page:visible h1")).to_contain_text("2. Spielrunde")
    check_scene(wall, "standings", "standings-2")
    send(tournament, "race")
    expect(wall.locator(".wall-race g[data-place] line")).to_have_count(8)
    check_scene(wall, "race", "race-2")
    a_played_round(tournament, 3)  # it follows by itself
    expect(wall.locator(".wall-race g[data-place] line")).to_have_count(16)
    check_scene(wall, "race", "race-3")
    send(tournament, "automatic")
    check_scene(wall, "winner")
    send(tournament, "prizes", lowest_rank=12)
    check_scene(wall, "prizes", "prizes-none")
    ranks = sorted({row.rank for row in current_standings(tournament).rows if row.rank <= 12})
    for step, best in enumerate((ranks[-1], ranks[len(ranks) // 2], 1)):
        reveal_until(tournament, (1,), str(best))
        expect(wall.locator(".wall-page:visible")).to_have_attribute("data-seen", str(best))
        wall.wait_for_timeout(600)
        check_scene(wall, "prizes", f"prizes-{step}")
    send(tournament, "prizes", lowest_rank=1)
    screens.reveal(tournament, [1], "1", seen="", by="x", at=AT)
    expect(wall.locator(".is-known")).to_have_count(0)
    expect(wall.locator("[data-winner] .is-newest")).to_have_count(1)
    expect(wall.locator("[data-winner] .wall-rank")).to_be_visible()
    check_scene(wall, "prizes", "prizes-few")
    send(tournament, "black")
    is_shown(wall, "black")
    picture(wall, "black")
    expect(wall.locator(".wall-foot")).to_have_css("opacity", "0")
    assert wall.locator("body").evaluate("body => getComputedStyle(body).backgroundColor") == "rgb(0, 0, 0)"


def test_scenes_are_legible_in_english_and_of_a_knockout_too(
    new_context: NewContext, tournament: Tournament
) -> None:
    tournament.ruleset = preset("knockout").to_dict()
    tournament.save()
    wall = paired(new_context(**WALL, locale="en-US"), tournament).new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    send(tournament, "welcome", network="Wirtshaus-Gast", password="eichel-7")
    expect(wall.locator(".wall-codes")).to_contain_text("Password")
    check_scene(wall, "welcome", "english-welcome")
    a_round(tournament)
    for table in tournament.rounds.get().tables.all():
        a_paper_sheet(table, strokes={1: 1})
    send(tournament, "play")
    check_scene(wall, "play", "english-play")
    close(tournament, 1, at=AT)
    send(tournament, "standings")
    check_scene(wall, "standings", "english-standings")
    a_played_round(tournament, 2)
    send(tournament, "prizes", lowest_rank=5)
    reveal_until(tournament, (1,), "2")
    expect(wall.locator(".is-newest")).not_to_have_count(0)
    check_scene(wall, "prizes", "english-prizes")


def test_the_first_load_of_the_wall_is_small(new_context: NewContext, tournament: Tournament) -> None:
    ParticipantFactory.create_batch(286, tournament=tournament)
    a_played_round(tournament)
    a_round(tournament, 2)
    first = paired(new_context(**WALL), tournament).new_page()
    first.goto(f"/t/{tournament.slug}/screen/")
    sizes = {}
    for scene in ("seating", "standings"):
        send(tournament, scene)
        is_shown(first, scene)
        context = paired(new_context(**WALL), tournament)
        wall = context.new_page()
        wall.route("**/live", lambda route: route.abort())  # news that come meanwhile are no part of it
        received = counted(context.new_cdp_session(wall))
        wall.goto(f"/t/{tournament.slug}/screen/")
        is_shown(wall, scene)
        wall.evaluate("document.fonts.ready")
        wall.wait_for_load_state("load")
        sizes[scene] = sum(received.values())
    assert [scene for scene, size in sizes.items() if not 20_000 < size < 100_000] == [], sizes


def a_whole_evening(tournament: Tournament) -> None:
    """Play three rounds, the last one with frozen standings."""
    a_played_round(tournament, 1)
    a_played_round(tournament, 2)
    standings.freeze(tournament, by="x", at=AT)
    a_played_round(tournament, 3)


def test_the_organiser_sends_a_scene_to_one_screen_of_two(
    new_context: NewContext, tournament: Tournament
) -> None:
    first, second = (new_context(**SMALL_WALL).new_page() for _ in range(2))
    first.goto(f"/t/{tournament.slug}/screen/")
    second.goto(f"/t/{tournament.slug}/screen/2/")
    is_shown(first, "welcome")
    is_shown(second, "welcome")
    desk = logged_in(new_context(), tournament)
    desk.goto(f"/o/{tournament.slug}/screens/")
    expect(desk.locator(".screens__one")).to_have_count(2)
    expect(desk.locator(".screens__one").nth(1)).to_contain_text("geöffnet")
    desk.get_by_role("link", name="Leinwand 2", exact=True).click()
    expect(desk.get_by_role("link", name="Leinwand 2", exact=True)).to_have_attribute("aria-current", "page")
    desk.get_by_text("Durchsage", exact=True).first.click()
    desk.get_by_role("button", name="Durchsage zeigen").click()
    expect(desk.get_by_text("Bitte eintragen, was auf der Leinwand stehen soll.")).to_be_in_viewport()
    expect(desk.get_by_label("Durchsage")).to_be_focused()
    desk.get_by_label("Durchsage").fill("Die Küche schließt um neun.")
    desk.keyboard.press("Enter")
    expect(second.locator(".wall-huge:visible")).to_have_text("Die Küche schließt um neun.")
    expect(desk.get_by_text("Bitte eintragen, was auf der Leinwand stehen soll.")).to_have_count(0)
    expect(desk.locator(".screens__one").nth(1)).to_contain_text("Durchsage")
    picture(desk, "organiser")
    is_shown(first, "welcome")
    assert violations(desk) == []
    desk.get_by_role("button", name="Schwarz").click()
    is_shown(second, "black")
    is_shown(first, "welcome")
    desk.get_by_role("link", name="Alle", exact=True).click()
    desk.get_by_role("button", name="Von selbst").click()
    is_shown(second, "welcome")


def test_the_prizes_are_revealed_by_a_key_and_the_name_comes_after_its_rank(
    new_context: NewContext, tournament: Tournament
) -> None:
    a_whole_evening(tournament)
    rows = [row for row in current_standings(tournament).rows if row.rank <= 3]
    last = max(row.rank for row in rows)
    wall = paired(new_context(**SMALL_WALL), tournament).new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    desk = logged_in(new_context(), tournament)
    desk.goto(f"/o/{tournament.slug}/screens/")
    desk.get_by_text("Siegerehrung", exact=True).first.click()
    desk.get_by_label("Preise bis Rang").fill("3")
    desk.get_by_role("button", name=labels.BEGIN_PRIZE_GIVING).click()
    is_shown(wall, "prizes")
    expect(wall.get_by_text("Gleich geht es los.")).to_be_visible()
    assert not any(row.name in wall.content() for row in rows)
    expect(desk.get_by_role("button", name="Auf der Leinwand zeigen")).to_be_visible()
    desk.wait_for_load_state()  # the keys
    desk.keyboard.press("ArrowRight")
    expect(wall.locator(".is-newest")).to_have_count(sum(row.rank == last for row in rows))
    pause = (
        "page => page.matches('[data-fresh]') && getComputedStyle(page.querySelector('ul')).animationDelay"
    )
    assert wall.locator(".wall-page:visible").evaluate(pause) == "2s"
    for row in rows:
        assert (row.name in wall.content()) == (row.rank == last)
    expect(desk.get_by_role("button", name="Wieder verdecken")).to_be_visible()
    desk.wait_for_load_state()
    picture(desk, "organiser-prizes")
    assert violations(desk) == []
    desk.keyboard.press("ArrowLeft")
    expect(wall.get_by_text("Gleich geht es los.")).to_be_visible()
    expect(wall.locator(".is-newest, .is-known")).to_have_count(0)


def test_at_the_screen_only_who_is_logged_in_reveals(new_context: NewContext, tournament: Tournament) -> None:
    a_whole_evening(tournament)
    send(tournament, "prizes", lowest_rank=1)
    address = f"/t/{tournament.slug}/screen/"
    stranger = paired(new_context(**SMALL_WALL), tournament).new_page()
    stranger.goto(address)
    own = logged_in(new_context(**SMALL_WALL), tournament)
    own.goto(address)
    expect(own.locator("body")).to_have_attribute("data-stream", "open")
    stranger.keyboard.press("ArrowRight")
    stranger.wait_for_timeout(1000)
    expect(stranger.locator(".is-newest")).to_have_count(0)
    own.keyboard.press("ArrowRight")
    expect(stranger.locator(".is-newest")).not_to_have_count(0)


def test_a_black_screen_still_says_loudly_that_the_server_is_lost(
    new_context: NewContext, tournament: Tournament
) -> None:
    send(tournament, "black")
    wall = new_context(**SMALL_WALL).new_page()
    wall.clock.install()
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("body")).to_have_attribute("data-stream", "open")
    wall.route("**/*", lambda route: route.abort())
    wall.clock.run_for(36_000)
    expect(wall.locator(".age")).to_have_attribute("data-state", "stale")
    expect(wall.locator(".wall-foot")).to_have_css("opacity", "1")


def test_the_pages_say_at_what_pace_they_turn(new_context: NewContext, tournament: Tournament) -> None:
    a_played_round(tournament)
    wall = new_context(**SMALL_WALL).new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator(".wall-pace")).to_have_text("alle 12 s")
    wall.keyboard.press("Space")
    expect(wall.locator(".wall-pace")).to_have_text("angehalten")
    send(tournament, "black")
    expect(wall.locator(".wall-pace")).to_be_hidden()
