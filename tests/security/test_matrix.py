"""The matrix of access: every route, asked with every method by every role, and with every id replaced by a foreign one.

What has to come out follows from the attributes `access` and `methods` of the route; a new route needs no line here.

A method that a route does not have is refused before anybody is asked who he is, and HEAD is answered by the view of GET. So
each such pair is asked by the visitor without a log-in and by one other role; the other roles take turns, each with many routes.
That a refusal tells nothing of the tournament is seen by comparing it with a page of a tournament that does not exist, which the
refused roles ask for in turn.
With the environment variable MATRIX=all every role asks everything.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.test import Client, override_settings

from scoring.models import SheetEntry
from tests.schnauz_turnier.test_settings import PRODUCTION, settings_with
from tests.scoring.phone.test_phone_api import entry, outcomes, post, send
from tests.security.addresses import OF_NO_TOURNAMENT, Place, Route, all_routes, ids_of, places_of
from tests.security.bodies import foreign_value_of
from tests.security.headers import missing_headers
from tests.security.installation import (
    ROLES,
    Installation,
    ask,
    changes,
    fingerprint,
    logged_in,
    rolled_back,
)
from tests.security.planted import planted
from tournaments.access import STAFF

ASKS_EVERYTHING = os.environ.get("MATRIX") == "all"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
SCRIBES = {"scribe of another table", "scribe of another tournament"}
WITHOUT_ACCOUNT = {"anonymous", "revoked scribe", *SCRIBES}
WITHOUT_ROLE = {"removed organiser"}
"""Accounts that belong to no tournament: logged out where no tournament is asked for."""
RUN_THE_CLUB = {"organiser of the club", "owner of the installation"}
ALLOWED = {
    "public": set(ROLES),
    "scribe": SCRIBES,
    "account": set(ROLES) - WITHOUT_ACCOUNT - WITHOUT_ROLE,
    "maker": {"organiser of another tournament", "organiser"} | RUN_THE_CLUB,
    "club": RUN_THE_CLUB,
    "owner": {"owner of the installation"},
    "cashier": {"cashier", "cashier of the club", "organiser"} | RUN_THE_CLUB,
    "organiser": {"organiser"} | RUN_THE_CLUB,
}
"""Roles that each access lets in, at an address of our tournament."""
FRAMED = {"public:screen_preview"}
"""Routes whose page stands in a frame of our own pages. No other answer may be framed, nor what they say to anybody else."""
NOWHERE = "gibt-es-nicht"
Places = Mapping[Route, Place | None]
Case = tuple[str, str, str, dict[str, Any]]
"""What is foreign, method, address, body."""


def reached(places: Places) -> list[Place]:
    return [place for place in places.values() if place is not None]


def planted_place(name: str, installation: Installation) -> Place:
    route = next(route for route in all_routes(list(planted)) if route.name == name)
    place = places_of([route], installation)[route]
    assert place is not None
    return place


# --- roles ----------------------------------------------------------------------------------------------------------


def expected(route: Route, role: str, method: str) -> str:
    if method not in route.methods:
        return "wrong method"
    if role in ALLOWED[route.access]:
        return "answered"
    if route.access == "scribe":
        return "no table"
    if role in WITHOUT_ROLE and route.access in ("account", "maker", "club", "owner"):
        return "log in"
    return "log in" if role in WITHOUT_ACCOUNT else "not found"


def outcome(answer: Any) -> str:
    if answer.status_code == 302 and answer["Location"].startswith("/account/login/?next="):
        return "log in"
    if answer.status_code == 401 and 'name="interrupted"' in answer.content.decode():
        return "log in"
    words = {405: "wrong method", 404: "not found", 403: "forbidden", 401: "no table", 500: "a failure"}
    return words.get(answer.status_code, "answered")


def turn(number: int, roles: Sequence[str]) -> str:
    return roles[number % len(roles)]


def is_asked_by_all(route: Route, method: str) -> bool:
    return method in route.methods and (method != "HEAD" or "GET" not in route.methods)


def asked(places: Iterable[Place], role: str) -> Iterator[tuple[Place, str, bool]]:
    """Yield what a role asks, and whether it asks the same of a tournament that does not exist, if it is refused."""
    wrong = 0
    for number, place in enumerate(places):
        for method in METHODS:
            if is_asked_by_all(place.route, method):
                refused = [one for one in ROLES if expected(place.route, one, method) == "not found"]
                yield place, method, ASKS_EVERYTHING or (role in refused and role == turn(number, refused))
            else:
                if ASKS_EVERYTHING or role in (ROLES[0], turn(wrong, ROLES[1:])):
                    yield place, method, False
                wrong += 1


def wrong_answers(places: Iterable[Place], installation: Installation, role: str) -> Iterator[str]:
    """Yield the requests of a role that are answered otherwise than the route says, or without a header."""
    client = installation.clients[role]
    nowhere: dict[str, tuple[int, str]] = {}
    for place, method, asks_nowhere in asked(places, role):
        body = place.body if method == "POST" else None
        # What a wrong method changes is not undone: the test finds it in the end, and a view is not even asked.
        answer = ask(client, method, place.address, body, undone=method in place.route.methods)
        said, wanted, got = f"{method} {place.address}", expected(place.route, role, method), outcome(answer)
        is_framed = place.route.name in FRAMED and got == "answered"
        yield from (f"{said}: {wrong}" for wrong in missing_headers(answer, is_framed=is_framed))
        if place.route.access in STAFF and "no-store" not in answer.get("Cache-Control", ""):
            yield f"{said}: may be stored"
        if got != wanted:
            yield f"{said}: {got} instead of {wanted}"
        elif got == "not found" and "slug" in place.values:
            if asks_nowhere or method not in nowhere:
                address = place.route.address(place.values | {"slug": NOWHERE})
                nowhere[method] = told(ask(client, method, address, body))
            if nowhere[method] != told(answer):
                yield f"{said}: tells that the tournament exists"


def told(answer: Any) -> tuple[int, str]:
    """Return status and page, without what differs in every response."""
    page = re.sub(r'(csrfmiddlewaretoken" value="|X-CSRFToken\W+)\w+', "", answer.content.decode())
    return answer.status_code, page.replace(answer.request["PATH_INFO"], "")


def without_a_role(routes: Iterable[Route]) -> Iterator[str]:
    """Yield the routes of the organisers' part that ask for no role in the tournament of their address."""
    for route in routes:
        if route.pattern.startswith("o/<slug:slug>/") and route.access not in ("cashier", "organiser"):
            yield f"{route.pattern} is for: {route.access or 'nobody says'}"


def test_every_method_is_asked(places: Places) -> None:
    """Those that a route has by every role, others and HEAD by two roles; and each refusal is compared at its own address by one."""
    all_roles = [(role, *found) for role in ROLES for found in asked(reached(places), role)]
    times = Counter((place.route, method) for _role, place, method, _nowhere in all_roles)
    for place in reached(places):
        for method in METHODS:
            is_for_all = ASKS_EVERYTHING or is_asked_by_all(place.route, method)
            assert times[place.route, method] == (len(ROLES) if is_for_all else 2), (place.address, method)
    wrong = Counter(role for role, place, method, _n in all_roles if not is_asked_by_all(place.route, method))
    assert min(wrong.values()) > len(places) / 2, "each role asks many routes"
    compared = {(place.route, method) for _role, place, method, asks_nowhere in all_roles if asks_nowhere}
    staff = [place.route for place in reached(places) if place.route.access in ("cashier", "organiser")]
    wanted = {
        (route, method) for route in staff for method in route.methods if is_asked_by_all(route, method)
    }
    assert wanted <= compared


def test_our_organiser_reaches_every_route(places: Places) -> None:
    """The control of every "not found" below."""
    assert {route.name for route, place in places.items() if place is None} == set()


@pytest.mark.parametrize("role", ROLES)
def test_every_route_answers_every_method_as_it_says(
    places: Places, installation: Installation, role: str
) -> None:
    before = fingerprint()
    assert list(wrong_answers(reached(places), installation, role)) == []
    assert fingerprint() == before


def test_an_address_of_the_organisers_asks_for_a_role_in_its_tournament() -> None:
    assert list(without_a_role(all_routes())) == []


def test_a_scribe_reads_nothing_of_another_tournament(places: Places, installation: Installation) -> None:
    client = installation.clients["scribe of another tournament"]
    for place in reached(places):
        if place.route.access == "scribe":
            answer = ask(client, place.route.methods[0], place.address)
            assert installation.ours.slug not in answer.content.decode()


def test_a_view_without_access_or_with_too_wide_a_one_is_found() -> None:
    assert list(without_a_role(all_routes(list(planted)))) == [
        "o/<slug:slug>/bare/ is for: nobody says",
        "o/<slug:slug>/too-wide/ is for: account",
    ]


@override_settings(ROOT_URLCONF="tests.security.planted")
def test_a_view_that_does_not_check_what_it_says_is_found(installation: Installation) -> None:
    place = planted_place("unchecked", installation)
    wrong = "/o/unser-turnier/unchecked/: answered instead of not found"
    found = list(wrong_answers([place], installation, "organiser of another tournament"))
    assert found == [f"GET {wrong}", *([f"HEAD {wrong}"] if ASKS_EVERYTHING else [])]
    assert list(wrong_answers([place], installation, "organiser")) == []


@override_settings(ROOT_URLCONF="tests.security.planted")
def test_a_view_that_answers_another_method_is_found(installation: Installation) -> None:
    place = planted_place("takes_put", installation)
    wrong = "PUT /t/unser-turnier/takes-put/: answered instead of wrong method"
    found = {role: list(wrong_answers([place], installation, role)) for role in ROLES}
    assert found.pop("anonymous") == [wrong]
    others = [answers for answers in found.values() if answers]
    assert others == [[wrong]] * (len(found) if ASKS_EVERYTHING else 1)


def test_an_answer_behind_a_log_in_that_may_be_stored_is_found(
    places: Places, installation: Installation
) -> None:
    place = next(place for place in reached(places) if place.route.name == "organiser:overview")
    without = [one for one in settings.MIDDLEWARE if not one.endswith(".staff_pages_are_not_stored")]
    for role in ("anonymous", "cashier", "organiser"):
        with override_settings(MIDDLEWARE=without):
            fresh = Client()  # it has the middleware of its first request
            fresh.cookies = installation.clients[role].cookies
            found = list(wrong_answers([place], replace(installation, clients={role: fresh}), role))
        assert f"GET {place.address}: may be stored" in found


def test_a_fragment_without_a_session_says_where_to_log_in(
    places: Places, installation: Installation
) -> None:
    """The page that fetches it keeps what is typed; a redirect would put the log-in page into the fragment."""
    client = installation.clients["anonymous"]
    for place in reached(places):
        if place.route.access in STAFF and "GET" in place.route.methods:
            near = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{place.address}"}
            answer = ask(client, "GET", place.address, headers=near)
            assert (answer.status_code, answer.content) == (401, b""), place.address
            assert answer["Log-In"].startswith("/account/login/?next=/"), place.address


# --- foreign ids ----------------------------------------------------------------------------------------------------


def foreign_addresses(places: Iterable[Place], installation: Installation) -> Iterator[Case]:
    """Yield each address with one id of the foreign tournament, or of another table of ours."""
    foreign = {kind: found[0] for kind, found in ids_of(installation.foreign).items()}
    elsewhere = SheetEntry.objects.filter(tournament=installation.ours, sheet__table__number=2)
    for place in places:
        for kind in place.values.keys() - OF_NO_TOURNAMENT - {"slug"}:
            others = {f"foreign {kind}": foreign[kind]}
            if kind == "entry":
                others["entry of another table"] = elsewhere.order_by("id")[0].entry_id
            for what, other in others.items():
                address = place.route.address(place.values | {kind: other})
                for method in place.route.methods:
                    yield what, method, address, place.body if method == "POST" else {}


def foreign_fields(places: Iterable[Place], installation: Installation) -> Iterator[Case]:
    """Yield each form with the id in one field replaced by one of the foreign tournament."""
    for place in places:
        for field in place.body:
            other = foreign_value_of(place.route.name, field)
            if other is not None:
                yield f"{field}={other}", "POST", place.address, place.body | {field: other}


def let_through(cases: Iterable[Case], installation: Installation) -> Iterator[str]:
    """Yield the requests of our organiser that change anything, or that are answered with a page."""
    before = fingerprint()
    for what, method, address, body in cases:
        status, changed = changes(installation.clients["organiser"], method, address, body, before)
        if changed or status not in (404, 422, 302, 204):
            yield f"{method} {address} with {what}: {status}, changes {', '.join(changed) or 'nothing'}"


def test_an_id_of_another_tournament_in_the_address_is_refused(
    places: Places, installation: Installation
) -> None:
    cases = list(foreign_addresses(reached(places), installation))
    assert len(cases) > 60
    assert list(let_through(cases, installation)) == []


def test_an_id_of_another_tournament_in_a_form_is_refused(places: Places, installation: Installation) -> None:
    cases = list(foreign_fields(reached(places), installation))
    assert len(cases) > 10
    assert list(let_through(cases, installation)) == []


def test_the_same_forms_with_our_own_ids_change_something(places: Places, installation: Installation) -> None:
    client, before = installation.clients["organiser"], fingerprint()
    idle = {
        place.route.name
        for place in reached(places)
        if any(foreign_value_of(place.route.name, field) is not None for field in place.body)
        and not changes(client, "POST", place.address, place.body, before)[1]
    }
    prizes = {
        "organiser:give_prize",
        "organiser:mark_absent",
        "organiser:take_prize_back",
    }  # nobody has won yet
    assert idle == {"organiser:decide", "organiser:draw_lot"} | prizes  # nor is anybody tied at the end


@override_settings(ROOT_URLCONF="tests.security.planted")
def test_views_that_take_a_foreign_id_are_found(installation: Installation) -> None:
    flag = [planted_place("any_flag", installation)]
    (found,) = let_through(foreign_addresses(flag, installation), installation)
    assert found.endswith("with foreign flag: 302, changes scoring_flag")
    player = [planted_place("any_player", installation)]
    (found,) = let_through(foreign_fields(player, installation), installation)
    assert found.endswith("with other=501: 302, changes tournaments_participant")


def test_a_phone_takes_back_no_entry_of_another_sheet(installation: Installation) -> None:
    phone = installation.clients["scribe of another tournament"]
    with rolled_back():
        sheet = post(phone, "/s/pen", {}).json()
        own = [one["id"] for one in sheet["entries"] if one["kind"] == "ranked"][-1]
        others = SheetEntry.objects.exclude(sheet__table=sheet["key"]).filter(kind="ranked").order_by("id")
        named = [*(str(one.entry_id) for one in others[:3]), own]
        voids = [entry("voided", {"entry": one}) for one in named]
        answer = send(phone, *voids, pen_epoch=sheet["pen"]["epoch"])
    assert outcomes(answer) == ["refused", "refused", "refused", "recorded"]


# --- cross-site requests --------------------------------------------------------------------------------------------


def test_every_post_needs_a_token_or_our_own_origin(places: Places, installation: Installation) -> None:
    """A view without the check of the token takes no request of another origin; those of the phone take JSON only."""
    plain: dict[str, Any] = {}
    json = {"content_type": "application/json"}
    foreign = {"headers": {"Origin": "https://evil.example"}}
    linked = {"headers": {"Referer": "https://evil.example/"}}
    organiser = logged_in(installation.organiser, enforce_csrf_checks=True)
    for place in reached(places):
        if "POST" in place.route.methods:
            if place.route.access == "scribe" or place.route.csrf_exempt:
                client = installation.clients["scribe of another table"]
                answers = [(403, plain | foreign), (403, json | foreign), (403, plain | linked)]
                if place.address.startswith("/s/"):
                    answers.append((415, plain))
            else:
                client = organiser
                answers = [(403, plain), (403, json), (403, plain | foreign)]
            for status, more in answers:
                assert ask(client, "POST", place.address, {}, **more).status_code == status, place.address


def test_a_post_with_a_token_passes(installation: Installation) -> None:
    client = logged_in(installation.organiser, enforce_csrf_checks=True)
    address = f"/o/{installation.ours.slug}/standings/freeze/"
    client.get(f"/o/{installation.ours.slug}/standings/")
    body, before = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value}, fingerprint()
    assert changes(client, "POST", address, body, before) == (302, ["scoring_publication"])
    assert changes(client, "POST", address, {}, before) == (403, [])


# --- https ----------------------------------------------------------------------------------------------------------


def test_https_adds_its_headers_and_closes_its_cookies(installation: Installation, tmp_path: Path) -> None:
    names = (
        "SECURE_HSTS_SECONDS",
        "SECURE_CROSS_ORIGIN_OPENER_POLICY",
        "SECURE_SSL_REDIRECT",
        "CSRF_COOKIE_SECURE",
        "SESSION_COOKIE_SECURE",
        "LANGUAGE_COOKIE_SECURE",
    )
    found = settings_with(tmp_path, **PRODUCTION)
    with override_settings(**{name: found[name] for name in names}):
        answer = Client().get("/account/login/", secure=True)
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "max-age=" in answer["Strict-Transport-Security"]
        assert answer.cookies
        assert all(cookie["secure"] for cookie in answer.cookies.values())
        assert Client().get("/account/login/").status_code == 301
    assert "Strict-Transport-Security" not in Client().get("/account/login/")


# --- where a form leads ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "goal",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "start", "1"],
)
def test_no_form_leads_away(places: Places, installation: Installation, goal: str) -> None:
    asking = [place for place in reached(places) if "next" in place.body]
    assert len(asking) > 3
    for place in asking:
        for client in (installation.clients["organiser"], Client()):
            answer = ask(client, "POST", place.address, place.body | {"next": goal})
            assert answer.status_code < 500, place.address
            led = urljoin("http://testserver", answer.get("Location", "/").replace("\\", "/"))
            assert led.startswith("http://testserver/"), place.address
