"""The standings on a phone: a row of one height for each player, the own one at all times, and more behind a tap."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from scoring.services import sheets
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.journeys.evening import NewPage
from tournaments.models import Participant, Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset

pytestmark = pytest.mark.usefixtures("committed", "live_url")

PLAYERS = 47
ROW = 48
LONG_NAME = "Maximiliane Oberhuber-Niederreitmeier-Hinterwimmer"
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}
LINES = """() => [...document.querySelectorAll(".standings tbody th, .seat__name")].flatMap((cell) => {
  const text = cell.firstChild;
  return [...text.data.matchAll(/[^\\s-]+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word);
})"""


def a_tournament(slug: str, players: int, name: str = "schnauz-placing") -> Tournament:
    made = TournamentFactory.create(slug=slug, names="full", ruleset=preset(name).to_dict())
    people = ParticipantFactory.create_batch(players, tournament=made)
    for number, person in enumerate(people, start=1):
        person.name = LONG_NAME if number == 1 else f"Vorname Nachname {number}"
    Participant.objects.bulk_update(people, ["name"])
    return made


@pytest.fixture
def tournament(committed: None) -> Tournament:
    made = a_tournament(f"stand-{uuid4().hex[:8]}", PLAYERS)
    a_played_round(made)
    for table in a_round(made, 2).tables.all():
        a_paper_sheet(table)
    return made


def a_typed_in_sheet(table: Table) -> None:
    """Type in and accept a sheet of any kind. Of sums only the points differ, which add up to 0."""
    kind = table.round.tournament.rules.sheet.kind
    if kind == "survival":
        a_paper_sheet(table)
        return
    more = {
        "hand_points": ("schnauz", "feuer"),
        "plus_minus": ("tout_won", "tout_played", "solo_won", "solo_played"),
    }
    seats = [str(seat) for seat in range(1, table.seats.count() + 1)]
    mean = 0 if kind == "plus_minus" else 500
    points = {seat: mean + shift for seat, shift in zip(seats, (8, 2, -8, -2, 0, 0), strict=False)}
    sums = {"points": points, **{name: dict.fromkeys(seats, 0) for name in more[kind]}}
    sheets.write(table, [("totalled", sums), ("accepted", {"reason": "Papier"})], by="x", at=AT)


def opened(new_page: NewPage, tournament: Tournament) -> Page:
    page = new_page(PHONE)
    page.add_init_script(f"localStorage.setItem('me:{tournament.slug}', '1')")
    page.goto(f"/t/{tournament.slug}/standings/")
    expect(page.locator("[data-live-state]")).to_have_attribute("data-state", "fresh")
    expect(page.locator("#me")).to_be_visible()
    page.evaluate("document.fonts.ready")
    return page


@pytest.mark.parametrize("name", PRESETS)
def test_all_players_are_near(new_page: NewPage, name: str) -> None:
    """Also the line of a knockout, which has words instead of points, has the name of its player beside the rank."""
    players = 48 if name == "schafkopf" else PLAYERS
    made = a_tournament(f"nah-{name}", players, name)
    for table in a_round(made).tables.all():
        a_typed_in_sheet(table)
    page = opened(new_page, made)
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        rows = page.locator(".standings tbody tr")
        heights = rows.evaluate_all("rows => rows.map((row) => row.offsetHeight)")
        assert heights.count(ROW) >= players - 1, (width, heights)
        assert page.evaluate("document.documentElement.scrollHeight") < 3000, width
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(LINES) == [], width
        assert page.locator("#mine .my-row__name").evaluate("(name) => name.offsetWidth") >= 100, width


def test_the_head_and_the_own_line_stay(new_page: NewPage, tournament: Tournament) -> None:
    page = opened(new_page, tournament)
    page.evaluate("scrollTo(0, 1200)")
    expect(page.get_by_role("columnheader", name="Name")).to_be_in_viewport()
    line, tabs = page.locator("#mine").bounding_box(), page.locator(".app-tabs").bounding_box()
    assert line
    assert tabs
    assert line["height"] <= 60
    assert line["y"] + line["height"] <= tabs["y"]


def test_tabs_change_softly_unless_less_motion_is_wanted(new_page: NewPage, tournament: Tournament) -> None:
    page = opened(new_page, tournament)
    rule = """() => [...document.styleSheets].flatMap(function all(one) { return one.cssRules ? [...one.cssRules].flatMap(all) : [one]; })
      .filter((one) => one.constructor.name === "CSSViewTransitionRule").map((one) => one.parentRule.media?.mediaText)"""
    assert page.evaluate(rule) == ["(prefers-reduced-motion: no-preference)"]


def test_what_is_more_stays_open_for_the_visit(new_page: NewPage, tournament: Tournament) -> None:
    page = opened(new_page, tournament)
    points = page.locator("tr[data-mine]").get_by_text("Punkte je Spielrunde:")
    expect(points).to_be_hidden()
    page.get_by_text("Punkte je Spielrunde", exact=True).click()
    expect(points).to_be_visible()
    page.reload()
    expect(points).to_be_visible()
    page.get_by_text("Punkte je Spielrunde", exact=True).click()
    expect(points).to_be_hidden()


def test_no_word_of_a_name_is_broken_beside_five_columns_nor_beside_a_number(new_page: NewPage) -> None:
    made = TournamentFactory.create(slug="fuenf-spalten", names="full", ruleset=preset("schafkopf").to_dict())
    for name in (LONG_NAME, "Christoph Schwarzenberger", "Hildegard Unterweissenbacher", "Anna Berger"):
        ParticipantFactory.create(tournament=made, name=name)
    a_typed_in_sheet(a_round(made).tables.get())
    page = opened(new_page, made)
    for path in ("standings/", "tables/"):
        page.goto(f"/t/{made.slug}/{path}")
        page.evaluate("document.fonts.ready")
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 568})
            assert page.evaluate(LINES) == [], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_lost_connection_is_said_above_the_tabs(new_page: NewPage, tournament: Tournament) -> None:
    page = opened(new_page, tournament)
    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    said = page.get_by_text("Keine Verbindung – was hier steht, kann veraltet sein.")
    expect(said).to_be_in_viewport()
    found, mine, tabs = (
        said.bounding_box(),
        page.locator("#mine").bounding_box(),
        page.locator(".app-tabs").bounding_box(),
    )
    assert found
    assert mine
    assert tabs
    assert mine["y"] + mine["height"] <= found["y"]
    assert found["y"] + found["height"] <= tabs["y"] + 1
