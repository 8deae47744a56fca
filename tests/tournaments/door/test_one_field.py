"""One field for search, check-in and registration: what Enter does with the text in it."""

import pytest

from tests.factories import AT
from tests.tournaments.door.doors import FRAGMENT, Desk, figures, numbers
from tournaments.core.names import same_name_key
from tournaments.models import Payment
from tournaments.services import people_lists
from tournaments.services.door import Newcomer

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Desk:
    return Desk()


def announce(desk: Desk, *people: str | Newcomer) -> None:
    newcomers = [one if isinstance(one, Newcomer) else Newcomer(one) for one in people]
    people_lists.announce(desk.tournament, newcomers, by="liste", at=AT)


def people(desk: Desk) -> list[tuple[int, str, str]]:
    found = desk.tournament.participants.order_by("start_number")
    return list(found.values_list("start_number", "name", "presence"))


def typing(desk: Desk, text: str) -> str:
    response = desk.client.get(desk.url("list"), {"name": text}, headers=FRAGMENT)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("text", ["Huber Sepp", "sepp  huber", "HUBER, Sepp", "1", "Nr. 1", "#1"])
def test_the_name_or_number_of_the_announced_means_that_they_are_here(desk: Desk, text: str) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    answer = desk.register(text)
    assert people(desk) == [(1, "Huber Sepp", "present"), (2, "Meier Anna", "announced")]
    assert figures(answer)["cash"] == "3,00 €"
    assert desk.url("act", 1, "announced-refund") in answer


def test_who_pays_later_is_ticked_as_for_a_walk_in(desk: Desk) -> None:
    announce(desk, "Huber Sepp")
    answer = desk.register("Huber Sepp", unpaid="on")
    assert people(desk) == [(1, "Huber Sepp", "present")]
    assert Payment.objects.count() == 0
    assert figures(answer)["unpaid"] == "1"


def test_who_was_missing_at_the_roll_call_is_back(desk: Desk) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "absent")
    desk.register("Huber Sepp")
    assert people(desk) == [(1, "Huber Sepp", "present")]
    assert Payment.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "club"),
    [
        ("Huber Sepp", ""),  # two of that name
        ("Hub", ""),
        ("sepp", ""),
        ("Krone", ""),  # a club
        ("Meier Ann", ""),  # the beginning of a name may be another player's whole name
        ("Meier Anna", "SV Ort"),  # of another club
    ],
)
def test_enter_does_not_guess(desk: Desk, text: str, club: str) -> None:
    announce(desk, Newcomer("Huber Sepp", "Krone"), "Huber Sepp", Newcomer("Meier Anna", "Krone"))
    before = people(desk)
    answer = desk.register(text, club=club)
    desk.register(text, club=club, anyway=same_name_key(text))  # Enter once more
    assert people(desk) == before
    assert Payment.objects.count() == 0
    assert "data-choose" in answer
    assert f'value="{text}"' in answer
    assert numbers(answer) != []


def test_somebody_else_of_that_name_is_registered_with_a_key_of_its_own(desk: Desk) -> None:
    announce(desk, "Huber Sepp")
    assert 'name="as_new"' in typing(desk, "Huber Sepp")
    desk.register("Huber Sepp", as_new="on")
    assert people(desk) == [(1, "Huber Sepp", "announced"), (2, "Huber Sepp", "present")]


def test_a_single_word_is_a_search_as_long_as_it_finds_somebody(desk: Desk) -> None:
    desk.register("Huber Sepp")
    assert "data-choose" in desk.register("hub")
    desk.register("Zenzi")
    assert [name for _, name, _ in people(desk)] == ["Huber Sepp", "Zenzi"]


def test_a_walk_in_is_not_held_up_by_those_who_are_here(desk: Desk) -> None:
    desk.register("Huber Seppl")
    desk.register("Huber Sepp")
    assert [name for _, name, _ in people(desk)] == ["Huber Seppl", "Huber Sepp"]


def test_a_number_that_nobody_has_registers_nobody(desk: Desk) -> None:
    desk.register("Huber Sepp")
    answer = desk.register("77")
    assert "Diese Nummer hat noch niemand." in answer
    assert len(people(desk)) == 1


def test_while_one_types_the_list_holds_the_matches_and_a_hint_says_what_enter_does(desk: Desk) -> None:
    announce(desk, "Huber Sepp", "Meier Anna", "Meier Lena")
    one = typing(desk, "Huber Sepp")
    assert numbers(one) == [1]
    assert "<b>Nr. 1 Huber Sepp</b> ist da." in " ".join(one.split())
    two = typing(desk, "meier")
    assert sorted(numbers(two)) == [2, 3]
    assert "Dazu passen 2 auf der Liste" in " ".join(two.split())
    nobody = typing(desk, "Kern")
    assert sorted(numbers(nobody)) == [1, 2, 3]


@pytest.mark.parametrize("text", ["9" * 6000, "x" * 100_000, "\0", "--", " "])
def test_whatever_is_typed_gets_an_answer(desk: Desk, text: str) -> None:
    announce(desk, "Huber Sepp")
    assert numbers(typing(desk, text)) == [1]


def test_after_a_check_in_the_list_is_whole_again(desk: Desk) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    assert sorted(numbers(desk.register("Huber Sepp", q="Huber Sepp"))) == [1, 2]


def test_without_javascript_it_is_the_same(desk: Desk) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    response = desk.client.post(desk.url("register"), {"name": "Huber Sepp"}, follow=True)
    assert "Nr. 1 · Huber Sepp – ist da · 3,00\u00a0€ kassiert" in response.content.decode()
    response = desk.client.post(desk.url("register"), {"name": "Meier"})
    page = response.content.decode()
    assert response.status_code == 422
    assert numbers(page) == [2]
    assert 'id="present-paid-2"' in page
