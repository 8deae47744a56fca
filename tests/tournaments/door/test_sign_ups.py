"""Sign-ups at the desk: shown above the list, confirmed by a button or in the one field, and put beside who may be the same."""

import re
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.factories import AT, ParticipantFactory, a_round
from tests.tournaments.door.doors import FRAGMENT, Cashier, figures, numbers
from tests.tournaments.services.test_sign_ups import an_evening, signed_up, terms
from tournaments.core.fees import FeeKind
from tournaments.models import Payment
from tournaments.services import own_evening, sign_ups
from tournaments.services.tournaments import edit_fees

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier(tournament=an_evening())


def typing(desk: Cashier, text: str) -> str:
    response = desk.client.get(desk.url("list"), {"name": text}, headers=FRAGMENT)
    assert response.status_code == 200
    return response.content.decode()


def press(desk: Cashier, number: int, action: str, **fields: Any) -> str:
    response = desk.client.post(desk.url("sign_up", number, action), fields, headers=FRAGMENT)
    assert response.status_code == 200
    return response.content.decode()


def waiting(page: str) -> list[int]:
    """Return the numbers of the sign-ups above the list, from top to bottom."""
    return [int(number) for number in re.findall(r'<tr id="sign-up-(\d+)"', page)]


def people(desk: Cashier) -> list[tuple[str, str]]:
    return list(desk.tournament.participants.order_by("start_number").values_list("name", "presence"))


def in_hall(desk: Cashier, name: str, **more: Any) -> int:
    return signed_up(desk.tournament, name, in_hall=True, **more)[0].number


# --- above the list -----------------------------------------------------------------------------------------------


def test_who_is_here_stands_above_the_list_and_who_is_at_home_on_demand(desk: Cashier) -> None:
    signed_up(desk.tournament, "Huber Sepp")
    in_hall(desk, "Meier Anna", names="number", club="Krone")
    page = desk.get("desk")
    assert waiting(page) == [2]
    row = page[page.index('id="sign-up-2"') : page.index("</tr>", page.index('id="sign-up-2"'))]
    for said in (
        "A2",
        "Meier Anna",
        "Krone",
        "im Saal seit 19:30",
        "öffentlich nur Nr.",
        "Ist da, 3,00\xa0€",
    ):
        assert said in row, said
    assert "Alle 2 zeigen" in page
    assert waiting(desk.get("desk", query="?waiting=1")) == [2, 1]


def test_of_forty_eight_are_shown_and_what_is_typed_filters_all(desk: Cashier) -> None:
    for number in range(1, 41):
        in_hall(desk, f"Spieler Nr{number:02}", at=AT + timedelta(seconds=number))
    page = desk.get("desk")
    assert waiting(page) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "Alle 40 zeigen" in page
    assert waiting(desk.get("desk", query="?waiting=1")) == list(range(1, 41))
    assert waiting(typing(desk, "nr33")) == [33]
    assert waiting(typing(desk, "A3")) == [3, 30, 31, 32, 33, 34, 35, 36]


def test_a_sign_up_on_the_waiting_list_is_marked() -> None:
    desk = Cashier(tournament=an_evening(most=1))
    in_hall(desk, "Huber Sepp")
    in_hall(desk, "Meier Anna")
    assert desk.get("desk").count("wartet auf einen Platz") == 1


def test_a_new_sign_up_changes_the_polled_list(desk: Cashier) -> None:
    version = re.search(r"version=(\w+)", desk.get("desk"))
    assert version is not None
    asked = {"version": version[1]}
    assert desk.client.get(desk.url("list"), asked, headers=FRAGMENT).status_code == 204
    in_hall(desk, "Huber Sepp")
    assert waiting(desk.client.get(desk.url("list"), asked, headers=FRAGMENT).content.decode()) == [1]


@pytest.mark.parametrize("count", [1, 12])
def test_the_page_asks_the_database_as_often_for_one_as_for_twelve(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk = Cashier(tournament=an_evening())
    desk.register("Kern Lena")
    for number in range(count):
        in_hall(desk, f"Spieler Nr{number:02}")
    with django_assert_num_queries(6):  # session, account, tournament, membership, people, sign-ups
        desk.get("desk")


def test_without_sign_ups_the_desk_has_no_section_for_them(desk: Cashier) -> None:
    assert 'id="sign-ups"' not in desk.get("desk")


# --- one key ------------------------------------------------------------------------------------------------------


def test_one_button_lets_in_and_takes_the_money_and_one_takes_it_back(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    answer = press(desk, 1, "confirm-paid")
    assert people(desk) == [("Huber Sepp", "present")]
    assert figures(answer)["cash"] == "3,00 €"
    assert "Nr. 1 · Huber Sepp" in answer
    assert waiting(answer) == []
    assert desk.url("sign_up", 1, "take-back") in answer
    back = press(desk, 1, "take-back")
    assert waiting(back) == [1]
    assert figures(back)["cash"] == "0,00 €"


def test_a_sign_up_that_pays_later_is_confirmed_too(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    answer = press(desk, 1, "confirm")
    assert people(desk) == [("Huber Sepp", "present")]
    assert figures(answer)["unpaid"] == "1"


def test_another_desk_was_faster(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    press(desk, 1, "confirm-paid")
    answer = press(desk, 1, "confirm-paid")
    assert "Huber Sepp steht schon in der Liste: Nr. 1. Es ist nichts zu tun." in answer
    assert Payment.objects.count() == 1


def test_an_unknown_sign_up_is_reported_and_an_unknown_action_is_404(desk: Cashier) -> None:
    assert "Die Anmeldung A7 gibt es nicht mehr." in press(desk, 7, "confirm")
    in_hall(desk, "Huber Sepp")
    for action, fields in (("erase", {}), ("confirm", {"same_as": "1x"}), ("take-back-look", {"names": "x"})):
        response = desk.client.post(desk.url("sign_up", 1, action), fields)
        assert response.status_code == 404
    assert people(desk) == []


def test_without_a_script_the_list_is_shown_again(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    response = desk.client.post(desk.url("sign_up", 1, "confirm-paid"), {"waiting": "1"})
    assert (response.status_code, response["Location"]) == (302, f"{desk.url('desk')}?waiting=1")


# --- doubles and jokes --------------------------------------------------------------------------------------------


def test_who_is_announced_already_is_beside_it_and_becomes_the_same_by_a_key(desk: Cashier) -> None:
    ParticipantFactory.create(tournament=desk.tournament, name="Huber Sepp", presence="announced")
    in_hall(desk, "Sepp Hubber", names="number")
    page = desk.get("desk")
    assert "Gleich Nr. 1 Huber Sepp?" in page
    assert re.search(r'name="same_as"\s+value="1"', page)
    answer = press(desk, 1, "confirm-paid", same_as="1")
    assert people(desk) == [("Huber Sepp", "present")]
    assert desk.tournament.participants.get().names == "number"
    assert figures(answer)["cash"] == "3,00 €"
    fields = dict(re.findall(r'<input type="hidden" name="(presence|names)" value="(\w*)">', answer))
    assert fields == {"presence": "announced", "names": ""}
    back = press(desk, 1, "take-back-look", **fields)
    assert people(desk) == [("Huber Sepp", "announced")]
    assert desk.tournament.participants.get().names == ""
    assert (figures(back)["cash"], waiting(back)) == ("0,00 €", [1])


def test_whoever_has_registered_twice_is_beside_the_player_and_the_double_can_only_be_discarded(
    desk: Cashier,
) -> None:
    in_hall(desk, "Huber Sepp")
    in_hall(desk, "Huber Sepp")
    page = press(desk, 1, "confirm-paid")
    assert "Gleich Nr. 1 Huber Sepp?" in page
    assert 'name="same_as"' not in page
    assert "steht schon in der Liste: Nr. 1" in press(desk, 2, "confirm", same_as="1")
    assert waiting(press(desk, 2, "discard")) == []


def test_two_of_one_name_stay_two_where_the_desk_says_so(desk: Cashier) -> None:
    ParticipantFactory.create(tournament=desk.tournament, name="Huber Sepp")
    in_hall(desk, "Huber Sepp")
    press(desk, 1, "confirm-paid", others="1")
    assert [name for name, _ in people(desk)] == ["Huber Sepp", "Huber Sepp"]


def test_sign_ups_of_one_name_are_beside_each_other(desk: Cashier) -> None:
    in_hall(desk, "Müller Jörg")
    in_hall(desk, "Joerg Mueller")
    page = desk.get("desk")
    assert "Gleich A2 Joerg Mueller?" in page
    assert "Gleich A1 Müller Jörg?" in page


def test_a_joke_is_discarded_and_comes_back(desk: Cashier) -> None:
    for name in ("Spieler Eins", "Spieler Zwei"):
        signed_up(desk.tournament, name, sender=sign_ups.Sender("192.0.2.1", "a"))
    struck = press(desk, 1, "discard", waiting="1")
    assert waiting(struck) == [2]
    assert "Anmelde-Nr. A1</b> <span>ist gestrichen" in struck
    answer = press(desk, 1, "keep", waiting="1")
    assert waiting(answer) == [1, 2]
    assert "Kommt nicht: streichen" in answer
    gone = press(desk, 2, "discard-all", waiting="1")
    assert "<b>2 Anmeldungen gestrichen</b>" in gone
    assert waiting(gone) == []
    kept = press(desk, 2, "keep", waiting="1")
    assert "<b>2 Anmeldungen warten wieder</b>" in kept
    assert waiting(kept) == [1, 2]


def test_all_of_one_phone_are_named_before_they_are_struck(desk: Cashier) -> None:
    for phone, name in (("a", "Huber Sepp"), ("b", "Meier Anna"), ("a", "Moser Max")):
        signed_up(desk.tournament, name, sender=sign_ups.Sender("192.0.2.1", phone))
    page = " ".join(desk.get("desk", query="?waiting=1").split())
    assert page.count("Alle 2 von diesem Gerät streichen") == 2
    assert page.count("A1 Huber Sepp, A3 Moser Max. Kommt davon niemand?") == 2
    assert "Ja, alle 2 streichen" in page


def test_those_who_have_signed_up_are_counted_as_announced(desk: Cashier) -> None:
    ParticipantFactory.create(tournament=desk.tournament, presence="announced")
    signed_up(desk.tournament, "Huber Sepp")
    in_hall(desk, "Meier Anna")
    assert figures(desk.get("desk"))["announced"] == "3"
    press(desk, 2, "confirm-paid")
    press(desk, 1, "discard")
    assert figures(desk.get("desk"))["announced"] == "1"


def test_in_the_hall_not_all_behind_one_address_are_discarded_together(desk: Cashier) -> None:
    for phone in ("a", "b"):
        in_hall(desk, f"Spieler {phone}", sender=sign_ups.Sender("192.0.2.1", phone))
    assert "von diesem Gerät" not in desk.get("desk")
    assert waiting(press(desk, 1, "discard-all")) == [2]


# --- the one field ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Huber Sepp", "sepp  huber", "HUBER, Sepp", "A1", "a 1"])
def test_the_name_or_number_of_a_sign_up_means_that_they_are_here(desk: Cashier, text: str) -> None:
    signed_up(desk.tournament, "Huber Sepp")
    signed_up(desk.tournament, "Meier Anna")
    assert "hat sich selbst angemeldet und ist da" in typing(desk, text)
    answer = desk.register(text)
    assert people(desk) == [("Huber Sepp", "present")]
    assert figures(answer)["cash"] == "3,00 €"
    assert desk.url("sign_up", 1, "take-back") in answer


def test_start_numbers_stay_as_they_are(desk: Cashier) -> None:
    ParticipantFactory.create(tournament=desk.tournament, name="Huber Sepp", presence="announced")
    in_hall(desk, "Meier Anna")
    desk.register("1")
    assert people(desk) == [("Huber Sepp", "present")]


@pytest.mark.parametrize(
    ("text", "club"),
    [
        ("Huber Sepp", ""),  # a player of that name
        ("Meier", ""),
        ("Meier Ann", ""),  # the beginning of a name may be another's whole name
        ("Maier Anna", ""),  # spelled alike
        ("Meier Anna", "Krone"),  # of another club
        ("Moser Max", ""),  # two of that name
    ],
)
def test_enter_asks_if_the_text_is_ambiguous(desk: Cashier, text: str, club: str) -> None:
    ParticipantFactory.create(tournament=desk.tournament, name="Huber Sepp")
    for name in ("Huber Sepp", "Meier Anna", "Moser Max", "Moser Max"):
        in_hall(desk, name)
    before = people(desk)
    answer = desk.register(text, club=club)
    assert people(desk) == before
    assert "data-choose" in answer
    assert waiting(answer) != []


def test_somebody_else_of_that_name_is_registered_with_a_key_of_its_own(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    desk.register("Huber Sepp", as_new="on")
    assert people(desk) == [("Huber Sepp", "present")]
    assert waiting(desk.get("desk")) == [1]


def test_a_newcomer_is_not_held_up(desk: Cashier) -> None:
    in_hall(desk, "Huber Sepp")
    desk.register("Kern Lena")
    assert people(desk) == [("Kern Lena", "present")]


def test_a_number_that_waits_for_nobody_registers_nobody(desk: Cashier) -> None:
    answer = desk.register("A9")
    assert "Unter dieser Anmelde-Nr. wartet niemand" in answer
    assert people(desk) == []


@pytest.mark.parametrize("text", ["Huber Sepp 1,00", "A1 1"])
def test_a_part_of_the_fee_is_typed_behind_name_or_number(desk: Cashier, text: str) -> None:
    in_hall(desk, "Huber Sepp")
    answer = desk.register(text)
    assert [payment.cents for payment in Payment.objects.all()] == [100]
    assert "1,00\xa0€ kassiert · 2,00\xa0€ offen" in answer


def test_the_kind_of_fee_and_who_pays_later_are_chosen_as_for_a_walk_in(desk: Cashier) -> None:
    edit_fees(desk.tournament, [FeeKind("full", "", 300), FeeKind("half", "Jugend", 150)])
    in_hall(desk, "Huber Sepp")
    in_hall(desk, "Meier Anna")
    desk.register("A1", fee="half")
    desk.register("A2", unpaid="on")
    paid = desk.tournament.participants.order_by("start_number").values_list("fee", "payments__cents")
    assert list(paid) == [("half", 150), ("", None)]


# --- without a desk -----------------------------------------------------------------------------------------------


def test_a_sign_up_without_a_desk_is_confirmed_later(desk: Cashier) -> None:
    terms(desk.tournament, without_desk=True)
    in_hall(desk, "Huber Sepp", names="full")
    page = desk.get("desk")
    assert "spielt mit als Nr. 1, angesehen?" in page
    assert "Angesehen, 3,00\xa0€" in page
    assert numbers(page) == [1]
    assert desk.tournament.participants.get().names == "number"
    answer = desk.register("Huber Sepp")
    assert (figures(answer)["cash"], waiting(answer)) == ("3,00 €", [])
    assert desk.tournament.participants.get().names == "full"
    assert "ist angesehen" in answer
    back = press(desk, 1, "take-back-look", presence="present", names="number")
    assert (figures(back)["cash"], waiting(back), numbers(back)) == ("0,00 €", [1], [1])


# --- by the own phone ---------------------------------------------------------------------------------------------


def test_withdrawals_and_pauses_by_phone_are_shown_and_a_pause_can_be_undone(desk: Cashier) -> None:
    codes = [signed_up(desk.tournament, name)[1] for name in ("Huber Sepp", "Meier Anna")]
    for number in (1, 2):
        sign_ups.confirm(desk.tournament, number, paid=True, by="kasse", at=AT)
    own_evening.go_home(desk.tournament, codes[0], at=AT)
    own_evening.pause(desk.tournament, codes[1])
    for page in (desk.get("desk"), desk.get("roll_call")):
        assert "Vom eigenen Handy abgemeldet:" in page
        assert "setzt die 1. Spielrunde aus" in page
    assert "vom eigenen Handy" in desk.get("person", 1)
    assert "setzt die 1. Spielrunde aus" in desk.get("person", 2)
    answer = desk.act(2, "end-pause")
    assert "setzt die 1. Spielrunde aus" not in answer
    assert desk.tournament.participants.get(start_number=2).pauses_round is None


def test_the_tables_are_foreseen_without_those_who_pause_in_the_next_round(desk: Cashier) -> None:
    ParticipantFactory.create_batch(10, tournament=desk.tournament)
    _made, code = signed_up(desk.tournament, "Huber Sepp")
    sign_ups.confirm(desk.tournament, 1, paid=True, by="kasse", at=AT)
    assert '<li aria-current="true"><b>11</b>' in desk.get("desk")
    own_evening.pause(desk.tournament, code)
    assert '<li aria-current="true"><b>10</b>' in desk.get("desk")


def test_a_withdrawal_by_the_desk_is_not_shown_as_one_by_phone(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "withdraw")
    assert "Handy" not in desk.get("person", 1)


def test_a_past_pause_is_not_shown(desk: Cashier) -> None:
    ParticipantFactory.create_batch(10, tournament=desk.tournament)
    _made, code = signed_up(desk.tournament, "Huber Sepp")
    number = sign_ups.confirm(desk.tournament, 1, paid=True, by="kasse", at=AT).start_number
    own_evening.pause(desk.tournament, code)
    a_round(desk.tournament, 1)
    assert "setzt die 1. Spielrunde aus" in desk.get("person", number)
    desk.tournament.rounds.update(state="closed", closed_at=AT, closed_reason="x")
    assert "setzt die 1. Spielrunde aus" not in desk.get("person", number)
