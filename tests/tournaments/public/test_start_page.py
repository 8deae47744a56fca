"""The start page and the health check."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from schnauz_turnier import __version__
from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tests.tournaments.sign_up.test_sign_up_pages import opened
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_tournaments_are_named_when_they_are_played_today_or_have_shown_their_tables(client: Client) -> None:
    today = timezone.localdate()
    on_the_day = TournamentFactory.create(played_on=today)
    planned, drawn, shown = TournamentFactory.create_batch(3, played_on=today + timedelta(days=7))
    for tournament, released in ((drawn, False), (shown, True)):
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament, released=released)
    page = client.get("/").content.decode()
    named = [
        tournament for tournament in (on_the_day, planned, drawn, shown) if f"/t/{tournament.slug}/" in page
    ]
    assert named == [on_the_day, shown]


def test_what_is_played_today_stands_above_what_is_to_come_and_that_above_what_is_over(
    client: Client,
) -> None:
    """After midnight the evening of yesterday may still be in play."""
    today = timezone.localdate()
    days = {
        days: TournamentFactory.create(played_on=today + timedelta(days)) for days in (7, 1, 0, -1, -2, -7)
    }
    for tournament in days.values():
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament)
    page = client.get("/").content.decode()
    assert sorted(days, key=lambda day: page.index(f"/t/{days[day].slug}/")) == [0, -1, 1, 7, -2, -7]


def test_the_first_page_leads_to_the_log_in(client: Client) -> None:
    assert 'href="/account/login/"' in client.get("/").content.decode()


def test_healthz_is_200_without_a_cookie(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert not response.cookies


def test_the_version_is_at_the_foot_and_in_the_health_check(client: Client) -> None:
    assert f"<small>Schnauz-Turnier {__version__}</small>" in client.get("/").content.decode()
    assert client.get("/healthz")["Program-Version"] == __version__
    with patch.object(connection, "cursor", side_effect=OperationalError):
        assert client.get("/healthz")["Program-Version"] == __version__


def test_healthz_is_503_when_the_database_does_not_answer(client: Client) -> None:
    with patch.object(connection, "cursor", side_effect=OperationalError):
        assert client.get("/healthz").status_code == 503


def test_healthz_cannot_be_written_to(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def test_the_start_page_leads_to_the_sign_up_until_the_first_tables_are_released(client: Client) -> None:
    today = timezone.localdate()
    playing, shut, never = TournamentFactory.create_batch(3, played_on=today)
    ahead = TournamentFactory.create(played_on=today + timedelta(days=7))
    for tournament, is_open in ((playing, True), (ahead, True), (shut, False)):
        opened(tournament, is_open=is_open)
    ParticipantFactory.create_batch(5, tournament=playing)
    assert invited(client, playing, ahead, shut, never) == [playing, ahead]
    a_round(playing)
    assert invited(client, playing, ahead, shut, never) == [ahead]


def invited(client: Client, *tournaments: Tournament) -> list[Tournament]:
    page = client.get("/").content.decode()
    return [row for row in tournaments if f'href="/t/{row.slug}/sign-up/"' in page]
