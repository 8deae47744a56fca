"""The draw before the hall in real browsers: laptop, wall and two phones; and the quiet one with a redraw and a swap."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from tests.factories import AT, ParticipantFactory
from tests.journeys.access import violations
from tests.journeys.evening import NewPage, bring_session
from tests.journeys.phones import PHONE
from tests.schnauz_turnier.postgresql.test_database import wait_until
from tests.scoring.pages import Staff, text_of
from tournaments.services import rounds
from tournaments.services.draw_settings import choose_ceremony

NOTE_WHO_WAITS_NO_LONGER = """() => {
    self.shown = [];
    const pause = document.querySelector("[data-pause][aria-pressed=false]");
    const note = (changes) => {
        changes.map(({ target }) => target).filter((row) => !row.hasAttribute("data-waiting")).forEach((row) =>
            self.shown.push([row.closest(".wall-draw__table").querySelector("h2").textContent.trim(), row.textContent.trim()]));
        if (self.shown.length >= 3 && pause.ariaPressed === "false") pause.click();
    };
    new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ["data-waiting"] });
}"""
"""Notes table and name of each seat that the wall shows, and holds it after three: on a busy machine the test looks too late."""

pytestmark = pytest.mark.usefixtures("committed", "live_url")

WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}, "reduced_motion": "no-preference"}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def desk(committed: None) -> Staff:
    return Staff(12)


@pytest.fixture
def opened(new_page: NewPage, desk: Staff, live_url: str) -> Callable[..., Page]:
    """Open a page of the tournament on a device of its own; on a laptop, as the organiser."""

    def open_page(device: dict[str, Any], path: str = "") -> Page:
        page = new_page(device)
        if device is LAPTOP:
            bring_session(page, desk.user)
            page.goto(f"{live_url}{desk.url('round', 1)}")
        else:
            page.goto(f"{live_url}/t/{desk.tournament.slug}/{path}")
        return page

    return open_page


def groups_on(page: Page) -> list[str]:
    expect(page.locator(".seal__group:visible")).to_have_count(8)
    return page.locator(".seal__group:visible").all_inner_texts()


def is_open_to_all(page: Page) -> bool:
    return violations(page) == []


def seated(desk: Staff, number: int) -> list[str]:
    return [seat.participant.name for seat in desk.table(number).seats.select_related("participant")]


def test_before_the_hall_all_see_the_seal_the_words_and_then_each_seat(
    opened: Callable[..., Page], desk: Staff
) -> None:
    laptop, wall = opened(LAPTOP), opened(WALL, "screen/")
    phones = [opened(PHONE), opened({**PHONE, "viewport": {"width": 320, "height": 568}})]

    laptop.get_by_label("vor dem Saal").check()
    expect(laptop.get_by_role("button", name="auslosen")).to_have_count(0)
    laptop.get_by_role("button", name="Versiegeln").click()
    expect(laptop.get_by_text("Versiegelt. Das Siegel steht öffentlich da.")).to_be_visible()
    sealed = list(desk.tournament.commitments.get().groups)
    for page in (laptop, wall, *phones):
        assert groups_on(page) == sealed
        assert violations(page) == []
    expect(wall.get_by_text("Jetzt ruft jemand im Saal etwas dazu")).to_be_visible()

    wall.evaluate(NOTE_WHO_WAITS_NO_LONGER)
    laptop.get_by_label("Zuruf aus dem Saal").fill("Eichel sieben")
    laptop.get_by_role("button", name="Auslosen und zeigen").click()
    expect(laptop.get_by_text("Ausgelost und freigegeben")).to_be_visible()

    expect(wall.get_by_text("Zuruf: „Eichel sieben“")).to_be_visible()
    wait_until(lambda: wall.evaluate("self.shown.length") >= 3)
    shown = wall.evaluate("self.shown.slice(0, 3)")
    assert [heading for heading, _name in shown] == ["Tisch 1"] * 3
    assert [name for _heading, name in shown] == seated(desk, 1)[:3]
    assert any(is_open_to_all(wall) for _ in range(9))
    wall.keyboard.press("ArrowRight")
    expect(wall.get_by_role("heading", name="1. Spielrunde: Wo sitze ich?")).to_be_visible()
    for phone in phones:
        expect(phone.get_by_role("heading", name="Tische der 1. Spielrunde")).to_be_visible()
        expect(phone.locator(".seal__group")).to_have_count(0)


def test_the_staging_ends_within_a_minute_and_is_not_shown_twice(
    opened: Callable[..., Page], desk: Staff
) -> None:
    ParticipantFactory.create_batch(48, tournament=desk.tournament)
    choose_ceremony(desk.tournament, "hall")
    wall = opened(WALL, "screen/")
    wall.clock.install()
    desk.post("draw", 1, exceptions="on")
    wall.reload()
    expect(wall.locator(".seal__group")).to_have_count(8)
    desk.post("draw_sealed", 1, words="17")
    expect(wall.locator(".wall-draw__table:visible")).to_have_count(1)
    wall.clock.run_for(62_000)
    expect(wall.locator(".wall-draw__table:visible")).to_have_count(0)
    expect(wall.get_by_role("heading", name="1. Spielrunde: Wo sitze ich?")).to_be_visible()
    wall.reload()
    expect(wall.get_by_role("heading", name="1. Spielrunde: Wo sitze ich?")).to_be_visible()


@pytest.mark.parametrize("hours", [None, 5], ids=["the time is not told", "the clock is wrong"])
def test_a_screen_that_is_opened_meanwhile_begins_with_the_draw(
    opened: Callable[..., Page], desk: Staff, hours: int | None
) -> None:
    """And does not show the whole seating until it knows the time."""
    choose_ceremony(desk.tournament, "hall")
    desk.post("draw", 1, exceptions="on")
    desk.post("draw_sealed", 1, words="17")
    wall = opened(WALL)
    if hours:
        wrong = timezone.now() + timedelta(hours=hours)
        wall.clock.install(time=wrong)
        wall.clock.pause_at(wrong + timedelta(minutes=1))
    held: list[Route] = []

    def hold_back(route: Route) -> None:
        if route.request.method == "HEAD":
            held.append(route)
        else:
            route.continue_()

    wall.route("**/screen/", hold_back)
    wall.add_init_script(
        """window.seen = new Set();
        setInterval(() => document.body && seen.add(document.querySelector(".wall-page:not([hidden])")?.dataset.kind), 20);"""
    )
    with wall.expect_request(lambda request: request.method == "HEAD"):
        wall.goto(f"/t/{desk.tournament.slug}/screen/")
    expect(wall.locator("html[data-alive]")).to_be_attached()
    if hours:
        wall.clock.run_for(1_000)
        with wall.expect_response(lambda answer: answer.request.method == "HEAD"):
            held[0].continue_()
        wall.clock.resume()
    else:
        held[0].abort()
    expect(wall.locator(".wall-draw__table:visible")).to_have_count(1)
    assert wall.evaluate("[...seen].filter(Boolean)") == ["draw"]


def test_whoever_wants_no_motion_sees_the_result(opened: Callable[..., Page], desk: Staff) -> None:
    choose_ceremony(desk.tournament, "hall")
    wall = opened({**WALL, "reduced_motion": "reduce"}, "screen/")
    desk.post("draw", 1, exceptions="on")
    expect(wall.locator(".seal__group")).to_have_count(8)
    desk.post("draw_sealed", 1, words="17")
    expect(wall.get_by_role("heading", name="1. Spielrunde: Wo sitze ich?")).to_be_visible()
    expect(wall.locator(".wall-draw__table:visible")).to_have_count(0)


def test_a_latecomer_between_seal_and_draw(opened: Callable[..., Page], desk: Staff) -> None:
    choose_ceremony(desk.tournament, "hall")
    laptop = opened(LAPTOP)
    laptop.get_by_role("button", name="Versiegeln").click()
    before = groups_on(laptop)
    ParticipantFactory.create(tournament=desk.tournament)
    laptop.get_by_label("Zuruf aus dem Saal").fill("Gras")
    laptop.get_by_role("button", name="Auslosen und zeigen").click()
    expect(laptop.get_by_text("Seit dem Siegel hat sich etwas geändert").first).to_be_visible()
    laptop.get_by_label("Ja, mit diesen Tischen auslosen").check()
    laptop.get_by_role("button", name="Neu versiegeln").click()
    expect(laptop.get_by_label("Zuruf aus dem Saal")).to_be_visible()
    assert groups_on(laptop) != before
    laptop.get_by_label("Zuruf aus dem Saal").fill("Gras")
    laptop.get_by_role("button", name="Auslosen und zeigen").click()
    expect(laptop.get_by_text("Ausgelost und freigegeben")).to_be_visible()


def test_the_quiet_way_with_a_redraw_and_a_swap(opened: Callable[..., Page], desk: Staff) -> None:
    laptop, phone = opened(LAPTOP), opened(PHONE)
    laptop.get_by_role("button", name="auslosen").click()
    expect(laptop.get_by_role("heading", name="Tisch 1", exact=True)).to_be_visible()
    assert groups_on(phone) == list(desk.tournament.commitments.get().groups)

    laptop.get_by_text("Neu auslosen …").click()
    redraw = laptop.locator("#redraw")
    redraw.get_by_label("Begründung").fill("Ein Tisch fehlt")
    redraw.get_by_role("button", name="Diese Auslosung verwerfen").click()
    expect(laptop.get_by_text("Verworfen, weil: Ein Tisch fehlt")).to_be_visible()
    expect(phone.locator(".seal__group").first).to_have_text(
        desk.tournament.commitments.get(number=2).groups[0]
    )

    first, second = (seat.participant.start_number for seat in desk.table().seats.all()[:2])
    swap = desk.post("swap", 1, player=[first, second], reason="Rollstuhl", follow=True)
    assert "haben die Plätze getauscht" in text_of(swap)
    rounds.release(desk.tournament, 1, at=AT)

    expect(phone.get_by_role("heading", name="Tische der 1. Spielrunde")).to_be_visible()
    phone.goto(phone.url + "rounds/1/")
    expect(phone.get_by_text("Verworfen: Ein Tisch fehlt")).to_be_visible()
    expect(phone.get_by_text("Von Hand geändert")).to_be_visible()
    expect(phone.get_by_text("Geheimnis", exact=True)).to_have_count(2)
    assert violations(phone) == []
