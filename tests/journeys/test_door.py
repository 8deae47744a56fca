"""Registration in a real browser, with the keyboard only; and two laptops at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.factories import AT, ParticipantFactory, UserFactory
from tests.journeys.evening import bring_session
from tests.journeys.held import SlowServer
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
    shared_page.unroute_all(behavior="ignoreErrors")
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


@contextmanager
def slow_network(page: Page, latency: int = 600) -> Iterator[None]:
    """Let each answer take `latency` milliseconds; the network of the other tests is fast."""
    session = page.context.new_cdp_session(page)
    conditions = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions)
    yield
    session.detach()


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
    expect(door.locator("#id_name_error")).to_contain_text("Bitte höchstens das eintragen.")
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
    expect(door.get_by_role("button", name="Anmelden", exact=True)).to_be_visible()
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
    with slow_network(door):
        type_line(door, "Huber Sepp")
        door.keyboard.type("Meier An")
        expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")
        door.keyboard.type("na")
        expect(door.locator("#id_name")).to_have_value("Meier Anna")
    assert people(tournament) == [(1, "Huber Sepp", "")]


def test_numbers_typed_faster_than_the_answers_are_booked_in_their_order(
    door: Page, tournament: Tournament
) -> None:
    """A number in 0.3 seconds, each with Enter: during a search, and during the answer to the number before."""
    ParticipantFactory.create_batch(12, tournament=tournament, presence="announced")
    door.reload()
    expect(door.locator("#id_name")).to_be_focused()
    order = [7, 8, 9, 10, 11, 12, 1, 2]
    with slow_network(door):
        for number in order:
            door.keyboard.type(str(number), delay=100)
            door.keyboard.press("Enter")
            door.wait_for_timeout(100)
        for number in order:  # each was sent when the one before was answered
            expect(door.locator(f"#row-{number} [data-state=present]")).to_be_visible()
    expect(door.locator("[data-figure=present]")).to_have_text(str(len(order)))
    expect(door.locator("#id_name")).to_have_value("")
    expect(door.locator("#door-waiting")).to_be_hidden()
    paid = Payment.objects.filter(participant__tournament=tournament).order_by("id")
    assert list(paid.values_list("participant__start_number", flat=True)) == order
    assert tournament.participants.count() == 12


def test_a_number_is_no_name(door: Page, tournament: Tournament) -> None:
    type_line(door, "78910111213")
    expect(door.locator("#id_name_error")).to_contain_text("Eine Zahl ist kein Name.")
    assert people(tournament) == []


def test_a_search_that_is_not_answered_when_the_line_is_brings_no_older_figures(door: Page) -> None:
    door.route("**/door/list/?name=*", lambda _: None)
    with door.expect_request("**/door/list/?name=*"):
        door.keyboard.type("Huber Sepp")
    with door.expect_event("requestfailed", lambda request: "?name=" in request.url):  # it is given up
        door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")


def test_a_search_that_a_button_of_the_list_overtakes_is_answered(door: Page) -> None:
    for number, name in enumerate(("Huber Sepp", "Meier Anna"), start=1):
        type_line(door, name)
        expect(door.locator(f"#row-{number}")).to_be_visible()
    act = SlowServer(door, "**/absent/")
    door.locator("#row-2 summary").click()
    door.locator("#row-2").get_by_role("button", name="Fehlt").click()
    act.has(1)
    search = SlowServer(door, "**/door/list/?name=*")
    door.locator("#id_name").fill("Huber")
    search.has(1)
    door.unroute("**/door/list/?name=*")
    act.answers()
    expect(door.locator("#door-list .door-table__name")).to_have_text(["Huber Sepp"])


def test_a_search_finds_its_list_when_others_have_been_registered_meanwhile(
    door: Page, other_laptop: Page
) -> None:
    for number, name in enumerate(("Huber Sepp", "Meier Anna"), start=1):
        type_line(door, name)
        expect(door.locator(f"#row-{number}")).to_be_visible()
    search = SlowServer(door, "**/door/list/?name=*")
    door.keyboard.insert_text("Huber")  # one search, however slow the keys
    search.has(1)
    with door.expect_response(lambda answer: "?version=" in answer.url and answer.status == 200):
        type_line(other_laptop, "Kern Lena")
    search.answers()
    expect(door.locator("#door-list .door-table__name")).to_have_text(["Huber Sepp"])


@pytest.mark.parametrize("is_shown", [True, False], ids=["after it is shown", "while it is under way"])
def test_a_name_typed_after_a_question_is_a_name_of_its_own(
    door: Page, tournament: Tournament, is_shown: bool
) -> None:
    type_line(door, "Huber Sepp")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1")
    question = door.get_by_role("button", name="Trotzdem anmelden")
    slow = SlowServer(door, "**/door/register/")
    type_line(door, "Huber Sepp")
    if is_shown:
        slow.answers()
        expect(question).to_be_visible()
    door.keyboard.type("Meier Anna")
    expect(question).to_have_count(0)
    door.keyboard.press("Enter")
    if not is_shown:
        slow.answers()
    slow.answers()
    expect(door.locator("#door-note")).to_contain_text("Nr. 2 · Meier Anna")
    if not is_shown:  # the question is asked when the hand rests
        slow.answers()
        expect(question).to_be_visible()
        expect(door.locator("#id_name")).to_have_value("Huber Sepp")
    assert people(tournament) == [(1, "Huber Sepp", ""), (2, "Meier Anna", "")]


def test_a_line_without_an_answer_comes_back_and_is_entered_once(door: Page, tournament: Tournament) -> None:
    door.route("**/door/register/", lambda route: route.abort())
    type_line(door, "Huber Sepp")
    expect(door.locator(".toasts")).not_to_be_empty()
    expect(door.locator("#id_name")).to_have_value("Huber Sepp")
    door.unroute_all()
    door.keyboard.press("Enter")
    expect(door.locator("#door-note")).to_contain_text("Nr. 1 · Huber Sepp")
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
    door.locator("#row-1").get_by_role("button", name="Rückgängig").press("Enter")
    expect(door.locator("[data-figure=unpaid]")).to_have_text("1")
    kinds = (
        Payment.objects.filter(participant__tournament=tournament)
        .order_by("id")
        .values_list("kind", flat=True)
    )
    assert list(kinds) == ["fee", "refund"]


def test_the_chosen_fee_is_what_the_button_of_a_row_says_and_books_for_one_person(
    door: Page, tournament: Tournament
) -> None:
    edit_fees(tournament, [FeeKind("", "Gast", 500), FeeKind("", "Mitglied", 300)])
    ParticipantFactory.create_batch(2, tournament=tournament, presence="announced")
    door.goto(f"/o/{tournament.slug}/door/?only=announced")
    first, second = (door.locator(f"#row-{number} .actions button").first for number in (1, 2))
    expect(first).to_have_text("Ist da, 5,00\u00a0€")
    door.keyboard.press("F4")
    expect(first).to_have_text("Ist da, Mitglied 3,00\u00a0€")
    expect(door.locator("main .tabs [aria-current]")).to_contain_text("Angekündigt")
    first.press("Enter")
    expect(door.locator("#row-1")).to_contain_text("3,00\u00a0€ kassiert")
    expect(door.get_by_label("Gast")).to_be_checked()
    expect(second).to_have_text("Ist da, 5,00\u00a0€")
    door.keyboard.press("F4")
    expect(second).to_have_text("Ist da, Mitglied 3,00\u00a0€")
    type_line(door, "Kern Lena")
    expect(door.locator("#door-note")).to_contain_text("Nr. 3 · Kern Lena Mitglied · 3,00\u00a0€ kassiert")
    expect(door.get_by_label("Gast")).to_be_checked()
    expect(second).to_have_text("Ist da, 5,00\u00a0€")


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


@pytest.mark.parametrize("has_script", [True, False])
def test_columns_and_fees_of_a_list_are_chosen_and_the_list_is_taken_out_again(
    browser: Browser,
    browser_context_args: dict[str, str],
    organiser: User,
    tournament: Tournament,
    has_script: bool,
) -> None:
    edit_fees(tournament, [FeeKind("", "voll", 300), FeeKind("", "ermäßigt", 150)])
    context = browser.new_context(**browser_context_args, java_script_enabled=has_script)  # type: ignore[arg-type]
    page = open_door(context.new_page(), organiser, tournament)
    page.set_viewport_size({"width": 320, "height": 568})

    def choose(menu: str, option: str) -> None:
        page.wait_for_load_state()
        expect(page.locator(".htmx-added")).to_have_count(0)  # before, nobody hears of the choice
        page.get_by_label(menu).select_option(option)
        if not has_script:
            page.get_by_role("button", name="Neu lesen").press("Enter")

    page.get_by_role("link", name="Liste einlesen").click()
    page.get_by_label("Oder hier einfügen").fill(
        "Preisturnier\nlfd. Nr.;Name;Woher;Gebühr\n1;Sepp Huber;Kartenverein Oberndorf;Ehrengast\n2;Anna Meier;;voll\nSumme;2\n"
    )
    page.get_by_role("button", name="Prüfen", exact=True).click()
    expect(page.get_by_text("„Preisturnier“")).to_be_visible()
    expect(page.get_by_text("nicht übernommen: „lfd. Nr.“, „Woher“")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    choose("„Woher“", "Verein")
    expect(page.get_by_role("cell", name="Kartenverein Oberndorf")).to_be_visible()
    choose("„Ehrengast“", "ermäßigt 1,50\u00a0€")
    expect(page.get_by_role("cell", name="ermäßigt")).to_be_visible()
    expect(page.get_by_label("„Woher“")).to_have_value("club")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_role("button", name="So eintragen").press("Enter")
    expect(page.locator("#row-1")).to_contain_text("ermäßigt")
    expect(page.locator("#row-1")).to_contain_text("Kartenverein Oberndorf")
    page.get_by_role("link", name="Diese Liste wieder herausnehmen").press("Enter")
    page.locator("summary", has_text="Diese Liste wieder herausnehmen").click()
    page.get_by_role("button", name="2 Spieler herausnehmen").press("Enter")
    expect(page.locator("#messages")).to_contain_text("2 Einträge der Liste sind zurückgenommen.")
    assert not tournament.participants.exists()
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
    expect(door.get_by_label("„Ehrengast“")).to_be_visible()
    expect(door.get_by_role("cell", name="ermäßigt")).to_be_visible()
    assert door.evaluate("document.documentElement.scrollWidth") == 320
    door.get_by_label("Die Liste").fill("Name;Gebühr\nSepp Huber;ermäßigt\nAnna Meier;voll\n")
    door.get_by_role("button", name="Noch einmal prüfen").click()
    expect(door.get_by_label("„Ehrengast“")).to_have_count(0)
    # By key: a click this soon after the last one, at the same place, would be the second half of a double click.
    door.get_by_role("button", name="So eintragen").press("Enter")
    expect(door.locator("#row-1")).to_contain_text("ermäßigt")
    assert list(tournament.participants.order_by("start_number").values_list("fee", flat=True)) == [
        "fee-2",
        "",
    ]
