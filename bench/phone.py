"""Benchmark of the time from a tap on the phone's sheet to its paint, in a real browser, online and offline.

    .venv/bin/python bench/phone.py [--taps 60]

*stroke*  a stroke on the tally: stored in IndexedDB, then shown
*name*    a tap on the name of a player who lost: stores nothing
*first*   the same, as the first tap on a page that was just opened, with the processor slowed six times, as in a cheap phone;
          its baseline is slowed as well

The time is measured from the browser's timestamp of the tap to the end of the frame with the change. The baseline is a
bare page in the same browser whose button increments a number.
"""

import argparse
import os
import shutil
import statistics
from collections.abc import Callable

from common.program import running
from common.tournament import evening
from playwright.sync_api import Browser, Page, sync_playwright

CLOCK = """() => {
    self.took = [];
    let from = null;
    addEventListener("click", (event) => (from = event.timeStamp), { capture: true });
    new MutationObserver(() => {
        if (from === null) return;
        const since = from;
        from = null;
        requestAnimationFrame(() => {
            const after = new MessageChannel();
            after.port1.onmessage = () => self.took.push(performance.now() - since);
            after.port2.postMessage(null);
        });
    }).observe(self.watched ?? document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
BARE = """() => {
    document.body.innerHTML = "<button>0</button>";
    const [button] = document.body.children;
    button.onclick = () => (button.textContent = Number(button.textContent) + 1);
}"""
SLOWED = 6
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "locale": "de-DE"}


def times(page: Page, tap: Callable[[int], None], taps: int) -> list[float]:
    """Return the milliseconds of each tap. Only changes in the list of players count, not those in the page header."""
    page.evaluate("self.watched = document.querySelector('.seat-rows') ?? document.body")
    page.evaluate(CLOCK)
    for number in range(taps):
        tap(number)
        page.wait_for_function("(count) => self.took.length > count", arg=number)
    took: list[float] = page.evaluate("took")
    return took


def told(name: str, took: list[float], base: float) -> None:
    middle, late = statistics.median(took), statistics.quantiles(took, n=20)[18]
    print(
        f"{name:24} {middle:6.1f} ms (95th {late:6.1f}, most {max(took):6.1f}) x{middle / base:4.1f}",
        flush=True,
    )


def slow(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})


def bare(browser: Browser, taps: int, *, is_slow: bool = False) -> list[float]:
    page = browser.new_context(**PHONE).new_page()  # type: ignore[arg-type]
    page.evaluate(BARE)
    if is_slow:
        slow(page)
    took = times(page, lambda _: page.locator("button").tap(), taps)
    page.context.close()
    return took


def first(browser: Browser, link: str) -> float:
    page = browser.new_context(**PHONE).new_page()  # type: ignore[arg-type]
    page.goto(link)
    page.locator(".link-state[data-light=green]").wait_for()
    page.locator("button.seat-row__name").first.wait_for()
    page.wait_for_load_state("networkidle")
    slow(page)
    [took] = times(page, lambda _: page.locator("button.seat-row__name").first.tap(), 1)
    page.context.close()
    return took


def sheet(browser: Browser, link: str, *, offline: bool, taps: int, what: str) -> list[float]:
    page = browser.new_context(**PHONE).new_page()  # type: ignore[arg-type]
    page.goto(link)
    page.locator(".link-state[data-light=green]").wait_for()
    if what == "stroke":
        page.get_by_role("button", name="Nur Striche und Ränge").tap()
    page.context.set_offline(offline)
    buttons = page.locator(".stroke" if what == "stroke" else "button.seat-row__name")
    took = times(page, lambda number: buttons.nth(number % 5).tap(), taps)
    page.context.set_offline(False)
    page.locator(".link-state[data-light=green]").wait_for()
    page.context.close()
    return took


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--taps", type=int, default=60)
    taps = parser.parse_args().taps
    chromium = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
    )
    if chromium is None:
        print("No Chromium or Chrome found: nothing is measured. Install one, or set CHROMIUM to its path.")
        return
    with running() as program, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        print(f"{os.cpu_count()} cores, Chromium {browser.version}; x: against a bare button in the same run")
        program.take_in(evening(60, in_play=0))
        address = [f"{program.web.url}/s/#{secret}" for secret in program.secrets("abend-60")]
        baseline = bare(browser, taps)
        base = statistics.median(baseline)
        told("bare button", baseline, base)
        runs = [(what, offline) for what in ("name", "stroke") for offline in (False, True)]
        for (what, offline), link in zip(runs, address, strict=False):
            took = sheet(browser, link, offline=offline, taps=taps, what=what)
            told(f"{what}, network {'off' if offline else 'on'}", took, base)
        others = address[len(runs) :]  # each once: the first phone has the pen
        slowed = [time for _ in others for time in bare(browser, 1, is_slow=True)]
        told("bare button, slowed, first", slowed, statistics.median(slowed))
        told("name, slowed, first", [first(browser, link) for link in others], statistics.median(slowed))
        browser.close()


if __name__ == "__main__":
    main()
