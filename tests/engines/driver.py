"""A browser of any age and maker, and a page of it, with what a person does on it.

Playwright speaks to browsers of its own year only. devtools.py drives Chromium, bidi.py Firefox, webdriver.py WebKit.
"""

import json
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

PATIENCE = 20.0
"""Seconds for which a page is waited for: the machine may be busy."""


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
            raise AssertionError(f"{method}: {told.get('message') or told['error']}")
        answer: dict[str, Any] = told["result"]
        return answer

    def close(self) -> None:
        self._open.close()


class OldBrowser(ABC):
    """A running browser, with a folder of its own. Each page has cookies and storage of its own."""

    version = ""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        self._processes: list[subprocess.Popen[Any]] = []

    def _start(self, command: list[str], **options: Any) -> "subprocess.Popen[Any]":
        """Start a process in a group of its own, since the command may be a script that starts the browser."""
        options = {
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
            "start_new_session": True,
        } | options
        self._processes.append(subprocess.Popen(command, **options))
        return self._processes[-1]

    def _told(self, name: str) -> str:
        """Return what the browser writes into a file of its folder as soon as it has started."""
        told = Path(self._folder.name, name)
        until(lambda: told.exists() and told.read_text().count("\n"), lambda: f"no {name}: it did not start")
        return told.read_text()

    @abstractmethod
    def new_page(self, width: int, height: int, *, is_phone: bool = False) -> "OldPage": ...

    def _end(self, process: "subprocess.Popen[Any]") -> None:
        self._processes.remove(process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        for process in self._processes[::-1]:
            self._end(process)
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


class OldPage(ABC):
    """A page, with what a person does on it. Expressions are in the JavaScript of the oldest browser."""

    @abstractmethod
    def resize(self, width: int, height: int, *, is_phone: bool = False) -> None: ...
    @abstractmethod
    def before_every_page(self, script: str) -> None: ...
    @abstractmethod
    def visit(self, url: str) -> None: ...
    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression. Raises AssertionError where it throws or the document is left meanwhile."""

    @abstractmethod
    def click(self, x: int, y: int) -> None: ...
    @abstractmethod
    def bring_cookie(self, name: str, value: str, url: str) -> None: ...
    @abstractmethod
    def picture(self) -> bytes: ...
    @abstractmethod
    def errors(self) -> list[str]:
        """Return the exceptions of the page's scripts so far that nothing caught."""

    @abstractmethod
    def close(self) -> None:
        """Close the page, unless it is closed."""

    def enlarge_text(self, by: int) -> None:
        """Make the text so many times as large, as readers do in the settings of their browser. Raises where the driver cannot."""
        raise NotImplementedError(by)

    def go_to(self, url: str) -> None:
        self.evaluate("window.isLeft = true")  # it may be at this address already
        self.visit(url)
        is_there = f"location.href.indexOf({json.dumps(url.partition('#')[0])}) === 0"
        self.wait_for(f"!window.isLeft && {is_there} && document.readyState === 'complete'")

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
        self.click(round(x), round(y))


def until(is_so: Callable[[], Any], failure: Callable[[], str]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := is_so():
            return found
        time.sleep(0.02)
    raise AssertionError(failure())


def in_words(expression: str) -> str:
    """Return an expression whose promised value is that of another one as JSON."""
    return f"(async () => JSON.stringify(await (\n{expression.strip().rstrip(';')}\n)))()"


def a_click(x: int, y: int) -> list[dict[str, Any]]:
    """Return the actions of a mouse. https://www.w3.org/TR/webdriver2/#actions"""
    steps = [
        {"type": "pointerMove", "x": x, "y": y, "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]
