"""The draws of an evening in a visitor's browser on a processor slowed four times, beside Python's on this machine.

Three rounds with few repeats, half of the players at tables of five, half at tables of six. Only the draws: they take most of the time of a check.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tournaments.core.draw import DRAW_VERSION, FEW_REPEATS, Tables, draw  # noqa: E402

SLOWER = 4
ROUNDS = 3
TIMED = """async (given) => {
  const { draw } = await import("/js/check/draw.js");
  const began = performance.now();
  const drawn = JSON.parse(given).map((one) => draw(one));
  return [performance.now() - began, drawn];
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


def evening(players: int) -> tuple[list[dict[str, Any]], list[Tables], float]:
    """Return the draws of an evening, their tables, and Python's milliseconds."""
    draws: list[dict[str, Any]] = []
    drawn: list[Tables] = []
    began = perf_counter()
    for number in range(ROUNDS):
        terms: dict[str, Any] = {
            "version": DRAW_VERSION,
            "mode": FEW_REPEATS,
            "seed": f"{number + 1:064x}",
            "wishes": [],
        }
        one = {
            **terms,
            "players": list(range(1, players + 1)),
            "sizes": [6] * (players // 12) + [5] * (players // 10),
            "history": list(drawn),
        }
        drawn.append(draw(**one))
        draws.append(one)
    return draws, drawn, (perf_counter() - began) * 1000


def in_the_browser(timed: Callable[[str], Any], draws: list[dict[str, Any]], drawn: list[Tables]) -> float:
    """Return the browser's milliseconds, after checking that it draws the same."""
    took, found = timed(json.dumps(draws))
    assert found == json.loads(json.dumps(drawn))
    return float(took)


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(ROOT / "static")))
    Thread(target=server.serve_forever, daemon=True).start()
    chromium = (
        os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    )
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=chromium) as browser:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/icons/favicon.svg")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        for players in (60, 300):
            draws, drawn, python = evening(players)
            took = in_the_browser(partial(page.evaluate, TIMED), draws, drawn)
            print(
                f"{players} players, {ROUNDS} rounds: browser {took:.0f} ms, Python {python:.0f} ms, x{took / python:.1f}"
            )
    server.shutdown()


if __name__ == "__main__":
    main()
