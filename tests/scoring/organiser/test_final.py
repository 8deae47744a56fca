"""The final of a series: an evening like the last one, and those who may play it are on its list."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.core.series_rule import SeriesRule, series_preset
from scoring.models import Series
from scoring.queries.series import series_page
from scoring.services.purge import erase_person
from scoring.services.series import choose_evenings, make_series
from tests.factories import AT, UserFactory, enter
from tests.scoring.organiser.test_series import PEOPLE, evening, places, series_of
from tests.scoring.pages import text_of
from tests.tournaments.services.test_people import a_person
from tournaments.models import Appearance, Person, Tournament
from tournaments.services.people import merge

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
ADDRESS = "/o/+/series/jahr/final/"
BODY = {"name": "Finale 2026", "played_on": "19.12.2026"}


@pytest.fixture
def client_of_owner(client: Client) -> Client:
    enter(client, UserFactory.create(is_superuser=True))
    return client


def appear(tournament: Tournament, name: str, person: Person) -> None:
    player = tournament.participants.get(name=name)
    Appearance.objects.create(participant=player, person=person, how="typed", **BY)


def a_season() -> list[Tournament]:
    """Two evenings; Emil comes to the second as a person who has played the first under another name, and Fritz is new."""
    first = evening("Erster", *PEOPLE)
    second = evening("Zweiter", "Anna Berg/SV Hof", "Bert Maier", "Carl Huber", "Emil Anders", "Fritz Ott")
    Tournament.objects.filter(pk=second.pk).update(place="Gasthof Krone", hides_amounts=True)
    old, new = a_person("Emil Lang"), a_person("Emil Anders", town="Au")
    appear(first, "Emil Lang", old)
    appear(second, "Emil Anders", new)
    merge(old.key, new.key)
    return [first, second]


def listed(tournament: Tournament) -> list[str]:
    return [player.name for player in tournament.participants.order_by("start_number")]


def test_the_qualified_are_announced_for_an_evening_like_the_last_one(client_of_owner: Client) -> None:
    series = series_of(*a_season(), rule="cup-with-final")
    page = text_of(client_of_owner.get(reverse("organiser:series", args=["jahr"])))
    assert "Zurzeit sind 6 Spieler dabei." in page
    asked = text_of(client_of_owner.get(ADDRESS))
    assert "eingerichtet wie „Zweiter“" in asked
    made = client_of_owner.post(ADDRESS, BODY)
    final = Tournament.objects.get(name="Finale 2026")
    assert made["Location"] == f"/o/{final.slug}/door/list/"
    assert (final.place, final.hides_amounts, final.rules.rounds) == ("Gasthof Krone", True, 1)
    by_rank = [line.known_as[0] for line in series_page(series, today=AT.date()).lines]
    assert listed(final) == by_rank
    assert sorted(by_rank) == [
        "Anna Berg", "Bert Maier", "Carl Huber", "Dora Kern", "Emil Anders", "Fritz Ott"
    ]  # fmt: skip
    assert set(final.participants.values_list("presence", flat=True)) == {"announced"}
    emil = final.participants.get(appearance__isnull=False)
    assert (emil.appearance.person.name, emil.appearance.how, emil.town) == ("Emil Anders", "list", "Au")
    assert final.participants.get(name="Anna Berg").club == "SV Hof"
    assert not series.evenings.filter(tournament=final).exists()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"final": "first", "final_places": 2}, 2),
        ({"final": "winners"}, 1),
        ({"final": "table_winners"}, 1),
        ({"least_evenings": 2}, 0),
    ],
)
def test_the_rule_says_who_may_play_it(
    client_of_owner: Client, changes: dict[str, Any], expected: int
) -> None:
    tournament = evening("Abend", *PEOPLE)
    rule = SeriesRule.from_dict(series_preset("cup-with-final").to_dict() | changes)
    series = make_series(slug="jahr", name="Jahr", rule=rule, planned=None, at=AT)
    choose_evenings(series, [tournament.pk])
    answer = client_of_owner.post(ADDRESS, BODY)
    if not expected:
        assert "Noch ist niemand für das Finale dabei." in text_of(answer)
        assert Tournament.objects.count() == 1
        return
    final = Tournament.objects.get(name="Finale 2026")
    best = sorted(places(tournament).items(), key=lambda place: place[1])
    assert listed(final) == [name for name, _rank in best[:expected]]


def test_who_was_erased_is_not_invited_and_without_a_final_nobody_is(client_of_owner: Client) -> None:
    tournament = evening("Abend", *PEOPLE)
    series = series_of(tournament, rule="cup-with-final")
    erase_person(tournament, tournament.participants.get(name="Bert Maier").start_number, **BY)
    client_of_owner.post(ADDRESS, BODY)
    names = {name.partition("/")[0] for name in PEOPLE}
    assert set(listed(Tournament.objects.get(name="Finale 2026"))) == names - {"Bert Maier"}
    none = replace(series_preset("cup-with-final"), final="none")
    Series.objects.filter(pk=series.pk).update(rule=none.to_dict())
    assert "Finale anlegen" not in text_of(client_of_owner.get(reverse("organiser:series", args=["jahr"])))


def test_a_final_needs_an_evening(client_of_owner: Client) -> None:
    series_of(rule="cup-with-final")
    said = text_of(client_of_owner.post(ADDRESS, BODY, follow=True))
    assert "Für ein Finale fehlt ein Abend dieser Jahreswertung." in said
    assert "Finale anlegen" not in said
    assert Tournament.objects.count() == 0
