"""Pages that stay open for many computations with the modules below js/check/, as they are or with one of them altered."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

CHECK = Path(__file__).parents[2] / "static/js/check"


@contextmanager
def opened(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    context = browser.new_context(**options)
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def alter(page: Page, module: str, is_: str, becomes: str) -> None:
    """Load the page anew, for which one module, and no other, is altered."""

    def fulfill(route: Route) -> None:
        source = (CHECK / f"{module}.js").read_text(encoding="utf-8")
        assert source.count(is_) == 1
        route.fulfill(body=source.replace(is_, becomes), content_type="text/javascript")

    page.unroute_all()
    page.route(f"**/js/check/{module}.js", fulfill)
    page.reload()
