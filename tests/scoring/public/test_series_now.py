"""The year's standing while an evening goes on: as if it were over now, marked, and never more than the evening itself shows."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scoring.services.rounds import close
from scoring.services.standings import freeze, release
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.scoring.organiser.test_series import evening, series_of
from tests.scoring.pages import text_of
from tests.scoring.prize_giving import prize_evening
from tests.security.description import contradictions, schema_of
from tournaments.models import Table, Tournament

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
NAMES = ("Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Lang")
OVER = "Wenn es jetzt aus wäre"


@pytest.fixture
def tonight() -> Tournament:
    """The second evening of a series, of today and of two rounds; the first was years ago."""
    tournament = TournamentFactory.create(name="Heute", played_on=timezone.localdate(), names="full")
    tournament.ruleset |= {"rounds": 2}
    tournament.save()
    for name in NAMES:
        ParticipantFactory.create(tournament=tournament, name=name)
    series_of(evening("Früher", *NAMES), tournament, planned=9)
    return tournament


def page(client: Client) -> str:
    return text_of(client.get("/series/jahr/"))


def values(client: Client) -> dict[str, tuple[str, int | None]]:
    """Return of each player value, and rank before the evening, of a document that keeps what it promises."""
    found = client.get("/series/jahr.json").json()
    assert contradictions(schema_of("/series/{series}.json", "GET", 200), found) == []
    assert found["provisional"] == (not all(each["final"] for each in found["evenings"]))
    return {row["name"]: (row["value"], row["before"]) for row in found["rows"]}


def test_before_the_first_result_the_standing_is_that_of_the_evenings_before(
    client: Client, tonight: Tournament
) -> None:
    before = values(client)
    a_round(tonight)
    assert values(client) == before
    assert OVER not in page(client)


def test_while_an_evening_goes_on_it_counts_as_it_stands_and_is_marked(
    client: Client, tonight: Tournament
) -> None:
    before = values(client)
    a_played_round(tonight)
    assert OVER in page(client)
    assert "„Heute“ läuft noch" in page(client)
    now = values(client)
    assert now.keys() == before.keys()
    assert sum(int(value) for value, _ in now.values()) == 2 * (10 + 8 + 6 + 5 + 4)
    assert {rank for _, rank in now.values()} == {1, 2, 3, 4, 5}
    a_played_round(tonight, 2)
    assert OVER not in page(client)
    assert "Endstand" not in page(client)


def test_a_frozen_evening_freezes_the_year_as_well(client: Client, tonight: Tournament) -> None:
    a_played_round(tonight)
    before = values(client)
    freeze(tonight, **BY)
    second = a_round(tonight, 2)
    for table in second.tables.all():
        a_paper_sheet(table, strokes={5: 9})
    assert values(client) == before
    assert "als die Rangliste angehalten wurde" in page(client)
    close(tonight, 2, at=AT)
    assert values(client) == before
    release(tonight, **BY)
    assert OVER not in page(client)
    assert values(client).keys() == before.keys()


def test_an_end_that_is_kept_for_the_prize_giving_is_not_told_by_the_year(client: Client) -> None:
    desk = prize_evening(10)
    Tournament.objects.update(played_on=timezone.localdate(), names="full")
    series_of(desk.tournament)
    first, second = Table.objects.order_by("number")
    a_paper_sheet(first)
    assert len(values(client)) == 5
    a_paper_sheet(second)
    assert values(client) == {}
    close(desk.tournament, 1, at=AT)
    assert len(values(client)) == 10


LONG_PAST = timezone.localdate() - timedelta(days=9)


@pytest.mark.parametrize(
    "hidden", [{"is_hidden": True}, {"public_until_on": LONG_PAST}, {"played_on": LONG_PAST}]
)
def test_an_evening_that_is_not_everybodys_or_long_past_counts_when_it_is_over(
    client: Client, tonight: Tournament, hidden: dict[str, Any]
) -> None:
    before = values(client)
    a_played_round(tonight)
    Tournament.objects.filter(pk=tonight.pk).update(**hidden)
    assert values(client) == before


def test_the_page_is_kept_current_and_an_unchanged_one_is_not_sent_again(
    client: Client, tonight: Tournament
) -> None:
    for address in ("/series/jahr/", "/series/jahr.json"):
        tag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert f'data-live="/t/{tonight.slug}/live"' in page(client)
    Tournament.objects.update(played_on=AT.date())
    assert "data-live=" not in page(client)


def test_players_are_named_as_the_evening_names_them(client: Client, tonight: Tournament) -> None:
    tonight.participants.filter(name="Anna Berg").update(names="short")
    a_played_round(tonight)
    assert "Anna B." in values(client)
    Tournament.objects.filter(pk=tonight.pk).update(names="number")
    assert set(values(client)) == {"", "Anna B."}  # her own wish
