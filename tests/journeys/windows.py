"""The windows of all laptops: one page, made as large as on each of them."""

from collections.abc import Callable

from playwright.sync_api import CDPSession, Error, Locator, Page

from tests.journeys.conftest import LAPTOPS

HAS_SIZE = """async ([width, scale]) => {
  const end = performance.now() + 20_000;
  while (innerWidth !== width || devicePixelRatio !== scale) {
    if (performance.now() > end) throw new Error(`The window is ${innerWidth} wide, at ${devicePixelRatio}`);
    await new Promise((look) => setTimeout(look, 5));
  }
}"""
IN_REACH = """(element) => {
  element.scrollIntoViewIfNeeded();
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !element.disabled && hit !== null && element.contains(hit);
}"""


def is_in_reach(target: Locator) -> None:
    """Wait until a click would reach the target, as nearly always at once."""
    if not target.evaluate(IN_REACH):
        target.click(trial=True)


class Windows:
    """A page that is looked at in the window of each laptop, one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._screen: CDPSession = page.context.new_cdp_session(page)
        self._now = ""

    def look(self, *looks: Callable[[], object]) -> None:
        """Call what looks at the page in each window, first in the one that it has. A failure tells in which."""
        if not self._now:  # the page may still be on its way to what is looked at
            for one in looks:
                one()
        for name in sorted(LAPTOPS, key=lambda name: name != self._now):
            try:
                if name != self._now:
                    self._resize(name)
                for one in looks:
                    one()
            except (AssertionError, Error) as failure:
                failure.add_note(f"in the window of the laptop {name}")
                raise

    def close(self) -> None:
        """Give the page its own size back."""
        self._screen.send("Emulation.clearDeviceMetricsOverride")
        self._screen.detach()

    def _resize(self, name: str) -> None:
        size, scale = LAPTOPS[name]["viewport"], LAPTOPS[name].get("device_scale_factor", 1)
        metrics = {**size, "deviceScaleFactor": scale, "mobile": False}
        self._screen.send("Emulation.setDeviceMetricsOverride", metrics)
        self.page.evaluate(HAS_SIZE, [size["width"], scale])
        self._now = name

    def click(self, target: Locator) -> None:
        """Click on what is within reach in each window."""
        self.look(lambda: is_in_reach(target))
        target.click()
