"""Several phones at one table: one writes, the others follow; nothing is merged silently, nothing is lost."""

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.services import parked_entries, sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.journeys.phones import (
    NewPhone,
    all_sent,
    confirm_each,
    deals,
    have_decided,
    knock,
    knock_each,
    link_state,
    parked,
    set_aside,
    tray,
    try_now,
    written,
)
from tournaments.models import Table

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

TAKE_PEN = "Hier weiterschreiben"
OTHER_WRITES = "Ein anderes Handy schreibt diese Tischliste."


def take_pen(page: Page) -> None:
    page.get_by_role("button", name=TAKE_PEN).tap()
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_visible()


def decided(page: Page, outcome: str) -> Locator:
    return page.locator(f".entry[data-state={outcome}]")


def test_two_phones_that_diverged_lose_and_double_nothing(new_phone: NewPhone, table: Table) -> None:
    first, second = new_phone(), new_phone()
    expect(second.get_by_text(OTHER_WRITES)).to_be_visible()
    expect(second.locator(".action-bar__hint")).to_contain_text(
        "Was das andere Handy noch nicht übertragen hat, wird beim Weiterschreiben zurückgestellt."
    )
    expect(second.locator("button.seat-row__name")).to_have_count(0)
    knock(first, 2)
    all_sent(first)
    expect(second.get_by_text("1. Spiel: geklopft, Bernd Dorn verliert")).to_be_visible()
    first.context.set_offline(True)
    knock_each(first, (3,), (4,))
    take_pen(second)
    knock(second, 5)
    all_sent(second)
    first.context.set_offline(False)

    expect(first.get_by_text(OTHER_WRITES)).to_be_visible()
    set_aside(first, 2)
    for phone in (first, second):
        try_now(phone)
        expect(parked(phone)).to_have_count(2)
        expect(parked(phone).first).to_contain_text("Zurückgestellt: Spiel: geklopft, Clara Egger verliert")
        link_state(phone).tap()  # the red light leads there
        expect(parked(phone).first).to_be_in_viewport()
        expect(phone.locator("section:focus").get_by_role("heading")).to_have_text("Zurückgestellte Einträge")
    assert deals(table) == [[2], [5]]

    tournament = table.round.tournament
    adopted, discarded = open_sheet(table.pk).row.parked.all()
    parked_entries.adopt(tournament, adopted.pk, reason="Das war so", by="maria", at=AT)
    parked_entries.discard(tournament, discarded.pk, reason="Zweimal geschrieben", by="maria", at=AT)
    try_now(second)
    for phone in (first, second):
        expect(parked(phone)).to_have_count(0)
        expect(phone.get_by_text("3. Spiel: geklopft, Clara Egger verliert").first).to_be_visible()
        expect(decided(phone, "adopted")).to_have_text(
            "Übernommen: Spiel: geklopft, Clara Egger verliert Spielleitung: „Das war so“"
        )
        all_sent(phone)
        expect(decided(phone, "discarded")).to_have_text(
            "Verworfen: Spiel: geklopft, Dieter Fuchs verliert Spielleitung: „Zweimal geschrieben“"
        )
    assert deals(table) == [[2], [5], [3]]


def test_taking_the_pen_while_entries_are_unsent_sets_them_aside_in_sight(
    new_phone: NewPhone, table: Table
) -> None:
    first, second = new_phone(), new_phone()
    first.route("**/s/entries", lambda route: route.abort())
    knock(first, 2)
    expect(link_state(first)).to_contain_text("1 Eintrag wartet")
    take_pen(second)
    knock(second, 3)
    all_sent(second)
    first.reload()
    # As soon as sending has failed, it says that the pen needs a connection.
    needs_connection = first.get_by_text("Zum Weiterschreiben braucht es eine Verbindung.")
    expect(first.get_by_text(OTHER_WRITES).or_(needs_connection)).to_be_visible()
    expect(link_state(first)).to_contain_text("1 Eintrag")

    first.unroute("**/s/entries")
    take_pen(first)
    expect(parked(first)).to_have_count(1)
    expect(parked(first)).to_contain_text("Bernd Dorn verliert")
    knock(first, 4)
    expect(first.get_by_text("3. Spiel: Wer hat verloren?")).to_be_visible()
    set_aside(first, 1)
    assert deals(table) == [[3], [4]]
    try_now(second)
    expect(second.get_by_text(OTHER_WRITES)).to_be_visible()
    expect(parked(second)).to_have_count(1)
    assert open_sheet(table.pk).row.parked.count() == 1


def test_without_a_network_nobody_takes_the_pen(new_phone: NewPhone, table: Table) -> None:
    first, second = new_phone(), new_phone()
    expect(second.get_by_text(OTHER_WRITES)).to_be_visible()
    second.context.set_offline(True)
    try_now(second)

    expect(second.get_by_text("Zum Weiterschreiben braucht es eine Verbindung.")).to_be_visible()
    expect(second.get_by_role("button", name=TAKE_PEN)).to_have_count(0)
    expect(second.get_by_role("button", name="Geklopft – eintragen")).to_have_count(0)
    knock(first, 2)
    all_sent(first)
    second.context.set_offline(False)
    expect(second.get_by_text("1. Spiel: geklopft, Bernd Dorn verliert").first).to_be_visible()
    assert deals(table) == [[2]]


def test_the_supervisor_frees_the_pen_where_the_rules_want_him(new_phone: NewPhone, table: Table) -> None:
    tournament = table.round.tournament
    tournament.ruleset = {**tournament.ruleset, "pen_needs_supervisor": True}
    tournament.save()
    first, second = new_phone(), new_phone()
    knock(first, 2)
    all_sent(first)
    expect(second.get_by_text("1. Spiel: geklopft, Bernd Dorn verliert").first).to_be_visible()
    expect(second.locator(".action-bar__hint")).to_have_text(
        "Hier schreibt schon ein anderes Handy. Bitte die Spielleitung holen, sie gibt die Tischliste frei."
    )
    expect(second.get_by_role("button", name=TAKE_PEN)).to_have_count(0)
    expect(link_state(second)).to_have_text("Alles übertragen")

    sheets.free_pen(table, at=AT)
    take_pen(second)
    knock(second, 3)
    expect(first.get_by_text("2. Spiel: geklopft, Clara Egger verliert").first).to_be_visible()
    assert deals(table) == [[2], [3]]


def test_the_scribe_moves_to_another_phone(new_phone: NewPhone, table: Table) -> None:
    old = new_phone()
    knock(old, 2)
    all_sent(old)
    with old.expect_response("**/s/link") as answer:
        old.get_by_role("button", name="Code für andere Handys").tap()
    expect(old.get_by_role("img", name="QR-Code für Tisch 1")).to_be_visible()

    new = new_phone(address="/s/#" + answer.value.json()["url"].partition("#")[2])
    take_pen(new)
    knock(new, 3)
    all_sent(new)
    try_now(old)
    expect(old.get_by_text(OTHER_WRITES)).to_be_visible()
    expect(old.get_by_text("2. Spiel: geklopft, Clara Egger verliert").first).to_be_visible()
    expect(old.get_by_role("img", name="QR-Code für Tisch 1")).to_have_count(0)
    assert deals(table) == [[2], [3]]


def test_after_the_hand_in_every_phone_shows_the_sheet_and_its_whole_history(
    new_phone: NewPhone, table: Table
) -> None:
    first, second = new_phone(), new_phone()
    have_decided(first)
    confirm_each(first)
    first.get_by_role("button", name="Blatt abgeben").tap()
    expect(first.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(first)
    deal = open_sheet(table.pk).log.facts[0].entry_id
    sheets.write(
        table,
        [
            ("accepted", {}),
            ("reopened", {"reason": "Verwechselt"}),
            ("corrected", {"entry": deal, "data": SCHNAUZ_OF_ANNA, "reason": "Es war ein Schnauz"}),
            ("accepted", {"reason": "Geprüft"}),
        ],
        by="spielleitung",
        initials="MB",
        at=AT,
    )

    for phone in (first, second):
        try_now(phone)
        expect(phone.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
        expect(phone.locator(".result__row").first).to_contain_text("Anna Berger")
        expect(phone.locator("main button:not(.button--quiet)")).to_have_count(0)
    second.get_by_role("link", name="Ganze Geschichte der Tischliste").tap()
    lines = second.locator(".entry")
    expect(lines).to_have_count(len(written(table)))
    expect(lines.nth(1)).to_contain_text(
        "Geklopft, ein Leben verliert: Franz Huber → Schnauz von Anna Berger"
    )
    expect(lines.nth(1)).to_contain_text("„Es war ein Schnauz“")
    expect(lines.nth(1)).to_contain_text("Veranstalter MB")
    second.get_by_role("link", name="Zurück zur Tischliste").tap()
    expect(second.get_by_text("Angenommen: Das Ergebnis zählt.")).to_be_visible()
    expect(tray(second)).to_have_count(0)


SCHNAUZ_OF_ANNA = {"losers": [6], "ended_by": "schnauz", "finisher": 1}
