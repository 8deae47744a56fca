"""Players confirm on their own phones, while the scribe's phone stays where it is."""

import pytest
from playwright.sync_api import Page, expect

from scoring.sheet_log import open_sheet
from tests.journeys.access import violations
from tests.journeys.phones import (
    NAMES,
    NewPhone,
    all_sent,
    confirm_each,
    have_decided,
    knock,
    take_back_last,
    try_now,
)
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "without_worker")


def say_who(page: Page, seat: int) -> None:
    page.get_by_label("Wer sind Sie?").select_option(label=NAMES[seat - 1])


def with_the_code_of(scribe: Page) -> str:
    """Return the address in the code that the scribe's phone shows."""
    with scribe.expect_response("**/s/link") as answer:
        scribe.get_by_role("button", name="Code für andere Handys").tap()
    expect(scribe.get_by_role("img", name="QR-Code für Tisch 1")).to_be_visible()
    return "/s/#" + str(answer.value.json()["url"]).partition("#")[2]


def test_a_player_confirms_on_his_own_phone_and_the_pen_stays(new_phone: NewPhone, table: Table) -> None:
    scribe = new_phone()
    knock(scribe, 6)
    all_sent(scribe)
    own = new_phone(address=with_the_code_of(scribe))
    say_who(own, 2)
    expect(own.get_by_text("Schreiben Sie?")).to_have_count(0)
    expect(
        own.get_by_text("Bernd Dorn: Sobald das Ergebnis feststeht, können Sie hier bestätigen.")
    ).to_be_visible()
    take_back_last(scribe)
    have_decided(scribe)
    try_now(own)
    expect(own.get_by_text("Bernd Dorn: Stimmt alles, was hier steht?")).to_be_visible()
    assert violations(own) == []
    own.get_by_role("button", name="Ja, stimmt").tap()
    expect(own.get_by_text("Bernd Dorn: bestätigt. Danke!").first).to_be_visible()

    try_now(scribe)
    expect(scribe.locator("[data-confirmed]")).to_have_count(1)
    expect(scribe.get_by_role("button", name="– stimmt")).to_have_count(5)
    scribe.get_by_role("button", name="– stimmt").first.tap()
    expect(scribe.get_by_role("button", name="– stimmt")).to_have_count(4)
    confirm_each(scribe)
    expect(scribe.locator("[data-confirmed]")).to_have_count(6)
    scribe.get_by_role("button", name="Blatt abgeben").tap()
    expect(scribe.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(scribe)
    assert open_sheet(table.pk).row.pen_epoch == 1
    try_now(own)
    expect(own.get_by_text("Abgegeben. Danke!")).to_be_visible()
    expect(own.get_by_role("button", name="Ja, stimmt")).to_have_count(0)


def test_a_player_puts_a_wrong_name_right_and_objects_and_the_scribe_cannot_hand_in(
    new_phone: NewPhone, table: Table
) -> None:
    scribe, own = new_phone(), new_phone()
    say_who(own, 4)
    own.get_by_role("button", name="Das bin ich nicht").tap()
    say_who(own, 3)
    expect(own.get_by_text("Clara Egger: Sobald das Ergebnis feststeht")).to_be_visible()
    own.reload()  # the phone remembers its owner
    expect(own.get_by_text("Clara Egger: Sobald das Ergebnis feststeht")).to_be_visible()
    have_decided(scribe)
    try_now(own)
    expect(own.get_by_role("button", name="Ja, stimmt")).to_be_visible()
    own.get_by_role("button", name="Einspruch erheben").tap()
    own.get_by_role("button", name="Einspruch erheben").last.tap()  # without a word nothing is sent
    expect(own.get_by_label("Was stimmt nicht?")).to_be_focused()
    own.get_by_label("Was stimmt nicht?").fill("Mein Schnauz fehlt")
    own.get_by_role("button", name="Einspruch erheben").last.tap()
    expect(own.get_by_text("Clara Egger: Ihr Einspruch steht auf der Tischliste.").first).to_be_visible()
    try_now(scribe)
    expect(scribe.get_by_text("Einspruch von Clara Egger: Mein Schnauz fehlt").first).to_be_visible()
    expect(scribe.get_by_role("button", name="Blatt abgeben")).to_be_disabled()


def test_a_confirmation_arrives_with_a_network_and_means_what_the_player_has_seen(
    new_phone: NewPhone, table: Table
) -> None:
    """Without one it says so; what has changed meanwhile is looked at first."""
    scribe, own = new_phone(), new_phone()
    have_decided(scribe)
    try_now(own)
    say_who(own, 2)
    expect(own.get_by_role("button", name="Ja, stimmt")).to_be_visible()
    own.context.set_offline(True)
    own.get_by_role("button", name="Ja, stimmt").tap()
    expect(own.get_by_text("Nicht angekommen: Dafür braucht es eine Verbindung.")).to_be_visible()

    own.route("**/s/sheet", lambda route: route.abort())
    take_back_last(scribe)
    knock(scribe, 2)
    all_sent(scribe)
    own.context.set_offline(False)
    own.get_by_role("button", name="Ja, stimmt").tap()
    expect(own.get_by_text("Inzwischen ist etwas eingetragen worden.")).to_be_visible()
    assert open_sheet(table.pk).log.confirmed == frozenset()
    own.unroute("**/s/sheet")
    try_now(own)
    expect(own.get_by_text("22. Spiel").or_(own.get_by_text("20. Spiel")).first).to_be_visible()
    all_sent(own)
    own.get_by_role("button", name="Ja, stimmt").tap()
    expect(own.get_by_text("Bernd Dorn: bestätigt. Danke!").first).to_be_visible()
