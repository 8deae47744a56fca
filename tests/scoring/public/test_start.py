"""The start of the evening, where guests look before the first round."""

from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.queries.screens import SentScene
from scoring.services import screens
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.scoring.paired import paired_client
from tournaments.models import Tournament
from tournaments.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


@pytest.fixture
def tournament() -> Tournament:
    made = TournamentFactory.create(slug=f"start-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    return made


def start_at(
    tournament: Tournament,
    moment: datetime | None,
    played_on: date | None = None,
    admits_at: datetime | None = None,
) -> None:
    edit_tournament(
        tournament,
        name=tournament.name,
        played_on=played_on or tournament.played_on,
        place=tournament.place,
        names=tournament.names,
        ruleset=tournament.rules,
        public_until_on=tournament.public_until_on,
        starts_at=moment,
        admits_at=admits_at,
    )


def shown(tournament: Tournament, address: str = "", **headers: str) -> str:
    client = paired_client(tournament) if address else Client()
    page = client.get(f"/t/{tournament.slug}/{address}", headers=headers)
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


@pytest.mark.parametrize("address", ["", "screen/"])
def test_guests_see_it_until_the_tables_of_the_first_round_are_shown(
    tournament: Tournament, address: str
) -> None:
    assert "Beginn" not in shown(tournament, address)
    start_at(tournament, STARTS)
    assert "Beginn 19:30 Uhr" in shown(tournament, address)
    assert "Starts at 19:30" in shown(tournament, address, accept_language="en")
    start_at(tournament, STARTS, played_on=date(2026, 11, 22))
    assert "Beginn Samstag, 21. November 2026, 19:30 Uhr" in shown(tournament, address)
    a_round(tournament)
    assert "Beginn" not in shown(tournament, address)


@pytest.mark.parametrize("address", ["", "screen/"])
def test_guests_see_the_admission_before_the_start_or_alone(tournament: Tournament, address: str) -> None:
    start_at(tournament, STARTS, admits_at=STARTS - timedelta(minutes=90))
    assert "Einlass 18:00 Uhr, Beginn 19:30 Uhr" in shown(tournament, address)
    assert "Doors open at 18:00. Starts at 19:30" in shown(tournament, address, accept_language="en")
    start_at(tournament, None, admits_at=STARTS - timedelta(days=1))
    assert "Einlass Freitag, 20. November 2026, 19:30 Uhr" in shown(tournament, address)
    a_round(tournament)
    assert "Einlass" not in shown(tournament, address)


def test_the_welcome_beside_the_wifi_names_it_too(tournament: Tournament) -> None:
    start_at(tournament, STARTS)
    scene = SentScene("welcome", network="Wirtshaus")
    screens.set_scene(tournament, (1,), scene, by="leitung", at=AT)
    page = shown(tournament, "screen/")
    assert "1. WLAN Wirtshaus" in page
    assert "Beginn 19:30 Uhr" in page


def test_the_start_page_names_it_with_no_query_more(tournament: Tournament) -> None:
    today = timezone.localdate()
    start_at(tournament, None, played_on=today)
    with CaptureQueriesContext(connection) as before:
        assert "Beginn" not in Client().get("/").content.decode()
    start = timezone.make_aware(datetime.combine(today, STARTS.time()))
    start_at(tournament, start, played_on=today, admits_at=start - timedelta(hours=1))
    with CaptureQueriesContext(connection) as after:
        assert "Einlass 17:30 Uhr, Beginn 18:30 Uhr" in Client().get("/").content.decode()
    assert len(after) == len(before)
    a_round(tournament)
    assert "Beginn" not in Client().get("/").content.decode()
