"""How little the scribe's phone does: counted, as times depend on the machine (bench/phone.py has those)."""

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.journeys.evening import NewPage
from tests.journeys.phones import PHONE, NewPhone, all_sent, have_knocked, link_to, name_of
from tournaments.models import Table
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.usefixtures("committed", "without_worker")

PLACING, FCE, SCHAFKOPF = (preset("schnauz-placing"), 6), (preset("fce"), 5), (preset("schafkopf"), 4)
SLOW = {"offline": False, "latency": 100, "downloadThroughput": 400_000, "uploadThroughput": 200_000}
SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }).observe({ type: "layout-shift", buffered: true });
"""
CHANGES = """() => {
  window.changed = [];
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      const part = target.closest?.(".seat-row, #main, #actions, #header") ?? document.body;
      changed.push(...[...addedNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE).map((node) => `${part.id}: ${node.localName}`));
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def layouts(session: CDPSession) -> int:
    metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    return next(int(one["value"]) for one in metrics if one["name"] == "LayoutCount")


def tapped(page: Page, session: CDPSession, x: float, y: float) -> int:
    """Tap there; return how often the page was laid out until it showed what the tap did.

    Not counted is that of an icon which comes with a button: browsers lay it out as soon as they have looked for it.
    """
    page.evaluate("document.querySelectorAll('use').forEach((one) => (one.wasThere = true))")
    page.evaluate(NEXT_FRAME)
    before = layouts(session)
    page.touchscreen.tap(x, y)
    page.wait_for_timeout(100)
    page.evaluate(NEXT_FRAME)
    icons = page.evaluate("[...document.querySelectorAll('use')].some((one) => !one.wasThere)")
    return layouts(session) - before - int(icons)


def middles(page: Page, selector: str, count: int) -> list[tuple[float, float]]:
    boxes = [page.locator(selector).nth(place).bounding_box() for place in range(count)]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]


@pytest.mark.parametrize(
    ("table", "target"),
    [(PLACING, "button.seat-row__name"), (FCE, ".pad__key"), (SCHAFKOPF, "button.seat-row__name")],
    indirect=["table"],
    ids=["1", "3", "5"],
)
def test_a_tap_lays_the_page_out_once(new_phone: NewPhone, table: Table, target: str) -> None:
    page = new_phone()
    all_sent(page)
    expect(page.locator(target).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    assert [tapped(page, session, *place) for place in middles(page, target, 2)] == [1, 1]


def test_a_tap_on_a_name_replaces_nothing_but_the_buttons_below(new_phone: NewPhone, table: Table) -> None:
    """Neither the list of the deals nor anything else that it does not change."""
    page = new_phone()
    have_knocked(page, (2,), (3,), (4,), (5,))
    page.evaluate(CHANGES)
    name_of(page, 1).tap()
    expect(page.get_by_role("button", name="Abbrechen")).to_be_visible()
    name_of(page, 2).tap()
    expect(page.get_by_text("Anna und Bernd geben je ein Leben.")).to_be_visible()
    found = page.evaluate("changed")
    assert {one.split(":")[0] for one in found} == {"actions"}, found


@pytest.mark.parametrize("table", [PLACING, FCE, SCHAFKOPF], indirect=True, ids=["1", "3", "5"])
@pytest.mark.parametrize("size", [(320, 568), (390, 844), (740, 360)], ids=["320", "390", "side"])
def test_nothing_shifts_while_a_sheet_is_opened(
    new_page: NewPage, table: Table, size: tuple[int, int]
) -> None:
    """On the phone that writes and on one that reads, the first time and again."""
    device = {**PHONE, "viewport": {"width": size[0], "height": size[1]}, "service_workers": "block"}
    for _who in ("writes", "reads"):
        page = new_page(device)
        page.add_init_script(SHIFTS)
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", SLOW)
        for _ in range(2):
            page.goto("about:blank")
            page.goto(link_to(table))
            expect(page.locator(".action-bar__hint")).to_be_visible()
            all_sent(page)
            page.wait_for_load_state("networkidle")
            page.evaluate(NEXT_FRAME)
            assert page.evaluate("shifts") == []
