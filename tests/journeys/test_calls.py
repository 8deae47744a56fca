"""A table calls the supervisor: a tap on the phone, a table on the board, a tap on the board."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import APIResponse, Page, Route, expect

from scoring.services.calls import come
from tests.journeys.access import violations
from tests.journeys.held import SlowServer
from tests.journeys.phones import NewPhone, all_sent, have_decided, knock, try_now
from tests.journeys.test_offline import opens_offline
from tests.journeys.test_round_clock import COUNT_STROKES, TONES
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "live_url", "without_worker")

CALL = "Aufsicht rufen"
CALLED = "Die Aufsicht ist gerufen, um "


def test_one_tap_calls_and_one_tap_has_come_before_the_hand_in_and_after_it(
    new_phone: NewPhone, board: Page
) -> None:
    phone = new_phone()
    have_decided(phone)
    phone.get_by_role("button", name=CALL).tap()
    expect(phone.get_by_text(CALLED).first).to_be_visible()
    expect(phone.get_by_role("button", name=CALL)).to_have_count(0)
    phone.reload()
    expect(phone.locator("main").get_by_text(CALLED)).to_be_visible()

    table = board.locator("#table-1")
    expect(table).to_contain_text("Ruft die Aufsicht, seit ")
    mine = board.get_by_role("link", name="Was mich braucht (1)")
    mine.click()
    expect(mine).to_have_attribute("aria-current", "page")  # the table is on both pages
    board.wait_for_load_state()
    table.get_by_role("button", name="Aufsicht ist da").click()
    expect(table).to_contain_text("Tisch 1: Die Aufsicht ist gekommen.")
    expect(table.get_by_role("status")).to_contain_text("Die Aufsicht ist gekommen.")
    expect(table.get_by_role("status")).to_be_focused()
    table.get_by_role("button", name="Rückgängig").press(
        "Enter"
    )  # a click would meet the guard of the pointer
    expect(table).to_contain_text("Ruft die Aufsicht, seit ")
    expect(table.get_by_role("button", name="Rückgängig")).to_have_count(0)
    board.wait_for_timeout(600)  # until the pointer's guard is off
    table.get_by_role("button", name="Aufsicht ist da").click()
    expect(table).to_contain_text("Tisch 1: Die Aufsicht ist gekommen.")
    try_now(phone)
    expect(phone.get_by_role("button", name=CALL)).to_be_visible()
    expect(phone.locator("main").get_by_text(CALLED)).to_have_count(0)

    phone.get_by_role("button", name="– stimmt").first.tap()
    expect(phone.get_by_role("button", name="– stimmt")).to_have_count(5)
    phone.get_by_role("button", name="Blatt abgeben").tap()
    expect(phone.get_by_text("Abgegeben. Danke!")).to_be_visible()
    phone.get_by_role("button", name=CALL).tap()
    expect(table).to_contain_text("Ruft die Aufsicht, seit ")


def test_what_was_done_is_said_though_the_board_changes_before_the_answer(
    new_phone: NewPhone, board: Page
) -> None:
    new_phone().get_by_role("button", name=CALL).tap()
    expect(board.locator("#table-1")).to_contain_text("Ruft die Aufsicht, seit ")
    late: list[tuple[Route, APIResponse]] = []
    board.route("**/come/", lambda route: late.append((route, route.fetch())))
    with board.expect_response(
        lambda answer: bool(late) and "version=" in answer.url and answer.status == 200
    ):
        board.get_by_role("button", name="Aufsicht ist da").click()
    [(route, answer)] = late
    route.fulfill(response=answer)
    expect(board.locator("#table-1")).to_contain_text("Tisch 1: Die Aufsicht ist gekommen.")


def test_a_call_is_seen_on_every_page_of_the_organiser_wherever_it_is_scrolled_to(
    new_phone: NewPhone, board: Page, table: Table
) -> None:
    board.set_viewport_size({"width": 1366, "height": 500})
    board.goto(reverse("organiser:settings", args=[table.round.tournament.slug]))
    board.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone = new_phone()
    have_decided(phone)
    phone.get_by_role("button", name=CALL).tap()
    link = board.get_by_role("link", name="0/1 fertig Tisch 1 ruft")
    expect(link).to_be_in_viewport()
    for name in ("overview", "standings", "print", "screens"):
        board.goto(reverse(f"organiser:{name}", args=[table.round.tournament.slug]))
        expect(link).to_be_visible()
    board.goto(reverse("door:desk", args=[table.round.tournament.slug]))
    expect(link).to_be_visible()
    assert violations(board) == []
    assert board.locator(".strip__line").bounding_box()["height"] == 32  # type: ignore[index]
    assert board.title().startswith("(1) ")
    link.click()
    board.locator("#table-1").get_by_role("button", name="Aufsicht ist da").click()
    expect(board.get_by_role("link", name="0/1 fertig", exact=True)).to_be_visible()
    assert not board.title().startswith("(")


def test_the_table_takes_its_call_back_on_any_phone(new_phone: NewPhone, board: Page) -> None:
    first, second = new_phone(), new_phone()
    all_sent(first)
    expect(second.get_by_text("Ein anderes Handy schreibt diese Tischliste.")).to_be_visible()
    second.get_by_role("button", name=CALL).tap()
    expect(second.get_by_text(CALLED).first).to_be_visible()
    expect(board.locator("#table-1")).to_contain_text("Ruft die Aufsicht, seit ")
    try_now(first)
    first.locator("main").get_by_role("button", name="Hat sich erledigt").tap()
    expect(first.get_by_role("button", name=CALL)).to_be_visible()
    expect(board.locator("#table-1")).not_to_contain_text("Ruft die Aufsicht")


def test_a_call_counts_while_something_else_is_loading(new_phone: NewPhone, board: Page) -> None:
    phone = new_phone()
    slow = SlowServer(phone, "**/s/words")
    phone.get_by_role("button", name="Wer fehlt?").tap()
    slow.has(1)
    phone.get_by_role("button", name=CALL).tap()
    slow.answers()
    expect(phone.get_by_text(CALLED).first).to_be_visible()
    expect(board.locator("#table-1")).to_contain_text("Ruft die Aufsicht, seit ")


SIZES = {"320": (320, ""), "360": (360, ""), "320 at 200 %": (320, "200%")}


def test_the_call_stands_in_the_header_and_is_taken_back_there(new_phone: NewPhone) -> None:
    phone = new_phone()
    all_sent(phone)
    header, called = phone.locator("#header"), phone.locator("main").get_by_text(CALLED)
    call = header.get_by_role("button", name=CALL)
    for size, (width, text) in SIZES.items():
        phone.set_viewport_size({"width": width, "height": 568})
        phone.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
        box = call.bounding_box()
        assert box, size
        assert min(box["width"], box["height"]) >= 44, size
        assert phone.evaluate("document.documentElement.scrollWidth") == width, size
        call.dblclick()  # the second of two quick taps does nothing
        expect(called, size).to_be_visible()
        phone.wait_for_timeout(1100)  # no double tap any more
        header.get_by_role("button", name="Aufsicht: Hat sich erledigt").tap()
        expect(called, size).to_have_count(0)
        expect(call, size).to_be_visible()


def test_without_a_network_it_says_that_one_has_to_wave(new_phone: NewPhone) -> None:
    phone = new_phone(service_workers="allow")
    all_sent(phone)
    opens_offline(phone)
    phone.context.set_offline(True)
    for _ in range(2):  # before and after the module has come, from what the phone keeps
        phone.get_by_role("button", name=CALL).tap()
        expect(phone.locator(".action-bar__hint")).to_have_text("Geht nur mit Netz: bitte winken.")
        knock(phone, 2)
    expect(phone.locator("main").get_by_text(CALLED)).to_have_count(0)
    phone.context.set_offline(False)
    phone.get_by_role("button", name=CALL).tap()
    expect(phone.locator("main").get_by_text(CALLED)).to_be_visible()


def test_a_new_call_rings_once_on_any_page_where_it_was_asked_for(
    new_phone: NewPhone, board: Page, table: Table
) -> None:
    slug, phone = table.round.tournament.slug, new_phone()
    board.context.add_init_script(COUNT_STROKES)
    pages = [board, board.context.new_page()]

    def strokes_after_a_call() -> int:
        for page, name in zip(pages, ("settings", "overview"), strict=True):
            page.goto(reverse(f"organiser:{name}", args=[slug]))
            expect(page.get_by_role("link", name="0/1 fertig", exact=True)).to_be_visible()
        phone.get_by_role("button", name=CALL).tap()
        for page in pages:
            expect(page.locator("#strip")).to_contain_text("Tisch 1 ruft")
        return sum(int(page.evaluate("strokes")) for page in pages)

    assert strokes_after_a_call() == 0  # silent until somebody asks for it
    board.locator(".topbar__account summary").click()
    bell = board.get_by_role("button", name="Ton bei Rufen")
    expect(bell).to_have_attribute("aria-pressed", "false")
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    assert board.evaluate("strokes") == TONES  # so that one hears that it is on

    board.reload()
    expect(board.locator("#strip")).to_contain_text("Tisch 1 ruft")
    assert board.evaluate("strokes") == 0  # a call that was there before
    come(table, by="x", at=timezone.now())
    try_now(phone)
    assert strokes_after_a_call() == TONES
