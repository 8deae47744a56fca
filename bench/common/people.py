"""A scribe's phone and the organiser, over one connection each."""

import json
import re
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from common.client import Answer, Connection, cookies_of, json_body, request
from common.program import Program
from common.tournament import MADE_AT

GZIP = {"Accept-Encoding": "gzip"}
JSON = {**GZIP, "Content-Type": "application/json"}
PASSWORD = "Ein langes Passwort aus Wörtern 1887"
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')


def stroke() -> dict[str, Any]:
    """Return a new entry, which is valid on every sheet that is open."""
    data = {"seat_number": 1, "mark": "schnauz"}
    return {"id": str(uuid.uuid4()), "kind": "stroke", "data": data, "made_at": MADE_AT}


class Visitor:
    """A browser: one connection and its cookies."""

    def __init__(self, port: int) -> None:
        self.connection = Connection(port)
        self.cookies: dict[bytes, bytes] = {}

    def prepared(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
        cookies = b"; ".join(name + b"=" + value for name, value in self.cookies.items()).decode()
        return request(method, path, {**headers, **({"Cookie": cookies} if cookies else {})}, body)

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        answer = self.connection.ask(self.prepared(method, path, headers, body))
        self.cookies |= cookies_of(answer.head + b"\r\n")
        return answer


class Phone(Visitor):
    """A phone that holds the pen of its table."""

    def __init__(self, port: int, secret: str, prefix: str = "") -> None:
        """prefix: what the paths of the club begin with."""
        super().__init__(port)
        self._prefix = prefix
        self._post("/s/enter", {"secret": secret})
        self.epoch: int = self._post("/s/pen", {})["pen"]["epoch"]

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.ask("POST", self._prefix + path, {"Content-Type": "application/json"}, json_body(body))
        if answer.status != 200:
            raise RuntimeError(answer)
        return dict(json.loads(answer.body))

    def sending(self) -> bytes:
        """Return the request that sends one stroke."""
        return self.prepared(
            "POST",
            f"{self._prefix}/s/entries",
            JSON,
            json_body({"pen_epoch": self.epoch, "entries": [stroke()]}),
        )

    def send(self) -> None:
        self.connection.milliseconds(self.sending())


class Organiser(Visitor):
    """The owner of the installation, logged in."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.web.port)
        found = re.search(r"/account/setup/#(\S+)", program.web.log.read_text())
        assert found is not None
        self._url = program.web.url
        self.look("/account/setup/")
        typed = {"code": found[1], "name": "spielleitung", "password": PASSWORD, "password_again": PASSWORD}
        self.post("/account/setup/", typed, status=302)

    def look(self, path: str) -> bytes:
        """Read a page, and use its token for what is posted from now on."""
        answer = self.ask("GET", path, {})
        if answer.status != 200:
            raise RuntimeError(answer)
        token = _TOKEN.search(answer.body)
        self._token = token[1].decode() if token else ""
        return answer.body

    def posting(self, path: str, typed: Mapping[str, str], headers: Mapping[str, str] | None = None) -> bytes:
        own = {
            "Origin": self._url,
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode({**typed, **({"csrfmiddlewaretoken": self._token} if self._token else {})}).encode()
        return self.prepared("POST", path, {**own, **(headers or {})}, body)

    def post(self, path: str, typed: Mapping[str, str], *, status: int) -> None:
        answer = self.connection.ask(self.posting(path, typed))
        self.cookies |= cookies_of(answer.head + b"\r\n")
        if answer.status != status:
            raise RuntimeError(answer.head + answer.body[:3000])
