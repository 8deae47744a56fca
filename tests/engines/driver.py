"""A browser of any age, driven by the few words of its own protocol that have not changed since 2018.

Playwright speaks to browsers of its own year only. https://chromedevtools.github.io/devtools-protocol/1-3/
"""

import base64
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

PATIENCE = 20.0
"""Seconds for which a page is waited for: the machine may be busy."""
ARGUMENTS = (
    "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--lang=de",
    "--remote-debugging-port=0",
)  # fmt: skip


class Wire:
    """A connection to a browser or to one of its pages. What a page says unasked is kept in `events`."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        connection = connect(address, max_size=None, compression=None, proxy=None, ping_interval=None)
        self._connection: ClientConnection = self._open.enter_context(connection)
        self._asked = 0
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._asked += 1
        self._connection.send(json.dumps({"id": self._asked, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._connection.recv(timeout=2 * PATIENCE))
            if told.get("id") == self._asked:
                break
            self.events.append(told)
        if "error" in told:
            raise AssertionError(f"{method}: {told['error']['message']}")
        answer: dict[str, Any] = told["result"]
        return answer

    def close(self) -> None:
        self._open.close()


class OldBrowser:
    """A running browser. Each page has cookies and storage of its own."""

    def __init__(self, path: Path | str) -> None:
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        command = [path, *ARGUMENTS, *as_root, f"--user-data-dir={self._folder.name}", "about:blank"]
        # A group of its own, since the command may be a script that starts the browser.
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        # The port, and the path of the browser's own connection.
        told = Path(self._folder.name, "DevToolsActivePort")
        until(lambda: told.exists() and told.read_text().count("\n"), lambda: f"{path} did not start")
        port, own = told.read_text().splitlines()[:2]
        self._host = f"ws://127.0.0.1:{port}"
        self._wire = Wire(self._host + own)
        self.version = re.sub(r".*/(\d+)\..*", r"\1", self._wire.ask("Browser.getVersion")["product"])

    def new_page(self, width: int, height: int, *, is_phone: bool = False) -> "OldPage":
        context = self._wire.ask("Target.createBrowserContext")["browserContextId"]
        target = self._wire.ask("Target.createTarget", url="about:blank", browserContextId=context)
        page = OldPage(
            Wire(f"{self._host}/devtools/page/{target['targetId']}"),
            lambda: self._wire.ask("Target.disposeBrowserContext", browserContextId=context),
        )
        page.resize(width, height, is_phone=is_phone)
        return page

    def close(self) -> None:
        self._wire.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


class OldPage:
    """A page, with what a person does on it. Expressions are in the JavaScript of the oldest browser."""

    def __init__(self, wire: Wire, dispose: Callable[[], object]) -> None:
        self._wire, self._dispose, self._is_closed = wire, dispose, False
        for domain in ("Page", "Runtime", "Network"):
            wire.ask(f"{domain}.enable")

    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None:
        self._wire.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=is_phone,
        )

    def enlarge_text(self, by: int) -> None:
        """Make the text so many times as large, as readers do in the settings of their browser: questions about widths in rem hear of it."""
        self._wire.ask("Page.setFontSizes", fontSizes={"standard": 16 * by, "fixed": 13 * by})

    def before_every_page(self, script: str) -> None:
        self._wire.ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    def go_to(self, url: str) -> None:
        self._wire.ask("Page.navigate", url=url)
        self.wait_for(
            f"location.href.indexOf({json.dumps(url.partition('#')[0])}) === 0 && document.readyState === 'complete'"
        )

    def evaluate(self, expression: str) -> Any:
        answer = self._wire.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"].get("exception", answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> Any:
        """Wait until an expression is true, and return it."""
        return until(lambda: self._evaluated(expression), lambda: f"{expression}: {self.text()}")

    def _evaluated(self, expression: str) -> Any:
        try:
            return self.evaluate(expression)
        except AssertionError:  # between two documents
            return None

    def text(self) -> str:
        return str(self._evaluated("document.body && document.body.innerText"))

    def wait_for_text(self, text: str) -> None:
        self.wait_for(f"document.body.innerText.indexOf({json.dumps(text)}) >= 0")

    def press(self, words: str, *, among: str = "button, a, summary, label") -> None:
        """Press what says these words, with the mouse, where it is seen."""
        self.press_found(
            f"Array.from(document.querySelectorAll({json.dumps(among)})).find("
            f"(one) => one.getClientRects().length && !one.disabled && (one.innerText.trim() === {json.dumps(words)}"
            f" || one.getAttribute('aria-label') === {json.dumps(words)}))"
        )

    def press_found(self, expression: str) -> None:
        """Press the element that an expression returns, as soon as there is one."""
        x, y = self.wait_for(
            f"(() => {{ const found = {expression}; if (!found) return null; found.scrollIntoView({{ block: 'center' }});"
            " const box = found.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._wire.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def cut_network(self, *, is_cut: bool) -> None:
        self._wire.ask(
            "Network.emulateNetworkConditions",
            offline=is_cut,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def bring_cookie(self, name: str, value: str, url: str) -> None:
        self._wire.ask("Network.setCookie", name=name, value=value, url=url)

    def picture(self) -> bytes:
        return base64.b64decode(self._wire.ask("Page.captureScreenshot", format="png")["data"])

    def errors(self) -> list[str]:
        """Return the exceptions of the page's scripts so far that nothing caught."""
        self.evaluate("0")  # what was said before it is read with its answer
        return [
            str(event["params"]["exceptionDetails"].get("exception", {}).get("description"))
            for event in self._wire.events
            if event["method"] == "Runtime.exceptionThrown"
        ]

    def close(self) -> None:
        """Close the page, unless it is closed."""
        if not self._is_closed:
            self._is_closed = True
            self._wire.close()
            self._dispose()


def until(is_so: Callable[[], Any], failure: Callable[[], str]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.05)
    raise AssertionError(failure())
