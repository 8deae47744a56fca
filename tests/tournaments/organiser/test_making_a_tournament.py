"""Creating a tournament and changing its settings; its rules are in test_ruleset_form.py."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.tournaments.accounts.test_accounts import errors_at
from tests.tournaments.organiser.rule_forms import typed_rules
from tournaments.models import Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset

pytestmark = pytest.mark.django_db

NEW = "/o/+/"
EVENING = {
    "base": "",
    "name": "Schnauz für alle",
    "slug": "",
    "played_on": "2026-11-21",
    "place": "Krone",
    "names": "short",
}
TYPED = EVENING | typed_rules()


@pytest.fixture
def user() -> User:
    """The owner of the installation, who may make tournaments."""
    return UserFactory.create(is_superuser=True)


@pytest.fixture
def laptop(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def made(user: User) -> list[Tournament]:
    return list(Tournament.objects.filter(memberships__user=user).order_by("id"))


def texts(page: str, pattern: str) -> list[str]:
    return [" ".join(re.sub(r"<[^>]+>", " ", text).split()) for text in re.findall(pattern, page, re.DOTALL)]


def make(laptop: Client, **typed: Any) -> str:
    """Return the response page; empty if the tournament was created."""
    response = laptop.post(NEW, TYPED | typed)
    return "" if response.status_code == 302 else response.content.decode()


def test_a_tournament_has_its_own_copy_of_the_rules_and_its_maker_is_organiser(
    laptop: Client, user: User
) -> None:
    response = laptop.post(NEW, TYPED)
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


def test_a_club_with_a_till_of_its_own_says_so_and_can_change_it(laptop: Client, user: User) -> None:
    assert make(laptop, hides_amounts="on") == ""
    (tournament,) = made(user)
    assert tournament.hides_amounts
    settings = f"/o/{tournament.slug}/settings/"
    assert re.search(r'name="hides_amounts"[^>]*checked', laptop.get(settings).content.decode())
    assert laptop.post(settings, TYPED).status_code == 302
    tournament.refresh_from_db()
    assert not tournament.hides_amounts


def test_the_form_begins_with_the_preset_and_today(laptop: Client) -> None:
    page = laptop.get(NEW).content.decode()
    for value in ("3,00", "6, 4, 3, 2, 1, 1", "5, 6", "4, 7", "0,60", f"{date.today():%d.%m.%Y}"):  # noqa: DTZ011
        assert f'value="{value}"' in page


def test_a_day_is_written_as_the_language_of_the_page_writes_it(laptop: Client) -> None:
    """And not as that of the browser, which a date picker would show."""
    page = laptop.get(NEW, headers={"Accept-Language": "en"}).content.decode()
    assert f'value="{date.today():%Y-%m-%d}"' in page  # noqa: DTZ011
    assert 'type="date"' not in page


def test_every_preset_is_offered_the_main_one_first_each_with_what_it_is(laptop: Client) -> None:
    page = laptop.get(NEW).content.decode()
    assert texts(page, r'<h3 class="preset__title">(.*?)</h3>') == [
        "Schnauz nach Plätzen",
        "Schnauz nach Punkten (FCE)",
        "Schnauz im K.-o.-System",
        "Konradsreuther Schnauz",
        "Preisschafkopf",
    ]
    assert texts(page, r'<li class="preset".*?<p>(.*?)</p>') == [
        "Wer ein Spiel verliert, gibt ein Leben ab; wer zuletzt übrig ist, gewinnt den Tisch. Punkte nach dem Rang.",
        "Jedes Spiel bringt jedem die Punkte seiner Hand; wer am meisten sammelt, gewinnt.",
        "Wer ein Spiel verliert, gibt ein Leben ab; die Besten jedes Tisches kommen weiter, bis das Finale entscheidet.",
        "Wer ein Spiel verliert, gibt ein Leben ab; wer zuletzt übrig ist, gewinnt den Tisch. Punkte nach dem Rang. "
        "Drei Gleiche zahlen nie.",
        "Jedes Spiel bringt den einen Plus und den anderen ebenso viel Minus.",
    ]
    assert texts(page, r'<p class="soft">(.*?)</p>')[:2] == [
        "3 Spielrunden · 36 Karten · 5 oder 6 am Tisch",
        "3 Spielrunden · 24 Spiele · 32 Karten · 5 oder 6 am Tisch",
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_that_is_taken_fills_the_fields_and_keeps_what_was_typed(
    laptop: Client, user: User, name: str
) -> None:
    """Its button sends everything that is in the form."""
    page = laptop.post(NEW, TYPED | {"choose": name, "names": "number"})
    assert (page.status_code, made(user)) == (200, [])
    evening, rules = page.context["form"], page.context["rules"]
    assert [evening[field].value() for field in ("name", "played_on", "place", "names")] == [
        "Schnauz für alle",
        "2026-11-21",
        "Krone",
        "number",
    ]
    assert (rules.base, page.context["base"]) == (preset(name), name)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_made_as_it_stands(laptop: Client, user: User, name: str) -> None:
    assert laptop.post(NEW, EVENING | typed_rules(name) | {"base": name}).status_code == 302
    assert made(user)[0].rules == preset(name)


def test_an_unknown_preset_leaves_the_rules_unchanged(laptop: Client) -> None:
    page = laptop.post(NEW, TYPED | {"choose": "../../etc"})
    assert (page.status_code, page.context["rules"].base) == (200, preset("schnauz-placing"))


def test_the_first_button_of_the_form_is_not_that_of_a_preset(laptop: Client) -> None:
    """Enter in a field presses the first button."""
    page = laptop.get(NEW).content.decode().partition('<form class="form')[2]
    assert "choose" not in re.findall(r"<button[^>]*>", page)[0]


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("3,00", 300),
        ("3", 300),
        ("3,5", 350),
        ("3.5 €", 350),
        ("2,50", 250),
        ("0", 0),
        ("3,00 €", 300),
        ("1.503,00 €", 150300),
    ],
)
def test_fees_as_people_write_them(laptop: Client, user: User, typed: str, cents: int) -> None:
    assert make(laptop, **{"rules-entry_fee_cents": typed}) == ""
    assert made(user)[0].rules.entry_fee_cents == cents


@pytest.mark.parametrize(
    "typed", ["3.000", "1.503", "1.503.00", "-3", "", "drei", "3,", "3,000", "1e3", "٣", "99999999", "10001"]
)
def test_an_invalid_fee_is_refused_at_its_field(laptop: Client, user: User, typed: str) -> None:
    page = make(laptop, **{"rules-entry_fee_cents": typed})
    assert errors_at(page, "rules-entry_fee_cents").startswith("Das ist kein Betrag.")
    assert made(user) == []


@pytest.mark.parametrize("typed", ["2026-02-31", "31.02.2026", "", "gestern", "0001-01-01", "9999-12-31"])
def test_an_invalid_day_is_refused_at_its_field(laptop: Client, user: User, typed: str) -> None:
    page = make(laptop, played_on=typed)
    assert errors_at(page, "played_on").startswith("Diesen Tag gibt es nicht.")
    assert 'value="Schnauz für alle"' in page
    assert made(user) == []


def test_a_day_may_be_typed_the_german_way(laptop: Client) -> None:
    assert make(laptop, played_on="21.11.2026") == ""


@pytest.mark.parametrize(
    ("typed", "start"),
    [
        ("", None),
        ("19:30", "2026-11-21T18:30:00+00:00"),
        ("19.30 Uhr", "2026-11-21T18:30:00+00:00"),
        ("19 Uhr", "2026-11-21T18:00:00+00:00"),
        ("20.06.2026 19:30", "2026-06-20T17:30:00+00:00"),  # summer time
        ("20.6.26, 19:30 Uhr", "2026-06-20T17:30:00+00:00"),
        ("2026-06-20T19:30", "2026-06-20T17:30:00+00:00"),
    ],
)
def test_a_start_is_typed_as_a_time_or_with_another_day(
    laptop: Client, user: User, typed: str, start: str | None
) -> None:
    assert make(laptop, starts_at=typed) == ""
    (tournament,) = made(user)
    assert tournament.starts_at == (datetime.fromisoformat(start) if start else None)


@pytest.mark.parametrize(
    "typed",
    ["abends", "25:00", "19:60", "31.02.2026 19:30", "11/21/2026 19:30", "01.01.0001 19:30", "-1", "٧:30"],
)
def test_an_invalid_start_is_refused_at_its_field_and_kept(laptop: Client, user: User, typed: str) -> None:
    page = make(laptop, starts_at=typed)
    assert errors_at(page, "starts_at").startswith("Das ist keine Uhrzeit.")
    assert f'value="{typed}"' in page
    assert made(user) == []


def test_a_start_on_the_day_moves_with_the_day_and_can_be_removed(laptop: Client, user: User) -> None:
    make(laptop, starts_at="19:30")
    (tournament,) = made(user)
    settings = f"/o/{tournament.slug}/settings/"
    assert 'name="starts_at" value="19:30"' in laptop.get(settings).content.decode()
    laptop.post(settings, TYPED | {"starts_at": "19:30", "played_on": "2026-11-28"})
    tournament.refresh_from_db()
    assert tournament.starts_at == datetime(2026, 11, 28, 18, 30, tzinfo=UTC)
    laptop.post(settings, TYPED | {"starts_at": "27.11.2026 20:00", "played_on": "2026-11-28"})
    assert 'value="27.11.2026 20:00"' in laptop.get(settings).content.decode()
    laptop.post(settings, TYPED | {"starts_at": ""})
    tournament.refresh_from_db()
    assert tournament.starts_at is None


def test_the_admission_is_typed_like_the_start_and_not_after_it(laptop: Client, user: User) -> None:
    page = make(laptop, admits_at="20:00", starts_at="19:30")
    assert errors_at(page, "admits_at").startswith("Das ist nach dem Beginn.")
    assert made(user) == []
    assert make(laptop, admits_at="18:00", starts_at="19:30") == ""
    (tournament,) = made(user)
    assert tournament.admits_at == datetime(2026, 11, 21, 17, 0, tzinfo=UTC)
    settings = f"/o/{tournament.slug}/settings/"
    assert 'name="admits_at" value="18:00"' in laptop.get(settings).content.decode()
    laptop.post(settings, TYPED | {"admits_at": "20.11.2026 22:00"})
    tournament.refresh_from_db()
    assert (tournament.admits_at, tournament.starts_at) == (datetime(2026, 11, 20, 21, 0, tzinfo=UTC), None)


def test_the_start_is_a_text_field_so_that_no_browser_turns_day_and_month_around(laptop: Client) -> None:
    page = laptop.get(NEW, headers={"Accept-Language": "en"}).content.decode()
    (field,) = re.findall(r'<input[^>]*name="starts_at"[^>]*>', page)
    assert 'type="text"' in field
    assert "another day: 21.11.2026 19:30." in page


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
    ],
)
def test_invalid_input_is_refused_at_its_field_and_creates_nothing(
    laptop: Client, user: User, field: str, typed: Any
) -> None:
    page = make(laptop, **{field: typed})
    assert errors_at(page, field) != ""
    assert made(user) == []


def test_two_tournaments_of_one_name_get_two_addresses(laptop: Client, user: User) -> None:
    make(laptop)
    make(laptop)
    assert sorted(tournament.slug for tournament in made(user)) == [
        "schnauz-fuer-alle",
        "schnauz-fuer-alle-2",
    ]


def test_an_address_that_is_taken_is_refused_at_its_field(laptop: Client) -> None:
    make(laptop, slug="abend")
    page = make(laptop, slug="abend")
    assert errors_at(page, "slug").startswith("Die Webadresse „abend“ gehört schon")


@pytest.mark.parametrize("name", ["New", "北京", "!!!"])
def test_every_name_makes_an_address(laptop: Client, user: User, name: str) -> None:
    assert make(laptop, name=name) == ""
    assert made(user)[0].slug not in ("", "new")


def test_settings_are_changed(laptop: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    typed = TYPED | {"name": "Neuer Name", "rules-entry_fee_cents": "4,00", "names": "number"}
    assert laptop.post(f"/o/{tournament.slug}/settings/", typed).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rules.entry_fee_cents, tournament.names) == (
        "Neuer Name",
        400,
        "number",
    )


def test_after_the_first_draw_the_rules_stand_and_the_rest_may_change(laptop: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_round(tournament)
    url = f"/o/{tournament.slug}/settings/"
    assert "stehen Geld und Regeln fest" in laptop.get(url).content.decode()
    assert (
        laptop.post(
            url, TYPED | {"name": "Neuer Name", "rules-entry_fee_cents": "9,00", "choose": "fce"}
        ).status_code
        == 302
    )
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rules) == ("Neuer Name", preset("schnauz-placing"))


def test_before_the_first_draw_another_rule_sheet_can_be_taken(laptop: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    url = f"/o/{tournament.slug}/settings/"
    page = laptop.post(url, TYPED | {"choose": "schafkopf"})
    assert (page.status_code, page.context["base"]) == (200, "schafkopf")
    tournament.refresh_from_db()
    assert tournament.rules == preset("schnauz-placing")
    assert laptop.post(url, EVENING | typed_rules("schafkopf") | {"base": "schafkopf"}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.rules == preset("schafkopf")


def test_a_tournaments_copy_of_the_rules_is_shown_unchanged(laptop: Client, user: User) -> None:
    own = Ruleset.from_dict(preset("fce").to_dict() | {"title": "Unsere Regeln", "rounds": 2})
    tournament = TournamentFactory.create(owner=user, ruleset=own.to_dict())
    url = f"/o/{tournament.slug}/settings/"
    assert laptop.get(url).context["rules"].base == own
    assert laptop.post(url, EVENING | typed_rules(own) | {"place": "Linde"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.rules, tournament.place) == (own, "Linde")


def test_another_organisers_tournament_is_404(laptop: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=False)
    other = TournamentFactory.create()
    assert laptop.get(f"/o/{other.slug}/settings/").status_code == 404
    assert laptop.post(f"/o/{other.slug}/settings/", TYPED).status_code == 404
    assert other.name not in laptop.get("/o/").content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_tournaments_asks_as_often_for_one_as_for_three(
    laptop: Client, user: User, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=False)
    for _ in range(count):
        ParticipantFactory.create_batch(2, tournament=TournamentFactory.create(owner=user))
    with django_assert_num_queries(
        8
    ):  # session, account, role in the club, role, whether to make one, number, tournaments, club
        page = laptop.get("/o/").content.decode()
    assert page.count("2 Spieler angemeldet") == count


# --- the page of a new tournament ----------------------------------------------------------------------------------


def is_unfolded(page: str) -> bool:
    return bool(re.search(r'<details class="disclosure" open>\s*<summary>\s*Geld und Regeln', page))


def test_name_and_game_stand_in_the_open_and_the_rules_are_folded_below(laptop: Client) -> None:
    page = laptop.get(NEW).content.decode()
    assert page.index('name="name"') < page.index('name="choose"') < page.index("Geld und Regeln")
    assert "Geld und Regeln: Schnauz nach Plätzen" in " ".join(page.split())
    assert not is_unfolded(page)


def test_the_rules_are_unfolded_where_one_is_wrong_or_another_sheet_is_taken(laptop: Client) -> None:
    assert is_unfolded(make(laptop, **typed_rules(entry_fee_cents="viel")))
    assert is_unfolded(make(laptop, choose="schafkopf"))
    assert not is_unfolded(make(laptop, name=""))
