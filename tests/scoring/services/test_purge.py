"""Tests of deleting a tournament: all its data is deleted, and no data of another tournament."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import Publication, SheetEntry
from scoring.services.practice import create_practice_tournament
from scoring.services.purge import delete_practice_tournament, delete_tournament
from scoring.services.standings import freeze
from tests.factories import UserFactory
from tests.scoring.evenings import evening, text_of
from tournaments.core.refusal import Refusal
from tournaments.models import Payment, Tournament

AT = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def test_a_practice_tournament_goes_with_all_its_logs_and_no_other_is_touched() -> None:
    real = import_tournament(text_of(evening(3, "ernst")), at=AT)
    before = dump(export_tournament(real))
    delete_practice_tournament(create_practice_tournament(slug="uebung", owner=None, at=AT))
    assert list(Tournament.objects.values_list("slug", flat=True)) == ["ernst"]
    assert dump(export_tournament(real)) == before
    assert set(SheetEntry.objects.values_list("tournament__slug", flat=True)) == {"ernst"}


def test_nothing_stays_of_a_real_tournament_that_is_deleted_with_its_name() -> None:
    made = create_practice_tournament(slug="ernst", owner=None, at=AT)
    Tournament.objects.update(is_practice=False)
    freeze(made, by="x", at=AT)
    models = [model for app in ("tournaments", "scoring") for model in apps.get_app_config(app).get_models()]
    assert {SheetEntry, Payment, Publication} <= {
        model for model in models if model._default_manager.exists()
    }
    with pytest.raises(Refusal) as caught:
        delete_tournament(made, typed="Übung")
    assert caught.value.code == "name_differs"
    delete_tournament(made, typed=made.name)
    assert [model.__name__ for model in models if model._default_manager.exists()] == []


def test_a_real_tournament_is_not_deleted_as_a_practice_tournament() -> None:
    real = import_tournament(text_of(evening(3, "ernst")), at=AT)
    with pytest.raises(Refusal) as caught:
        delete_practice_tournament(real)
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
