"""Firefox, driven by WebDriver BiDi. https://w3c.github.io/webdriver-bidi/"""

import base64
import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.engines.driver import OldBrowser, OldPage, Wire, a_click, in_words

SETTINGS = """
user_pref("intl.accept_languages", "de");
user_pref("ui.useOverlayScrollbars", 1);
"""
"""Scroll bars take no room, as on a phone and in the other browsers."""


class Firefox(OldBrowser):
    """A running Firefox. Raises OSError where there is none."""

    def __init__(self) -> None:
        path = shutil.which("firefox-esr")
        if path is None:
            raise OSError("firefox-esr is not installed")
        super().__init__()
        Path(self._folder.name, "user.js").write_text(SETTINGS)
        command = [
            path,
            "--headless",
            "--remote-debugging-port=0",
            "--no-remote",
            "--profile",
            self._folder.name,
        ]
        self._start([*command, "about:blank"])
        told = json.loads(self._told("WebDriverBiDiServer.json"))
        self._wire = Wire(f"ws://{told['ws_host']}:{told['ws_port']}/session")
        session = self._wire.ask("session.new", capabilities={})
        self._wire.ask("session.subscribe", events=["log.entryAdded"])
        self.version = "firefox-" + re.sub(r"\..*", "", session["capabilities"]["browserVersion"])

    def new_page(self, width: int, height: int, *, is_phone: bool = False) -> "FirefoxPage":
        page = FirefoxPage(self._wire)
        page.resize(width, height, is_phone=is_phone)
        return page

    def close(self) -> None:
        self._wire.close()
        super().close()


class FirefoxPage(OldPage):
    def __init__(self, wire: Wire) -> None:
        self._wire, self._is_closed = wire, False
        self._person = wire.ask("browser.createUserContext")["userContext"]
        self._page = wire.ask("browsingContext.create", type="tab", userContext=self._person)["context"]

    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None:
        size = {"width": width, "height": height}
        self._wire.ask("browsingContext.setViewport", context=self._page, viewport=size, devicePixelRatio=1)

    def before_every_page(self, script: str) -> None:
        self._wire.ask(
            "script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self._page]
        )

    def visit(self, url: str) -> None:
        self._wire.ask("browsingContext.navigate", context=self._page, url=url, wait="interactive")

    def evaluate(self, expression: str) -> Any:
        answer = self._wire.ask(
            "script.evaluate",
            expression=in_words(expression),
            target={"context": self._page},
            awaitPromise=True,
            userActivation=True,
        )
        if answer["type"] != "success":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def click(self, x: int, y: int) -> None:
        self._wire.ask("input.performActions", context=self._page, actions=a_click(x, y))

    def bring_cookie(self, name: str, value: str, url: str) -> None:
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": urlsplit(url).hostname}
        kept_in = {"type": "storageKey", "userContext": self._person}
        self._wire.ask("storage.setCookie", cookie=cookie, partition=kept_in)

    def picture(self) -> bytes:
        return base64.b64decode(
            self._wire.ask("browsingContext.captureScreenshot", context=self._page)["data"]
        )

    def errors(self) -> list[str]:
        self.evaluate("0")  # what was said before it is read with its answer
        said = [event["params"] for event in self._wire.events if event["method"] == "log.entryAdded"]
        return [
            str(entry["text"])
            for entry in said
            if entry["type"] == "javascript"
            and entry["level"] == "error"
            and entry["source"].get("context") == self._page
        ]

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._wire.ask("browser.removeUserContext", userContext=self._person)
