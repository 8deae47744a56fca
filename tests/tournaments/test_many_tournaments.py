"""An installation with many tournaments: lists by pages, and indexes that keep each of them quick."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.plans import plans_of, work_of
from tournaments.models import Membership, Tournament
from tournaments.queries.tournaments import TOURNAMENTS_A_PAGE, TOURNAMENTS_LOOKED_AT, tournaments_to_watch

pytestmark = pytest.mark.django_db

GROWING = {"tournaments_tournament", "tournaments_round", "tournaments_participant", "tournaments_membership"}


def many(count: int, **values: Any) -> list[Tournament]:
    made = TournamentFactory.build_batch(count, **values)
    return Tournament.objects.bulk_create(made)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def owner() -> User:
    return UserFactory.create(is_superuser=True)


@pytest.fixture
def organiser() -> User:
    """An organiser of many tournaments."""
    user = UserFactory.create()
    organises = Membership(user=user, role=Membership.Role.ORGANISER)
    Membership.objects.bulk_create(
        Membership(user=user, role=organises.role, tournament=each) for each in many(60)
    )
    return user


def test_the_list_of_an_account_has_pages_and_the_latest_come_first(owner: User) -> None:
    for days, made in enumerate(many(TOURNAMENTS_A_PAGE + 1)):
        Tournament.objects.filter(pk=made.pk).update(
            played_on=date(2026, 1, 1) + timedelta(days), name=f"Abend {days}."
        )
    client = logged_in(owner)
    first, second = (client.get(f"/o/?page={number}").content.decode() for number in (1, 2))
    assert first.count("card--link") == TOURNAMENTS_A_PAGE
    assert first.index(f"Abend {TOURNAMENTS_A_PAGE}.") < first.index(f"Abend {TOURNAMENTS_A_PAGE - 1}.")
    assert "Abend 0." not in first
    assert "Seite 1 von 2" in first
    assert 'rel="next" href="?page=2"' in first
    assert second.count("card--link") == 1
    assert "Abend 0." in second
    assert "Seite 2 von 2" in client.get("/o/?page=999999999").content.decode()
    assert "Seite 1 von 2" in client.get("/o/?page=viele").content.decode()


def test_players_and_rounds_are_counted_apart(owner: User) -> None:
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(5, tournament=tournament)
    a_round(tournament)
    page = " ".join(logged_in(owner).get("/o/").content.decode().split())
    assert "5 Spieler angemeldet · 1 Spielrunde" in page


def test_the_list_begins_with_today_and_its_next_step(owner: User) -> None:
    """Then yesterday's, which may be in play after midnight, then what is to come by date, then what is over."""
    today = timezone.localdate()
    for days in (-9, -1, 0, 2, 30, -2):
        TournamentFactory.create(name=f"Abend {days}.", played_on=today + timedelta(days))
    client = logged_in(owner)
    page = client.get("/o/").content.decode()
    parts = [
        "Heute",
        "Abend 0.",
        "Gestern",
        "Abend -1.",
        "Demnächst",
        "Abend 2.",
        "Abend 30.",
        "Vorbei",
        "Abend -2.",
        "Abend -9.",
    ]
    assert parts == sorted(parts, key=page.index)
    assert page.count("card--today") == page.count("Zur Anmeldung") == 1
    evening = Tournament.objects.get(played_on=today)
    ParticipantFactory.create_batch(5, tournament=evening)
    a_round(evening)
    page = client.get("/o/").content.decode()
    assert "Zur Anmeldung" not in page
    assert page.count("Zur Übersicht") == 1


def test_the_start_page_looks_at_the_latest_only() -> None:
    today = timezone.localdate()
    many(3, played_on=today)
    assert len(tournaments_to_watch(today)) == 3
    many(TOURNAMENTS_LOOKED_AT, played_on=today)
    assert len(tournaments_to_watch(today)) == 12


def of_the_owner(owner: User, organiser: User) -> Client:
    return logged_in(owner)


def of_the_organiser(owner: User, organiser: User) -> Client:
    return logged_in(organiser)


def of_a_guest(owner: User, organiser: User) -> Client:
    return Client()


@pytest.mark.parametrize(
    ("client_of", "address"), [(of_a_guest, "/"), (of_the_owner, "/o/"), (of_the_organiser, "/o/")]
)
def test_no_list_reads_a_whole_table(
    client_of: Callable[[User, User], Client], address: str, owner: User, organiser: User
) -> None:
    """Where no index serves, PostgreSQL reads it in spite of being told not to."""
    client = client_of(owner, organiser)
    client.get(address)
    assert whole_tables(lambda: client.get(address)) == set()


def test_a_table_that_is_read_as_a_whole_is_found(organiser: User) -> None:
    by_place = Tournament.objects.order_by("place")
    assert whole_tables(lambda: list(by_place[:3])) == {"tournaments_tournament"}


def whole_tables(ask: Callable[[], Any]) -> set[str]:
    """Return the tables that grow with the number of tournaments and that a request reads from end to end."""
    scans = (node for plan in plans_of(ask) for node in plan if node["Node Type"] == "Seq Scan")
    return {str(node["Relation Name"]) for node in scans} & GROWING


def know_the_tables() -> None:
    """Let PostgreSQL count the rows now, so that it plans by the same figures each time, whenever autovacuum comes by."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(sorted(GROWING))}")


def test_the_work_of_the_lists_does_not_grow_with_the_tournaments(owner: User) -> None:
    today = timezone.localdate()
    client = logged_in(owner)
    many(TOURNAMENTS_LOOKED_AT + 1, played_on=today)
    know_the_tables()
    for address in ("/", "/o/"):
        client.get(address)
        before = work_of(partial(client.get, address))
        many(100, played_on=today - timedelta(days=400))
        know_the_tables()
        after = work_of(partial(client.get, address))
        assert after.queries == before.queries
        assert after.rows <= before.rows + 250  # those that the pages count
