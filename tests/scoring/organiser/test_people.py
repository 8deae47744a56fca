"""The people of the club: search, one person, doubles side by side, consents, the file, and the erasure everywhere."""

import re
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scoring.documents import dump, export_tournament
from scoring.queries.standings import current_standings
from scoring.services.purge import erase_from_club, erase_person
from tests.factories import (
    AT,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_played_round,
    enter,
)
from tests.tournaments.services.test_people import a_person, appear
from tournaments.core.refusal import Refusal
from tournaments.models import Appearance, ClubRole, Consent, Membership, Person, Tournament
from tournaments.queries.people import known_people, life_of
from tournaments.services import people

pytestmark = pytest.mark.django_db

SIGNED: Any = {"by": "leitung", "at": AT}


@pytest.fixture
def organiser() -> User:
    """An organiser of the club."""
    user: User = UserFactory.create()
    ClubRole.objects.create(user=user, role="organiser")
    return user


@pytest.fixture
def browser_of_the_organiser(organiser: User) -> Client:
    client = Client()
    enter(client, organiser)
    return client


def page(client: Client, name: str, *keys: object, query: str = "") -> str:
    response = client.get(reverse(f"organiser:{name}", args=keys) + query)
    assert response.status_code == 200
    return response.content.decode()


def test_people_are_listed_by_name_and_found_by_the_beginnings_of_words(
    browser_of_the_organiser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for name in ("Meier Anna", "Huber Sepp", "Müller Eva"):
        a_person(name)
    people.merge(a_person("Sepp Huber").key, Person.objects.get(name="Huber Sepp").key)
    with django_assert_max_num_queries(8):
        shown = page(browser_of_the_organiser, "club_people")
    assert shown.index("Huber Sepp") < shown.index("Meier Anna") < shown.index("Müller Eva")
    assert "Sepp Huber" not in shown
    found = page(browser_of_the_organiser, "club_people", query="?q=muel")
    assert ("Müller Eva" in found, "Meier Anna" in found) == (True, False)
    assert "Niemand gefunden" in page(browser_of_the_organiser, "club_people", query="?q=xyz")


def test_the_list_says_what_tells_people_of_one_name_apart(browser_of_the_organiser: Client) -> None:
    """Town, club, member number and the last evening, that of a merged row as well."""
    assert "people-search" not in page(browser_of_the_organiser, "club_people")
    a_person("Huber Sepp", town="Hof", club="SC Hof", member_number="7")
    other = a_person("Huber Sepp", town="Selb")
    merged = a_person("Sepp Huber")
    people.merge(merged.key, other.key)
    for person, day in ((other, date(2025, 3, 1)), (merged, date(2026, 3, 7)), (other, date(2024, 3, 2))):
        appear(person, TournamentFactory.create(played_on=day))
    details = re.findall("<span>([^<]*)</span></a></li>", page(browser_of_the_organiser, "club_people"))
    assert details == ["Hof · SC Hof · Nr. 7", "Selb · zuletzt 07.03.2026"]


def test_what_is_kept_is_corrected_and_a_taken_number_is_refused(browser_of_the_organiser: Client) -> None:
    person = a_person("Huber Sepp")
    a_person("Kern Lena", member_number="7")
    address = reverse("organiser:club_person", args=[person.key])
    sent = {"name": "Huber Josef", "town": "Hof", "member_number": "8", "member_from_on": "1.5.1998"}
    assert browser_of_the_organiser.post(address, sent).status_code == 302
    person.refresh_from_db()
    assert (person.name, person.town, person.member_number) == ("Huber Josef", "Hof", "8")
    assert str(person.member_from_on) == "1998-05-01"
    refused = browser_of_the_organiser.post(address, sent | {"member_number": "7"})
    assert refused.status_code == 422
    assert "hat schon Kern Lena" in refused.content.decode()


def test_table_and_keep_aparts_are_kept_shown_and_in_the_file(browser_of_the_organiser: Client) -> None:
    person, other = a_person("Huber Sepp"), a_person("Kern Lena")
    address = reverse("organiser:club_person", args=[person.key])
    sent = {"name": "Huber Sepp", "table": "4", "apart": " Kern  Lena \n\n"}
    assert browser_of_the_organiser.post(address, sent).status_code == 302
    person.refresh_from_db()
    assert (person.table, list(person.apart.all())) == (4, [other])
    shown = browser_of_the_organiser.get(address).context["form"]
    assert (shown["table"].value(), shown["apart"].value()) == ("4", "Kern Lena")
    document = browser_of_the_organiser.get(reverse("organiser:club_person_file", args=[person.key])).json()
    assert (document["table"], document["apart"]) == (4, ["Kern Lena"])
    refused = browser_of_the_organiser.post(address, sent | {"apart": "Niemand"})
    assert refused.status_code == 422
    assert "„Niemand“: So heißt hier niemand anders" in refused.content.decode()


def test_the_latest_word_of_a_kind_holds(browser_of_the_organiser: Client) -> None:
    person = a_person("Huber Sepp")
    address = reverse("organiser:club_person_consent", args=[person.key])
    for is_given in ("1", "0"):
        sent = {"what": "honours", "is_given": is_given, "how": "paper", "on": "21.11.2026"}
        assert browser_of_the_organiser.post(address, sent).status_code == 302
    people.record_consent(person.key, what="keep", is_given=True, on=AT.date(), how="door")
    life = life_of(person.key)
    assert life is not None
    assert (len(life.consents), life.allowed) == (3, frozenset(["keep"]))
    assert browser_of_the_organiser.post(address, {"what": "x"}).status_code == 422


def test_doubles_are_proposed_shown_side_by_side_merged_and_split_again(
    browser_of_the_organiser: Client,
) -> None:
    sepp, double = a_person("Huber Sepp"), a_person("Sepp Hueber", town="Hof")
    appear(sepp, TournamentFactory.create(name="Frühlingsabend"))
    appear(double, TournamentFactory.create(name="Herbstabend"))
    address = reverse("organiser:merge_people", args=[double.key, sepp.key])
    assert address in page(browser_of_the_organiser, "club_person", sepp.key)
    both = page(browser_of_the_organiser, "merge_people", double.key, sepp.key)
    assert "Frühlingsabend" in both
    assert "Herbstabend" in both
    browser_of_the_organiser.post(address)
    shown = page(browser_of_the_organiser, "club_person", sepp.key)
    assert "Frühlingsabend" in shown
    assert "Herbstabend" in shown
    browser_of_the_organiser.post(reverse("organiser:split_person", args=[double.key]))
    assert "Herbstabend" not in page(browser_of_the_organiser, "club_person", sepp.key)
    assert Appearance.objects.get(person=double).participant.tournament.name == "Herbstabend"


def test_two_of_one_evening_stay_two(browser_of_the_organiser: Client) -> None:
    evening = TournamentFactory.create(name="Frühlingsabend")
    keys = [appear(a_person("Huber Sepp"), evening).appearance.person_id for _ in range(2)]
    shown = page(browser_of_the_organiser, "merge_people", *keys)
    assert "Beide haben am selben Abend gespielt (Frühlingsabend)" in shown
    assert "Zusammenlegen" not in shown
    assert str(keys[0]) not in page(browser_of_the_organiser, "club_person", keys[1])
    answer = browser_of_the_organiser.post(reverse("organiser:merge_people", args=keys), follow=True)
    assert "am selben Abend gespielt (Frühlingsabend)" in answer.content.decode()
    assert not Person.objects.exclude(merged_into=None).exists()


def test_the_file_has_everything_that_is_kept(browser_of_the_organiser: Client) -> None:
    person = a_person("Huber Sepp", town="Hof", member_number="7")
    people.merge(a_person("Sepp Huber").key, person.key)
    player = appear(person, TournamentFactory.create(name="Frühlingsabend"))
    people.record_consent(person.key, what="keep", is_given=True, on=AT.date(), how="door")
    response = browser_of_the_organiser.get(reverse("organiser:club_person_file", args=[person.key]))
    kept = response.json()
    assert (kept["name"], kept["town"], kept["member_number"]) == ("Huber Sepp", "Hof", "7")
    assert [other["name"] for other in kept["merged"]] == ["Sepp Huber"]
    assert kept["evenings"] == [
        {
            "date": "2026-11-21",
            "tournament": "Frühlingsabend",
            "start_number": player.start_number,
            "name": "Huber Sepp",
            "how": "suggested",
        }
    ]
    assert kept["consents"] == [{"what": "keep", "is_given": True, "on": str(AT.date()), "how": "door"}]


def test_all_doubles_are_listed_and_lead_to_both_histories(
    browser_of_the_organiser: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    member = a_person("Huber Josef", town="Hof", member_number="7")
    double, _other_town = a_person("Josef Hubr", town="Hof"), a_person("Huber Josef", town="Selb")
    _father, _son = a_person("Kern Karl"), a_person("Kern Karl")
    evening = TournamentFactory.create()
    for person in (_father, _son):
        appear(person, evening)
    with django_assert_max_num_queries(10):
        shown = page(browser_of_the_organiser, "club_doubles")
    assert re.findall("/people/([-0-9a-f]+)/merge/([-0-9a-f]+)/", shown) == [
        (str(double.key), str(member.key))
    ]
    people.merge(double.key, member.key)
    assert "Niemand steht doppelt da." in page(browser_of_the_organiser, "club_doubles")


def test_a_cashier_sees_no_people_and_no_consent() -> None:
    person, user, client = a_person("Huber Sepp"), UserFactory.create(), Client()
    Membership.objects.create(tournament=TournamentFactory.create(), user=user, role="cashier")
    enter(client, user)
    for name, keys in (
        ("club_people", []),
        ("club_members", []),
        ("club_members_file", ["csv"]),
        ("club_doubles", []),
        ("club_person", [person.key]),
        ("club_person_file", [person.key]),
    ):
        assert client.get(reverse(f"organiser:{name}", args=keys)).status_code == 404


# --- erasure -------------------------------------------------------------------------------------------------------


def an_evening_with(person: Person, name: str) -> Tournament:
    evening: Tournament = TournamentFactory.create()
    player = ParticipantFactory.create(
        tournament=evening, name=name, town="Zwiesel", club="SV Rosenmüller", registered_by="kasse"
    )
    person.appearances.create(participant=player, how="typed", by="kasse", at=AT)
    ParticipantFactory.create_batch(5, tournament=evening, name="Kern Lena")
    a_played_round(evening)
    return evening


def places_with(word: str) -> set[str]:
    """Return the tables in which a word stands, in any column."""
    return {
        model.__name__
        for app in ("tournaments", "scoring", "auth")
        for model in apps.get_app_config(app).get_models()
        for row in model._default_manager.values()
        if word in str(row)
    }


def test_after_an_erasure_nothing_holds_the_name_and_every_number_is_as_before(
    browser_of_the_organiser: Client,
) -> None:
    zita = a_person("Zita Rosenmüller", town="Zwiesel", club="SV Rosenmüller", member_number="7")
    double = a_person("Rosenmüller Zita", town="Zwiesel")
    evenings = [an_evening_with(zita, "Zita Rosenmüller"), an_evening_with(double, "Rosenmüller Zita")]
    people.merge(double.key, zita.key)
    people.record_consent(zita.key, what="keep", is_given=True, on=AT.date(), how="door")
    assert places_with("Rosenmüller") == {"Person", "Participant"}
    before = [[(row.rank, row.points) for row in current_standings(evening).rows] for evening in evenings]
    answer = browser_of_the_organiser.post(reverse("organiser:erase_from_club", args=[zita.key]), follow=True)
    assert answer.status_code == 200
    for word in ("Rosenmüller", "rosenmueller", "rosenmuller", "Zita", "Zwiesel"):
        assert places_with(word) == set()
    assert before == [[(row.rank, row.points) for row in current_standings(one).rows] for one in evenings]
    for evening in evenings:
        assert "Rosenm" not in dump(export_tournament(evening))
        assert "Rosenm" not in Client().get(f"/t/{evening.slug}/").content.decode()
    assert known_people(TournamentFactory.create(), "rosenm") == ()
    assert life_of(zita.key) is None
    assert (Appearance.objects.count(), Consent.objects.count()) == (2, 1)
    assert "Rosenm" not in page(browser_of_the_organiser, "club_people")
    with pytest.raises(Refusal, match="person_gone"):
        erase_from_club(zita.key, **SIGNED)


def test_who_is_erased_in_one_evening_is_nobody_known_there() -> None:
    person = a_person("Zita Rosenmüller")
    evening = an_evening_with(person, "Zita Rosenmüller")
    erase_person(evening, 1, **SIGNED)
    assert not Appearance.objects.exists()
    assert Person.objects.get().name == "Zita Rosenmüller"


def test_the_tournaments_of_an_organiser_lead_to_the_people(browser_of_the_organiser: Client) -> None:
    assert reverse("organiser:club_people") in page(browser_of_the_organiser, "home")
