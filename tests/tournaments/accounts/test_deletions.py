"""The owner's list of deleted tournaments and erased persons: what went when and by whom, and no name."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from psycopg import sql

from tests.factories import AT, ParticipantFactory, UserFactory, enter
from tests.scoring.pages import Staff, text_of
from tournaments.models import Deletion, Tournament

pytestmark = pytest.mark.django_db


def as_owner() -> Client:
    client = Client()
    enter(client, UserFactory.create(is_superuser=True))
    return client


def test_what_went_when_and_by_whom_is_listed_without_names() -> None:
    desk = Staff()
    ParticipantFactory.create_batch(2, tournament=desk.tournament, name="Zita Rosenmüller")
    assert desk.client.post(desk.url("erase_person", 2)).status_code == 302
    assert desk.client.post(desk.url("delete"), {"name": desk.tournament.name}).status_code == 302
    owner = as_owner()
    answer = owner.get(reverse("account:deletions"))
    said, page = text_of(answer), answer.content.decode()
    assert said.index("Turnier vom 21.11.2026 mit 2 Spielern") < said.index(
        "Namen und Texte der Nr. 2 im Turnier vom 21.11.2026"
    )
    assert said.count(desk.user.username) == 2
    for name in ("Zita", "Rosenmüller", desk.tournament.name, desk.tournament.slug):
        assert name not in page
    assert reverse("account:deletions") in owner.get(reverse("account:accounts")).content.decode()


def test_a_practice_tournament_is_listed_as_one() -> None:
    desk = Staff()
    Tournament.objects.update(is_practice=True)
    desk.client.post(desk.url("delete_practice"))
    page = as_owner().get(reverse("account:deletions"))
    assert "Übungsturnier vom 21.11.2026 mit 0 Spielern" in text_of(page)


def test_a_refused_deletion_is_not_listed() -> None:
    desk = Staff()
    desk.client.post(desk.url("delete"), {"name": "Ganz anders"})
    assert not Deletion.objects.exists()
    assert "Noch ist nichts gelöscht" in text_of(as_owner().get(reverse("account:deletions")))


@pytest.mark.parametrize("statement", ["UPDATE {} SET by = ''", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize("purge", ["off", "on"])
def test_the_list_is_append_only_for_a_purge_as_well(statement: str, purge: str) -> None:
    Deletion.objects.create(kind="person", played_on=AT.date(), start_number=1, by="leitung", at=AT)
    table = sql.Identifier(Deletion._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.purge = %s", [purge])
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(sql.SQL(statement).format(table))
