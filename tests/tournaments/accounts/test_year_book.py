"""The owner's cash book of a year, over all tournaments."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, enter
from tests.scoring.pages import text_of
from tournaments.models import Tournament
from tournaments.services import desks, door

pytestmark = pytest.mark.django_db

BY: Any = {"by": "kasse", "at": AT}


@pytest.fixture
def owner(client: Client) -> Client:
    enter(client, UserFactory.create(is_superuser=True))
    return client


def an_evening(name: str, **more: Any) -> Tournament:
    """Create an evening with a float of 50, two fees of 3, 12.50 for cards, and a count that lacks 0.50."""
    tournament: Tournament = TournamentFactory.create(name=name, **more)
    desks.set_up_desk(tournament, "Kasse 1")
    desks.enter_cash(tournament, 1, "float", cents=5000, **BY)
    for person in ParticipantFactory.create_batch(2, tournament=tournament):
        door.take_fee(tournament, person.start_number, desk="Kasse 1", **BY)
    desks.enter_cash(tournament, 1, "out", cents=1250, reason="Karten", **BY)
    desks.close_desk(tournament, 1, pieces={"2000": 2, "100": 3}, reason="verzählt", **BY)
    return tournament


def year_book(client: Client, year: int = AT.year) -> str:
    return text_of(client.get(reverse("account:year_book", args=[year]))).replace("\u00a0", " ")


def test_each_desk_and_day_is_a_line_and_practice_is_none(owner: Client) -> None:
    an_evening("Herbst")
    an_evening("Winter")
    an_evening("Übung", is_practice=True)
    page = year_book(owner)
    assert page.count("Kasse 1") == 2
    assert "Übung" not in page
    assert "Kasse 1" not in year_book(owner, AT.year - 1)


def test_the_file_has_takings_by_the_count(owner: Client) -> None:
    an_evening("Herbst")
    answer = owner.get(reverse("account:year_book_file", args=[AT.year, "csv"]))
    _headings, row = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";")
    assert row == [
        *(f"{AT:%Y-%m-%d}", "Herbst", "Kasse 1", "50,00", "5,50", "0,00", "12,50", "0,00", "43,00"),
        *("6,00", "-0,50", "ja"),
    ]


def test_a_year_of_many_evenings_takes_as_many_queries_as_one(owner: Client) -> None:
    counted = []
    for name in ("Herbst", "Winter"):
        an_evening(name)
        with CaptureQueriesContext(connection) as queries:
            year_book(owner)
        counted.append(len(queries))
    assert counted[0] == counted[1]


@pytest.mark.parametrize(("year", "kind"), [(1999, "csv"), (2200, "csv"), (2026, "pdf")])
def test_other_years_and_files_do_not_exist(owner: Client, year: int, kind: str) -> None:
    assert owner.get(reverse("account:year_book_file", args=[year, kind])).status_code == 404


def test_only_the_owner_sees_it(client: Client) -> None:
    user = UserFactory.create()
    TournamentFactory.create(owner=user)
    enter(client, user)
    assert client.get(reverse("account:year_book", args=[2026])).status_code == 404
