"""Layout of the organiser's pages in windows of the usual laptops, and with the browser's zoom at 125 %."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.factories import ParticipantFactory, a_paper_sheet
from tests.labels import SAVE
from tests.scoring.pages import Staff
from tournaments.models import Participant

pytestmark = pytest.mark.usefixtures("committed")

WIDTHS = (1366, 1280, 1200, 1199, 1093, 1024)
"""1093: a window of 1366 at 125 %."""
LONG_NAME = "Maximiliane Hinterwimmer-Oberleitner"

PAGES: list[tuple[str, tuple[int, ...]]] = [
    ("overview", ()),
    ("rounds", ()),
    ("round", (1,)),
    ("round", (2,)),
    ("round", (3,)),
    ("sheet", (2, 1)),
    ("sheet", (2, 2)),
    ("paper", (2,)),
    ("find_seat", (2,)),
    ("seat", (2, 1)),
    ("standings", ()),
    ("print", ()),
    ("screens", ()),
    ("flags", ()),
    ("settings", ()),
    ("members", ()),
    ("end", ()),
    ("delete", ()),
]

# The columns of a table, and everything beside it; what an element scrolls by itself hides nothing.
PROBLEMS = """() => {
  const found = [];
  const box = (one) => one.getBoundingClientRect();
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  for (const link of document.querySelectorAll(".nav a, .tabs a")) {
    if (box(link).right > innerWidth + 1) found.push(`beyond the edge: ${link.textContent.trim()}`);
  }
  for (const split of document.querySelectorAll(".split")) {
    const [main, aside] = [...split.children].map(box);
    if (aside && main.right > aside.left && main.bottom > aside.top) found.push("the columns of the page overlap");
    for (const cell of split.children[0].querySelectorAll("th, td")) {
      if (box(cell).width && box(cell).right > main.right + 1) found.push(`covered: ${cell.textContent.trim()}`);
    }
  }
  return found;
}"""


@pytest.fixture
def desk() -> Staff:
    """Create a tournament with the second round in play and the third to be drawn, with names that need room."""
    desk = Staff(12)
    Participant.objects.filter(tournament=desk.tournament, start_number__lte=3).update(name=LONG_NAME)
    first = desk.draw()
    for table in first.tables.all():
        a_paper_sheet(table, strokes={1: 3})
    desk.post("close", 1)
    desk.draw(2)
    a_paper_sheet(desk.table(1, 2), strokes={1: 5})
    return desk


@pytest.fixture
def context(
    browser: Browser, browser_context_args: dict[str, Any], live_url: str, desk: Staff
) -> Iterator[BrowserContext]:
    context = browser.new_context(**{**browser_context_args, "viewport": {"width": 1366, "height": 768}})
    session = desk.client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_url}])
    yield context
    context.close()


def problems(page: Page) -> dict[int, list[str]]:
    """Return what is covered or beyond the edge, by the width of the window."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 614})
        if seen := page.evaluate(PROBLEMS):
            found[width] = seen
    return found


def test_no_column_is_covered_and_no_page_scrolls_sideways(context: BrowserContext, desk: Staff) -> None:
    page = context.new_page()
    found = {}
    for name, arguments in PAGES:
        answer = page.goto(desk.url(name, *arguments))
        assert answer is not None
        assert answer.status == 200
        if seen := problems(page):
            found[name, arguments] = seen
    assert found == {}


def test_the_way_to_closing_a_round_leads_to_its_open_form(context: BrowserContext, desk: Staff) -> None:
    """While sheets are missing it is folded up."""
    page = context.new_page()
    page.goto(desk.url("end"))
    page.get_by_role("link", name="2. Spielrunde abschließen").click()
    expect(page.get_by_role("button", name="Trotzdem abschließen")).to_be_in_viewport()


def test_what_a_page_is_about_is_seen_without_scrolling(context: BrowserContext, desk: Staff) -> None:
    """The first tables of a round in play, with latecomers; the next step of the evening; the first player of the list."""
    ParticipantFactory.create(tournament=desk.tournament)
    page = context.new_page()
    about = {
        desk.url("round", 2): [
            page.get_by_text("Zu spät oder nicht da? – 1 ohne Platz"),
            page.locator("#board .table-card h2").first,
        ],
        desk.url("overview"): [page.locator(".next-step h2")],
        reverse("door:desk", args=[desk.tournament.slug]): [
            page.get_by_role("button", name="Anmelden", exact=True)
        ],
    }
    for url, seen in about.items():
        page.set_viewport_size({"width": 1093, "height": 614})
        page.goto(url)
        for width, height in ((1093, 614), (1366, 768)):
            page.set_viewport_size({"width": width, "height": height})
            for one in seen:
                expect(one, f"{width} × {height}").to_be_in_viewport()


def test_what_is_covered_is_found(context: BrowserContext, desk: Staff) -> None:
    """Control: two columns in a window that is too narrow for them."""
    page = context.new_page()
    page.goto(desk.url("sheet", 2, 1))
    page.set_viewport_size({"width": 1024, "height": 614})
    page.locator(".split").evaluate("one => one.style.gridTemplateColumns = 'minmax(0, 1fr) 22rem'")
    assert any(text.startswith("covered") for text in page.evaluate(PROBLEMS))


def test_the_settings_keep_their_sections_and_their_button_in_sight(
    context: BrowserContext, desk: Staff
) -> None:
    """A folded section is opened by its link; on a phone the links are a row above."""
    page = context.new_page()
    page.set_viewport_size({"width": 1093, "height": 614})
    page.goto(desk.url("settings"))
    sections, save = (
        page.get_by_role("navigation", name="Auf dieser Seite"),
        page.get_by_role("button", name=SAVE),
    )
    expect(save).to_be_in_viewport(ratio=1)
    sections.get_by_role("link", name="Karten und was sie zählen").click()
    expect(page.locator("details[open] > summary", has_text="Karten und was sie zählen")).to_be_in_viewport(
        ratio=1
    )
    for part in (sections, save):
        expect(part).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(desk.url("settings"))
    expect(sections.get_by_role("link").first).to_be_in_viewport(ratio=1)
    expect(save).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_fields_are_as_wide_as_what_goes_in(context: BrowserContext, desk: Staff) -> None:
    """A number 8 rem, money 9, a short text at most 20; the name of the tournament as wide as the form."""
    page = context.new_page()
    wide = {}
    for name, labels in {
        "settings": ("Name des Turniers", "Spielrunden"),
        "fees": ("Bezeichnung", "Betrag"),
    }.items():
        page.goto(desk.url(name))
        for label in labels:
            box = page.get_by_label(label, exact=True).first.bounding_box()
            wide[label] = box["width"] / 16 if box else 0
    assert (wide["Spielrunden"], wide["Betrag"]) == (8, 9)
    assert wide["Betrag"] < wide["Bezeichnung"] <= 20 < wide["Name des Turniers"]
    page.goto(reverse("door:desk", args=[desk.tournament.slug]))
    assert page.locator("#id_name").evaluate("one => one.offsetWidth === one.parentElement.offsetWidth")


def test_buttons_have_three_ranks(context: BrowserContext, desk: Staff) -> None:
    """What comes next is filled, the others have a thin border, and in a row of a table they are words."""
    page = context.new_page()
    page.goto(desk.url("members"))
    look = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).borderTopColor].map((c) => c !== 'rgba(0, 0, 0, 0)')"
    for name, seen in (("Link machen", True), ("Entfernen", False)):
        assert page.get_by_role("button", name=name).first.evaluate(look) == [seen, seen]
    page.goto(desk.url("print"))
    plain = page.locator(".button:not(.button--primary, .button--quiet)").first
    assert plain.evaluate("one => getComputedStyle(one).borderTopWidth") == "1px"
