"""Who has played before: suggested at the name, taken with one key, remembered with another; and never shown to the public."""

import pytest
from django.test import Client

from tests.factories import AT, ParticipantFactory, TournamentFactory
from tests.tournaments.door.doors import FRAGMENT, Cashier
from tests.tournaments.services.test_people import a_person, appear
from tests.tournaments.sign_up.test_sign_up_pages import Phone, opened
from tournaments.core.fees import FeeKind
from tournaments.models import Appearance, Consent, Participant, Person
from tournaments.services import people_lists
from tournaments.services.door import Newcomer
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier(role="cashier")


def suggested(desk: Cashier, text: str) -> str:
    response = desk.client.get(desk.url("known"), {"name": text}, headers=FRAGMENT)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def player(desk: Cashier, number: int = 1) -> Participant:
    found: Participant = desk.tournament.participants.get(start_number=number)
    return found


def test_two_of_one_name_are_told_apart_by_town_and_last_evening(desk: Cashier) -> None:
    for town, day in (("Hof", "2026-03-01"), ("Selb", "2026-10-01")):
        appear(a_person("Huber Sepp", town=town, club="SV Ort"), TournamentFactory.create(played_on=day))
    a_person("Huber Anna")
    page = suggested(desk, "hub")
    assert page.count('role="option"') == 3
    assert page.index("Selb") < page.index("Hof") < page.index("Huber Anna")
    for part in ("zuletzt 01.10.2026", "zuletzt 01.03.2026", "zum ersten Mal", "SV Ort"):
        assert part in page
    assert suggested(desk, "hu") == suggested(desk, "xyz") == ""


def test_a_part_that_is_typed_behind_the_name_stays_in_the_line(desk: Cashier) -> None:
    a_person("Huber Sepp")
    assert 'data-line="Huber Sepp 1,50"' in suggested(desk, "hub 1,50")


def test_a_person_comes_with_town_club_fee_and_wish(desk: Cashier) -> None:
    edit_fees(desk.tournament, [FeeKind("full", "Voll", 300), FeeKind("youth", "Jugend", 100)])
    person = a_person("Huber Sepp", town="Hof", club="SV Ort", fee="youth", names="number")
    answer = desk.register("hub", person=str(person.key))
    sepp = player(desk)
    assert (sepp.name, sepp.town, sepp.club, sepp.fee, sepp.names) == (
        "Huber Sepp", "Hof", "SV Ort", "youth", "number",
    )  # fmt: skip
    assert sepp.payments.get().cents == 100
    assert (sepp.appearance.person_id, sepp.appearance.how) == (person.key, "suggested")
    assert "door-remember" not in answer
    assert suggested(desk, "hub") == ""


def test_what_is_typed_or_chosen_goes_before_what_is_known(desk: Cashier) -> None:
    kinds = [FeeKind("full", "Voll", 300), FeeKind("youth", "Jugend", 100), FeeKind("guest", "Gast", 500)]
    edit_fees(desk.tournament, kinds)
    person = a_person("Huber Sepp", town="Hof", fee="youth")
    desk.register("hub", person=str(person.key), town="Selb", fee="guest")
    assert (player(desk).town, player(desk).fee) == ("Selb", "guest")


def test_a_fee_that_the_evening_does_not_have_is_the_usual_one(desk: Cashier) -> None:
    desk.register("hub", person=str(a_person("Huber Sepp", fee="child").key))
    assert player(desk).fee == ""


def test_who_is_announced_arrives_as_the_person(desk: Cashier) -> None:
    people_lists.announce(desk.tournament, [Newcomer("Huber Sepp")], by="liste", at=AT)
    desk.register("hub", person=str(a_person("Huber Sepp", club="SV Ort").key))
    assert (player(desk).presence, Appearance.objects.count()) == ("present", 1)


def test_a_namesake_who_is_here_is_asked_about_and_enter_takes_the_person(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    person = a_person("Huber Sepp")
    key = str(person.key)
    asked = desk.register("hub", person=key)
    assert f'name="person" value="{key}"' in asked
    desk.register("Huber Sepp", person=key, anyway="huber sepp", others="1")
    assert player(desk, 2).appearance.person == person


def test_the_typed_text_alone_is_a_new_player_whom_nobody_keeps(desk: Cashier) -> None:
    a_person("Huber Sepp")
    answer = desk.register("Huber Sepp")
    assert "door-remember" in answer
    assert not Appearance.objects.exists()
    assert Person.objects.count() == 1


def test_a_person_who_is_gone_is_only_the_typed_text(desk: Cashier) -> None:
    desk.register("Huber Sepp", person="00000000-0000-4000-8000-000000000000")
    assert (player(desk).name, Appearance.objects.exists()) == ("Huber Sepp", False)


def test_one_key_remembers_who_agrees_and_it_can_be_taken_back(desk: Cashier) -> None:
    desk.register("Huber Sepp", town="Hof")
    answer = desk.act(1, "remember")
    assert desk.url("act", 1, "forget") in answer
    assert Consent.objects.values_list("what", "is_given", "how").get() == ("keep", True, "door")
    assert "Hof" in suggested(Cashier(role="cashier"), "huber")
    desk.act(1, "forget")
    assert (Person.objects.count(), desk.tournament.participants.count()) == (0, 1)


def test_a_refused_person_leaves_nobody_registered(desk: Cashier) -> None:
    person = a_person("Huber Sepp")
    ParticipantFactory.create(tournament=desk.tournament, name="Kern Lena")
    person.appearances.create(participant=player(desk), how="list", by="kasse", at=AT)
    answer = desk.register("hub", person=str(person.key))
    assert "Das ist schon Kern Lena, Nr. 1" in answer
    assert desk.tournament.participants.count() == 1


def test_a_guest_gets_no_suggestion(desk: Cashier) -> None:
    a_person("Huber Sepp")
    address = desk.url("known") + "?name=huber"
    assert Client().get(address).status_code == 302
    assert Cashier().client.get(address).status_code == 404


# --- who comes from a sign-up or a list ----------------------------------------------------------------------------


def said(page: str) -> str:
    return " ".join(page.split())


def test_who_signed_up_is_asked_about_when_admitted_and_becomes_the_person(desk: Cashier) -> None:
    person = a_person("Huber Sepp", town="Hof")
    opened(desk.tournament)
    phone = Phone(desk.tournament)
    phone.sign_up()
    assert "Hof" not in phone.get("mine/") + phone.get()
    answer = said(desk.client.post(desk.url("sign_up", 1, "confirm"), headers=FRAGMENT).content.decode())
    assert "Schon bekannt, aus Hof? Ja" in answer
    assert "Name merken: hat zugestimmt <kbd>" not in answer
    desk.act(1, "recognise")
    assert (player(desk).appearance.person, player(desk).appearance.how) == (person, "sign_up")
    assert "Schon bekannt" not in phone.get("mine/")


def test_who_stands_on_a_list_is_asked_about_when_checked_in(desk: Cashier) -> None:
    person = a_person("Huber Sepp")
    people_lists.announce(
        desk.tournament, [Newcomer("Sepp Huber"), Newcomer("Maier Anna")], by="liste", at=AT
    )
    assert "Schon bekannt, von früher? Ja" in said(desk.act(1, "present"))
    assert "Schon bekannt" not in said(desk.act(2, "present"))
    desk.act(1, "recognise")
    assert (player(desk).appearance.person, player(desk).appearance.how) == (person, "list")


def test_two_of_one_name_are_told_apart_by_town_only(desk: Cashier) -> None:
    a_person("Huber Sepp", town="Hof")
    a_person("Huber Sepp", town="Selb")
    assert "Schon bekannt" not in desk.register("Huber Sepp")
    assert "Schon bekannt, aus Selb? Ja" in said(
        desk.register("Sepp Huber", town="Selb", anyway="huber sepp", others="1")
    )
