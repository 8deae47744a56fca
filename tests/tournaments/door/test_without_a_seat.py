"""Players who are here and have no seat in the round: the desk says so, and so does the page before the release."""

import pytest

from scoring.services.seats import take_seat
from tests.factories import AT, ParticipantFactory, a_played_round, a_round
from tests.tournaments.door.doors import FRAGMENT, Cashier
from tournaments.rulesets.loader import preset

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    desk = Cashier()
    ParticipantFactory.create_batch(11, tournament=desk.tournament)
    return desk


def banner(page: str) -> str:
    return " ".join(page.partition('id="without-seat"')[2].partition('<nav class="tabs"')[0].split())


def give_a_seat(desk: Cashier, player: int) -> None:
    """Seat the player at the smaller of the two tables, the first."""
    take_seat(desk.tournament, 1, player=player, table=1, reason="zu spät", by="x", at=AT)


def test_before_the_draw_nobody_lacks_a_seat(desk: Cashier) -> None:
    assert banner(desk.get("desk")) == ""


@pytest.mark.parametrize("released", [False, True])
def test_a_latecomer_without_a_seat_is_named_with_the_way_to_one(desk: Cashier, released: bool) -> None:
    a_round(desk.tournament, released=released)
    assert banner(desk.get("desk")) == ""
    said = banner(desk.register("Huber Sepp"))
    assert "Ein Anwesender hat keinen Platz in der 1. Spielrunde" in said
    assert "Nr. 12 Huber Sepp" in said
    assert f'href="/o/{desk.tournament.slug}/rounds/1/seats/12/"' in said


def test_a_cashier_tells_the_organiser(desk: Cashier) -> None:
    a_round(desk.tournament)
    cashier = Cashier("cashier", desk.tournament)
    said = banner(cashier.register("Huber Sepp"))
    assert "Bitte der Spielleitung sagen." in said
    assert "<a " not in said


def test_announced_missing_and_withdrawn_players_need_none(desk: Cashier) -> None:
    a_round(desk.tournament)
    for number, action in enumerate(("announced", "absent", "withdraw"), start=12):
        desk.register(f"Spieler Num{number}")
        desk.act(number, action)
    assert banner(desk.get("desk")) == ""


def test_the_notice_disappears_with_the_seat(desk: Cashier) -> None:
    a_round(desk.tournament)
    desk.register("Huber Sepp")
    give_a_seat(desk, 12)
    assert banner(desk.get("desk")) == ""


def test_in_a_knockout_only_the_first_round_seats_everybody() -> None:
    desk = Cashier()
    desk.tournament.ruleset = preset("knockout").to_dict()
    desk.tournament.save()
    ParticipantFactory.create_batch(24, tournament=desk.tournament)
    a_played_round(desk.tournament)
    a_round(desk.tournament, 2)
    assert banner(desk.get("desk")) == ""


def test_before_the_release_the_notice_is_beside_the_button(desk: Cashier) -> None:
    a_round(desk.tournament, released=False)
    address = f"/o/{desk.tournament.slug}/rounds/1/"
    assert "Vor der Freigabe" not in desk.client.get(address).content.decode()
    desk.register("Huber Sepp")
    page = " ".join(desk.client.get(address).content.decode().split())
    assert "Vor der Freigabe: Ein Anwesender hat noch keinen Platz." in page
    assert "Nr. 12 Huber Sepp" in page


def test_the_list_renews_itself_when_somebody_gets_a_seat(desk: Cashier) -> None:
    a_round(desk.tournament)
    desk.register("Huber Sepp")
    poll = desk.get("desk").partition('id="door-list"')[2].partition('hx-get="')[2].partition('"')[0]
    assert desk.client.get(poll, headers=FRAGMENT).status_code == 204
    give_a_seat(desk, 12)
    assert desk.client.get(poll, headers=FRAGMENT).status_code == 200
