"""What holds for a year's standing whatever happens to its evenings and its people afterwards."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction

from scoring.models import Evening, EveningResult, Series
from scoring.public.series import series_document
from scoring.queries.series import series_page
from scoring.services import ending, exclusion
from scoring.services.projection import rebuild_results
from scoring.services.purge import delete_tournament, erase_from_club, erase_person
from scoring.services.standings import freeze, release
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tests.scoring.organiser.test_series import PEOPLE, evening, series_of, values
from tests.scoring.services.test_evenings import correct
from tests.tournaments.services.test_people import a_person
from tournaments.core.person_search import words_of
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, Participant, Person, Table, Tournament
from tournaments.services.people import merge, split

pytestmark = pytest.mark.django_db

BY: dict[str, Any] = {"by": "leitung", "at": AT}
TODAY = AT.date()
NAMES = tuple(name.partition("/")[0] for name in PEOPLE)


def document(series: Series) -> dict[str, Any]:
    return series_document(series_page(series, today=TODAY))


def appear(player: Participant, person: Person) -> None:
    Appearance.objects.create(participant=player, person=person, how="typed", **BY)


@pytest.mark.parametrize("rule", ["best-seven", "sum-of-three", "cup-with-final"])
def test_a_correction_two_years_later_equals_having_been_right_at_once(rule: str) -> None:
    first, second = evening("Erster", *PEOPLE), evening("Zweiter", *PEOPLE)
    made = series_of(first, second, rule=rule)
    wrong = document(made)
    with transaction.atomic():
        correct(first, strokes={2: 3, 4: 1})
        right = document(made)
        transaction.set_rollback(True)
    assert document(made) == wrong != right
    freeze(second, **BY)
    exclusion.exclude(second, 1, reason="Grund", **BY)
    exclusion.readmit(second, 1, **BY)
    release(second, **BY)
    correct(first, strokes={2: 3, 4: 1}, at=AT + timedelta(days=730))
    assert document(made) == right


def running(name: str, rounds: int) -> Tournament:
    tournament = TournamentFactory.create(name=name)
    tournament.ruleset |= {"rounds": rounds}
    tournament.save()
    for person in NAMES:
        ParticipantFactory.create(tournament=tournament, name=person)
    return tournament


def play_on(tournament: Tournament) -> None:
    number = tournament.rounds.count() + 1
    if number <= tournament.ruleset["rounds"]:
        a_played_round(tournament, number)


@pytest.mark.parametrize("seed", range(3))
def test_after_any_sequence_of_changes_rebuilding_finds_no_difference(seed: int) -> None:
    chance = Random(seed)
    tournaments = [running(f"Abend {number}", rounds) for number, rounds in enumerate((1, 2, 2, 3))]
    people = [a_person(f"Person {number}") for number in range(12)]
    for tournament in tournaments:
        for player, person in zip(tournament.participants.all(), chance.sample(people, 5), strict=True):
            appear(player, person)
    made = series_of(*tournaments)

    def one() -> Tournament:
        return chance.choice(list(Tournament.objects.all()))

    def seldom() -> None:
        tournament, is_kept = one(), chance.random() < 0.5
        if Tournament.objects.count() > 1:
            delete_tournament(tournament, typed=tournament.name, from_series=not is_kept, **BY)
        erase_from_club(chance.choice(people).key, **BY)

    often: list[Callable[[], object]] = [
        lambda: play_on(one()),
        lambda: ending.end_evening(one(), reason="zu spät", **BY),
        lambda: ending.resume_evening(one()),
        lambda: correct(one(), strokes={chance.randint(1, 5): 2}),
        lambda: merge(*(person.key for person in chance.sample(people, 2))),
        lambda: split(chance.choice(people).key),
        lambda: erase_person(one(), chance.randint(1, 5), **BY),
    ]
    actions = [*3 * often, seldom]
    done = 0
    for _ in range(60):
        try:
            with transaction.atomic():
                chance.choice(actions)()
        except (Refusal, Table.DoesNotExist):
            continue
        done += 1
        assert [line for each in Tournament.objects.all() for line in rebuild_results(each)] == []
        series_page(made, today=TODAY)
    assert done > 25


SPLIT = 250
"""Players whose rows are merged and split at random, each a sequence of its own; one season has them all."""


def a_season_of_rows(chance: Random) -> tuple[Series, dict[str, list[Participant]]]:
    """Return a series of three evenings, each with most of SPLIT players, and the participants by name."""
    players: dict[str, list[Participant]] = {f"Spieler {number:03d}": [] for number in range(SPLIT)}
    tournaments = [TournamentFactory.create(name=f"Abend {number}") for number in range(3)]
    for tournament in tournaments:
        came = [name for name in players if chance.random() < 0.8]
        ranks = chance.choices(range(1, SPLIT), k=len(came))
        evening = Evening.objects.create(tournament=tournament)
        results, people = [], []
        for number, (name, rank) in enumerate(zip(came, ranks, strict=True), start=1):
            player = Participant(tournament=tournament, start_number=number, name=name, registered_at=AT)
            players[name].append(player)
            people.append(player)
            figures = {"shared": False, "points": -rank, "strokes": rank % 7, "table_wins": rank % 3}
            results.append(EveningResult(evening=evening, participant=player, rank=rank, **figures))
        Participant.objects.bulk_create(people)
        EveningResult.objects.bulk_create(results)
    return series_of(*tournaments, rule="cup-with-final"), players


@pytest.mark.parametrize("seed", range(4))
def test_1000_sequences_of_merging_and_undoing_end_in_the_standing_of_people_who_were_never_split(
    seed: int,
) -> None:
    """A sequence merges rows of one player, and now and then one with a row of somebody else, and undoes some of it."""
    chance = Random(seed)
    made, players = a_season_of_rows(chance)
    expected = document(made)
    rows = {
        name: [Person(name=name, words=words_of(name), town=f"{player.tournament_id}") for player in here]
        for name, here in players.items()
    }
    everybody = [person for of_one in rows.values() for person in of_one]
    Person.objects.bulk_create(everybody)
    Appearance.objects.bulk_create(
        Appearance(participant=player, person=person, how="typed", **BY)
        for name, here in players.items()
        for player, person in zip(here, rows[name], strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # so that indexes are used, although all is in one transaction
    refused = 0
    for of_one in chance.choices([of_one for of_one in rows.values() if of_one], k=2 * SPLIT):
        one, other = chance.choice(of_one), chance.choice(everybody if chance.random() < 0.2 else of_one)
        try:
            merge(one.key, other.key)
        except Refusal:
            refused += 1
            split(one.key)
    assert 0 < refused < 2 * SPLIT
    assert differing(document(made), expected)
    for merged in Person.objects.exclude(merged_into=None):
        split(merged.key)
    assert len(document(made)["rows"]) == len(everybody)
    for of_one in rows.values():
        for person, following in pairwise(chance.sample(of_one, len(of_one))):
            merge(person.key, following.key)
    assert differing(document(made), expected) == []


def differing(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Return the names of players whose rows differ; the order of those who share a rank is that of their keys."""
    rows, others = (
        {row["name"]: row | {"player": None} for row in each["rows"]} for each in (found, expected)
    )
    return sorted(name for name in rows.keys() | others.keys() if rows.get(name) != others.get(name))


def test_an_evening_that_outlives_its_tournament_goes_on_to_count_with_people_of_the_club() -> None:
    first, second = evening("Erster", *NAMES), evening("Zweiter", *NAMES)
    for name in NAMES[:2]:
        person = a_person(name)
        for tournament in (first, second):
            appear(tournament.participants.get(name=name), person)
    made = series_of(first, second, rule="sum-of-three")
    before, scores = values(made), series_page(made, today=TODAY).evenings
    delete_tournament(first, typed="Erster", from_series=False, **BY)
    after = series_page(made, today=TODAY)
    assert {name: value for name, value in values(made).items() if name in NAMES[:2]} == {
        name: before[name] for name in NAMES[:2]
    }
    assert [(each.kind, sorted(score[1:] for score in each.scores)) for each in after.evenings] == [
        (each.kind, sorted(score[1:] for score in each.scores)) for each in scores
    ]
    assert [head.name for head in after.heads] == ["Erster", "Zweiter"]
    delete_tournament(second, typed="Zweiter", **BY)
    assert [str(each) for each in made.evenings.all()] == ["Erster"]
