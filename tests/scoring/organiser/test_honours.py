"""The roll of honour: what follows from evenings and series, earlier years as typed, and who is named."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Honour
from scoring.queries.honours import honours_by_year, honours_of
from scoring.services.honours import set_honours
from scoring.services.purge import erase_from_club, erase_person
from scoring.services.standings import freeze
from tests.factories import AT, UserFactory, enter
from tests.scoring.organiser.test_series import PEOPLE, evening, series_of
from tests.scoring.pages import text_of
from tests.scoring.services.test_evenings import correct
from tests.tournaments.services.test_people import a_person
from tournaments.models import Appearance, Consent, Tournament
from tournaments.services.people import merge, record_consent, remember, take_back_recognition

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
TODAY = AT.date()
Shown = list[tuple[int, str, str, tuple[str, ...]]]


@pytest.fixture
def client_of_owner(client: Client) -> Client:
    enter(client, UserFactory.create(is_superuser=True))
    return client


def shown(days: int = 0) -> Shown:
    """Return year, kind, what about and names of all honours, so many days after the evening."""
    years = honours_by_year(today=TODAY + timedelta(days=days))
    return [(year, row.what, row.about, row.names) for year, rows in years for row in rows]


def known(tournament: Tournament, number: int) -> Any:
    """Let a player be a person of the club."""
    return remember(tournament, number, **BY)


def allow(person: Any, *, is_given: bool = True) -> None:
    record_consent(person.key, what=Consent.What.HONOURS, is_given=is_given, on=TODAY, how="paper")


def winner(tournament: Tournament) -> Any:
    return tournament.participants.get(evening_result__rank=1)


def test_winner_and_schnauz_king_of_an_evening_and_the_winner_of_a_series_stand_there_by_themselves() -> None:
    tournament = evening("Abend", *PEOPLE)
    correct(tournament, strokes={3: 2})
    king = tournament.participants.get(evening_result__strokes=2).name
    first = winner(tournament).name
    series_of(tournament, planned=1)
    assert shown() == [
        (2026, "series", "Jahr 2026", (first,)), (2026, "winner", "Abend", (first,)), (2026, "king", "Abend", (king,))
    ]  # fmt: skip


def test_a_series_has_a_winner_when_it_is_over() -> None:
    series_of(evening("Abend", *PEOPLE), planned=2)
    assert [row[1] for row in shown()] == ["winner"]


@pytest.mark.parametrize(("days", "named"), [(30, True), (31, False)])
def test_an_unknown_winner_is_named_as_long_as_the_evening_is_public(days: int, *, named: bool) -> None:
    evening("Abend", *PEOPLE, public_until_on=None)
    assert bool(shown(days)) is named
    Tournament.objects.update(is_hidden=True)
    assert shown(days) == []


def test_a_frozen_evening_names_no_winner() -> None:
    freeze(evening("Abend", *PEOPLE), **BY)
    assert shown() == []


def test_a_known_winner_is_named_with_consent_only_then_for_good_and_through_a_merging() -> None:
    tournament = evening("Abend", *PEOPLE)
    player = winner(tournament)
    person = known(tournament, player.start_number)
    assert shown() == []
    allow(person)
    assert shown(4000) == [(2026, "winner", "Abend", (player.name,))]
    other = a_person("Ganz Anders")
    merge(person.key, other.key)
    assert shown(4000) == [(2026, "winner", "Abend", ("Ganz Anders",))]
    allow(other, is_given=False)
    assert shown() == []


def test_earlier_years_are_typed_kept_and_shown_to_everybody(client_of_owner: Client) -> None:
    address = reverse("organiser:roll_of_honour")
    client_of_owner.post(address, {"lines": "1998; Anna Berg\n\n1999\tBert Maier\tVereinsmeister\n"})
    kept = Honour.objects.get(year=1998).pk
    client_of_owner.post(address, {"lines": "2001; Carl Huber; Pokal\n1998; Anna Berg"})
    assert Honour.objects.get(year=1998).pk == kept
    assert shown() == [(2001, "typed", "Pokal", ("Carl Huber",)), (1998, "typed", "", ("Anna Berg",))]
    assert "2001; Carl Huber; Pokal\n1998; Anna Berg" in client_of_owner.get(address).content.decode()
    page = text_of(Client().get(reverse("roll_of_honour")))
    assert page.index("Carl Huber") < page.index("Anna Berg")
    assert "steht für sie ein" in page


@pytest.mark.parametrize(
    ("lines", "said"),
    [("1998; Anna\n98; Bert", "Zeile 2"), ("Anna", "Zeile 1"), ("1998; 12", "Nummer"), ("1998; a; b; c", "Zeile 1")],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_stored(
    client_of_owner: Client, lines: str, said: str
) -> None:
    answer = client_of_owner.post(reverse("organiser:roll_of_honour"), {"lines": lines})
    assert (answer.status_code, Honour.objects.count()) == (422, 0)
    assert said in text_of(answer)


def test_a_typed_name_is_the_person_whom_the_club_knows_by_it_and_asks_for_consent(
    client_of_owner: Client,
) -> None:
    person = a_person("Anna Berg")
    for name in ("Bert Maier", "Maier Bert"):
        a_person(name)
    set_honours("1998; Berg Anna\n1999; Bert Maier", **BY)
    assert list(Honour.objects.values_list("person", "name")) == [(None, "Bert Maier"), (person.key, "")]
    assert shown() == [(1999, "typed", "", ("Bert Maier",))]
    assert "Noch ohne Einwilligung" in text_of(client_of_owner.get(reverse("organiser:roll_of_honour")))
    allow(person)
    assert shown()[1] == (1998, "typed", "", ("Anna Berg",))
    assert honours_of(person.key) == [{"year": 1998, "title": ""}]


def test_an_erased_person_has_no_honour_and_no_typed_one_of_the_name() -> None:
    tournament = evening("Abend", *PEOPLE)
    set_honours("1997; Carl Huber\n1998; Huber Carl\n1999; Dora Kern\n2000; Emil Lang", **BY)
    erase_person(tournament, tournament.participants.get(name="Carl Huber").start_number, **BY)
    assert [year for year, *_ in shown()[1:]] == [2000, 1999]
    person = known(tournament, tournament.participants.get(name="Dora Kern").start_number)
    set_honours("1999; Dora Kern; Pokal\n2000; Emil Lang", **BY)
    assert Honour.objects.filter(person=person).count() == 1
    erase_from_club(person.key, **BY)
    assert list(Honour.objects.values_list("year", flat=True)) == [2000]


def test_taking_back_who_somebody_is_leaves_the_honour() -> None:
    tournament = evening("Abend", *PEOPLE)
    person = known(tournament, 1)
    set_honours(f"1998; {person.name}", **BY)
    take_back_recognition(tournament, 1)
    assert (Honour.objects.get().person, Appearance.objects.count()) == (person, 0)
