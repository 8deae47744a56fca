"""People of the club: who a participant is, doubles that are merged and split again, consents, corrections."""

from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import InternalError
from pytest_django import DjangoAssertNumQueries

from tests.factories import AT, ParticipantFactory, TournamentFactory
from tests.tournaments.door.doors import Cashier
from tournaments.core.person_search import words_of
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import FixedTable
from tournaments.models import Appearance, Consent, Participant, Person, PersonChange, Tournament
from tournaments.queries.people import known_people, person_to_take, whole_person
from tournaments.services import door, people
from tournaments.services.door import Newcomer
from tournaments.services.draw_settings import add_wish
from tournaments.services.people_lists import announce

pytestmark = pytest.mark.django_db

SIGNED = {"by": "kasse", "at": AT}


@pytest.fixture
def evening() -> Tournament:
    made: Tournament = TournamentFactory.create()
    return made


def a_person(name: str, **more: object) -> Person:
    return Person.objects.create(name=name, words=words_of(name), **more)


def appear(person: Person, tournament: Tournament) -> Participant:
    player: Participant = ParticipantFactory.create(tournament=tournament, name=person.name)
    person.appearances.create(participant=player, how="suggested", by="kasse", at=AT)
    return player


def found(tournament: Tournament, text: str) -> list[str]:
    return [person.name for person in known_people(tournament, text)]


# --- who somebody is -----------------------------------------------------------------------------------------------


def test_a_player_is_remembered_with_the_consent_that_was_given_at_the_door(evening: Tournament) -> None:
    ParticipantFactory.create(tournament=evening, name="Huber Sepp", club="SV Ort", town="Hof", names="short")
    person = people.remember(evening, 1, by="kasse", at=AT)
    kept = (person.name, person.club, person.town, person.names)
    assert kept == ("Huber Sepp", "SV Ort", "Hof", "short")
    assert list(person.consents.values_list("what", "is_given", "given_on", "how")) == [
        ("keep", True, AT.date(), "door")
    ]
    assert list(person.appearances.values_list("participant__start_number", "how")) == [(1, "typed")]
    with pytest.raises(Refusal, match="already_remembered"):
        people.remember(evening, 1, by="kasse", at=AT)
    assert Person.objects.count() == 1


def test_taking_it_back_leaves_the_player_and_nothing_else(evening: Tournament) -> None:
    ParticipantFactory.create(tournament=evening)
    people.remember(evening, 1, by="kasse", at=AT)
    people.take_back_recognition(evening, 1)
    assert (Person.objects.count(), Consent.objects.count(), evening.participants.count()) == (0, 0, 1)


def test_taking_it_back_leaves_a_member_and_whoever_played_before(evening: Tournament) -> None:
    member, regular = a_person("Kern Lena", member_number="7"), a_person("Huber Sepp")
    Appearance.objects.filter(participant=appear(member, evening)).update(how="typed")
    appear(regular, evening)
    for start_number in (1, 2):
        people.take_back_recognition(evening, start_number)
    assert Person.objects.count() == 2
    assert not Appearance.objects.filter(participant__tournament=evening).exists()


def test_a_person_brings_their_wish_for_the_name_unless_the_player_has_another(evening: Tournament) -> None:
    shy = a_person("Kern Lena", names="number")
    ParticipantFactory.create(tournament=evening)
    people.recognise(evening, 1, shy.key, how=Appearance.Way.SUGGESTED, by="kasse", at=AT)
    assert evening.participants.get().names == "number"
    assert PersonChange.objects.get().kind == "naming"
    other = TournamentFactory.create()
    ParticipantFactory.create(tournament=other, names="full")
    people.recognise(other, 1, shy.key, how=Appearance.Way.SUGGESTED, by="kasse", at=AT)
    assert other.participants.get().names == "full"


def test_nobody_is_two_players_of_one_evening(evening: Tournament) -> None:
    sepp, double = a_person("Huber Sepp"), a_person("Sepp Huber")
    appear(double, evening)
    people.merge(double.key, sepp.key)
    ParticipantFactory.create(tournament=evening)
    with pytest.raises(Refusal, match="sits_here_already"):
        people.recognise(evening, 2, sepp.key, how=Appearance.Way.SUGGESTED, by="kasse", at=AT)


def test_a_registration_that_is_taken_back_was_nobodys_evening(evening: Tournament) -> None:
    appear(a_person("Huber Sepp"), evening)
    door.take_back_registration(evening, 1, by="kasse", at=AT)
    assert not Appearance.objects.exists()


@pytest.mark.parametrize("state", ["merged", "erased", "unknown"])
def test_who_is_merged_erased_or_unknown_is_taken_by_nobody(evening: Tournament, state: str) -> None:
    ParticipantFactory.create(tournament=evening)
    person = a_person("Huber Sepp")
    if state == "merged":
        people.merge(person.key, a_person("Sepp Huber").key)
    elif state == "erased":
        Person.objects.update(name="", words="", erased_at=AT)
    key = uuid4() if state == "unknown" else person.key
    with pytest.raises(Refusal, match="person_gone"):
        people.recognise(evening, 1, key, how=Appearance.Way.SUGGESTED, by="kasse", at=AT)
    assert person_to_take(str(key)) is None
    assert person_to_take("nobody") is None


def test_a_player_of_a_list_is_offered_the_only_person_of_this_name_and_town(evening: Tournament) -> None:
    a_person("Huber Sepp", town="Selb")
    sepp = a_person("Sepp Huber", town="Hof")
    desk = Cashier(tournament=evening)
    announce(
        evening, [Newcomer("Huber, Sepp", details={"town": "hof"}), Newcomer("Kern Lena")], by="kasse", at=AT
    )
    page = desk.client.get(desk.url("person", 1)).content.decode()
    assert "Schon bekannt, aus Hof? Ja" in page
    assert not Appearance.objects.exists()
    desk.client.post(desk.url("act", 1, "recognise"))
    assert Appearance.objects.values_list("person", "how").get() == (sepp.key, "list")
    assert "Schon bekannt" not in desk.client.get(desk.url("person", 1)).content.decode()
    assert "Schon bekannt" not in desk.client.get(desk.url("person", 2)).content.decode()


def test_of_two_people_with_one_name_and_town_nobody_is_offered(evening: Tournament) -> None:
    for _at in range(2):
        a_person("Huber Sepp")
    ParticipantFactory.create(tournament=evening, name="Huber Sepp")
    with pytest.raises(Refusal, match="person_gone"):
        people.recognise_namesake(evening, 1, by="kasse", at=AT)


# --- the search ----------------------------------------------------------------------------------------------------


def test_people_are_found_from_three_letters_by_the_beginnings_of_words(evening: Tournament) -> None:
    a_person("Müller Sepp"), a_person("O'Brien-Kern, Lena"), a_person("Dr. Straßer")
    assert [found(evening, text) for text in ("mu", "mul", "muel", "MÜL", "se mü", "üll")] == [
        [],
        *[["Müller Sepp"]] * 4,
        [],
    ]
    assert [found(evening, text) for text in ("o'br", "kern le", "strasser", "straße")] == [
        ["O'Brien-Kern, Lena"],
        ["O'Brien-Kern, Lena"],
        ["Dr. Straßer"],
        ["Dr. Straßer"],
    ]


@pytest.mark.parametrize(
    "text", ["'''a b c", "abc:* | !x", "a\\bc\\", "abc\0", "&&&abc", "   ", "()abc", "𝒜bc''"]
)
def test_no_text_is_a_query_of_its_own(evening: Tournament, text: str) -> None:
    a_person("Huber Sepp")
    assert found(evening, text) == []


def test_who_sat_last_comes_first_and_who_sits_here_is_left_out(
    evening: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    earlier, later = (TournamentFactory.create(played_on=f"2026-{month}-01") for month in ("03", "10"))
    for number, town in enumerate(("Hof", "Selb", "Rehau", "Naila")):
        person = a_person("Huber Sepp", town=town)
        for tournament in [(earlier, later), (earlier,), (), (earlier, evening)][number]:
            appear(person, tournament)
    with django_assert_num_queries(1):
        rows = known_people(evening, "hub")
    assert [(row.town, row.last_on and row.last_on.month) for row in rows] == [
        ("Hof", 10),
        ("Selb", 3),
        ("Rehau", None),
    ]


def test_a_merged_row_brings_its_evening_and_is_no_suggestion_of_its_own(evening: Tournament) -> None:
    sepp, double = a_person("Huber Sepp"), a_person("Sepp Huber")
    appear(double, TournamentFactory.create(played_on="2026-05-01"))
    people.merge(double.key, sepp.key)
    (row,) = known_people(evening, "huber")
    assert (row.key, row.last_on and row.last_on.month) == (sepp.key, 5)


def test_of_very_many_only_eight_are_suggested(evening: Tournament) -> None:
    for number in range(20):
        a_person(f"Huber Sepp {number:02}")
    assert found(evening, "huber") == [f"Huber Sepp {number:02}" for number in range(8)]


# --- doubles -------------------------------------------------------------------------------------------------------


def resolved() -> set[frozenset[UUID]]:
    """Return who is one person, as the rows say: each group once."""
    roots = Person.objects.filter(merged_into=None).values_list("key", flat=True)
    return {frozenset(whole_person(key)) for key in roots}


def joined(keys: list[UUID], into: dict[UUID, UUID]) -> set[frozenset[UUID]]:
    """Return the same from the mergings that stand, whatever was merged and split before."""
    groups = {key: {key} for key in keys}
    for one, other in into.items():
        together = groups[one] | groups[other]
        groups |= dict.fromkeys(together, together)
    return {frozenset(group) for group in groups.values()}


def test_after_a_thousand_mergings_and_splits_the_same_people_are_one_as_without_the_splits() -> None:
    random = Random(33)
    keys = [a_person("Huber Sepp").key for _ in range(7)]
    into: dict[UUID, UUID] = {}
    for step in range(1000):
        one, other = random.choice(keys), random.choice(keys)
        if one in into:
            people.split(one)
            del into[one]
        elif one == other or other in into:
            with pytest.raises(Refusal):
                people.merge(one, other)
        else:
            people.merge(one, other)
            into[one] = other
        if step % 50 == 0:
            assert resolved() == joined(keys, into)
    assert resolved() == joined(keys, into)
    for one in list(into):
        people.split(one)
    assert resolved() == joined(keys, {})


def test_two_who_sat_in_one_evening_are_not_one(evening: Tournament) -> None:
    one, other, third = a_person("Huber Sepp"), a_person("Sepp Huber"), a_person("Huber S.")
    appear(one, evening)
    appear(other, evening)
    people.merge(third.key, one.key)
    with pytest.raises(Refusal, match="both_in_one_evening"):
        people.merge(other.key, one.key)
    with pytest.raises(Refusal, match="same_person"):
        people.merge(one.key, one.key)
    with pytest.raises(Refusal, match="person_gone"):
        people.merge(one.key, third.key)
    assert Person.objects.filter(merged_into=None).count() == 2


# --- what the database holds ---------------------------------------------------------------------------------------


def test_a_consent_stays_as_it_was_written_and_the_latest_holds() -> None:
    person = a_person("Huber Sepp")
    for is_given in (True, False):
        people.record_consent(person.key, what="honours", is_given=is_given, on=AT.date(), how="paper")
    latest = person.consents.order_by("-pk")[0]
    assert latest.is_given is False
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for statement in (
        "UPDATE tournaments_consent SET is_given = true",
        "DELETE FROM tournaments_consent",
        "TRUNCATE tournaments_consent",
    ):
        with (
            pytest.raises((IntegrityError, InternalError)),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert person.consents.count() == 2


@pytest.mark.parametrize(
    "change",
    [
        "merged_into_id = key",
        "name = ''",
        "erased_at = now()",
        "names = 'loud'",
        "member_number = '7'",
    ],
)
def test_the_database_refuses(change: str) -> None:
    a_person("Kern Lena", member_number="7")
    a_person("Huber Sepp")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tournaments_person SET {change} WHERE name = 'Huber Sepp'")


def test_a_correction_is_found_by_the_new_name_and_no_number_is_given_twice(evening: Tournament) -> None:
    lena, sepp = a_person("Kern Lena", member_number="7"), a_person("Huber Sepp")
    texts = {
        "club": "",
        "town": " Hof ",
        "fee": "",
        "names": "",
        "member_from_on": None,
        "member_until_on": None,
    }
    people.edit_person(sepp.key, name="Huber  Josef", member_number="8", **texts)  # type: ignore[arg-type]
    assert found(evening, "josef hub") == ["Huber Josef"]
    with pytest.raises(Refusal, match="member_number_taken"):
        people.edit_person(lena.key, name="Kern Lena", member_number="8", **texts)  # type: ignore[arg-type]


# --- wishes for every draw -----------------------------------------------------------------------------------------

NOTHING: dict[str, Any] = {
    "club": "",
    "town": "",
    "member_number": "",
    "member_from_on": None,
    "member_until_on": None,
    "fee": "",
    "names": "",
}


def wish(person: Person, *, table: int | None = None, apart: tuple[str, ...] = ()) -> None:
    people.edit_person(person.key, name=person.name, table=table, apart=apart, **NOTHING)


def wishes(evening: Tournament) -> list[dict[str, Any]]:
    evening.refresh_from_db()
    return [{key: value for key, value in each.items() if key != "reason"} for each in evening.wishes]


def take(evening: Tournament, number: int, person: Person) -> None:
    people.recognise(evening, number, person.key, how=Appearance.Way.SUGGESTED, by="kasse", at=AT)


def test_who_is_known_brings_the_table_and_the_keep_aparts_of_those_who_are_here(evening: Tournament) -> None:
    sepp, lena, karl = (a_person(name) for name in ("Huber Sepp", "Kern Lena", "Auer Karl"))
    other_lena = a_person("Lena Kern")
    people.merge(other_lena.key, lena.key)
    wish(sepp, table=2, apart=("Kern Lena", "Auer Karl"))
    for person in (other_lena, sepp, karl):
        ParticipantFactory.create(tournament=evening, name=person.name)
    Appearance.objects.create(
        participant=evening.participants.get(start_number=1), person=other_lena, how="typed", **SIGNED
    )
    take(evening, 2, sepp)
    mine = [{"kind": "fixed_table", "player": 2, "table": 2}, {"kind": "keep_apart", "a": 2, "b": 1}]
    assert wishes(evening) == mine
    take(evening, 3, karl)
    assert wishes(evening) == [*mine, {"kind": "keep_apart", "a": 3, "b": 2}]
    people.take_back_recognition(evening, 2)
    assert wishes(evening) == []


def test_what_was_entered_for_tonight_goes_before_the_usual_table(evening: Tournament) -> None:
    sepp = a_person("Huber Sepp")
    wish(sepp, table=2)
    ParticipantFactory.create(tournament=evening, name="Huber Sepp")
    add_wish(evening, FixedTable(1, 5, "heute am Fenster"))
    take(evening, 1, sepp)
    assert wishes(evening) == [{"kind": "fixed_table", "player": 1, "table": 5}]


def test_keep_aparts_go_both_ways_and_name_one_known_person_each() -> None:
    sepp, lena = a_person("Huber Sepp"), a_person("Kern Lena")
    wish(sepp, apart=("Kern Lena",))
    assert list(lena.apart.all()) == [sepp]
    a_person("Kern Lena", town="Hof")
    wish(sepp, table=3, apart=("Kern Lena",))  # still the one who was meant
    assert list(sepp.apart.all()) == [lena]
    wish(sepp)
    for name in ("Kern Lena", "Niemand", "Huber Sepp"):
        with pytest.raises(Refusal, match="apart_unknown"):
            wish(sepp, apart=(name,))
    with pytest.raises(Refusal, match="unknown_table"):
        wish(sepp, table=0)
    assert list(lena.apart.all()) == []
