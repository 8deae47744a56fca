"""The description of the JSON contract says what the program does: its routes, and answers under every rule sheet."""

from typing import Any

import pytest
from django.test import Client

from scoring.services.practice import create_practice_tournament
from tests.compared_evenings import evening
from tests.factories import AT, TournamentFactory
from tests.scoring.phone.test_phone_api import entered, entry, post, send
from tests.security.addresses import all_routes
from tests.security.description import DESCRIPTION, contradictions, described_path, is_described, schema_of
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset

LEADERBOARD, ROUND = "/t/{slug}/leaderboard.json", "/t/{slug}/rounds/{number}.json"


def test_every_route_of_the_contract_is_described_and_no_other() -> None:
    routes = {described_path(route): route for route in all_routes() if is_described(route)}
    assert routes.keys() == DESCRIPTION["paths"].keys()
    for path, described in DESCRIPTION["paths"].items():
        assert {method.upper() for method in described} | {"HEAD"} == {*routes[path].methods, "HEAD"}, path


@pytest.fixture(params=["practice", *PRESETS])
def tournament(request: pytest.FixtureRequest, db: None) -> Tournament:
    if request.param == "practice":
        return create_practice_tournament(slug="practice", owner=None, at=AT)
    made = TournamentFactory.create(slug=request.param, ruleset=preset(request.param).to_dict())
    evening(made, request.param, "playing")
    return made


def wrong(path: str, method: str, answer: Any) -> list[str]:
    return contradictions(schema_of(path, method, answer.status_code), answer.json())


def test_what_the_public_reads_is_as_described(tournament: Tournament) -> None:
    public = Client()
    standings = public.get(f"/t/{tournament.slug}/leaderboard.json")
    assert standings.json()["rows"]
    assert wrong(LEADERBOARD, "GET", standings) == []
    for number in tournament.rounds.exclude(state="drawn").values_list("number", flat=True):
        assert wrong(ROUND, "GET", public.get(f"/t/{tournament.slug}/rounds/{number}.json")) == []


def test_what_a_phone_reads_is_as_described(tournament: Tournament) -> None:
    tables = Table.objects.filter(round__tournament=tournament, round__state="released")
    assert tables.count() > 1
    for table in tables:
        phone = entered(table)
        sheet = phone.get("/s/sheet")
        assert wrong("/s/sheet", "GET", sheet) == []
        assert wrong("/s/pen", "POST", post(phone, "/s/pen", {})) == []
        answer = send(
            phone,
            entry("confirmed", {"seat_number": 1}),
            entry("deal", {}),
            pen_epoch=sheet.json()["pen"]["epoch"] + 1,
        )
        assert wrong("/s/entries", "POST", answer) == []
        assert answer.json()["results"][1]["outcome"] == "refused"
        assert wrong("/s/link", "POST", post(phone, "/s/link", {})) == []


@pytest.mark.django_db
def test_refusals_are_as_described() -> None:
    for body, status in (({}, 400), ({"secret": "1-nothing"}, 401)):
        answer = post(Client(), "/s/enter", body)
        assert answer.status_code == status
        assert wrong("/s/enter", "POST", answer) == []


@pytest.mark.django_db
def test_an_answer_with_something_else_in_it_is_found() -> None:
    made = TournamentFactory.create()
    evening(made, "schnauz-placing", "playing")
    standings = Client().get(f"/t/{made.slug}/leaderboard.json").json()
    schema = schema_of(LEADERBOARD, "GET", 200)
    assert contradictions(schema, standings) == []
    assert contradictions(schema, {**standings, "email": "x"})
    assert contradictions(schema, {**standings, "rows": [{**standings["rows"][0], "rank": None}]})
    assert contradictions(schema, {"tournament": made.slug, "final": False})
