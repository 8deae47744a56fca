"""The page of the kinds of fees."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import AT, TournamentFactory, UserFactory
from tournaments.models import Tournament
from tournaments.services.door import Newcomer, register

pytestmark = pytest.mark.django_db

FULL = {"name_1": "voll", "cents_1": "3,00"}
TWO = FULL | {"name_2": "ermäßigt", "cents_2": "1,50"}


@pytest.fixture
def tournament() -> Tournament:
    return TournamentFactory.create(owner=UserFactory.create())


def save(tournament: Tournament, typed: dict[str, str], *, status: int = 302) -> str:
    client = Client()
    client.force_login(tournament.memberships.get().user)
    response = client.post(reverse("organiser:fees", args=[tournament.slug]), typed)
    assert response.status_code == status
    tournament.refresh_from_db()
    return response.content.decode()


def stored(tournament: Tournament) -> list[tuple[str, str, int]]:
    return [(kind.key, kind.name, kind.cents) for kind in tournament.fee_kinds]


def test_a_tournament_has_the_fee_of_its_ruleset_until_kinds_are_entered(tournament: Tournament) -> None:
    assert stored(tournament) == [("full", "", 300)]
    save(tournament, TWO | {"name_3": "Helfer", "cents_3": "0"})
    assert stored(tournament) == [("full", "voll", 300), ("fee-2", "ermäßigt", 150), ("fee-3", "Helfer", 0)]
    save(
        tournament,
        TWO
        | {
            "name_2": "",
            "cents_2": "",
            "name_3": "Helfer",
            "cents_3": "1",
            "name_4": "Kinder",
            "cents_4": "1",
        },
    )
    assert stored(tournament) == [("full", "voll", 300), ("fee-3", "Helfer", 100), ("fee-2", "Kinder", 100)]
    save(tournament, {})
    assert tournament.fees == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name_1": "voll"}, "Bitte den Betrag dazu eintragen"),
        ({"cents_1": "3"}, "Bitte den Namen dazu eintragen."),
        ({"name_2": "voll", "cents_2": "3"}, "der ohne Auswahl gilt"),
        (FULL | {"name_2": "VOLL", "cents_2": "1"}, "gibt es zweimal"),
        ({"name_1": "voll", "cents_1": "drei"}, "Das ist kein Betrag."),
    ],
)
def test_invalid_fees_are_reported_and_the_input_is_kept(
    tournament: Tournament, typed: dict[str, str], said: str
) -> None:
    page = save(tournament, typed, status=422)
    assert said in page
    assert all(f'value="{value}"' in page for value in typed.values())
    assert tournament.fees == []


def test_a_kind_that_players_have_stays(tournament: Tournament) -> None:
    save(tournament, TWO)
    register(tournament, Newcomer("Huber Sepp", fee="fee-2"), paid=True, by="x", at=AT)
    assert "haben Spieler" in save(tournament, FULL | {"name_2": "", "cents_2": ""}, status=422)
    save(tournament, TWO | {"name_2": "Schüler", "cents_2": "1,00"})
    assert stored(tournament)[1] == ("fee-2", "Schüler", 100)
