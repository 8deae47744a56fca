"""Races of people with one name: whoever is second is asked about, whichever way both came."""

from collections.abc import Callable
from functools import partial
from threading import Barrier

import pytest
from django.db import transaction

from tests.factories import AT
from tests.races import at_once, while_uncommitted
from tests.tournaments.door.doors import Cashier
from tests.tournaments.services.test_sign_ups import an_evening, signed_up
from tournaments.core.names import same_name_key
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament
from tournaments.services.door import Newcomer, hand_over, register
from tournaments.services.people_lists import announce
from tournaments.services.sign_ups import confirm
from tournaments.services.tournaments import lock_tournament

pytestmark = pytest.mark.usefixtures("committed")

NAME, ALIKE = "Huber Sepp", "sepp huber"


def people(tournament: Tournament) -> list[tuple[str, int | None]]:
    rows = tournament.participants.order_by("start_number")
    return list(rows.values_list("name", "payments__cents"))


def test_of_four_desks_with_one_name_three_are_asked() -> None:
    tournament = an_evening()
    desks = [Cashier(tournament=tournament) for _ in range(4)]
    told = while_uncommitted(
        partial(lock_tournament, tournament), *(partial(desk.register, NAME) for desk in desks)
    )
    assert people(tournament) == [(NAME, 300)]
    assert sum("Diesen Namen gibt es schon" in str(answer) for answer in told) == 3


def test_without_the_check_under_the_lock_all_four_would_be_players() -> None:
    """Control: all have looked before the first one has written."""
    tournament = an_evening()
    all_have_looked = Barrier(4, timeout=30)

    def desk(number: int) -> None:
        names = list(tournament.participants.values_list("name", flat=True))
        assert same_name_key(NAME) not in map(same_name_key, names)
        all_have_looked.wait()
        with transaction.atomic():
            locked = lock_tournament(tournament)
            locked.participants.create(start_number=number, name=NAME, registered_at=AT, registered_by="x")

    assert at_once(*(partial(desk, number) for number in range(1, 5))) == [None] * 4
    assert tournament.participants.count() == 4


@pytest.mark.parametrize("button", [{"anyway": same_name_key(NAME)}, {"as_new": "on"}])
def test_a_confirmed_namesake_covers_only_the_players_that_were_shown(button: dict[str, str]) -> None:
    """Four desks were shown number 1, and say that it is somebody else: three of them have not seen number 2."""
    tournament = an_evening()
    announce(tournament, [Newcomer(NAME)], by="x", at=AT)
    if "anyway" in button:
        Cashier(tournament=tournament).act(1, "present")
    desks = [Cashier(tournament=tournament) for _ in range(4)]
    answers = [partial(desk.register, ALIKE, others="1", **button) for desk in desks]
    told = while_uncommitted(partial(lock_tournament, tournament), *answers)
    assert people(tournament) == [(NAME, None), (ALIKE, 300)]
    assert sum('name="others" value="1,2"' in str(answer) for answer in told) == 3


# --- every way that makes a player ----------------------------------------------------------------------------------


def signs_up(tournament: Tournament) -> Callable[[], object]:
    number = signed_up(tournament, ALIKE)[0].number
    return partial(confirm, tournament, number, paid=True, by="a", at=AT)


def walks_in(tournament: Tournament) -> Callable[[], object]:
    return partial(register, tournament, Newcomer(ALIKE), paid=True, by="a", at=AT)


def is_on_a_list(tournament: Tournament) -> Callable[[], object]:
    return partial(announce, tournament, [Newcomer("Meier Anna"), Newcomer(ALIKE)], by="a", at=AT)


def is_a_substitute(tournament: Tournament) -> Callable[[], object]:
    leaver = register(tournament, Newcomer("Moser Max"), paid=True, by="x", at=AT)
    return partial(hand_over, tournament, leaver.start_number, Newcomer(ALIKE), paid=True, by="a", at=AT)


WAYS = [signs_up, walks_in, is_on_a_list, is_a_substitute]


@pytest.mark.parametrize("way", WAYS)
def test_a_namesake_registered_meanwhile_is_detected_in_every_way_of_registration(
    way: Callable[[Tournament], Callable[[], object]],
) -> None:
    tournament = an_evening()
    comes = way(tournament)
    before = people(tournament)
    (told,) = while_uncommitted(
        partial(register, tournament, Newcomer(NAME), paid=True, by="b", at=AT), comes
    )
    assert isinstance(told, Refusal)
    number = len(before) + 1
    assert (told.code, told.params["start_numbers"]) == ("same_name", [number])
    assert people(tournament) == [*before, (NAME, 300)]


@pytest.mark.parametrize("way", WAYS)
def test_a_confirmed_namesake_is_registered_in_every_way_of_registration(
    way: Callable[[Tournament], Callable[..., object]],
) -> None:
    tournament = an_evening()
    comes = way(tournament)
    number = register(tournament, Newcomer(NAME), paid=True, by="b", at=AT).start_number
    comes(others=[number])
    assert [name for name, _cents in people(tournament)][-1] == ALIKE


# --- the pages -----------------------------------------------------------------------------------------------------


def test_the_button_of_a_sign_up_says_whom_the_page_showed_beside_it() -> None:
    tournament = an_evening()
    desk = Cashier(tournament=tournament)
    signed_up(tournament, NAME, in_hall=True)
    register(tournament, Newcomer(ALIKE), paid=True, by="x", at=AT)
    press = partial(desk.client.post, desk.url("sign_up", 1, "confirm-paid"), headers={"HX-Request": "true"})
    answer = press().content.decode()
    assert "Den Namen Huber Sepp gibt es schon: Nr. 1." in answer
    assert people(tournament) == [(ALIKE, 300)]
    assert '<input type="hidden" name="others" value="1">' in answer
    press({"others": ["1", "7"]})
    assert people(tournament) == [(ALIKE, 300), (NAME, 300)]


def test_two_desks_that_import_one_list_at_once_are_one_list_and_a_question() -> None:
    tournament = an_evening()
    desks = [Cashier(tournament=tournament) for _ in range(2)]
    text = "Huber, Sepp\nMeier, Anna"
    seen = desks[0].client.post(desks[0].url("import_list"), {"text": text}).context["preview"].digest

    def enters(desk: Cashier) -> tuple[int, str]:
        answer = desk.client.post(desk.url("import_list"), {"text": text, "seen": seen, "enter": ""})
        return answer.status_code, answer.content.decode()

    told = while_uncommitted(partial(lock_tournament, tournament), *(partial(enters, desk) for desk in desks))
    (done, _page), (asked, page) = sorted(reply for reply in told if isinstance(reply, tuple))
    assert (done, asked) == (302, 422)
    assert "wie Nr. 1, schon in der Liste der Spieler" in page
    assert [name for name, _cents in people(tournament)] == ["Sepp Huber", "Anna Meier"]
