"""An organiser makes a tournament and changes its settings."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.tournaments.test_accounts import errors_at
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.sheets import SurvivalRules

pytestmark = pytest.mark.django_db

NEW = "/o/+/"
TYPED = {
    "ruleset": "schnauz-placing",
    "name": "Schnauz für alle",
    "slug": "",
    "played_on": "2026-11-21",
    "place": "Krone",
    "names": "short",
    "title": preset("schnauz-placing").title,
    "rounds": "3",
    "entry_fee": "3,00",
    "points": "6, 4, 3, 2, 1, 1",
    "tie_break": "on",
    "sizes": "5, 6",
    "exceptions": "4, 7",
    "prefer": "smaller",
    "stake": "0,60",
    "returned_to_ranks": "2",
    "lives": "3",
    "all_others_lose": ["feuer", "handschnauz"],
    "confirmation": "optional",
}


@pytest.fixture
def user() -> User:
    return UserFactory.create()


@pytest.fixture
def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def made(user: User) -> list[Tournament]:
    return list(Tournament.objects.filter(memberships__user=user).order_by("id"))


def make(browser: Client, **typed: Any) -> str:
    """The page that came back; empty when the tournament was made."""
    response = browser.post(NEW, TYPED | typed)
    return "" if response.status_code == 302 else response.content.decode()


def test_a_tournament_has_its_own_copy_of_the_rules_and_its_maker_is_organiser(
    browser: Client, user: User
) -> None:
    response = browser.post(NEW, TYPED)
    (tournament,) = made(user)
    assert response["Location"] == f"/o/{tournament.slug}/door/"
    assert (tournament.slug, tournament.name, tournament.place) == (
        "schnauz-fuer-alle",
        "Schnauz für alle",
        "Krone",
    )
    assert (tournament.played_on, tournament.names) == (date(2026, 11, 21), "short")
    assert tournament.rules == preset("schnauz-placing")
    assert list(tournament.memberships.values_list("user", "role")) == [(user.pk, "organiser")]


def test_the_form_begins_with_the_preset_and_today(browser: Client) -> None:
    page = browser.get(NEW).content.decode()
    for value in ("3,00", "6, 4, 3, 2, 1, 1", "5, 6", "4, 7", "0,60", f"{date.today():%Y-%m-%d}"):  # noqa: DTZ011
        assert f'value="{value}"' in page


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_made_as_it_stands(browser: Client, user: User, name: str) -> None:
    form = browser.get(NEW, {"ruleset": name}).context["form"]
    shown = {field.html_name: field.value() for field in form if field.value() not in (None, "", False)}
    assert browser.post(NEW, shown | {"ruleset": name, "name": "Preisturnier"}).status_code == 302
    assert made(user)[0].rules == preset(name)


def test_every_rule_can_be_changed(browser: Client, user: User) -> None:
    make(
        browser,
        title="Unsere Regeln",
        rounds="2",
        entry_fee="5",
        points="3 2 1",
        tie_break="",
        sizes="4, 5",
        exceptions="",
        prefer="larger",
        stake="",
        lives="2",
        all_others_lose=[],
        confirmation="required",
        pen_needs_supervisor="on",
    )
    rules = made(user)[0].rules
    assert (rules.title, rules.rounds, rules.entry_fee_cents, rules.points) == (
        "Unsere Regeln",
        2,
        500,
        (3, 2, 1),
    )
    assert (rules.tables.sizes, rules.tables.exceptions, rules.tables.prefer) == ((4, 5), (), "larger")
    assert (rules.tie_break, rules.stakes, rules.confirmation, rules.pen_needs_supervisor) == (
        (),
        None,
        "required",
        True,
    )
    sheet = rules.sheet_as(SurvivalRules)
    assert (sheet.lives, sheet.all_others_lose) == (2, ())


@pytest.mark.parametrize(
    ("typed", "cents"), [("3,00", 300), ("3", 300), ("2,50", 250), ("0", 0), ("3,00 €", 300)]
)
def test_fees_as_people_write_them(browser: Client, user: User, typed: str, cents: int) -> None:
    assert make(browser, entry_fee=typed) == ""
    assert made(user)[0].rules.entry_fee_cents == cents


@pytest.mark.parametrize(
    "typed", ["3.000", "-3", "", "drei", "3,5", "3,000", "1e3", "٣", "99999999", "10001"]
)
def test_what_is_no_fee_is_refused_at_its_field(browser: Client, user: User, typed: str) -> None:
    page = make(browser, entry_fee=typed)
    assert errors_at(page, "entry_fee").startswith("Das ist kein Betrag.")
    assert made(user) == []


@pytest.mark.parametrize("typed", ["2026-02-31", "31.02.2026", "", "gestern", "0001-01-01", "9999-12-31"])
def test_a_day_that_there_is_not_is_refused_at_its_field(browser: Client, user: User, typed: str) -> None:
    page = make(browser, played_on=typed)
    assert errors_at(page, "played_on").startswith("Diesen Tag gibt es nicht.")
    assert 'value="Schnauz für alle"' in page
    assert made(user) == []


def test_a_day_may_be_typed_the_german_way(browser: Client) -> None:
    assert make(browser, played_on="21.11.2026") == ""


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", " "),
        ("name", "x" * 10_000),
        ("name", "Abend\u202e"),
        ("place", "\0"),
        ("slug", "Groß"),
        ("slug", "a_b"),
        ("slug", "../../x"),
        ("slug", "new"),
        ("slug", "a" * 61),
        ("names", "geheim"),
        ("rounds", "0"),
        ("rounds", "21"),
        ("rounds", "viele"),
        ("points", "1, 2, 3"),
        ("points", ""),
        ("points", "sechs"),
        ("points", "6000"),
        ("sizes", ""),
        ("sizes", "1, 2"),
        ("sizes", "6, 5"),
        ("exceptions", "5"),
        ("exceptions", "13"),
        ("stake", "-1"),
        ("stake", "0"),
        ("returned_to_ranks", "1"),
        ("lives", "21"),
        ("title", "\u200b"),
        ("all_others_lose", ["knock"]),
        ("confirmation", "nie"),
        ("prefer", "beide"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field_and_nothing_is_made(
    browser: Client, user: User, field: str, typed: Any
) -> None:
    page = make(browser, **{field: typed})
    assert errors_at(page, field) != ""
    assert made(user) == []


def test_two_tournaments_of_one_name_get_two_addresses(browser: Client, user: User) -> None:
    make(browser)
    make(browser)
    assert sorted(tournament.slug for tournament in made(user)) == [
        "schnauz-fuer-alle",
        "schnauz-fuer-alle-2",
    ]


def test_an_address_that_is_taken_is_refused_at_its_field(browser: Client) -> None:
    make(browser, slug="abend")
    page = make(browser, slug="abend")
    assert errors_at(page, "slug").startswith("Die Webadresse „abend“ gehört schon")


@pytest.mark.parametrize("name", ["New", "北京", "!!!"])
def test_every_name_makes_an_address(browser: Client, user: User, name: str) -> None:
    assert make(browser, name=name) == ""
    assert made(user)[0].slug not in ("", "new")


def test_settings_are_changed(browser: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    typed = TYPED | {"name": "Neuer Name", "entry_fee": "4,00", "names": "number"}
    assert browser.post(f"/o/{tournament.slug}/settings/", typed).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rules.entry_fee_cents, tournament.names) == (
        "Neuer Name",
        400,
        "number",
    )


def test_after_the_first_draw_the_rules_stand_and_the_rest_may_change(browser: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_round(tournament)
    url = f"/o/{tournament.slug}/settings/"
    assert "stehen Geld und Regeln fest" in browser.get(url).content.decode()
    assert (
        browser.post(url, TYPED | {"name": "Neuer Name", "entry_fee": "9,00", "points": "9"}).status_code
        == 302
    )
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rules) == ("Neuer Name", preset("schnauz-placing"))


def test_a_foreign_tournament_is_not_found(browser: Client) -> None:
    other = TournamentFactory.create()
    assert browser.get(f"/o/{other.slug}/settings/").status_code == 404
    assert browser.post(f"/o/{other.slug}/settings/", TYPED).status_code == 404
    assert other.name not in browser.get("/o/").content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_tournaments_asks_as_often_for_one_as_for_three(
    browser: Client, user: User, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        ParticipantFactory.create_batch(2, tournament=TournamentFactory.create(owner=user))
    with django_assert_num_queries(3):  # session, account, tournaments
        page = browser.get("/o/").content.decode()
    assert page.count("2 Spieler angemeldet") == count
