"""Chromium of any age, driven by the few words of its own protocol that have not changed since 2018.

https://chromedevtools.github.io/devtools-protocol/1-3/
"""

import base64
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.engines.driver import OldBrowser, OldPage, Wire

ARGUMENTS = (
    "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--lang=de",
    "--remote-debugging-port=0",
)  # fmt: skip


class Chromium(OldBrowser):
    def __init__(self, path: Path | str) -> None:
        super().__init__()
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._start([str(path), *ARGUMENTS, *as_root, f"--user-data-dir={self._folder.name}", "about:blank"])
        # The port, and the path of the browser's own connection.
        port, own = self._told("DevToolsActivePort").splitlines()[:2]
        self._host = f"ws://127.0.0.1:{port}"
        self._free: list[ChromiumPage] = []
        self._wire = Wire(self._host + own)
        self.version = re.sub(r".*/(\d+)\..*", r"\1", self._wire.ask("Browser.getVersion")["product"])

    def new_page(self, width: int, height: int, *, is_phone: bool = False) -> "ChromiumPage":
        """Open a page, or take one that was closed, which costs half: the program's files are still in its cache."""
        page = self._free.pop() if self._free else self._empty_page()
        page.is_open = True
        page.resize(width, height, is_phone=is_phone)
        return page

    def _empty_page(self) -> "ChromiumPage":
        try:
            return self._page_in_a_new_context()
        except TimeoutError:  # on a busy machine Chromium 80 opens one now and then that never answers
            return self._page_in_a_new_context()

    def _page_in_a_new_context(self) -> "ChromiumPage":
        context = self._wire.ask("Target.createBrowserContext")["browserContextId"]
        target = self._wire.ask("Target.createTarget", url="about:blank", browserContextId=context)
        return ChromiumPage(
            Wire(f"{self._host}/devtools/page/{target['targetId']}"),
            self._free.append,
            lambda: self._wire.ask("Target.disposeBrowserContext", browserContextId=context),
        )

    def close(self) -> None:
        self._wire.close()
        super().close()


class ChromiumPage(OldPage):
    def __init__(
        self, wire: Wire, keep: Callable[["ChromiumPage"], None], dispose: Callable[[], object]
    ) -> None:
        self._wire, self._keep, self._dispose = wire, keep, dispose
        self.is_open, self._is_scripted, self._is_enlarged = True, False, False
        for domain in ("Page", "Runtime"):
            wire.ask(f"{domain}.enable")

    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None:
        self._wire.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=is_phone,
        )

    def before_every_page(self, script: str) -> None:
        self._is_scripted = True
        self._wire.ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    def enlarge_text(self, by: int) -> None:
        self._is_enlarged = by > 1
        self._wire.ask("Page.setFontSizes", fontSizes={"standard": 16 * by, "fixed": 13 * by})

    def visit(self, url: str) -> None:
        self._wire.ask("Page.navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        answer = self._wire.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"].get("exception", answer["exceptionDetails"]))
        return answer["result"].get("value")

    def click(self, x: int, y: int) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._wire.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def bring_cookie(self, name: str, value: str, url: str) -> None:
        self._wire.ask("Network.setCookie", name=name, value=value, url=url)

    def picture(self) -> bytes:
        return base64.b64decode(self._wire.ask("Page.captureScreenshot", format="png")["data"])

    def errors(self) -> list[str]:
        self.evaluate("0")  # what was said before it is read with its answer
        return [
            str(event["params"]["exceptionDetails"].get("exception", {}).get("description"))
            for event in self._wire.events
            if event["method"] == "Runtime.exceptionThrown"
        ]

    def close(self) -> None:
        if not self.is_open:
            return
        self.is_open = False
        try:
            self._empty()
        except (AssertionError, OSError):  # the page is in no state to be used again
            self._is_scripted = True
        if self._is_scripted:
            self._wire.close()
            self._dispose()
        else:
            self._keep(self)

    def _empty(self) -> None:
        """Leave the document and delete all that it has stored."""
        if self._is_enlarged:
            self.enlarge_text(1)
        origin = self.evaluate("(sessionStorage.clear(), location.origin)")
        self.visit("about:blank")
        self.wait_for("location.href === 'about:blank'")
        self._wire.ask("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self._wire.ask("Network.clearBrowserCookies")
        self._wire.events.clear()
