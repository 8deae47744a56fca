"""Pages that stay open for many computations with the modules below js/check/, as they are or with one of them altered."""

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

CHECK = Path(__file__).parents[2] / "static/js/check"
UNPACK = """async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (byte) => byte.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}"""
"""What a script of a page makes of something packed."""


def packed(value: Any) -> str:
    """Return something that JSON can say as a short text: many megabytes pass through several programs to a page."""
    return b64encode(zlib.compress(json.dumps(value).encode(), level=1)).decode()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    try:
        yield page
    finally:
        context.close()


@contextmanager
def in_the_hall(browser: Browser, live_url: str, path: str = "") -> Iterator[Page]:
    """Open a page where the browser has no cryptography of its own."""
    with opened(browser, live_url.replace("127.0.0.1", "turnier.lan") + path) as page:
        assert page.evaluate("crypto.subtle === undefined")
        yield page


def alter(page: Page, module: str, is_: str, becomes: str) -> None:
    """Load the page anew, for which one module, and no other, is altered."""

    def fulfill(route: Route) -> None:
        source = (CHECK / f"{module}.js").read_text(encoding="utf-8")
        assert source.count(is_) == 1
        route.fulfill(body=source.replace(is_, becomes), content_type="text/javascript")

    page.unroute_all()
    page.route(f"**/js/check/{module}.js", fulfill)
    page.reload()
