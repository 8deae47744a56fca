"""Errors of scripts on the phones: what is taken, what of it is written, and how many."""

import json
import logging
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client

from scoring.metrics import PAGE_ERRORS
from scoring.phone.errors import OTHER, ErrorLimit
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered, post
from tests.security.test_openapi import wrong

pytestmark = pytest.mark.django_db

REPORT = {"file": "js/sheet/main.js", "line": 8, "column": 51, "kind": "TypeError", "version": "0.1.0"}
SECRET = "Geheim"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.phone.views.error_limit", ErrorLimit())


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, quiet: None) -> pytest.LogCaptureFixture:
    logging.disable(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    return caplog


def lines(log: pytest.LogCaptureFixture) -> list[str]:
    return [line for line in log.messages if "script" in line]


def noted(file: str = "js/sheet/main.js", kind: str = "TypeError") -> float:
    return float(PAGE_ERRORS.labels(file, kind)._value.get())


def test_an_error_is_one_line_and_is_counted(log: pytest.LogCaptureFixture) -> None:
    before = noted()
    answer = post(Client(), "/s/error", REPORT)
    assert (answer.status_code, wrong("/s/error", "POST", answer)) == (200, [])
    assert noted() == before + 1
    assert lines(log) == [
        "A script of a page has failed: TypeError in js/sheet/main.js, line 8, column 51, version 0.1.0."
    ]


def test_the_page_names_a_version_that_is_taken() -> None:
    page = Client().get("/s/").content.decode()
    assert f'data-version="{project.VERSION}"' in page
    assert post(Client(), "/s/error", REPORT | {"version": project.VERSION}).status_code == 200


def test_what_is_not_known_is_not_repeated(log: pytest.LogCaptureFixture) -> None:
    before = noted(OTHER, OTHER)
    unknown = {"file": f"js/sheet/{SECRET}.js", "kind": SECRET}
    assert post(Client(), "/s/error", REPORT | unknown).status_code == 200
    assert noted(OTHER, OTHER) == before + 1
    assert "other in other, line 8" in log.text
    assert SECRET not in log.text


ODD: dict[str, list[Any]] = {
    "file": [
        "",
        "main.js",
        "/js/sheet/main.js",
        "js/sheet/../main.js",
        "js/sheet/main.js\n",
        "js/sheet/ä.js",
        "../settings.py",
        f"js/sheet/{'x' * 41}.js",
        "https://example.org/js/sheet/main.js",
        "js/sheet/main.js?Huber",
        None,
        1,
        ["x"],
        {"x": 1},
    ],
    "line": [-1, 1_000_001, 1.5, "8", None, True, [8], 10**30],
    "column": [-1, 1_000_001, 1.5, "8", None, False, [8]],
    "kind": ["", "Type Error", "TypeError: Huber", "TypeError\n", "x" * 41, "Größe", None, 1, ["TypeError"]],
    "version": ["", "0.1.0\n", "Huber", "1.2.3.4.5", "12345", "0.1.0-Huber", "٣", None, 1, [1]],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, odd in ODD.items() for value in odd])
def test_a_field_that_is_something_else_is_refused_and_not_written(
    field: str, value: object, log: pytest.LogCaptureFixture
) -> None:
    answer = post(Client(), "/s/error", REPORT | {field: value})
    assert (answer.status_code, wrong("/s/error", "POST", answer)) == (400, [])
    assert lines(log) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        "x",
        [REPORT],
        REPORT | {"message": SECRET},
        {key: REPORT[key] for key in REPORT if key != "kind"},
    ],
)
def test_a_body_with_other_keys_is_refused(body: object, log: pytest.LogCaptureFixture) -> None:
    assert post(Client(), "/s/error", body).status_code == 400
    assert SECRET not in log.text


def test_a_form_and_a_foreign_page_are_refused() -> None:
    assert Client().post("/s/error", REPORT).status_code == 415
    assert post(Client(), "/s/error", REPORT, Origin="https://example.org").status_code == 403
    assert post(Client(), "/s/error", REPORT, Origin="http://testserver").status_code == 200


# --- how many -------------------------------------------------------------------------------------------------------


def statuses(number: int, client: Client | None = None, address: str = "192.0.2.1") -> list[int]:
    client = client or Client(REMOTE_ADDR=address)
    return [post(client, "/s/error", REPORT).status_code for _ in range(number)]


def test_an_address_is_noted_20_times_a_minute(log: pytest.LogCaptureFixture) -> None:
    before = noted()
    assert statuses(22) == [200] * 20 + [429] * 2
    assert noted() == before + 20
    assert len(lines(log)) == 20
    answer = post(Client(REMOTE_ADDR="192.0.2.1"), "/s/error", REPORT)
    assert json.loads(answer.content)["error"].startswith("Von dieser Adresse kommt gerade zu viel")
    assert statuses(1, address="192.0.2.2") == [200]  # the control


def test_a_phone_is_noted_5_times_and_takes_nothing_from_the_others() -> None:
    desk = Staff(10)
    desk.draw()
    loud, quiet = entered(desk.table(1)), entered(desk.table(2))
    assert statuses(7, loud) == [200] * 5 + [429] * 2
    assert statuses(1, quiet) == [200]


def test_all_together_are_noted_60_times_and_a_minute_later_again(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [1000.0]
    monkeypatch.setattr("scoring.phone.views.error_limit", ErrorLimit(lambda: times[0]))
    answers = [code for number in range(70) for code in statuses(1, address=f"192.0.2.{number}")]
    assert answers == [200] * 60 + [429] * 10
    times[0] += 60
    assert statuses(1) == [200]


def test_addresses_do_not_add_up_in_memory() -> None:
    limit = ErrorLimit()
    for number in range(10_000):
        limit.take(f"address {number}", f"device {number}")
    assert len(limit._counts) == 1 + 2 * project.PHONE_ERRORS
