"""Every form sent twice: the database changes once, and both answers say the same.

The forms are those of all routes that take POST, filled in as for the matrix of access. The control sends the same forms
without the field `once`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from tests.databases import another_database
from tests.races import while_uncommitted
from tests.security.addresses import Place, Route, all_routes, known_places
from tests.security.installation import (
    UNCOUNTED,
    Installation,
    an_installation,
    changed_since,
    fingerprint,
    rolled_back,
)
from tests.security.valid_forms import FORMS
from tournaments.once import FIELD

Places = Mapping[Route, Place | None]
Said = tuple[int, str, list[str], str]
"""Status, goal, messages and page of an answer."""


# --- the installation, in a database of its own -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installation(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Installation]:
    reseed_random("installation")  # type: ignore[no-untyped-call]
    # No copy of the test database: the server of other tests may be connected to that.
    with django_db_blocker.unblock(), another_database():
        call_command("migrate", verbosity=0)
        made = an_installation()
        with connection.cursor() as cursor:
            cursor.execute("CREATE SCHEMA saved")
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f"CREATE TABLE saved.{table} AS TABLE {table}")
        yield made


@contextmanager
def undone(before: Mapping[str, str]) -> Iterator[None]:
    """Put all rows back that the block commits, which takes a fraction of the time of a copied database."""
    yield
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # the logs are append-only
        for table in {*changed_since(before), *UNCOUNTED}:
            cursor.execute(f"DELETE FROM {table}")
            cursor.execute(f"INSERT INTO {table} SELECT * FROM saved.{table}")
    assert fingerprint() == before


@pytest.fixture(scope="module")
def places(installation: Installation) -> Places:
    return known_places(all_routes(), installation)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a route, ready to be sent by whoever may."""

    name: str
    client: Client
    address: str
    body: dict[str, Any]

    def send(self, form_id: str | None) -> Said:
        """Send the form and return what the answer says. The client keeps no cookie of it."""
        return self.send_and_go_on(form_id)[0]

    def send_and_go_on(self, form_id: str | None) -> tuple[Said, "Form"]:
        """Send the form; return what the answer says, and the form in the browser that has got it."""
        client = Client(raise_request_exception=False)
        client.cookies = deepcopy(self.client.cookies)
        for value in self.body.values():
            if hasattr(value, "seek"):
                value.seek(0)
        body = self.body if form_id is None else self.body | {FIELD: form_id}
        answer = client.post(self.address, body, secure=True)
        return said(answer), replace(self, client=client)


def said(answer: Any) -> Said:
    page = re.sub(
        r'(csrfmiddlewaretoken" value="|X-CSRFToken\W+|name="once" value=")[\w-]+',
        "",
        answer.content.decode(),
    )
    told = [str(one) for one in get_messages(answer.wsgi_request)]
    return answer.status_code, answer.get("Location", ""), told, page


def form_of(route: Route, places: Places, made: Installation) -> Form:
    """Return the form with what it needs made for it."""
    if route.name in FORMS:
        address, body = FORMS[route.name](made)
    else:
        place = places[route]
        assert place is not None, route.name
        address, body = place.address, place.body
    return Form(route.name, made.client_for(route.access), address, body)


def forms(routes: Iterable[Route], places: Places, made: Installation) -> Iterator[Form]:
    """Yield the form of each route, with what it needs made for it. That is undone before the next one."""
    for route in routes:
        with rolled_back():
            yield form_of(route, places, made)


def protected() -> list[Route]:
    return [route for route in all_routes() if "POST" in route.methods and route.name not in TWICE]


# --- which forms --------------------------------------------------------------------------------------------------------

OWN_IDS = "JSON with ids of its own"
HASHES = "hashes a password, outside of a transaction"
SAME = "changes nothing more when it is sent again"
TWICE = {
    "account:login": HASHES,
    "account:logout": SAME,
    "account:password": HASHES,
    "account:code": "logs in, and counts wrong codes",
    "account:new_password": HASHES,
    "account:forgotten": "sends a mail, and counts them",
    "account:email": HASHES,
    "account:confirm_email": "has a code that is good once",
    "account:setup": HASHES,
    "account:join": HASHES,
    "phone:enter": SAME,
    "phone:pen": OWN_IDS,
    "phone:entries": OWN_IDS,
    "phone:scribe": OWN_IDS,
    "phone:call": OWN_IDS,
    "phone:missing": OWN_IDS,
    "phone:own": OWN_IDS,
    "phone:link": OWN_IDS,
    "phone:error": "a line in the log of the program",
    "set_language": SAME,
}
"""Routes whose forms have no id, and why."""
ONLY_COOKIES = {"sign_up:mine"}
"""Forms that change nothing in the database."""
DOUBLED = {
    "account:begin_second_factor",
    "account:confirm_second_factor",
    "account:end_second_factor",
    "account:make_link",
    "account:renew_recovery_codes",
    "door:close_till",
    "door:import_list",
    "door:move_cash",
    "door:pay_part",
    "door:register",
    "door:reopen_till",
    "organiser:accept",
    "organiser:all_series",
    "organiser:approve",
    "organiser:close",
    "organiser:close_flag",
    "organiser:confirm_code",
    "organiser:decide_parked",
    "organiser:delete",
    "organiser:delete_practice",
    "organiser:delete_series",
    "organiser:draw_sealed_lot",
    "organiser:end",
    "organiser:exclude_table",
    "organiser:invite",
    "organiser:join",
    "organiser:leave",
    "organiser:make_final",
    "organiser:redraw",
    "organiser:release_standings",
    "organiser:reopen",
    "organiser:reveal",
    "organiser:revoke",
    "organiser:show",
    "organiser:show_scene",
    "organiser:start_clock",
    "organiser:substitute",
    "organiser:swap",
    "organiser:void",
    "organiser:write",
    "public:ask_for_code",
}
"""Forms that change more, or are refused or lead elsewhere, when they are sent a second time without an id."""


def test_every_form_has_an_id_or_a_reason() -> None:
    twice = {route.name for route in all_routes() if "POST" in route.methods and not route.once}
    assert twice == TWICE.keys()


# --- twice in a row, and after a lost answer ----------------------------------------------------------------------------


def sent_again(form: Form, form_id: str | None) -> Iterator[str]:
    """Yield what is wrong with a form that is sent a second time by the browser that has its answer, and by one without.

    A form that is refused, or changes nothing, is wrong as well: it would change nothing twice either.
    """
    before = fingerprint()
    first, in_a_row = form.send_and_go_on(form_id)
    after = fingerprint()
    if first[0] not in (200, 302):
        yield f"{form.name}: refused with {first[0]}"
    if before == after:
        yield f"{form.name}: changes nothing"
    for way, again in (("in a row", in_a_row), ("after a lost answer", form)):
        second = again.send(form_id)
        if changed := changed_since(after):
            yield f"{form.name} {way}: changes {', '.join(changed)} again"
        elif first[:2] != second[:2]:
            yield f"{form.name} {way}: {second[:2]} instead of {first[:2]}"
        elif first != second:
            yield f"{form.name} {way}: says {second[2:]} instead of {first[2:]}"


def test_a_form_sent_again_changes_nothing_and_is_answered_the_same(
    places: Places, installation: Installation
) -> None:
    before = fingerprint()
    wrong = [line for form in forms(protected(), places, installation) for line in sent_again(form, "one")]
    assert wrong == [f"{name}: changes nothing" for name in ONLY_COOKIES]
    assert fingerprint() == before


def test_without_its_id_a_form_sent_again_does(places: Places, installation: Installation) -> None:
    assert len(DOUBLED) >= 20
    routes = [route for route in protected() if route.name in DOUBLED]
    wrong = [line for form in forms(routes, places, installation) for line in sent_again(form, None)]
    told = re.compile(r"(\S+) (in a row|after a lost answer): (?!says)")
    assert {found[1] for line in wrong if (found := told.match(line))} == DOUBLED


# --- at once ------------------------------------------------------------------------------------------------------------


def sent_at_once(form: Form, form_id: str | None) -> Iterator[str]:
    """Yield what is wrong with a form that is sent again while the first is being answered. The second has to wait for it."""
    before, within, answers = fingerprint(), [], []

    def first() -> None:
        answers.append(form.send(form_id))
        within.append(fingerprint())

    def second() -> tuple[Said, dict[str, str]]:
        return form.send(form_id), fingerprint()

    (found,) = while_uncommitted(first, second)
    if isinstance(found, Exception):
        raise found
    answer, after = found
    if within == [before]:
        yield f"{form.name}: changes nothing"
    if within != [after]:
        yield f"{form.name}: the second does not wait, or changes more"
    if answers != [answer]:
        yield f"{form.name}: {answer} instead of {answers}"


def test_a_form_sent_twice_at_once_changes_something_once(places: Places, installation: Installation) -> None:
    """Both requests commit."""
    wrong: list[str] = []
    before = fingerprint()
    for route in protected():
        if route.name not in ONLY_COOKIES:
            with undone(before):
                wrong += sent_at_once(form_of(route, places, installation), "one")
    assert wrong == []


def test_without_its_id_a_form_sent_twice_at_once_changes_something_twice(
    places: Places, installation: Installation
) -> None:
    (route,) = [route for route in protected() if route.name == "door:pay_part"]
    with undone(fingerprint()):
        wrong = list(sent_at_once(form_of(route, places, installation), None))
    assert wrong == ["door:pay_part: the second does not wait, or changes more"]
