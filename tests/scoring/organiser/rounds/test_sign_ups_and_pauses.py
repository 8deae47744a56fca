"""Before a draw: who has registered themselves and is not confirmed, or pauses, is named and left out; the board says who left."""

from datetime import timedelta

import pytest

from tests.factories import AT
from tests.scoring.pages import Staff
from tests.tournaments.services.test_sign_ups import signed_up, terms
from tournaments.services import own_evening, sign_ups

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    desk = Staff(10)
    terms(desk.tournament)
    return desk


def page_of(desk: Staff, name: str, *arguments: object) -> str:
    return str(desk.get(name, *arguments).content.decode())


def confirmed(desk: Staff, name: str) -> str:
    made, code = signed_up(desk.tournament, name)
    sign_ups.confirm(desk.tournament, made.number, paid=True, by="kasse", at=AT)
    return code


def test_who_is_here_and_not_confirmed_is_named_before_the_draw_and_left_out(desk: Staff) -> None:
    signed_up(desk.tournament, "Kern Lena")
    for name in ("Huber Sepp", "Meier Anna"):
        signed_up(desk.tournament, name, in_hall=True)
    page = page_of(desk, "round", 1)
    assert "2 Angemeldete sind noch nicht bestätigt:" in page
    assert "Huber Sepp, Meier Anna" in page
    assert "Kern Lena" not in page
    desk.draw()
    seated = desk.tournament.rounds.get().seats.values_list("participant__name", flat=True)
    assert len(seated) == 10
    assert not {"Huber Sepp", "Meier Anna", "Kern Lena"} & set(seated)


def test_who_pauses_is_named_and_neither_counted_nor_drawn(desk: Staff) -> None:
    code = confirmed(desk, "Huber Sepp")
    own_evening.pause(desk.tournament, code)
    page = page_of(desk, "round", 1)
    assert "Setzen diese Spielrunde aus: Huber Sepp." in page
    assert "<dd>10</dd>" in page
    desk.draw()
    assert not desk.tournament.rounds.get().seats.filter(participant__name="Huber Sepp").exists()


def test_the_overview_shows_withdrawals_by_phone_and_undoes_them(desk: Staff) -> None:
    codes = [confirmed(desk, name) for name in ("Huber Sepp", "Meier Anna", "Kern Lena")]
    own_evening.go_home(desk.tournament, codes[0], at=AT)
    own_evening.pause(desk.tournament, codes[1])
    page = page_of(desk, "overview")
    assert "<b>Nr. 11 Huber Sepp</b> ist um 19:30 Uhr heimgegangen." in page
    assert "<b>Nr. 12 Meier Anna</b> setzt die nächste Runde aus." in page
    assert "Kern Lena" not in page
    for number, action in ((11, "return"), (12, "end-pause")):
        back = {"next": desk.url("overview")}
        response = desk.client.post(f"/o/{desk.tournament.slug}/door/people/{number}/{action}/", back)
        assert (response.status_code, response["Location"]) == (302, desk.url("overview"))
    assert 'id="by-phone"' not in page_of(desk, "overview")
    assert desk.tournament.participants.filter(withdrawn_at=None, pauses_round=None).count() == 13


def test_the_overview_omits_withdrawals_before_the_draw_or_by_the_desk(desk: Staff) -> None:
    code = confirmed(desk, "Huber Sepp")
    own_evening.pause(desk.tournament, code)
    desk.draw()
    own_evening.go_home(desk.tournament, code, at=AT - timedelta(days=1))
    desk.client.post(f"/o/{desk.tournament.slug}/door/people/1/withdraw/")
    assert 'id="by-phone"' not in page_of(desk, "overview")
