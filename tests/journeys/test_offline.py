"""A bad network at the table: in the end the log is complete and without duplicates, and the page showed its state."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from scoring.services import rounds as scoring_rounds
from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.journeys.phones import (
    NAMES,
    NewPhone,
    all_sent,
    deals,
    feuer,
    have_knocked,
    knock,
    knock_each,
    link_state,
    link_to,
    name_of,
    parked,
    set_aside,
    tray,
    try_now,
    written,
)
from tournaments.models import Table
from tournaments.services.rounds import revoke_link

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

ENTRIES = "**/s/entries"
ONE_NOT_SENT = "1 Eintrag wartet"
TWO_NOT_SENT = "2 Einträge warten"
ONLY_HERE = "1 Eintrag wartet, nur solange diese Seite offen ist"
SOMEBODY_ELSE = "In diesem Netz antwortet nicht das Turnier"
BUSY = "Das Turnier kann gerade nicht antworten."
OURS = "Das geht heute nicht."


def opens_offline(page: Page) -> None:
    """Wait until the service worker has cached everything that the page needs."""
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            if (navigator.serviceWorker.controller) return;
            await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
        }"""
    )


def kill(page: Page) -> None:
    """Kill the tab's process, as when a phone runs out of memory."""
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash", timeout=5_000)
    page.close()


def answer_entries(page: Page, **answer: Any) -> None:
    """Answer entries with this response instead of the tournament's; `page.unroute(ENTRIES)` ends it."""
    page.route(ENTRIES, lambda route: route.fulfill(**answer))


# --- no network ----------------------------------------------------------------------------------------------------


def test_a_whole_round_is_written_without_a_network(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    knock_each(page, *[(seat,) for seat in (6, 5, 4, 3, 2) for _ in range(4)])
    for name in NAMES:
        page.locator("button.result__row").filter(has_text=name).tap()
    page.get_by_role("button", name="Blatt abgeben").tap()

    expect(page.locator(".action-bar__hint")).to_have_text(
        "Zum Abgeben bereit, aber noch nicht übertragen.Bitte warten, bis oben „Alles übertragen“ steht."
    )
    expect(link_state(page)).to_have_text("27 Einträge warten")
    assert written(table) == []

    page.context.set_offline(False)
    expect(page.get_by_text("Abgegeben. Danke!")).to_be_visible()
    all_sent(page)
    log = open_sheet(table.pk).log
    assert (log.status, len(log.entries), len(log.facts), len(log.confirmed)) == ("submitted", 27, 20, 6)
    assert [fact.data["losers"] for fact in log.facts] == [
        [seat] for seat in (6, 5, 4, 3, 2) for _ in range(4)
    ]


def test_the_page_opens_without_a_network_and_has_everything(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(service_workers="allow")
    all_sent(page)
    opens_offline(page)
    page.context.set_offline(True)
    knock(page, 2)
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)

    page.reload()
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    expect(page.get_by_text("1. Spiel: geklopft, Bernd Dorn verliert").first).to_be_visible()
    knock(page, 3)
    expect(link_state(page)).to_have_text(TWO_NOT_SENT)
    context = page.context
    kill(page)
    page = context.new_page()
    page.goto("/s/")
    knock(page, 2, 4)
    expect(link_state(page)).to_have_text("3 Einträge warten")

    context.set_offline(False)
    all_sent(page)
    assert deals(table) == [[2], [3], [2, 4]]


def test_on_plain_http_and_with_a_wrong_clock_what_was_not_sent_is_there_in_its_order_when_the_page_opens_again(
    new_phone: NewPhone, table: Table, live_url: str
) -> None:
    page = new_phone(base_url=live_url.replace("127.0.0.1", "turnier.lan"))
    all_sent(page)
    assert (
        page.evaluate("[isSecureContext, 'serviceWorker' in navigator, 'randomUUID' in crypto]")
        == [False] * 3
    )
    page.context.set_offline(True)
    now = datetime.now().astimezone()
    page.clock.set_system_time(now + timedelta(days=1))
    knock(page, 2)
    page.clock.set_system_time(now - timedelta(days=1))
    feuer(page, 1)
    page.clock.set_system_time(now)
    knock(page, 4)
    expect(link_state(page)).to_have_text("3 Einträge warten")
    assert written(table) == []
    context = page.context
    page.close()
    context.set_offline(False)

    page = context.new_page()
    page.goto("/s/")
    all_sent(page)
    assert deals(table) == [[2], [2, 3, 4, 5, 6], [4]]


# --- a phone that cannot keep anything -----------------------------------------------------------------------------

FULL = """() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) {
        if (self.isFull) throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, args);
    };
    self.isFull = true;
}"""


def test_a_full_phone_says_so_and_goes_on(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    page.evaluate(FULL)
    knock(page, 2)
    expect(link_state(page)).to_have_text(ONLY_HERE)
    page.evaluate("self.isFull = false")  # with space again, both are stored
    knock(page, 3)
    expect(link_state(page)).to_have_text(TWO_NOT_SENT)
    context = page.context
    page.close()
    context.set_offline(False)

    page = context.new_page()
    page.goto("/s/")
    all_sent(page)
    assert deals(table) == [[2], [3]]


def leave_offline(page: Page) -> None:
    """Close the page in such a way that it sends nothing on the way: one that is closed is online for its last moment."""
    page.goto("about:blank")
    page.close()


KEEP_WAITING = """() => new Promise((done) => {
    indexedDB.open("tischliste").onsuccess = ({ target: { result } }) => {
        const change = result.transaction(["entries", "sheets", "kept"], "readwrite");
        const goOn = () => self.isFree || (change.objectStore("kept").get("").onsuccess = goOn);
        done(goOn());
    };
})"""
"""Lets what this browser stores wait for this tab, until `isFree`."""


def test_what_a_slow_browser_stores_and_hands_out_late_is_not_lost(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    slow = page.context.new_page()
    slow.goto("/healthz")
    slow.evaluate(KEEP_WAITING)
    page.context.set_offline(True)
    knock(page, 2)
    expect(link_state(page)).to_have_text(ONLY_HERE)
    slow.evaluate("self.isFree = true")
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    leave_offline(page)
    slow.context.set_offline(False)

    slow.goto("/healthz")
    slow.evaluate(KEEP_WAITING)
    page = slow.context.new_page()
    page.goto("/s/")
    expect(page.get_by_text("1. Spiel: Wer hat verloren?")).to_be_visible()
    slow.evaluate("self.isFree = true")
    expect(page.get_by_text("2. Spiel: Wer hat verloren?")).to_be_visible()
    all_sent(page)
    assert deals(table) == [[2]]


def test_what_a_slow_browser_hands_out_late_goes_before_what_was_written_since(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    knock(page, 2)
    knock(page, 3)
    expect(link_state(page)).to_have_text(TWO_NOT_SENT)
    context = page.context
    leave_offline(page)
    context.set_offline(False)
    slow = context.new_page()
    slow.goto("/healthz")
    slow.evaluate(KEEP_WAITING)
    page = context.new_page()
    page.goto("/s/")
    expect(page.get_by_text("1. Spiel: Wer hat verloren?")).to_be_visible()
    context.set_offline(True)
    knock(page, 4)
    expect(link_state(page)).to_have_text(ONLY_HERE)
    slow.evaluate("self.isFree = true")
    try_now(page)
    expect(link_state(page)).to_have_text("3 Einträge warten")
    context.set_offline(False)
    all_sent(page)
    assert deals(table) == [[2], [3], [4]]


WITHOUT_STORAGE = {
    "silent": "IDBFactory.prototype.open = () => Object.assign(new EventTarget(), { never: true })",
    "forbidden": "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); }",
    "none": "Object.defineProperty(self, 'indexedDB', { value: undefined })",
}
"""What a browser does that stores nothing. Each one outdoes those before it."""


def test_a_browser_that_stores_nothing_says_so_and_goes_on(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(service_workers="block")
    for done, (storage, script) in enumerate(WITHOUT_STORAGE.items()):
        page.add_init_script(script)
        page.goto("about:blank")
        page.goto(link_to(table))
        all_sent(page)
        page.context.set_offline(True)
        knock(page, 2 + done)
        expect(link_state(page), storage).to_have_text(ONLY_HERE)

        page.context.set_offline(False)
        all_sent(page)
        assert deals(table) == [[2 + earlier] for earlier in range(done + 1)], storage


def test_taps_while_an_entry_is_being_stored_mean_the_next_one(new_phone: NewPhone, table: Table) -> None:
    page = new_phone(before="IDBFactory.prototype.open = () => new EventTarget()")  # never answers
    all_sent(page)
    name_of(page, 2).tap()
    page.get_by_role("button", name="Geklopft – eintragen").evaluate("go => { go.click(); go.click(); }")
    knock(page, 3)
    for _ in range(2):
        page.locator(".action-bar__go").evaluate("go => go.click()")

    expect(page.get_by_text("3. Spiel: Wer hat verloren?")).to_be_visible()
    all_sent(page)
    assert deals(table) == [[2], [3]]


# --- invalid responses ---------------------------------------------------------------------------------------------


def test_a_network_that_wants_a_log_in_gets_no_entry(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    portal: list[dict[str, Any]] = [
        {"status": 200, "content_type": "text/html", "body": "<h1>Willkommen im WLAN</h1>"},
        {"status": 200, "json": {"ok": True}},
        {"status": 200, "json": {"results": [], "sheet": None}},
        {"status": 200, "json": {"results": [{"id": "fremd", "outcome": "recorded"}]}},
        {"status": 200, "body": "null"},
    ]
    answer_entries(page, status=302, headers={"Location": "http://login.example/"})
    knock(page, 2)
    expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
    for answer in portal:
        answer_entries(page, **answer)
        with page.expect_response(ENTRIES):
            try_now(page)
        expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
        expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    assert deals(table) == []

    page.unroute(ENTRIES)
    try_now(page)
    all_sent(page)
    expect(page.get_by_text(SOMEBODY_ELSE)).to_have_count(0)
    assert deals(table) == [[2]]


def test_what_is_turned_away_lies_in_sight_and_is_tried_again(new_phone: NewPhone, table: Table) -> None:
    """Refusals with a sentence of ours, and those of something else."""
    page = new_phone()
    all_sent(page)
    answer: dict[str, Any] = {}

    def turned_away(route: Route) -> None:
        if answer:
            route.fulfill(**answer)
        else:
            route.continue_()

    page.route(ENTRIES, turned_away)
    bodies: list[dict[str, Any]] = [{"json": {"error": OURS}}, {"body": "<h1>nein</h1>"}]
    refusals = [(body, status) for body in bodies for status in (400, 401, 403, 404, 405, 413, 415, 418)]
    for tried, (body, status) in enumerate(refusals):
        answer |= {"status": status, **body}
        knock_each(page, (2 + tried % 5,))
        refusal = f"{status}: {body}"
        expect(tray(page), refusal).to_have_count(1)
        set_aside(page, 1)
        if "json" in body:
            expect(page.get_by_text(OURS), refusal).to_be_visible()
        if "json" in body and status == 400:
            expect(tray(page), refusal).to_have_attribute("data-state", "refused")
        again = page.get_by_role("button", name="Noch einmal senden")
        if status == 401 and "json" in body:  # the code has to be scanned again
            answer.clear()
            page.goto("about:blank")
            page.goto(link_to(table))
        elif status == 401:  # a portal, which lets everything through after a while
            with page.expect_response(ENTRIES):
                again.tap()
            expect(tray(page), refusal).to_have_count(1)
            answer.clear()
            try_now(page)
        else:
            answer.clear()
            again.tap()
        all_sent(page)
        expect(tray(page), refusal).to_have_count(0)
    assert deals(table) == [[2 + tried % 5] for tried in range(len(refusals))]


def test_one_entry_that_cannot_be_read_stops_no_other(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)

    def picky(route: Route) -> None:
        if '"losers":[4]' in (route.request.post_data or ""):
            route.fulfill(status=400, json={"error": OURS})
        else:
            route.continue_()

    page.context.set_offline(True)
    knock_each(page, (2,), (3,), (4,), (5,), (6,))
    page.route(ENTRIES, picky)
    page.context.set_offline(False)

    expect(tray(page)).to_have_count(1)
    expect(tray(page)).to_contain_text(OURS)
    set_aside(page, 1)
    assert deals(table) == [[2], [3], [5], [6]]
    page.unroute(ENTRIES)
    page.get_by_role("button", name="Noch einmal senden").tap()
    all_sent(page)
    assert deals(table) == [[2], [3], [5], [6], [4]]


def watch_plans(page: Page) -> None:
    """Keep the milliseconds of each planned attempt in `planned`."""
    page.evaluate(
        """() => {
            const plan = self.setTimeout;
            self.planned = [];
            self.setTimeout = (work, wait, ...rest) => {
                if (work.name === "bound turn") self.planned.push(wait);
                return plan(work, wait, ...rest);
            };
        }"""
    )


def test_a_busy_tournament_is_asked_again_later_and_later(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    answer_entries(page, status=503, body="")
    knock(page, 2)
    expect(page.get_by_text(BUSY)).to_be_visible()
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    watch_plans(page)  # from now on every attempt comes after one that failed
    for status in (409, 429, 500, 502, 503, 504, 408):
        answer_entries(page, status=status, body="")
        with page.expect_response(ENTRIES):
            try_now(page)
        expect(page.get_by_text(BUSY)).to_be_visible()
        expect(tray(page)).to_have_count(0)

    waits = page.evaluate("planned")
    assert all(1_000 <= wait <= 15_000 for wait in waits), waits
    assert max(waits) > 7_000, waits
    assert len({wait for wait in waits if wait > 1_000}) > 3, waits
    page.unroute(ENTRIES)
    try_now(page)
    all_sent(page)
    assert deals(table) == [[2]]


def test_an_overloaded_tournament_says_when_to_come_back(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    watch_plans(page)
    for asked, (least, most) in {
        "6": (6_000, 6_000),
        "3600": (15_000, 15_000),
        "soon": (1_000, 15_000),
    }.items():
        answer_entries(page, status=429, headers={"Retry-After": asked}, body="{}")
        with page.expect_response(ENTRIES):
            knock(page, 2) if asked == "6" else try_now(page)
        expect(link_state(page)).to_have_text(ONE_NOT_SENT)
        expect(page.get_by_text(BUSY)).to_be_visible()
        page.wait_for_function("() => planned.at(-1) > 0")
        assert least <= page.evaluate("planned.splice(0).at(-1)") <= most
    page.unroute(ENTRIES)
    try_now(page)
    all_sent(page)
    assert deals(table) == [[2]]


def test_dropped_repeated_and_late_answers_double_nothing(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    bodies: list[str] = []

    def dropped(route: Route) -> None:
        bodies.append(route.request.post_data or "")
        route.fetch()  # written, but the phone gets no response
        route.abort()

    page.route(ENTRIES, dropped)
    with page.expect_event("requestfailed"):
        knock(page, 2)
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    assert deals(table) == [[2]]
    page.unroute(ENTRIES)
    old_sheet = page.request.get("/s/sheet").text()
    try_now(page)
    all_sent(page)
    knock(page, 3)
    expect(page.get_by_text("3. Spiel: Wer hat verloren?")).to_be_visible()
    all_sent(page)

    for body in bodies:  # an old batch is delivered again, after newer ones
        answer = page.request.post("/s/entries", data=body, headers={"Content-Type": "application/json"})
        assert [result["outcome"] for result in answer.json()["results"]] == ["duplicate"]
    page.route("**/s/sheet", lambda route: route.fulfill(body=old_sheet, content_type="application/json"))
    with page.expect_response("**/s/sheet"):
        try_now(page)
    all_sent(page)
    expect(page.get_by_text("2. Spiel: geklopft, Clara Egger verliert").first).to_be_visible()
    assert deals(table) == [[2], [3]]


# --- changes in the meantime ---------------------------------------------------------------------------------------


def test_a_link_revoked_meanwhile_keeps_the_entries_until_the_new_code(
    new_phone: NewPhone, table: Table
) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    knock(page, 2)
    knock(page, 3)
    revoke_link(table.round.tournament, 1, table.number)
    page.context.set_offline(False)

    set_aside(page, 2)
    expect(tray(page)).to_have_count(2)
    expect(
        page.get_by_text("Sie werden gesendet, sobald der neue Code dieses Tisches gescannt ist.")
    ).to_be_visible()
    assert written(table) == []
    table.refresh_from_db()
    page.goto(link_to(table))
    all_sent(page)
    assert deals(table) == [[2], [3]]


def test_a_round_closed_meanwhile_sets_the_entries_aside(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    knock(page, 2)
    scoring_rounds.close(table.round.tournament, 1, reason="Es ist spät", at=AT)
    page.context.set_offline(False)

    expect(parked(page)).to_have_count(1)
    expect(parked(page)).to_contain_text("Zurückgestellt: Spiel: geklopft, Bernd Dorn verliert")
    expect(page.get_by_text("Die Spielrunde ist abgeschlossen.")).to_be_visible()
    set_aside(page, 1)
    assert written(table) == []
    assert open_sheet(table.pk).row.parked.count() == 1


def test_what_another_table_never_got_stays_in_sight(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    all_sent(page)
    page.context.set_offline(True)
    knock(page, 2)
    revoke_link(table.round.tournament, 1, table.number)
    page.context.set_offline(False)
    expect(tray(page)).to_have_count(1)
    tournament = TournamentFactory.create(slug=f"anders-{table.pk}")
    ParticipantFactory.create_batch(5, tournament=tournament)
    other = a_round(tournament).tables.get()
    page.goto(link_to(other))

    left = page.locator("section", has=page.get_by_role("heading", name="Noch von Tisch 1, 1. Spielrunde"))
    expect(left).to_contain_text("Nicht übertragen: Spiel: geklopft, Bernd Dorn verliert")
    expect(left).to_contain_text("Diese Einträge hat das Turnier nie bekommen.")
    assert written(table) == written(other) == []
    left.get_by_role("button", name="Gezeigt, weglegen").tap()
    expect(left).to_have_count(0)
    page.reload()
    all_sent(page)
    expect(left).to_have_count(0)


def test_a_refused_entry_outlives_a_reload_until_it_is_read(new_phone: NewPhone, table: Table) -> None:
    page = new_phone()
    have_knocked(page, *[(2,)] * 4)
    page.context.set_offline(True)
    page.locator(".action-bar__back").tap()
    expect(link_state(page)).to_have_text(ONE_NOT_SENT)
    sheets.write(table, [("ranked", {"ranks": {str(seat): seat for seat in range(1, 7)}})], by="o", at=AT)
    page.context.set_offline(False)
    expect(parked(page)).to_have_count(1)  # written with the pen before the organiser's entry
    set_aside(page, 1)
    page.route("**/s/sheet", lambda route: route.abort())
    sheets.write(table, [("accepted", {"reason": "Es ist spät"})], by="o", at=AT)
    page.get_by_role("button", name="– stimmt").first.tap()
    expect(tray(page)).to_contain_text("Die Tischliste ist schon angenommen.")
    page.unroute("**/s/sheet")
    page.reload()

    expect(tray(page)).to_contain_text("Die Tischliste ist schon angenommen.")
    page.get_by_role("button", name="Gelesen").tap()
    expect(tray(page)).to_have_count(0)
    set_aside(page, 1)
