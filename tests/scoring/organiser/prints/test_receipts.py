"""Receipts for the prizes: one for each player, or a list for all to sign."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, a_round
from tournaments.models import Tournament
from tournaments.services import door

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(client: Client) -> Tournament:
    """Create a tournament of the client's user whose six players have paid 3.00 EUR each."""
    owner = UserFactory.create()
    client.force_login(owner)
    made = TournamentFactory.create(slug="schnauz", owner=owner, name="Herbstturnier")
    for player in ParticipantFactory.create_batch(6, tournament=made, club="SV Beispiel", town="Musterort"):
        door.take_fee(made, player.start_number, by="kasse", at=AT)
    return made


def plan(tournament: Tournament, *prizes: dict[str, Any]) -> None:
    tournament.prize_plan = {"prizes": list(prizes)}
    tournament.save()


def texts(client: Client, element: str, query: str = "") -> list[str]:
    """Return the text of each element of the page, without markup."""
    response = client.get(reverse("organiser:print_receipts", args=["schnauz"]) + query)
    assert response.status_code == 200
    parts = re.findall(rf"<{element}.*?</{element.split()[0]}>", response.content.decode(), re.DOTALL)
    plain = [html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\u00a0", " ") for text in parts]
    return [" ".join(text.split()) for text in plain]


def test_each_player_with_a_prize_gets_one_with_the_amount_in_figures_and_words(
    client: Client, tournament: Tournament
) -> None:
    plan(tournament, {"for": "rank", "from": 1, "to": 1, "cents": 750, "thing": "Pokal"}, {"for": "rank", "from": 2, "to": 3, "cents": 300})  # fmt: skip
    played = a_played_round(tournament)
    first = played.tables.get().seats.get(seat_number=1).participant
    slips = texts(client, "article")
    assert len(slips) == 3
    assert slips[0].startswith("Quittung Herbstturnier, ")
    assert f"{first.name} Nr. {first.start_number}, Rang 1, SV Beispiel, Musterort" in slips[0]
    assert "hat erhalten: 7,50 € + Pokal (sieben Euro und fünfzig Cent)" in slips[0]
    assert slips[0].endswith("Tag Unterschrift")


def test_who_gets_two_prizes_signs_once_for_both(client: Client, tournament: Tournament) -> None:
    plan(
        tournament, {"for": "rank", "from": 1, "to": 1, "cents": 500}, {"for": "club", "club": "SV Beispiel", "cents": 250}
    )  # fmt: skip
    a_played_round(tournament)
    [only] = texts(client, "article")
    assert "7,50 €" in only


def test_the_list_has_them_all_and_their_sum(client: Client, tournament: Tournament) -> None:
    plan(tournament, {"for": "rank", "from": 1, "to": 4, "cents": 150})
    a_played_round(tournament)
    rows = texts(client, "tr", "?list=1")
    assert len(rows) == 6
    assert rows[1].startswith("1 ")
    assert "1,50 €" in rows[1]
    assert rows[-1] == "Geld zusammen 6,00 €"


def test_a_ham_that_two_share_is_on_no_receipt_and_has_to_be_decided(
    client: Client, tournament: Tournament
) -> None:
    plan(tournament, {"for": "rank", "from": 2, "to": 2, "thing": "Schinken"})
    table = a_round(tournament).tables.get()
    ranks = {"1": 1, "2": 2, "3": 2, "4": 4, "5": 5, "6": 6}
    write(table, [("ranked", {"ranks": ranks}), ("accepted", {"reason": "Papier"})], by="x", at=AT)
    assert texts(client, "article") == []
    page = client.get(reverse("organiser:print_receipts", args=["schnauz"])).content.decode()
    assert "Noch zu entscheiden, wer sie bekommt: Schinken." in page


@pytest.mark.parametrize("query", ["", "?list=1"])
def test_without_plan_or_result_there_is_no_receipt(
    client: Client, tournament: Tournament, query: str
) -> None:
    for prizes in ([], [{"for": "rank", "from": 1, "to": 6, "cents": 100}]):
        plan(tournament, *prizes)
        page = client.get(reverse("organiser:print_receipts", args=["schnauz"]) + query).content.decode()
        assert "Noch bekommt niemand einen Preis" in page
