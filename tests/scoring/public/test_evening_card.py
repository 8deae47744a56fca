"""The card of a player's evening: what it says, when there is one, and that it is a picture made here."""

import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from PIL import Image

from scoring.pictures.evening_card import EveningCard
from scoring.public import evening_card as cards
from scoring.queries.public_view import public_view
from scoring.services import standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tournaments.models import Tournament
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db


def evening(ruleset: str = "schnauz-placing", *, players: int = 10, **fields: str) -> Tournament:
    """Create an evening in which every round is played."""
    rules = preset(ruleset)
    fields = {"name": "Herbstschnauzen", "place": "Sportheim", "played_on": "2026-11-21", **fields}
    tournament = TournamentFactory.create(ruleset=rules.to_dict(), **fields)
    ParticipantFactory.create_batch(players, tournament=tournament)
    for number in range(1, (rules.rounds or 2) + 1):
        a_played_round(tournament, number)
    return tournament


def address(tournament: Tournament, number: int = 1) -> str:
    return f"/t/{tournament.slug}/me/{number}/card.png"


def card(tournament: Tournament, number: int = 1) -> EveningCard | None:
    with translation.override("de"):
        return cards.evening_card(public_view(tournament.slug), number)


def has_link(tournament: Tournament) -> bool:
    page = Client().get(f"/t/{tournament.slug}/me/1/").content.decode()
    return f'href="{address(tournament)}">Meine Abendkarte</a>' in page


def test_it_says_what_the_standings_say_of_the_evening() -> None:
    tournament = evening()
    row = next(row for row in public_view(tournament.slug).rows if row.start_number == 1)
    points = tuple(str(points) for points in row.by_round)
    assert card(tournament) == EveningCard(
        title="Herbstschnauzen",
        at="21. November 2026 · Sportheim",
        name=row.name,
        rank=f"Rang {row.rank}",
        among="von 10 Spielern",
        score=f"{row.points} Punkte, 0 Striche",
        rounds=tuple(zip(("1. Runde", "2. Runde", "3. Runde"), points, strict=True)),
    )
    assert has_link(tournament)


def test_it_is_a_picture_for_a_phone_that_is_drawn_once() -> None:
    tournament = evening()
    answer = Client().get(address(tournament))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1080, 1350))
    assert len(answer.content) < 100_000
    again = Client().get(address(tournament), headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tournament.participants.filter(start_number=1).update(name="Sepp Neuhuber")
    changed = Client().get(address(tournament), headers={"If-None-Match": answer["ETag"]})
    assert (changed.status_code, changed["ETag"] != answer["ETag"]) == (200, True)


@pytest.mark.parametrize("names", ["short", "number"])
def test_the_name_is_that_of_the_public_pages(names: str) -> None:
    tournament = evening(names=names)
    row = next(row for row in public_view(tournament.slug).rows if row.start_number == 1)
    shown = card(tournament)
    assert shown is not None
    assert shown.name == row.name != tournament.participants.get(start_number=1).name


def test_in_a_knockout_it_says_how_far_the_player_came() -> None:
    tournament = evening("knockout")
    winner = public_view(tournament.slug).rows[0].start_number
    found = card(tournament, winner)
    assert found is not None
    assert (found.score, found.rounds[-1]) == ("Finale, Rang 1", ("2. Runde", "1."))


def test_there_is_none_before_the_end_is_public() -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=tournament)
    found = []
    for number in (1, 2, 3):
        a_played_round(tournament, number) if number < 3 else a_round(tournament, 3)
        found.append((Client().get(address(tournament)).status_code, has_link(tournament)))
    standings.freeze(tournament, by="x", at=AT)
    for table in tournament.rounds.get(number=3).tables.all():
        a_paper_sheet(table)
    tournament.rounds.filter(number=3).update(state="closed", closed_at=AT)
    found.append((Client().get(address(tournament)).status_code, has_link(tournament)))
    assert found == [(404, False)] * 4
    standings.release(tournament, by="x", at=AT)
    assert (Client().get(address(tournament)).status_code, has_link(tournament)) == (200, True)
    assert Client().get(address(tournament, 99)).status_code == 404


def test_it_asks_the_database_the_same_in_any_hall() -> None:
    counts = []
    for players in (10, 30):
        tournament = evening(players=players)
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(address(tournament)).status_code == 200
        counts.append(len(asked))
    assert counts == [counts[0]] * 2
    assert counts[0] <= 4
