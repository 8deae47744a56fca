"""Players who are missing at their table: who says so, who is told, and when it ends."""

from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Count
from django.test import Client
from django.urls import reverse

from scoring.models import MissingPlayer
from scoring.queries.public_view import public_view
from scoring.services.calls import end_missing, report_missing, take_found_back
from scoring.services.rounds import close
from scoring.services.seats import leave_seat
from tests.factories import AT
from tests.races import at_once
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import entered, post
from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.models import Table

BY: Any = {"by": "x", "at": AT}


def wanted(desk: Staff) -> list[tuple[int, int]]:
    """Return table and seat of those whom the public view names."""
    view = public_view(desk.tournament.slug).round
    return [(seat.table_number, seat.seat_number) for seat in view.wanted] if view else []


def pass_of(table: Table) -> links.PhonePass:
    return links.PhonePass(table.pk, table.link_version, "a")


# --- reports -------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(db: None) -> Staff:
    return Staff(10)


@pytest.fixture
def table(desk: Staff) -> Table:
    return desk.draw().tables.get(number=2)


def test_a_player_is_missing_until_somebody_finds_them(desk: Staff, table: Table) -> None:
    assert report_missing(table, 3, **BY) == {3}
    assert report_missing(pass_of(table), 3, by="", at=AT) == {3}
    assert report_missing(pass_of(table), 1, by="", at=AT) == {1, 3}
    assert wanted(desk) == [(2, 1), (2, 3)]
    assert end_missing(pass_of(table), 3, by="", at=AT) == {1}
    assert end_missing(table, 3, **BY) == {1}
    assert wanted(desk) == [(2, 1)]
    stored = MissingPlayer.objects.values_list("reported_by", "found_by", "found_at")
    assert list(stored) == [("x", "", AT), ("", "", None)]
    report_missing(table, 3, **BY)
    assert wanted(desk) == [(2, 1), (2, 3)]


def test_who_is_found_by_mistake_is_missing_since_the_same_moment(table: Table) -> None:
    later: Any = AT + timedelta(minutes=9)
    report_missing(table, 3, by="", at=AT)
    end_missing(table, 3, by="x", at=later)
    assert take_found_back(table, 3, by="y") == frozenset()
    assert take_found_back(table, 3, by="x") == take_found_back(table, 3, by="x") == {3}
    stored = MissingPlayer.objects.values_list("reported_at", "reported_by", "found_at", "found_by")
    assert list(stored) == [(AT, "", None, "")]
    end_missing(pass_of(table), 3, by="", at=later)
    assert take_found_back(table, 3, by="x") == frozenset()


def test_only_a_player_of_the_table_in_a_round_in_play_is_missing(desk: Staff, table: Table) -> None:
    with pytest.raises(Refusal, match="unknown_seat"):
        report_missing(table, 9, **BY)
    report_missing(table, 3, **BY)
    close(desk.tournament, 1, reason="x", at=AT)
    assert wanted(desk) == []
    with pytest.raises(Refusal, match="round_is_closed"):
        report_missing(table, 4, **BY)


def test_in_a_round_that_is_not_released_nobody_is_missing(desk: Staff) -> None:
    drawn = desk.draw(released=False).tables.get(number=1)
    with pytest.raises(Refusal, match="round_not_released"):
        report_missing(drawn, 1, **BY)


@pytest.mark.django_db
def test_a_player_who_left_the_table_is_no_longer_missing() -> None:
    desk = Staff(11)
    table = desk.draw().tables.annotate(n=Count("seats")).get(n=6)
    report_missing(table, 3, **BY)
    player = table.seats.get(seat_number=3).participant.start_number
    leave_seat(desk.tournament, 1, player=player, moves=[], reason="x", **BY)
    assert wanted(desk) == []


# --- what is shown -------------------------------------------------------------------------------------------------


def test_wall_and_own_phone_name_them_as_the_public_may(desk: Staff, table: Table) -> None:
    desk.tournament.names = "number"
    desk.tournament.save()
    person = table.seats.get(seat_number=3).participant
    other = table.seats.get(seat_number=4).participant
    report_missing(table, 3, **BY)
    screen = Client().get(f"/t/{desk.tournament.slug}/screen/").content.decode()
    assert "Gesucht an Tisch" in screen
    assert person.name not in screen
    pages = [
        Client().get(f"/t/{desk.tournament.slug}/me/{number}/").content.decode()
        for number in (person.start_number, other.start_number)
    ]
    assert ["Sie werden an Tisch 2 erwartet" in page for page in pages] == [True, False]


def test_the_organiser_reports_and_finds(desk: Staff, table: Table) -> None:
    where = [desk.tournament.slug, 1, 2]
    desk.client.post(reverse("organiser:report_missing", args=where), {"seat": "3"})
    name = table.seats.get(seat_number=3).participant.name
    board = desk.client.get(reverse("organiser:round", args=where[:2])).content.decode()
    assert f"{name} fehlt am Tisch" in board
    found = reverse("organiser:end_missing", args=where)
    desk.client.post(found, {"seat": "3"})
    assert wanted(desk) == []
    desk.client.post(found, {"seat": "3", "back": "1"})
    assert len(wanted(desk)) == 1
    desk.client.post(found, {"seat": "3"})
    desk.client.post(reverse("organiser:report_missing", args=where), {"seat": "99"})
    assert wanted(desk) == []


def test_a_phone_of_the_table_reports_and_finds(desk: Staff, table: Table) -> None:
    phone = entered(table)
    answers = [
        post(phone, "/s/missing", {"seat_number": seat, "missing": missing})
        for seat, missing in ((0, False), (3, True), (0, False), (3, False), (9, True), (0, True))
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 409, 409]
    assert [answer.json().get("missing") for answer in answers[:4]] == [[], [3], [3], []]
    for bad in (
        {"seat_number": 13, "missing": True},
        {"seat_number": True, "missing": True},
        {"seat_number": 1, "missing": 1},
    ):
        assert post(phone, "/s/missing", bad).status_code == 400


# --- races ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("committed")
def test_of_two_reports_at_once_one_is_stored() -> None:
    table = Staff(5).draw().tables.get()
    for _ in range(8):
        told = at_once(*(partial(report_missing, table, 2, by=by, at=AT) for by in "ab"))
        assert told == [frozenset({2}), frozenset({2})]
        assert table.missing.filter(found_at=None).count() == 1
        end_missing(table, 2, **BY)


@pytest.mark.usefixtures("committed")
def test_without_the_lock_the_second_report_would_fail() -> None:
    """Control: both see that nobody looks for the player, and the database takes one of the rows."""
    table = Staff(5).draw().tables.get()
    person = table.seats.get(seat_number=2).participant
    both_have_looked = Barrier(2, timeout=60)

    def report() -> None:
        with transaction.atomic():
            assert not table.missing.exists()
            both_have_looked.wait()
            table.missing.create(participant=person, reported_at=AT)

    told = at_once(report, report)
    assert [type(answer) for answer in told if answer is not None] == [IntegrityError]
