"""Previews of the screens on the organiser's page in a real browser: each follows its screen, and none is an open screen."""

import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Frame, Page, expect

from scoring.queries.screens import SentScene
from scoring.services import screens
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.journeys.access import violations
from tests.journeys.evening import LAPTOP, NewPage, bring_session
from tests.journeys.test_hall import LONG_NAMES
from tests.journeys.windows import Windows
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("committed", "live_url")

SEVERAL = range(1, 9)


@pytest.fixture
def tournament(committed: None) -> Tournament:
    slug = f"vorschau-{uuid4().hex[:12]}"
    made: Tournament = TournamentFactory.create(slug=slug, owner=UserFactory.create(username=slug))
    for name in LONG_NAMES:
        ParticipantFactory.create(tournament=made, name=name)
    ParticipantFactory.create_batch(12, tournament=made)
    a_round(made)
    return made


@pytest.fixture
def new_tab(shared_page: Page) -> Iterator[Page]:
    """Open another page in the browser of all tests, as large as a laptop."""
    page = shared_page.context.new_page()
    page.set_viewport_size(LAPTOP["viewport"])
    yield page
    page.close()


def organiser(page: Page, tournament: Tournament) -> Page:
    bring_session(page, tournament.memberships.get().user)
    page.goto(f"/o/{tournament.slug}/screens/")
    return page


def preview(desk: Page, number: int = 1) -> Any:
    return desk.frame_locator(f'iframe[src$="/screen/{number}/preview/"]').locator(".wall-page:not([hidden])")


def send(tournament: Tournament, kind: str, *numbers: int, **more: Any) -> None:
    screens.set_scene(tournament, numbers or (1,), SentScene(kind, **more), by="x", at=AT)


def picture(page: Page, name: str) -> None:
    """Save a screenshot if SCREENSHOTS names a folder."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_the_preview_follows_its_screen_which_stays_as_it_was(
    new_page: NewPage, tournament: Tournament
) -> None:
    """A scene that is sent from this page is there at once; what is sent elsewhere when the preview asks next."""
    desk = organiser(new_page(LAPTOP), tournament)
    expect(preview(desk)).to_have_attribute("data-kind", "seating")
    desk.get_by_role("button", name="Schwarz").click()
    expect(preview(desk)).to_have_attribute("data-kind", "black")
    send(tournament, "announcement", text="Pause bis neun")
    expect(preview(desk).locator(".wall-huge")).to_have_text("Pause bis neun")
    send(tournament, "announcement", text="Die Küche schließt um neun")
    expect(preview(desk).locator(".wall-huge")).to_have_text("Die Küche schließt um neun")
    expect(desk.locator(".screens__one")).to_have_count(1)
    expect(desk.locator(".screens__one")).to_contain_text("nicht geöffnet")
    expect(desk.get_by_text("Keiner. Wer die Leinwand jetzt öffnet")).to_be_visible()
    assert not tournament.screen_pairings.exists()

    tv = desk.context.new_page()
    tv.goto(f"/t/{tournament.slug}/screen/2/")
    expect(desk.locator(".screens--seen > .screens__one")).to_have_count(2)
    expect(desk.locator(".screens__one").nth(1)).to_contain_text("geöffnet")
    expect(preview(desk, 2)).to_have_attribute("data-kind", "seating")
    expect(preview(desk)).to_have_attribute("data-kind", "announcement")
    assert tournament.screen_pairings.count() == 1


def test_eight_previews_open_no_stream_and_leave_the_page_usable(
    new_tab: Page, tournament: Tournament
) -> None:
    """A browser has six connections to a server over HTTP/1.1; a stream would keep one. What is the same is not sent again."""
    for number in SEVERAL:
        send(tournament, "announcement", number, text=f"Saal {number}")
    asked: list[str] = []
    new_tab.on("request", lambda request: asked.append(request.url))
    desk = organiser(new_tab, tournament)
    for number in SEVERAL:
        desk.locator(f'iframe[src$="/screen/{number}/preview/"]').scroll_into_view_if_needed()
        expect(preview(desk, number).locator(".wall-huge")).to_have_text(f"Saal {number}")
    for number in SEVERAL:
        send(tournament, "announcement", number, text=f"Raum {number}")
    for number in SEVERAL:
        expect(preview(desk, number).locator(".wall-huge")).to_have_text(f"Raum {number}")
    assert not [address for address in asked if address.endswith("/live")]
    with desk.expect_response(lambda answer: "/8/preview/" in answer.url and answer.status == 304):
        pass
    send(tournament, "announcement", 8, text="Garten")
    expect(preview(desk, 8).locator(".wall-huge")).to_have_text("Garten")
    desk.get_by_role("link", name="Leinwand 8", exact=True).click()
    desk.get_by_role("button", name="Schwarz").click()
    expect(preview(desk, 8)).to_have_attribute("data-kind", "black")
    expect(preview(desk, 7).locator(".wall-huge")).to_have_text("Raum 7")


def test_nobody_gets_into_a_preview_by_keyboard_or_pointer(new_tab: Page, tournament: Tournament) -> None:
    desk = organiser(new_tab, tournament)
    expect(preview(desk)).to_have_attribute("data-kind", "seating")
    for _ in range(40):
        desk.keyboard.press("Tab")
        assert desk.evaluate("document.activeElement.tagName") != "IFRAME"
    box = desk.locator(".preview").bounding_box()
    assert box is not None
    desk.mouse.click(box["x"] + box["width"] - 30, box["y"] + box["height"] - 8)
    assert desk.evaluate("document.activeElement.tagName") != "IFRAME"
    assert (round(box["width"]), round(box["height"])) == (320, 180)


def test_a_preview_ends_no_draw_on_the_wall_of_the_same_browser(
    new_page: NewPage, tournament: Tournament
) -> None:
    desk = organiser(new_page(LAPTOP), tournament)
    expect(preview(desk)).to_have_attribute("data-kind", "seating")
    frame = next(frame for frame in desk.frames if frame.url.endswith("/preview/"))
    wall = desk.context.new_page()
    wall.goto(f"/t/{tournament.slug}/screen/")
    expect(wall.locator("body")).to_have_attribute("data-stream", "open")
    assert (stored_by(frame), stored_by(wall.main_frame)) == (["sessionStorage"], ["localStorage"])


def stored_by(frame: Frame) -> list[str]:
    """Skip a draw, and return where the browser notes it."""
    found: list[str] = frame.evaluate("""async () => {
        const script = [...document.scripts].find((one) => one.src.includes("/wall."));
        const name = performance.getEntriesByType("resource").find((one) => one.name.includes("/staging."));
        const { skip } = await import(name?.name ?? new URL("staging.js", script.src));
        const page = document.createElement("section");
        Object.assign(page.dataset, { kind: "draw", released: "2026-11-21T19:30:00+01:00" });
        skip(page);
        return ["localStorage", "sessionStorage"].filter((one) => self[one].getItem("draw-staged"));
    }""")
    return found


def test_without_script_the_page_works_and_the_previews_are_there(
    new_page: NewPage, tournament: Tournament
) -> None:
    desk = organiser(new_page({**LAPTOP, "java_script_enabled": False}), tournament)
    desk.get_by_role("button", name="Schwarz").click()
    expect(desk.get_by_role("button", name="Schwarz")).to_have_attribute("aria-pressed", "true")
    expect(preview(desk)).to_have_attribute("data-kind", "black")


def test_previews_and_buttons_are_seen_at_once(new_tab: Page, tournament: Tournament) -> None:
    send(tournament, "standings", 2)
    desk = organiser(new_tab, tournament)

    def look() -> None:
        desk.evaluate("scrollTo(0, 0)")
        seen_at_once(desk)

    Windows(desk).look(look)


def seen_at_once(desk: Page) -> None:
    """Check a page without its notices, which stand above the previews only sometimes."""
    desk.locator("[data-only-here], .notice").evaluate_all("all => all.forEach(one => one.remove())")
    expect(desk.locator(".preview").first).to_be_in_viewport(ratio=1)
    for name in ("Von selbst", "Wer sitzt wo", "Laufende Spielrunde", "Schwarz"):
        expect(desk.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(preview(desk)).to_have_attribute("data-kind", "seating")
    assert violations(desk) == []
    scenes, clock = (desk.locator(f"#{name}").bounding_box() for name in ("scenes", "clock"))
    assert scenes is not None
    assert clock is not None
    assert scenes["y"] < clock["y"]
    picture(desk, f"previews-{desk.evaluate('innerWidth')}")


def test_the_page_does_not_scroll_sideways(new_tab: Page, tournament: Tournament) -> None:
    new_tab.set_viewport_size({"width": 320, "height": 740})
    desk = organiser(new_tab, tournament)
    for width in (320, 360, 768):
        desk.set_viewport_size({"width": width, "height": 740})
        expect(preview(desk)).to_have_attribute("data-kind", "seating")
        assert desk.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
        item, box = (
            desk.locator(one).first.bounding_box() for one in (".screens--seen > .screens__one", ".preview")
        )
        assert item is not None
        assert box is not None
        assert item["x"] <= box["x"], width
        assert box["x"] + box["width"] <= item["x"] + item["width"], width
        assert violations(desk) == [], width
