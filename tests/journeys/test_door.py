"""Registration in a real browser, with the keyboard only; and two laptops at once."""

from collections.abc import Iterator
from datetime import date
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.factories import AT, UserFactory
from tests.journeys.evening import bring_session
from tournaments.core.fees import FeeKind
from tournaments.models import Payment, Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.tournaments import create_tournament, edit_fees

pytestmark = pytest.mark.usefixtures("committed")

USUAL_SIZE: ViewportSize = {"width": 1280, "height": 720}


@pytest.fixture
def organiser(committed: None) -> User:
    return UserFactory.create(username=f"veranstalter-{uuid4()}")


@pytest.fixture
def tournament(organiser: User) -> Tournament:
    return a_tournament_of(organiser)


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    yield shared_page
    shared_page.set_viewport_size(USUAL_SIZE)


@pytest.fixture
def door(page: Page, organiser: User, tournament: Tournament) -> Page:
    return open_door(page, organiser, tournament)


@pytest.fixture
def other_laptop(
    browser: Browser, browser_context_args: dict[str, str], organiser: User, tournament: Tournament
) -> Iterator[Page]:
    context: BrowserContext = browser.new_context(**browser_context_args)  # type: ignore[arg-type]
    yield open_door(context.new_page(), organiser, tournament)
    context.close()


def a_tournament_of(owner: User) -> Tournament:
    return create_tournament(
        slug=f"tuer-{uuid4()}",
        name="Preisschnauzen",
        played_on=date(2026, 11, 21),
        place="",
        names="full",
        ruleset=preset("schnauz-placing"),
        owner=owner,
        at=AT,
    )


def open_door(page: Page, organiser: User, tournament: Tournament) -> Page:
    bring_session(page, organiser)
    page.goto(f"/o/{tournament.slug}/door/")
    expect(page.locator("#id_name")).to_be_focused()
    return page


def type_line(page: Page, name: str, *, club: str = "") -> None:
    expect(page.locator("#id_name")).to_be_focused()
    page.keyboard.type(name)
    if club:
        page.keyboard.press("Tab")
        page.keyboard.type(club)
    page.keyboard.press("Enter")


def figure(page: Page, name: str) -> str:
    return page.locator(f"[data-figure={name}]").inner_text().replace("\u00a0", " ")


def names(page: Page) -> list[str]:
    return page.locator("#door-list .door-table__name").all_inner_texts()


def people(tournament: Tournament) -> list[tuple[int, str, str]]:
    found = tournament.participants.order_by("start_number")
    return list(found.values_list("start_number", "name", "club"))


def test_a_queue_is_registered_with_the_keyboard(door: Page, tournament: Tournament) -> None:
    type_line(door, "Huber Sepp", club="SV Ort")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")
    expect(door.locator("#id_name")).to_be_focused()
    door.keyboard.press("F2")
    type_line(door, "Meier Anna")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Meier Anna")
    expect(door.locator("#id_unpaid")).not_to_be_checked()
    type_line(door, "Kern Lena")
    expect(door.locator("#door-note")).to_contain_text("Nr. 3 · Kern Lena")
    assert names(door) == ["Kern Lena", "Meier Anna", "Huber Sepp"]
    assert [figure(door, name) for name in ("present", "unpaid", "cash")] == ["3", "1", "6,00 €"]
    assert people(tournament) == [(1, "Huber Sepp", "SV Ort"), (2, "Meier Anna", ""), (3, "Kern Lena", "")]


def test_a_part_is_paid_in_the_line_and_the_rest_later_with_the_keyboard_alone(
    door: Page, tournament: Tournament
) -> None:
    type_line(door, "Huber Sepp 1,00")
    expect(door.locator("#door-note")).to_contain_text("1,00\u00a0€ kassiert · 2,00\u00a0€ offen")
    expect(door.locator("#row-1")).to_contain_text("noch 2,00\u00a0€")
    type_line(door, "1 2,50")
    expect(door.locator("#id_name_error")).to_contain_text("Bitte höchstens eintragen, was noch offen ist.")
    expect(door.locator("#id_name")).to_have_value("1 2,50")
    expect(door.locator("#id_name")).to_be_focused()
    door.keyboard.press("Escape")
    door.keyboard.type("1 2")
    expect(door.locator("#door-hint")).to_contain_text("zahlt 2,00\u00a0€, offen sind 2,00\u00a0€.")
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("2,00\u00a0€ kassiert")
    assert [figure(door, name) for name in ("present", "unpaid", "cash")] == ["1", "0", "3,00 €"]
    paid = Payment.objects.filter(participant__tournament=tournament).order_by("id")
    assert list(paid.values_list("cents", flat=True)) == [100, 200]


def test_a_name_that_is_there_is_warned_about_and_enter_enters_it(door: Page, tournament: Tournament) -> None:
    type_line(door, "Huber Sepp")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1")
    type_line(door, "Sepp Huber", club="Krone")
    expect(door.get_by_role("button", name="Trotzdem anmelden")).to_be_visible()
    expect(door.locator("#id_name")).to_have_value("Sepp Huber")
    expect(door.locator("#id_name")).to_be_focused()
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Sepp Huber")
    assert people(tournament) == [(1, "Huber Sepp", ""), (2, "Sepp Huber", "Krone")]


def test_escape_clears_the_line_and_its_warning(door: Page, tournament: Tournament) -> None:
    type_line(door, "Huber Sepp")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1")
    type_line(door, "Huber Sepp")
    expect(door.locator("#door-line .notice")).to_be_visible()
    door.keyboard.press("Escape")
    expect(door.locator("#door-line .notice")).to_have_count(0)
    type_line(door, "Meier Anna")
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Meier Anna")


def test_a_mistake_is_said_at_the_field_and_the_text_stays(door: Page, tournament: Tournament) -> None:
    type_line(door, "x" * 81, club="Krone")
    expect(door.locator("#id_name_error")).to_contain_text("Der Name ist zu lang.")
    expect(door.locator("#id_name")).to_be_focused()
    expect(door.locator("#id_club")).to_have_value("Krone")
    assert people(tournament) == []


def test_what_is_typed_while_the_answer_is_on_its_way_is_kept(door: Page, tournament: Tournament) -> None:
    """On a slow network the response for one player does not overwrite the next name."""
    session = door.context.new_cdp_session(door)
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 600, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    type_line(door, "Huber Sepp")
    door.keyboard.type("Meier An")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")
    door.keyboard.type("na")
    expect(door.locator("#id_name")).to_have_value("Meier Anna")
    session.detach()  # the network of the other tests is fast
    assert people(tournament) == [(1, "Huber Sepp", "")]


def test_two_laptops_stay_current_and_typed_text_stays(
    door: Page, other_laptop: Page, tournament: Tournament
) -> None:
    door.keyboard.type("Halb getip")
    type_line(other_laptop, "Huber Sepp")
    expect(door.locator("#row-1")).to_be_visible()  # by itself, within a few seconds
    expect(door.locator("[data-figure=present]")).to_have_text("1")
    expect(door.locator("#id_name")).to_have_value("Halb getip")
    expect(door.locator("#id_name")).to_be_focused()
    door.keyboard.type("pt")
    type_line(door, "")
    type_line(other_laptop, "Meier Anna")
    expect(door.locator("#row-3")).to_be_visible()
    expect(other_laptop.locator("#row-3")).to_be_visible()
    assert sorted(number for number, _, _ in people(tournament)) == [1, 2, 3]


def test_one_click_pays_and_one_takes_it_back(door: Page, tournament: Tournament) -> None:
    door.keyboard.press("F2")
    expect(door.locator("#id_unpaid")).to_be_checked()
    type_line(door, "Huber Sepp")
    door.get_by_role("button", name="Bezahlt").click()
    expect(door.locator("[data-figure=unpaid]")).to_have_text("0")
    door.get_by_role("button", name="Rückgängig").click()
    expect(door.locator("[data-figure=unpaid]")).to_have_text("1")
    kinds = (
        Payment.objects.filter(participant__tournament=tournament)
        .order_by("id")
        .values_list("kind", flat=True)
    )
    assert list(kinds) == ["fee", "refund"]


def test_the_roll_call_takes_one_tap(door: Page, tournament: Tournament) -> None:
    for number, name in enumerate(("Huber Sepp", "Meier Anna"), start=1):
        type_line(door, name)
        expect(door.locator("#door-note")).to_contain_text(f"Nr. {number}")
    door.goto(f"/o/{tournament.slug}/door/roll-call/")
    door.get_by_role("button", name="Meier, Anna").click()
    expect(door.locator("[data-figure=absent]")).to_have_text("1")
    expect(door.locator("#person-2")).to_have_attribute("data-state", "absent")
    assert dict(tournament.participants.values_list("start_number", "presence")) == {
        1: "present",
        2: "absent",
    }


def test_everything_works_without_javascript(
    browser: Browser, browser_context_args: dict[str, str], organiser: User, tournament: Tournament
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)  # type: ignore[arg-type]
    page = open_door(context.new_page(), organiser, tournament)
    type_line(page, "Huber Sepp")
    expect(page.locator("#messages")).to_contain_text("Nr. 1 · Huber Sepp")
    type_line(page, "Huber Sepp")
    expect(page.get_by_role("button", name="Trotzdem anmelden")).to_be_visible()
    expect(page.locator("#id_name")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Nr. 2 · Huber Sepp")
    page.locator("#row-2 summary").click()
    page.get_by_role("button", name="Geht heim: abmelden").click()
    expect(page.locator("#row-2")).to_contain_text("abgemeldet")
    expect(page.locator("[data-figure=present]")).to_have_text("1")
    context.close()


def test_a_list_with_kinds_of_fees_is_checked_on_a_phone_and_entered(
    door: Page, tournament: Tournament
) -> None:
    edit_fees(tournament, [FeeKind("", "voll", 300), FeeKind("", "ermäßigt", 150)])
    door.set_viewport_size({"width": 320, "height": 568})
    door.get_by_role("link", name="Liste einlesen").click()
    door.get_by_label("Oder hier einfügen").fill(
        "Name;Verein;Wohnort;Gebühr\nSepp Huber;Kartenverein Oberndorf;Hof;ermäßigt\nAnna Meier;;;Ehrengast\n"
    )
    door.get_by_role("button", name="Prüfen", exact=True).click()
    expect(door.get_by_text("Den Beitrag „Ehrengast“ gibt es in diesem Turnier nicht.")).to_be_visible()
    expect(door.get_by_role("cell", name="ermäßigt")).to_be_visible()
    assert door.evaluate("document.documentElement.scrollWidth") == 320
    door.get_by_label("Die Liste").fill("Name;Gebühr\nSepp Huber;ermäßigt\nAnna Meier;voll\n")
    door.get_by_role("button", name="Noch einmal prüfen").click()
    expect(door.get_by_text("Ehrengast")).to_have_count(0)
    door.get_by_role("button", name="So eintragen").click()
    expect(door.locator("#row-1")).to_contain_text("ermäßigt")
    assert list(tournament.participants.order_by("start_number").values_list("fee", flat=True)) == [
        "fee-2",
        "",
    ]
