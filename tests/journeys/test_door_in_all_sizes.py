"""The evening at the door in the sizes of usual laptops: one field, nothing hidden, the focus never lost."""

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
from playwright.sync_api import Error, Locator, Page, ViewportSize, expect

from tests.factories import AT, ParticipantFactory, UserFactory, a_round
from tests.journeys.conftest import LAPTOPS
from tests.journeys.evening import NewPage, bring_session
from tournaments.core.fees import FeeKind
from tournaments.models import Participant, Payment, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services.door import Newcomer
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import create_tournament, edit_fees

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
    new_page: NewPage, tournament: Tournament, path: str = "door/", *, laptop: str = "1366"
) -> Page:
    page = new_page(LAPTOPS[laptop])
    bring_session(page, tournament.memberships.get().user)
    page.goto(f"/o/{tournament.slug}/{path}")
    if path == "door/":
        expect(page.locator("#id_name")).to_be_focused()
    return page


def in_all_sizes(page: Page, check: Callable[[], object]) -> None:
    """Check in a window of each size, first in the one that is there. The last differs, so each step is done in another."""
    sizes = [laptop["viewport"] for laptop in LAPTOPS.values()]
    at = sizes.index(page.viewport_size)
    for size in sizes[at:] + sizes[:at]:
        page.set_viewport_size(size)
        try:
            check()
        except (AssertionError, Error) as error:
            error.add_note(f"in a window of {size['width']} × {size['height']}")
            raise


def click(page: Page, button: Locator) -> None:
    """Click in one size what can be clicked in all."""
    in_all_sizes(page, lambda: button.click(trial=True))
    button.click()


def expect_seen(page: Page, place: str) -> None:
    """Expect the field to have the focus, and to be seen with another place in all sizes."""
    expect(page.locator("#id_name")).to_be_focused()
    in_all_sizes(page, lambda: expect(page.locator(f"#id_name:visible, {place}:visible")).to_have_count(2))


def expect_here(page: Page, said: str) -> None:
    expect(page.locator("#door-note")).to_contain_text(said)
    expect_seen(page, "#door-note")


def test_type_enter_type_enter(new_page: NewPage, tournament: Tournament) -> None:
    announce(
        tournament, [Newcomer("Huber Sepp"), Newcomer("Meier Anna"), Newcomer("Meier Lena")], by="x", at=AT
    )
    page = at_the_door(new_page, tournament, laptop="1366 at 125 %")
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 1 · Huber Sepp ist da · 3,00\u00a0€ kassiert")
    page.keyboard.type("Kern Max")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 4 · Kern Max")
    page.keyboard.type("meier")
    page.keyboard.press("Enter")  # two fit: nobody is let in
    expect(page.locator("#door-hint[data-choose]")).to_contain_text("Dazu passen 2 auf der Liste")
    expect_seen(page, "#door-hint")
    page.keyboard.type("3")  # over the word, which is marked
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 3 · Meier Lena ist da")
    page.keyboard.type("meier")
    expect(page.locator("#door-list .door-table__name")).to_have_count(2)
    in_all_sizes(page, lambda: expect(page.locator("#door-list .door-table__name").last).to_be_visible())
    expect(page.locator("#door-known.htmx-request")).to_have_count(
        0
    )  # the arrow may be for who has played before
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_here(page, "Nr. 2 · Meier Anna ist da")
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    in_all_sizes(page, lambda: page.get_by_role("button", name="Trotzdem anmelden").click(trial=True))
    page.keyboard.press("Escape")
    present = tournament.participants.filter(presence=Participant.Presence.PRESENT)
    assert sorted(present.values_list("start_number", flat=True)) == [1, 2, 3, 4]
    assert Payment.objects.filter(participant__tournament=tournament).count() == 4


def test_the_fee_is_taken_or_left_open_with_one_key(new_page: NewPage, tournament: Tournament) -> None:
    announce(tournament, [Newcomer("Huber Sepp"), Newcomer("Meier Anna")], by="x", at=AT)
    page = at_the_door(new_page, tournament)
    click(page, page.locator(".tabs a", has_text="Angekündigt"))
    expect(page.locator("main .tabs [aria-current]")).to_contain_text("Angekündigt")
    page.wait_for_load_state()  # a script shows the answer in the row
    click(page, page.locator("#row-1").get_by_role("button", name="Ist da, 3,00"))
    expect_here(page, "Nr. 1 · Huber Sepp ist da · 3,00\u00a0€ kassiert")
    click(page, page.locator("#row-2").get_by_role("button", name="zahlt später"))
    expect_here(page, "Nr. 2 · Meier Anna ist da · 3,00\u00a0€ offen")
    expect(page.locator("[data-figure=unpaid]")).to_have_text("1")
    page.locator("#row-2").get_by_role("button", name="Rückgängig").press("Enter")
    expect(page.locator("[data-figure=announced]")).to_have_text("1")
    expect_seen(page, "[data-figure=announced]")


def test_a_latecomer_is_led_to_a_seat(new_page: NewPage, tournament: Tournament) -> None:
    ParticipantFactory.create_batch(11, tournament=tournament)
    a_round(tournament)
    page = at_the_door(new_page, tournament)
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    expect(page.locator("#without-seat")).to_contain_text(
        "Ein Anwesender hat keinen Platz in der 1. Spielrunde"
    )
    click(page, page.locator("#without-seat").get_by_role("link", name="Nr. 12 Huber Sepp"))
    page.wait_for_url("**/rounds/1/seats/12/")


def test_a_list_is_read_as_it_is_written_and_its_surnames_are_found(
    new_page: NewPage, tournament: Tournament
) -> None:
    page = at_the_door(new_page, tournament, "door/import/")
    in_all_sizes(page, lambda: page.get_by_label("Oder hier einfügen").click(trial=True))
    page.get_by_label("Oder hier einfügen").fill(
        "Name;Bezahlt\nBauer Sepp;ja\nHuber Anna;nein\nHuber Lena;\n"
    )
    click(page, page.get_by_role("button", name="Prüfen"))
    expect(page.get_by_label("Nachname Vorname")).to_be_checked()
    expect(page.locator("fieldset.choices")).to_contain_text("Bauer, Sepp · Sepp B.")
    click(page, page.get_by_role("button", name="So eintragen"))
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
    page = at_the_door(new_page, tournament)
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


@pytest.mark.parametrize("height", [520, 614])
def test_at_125_percent_form_number_and_head_count_are_seen_together(
    new_page: NewPage, tournament: Tournament, height: int
) -> None:
    edit_fees(tournament, [FeeKind("", "voll", 500), FeeKind("", "ermäßigt", 250)])
    page = at_the_door(new_page, tournament, laptop="1366 at 125 %")
    page.set_viewport_size({"width": 1093, "height": height})
    page.keyboard.type("Huber Sepp")
    page.keyboard.press("Enter")
    note, button = page.locator("#door-note"), page.locator("#door-form").get_by_role("button")
    expect(note).to_contain_text("Nr. 1 · Huber Sepp")
    head_count = page.locator(".stat", has_text="anwesend")
    expect(head_count.locator("dd")).to_have_text("1")
    for part in (page.locator("#door-form"), note, head_count):
        expect(part).to_be_in_viewport(ratio=1)
    places = [one.bounding_box() for one in (button, note)]
    page.keyboard.type("1 9,00")
    page.keyboard.press("Enter")
    expect(page.locator("#id_name_error")).to_be_in_viewport(ratio=1)
    assert [one.bounding_box() for one in (button, note)] == places


def test_the_button_of_a_new_tournament_is_always_seen(new_page: NewPage, tournament: Tournament) -> None:
    page = at_the_door(new_page, tournament, "../+/")
    page.set_viewport_size({"width": 1366, "height": 650})
    expect(page.get_by_role("button", name="Turnier anlegen")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", name="Was wird gespielt?")).to_be_visible()
    expect(page.locator(".preset")).to_have_count(len(PRESETS))
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
