"""Certificates: who gets one, and what stands on it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.services.rounds import close
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_played_round,
    a_round,
)
from tests.pictures import a_picture
from tournaments.models import Tournament
from tournaments.services.pictures import set_picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(client: Client) -> Tournament:
    """Create a tournament of the client's user with six players and one more who comes too late to play."""
    owner = UserFactory.create()
    client.force_login(owner)
    tournament = TournamentFactory.create(slug="schnauz", owner=owner, name="Herbstturnier", place="Gasthof")
    ParticipantFactory.create_batch(6, tournament=tournament, club="SV Beispiel")
    return tournament


def certificates(client: Client, query: str = "") -> list[str]:
    """Return the text of each certificate, without markup."""
    response = client.get(reverse("organiser:print_certificates", args=["schnauz"]) + query)
    assert response.status_code == 200
    sections = re.findall(r'<section class="certificate".*?</section>', response.content.decode(), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", text).split()) for text in sections]


def test_the_first_ranks_get_one_each_with_name_club_rank_and_points(
    client: Client, tournament: Tournament
) -> None:
    played = a_round(tournament)
    a_paper_sheet(played.tables.get(), strokes={1: 2})
    close(tournament, 1, at=AT)
    first, *_others, last = certificates(client, "?first=2")
    winner = played.tables.get().seats.get(seat_number=1).participant.name
    assert first.startswith("Urkunde Herbstturnier Gasthof, ")
    assert f"{winner} SV Beispiel unter 6 Spielern 1. Platz 6 Punkte · 2 Striche" in first
    assert first.endswith("Spielleitung Verein")
    assert "2. Platz 4 Punkte" in last


def test_without_a_limit_all_who_have_played_get_one(client: Client, tournament: Tournament) -> None:
    a_played_round(tournament)
    ParticipantFactory.create(tournament=tournament, name="Zu Spät")
    pages = certificates(client, "?first=")
    assert len(pages) == 6
    assert not any("Zu Spät" in text for text in pages)


def test_tied_players_get_certificates_that_say_so(client: Client, tournament: Tournament) -> None:
    a_played_round(tournament)  # ranks 5 and 6 both give one point
    assert sum("geteilter 5. Platz" in text for text in certificates(client, "?first=5")) == 2


def test_before_the_first_sheet_the_page_says_that_there_are_none(
    client: Client, tournament: Tournament
) -> None:
    response = client.get(reverse("organiser:print_certificates", args=["schnauz"]))
    assert "Noch hat niemand gespielt." in response.content.decode()
    assert certificates(client) == []


def test_during_the_evening_the_page_says_that_ranks_may_change(
    client: Client, tournament: Tournament
) -> None:
    a_played_round(tournament)
    page = client.get(reverse("organiser:print_certificates", args=["schnauz"])).content.decode()
    assert "Das Turnier läuft noch" in page


@pytest.mark.parametrize("wrong", ["first=0", "first=drei", "first=10000", "way=schräg"])
def test_invalid_options_are_refused_in_the_form(client: Client, tournament: Tournament, wrong: str) -> None:
    response = client.get(reverse("organiser:print_certificates", args=["schnauz"]) + f"?{wrong}")
    assert response.status_code == 422
    assert "field__error" in response.content.decode()


PICTURE = '<img class="certificate__picture" src="/o/schnauz/print/picture.jpg" alt="">'


def page_of(client: Client, query: str) -> str:
    return client.get(reverse("organiser:print_certificates", args=["schnauz"]) + query).content.decode()


def test_the_picture_of_the_club_stands_where_room_is_left_for_it(
    client: Client, tournament: Tournament
) -> None:
    a_played_round(tournament)
    for way in ("portrait", "landscape"):
        assert PICTURE not in page_of(client, f"?first=2&way={way}&picture=on")
    set_picture(tournament, a_picture())
    for way in ("portrait", "landscape"):
        page = page_of(client, f"?first=2&way={way}&picture=on")
        assert page.count(PICTURE) == page.count("data-picture") == 2
        assert PICTURE not in page_of(client, f"?first=2&way={way}")


def test_with_a_picture_certificates_have_it_unless_the_organiser_says_otherwise(
    client: Client, tournament: Tournament
) -> None:
    index = reverse("organiser:print", args=["schnauz"])
    ticked = re.compile(r'<input[^>]*name="picture"[^>]*checked[^>]*>')
    page = client.get(index).content.decode()
    assert not ticked.search(page)
    assert "Oben Platz lassen" in page
    set_picture(tournament, a_picture())
    page = client.get(index).content.decode()
    assert ticked.search(page)
    assert "Mit dem Bild des Vereins" in page
