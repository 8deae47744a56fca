"""The log as JSON: what it says of a request, and nothing that a user has typed."""

import json
import logging
from typing import Any
from uuid import uuid4

import httpx
from django.db import OperationalError
from django.test import RequestFactory

from schnauz_turnier.web.log_lines import JsonFormatter, LineFormatter
from tests.factories import TournamentFactory
from tests.faults.house import wait_until
from tests.security.conftest import Server

SECRET = "secret-that-was-typed"


def test_each_request_is_a_line_with_its_route(monitored: Server, committed: None) -> None:
    slug = TournamentFactory.create(slug=f"json-{uuid4().hex}").slug
    secret_body = {"username": SECRET, "password": SECRET, "secret": SECRET}
    with httpx.Client(
        base_url=monitored.url, timeout=60, trust_env=False, headers={"cookie": f"sheet={SECRET}"}
    ) as client:
        asked = [
            (client.get(f"/t/{slug}/"), "GET", "public:players"),
            (client.get(f"/t/{slug}/"), "GET", "public:players"),
            (client.get(f"/t/{slug}/?q={SECRET}"), "GET", "public:players"),
            (client.get(f"/o/{slug}/"), "GET", "organiser:overview"),
            (client.post("/s/enter", json=secret_body), "POST", "phone:enter"),
            (client.post("/account/login/", data=secret_body), "POST", "account:login"),
            (
                client.post("/account/login/", headers={"origin": f"https://{SECRET}"}),
                "POST",
                "account:login",
            ),
            (client.get("/static/css/base.css"), "GET", "static"),
            (client.get(f"/{SECRET}/"), "GET", ""),
            (client.get("/", headers={"host": f"{SECRET}.example"}), "GET", "start"),
        ]
    ids = {answer.headers["x-request-id"] for answer, *_ in asked}
    assert wait_until(lambda: ids <= answered(monitored).keys())
    lines = answered(monitored)
    for answer, method, route in asked:
        line = lines[answer.headers["x-request-id"]]
        assert (line["method"], line["route"], line["status"]) == (method, route, answer.status_code)
        assert line["milliseconds"] >= 0
        assert line["time"].endswith("+00:00")
    assert SECRET not in monitored.log
    assert slug not in monitored.log


def answered(server: Server) -> dict[str, Any]:
    """Return the line of each request that was answered; others may have been written before it."""
    found = map(json.loads, tuple(server.lines))
    return {line["request"]: line for line in found if line["message"] == "answered"}


def test_an_error_is_told_without_what_was_typed() -> None:
    line = json.loads(JsonFormatter().format(failed(ValueError(SECRET))))
    assert (line["level"], line["error"], line["message"]) == (
        "ERROR",
        "ValueError",
        "Failed: an unknown address",
    )
    assert [one.split()[1] for one in line["where"]] == ["failed"]
    assert SECRET not in str(line)


def test_the_text_of_an_error_would_say_it() -> None:
    """The control."""
    assert SECRET in LineFormatter("{message}", style="{").format(failed(ValueError(SECRET)))


def test_an_error_of_the_surroundings_keeps_its_reason() -> None:
    line = json.loads(JsonFormatter().format(failed(OperationalError("the database\nis gone"))))
    assert line["reason"] == "the database is gone"


def failed(error: Exception) -> logging.LogRecord:
    """Return the record of a failure, as Django makes it."""
    try:
        raise error
    except type(error):
        path = f"/{SECRET}/"
        what: Any = (type(error), error, error.__traceback__)
        record = logging.LogRecord(
            "django.request", logging.ERROR, __file__, 1, "%s: %s", ("Failed", path), what
        )
        record.__dict__["request"] = RequestFactory().get(path)
        return record
