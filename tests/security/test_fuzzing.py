"""Generated requests of every kind at the JSON contract: no failure, and no answer that is not described."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import settings as project
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from scoring.models import Sheet
from scoring.services.sheets import take_pen
from tests.factories import AT
from tests.scoring.phone.test_phone_api import entered
from tests.security.description import DESCRIPTION
from tests.security.installation import Installation, rolled_back
from tournaments import links
from tournaments.models import Table
from tournaments.notify import changes_are_heard

CONTRACT = schemathesis.openapi.from_dict(DESCRIPTION)
CONTRACT.app = get_wsgi_application()
OPERATIONS = {
    found.ok().label: found.ok() for found in CONTRACT.get_all_operations() if isinstance(found, Ok)
}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
HEADERS = {"Host": "localhost:8000", "Accept-Encoding": "identity"}
BOUNDED = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def takes_something(operation: APIOperation[Any, Any, Any, Any]) -> bool:
    """Return whether a request can be in bad shape."""
    return bool(operation.body) or bool(list(operation.iter_parameters()))


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Keep the connection, and with it the installation, from one request to the next."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def phones(installation: Installation) -> list[str]:
    """The cookies of phones with the pen of a sheet: one in play, one that nobody has written on."""
    played = Table.objects.filter(round__tournament=installation.foreign).order_by("-round__number", "number")
    untouched = Table.objects.filter(round__tournament__slug="unser-schafkopf")
    cookies = [entered(table).cookies[project.PHONE_COOKIE_NAME].value for table in (played[0], untouched[0])]
    for table, cookie in zip((played[0], untouched[0]), cookies, strict=True):
        found = links.PhonePass.from_cookie(cookie)
        assert found is not None
        take_pen(table, device=found.device, at=AT)
    return cookies


def send(case: Case[Any], phone: str) -> set[int]:
    """Send a generated request twice, as phones do, with the phone's cookie; return the statuses."""
    case.cookies = {project.PHONE_COOKIE_NAME: phone}
    statuses = set()
    with rolled_back():
        for _ in range(2):
            response = case.call(headers=HEADERS)
            case.validate_response(response, checks=CHECKS)
            statuses.add(response.status_code)
    return statuses


def aim(case: Case[Any], phone: str, installation: Installation) -> None:
    """Put what exists in place of what is generated: the tournament, its round, the epoch of the phone's pen."""
    known = {"slug": installation.ours.slug, "number": 1, "series": "jahr"}
    case.path_parameters = {name: known[name] for name in case.path_parameters}
    if isinstance(case.body, dict) and type(case.body.get("pen_epoch")) is int:
        found = links.PhonePass.from_cookie(phone)
        assert found is not None
        case.body["pen_epoch"] = Sheet.objects.get(table=found.table_id).pen_epoch


def generated(label: str, mode: GenerationMode, installation: Installation, phones: list[str]) -> set[int]:
    """Send generated requests to an operation; return the statuses. Raise FailureGroup for what is not described."""
    statuses: set[int] = set()
    operation = OPERATIONS[label]

    @BOUNDED
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from(phones), st.booleans())
    def fuzz(case: Case[Any], phone: str, is_aimed: bool) -> None:
        if is_aimed:
            aim(case, phone, installation)
        statuses.update(send(case, phone))

    fuzz()
    return statuses


@pytest.fixture
def hearing() -> Iterator[None]:
    """Be a process that hears of changes."""
    changes_are_heard.set()
    yield
    changes_are_heard.clear()


@pytest.mark.parametrize("label", OPERATIONS)
def test_a_request_in_good_shape_is_answered_as_described(
    installation: Installation, phones: list[str], label: str, request: pytest.FixtureRequest
) -> None:
    if label == "GET /healthz/ready":
        request.getfixturevalue("hearing")
    statuses = generated(label, GenerationMode.POSITIVE, installation, phones)
    # no secret is ever guessed, and nobody confirms a sheet that is not complete
    assert (200 in statuses) == (label not in ("POST /s/enter", "POST /s/own"))


@pytest.mark.parametrize("label", [label for label, found in OPERATIONS.items() if takes_something(found)])
def test_a_request_in_bad_shape_is_answered_as_described(
    installation: Installation, phones: list[str], label: str
) -> None:
    assert generated(label, GenerationMode.NEGATIVE, installation, phones)


def test_an_answer_that_is_not_described_is_found(installation: Installation, phones: list[str]) -> None:
    """The description without the refusal of a wrong secret."""
    told = json.loads(json.dumps(DESCRIPTION))
    del told["paths"]["/s/enter"]["post"]["responses"]["401"]
    shorter = schemathesis.openapi.from_dict(told)
    shorter.app = CONTRACT.app
    found = (one.ok() for one in shorter.get_all_operations() if isinstance(one, Ok))
    enter = next(operation for operation in found if operation.path == "/s/enter")
    case = enter.Case(body={"secret": "1-a"}, media_type="application/json")
    with pytest.raises(FailureGroup, match="Undocumented status code"):
        send(case, phones[0])
