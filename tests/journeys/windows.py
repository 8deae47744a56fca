"""The windows of all laptops: one page, made as large as on each of them."""

from collections.abc import Callable

from playwright.sync_api import CDPSession, Error, Locator, Page

from tests.journeys.conftest import LAPTOPS


class Windows:
    """A page that is looked at in the window of each laptop, one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._screen: CDPSession = page.context.new_cdp_session(page)

    def look(self, *looks: Callable[[], object]) -> None:
        """Call what looks at the page in each window. A failure tells in which."""
        for name, laptop in LAPTOPS.items():
            size, scale = laptop["viewport"], laptop.get("device_scale_factor", 1)
            metrics = {**size, "deviceScaleFactor": scale, "mobile": False}
            self._screen.send("Emulation.setDeviceMetricsOverride", metrics)
            try:
                self.page.wait_for_function(
                    "([width, scale]) => innerWidth === width && devicePixelRatio === scale",
                    arg=[size["width"], scale],
                )
                for one in looks:
                    one()
            except (AssertionError, Error) as failure:
                failure.add_note(f"in the window of the laptop {name}")
                raise

    def click(self, target: Locator) -> None:
        """Click on what is within reach in each window."""
        self.look(lambda: target.click(trial=True))
        target.click()
