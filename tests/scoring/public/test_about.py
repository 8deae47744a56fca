"""What a messenger shows of a link to the players' page, and what a phone needs to put it on its home screen."""

import json
import re
from datetime import date

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.factories import ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Tournament


@pytest.fixture
def tournament(db: None) -> Tournament:
    made: Tournament = TournamentFactory.create(name="Herbst & Wein", played_on=date(2026, 11, 21))
    ParticipantFactory.create_batch(6, tournament=made)
    a_round(made)
    return made


def test_a_link_is_described_without_names(tournament: Tournament) -> None:
    page = Client().get(f"/t/{tournament.slug}/").content.decode()
    head = page.partition("</head>")[0]
    assert '<meta property="og:title" content="Herbst &amp; Wein">' in head
    assert 'content="21.11.2026: Wer sitzt wo' in head
    image = re.search(r'og:image" content="(http[^"]+)"', head)
    assert image is not None
    assert not any(person.name in head for person in tournament.participants.all())


def test_the_page_is_an_app_with_icons_that_exist(tournament: Tournament) -> None:
    page = Client().get(f"/t/{tournament.slug}/").content.decode()
    address = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert address is not None
    answer = Client().get(address[1])
    assert answer.status_code == 200
    found = json.loads(answer.content)
    assert (found["name"], found["start_url"]) == ("Herbst & Wein", f"/t/{tournament.slug}/")
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))
