"""The description of the JSON contract says what the program does: its routes, and answers under every rule sheet."""

from typing import Any

import pytest
from django.test import Client

from scoring.practice.evenings import create_practice_tournament
from tests.compared_evenings import evening
from tests.factories import AT, TournamentFactory
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered, entry, outcomes, post, send
from tests.security.addresses import all_routes
from tests.security.description import DESCRIPTION, contradictions, described_path, is_described, schema_of
from tournaments.core.wishes import KeepApart
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services import rounds
from tournaments.services.draw_settings import add_wish

LEADERBOARD, RECORD, ROUND = (
    f"/t/{{slug}}/{name}.json" for name in ("leaderboard", "record", "rounds/{number}")
)


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
    assert wrong(RECORD, "GET", public.get(f"/t/{tournament.slug}/record.json")) == []
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
        for called in (True, False):
            assert wrong("/s/call", "POST", post(phone, "/s/call", {"called": called})) == []
        for seat, missing in ((2, True), (0, False), (2, False)):
            answer = post(phone, "/s/missing", {"seat_number": seat, "missing": missing})
            assert wrong("/s/missing", "POST", answer) == []
        given = post(phone, "/s/scribe", {"seat_number": 2, "agreed": True})
        assert wrong("/s/scribe", "POST", given) == []


@pytest.mark.django_db
def test_refusals_are_as_described() -> None:
    for body, status in (({}, 400), ({"secret": "1-nothing"}, 401)):
        answer = post(Client(), "/s/enter", body)
        assert answer.status_code == status
        assert wrong("/s/enter", "POST", answer) == []


@pytest.mark.django_db
def test_a_confirmation_that_stands_already_is_a_duplicate() -> None:
    phone = entered(Staff(5).draw().tables.get())
    epoch = post(phone, "/s/pen", {}).json()["pen"]["epoch"]
    confirmations = [entry("confirmed", {"seat_number": 1}) for _ in range(2)]
    answer = send(phone, *confirmations, pen_epoch=epoch)
    assert wrong("/s/entries", "POST", answer) == []
    assert outcomes(answer) == ["recorded", "duplicate"]


@pytest.mark.django_db
def test_too_many_entries_at_once_are_refused_as_described(settings: Any) -> None:
    settings.MOST_ENTRIES_AT_ONCE = 1
    phone = entered(Staff(5).draw().tables.get())
    answer = send(phone, *(entry("stroke", {}) for _ in range(2)), pen_epoch=1)
    assert answer.status_code == 413
    assert wrong("/s/entries", "POST", answer) == []


@pytest.mark.django_db
def test_a_round_with_private_wishes_and_changes_is_as_described_and_names_nobody() -> None:
    """The control is the same round with a name or a reason in it."""
    desk = Staff(10)
    wish = KeepApart(1, 2, "x", private=True)
    add_wish(desk.tournament, wish)
    desk.draw(released=False)
    again: Any = {"players": range(1, 11), "sizes": [5, 5], "wishes": [wish]}
    rounds.redraw(desk.tournament, 1, mode="random", reason="x", by="x", at=AT, **again)
    pair = [
        desk.table(number).seats.exclude(participant__start_number__in=(1, 2))[0].participant.start_number
        for number in (1, 2)
    ]
    rounds.swap(desk.tournament, 1, a=pair[0], b=pair[1], reason="x", by="x", at=AT)
    rounds.release(desk.tournament, 1, at=AT)
    answer = Client().get(f"/t/{desk.tournament.slug}/rounds/1.json")
    assert wrong(ROUND, "GET", answer) == []
    found = answer.json()
    draw = found["draw"]
    assert (draw["private_wishes"], draw["seed"], len(draw["changes"])) == (1, None, 1)
    schema = schema_of(ROUND, "GET", 200)
    for key in ("reason", "by"):
        told = {key: "x"}
        assert contradictions(schema, found | {"draw": draw | told})
        assert contradictions(schema, found | {"draw": draw | {"abandoned": [draw["abandoned"][0] | told]}})
        assert contradictions(schema, found | {"draw": draw | {"changes": [draw["changes"][0] | told]}})


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
