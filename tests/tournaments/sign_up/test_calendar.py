"""The evening as a calendar file."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar, Event
from pytest_django import Settings

from tests.factories import TournamentFactory
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
STARTS = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


def file_of(tournament: Tournament, **headers: str) -> bytes:
    answer = Client().get(f"/t/{tournament.slug}/sign-up/calendar.ics", headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert answer["Content-Disposition"] == f'attachment; filename="{tournament.slug}.ics"'
    return answer.content


def event_of(tournament: Tournament, **headers: str) -> Event:
    (event,) = Calendar.from_ical(file_of(tournament, **headers)).walk("VEVENT")
    assert isinstance(event, Event)
    return event


def test_a_calendar_knows_name_place_start_and_where_to_register(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://turnier.example.org"
    tournament = TournamentFactory.create(starts_at=STARTS, admits_at=STARTS - timedelta(minutes=90))
    lines = file_of(tournament).decode().split("\r\n")
    created = int(tournament.created_at.timestamp())
    assert lines == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Schnauz-Turnier//Schnauz-Turnier//DE",
        "BEGIN:VEVENT",
        "SUMMARY:Preisschnauzen",
        "DTSTART:20261121T183000Z",
        "DTSTAMP:20261121T183000Z",
        f"UID:{tournament.slug}-{created}@schnauz-turnier",
        "DESCRIPTION:Einlass 18:00 Uhr\\, Beginn 19:30 Uhr",
        "LOCATION:Saal",
        f"URL:https://turnier.example.org/t/{tournament.slug}/sign-up/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    english = event_of(tournament, accept_language="en")
    assert english["description"] == "Doors open at 18:00. Starts at 19:30"


@pytest.mark.parametrize(
    ("set_to", "start"),
    [
        ({}, date(2026, 11, 21)),
        ({"admits_at": STARTS}, STARTS),
        ({"starts_at": STARTS + timedelta(microseconds=5)}, STARTS),
    ],
    ids=["whole day", "admission", "start"],
)
def test_the_event_begins_with_what_is_set(set_to: dict[str, datetime], start: date) -> None:
    event = event_of(TournamentFactory.create(**set_to))
    assert event.decoded("dtstart") == start
    assert "dtend" not in event


def test_long_names_and_their_characters_arrive_whole_in_lines_of_75_octets() -> None:
    name = "Schnauz; Feuer, Ä\\ö " + "ü" * 100
    place = "Gasthaus, Saal; hinten \\ " + "ß" * 95
    tournament = TournamentFactory.create(name=name, place=place)
    assert all(len(line) <= 75 for line in file_of(tournament).split(b"\r\n"))
    assert b"\n" not in file_of(tournament).replace(b"\r\n", b"")
    event = event_of(tournament)
    assert (event["summary"], event["location"]) == (name, place)


def test_a_moved_evening_keeps_the_uid_of_its_event() -> None:
    tournament = TournamentFactory.create(starts_at=STARTS)
    before = event_of(tournament)["uid"]
    tournament.played_on, tournament.starts_at = date(2026, 11, 28), STARTS + timedelta(days=7)
    tournament.save()
    assert event_of(tournament)["uid"] == before


def test_a_hidden_tournament_has_a_calendar_an_ended_or_unknown_one_does_not() -> None:
    event_of(TournamentFactory.create(is_hidden=True))
    over = TournamentFactory.create(public_until_on=timezone.localdate() - timedelta(days=1))
    address = "/t/{}/sign-up/calendar.ics"
    gone = Client().get(address.format(over.slug))
    assert (gone.status_code, over.name in gone.content.decode()) == (410, False)
    assert Client().get(address.format("gibt-es-nicht")).status_code == 404
    with CaptureQueriesContext(connection) as queries:
        Client().get(address.format(over.slug))
    assert len(queries) == 2  # the foot asks whether there is an imprint
