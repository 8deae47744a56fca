"""Names become numbers when nothing allows them any longer: of whom, when, and without a change of any number."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from schnauz_turnier.background.forgetting import forget_here
from scoring.core.series_rule import series_preset
from scoring.queries.retention import notices
from scoring.queries.series import series_page
from scoring.services.projection import rebuild_results
from scoring.services.retention import forget_names
from scoring.services.series import choose_evenings, make_series
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_played_round, enter
from tests.scoring.organiser.test_series import PEOPLE, series_of
from tests.scoring.pages import text_of
from tests.tournaments.public.test_club import KARO
from tests.tournaments.services.test_people import a_person
from tournaments.core.refusal import Refusal
from tournaments.models import Deletion, Payment, Person, Tournament
from tournaments.queries.club import ClubDetails
from tournaments.services import door
from tournaments.services.club import set_club
from tournaments.services.people import merge, record_consent

TODAY = AT.date()
CLUB = replace(KARO, name_days=30)
NAMES = tuple(name.partition("/")[0] for name in PEOPLE)


def noon(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time(12)))


def club(settings: ClubDetails = CLUB, *, days_ago: int = 400) -> None:
    set_club(settings, by="inhaber", at=AT - timedelta(days=days_ago))


def evening(days_ago: int, *people: Person, is_over: bool = True, **fields: Any) -> Tournament:
    """Create an evening of one round with these people of the club first, then others up to five."""
    day = TODAY - timedelta(days=days_ago)
    made: Tournament = TournamentFactory.create(**{"played_on": day, "public_until_on": None} | fields)
    made.ruleset |= {"rounds": 1 if is_over else 2}
    made.save()
    for name in (*(person.name for person in people), *NAMES[len(people) :]):
        ParticipantFactory.create(tournament=made, name=name)
    for person, player in zip(people, made.participants.order_by("start_number"), strict=False):
        person.appearances.create(participant=player, how="suggested", by="kasse", at=AT)
    a_played_round(made)
    made.rounds.update(drawn_at=noon(day), released_at=noon(day), closed_at=noon(day))
    return made


def consent(person: Person, what: str = "keep", *, is_given: bool = True) -> None:
    record_consent(person.key, what=what, is_given=is_given, on=TODAY, how="own_phone")


def forget() -> int:
    return forget_names(today=TODAY, at=AT)


def named(tournament: Tournament) -> list[str]:
    names = tournament.participants.order_by("start_number").values_list("name", flat=True)
    return [name for name in names if not name.startswith("Nr. ")]


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days_ago", "left"), [(30, 5), (31, 0)])
def test_after_thirty_days_only_numbers_are_left(days_ago: int, left: int) -> None:
    club()
    tournament = evening(days_ago)
    door.take_fee(tournament, 1, by="kasse", at=AT)
    assert (forget(), len(named(tournament))) == (5 - left, left)
    assert forget() == 0
    assert (Payment.objects.count(), rebuild_results(tournament)) == (1, [])
    assert list(Deletion.objects.values_list("kind", "players", "start_number", "by")) == (
        [] if left else [("names", 5, None, "")]
    )


def test_without_a_word_of_the_club_nothing_goes_and_with_it_not_for_a_week() -> None:
    tournament = evening(500)
    assert forget() == 0
    club(replace(CLUB, name_days=None))
    assert forget() == 0
    club(days_ago=6)
    assert (forget(), len(notices(TODAY)), len(named(tournament))) == (0, 1, 5)
    club(days_ago=7)
    assert forget() == 5


def test_who_has_allowed_it_stays_named_with_merged_rows_until_it_is_withdrawn() -> None:
    club()
    kept, honoured, silent, withdrew = (a_person(name) for name in NAMES[:4])
    for person in (kept, withdrew):
        consent(person)
    consent(honoured, "honours")
    consent(withdrew, is_given=False)
    other_row = a_person(kept.name)
    merge(other_row.key, kept.key)
    tournament = evening(31, other_row, honoured, silent, withdrew)
    assert (forget(), named(tournament)) == (3, [kept.name, honoured.name])
    names = Person.objects.exclude(name="").values_list("name", flat=True)
    assert sorted(names) == sorted(
        [kept.name, kept.name, honoured.name, silent.name]
    )  # silent: a member, say
    consent(kept, is_given=False)
    assert (forget(), named(tournament)) == (1, [honoured.name])
    assert not Person.objects.filter(name=kept.name).exists()


def test_who_withdrew_one_of_two_consents_stays_and_a_member_does_too() -> None:
    club()
    one, both, member = (
        a_person("Huber Sepp"),
        a_person("Kern Lena"),
        a_person("Auer Karl", member_number="7"),
    )
    for person in (one, both, member):
        consent(person)
        consent(person, "honours", is_given=False)
    for person in (both, member):
        consent(person, is_given=False)
    forget()
    assert sorted(Person.objects.exclude(name="").values_list("name", flat=True)) == [
        "Auer Karl",
        "Huber Sepp",
    ]


def test_who_withdrew_is_known_until_the_last_evening_with_the_name_is_due() -> None:
    club()
    person = a_person(NAMES[0])
    consent(person, is_given=False)
    evenings = evening(31, person), evening(3, person)
    forget()
    person.refresh_from_db()
    assert (person.name, named(evenings[0]), named(evenings[1])[0]) == (NAMES[0], [], NAMES[0])


@pytest.mark.parametrize(
    "fields", [{"is_over": False}, {"public_until_on": TODAY}, {"is_practice": True}], ids=str
)
def test_an_evening_that_is_not_over_or_still_public_keeps_its_names(fields: dict[str, Any]) -> None:
    club()
    assert (len(named(evening(31, **fields))), forget()) == (5, 0)


@pytest.mark.parametrize(
    ("last", "planned", "left"), [(31, None, 0), (29, None, 10), (31, 3, 10), (367, 3, 0), (31, 2, 0)]
)
def test_a_series_names_its_players_until_thirty_days_after_its_end(
    last: int, planned: int | None, left: int
) -> None:
    """Of a series without its last evenings a year counts as the end."""
    club()
    evenings = evening(380, name="Erster"), evening(last, name="Zweiter")
    made = series_of(*evenings, planned=planned)
    before = [line.row for line in series_page(made, today=TODAY).lines]
    forget()
    assert sum(len(named(each)) for each in evenings) == left
    after = [line.row for line in series_page(made, today=TODAY).lines]
    assert [(row.rank, row.value, row.shared) for row in after] == [
        (row.rank, row.value, row.shared) for row in before
    ]


def test_evenings_of_two_series_wait_for_each_other() -> None:
    club()
    first, both, last = (evening(days, name=f"Vor {days}") for days in (300, 200, 3))
    series_of(first, both)
    other = make_series(slug="cup", name="Cup", rule=series_preset("best-seven"), planned=None, at=AT)
    choose_evenings(other, [both.pk, last.pk])
    assert forget() == 0
    assert forget_names(today=TODAY + timedelta(days=28), at=AT) == 15


def test_a_clock_that_is_a_year_ahead_erases_nothing_until_it_is_confirmed() -> None:
    club()
    tournament = evening(3)
    ahead = AT + timedelta(days=400)
    forget_here(ahead, is_steady=False)
    assert len(named(tournament)) == 5
    forget_here(ahead, is_steady=True)
    assert named(tournament) == []


def test_the_overview_names_the_evening_for_a_week_before(client: Client) -> None:
    club()
    evening(24, name="Herbstabend")
    assert [(each.due_on, each.names) for each in notices(TODAY)] == [(TODAY + timedelta(days=7), 5)]
    assert notices(TODAY - timedelta(days=1)) == []
    evening((TODAY - timezone.localdate()).days + 25, name="Winterabend")
    enter(client, UserFactory.create(is_superuser=True))
    assert "5 Namen, Winterabend" in text_of(client.get(reverse("organiser:home")))
    enter(client, UserFactory.create())
    assert "Winterabend" not in text_of(client.get(reverse("organiser:home")))


def test_what_went_is_in_the_list_of_deletions(client: Client) -> None:
    club()
    evening(31)
    forget()
    enter(client, UserFactory.create(is_superuser=True))
    page = text_of(client.get(reverse("account:deletions")))
    assert "5 Namen im Turnier vom" in page
    assert "von selbst, nach der Frist" in page


def test_a_number_of_days_below_the_public_ones_is_refused() -> None:
    with pytest.raises(Refusal, match="name_days_bad"):
        club(replace(CLUB, name_days=29))
