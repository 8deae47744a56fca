"""Titelverteidiger: who won the evening before is marked on the wall, on the seat list, and named at the microphone."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from scoring.queries.title_holders import title_holders
from scoring.services.standings import freeze, release
from tests.factories import AT, a_paper_sheet
from tests.scoring.organiser.test_series import PEOPLE, evening
from tests.scoring.pages import Staff, text_of
from tests.scoring.paired import paired_client
from tests.tournaments.services.test_people import a_person, appear
from tournaments.models import Consent, Person, Tournament
from tournaments.services.people import merge, record_consent, remember

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
BEFORE = AT.date() - timedelta(days=30)


@pytest.fixture
def desk() -> Staff:
    return Staff(5)


def allow(person: Person, *, is_given: bool = True) -> None:
    record_consent(person.key, what=Consent.What.HONOURS, is_given=is_given, on=BEFORE, how="paper")


def winner_of(played: Tournament) -> Person:
    """Return the winner, as a person of the club."""
    return remember(played, played.participants.get(evening_result__rank=1).start_number, **BY)


def champion_at(desk: Staff, **fields: Any) -> int:
    """Return the number of the winner of an evening before, who may be named and plays again."""
    person = winner_of(evening("Frühjahr", *PEOPLE, day=BEFORE, **fields))
    allow(person)
    return appear(person, desk.tournament).start_number


def test_wall_seat_list_and_microphone_say_who_defends_the_title(desk: Staff) -> None:
    number = champion_at(desk)
    name = desk.tournament.participants.get(start_number=number).name
    assert f"Den Titel verteidigt {name}." in text_of(desk.client.get(desk.url("announce")))
    desk.draw()
    wall = paired_client(desk.tournament).get(f"/t/{desk.tournament.slug}/screen/")
    paper = desk.client.get(desk.url("print_seating", 1))
    for page in (wall, paper):
        assert text_of(page).count("Titelverteidiger") == 1
    assert f"Den Titel verteidigt {name}." in text_of(desk.client.get(desk.url("announce")))
    a_paper_sheet(desk.table(1))
    assert "Titel" not in text_of(desk.client.get(desk.url("announce")))


def test_only_who_may_be_named_in_honours_is_marked(desk: Staff) -> None:
    person = winner_of(evening("Frühjahr", *PEOPLE, day=BEFORE))
    player = appear(person, desk.tournament)
    assert title_holders(desk.tournament) == set()
    allow(person)
    assert title_holders(desk.tournament) == {player.start_number}
    allow(person, is_given=False)
    assert title_holders(desk.tournament) == set()


def test_who_is_shown_as_a_number_is_not_marked(desk: Staff) -> None:
    number = champion_at(desk)
    desk.draw()
    Tournament.objects.filter(pk=desk.tournament.pk).update(names="number")
    page = Client().get(f"/t/{desk.tournament.slug}/screen/")
    assert "Titelverteidiger" not in text_of(page)
    desk.tournament.participants.filter(start_number=number).update(names="number")
    assert title_holders(desk.tournament) == set()


def test_the_evening_is_the_latest_one_before_this_with_points_of_the_same_kind_that_everybody_may_see(
    desk: Staff,
) -> None:
    number = champion_at(desk)
    later = {"day": BEFORE + timedelta(days=7)}
    evening("Versteckt", *PEOPLE, is_hidden=True, **later)
    evening("Nach diesem Abend", *PEOPLE, day=desk.tournament.played_on + timedelta(days=1))
    other = evening("Anderes Spiel", *PEOPLE, **later)
    Tournament.objects.filter(pk=other.pk).update(ruleset=other.ruleset | {"sheet": {"kind": "other"}})
    held = evening("Angehalten", *PEOPLE, **later)
    freeze(held, **BY)
    assert title_holders(desk.tournament) == {number}
    release(held, **BY)
    assert title_holders(desk.tournament) == set()


def test_a_merged_winner_is_marked_by_the_consent_of_the_whole_person(desk: Staff) -> None:
    won, plays, whole = (
        winner_of(evening("Frühjahr", *PEOPLE, day=BEFORE)),
        a_person("Anders"),
        a_person("So"),
    )
    player = appear(plays, desk.tournament)
    allow(won)
    merge(won.key, whole.key)
    merge(plays.key, whole.key)
    assert title_holders(desk.tournament) == {player.start_number}


def test_those_who_shared_the_first_rank_defend_it_together(desk: Staff) -> None:
    before = evening("Frühjahr", *PEOPLE, day=BEFORE)
    people = [remember(before, number, **BY) for number in (1, 2)]
    before.evening.results.update(rank=1, shared=True)
    for person in people:
        allow(person)
        appear(person, desk.tournament)
    assert len(title_holders(desk.tournament)) == 2
