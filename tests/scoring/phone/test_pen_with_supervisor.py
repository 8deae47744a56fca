"""Freeing the pen by the supervisor: with this ruleset another phone may write only afterwards."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from scoring.services import sheets
from scoring.sheet_log import open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_round
from tournaments.core.refusal import Refusal
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import preset

OLD, NEW = "a" * 32, "b" * 32

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(client: Client) -> Table:
    owner = UserFactory.create()
    client.force_login(owner)
    rules = replace(preset("schnauz-placing"), pen_needs_supervisor=True)
    tournament: Tournament = TournamentFactory.create(owner=owner, ruleset=rules.to_dict())
    ParticipantFactory.create_batch(5, tournament=tournament)
    return a_round(tournament, 1).tables.get()


def test_the_first_phone_may_write_at_once(table: Table) -> None:
    assert sheets.take_pen(table, device=OLD, at=AT).row.pen_epoch == 1


def test_a_second_phone_is_sent_to_the_supervisor(table: Table) -> None:
    sheets.take_pen(table, device=OLD, at=AT)
    with pytest.raises(Refusal) as caught:
        sheets.take_pen(table, device=NEW, at=AT)
    assert caught.value.code == "pen_needs_supervisor"
    assert open_sheet(table.pk).row.pen_device == OLD


def test_the_supervisor_frees_the_pen_on_the_sheets_page(table: Table, client: Client) -> None:
    sheets.take_pen(table, device=OLD, at=AT)
    address = reverse("organiser:free_pen", args=[table.round.tournament.slug, 1, table.number])
    sheet_page = reverse("organiser:sheet", args=[table.round.tournament.slug, 1, table.number])
    assert f'action="{address}"' in client.get(sheet_page).content.decode()
    client.post(address)
    assert sheets.take_pen(table, device=NEW, at=AT).row.pen_device == NEW
