"""The service worker of the players' pages and what it may keep; see tests/journeys/test_without_connection.py."""

import json
import re

import pytest
from django.test import Client

from tests.factories import ParticipantFactory, TournamentFactory, UserFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> Client:
    user, client = UserFactory.create(), Client()
    ParticipantFactory.create(tournament=TournamentFactory.create(slug="abend", owner=user))
    enter(client, user)
    return client


def test_the_page_without_a_connection_tells_nothing_of_who_asked_for_it(organiser: Client) -> None:
    page = organiser.get("/t/offline.html").content.decode()
    assert page == Client().get("/t/offline.html").content.decode()
    assert "csrf" not in page


def test_the_worker_keeps_the_page_and_all_that_it_loads() -> None:
    page, worker = Client().get("/t/offline.html").content.decode(), Client().get("/t/worker.js")
    guarded = json.loads(worker.content.decode().partition("guard(")[2].rpartition(")")[0])
    loaded = re.findall(r'(?:rel="stylesheet" href|src)="([^"]+)"', page)
    assert set(loaded) <= set(guarded["files"])
    assert (guarded["page"], guarded["scope"]) == ("/t/offline.html", "/t/")
    assert (worker["Content-Type"], worker["Cache-Control"]) == ("text/javascript; charset=utf-8", "no-cache")
    assert Client().get("/t/worker.js", headers={"If-None-Match": worker["ETag"]}).status_code == 304


def test_only_pages_that_are_the_same_for_everybody_may_be_kept(organiser: Client) -> None:
    anybody = Client()
    assert anybody.get("/t/abend/standings/")["Players-Page"]
    for answer in (anybody.get("/t/abend/?me=1"), organiser.get("/t/abend/"), organiser.get("/o/abend/")):
        assert (answer.status_code, answer.has_header("Players-Page")) == (200, False)
