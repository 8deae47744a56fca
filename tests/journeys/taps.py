"""Taps that a page makes itself: where the finger is not the point, many of them need only one call of the browser."""

from collections.abc import Iterable

from playwright.sync_api import Page

Tap = tuple[str, str]
"""A selector, and the name of the button to tap among the elements it selects, or a part that no other name there has.

What is no button is awaited only.
"""

TAPS = """async (taps) => {
  const nameOf = (element) => (element.ariaLabel ?? element.textContent).replace(/\\s+/g, " ").trim();
  for (const [selector, name] of taps) {
    const named = () => {
      const all = [...document.querySelectorAll(selector)].filter((one) => !one.disabled);
      const exact = all.filter((one) => nameOf(one) === name);
      return exact.length ? exact : all.filter((one) => nameOf(one).includes(name));
    };
    const end = performance.now() + 20_000;
    let found = named();
    while (found.length !== 1) {
      if (performance.now() > end) throw new Error(`${found.length} elements ${selector} are called ${name}`);
      await new Promise((look) => setTimeout(look, 10));
      found = named();
    }
    if (found[0].matches("button")) found[0].click();
  }
}"""


def tap_all(page: Page, taps: Iterable[Tap]) -> None:
    """Tap the buttons in turn, each as soon as there is exactly one of its name that can be tapped.

    The page's own handlers run, as with a finger.
    """
    page.evaluate(TAPS, [list(tap) for tap in taps])
