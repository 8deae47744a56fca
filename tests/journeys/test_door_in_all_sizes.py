"""The evening at the door in the sizes of usual laptops: one field, nothing hidden, the focus never lost."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.factories import AT, ParticipantFactory, UserFactory, a_round
from tests.journeys.conftest import LAPTOPS
from tests.journeys.evening import NewPage, bring_session
from tournaments.models import Participant, Payment, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import create_tournament

pytestmark = pytest.mark.usefixtures("committed")

SMALL_LAPTOP_ZOOMED: ViewportSize = {"width": 1024, "height": 640}  # 1280 at 125 %
LONG = "Maximilian Alexander von und zu Hinterobermeiersdorf-Unterniederhuber"
COLUMNS = """() => {
  const boxes = [...document.querySelectorAll("main table, main aside, main form > div, main .stats")]
    .filter((one) => one.offsetParent)
    .map((one) => [one, one.getBoundingClientRect()]);
  const covers = ([a, x], [b, y]) => !a.contains(b) && !b.contains(a) &&
    Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1;
  const name = ([one]) => one.tagName + "#" + one.id + "." + one.className;
  const covered = boxes.flatMap((one, at) => boxes.slice(at + 1).filter((two) => covers(one, two)).map((two) => name(one) + " " + name(two)));
  const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  const cut = boxes.filter(([, box]) => box.right > document.documentElement.clientWidth + 1).map(name);
  return [...covered, ...cut, ...(wide ? ["the page scrolls sideways"] : [])];
}"""


@pytest.fixture
def tournament(committed: None) -> Tournament:
    return create_tournament(
        slug=f"tuer-{uuid4()}",
        name="Preisschnauzen",
        played_on=date(2026, 11, 21),
        place="",
        names="short",
        ruleset=preset("schnauz-placing"),
        owner=UserFactory.create(username=f"kasse-{uuid4()}"),
        at=AT,
    )


def at_the_door(
    new_page: NewPage, tournament: Tournament, laptop: dict[str, Any], path: str = "door/"
) -> Page:
    page = new_page(laptop)
    bring_session(page, tournament.memberships.get().user)
    page.goto(f"/o/{tournament.slug}/{path}")
    if path == "door/":
        expect(page.locator("#id_name")).to_be_focused()
    return page


def expect_here(page: Page, said: str) -> None:
    expect(page.locator("#door-note")).to_contain_text(said)
    expect(page.locator("#id_name")).to_be_focused()


def test_type_enter_type_enter(new_page: NewPage, tournament: Tournament, laptop: dict[str, Any]) -> None:
    announce(
        tournament, [Newcomer("Huber Sepp"), Newcomer("Meier Anna"), Newcomer("Meier Lena")], by="x", at=AT
    )
    page = at_the_door(new_page, tournament, laptop)
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 1 · Huber Sepp ist da · 3,00\u00a0€ kassiert")
    page.keyboard.type("Kern Max")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 4 · Kern Max")
    page.keyboard.type("meier")
    page.keyboard.press("Enter")  # two fit: nobody is let in
    expect(page.locator("#door-hint[data-choose]")).to_contain_text("Dazu passen 2 auf der Liste")
    expect(page.locator("#id_name")).to_be_focused()
    page.keyboard.type("3")  # over the word, which is marked
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 3 · Meier Lena ist da")
    page.keyboard.type("meier")
    expect(page.locator("#door-list .door-table__name")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 2 · Meier Anna ist da")
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Trotzdem anmelden")).to_be_visible()
    page.keyboard.press("Escape")
    present = tournament.participants.filter(presence=Participant.Presence.PRESENT)
    assert sorted(present.values_list("start_number", flat=True)) == [1, 2, 3, 4]
    assert Payment.objects.filter(participant__tournament=tournament).count() == 4


def test_the_fee_is_taken_or_left_open_with_one_key(
    new_page: NewPage, tournament: Tournament, laptop: dict[str, Any]
) -> None:
    announce(tournament, [Newcomer("Huber Sepp"), Newcomer("Meier Anna")], by="x", at=AT)
    page = at_the_door(new_page, tournament, laptop)
    page.locator(".tabs a", has_text="Angekündigt").click()
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Angekündigt")
    page.locator("#row-1").get_by_role("button", name="Ist da, 3,00").click()
    expect_here(page, "Nr. 1 · Huber Sepp ist da · 3,00\u00a0€ kassiert")
    page.locator("#row-2").get_by_role("button", name="zahlt später").click()
    expect_here(page, "Nr. 2 · Meier Anna ist da · 3,00\u00a0€ offen")
    expect(page.locator("[data-figure=unpaid]")).to_have_text("1")
    page.get_by_role("button", name="Rückgängig").click()
    expect(page.locator("[data-figure=announced]")).to_have_text("1")
    expect(page.locator("#id_name")).to_be_focused()


def test_a_latecomer_is_led_to_a_seat(
    new_page: NewPage, tournament: Tournament, laptop: dict[str, Any]
) -> None:
    ParticipantFactory.create_batch(11, tournament=tournament)
    a_round(tournament)
    page = at_the_door(new_page, tournament, laptop)
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect(page.locator("#without-seat")).to_contain_text("Ein Anwesender hat keinen Platz in Spielrunde 1")
    page.locator("#without-seat").get_by_role("link", name="Nr. 12 Huber Sepp").click()
    page.wait_for_url("**/rounds/1/seats/12/")


def test_a_list_is_read_as_it_is_written_and_its_surnames_are_found(
    new_page: NewPage, tournament: Tournament, laptop: dict[str, Any]
) -> None:
    page = at_the_door(new_page, tournament, laptop, "door/import/")
    page.get_by_label("Oder hier einfügen").fill(
        "Name;Bezahlt\nBauer Sepp;ja\nHuber Anna;nein\nHuber Lena;\n"
    )
    page.get_by_role("button", name="Prüfen").click()
    expect(page.get_by_label("Nachname Vorname")).to_be_checked()
    expect(page.locator("fieldset.choices")).to_contain_text("Bauer, Sepp · Sepp B.")
    page.get_by_role("button", name="So eintragen").click()
    expect(page.locator("#row-1")).to_contain_text("bezahlt")
    tournament.participants.update(presence=Participant.Presence.PRESENT)
    phone = new_page({"viewport": {"width": 360, "height": 740}})
    phone.goto(f"/t/{tournament.slug}/?q=huber")
    expect(phone.locator("#answer li")).to_have_count(2)
    expect(phone.locator("#answer")).to_contain_text("Anna H.")
    expect(phone.locator("body")).not_to_contain_text("Huber, ")


def test_no_column_is_covered_in_any_size(new_page: NewPage, tournament: Tournament) -> None:
    """Registration, cash book, person and lists, with long names and nobody's panel over them."""
    announce(
        tournament,
        [Newcomer(f"{LONG} {number}", "SV Hinterobermeiersdorf") for number in range(12)],
        by="x",
        at=AT,
    )
    page = at_the_door(new_page, tournament, LAPTOPS["1366"])
    page.keyboard.type(LONG + " x")
    page.keyboard.press("Enter")
    expect(page.locator("#door-note")).to_contain_text("Nr. 13")
    found = {}
    for path in ("door/", "door/cash/", "door/people/13/", "door/import/", "door/roll-call/"):
        page.goto(f"/o/{tournament.slug}/{path}")
        for size in (*(laptop["viewport"] for laptop in LAPTOPS.values()), SMALL_LAPTOP_ZOOMED):
            page.set_viewport_size(size)
            found[path, size["width"], size["height"]] = page.evaluate(COLUMNS)
    assert {place: covered for place, covered in found.items() if covered} == {}
