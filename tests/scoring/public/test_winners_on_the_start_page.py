"""The start page says who has won an evening that is over, as the evening's own page does."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.queries.public_view import public_view
from scoring.services import standings
from tests.factories import AT, a_played_round
from tests.scoring.public.test_public import text, with_players
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset
from tournaments.services.ending import end_tournament

pytestmark = pytest.mark.django_db


def played(players: int, **fields: Any) -> Tournament:
    """Create a tournament that was ended after its first round."""
    tournament = with_players(players, **fields)
    a_played_round(tournament)
    end_tournament(tournament, reason="Es ist spät", by="x", at=AT)
    return tournament


def winners(tournament: Tournament) -> list[str]:
    return [row.name for row in public_view(tournament.slug).winners]


@pytest.mark.parametrize("names", Tournament.Names.values)
def test_it_names_the_winner_as_public_pages_do(client: Client, names: str) -> None:
    (winner,) = winners(played(5, names=names))
    assert f"Gewonnen hat {winner}" in text(client, "/")


def test_it_names_all_who_share_the_first_rank(client: Client) -> None:
    first, second = winners(played(10))
    assert f"Gewonnen haben {first} und {second}" in text(client, "/")


def test_it_names_who_won_the_final_of_a_knockout(client: Client) -> None:
    tournament = with_players(10, ruleset=preset("knockout").to_dict())
    a_played_round(tournament)
    assert "Gewonnen" not in text(client, "/")
    a_played_round(tournament, 2)
    (winner,) = winners(tournament)
    assert f"Gewonnen hat {winner}" in text(client, "/")


def test_it_names_nobody_before_the_prize_giving_has_shown_who_won(client: Client) -> None:
    tournament = with_players(5)
    a_played_round(tournament)
    standings.freeze(tournament, by="x", at=AT)
    end_tournament(tournament, reason="Es ist spät", by="x", at=AT)
    assert "Gewonnen" not in text(client, "/")
    standings.release(tournament, by="x", at=AT)
    assert "Gewonnen hat" in text(client, "/")


def test_it_asks_once_for_the_winners_of_all_evenings(client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get("/")
        return len(asked)

    with_players(5)
    without = queries()
    played(5)
    assert queries() == without + 1
    played(5), played(5)
    assert queries() == without + 1
    assert text(client, "/").count("Gewonnen hat") == 3
