"""WebKitGTK, the engine of Safari, driven by WebDriver on a screen that nobody sees. https://www.w3.org/TR/webdriver2/"""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.engines.driver import PATIENCE, OldBrowser, OldPage, a_click, in_words, until
from tests.ports import free_port

NARROW = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; }"
"""Style of the browser's own parts, which would make a window no narrower than 334 px."""
HEAR = """
  if (!window.thrown) {
    window.thrown = [];
    window.addEventListener("error", (event) => window.thrown.push(event.message));
    window.addEventListener("unhandledrejection", (event) => window.thrown.push(String(event.reason)));
    %s
  }
  const tell = arguments[0];
  %s.then((text) => tell([text]), (error) => tell([null, String(error)]));
"""


class WebKit(OldBrowser):
    """A screen; each page has a driver and a browser of its own. Raises OSError where there is none."""

    def __init__(self) -> None:
        self._browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
        if not (self._browser and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
            raise OSError("webkit2gtk-driver or xvfb is not installed")
        super().__init__()
        self.version = "webkit"
        screen = ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1920x1200x24"]
        told = self._start(screen, stdout=subprocess.PIPE).stdout
        assert told
        Path(self._folder.name, "gtk-3.0").mkdir()
        Path(self._folder.name, "gtk-3.0", "gtk.css").write_text(NARROW)
        # The language asked for is that of the system, which need not have it.
        Path(self._folder.name, "de_DE.utf8").symlink_to("/usr/lib/locale/C.utf8")
        folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCPATH"), self._folder.name)
        display = told.readline().decode().strip()
        self._environment = {**os.environ, **folders, "DISPLAY": f":{display}", "LC_ALL": "de_DE.UTF-8"}

    def new_page(self, width: int, height: int, *, is_phone: bool = False) -> "WebKitPage":
        port = free_port()
        process = self._start(["WebKitWebDriver", f"--port={port}"], env=self._environment)
        driver = Driver(f"http://127.0.0.1:{port}")
        until(driver.is_ready, lambda: "WebKitWebDriver did not start")
        page = WebKitPage(driver, str(self._browser), lambda: self._end(process))
        page.resize(width, height, is_phone=is_phone)
        return page


class Driver:
    def __init__(self, url: str) -> None:
        self._url = url

    def ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        try:
            with urlopen(Request(self._url + path, data, method=method), timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']}") from None

    def is_ready(self) -> bool:
        try:
            return bool(self.ask("GET", "/status")["ready"])
        except OSError:
            return False


class WebKitPage(OldPage):
    """A window without a toolbar, as a script opens it."""

    def __init__(self, driver: Driver, browser: str, end: Callable[[], None]) -> None:
        self._driver, self._end, self._early, self._is_closed = driver, end, "", False
        options = {
            "binary": browser,
            "args": ["--automation", "--javascript-can-open-windows-automatically=true"],
        }
        asked = {"webkitgtk:browserOptions": options, "pageLoadStrategy": "none"}
        session = driver.ask("POST", "/session", capabilities={"alwaysMatch": asked})
        self._path = f"/session/{session['sessionId']}"
        first = self._ask("GET", "/window")
        self.evaluate("!!window.open('about:blank', '', 'toolbar=no,menubar=no,width=360,height=740')")
        [window] = until(
            lambda: set(self._ask("GET", "/window/handles")) - {first}, lambda: "no window was opened"
        )
        self._ask("POST", "/window", handle=window)

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        return self._driver.ask(method, self._path + path, **body)

    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None:
        self._ask("POST", "/window/rect", x=0, y=0, width=width, height=height)
        self.wait_for(f"innerWidth === {width} && innerHeight === {height}")

    def before_every_page(self, script: str) -> None:
        """Let a script run on each page, with the first question to it: this protocol knows no sooner."""
        self._early = script

    def visit(self, url: str) -> None:
        self.evaluate("window.isLeft = true")
        self._ask("POST", "/url", url=url)
        self.wait_for("!window.isLeft")

    def evaluate(self, expression: str) -> Any:
        script = HEAR % (self._early, in_words(expression))
        text, *thrown = self._ask("POST", "/execute/async", script=script, args=[])
        if thrown:
            raise AssertionError(thrown[0])
        return json.loads(text or "null")

    def click(self, x: int, y: int) -> None:
        self._ask("POST", "/actions", actions=a_click(x, y))

    def bring_cookie(self, name: str, value: str, url: str) -> None:
        self.go_to(url)  # a cookie is taken on a page of its host only
        self._ask("POST", "/cookie", cookie={"name": name, "value": value})

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def errors(self) -> list[str]:
        """Return what this document's scripts threw since the first question to it."""
        return [str(one) for one in self.evaluate("window.thrown")]

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._ask("DELETE", "")
            self._end()
