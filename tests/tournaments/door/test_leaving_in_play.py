"""A player who leaves while a round is being played: where they sit, and the way to enter their place."""

import pytest
from django.urls import reverse

from scoring.services.sheets import write
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.tournaments.door.doors import Cashier
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Create a tournament of twelve with the first round in play."""
    made: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(12, tournament=made)
    a_round(made)
    return made


def table_of(tournament: Tournament, start_number: int) -> int:
    return tournament.seats.get(participant__start_number=start_number).table.number


def way(tournament: Tournament, start_number: int) -> str:
    return f'href="{reverse("organiser:seat", args=[tournament.slug, 1, start_number])}"'


def test_after_a_withdrawal_in_play_the_door_links_the_table(tournament: Tournament) -> None:
    note = Cashier(tournament=tournament).act(5, "withdraw")
    assert f"ist abgemeldet, sitzt aber noch an Tisch {table_of(tournament, 5)}" in note
    assert way(tournament, 5) in note


def test_without_javascript_the_message_says_it_and_the_persons_page_leads_there(
    tournament: Tournament,
) -> None:
    desk = Cashier(tournament=tournament)
    answer = desk.client.post(desk.url("act", 5, "withdraw"), {"from": "person"}, follow=True)
    page = answer.content.decode()
    assert f"sitzt aber noch an Tisch {table_of(tournament, 5)}" in page
    assert way(tournament, 5) in page


def test_an_exclusion_in_play_names_the_table_too(tournament: Tournament) -> None:
    desk = Cashier(tournament=tournament)
    answer = desk.client.post(desk.url("exclude", 5), {"reason": "falsch gespielt"}, follow=True)
    assert way(tournament, 5) in answer.content.decode()


def test_a_cashier_is_told_to_inform_the_organiser(tournament: Tournament) -> None:
    note = Cashier("cashier", tournament).act(5, "withdraw")
    assert "Bitte der Spielleitung sagen" in note
    assert way(tournament, 5) not in note


def test_a_withdrawal_between_rounds_names_no_table() -> None:
    """Control: the same player, when the round is closed."""
    made = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=made)
    a_played_round(made)
    desk = Cashier(tournament=made)
    assert "sitzt aber noch" not in desk.act(5, "withdraw")
    assert "Rang eintragen" not in desk.get("person", 5)


def test_the_way_leads_to_the_sheet_of_a_table_that_has_begun_and_else_from_the_table(
    tournament: Tournament,
) -> None:
    desk = Cashier(tournament=tournament)
    desk.act(5, "withdraw")
    address = reverse("organiser:seat", args=[tournament.slug, 1, 5])
    assert "Vom Tisch nehmen" in desk.client.get(address).content.decode()
    seat = tournament.seats.get(participant__start_number=5)
    write(seat.table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    sheet = reverse("organiser:sheet", args=[tournament.slug, 1, seat.table.number])
    assert f'href="{sheet}"' in desk.client.get(address).content.decode()


def test_who_has_left_is_taken_from_a_table_that_has_not_begun(tournament: Tournament) -> None:
    desk = Cashier(tournament=tournament)
    desk.act(5, "withdraw")
    leave = reverse("organiser:leave", args=[tournament.slug, 1, 5])
    answer = desk.client.post(leave, {"moves": "", "reason": "heimgegangen"})
    assert answer.status_code == 302
    assert not tournament.seats.filter(participant__start_number=5).exists()
