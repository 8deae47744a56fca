"""The program as its users reach it, what happens to it while they do, and the report of it."""

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import certifi
import httpx
from engine import ROOT, Engine

sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "bench"))

from common.report import Report

from tests.faults import crowd
from tests.faults.evening import Store, filled
from tests.faults.house import Database, Web, wait_until

__all__ = ["SOON", "Report", "Site", "kill", "meanwhile", "trust", "wait_until"]

PASSWORD = "Ein langes Passwort aus Wörtern 1887"
SOON = 120.0  # seconds
TABLES = 16
crowd.PAUSE = 0.1  # seconds between two entries of a phone, so that a table takes all of a failover


def trust(certificate: str) -> None:
    with Path(certifi.where()).open("a") as trusted:
        trusted.write(f"\n{certificate}")


@dataclass(slots=True)
class Site:
    """What the faults of tests/faults need of a server: its address, its commands, and what it has stored."""

    engine: Engine
    url: str
    container: str
    command: tuple[str, ...]
    ask_database: Callable[[str], str]

    def command_says(self, *words: str, text: str = "") -> str:
        command = ("python", "manage.py", *self.command, *words)
        return self.engine.podman("exec", "--interactive", self.container, *command, given=text)

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        rows = json.loads(
            self.ask_database(f"SELECT coalesce(json_agg(found), '[]') FROM ({question}) AS found")
        )
        return [tuple(row.values()) for row in rows]

    def store(self) -> Store:
        return filled(cast(Web, self), cast(Database, self), TABLES)

    def status(self, path: str) -> int:
        try:
            return httpx.get(self.url + path, timeout=60).status_code
        except httpx.HTTPError:
            return 0

    def wait_until_ready(self) -> None:
        if not wait_until(lambda: self.status("/healthz/ready") == 200, seconds=SOON):
            raise TimeoutError(f"{self.url} does not become ready")

    def make_account(self, said: str) -> None:
        """Follow the link for the first account, and log in with it again."""
        code = re.findall(rf"{self.url}/account/setup/#([0-9A-F-]+)", said)[-1]
        self._post(
            "/account/setup/", code=code, name="spielleitung", password=PASSWORD, password_again=PASSWORD
        )
        self.log_in()

    def log_in(self) -> None:
        self._post("/account/login/", username="spielleitung", password=PASSWORD)

    def _post(self, path: str, **typed: str) -> None:
        with httpx.Client(base_url=self.url, timeout=60, headers={"Origin": self.url}) as browser:
            page = browser.get(path).raise_for_status()
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
            typed |= {"csrfmiddlewaretoken": token[1]} if token else {}
            answer = browser.post(path, data=typed)
            if answer.status_code != 302:
                said = re.findall(r'class="[^"]*error[^"]*"[^>]*>\s*([^<]+)', answer.text)
                raise RuntimeError(f"{path} was answered with {answer.status_code}: {said}")


def meanwhile(
    store: Store,
    found: list[str],
    happen: Callable[[], object],
    *,
    tables: tuple[int, int],
    most_failures: int = 0,
) -> None:
    """Let phones write, viewers watch and readers ask, all through the proxy, and check that nothing was lost."""
    seen = crowd.meanwhile(store, happen, tables=tables, viewers=3, readers=2)
    if not seen.reckoning.is_sound:
        raise RuntimeError(str(seen.reckoning))
    answers = dict(seen.answers)
    if seen.answers.total() - answers.get("200", 0) > most_failures:
        raise RuntimeError(f"pages were answered with {answers}")
    found.append(f"{seen.reckoning}; pages {answers}; {seen.refused} requests to be sent again")


def kill(site: Site, container: str, *, seconds: float = 2) -> None:
    """Kill a process, wait until it has started again, and look on for some seconds."""
    site.engine.kill_process(container)
    site.wait_until_ready()
    time.sleep(seconds)
