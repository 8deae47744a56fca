"""People press twice, and go back: in a real browser, nothing happens twice, and to nobody else."""

import re
from datetime import date
from unittest.mock import ANY
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from scoring.core.prize_plan import PrizePlan
from scoring.models import Screen, Sheet
from scoring.services.prizes import set_prize_plan
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
from tests.journeys.evening import NewPage, bring_session
from tests.journeys.held import SlowServer
from tests.scoring.prize_giving import PLAN
from tournaments.models import Payment, Tournament
from tournaments.notify import notify

pytestmark = pytest.mark.usefixtures("committed")

PAUSES = (10, 60, 150, 250, 400)
"""Milliseconds between two presses."""


def press_twice(page: Page, button: Locator, pause: int) -> None:
    """Press twice at one place of the screen, whatever stands there the second time."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(pause)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.fixture
def tournament() -> Tournament:
    organiser = UserFactory.create(username=f"veranstalter-{uuid4()}")
    return TournamentFactory.create(slug=f"zweimal-{uuid4()}", owner=organiser)


@pytest.fixture
def organiser_page(shared_page: Page, tournament: Tournament) -> Page:
    organiser = tournament.memberships.select_related("user").get().user
    bring_session(shared_page, organiser)
    return shared_page


@pytest.mark.parametrize("pause", PAUSES)
@pytest.mark.parametrize("only", ["announced", "unpaid"])
def test_a_row_that_was_pressed_twice_stays_and_is_the_only_one(
    organiser_page: Page, tournament: Tournament, only: str, pause: int
) -> None:
    """The player fits the choice no more; without their row the next one would slide under the pointer."""
    presence = "announced" if only == "announced" else "present"
    people = ParticipantFactory.create_batch(6, tournament=tournament, presence=presence)
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/door/?only={only}")
    rows = page.locator("#door-list tbody tr")
    row = page.locator(f"#row-{people[3].start_number}")
    place = rows.evaluate_all("rows => rows.map((row) => row.id)")
    row.locator(".actions button").first.scroll_into_view_if_needed()
    top = row.bounding_box()
    press_twice(page, row.locator(".actions button").first, pause)
    expect(row.get_by_role("button", name="Rückgängig")).to_be_visible()
    expect(page.locator(f"[data-figure={only}]")).to_have_text("5")
    assert rows.evaluate_all("rows => rows.map((row) => row.id)") == place
    assert top is not None
    assert row.bounding_box() == {**top, "height": ANY, "y": pytest.approx(top["y"], abs=2)}
    page.wait_for_timeout(300)  # an answer to a second press would be here
    paid = Payment.objects.filter(participant__tournament=tournament)
    assert list(paid.values_list("participant", flat=True)) == [people[3].pk]
    assert tournament.participants.exclude(pk=people[3].pk).exclude(presence=presence).count() == 0


def test_a_row_that_was_pressed_outlasts_the_news_and_can_be_taken_back(
    organiser_page: Page, tournament: Tournament
) -> None:
    ParticipantFactory.create_batch(2, tournament=tournament, presence="announced")
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/door/?only=announced")
    for number in (1, 2):
        page.locator(f"#row-{number} .actions button").first.press("Enter")
        expect(page.locator(f"#row-{number}")).to_contain_text("ist da")
    ParticipantFactory.create(tournament=tournament, presence="announced", name="Kern Lena")
    notify(tournament.slug, "people")
    expect(page.locator("#row-3")).to_be_visible()  # the list has renewed itself
    expect(page.get_by_role("cell").get_by_role("button", name="Rückgängig")).to_have_count(2)
    page.locator("#row-1").get_by_role("button", name="Rückgängig").press("Enter")
    expect(page.locator("#row-1").get_by_role("button", name="Ist da")).to_be_visible()
    page.locator(".tabs a", has_text="Angekündigt").click()
    expect(page.locator("#row-2")).to_have_count(0)
    assert dict(tournament.participants.values_list("start_number", "presence")) == {
        1: "announced",
        2: "present",
        3: "announced",
    }


@pytest.mark.parametrize("pause", PAUSES)
def test_a_sign_up_that_was_pressed_twice_is_the_only_one(
    organiser_page: Page, tournament: Tournament, pause: int
) -> None:
    for number in range(1, 4):
        tournament.sign_ups.create(
            number=number,
            name=f"Spieler {number}",
            code_hash=uuid4().hex,
            made_at=AT,
            placed_at=AT,
            arrived_at=AT,
        )
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/door/")
    press_twice(page, page.locator("#sign-up-1 .actions button").first, pause)
    expect(page.locator("#sign-up-1").get_by_role("button", name="Rückgängig")).to_be_visible()
    expect(page.locator("[data-figure=present]")).to_have_text("1")
    page.wait_for_timeout(300)  # an answer to a second press would be here
    assert list(tournament.participants.values_list("name", flat=True)) == ["Spieler 1"]


@pytest.mark.parametrize("pause", PAUSES)
def test_a_double_click_makes_one_tournament(
    organiser_page: Page, tournament: Tournament, pause: int
) -> None:
    page = organiser_page
    name = f"Herbst {uuid4().hex[:8]}"
    page.goto("/o/+/")
    page.locator("#id_name").fill(name)
    page.locator("#id_played_on").fill(f"{date(2026, 11, 28):%d.%m.%Y}")
    press_twice(page, page.locator("main button[type=submit]").last, pause)
    expect(page).not_to_have_url("/o/+/")
    expect(page.locator("main")).not_to_contain_text("Noch nicht gespeichert")
    assert Tournament.objects.filter(name=name).count() == 1


def test_after_back_the_form_lives_again_and_a_new_line_is_sent(
    organiser_page: Page, tournament: Tournament
) -> None:
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/settings/")
    field = page.locator("#id_place")
    for place in ("Krone", "Linde"):
        field.fill(place)
        field.press("Enter")
        expect(page.locator("#messages")).to_be_visible()
        page.go_back()
    page.go_forward()
    expect(field).to_have_value("Linde")
    tournament.refresh_from_db()
    assert tournament.place == "Linde"


def test_after_back_to_a_page_that_was_kept_the_same_form_is_answered_as_before(
    organiser_page: Page, tournament: Tournament
) -> None:
    """The browsers of the tests keep no page (bfcache), so the page stays: it has sent its form, and is told that it is back."""
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/door/desks/")
    sent: list[str] = []

    def carry_out(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            route.fetch(max_redirects=0)
            route.fulfill(status=204)  # the browser stays where it is
        else:
            route.continue_()

    page.route("**/door/desk/", carry_out)
    page.locator("#id_desk").fill("Theke")
    button = page.get_by_role("button", name="Kasse anlegen")
    with page.expect_response(lambda answer: answer.status == 204):
        button.click(no_wait_after=True)
    expect(button).to_have_attribute("aria-busy", "true")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(button).not_to_have_attribute("aria-busy", "true")
    button.click()
    expect(page.locator("#messages")).to_contain_text("Theke")
    expect(page.locator("#messages [data-kind=error]")).to_have_count(0)
    page.unroute("**/door/desk/")
    assert sent[0] == sent[1]
    assert list(tournament.desks.filter(name="Theke").values_list("name", flat=True)) == ["Theke"]


def test_without_a_script_the_same_form_sent_again_changes_nothing(
    browser: Browser, browser_context_args: dict[str, str], tournament: Tournament
) -> None:
    context = browser.new_context(**browser_context_args, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    bring_session(page, tournament.memberships.select_related("user").get().user)
    page.goto(f"/o/{tournament.slug}/door/")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    page.locator("#id_name").fill("Spieler Eins")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("Spieler Eins")
    again = context.request.post(
        sent[0].url,
        data=sent[0].post_data_buffer,
        headers={"Content-Type": sent[0].headers["content-type"], "Referer": page.url},
    )
    assert "Spieler Eins" in again.text()
    assert tournament.participants.count() == 1
    context.close()


def test_a_plan_that_is_being_saved_is_sent_once_though_what_it_costs_is_answered_meanwhile(
    organiser_page: Page, tournament: Tournament
) -> None:
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/prizes/")
    page.locator("[name=prize-0-ranks]").fill("1")
    with page.expect_response("**/prizes/"):  # the outlook after the first field
        page.locator("[name=prize-0-money]").fill("5")
    server = SlowServer(page, "**/prizes/")
    page.keyboard.press("Tab")
    server.has(1)  # the outlook is asked for
    save = page.get_by_role("button", name=labels.SAVE, exact=True)
    save.scroll_into_view_if_needed()
    box = save.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    server.has(2)
    server.answers()
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    page.wait_for_timeout(300)  # a second form would be here
    assert len(server.held) == 1
    server.answers()
    expect(page.locator("#messages")).to_contain_text("Der Preisplan ist gespeichert.")
    page.unroute("**/prizes/")


def test_a_press_at_the_same_place_counts_after_one_elsewhere(
    new_page: NewPage, tournament: Tournament
) -> None:
    page = new_page({})
    page.add_init_script("performance.now = () => 1e9")  # no press is late enough to be one of its own
    bring_session(page, tournament.memberships.select_related("user").get().user)
    page.goto(f"/o/{tournament.slug}/prizes/")
    page.locator("[name=prize-0-ranks]").fill("1")
    page.locator("[name=prize-0-money]").fill("5")
    save = page.get_by_role("button", name=labels.SAVE, exact=True)
    shown = page.get_by_label("Den Plan auf der Seite der Spieler")
    shown.check()
    for _ in range(2):  # then the page says what was saved before and after, and its button stays in place
        with page.expect_navigation():
            save.click()
        expect(shown).to_be_checked()
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.is_navigation_request() else None)
    save.click()  # the second press of a double click
    page.wait_for_timeout(300)
    assert sent == []
    shown.uncheck()
    with page.expect_navigation():
        save.click()
    expect(shown).not_to_be_checked()


@pytest.mark.parametrize("pause", [*PAUSES, 1_300])
def test_a_second_tap_jumps_over_no_prize(organiser_page: Page, tournament: Tournament, pause: int) -> None:
    people = ParticipantFactory.create_batch(5, tournament=tournament)
    tournament.ruleset["rounds"] = 1
    tournament.save()
    a_played_round(tournament)
    set_prize_plan(tournament, PrizePlan.from_dict(PLAN))
    screen = Screen.objects.create(
        tournament=tournament, number=1, scene="prizes", lowest_rank=len(people), by="x", at=AT
    )
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/prizes/list/")
    expect(page.locator('[data-reveal="1"]')).to_be_enabled()  # this tab may just have shown another prize
    first = page.locator('form:has([data-reveal="1"]) [name=step]').input_value()
    press_twice(page, page.locator('[data-reveal="1"]'), pause)
    expect(page.get_by_text("Die Leinwand zeigt")).to_be_visible()
    page.wait_for_load_state()  # until then the next step waits for nothing
    expect(page.locator('[data-reveal="1"]')).to_be_enabled()
    screen.refresh_from_db()
    assert screen.revealed == first


def test_a_round_that_another_laptop_has_closed_is_said_to_be_closed(
    organiser_page: Page, tournament: Tournament
) -> None:
    ParticipantFactory.create_batch(5, tournament=tournament)
    for table in a_round(tournament).tables.all():
        a_paper_sheet(table)
    page = organiser_page
    other = page.context.new_page()
    for laptop in (page, other):
        laptop.route("**/board/**", lambda route: route.abort())  # neither hears of the other
        laptop.goto(f"/o/{tournament.slug}/rounds/1/")
    for laptop in (page, other):
        laptop.get_by_role("button", name="1. Spielrunde abschließen").click(no_wait_after=True)
        expect(laptop.locator("#messages")).to_contain_text("1. Spielrunde ist abgeschlossen.")
        expect(laptop.locator("#messages [data-kind=error]")).to_have_count(0)
    expect(other.locator("#messages")).to_contain_text("Es ist nichts weiter zu tun.")
    other.close()
    page.unroute("**/board/**")


def test_news_leave_a_button_that_was_pressed_until_its_answer(
    organiser_page: Page, tournament: Tournament
) -> None:
    """In Safari too, where a pressed button gets no focus: a new one in its place could be pressed again."""
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    a_paper_sheet(table)
    page = organiser_page
    page.goto(f"/o/{tournament.slug}/")
    server = SlowServer(page, "**/close/")
    close = page.locator("#now").get_by_role("button", name="1. Spielrunde abschließen")
    close.evaluate("(button) => { button.click(); button.blur(); }")
    server.has(1)
    with page.expect_response(f"**/o/{tournament.slug}/"):
        Sheet.objects.filter(table=table).update(called_at=AT)
    page.wait_for_timeout(300)  # the answer is there
    server.held[0].fulfill(status=204)  # a page that is being left cannot be looked at
    expect(close).to_have_attribute("aria-busy", "true")
    page.unroute("**/close/")


def test_somebody_whom_another_laptop_has_let_in_is_no_error(
    organiser_page: Page, tournament: Tournament
) -> None:
    ParticipantFactory.create_batch(2, tournament=tournament, presence="announced")
    page = organiser_page
    other = page.context.new_page()
    for laptop in (page, other):
        laptop.route("**/door/list/**", lambda route: route.abort())  # neither hears of the other
        laptop.goto(f"/o/{tournament.slug}/door/?only=announced")
    for laptop in (page, other):
        laptop.locator("#row-1 .actions button").first.click()
        expect(laptop.locator("#door-note")).to_contain_text(
            re.compile("ist (da|schon als anwesend vermerkt)")
        )
        expect(laptop.locator("#door-note [data-kind=error]")).to_have_count(0)
    expect(other.locator("#door-note")).to_contain_text("Es ist nichts zu tun.")
    expect(other.get_by_role("button", name="Rückgängig")).to_have_count(0)
    assert Payment.objects.filter(participant__tournament=tournament).count() == 1
    assert list(
        tournament.participants.filter(presence="announced").values_list("start_number", flat=True)
    ) == [2]
    other.close()
    page.unroute("**/door/list/**")
