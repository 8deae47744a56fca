"""Tests of deleting a tournament: all its data is deleted, and no data of another tournament."""

from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import Publication, SheetEntry
from scoring.practice.evenings import create_practice_tournament
from scoring.services.purge import delete_practice_tournament, delete_tournament, erase_person
from scoring.services.standings import freeze
from tests.factories import TournamentFactory, UserFactory
from tests.scoring.evenings import evening, text_of
from tournaments.core.refusal import Refusal
from tournaments.links import new_sign_up_code
from tournaments.models import Payment, SignUp, SignUpTerms, Tournament
from tournaments.services import sign_ups

AT = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def signed_up(tournament: Tournament, name: str) -> int:
    """Return the number of a sign-up of somebody at home."""
    more = {"most": None, "only_in_hall": False, "without_desk": False}
    sign_ups.set_terms(tournament, is_open=True, closes_at=AT + timedelta(days=1), **more, at=AT)  # type: ignore[arg-type]
    sent = {"name": name, "club": "", "names": "", "code": new_sign_up_code()}
    sender = sign_ups.Sender("192.0.2.1", "")
    return sign_ups.sign_up(tournament, **sent, in_hall=False, sender=sender, at=AT).number


def test_a_practice_tournament_goes_with_all_its_logs_and_no_other_is_touched() -> None:
    real = import_tournament(text_of(evening(3, "ernst")), at=AT)
    before = dump(export_tournament(real))
    delete_practice_tournament(
        create_practice_tournament(slug="uebung", owner=None, at=AT), by="leitung", at=AT
    )
    assert list(Tournament.objects.values_list("slug", flat=True)) == ["ernst"]
    assert dump(export_tournament(real)) == before
    assert set(SheetEntry.objects.values_list("tournament__slug", flat=True)) == {"ernst"}


def test_nothing_stays_of_a_real_tournament_that_is_deleted_with_its_name() -> None:
    made = create_practice_tournament(slug="ernst", owner=None, at=AT)
    Tournament.objects.update(is_practice=False)
    freeze(made, by="x", at=AT)
    signed_up(made, "Spieler 1")
    sign_ups.confirm(made, signed_up(made, "Spieler 2"), paid=True, by="x", at=AT)
    models = [model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()]
    assert {SheetEntry, Payment, Publication, SignUp, SignUpTerms} <= {
        model for model in models if model._default_manager.exists()
    }
    with pytest.raises(Refusal) as caught:
        delete_tournament(made, typed="Übung", by="leitung", at=AT)
    assert caught.value.code == "name_differs"
    delete_tournament(made, typed=made.name, by="leitung", at=AT)
    assert [model.__name__ for model in models if model._default_manager.exists()] == ["Deletion"]


def test_a_real_tournament_is_not_deleted_as_a_practice_tournament() -> None:
    real = import_tournament(text_of(evening(3, "ernst")), at=AT)
    with pytest.raises(Refusal) as caught:
        delete_practice_tournament(real, by="leitung", at=AT)
    assert caught.value.code == "not_practice"
    assert Tournament.objects.filter(slug="ernst").exists()


def test_the_organiser_deletes_it_from_the_settings(client: Client) -> None:
    owner = UserFactory.create()
    tournament = create_practice_tournament(slug="uebung", owner=owner, at=AT)
    client.force_login(owner)
    page = client.get(reverse("organiser:settings", args=["uebung"])).content.decode()
    address = reverse("organiser:delete_practice", args=["uebung"])
    assert f'action="{address}"' in page
    assert client.get(address).status_code == 405
    assert client.post(address).url == reverse("organiser:home")  # type: ignore[attr-defined]
    assert not Tournament.objects.filter(pk=tournament.pk).exists()


def test_erasing_a_player_deletes_their_sign_up_and_keeps_those_of_namesakes() -> None:
    tournament = TournamentFactory.create()
    numbers = [
        signed_up(tournament, name) for name in ("Anna Größer", "Größer Anna", "Anna Groesser", "Spieler 4")
    ]
    person = sign_ups.confirm(tournament, numbers[0], paid=False, by="x", at=AT)
    for number in (numbers[1], numbers[3]):
        sign_ups.discard(tournament, number, by="x", at=AT)
    erase_person(tournament, person.start_number, by="leitung", at=AT)
    left = tournament.sign_ups.values_list("number", "name")
    assert list(left) == [(numbers[2], "Anna Groesser"), (numbers[3], "Spieler 4")]
