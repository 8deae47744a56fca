"""Phones at a table of six in a real browser: a scribe's taps, and the resulting sheet."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from playwright.sync_api import BrowserContext, CDPSession, Error, Locator, Page, ViewportSize, expect

from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tournaments import links
from tournaments.models import Table

NAMES = ["Anna Berger", "Bernd Dorn", "Clara Egger", "Dieter Fuchs", "Eva Gruber", "Franz Huber"]
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
NewPhone = Callable[..., Page]


class KeptPhones:
    """Phones that are used by one test after another, emptied in between.

    A page that is there costs half of a new one. The files of the program stay in its cache, as on a phone that
    has been at a table before.
    """

    def __init__(self, new_context: Callable[[], BrowserContext], origin: str) -> None:
        self._new_context, self._origin = new_context, origin
        self._free: list[tuple[Page, CDPSession]] = []
        self._taken: list[tuple[Page, CDPSession]] = []

    def take(self, size: ViewportSize) -> Page:
        self._taken.append(self._free.pop() if self._free else self._new())
        page, _ = self._taken[-1]
        if page.viewport_size != size:
            page.set_viewport_size(size)
        return page

    def _new(self) -> tuple[Page, CDPSession]:
        page = self._new_context().new_page()
        return page, page.context.new_cdp_session(page)

    def take_back_all(self) -> None:
        """Empty the phones that were taken, or close those whose page a test has closed."""
        while self._taken:
            page, session = self._taken.pop()
            try:
                self._empty(page, session)
            except Error:
                page.context.close()
            else:
                self._free.append((page, session))

    def _empty(self, page: Page, session: CDPSession) -> None:
        """Leave the page and delete all that it has stored, with what the test has changed of the browser."""
        for other in page.context.pages:
            if other != page:
                other.close()
        page.context.set_offline(False)
        page.context.unroute_all(behavior="ignoreErrors")
        page.unroute_all(behavior="ignoreErrors")
        page.emulate_media(color_scheme="null")
        page.goto("about:blank")
        everything = {"origin": self._origin, "storageTypes": "all"}
        session.send("Storage.clearDataForOrigin", everything)
        page.context.clear_cookies()

    def close(self) -> None:
        for page, _ in self._free:
            page.context.close()


def link_to(table: Table) -> str:
    """Return the link in the table's code, without the host."""
    return f"/s/#{links.sheet_secret(table.pk, table.link_version)}"


def name_of(page: Page, seat: int) -> Locator:
    """Return the button with a player's name, which records a lost deal."""
    return page.locator("button.seat-row__name").filter(has_text=NAMES[seat - 1])


def mark(page: Page, seat: int, kind: str) -> Locator:
    return page.get_by_role("button", name=f"{kind}: {NAMES[seat - 1]}", exact=True)


def knock(page: Page, *losers: int) -> None:
    for seat in losers:
        name_of(page, seat).tap()
    page.get_by_role("button", name="Geklopft – eintragen").tap()
    expect(page.locator("button.seat-row__name[aria-pressed=true]")).to_have_count(0)


KNOCK = """async (deals) => {
    const until = async (isSo) => {
        for (let tries = 0; !isSo(); tries += 1) {
            if (tries === 5_000) throw new Error(document.body.innerText);
            await new Promise((done) => setTimeout(done, 4));
        }
    };
    const chosen = () => document.querySelectorAll("button.seat-row__name[aria-pressed=true]").length;
    const go = () => [...document.querySelectorAll("#actions .action-bar__go:enabled")].find((one) => one.innerText === "Geklopft – eintragen");
    for (const losers of deals) {
        for (const name of losers) {
            [...document.querySelectorAll("button.seat-row__name")].find((one) => one.innerText.includes(name)).click();
        }
        await until(() => chosen() === losers.length && go());
        go().click();
        await until(() => chosen() === 0);
    }
}"""


def knock_each(page: Page, *deals: tuple[int, ...]) -> None:
    """Write deals as `knock` does, through the buttons of the page but without a finger: for tests of what comes after them."""
    expect(page.get_by_role("button", name="Geklopft – eintragen")).to_be_visible()
    page.evaluate(KNOCK, [[NAMES[seat - 1] for seat in losers] for losers in deals])


def take_back_last(page: Page) -> None:
    page.locator(".action-bar__back:not([data-cancels])").tap()  # there once the draft is written
    expect(link_state(page)).not_to_contain_text("Wird notiert")
    page.wait_for_timeout(550)  # the second of two quick taps is ignored


def all_sent(page: Page) -> None:
    expect(page.locator(".link-state")).to_have_text("Alles übertragen")


def set_aside(page: Page, count: int) -> None:
    """Wait until nothing is being sent, and so many entries need the supervisor."""
    expect(page.locator(".link-state")).to_have_text(f"{count} zurückgestellt: Spielleitung holen")


def feuer(page: Page, seat: int) -> None:
    mark(page, seat, "Feuer").tap()
    page.get_by_role("button", name="Feuer – eintragen").tap()


def written(table: Table) -> list[dict[str, Any]]:
    return [{"kind": entry.kind, **entry.data} for entry in open_sheet(table.pk).log.entries]


def ranks(table: Table) -> dict[int, int | None]:
    return {score.seat_number: score.rank for score in open_sheet(table.pk).log.results}


def drown(page: Page, *seats: int) -> None:
    for _ in range(4):
        knock(page, *seats)


def decide(page: Page) -> None:
    """Enter ranks in the order of the seats, seat 1 the winner."""
    for seat in (6, 5, 4, 3, 2):
        drown(page, seat)


def decided_by_the_supervisor(table: Table) -> None:
    """Write the deals of `decide`, without a phone."""
    lost = {
        seat: ("deal", {"losers": [seat], "ended_by": "knock", "finisher": None}) for seat in (6, 5, 4, 3, 2)
    }
    sheets.write(table, [deal for deal in lost.values() for _ in range(4)], by="spielleitung", at=AT)


def have_knocked(page: Page, *deals: tuple[int, ...]) -> None:
    """Enter deals that ended with a knock as this phone's own, each with its losers, without its taps.

    For tests of what comes after them. The sheet has no deal before; the phone holds the pen and follows.
    """
    have_dealt(page, *({"losers": losers, "ended_by": "knock", "finisher": None} for losers in deals))
    next_deal = page.get_by_text(f"{len(deals) + 1}. Spiel: Wer hat verloren?")
    expect(next_deal.or_(page.get_by_role("heading", name="Ergebnis"))).to_be_visible()
    all_sent(page)


def have_dealt(page: Page, *deals: Mapping[str, Any]) -> None:
    """Enter deals of any kind of sheet as this phone's own, without its taps."""
    all_sent(page)
    epoch = page.request.get("/s/sheet").json()["pen"]["epoch"]
    made_at = "2026-11-21T18:30:00Z"
    entries = [{"id": str(uuid4()), "kind": "deal", "data": dict(deal), "made_at": made_at} for deal in deals]
    answer = page.request.post("/s/entries", data={"pen_epoch": epoch, "entries": entries})
    assert [result["outcome"] for result in answer.json()["results"]] == ["recorded"] * len(deals)
    try_now(page)


def have_decided(page: Page) -> None:
    """Enter the deals of `decide` without taps."""
    have_knocked(page, *[(seat,) for seat in (6, 5, 4, 3, 2) for _ in range(4)])


def confirm_each(page: Page) -> None:
    """Tap every player who has not confirmed, as the players do, but without a finger."""
    expect(page.locator("button.result__row").first).to_be_visible()
    page.evaluate(
        """async () => {
            for (let left; (left = [...document.querySelectorAll("button.result__row")]).length; ) {
                left[0].click();
                for (let tries = 0; document.querySelectorAll("button.result__row").length === left.length; tries += 1) {
                    if (tries === 5_000) throw new Error(document.body.innerText);
                    await new Promise((done) => setTimeout(done, 4));
                }
            }
        }"""
    )


def link_state(page: Page) -> Locator:
    """Return the connection state in the page's header."""
    return page.locator(".link-state")


def tray(page: Page) -> Locator:
    """Return the list of this phone's entries that the tournament did not accept."""
    return page.locator(".entry[data-state=refused], .entry[data-state=stuck]")


def parked(page: Page) -> Locator:
    return page.locator(".entry[data-state=parked]")


def deals(table: Table) -> list[list[int]]:
    """Return the losers of each deal, as in the log."""
    return [entry["losers"] for entry in written(table)]


def try_now(page: Page) -> None:
    """Trigger a new attempt to send, as the phone does when its network returns."""
    page.evaluate("dispatchEvent(new Event('online'))")
