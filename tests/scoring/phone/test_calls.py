"""Calls for the supervisor: from a phone to the board, and back."""

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Sheet
from scoring.services.calls import come
from scoring.services.rounds import close
from tests.factories import AT
from tests.scoring.pages import Staff, text_of
from tests.scoring.phone.test_phone_api import entered, post
from tournaments.services.rounds import revoke_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    desk = Staff(10)
    desk.draw()
    return desk


def call(phone: Client, *, called: object = True) -> tuple[int, str | None]:
    answer = post(phone, "/s/call", {"called": called})
    return answer.status_code, answer.json().get("called_at") if answer.status_code == 200 else None


def board(desk: Staff) -> str:
    return text_of(desk.get("table_monitor", 1))


def test_a_call_stands_on_the_board_with_its_time_until_somebody_has_come(desk: Staff) -> None:
    phone = entered(desk.table(2))
    assert "Was mich braucht (0)" in board(desk)
    status, called_at = call(phone)
    assert (status, called_at is not None) == (200, True)
    at = Sheet.objects.get(table=desk.table(2)).called_at
    assert at is not None
    assert f"Ruft die Aufsicht, seit {timezone.localtime(at):%H:%M} Uhr" in board(desk)
    assert "Was mich braucht (1)" in board(desk)

    answer = desk.post("come", 1, 2, htmx=True)
    assert "Tisch 2: Die Aufsicht ist gekommen." in text_of(answer)
    assert "Ruft die Aufsicht" not in board(desk)
    assert f"Ruft die Aufsicht, seit {timezone.localtime(at):%H:%M} Uhr" in text_of(
        desk.post("come", 1, 2, htmx=True, back="1")
    )
    answer = desk.client.post(f"{desk.url('come', 1, 2)}?only=mine", headers={"HX-Request": "true"})
    assert ("Was mich braucht (0)" in text_of(answer), "Rückgängig" in text_of(answer)) == (True, True)
    assert "Ruft die Aufsicht" not in board(desk)
    assert phone.get("/s/sheet").json()["called_at"] is None
    assert Sheet.objects.get(table=desk.table(2)).came_by == desk.user.username
    assert f"Uhr ({desk.user.username})." in text_of(desk.get("sheet", 1, 2))


def test_an_old_page_opens_no_call_that_somebody_else_has_answered(desk: Staff) -> None:
    call(entered(desk.table(2)))
    come(desk.table(2), by="chef", at=AT)
    desk.post("come", 1, 2, htmx=True, back="1")
    assert Sheet.objects.get(table=desk.table(2)).came_by == "chef"
    assert "Ruft die Aufsicht" not in board(desk)


def test_every_phone_at_the_table_may_call_and_take_the_call_back(desk: Staff) -> None:
    scribe, other = entered(desk.table()), entered(desk.table())
    post(scribe, "/s/pen", {})
    status, called_at = call(other)
    assert (status, call(scribe)) == (200, (200, called_at))  # the first call counts
    assert call(scribe, called=False) == (200, None)
    assert call(scribe, called=False) == (200, None)
    assert "Ruft die Aufsicht" not in board(desk)
    row = Sheet.objects.get(table=desk.table())
    assert (row.came_at is not None, row.came_by) == (True, "")


def test_the_board_is_sent_anew_when_a_table_calls(desk: Staff) -> None:
    phone = entered(desk.table())
    version = board(desk).partition("?version=")[2][:16]
    assert desk.get("table_monitor", 1, version=version).status_code == 204
    call(phone)
    assert "Ruft die Aufsicht" in text_of(desk.get("table_monitor", 1, version=version))


@pytest.mark.parametrize("called", [1, 0, "", None, [], "true"])
def test_a_call_says_yes_or_no(desk: Staff, called: object) -> None:
    assert call(entered(desk.table()), called=called) == (400, None)


def test_a_closed_round_and_a_revoked_link_call_nobody(desk: Staff) -> None:
    phone, revoked = entered(desk.table()), entered(desk.table(2))
    call(phone)
    revoke_link(desk.tournament, 1, 2)
    assert post(revoked, "/s/call", {"called": True}).status_code == 401
    assert post(Client(), "/s/call", {"called": True}).status_code == 401
    close(desk.tournament, 1, reason="Der Wirt macht zu", at=AT)
    answer = post(phone, "/s/call", {"called": True})
    assert (answer.status_code, "abgeschlossen" in answer.json()["error"]) == (409, True)
    assert "Ruft die Aufsicht" not in board(desk)


def test_a_call_is_not_public(desk: Staff) -> None:
    slug = desk.tournament.slug
    addresses = [f"/t/{slug}/", f"/t/{slug}/screen/", f"/t/{slug}/rounds/1.json", f"/t/{slug}/record.json"]
    call(entered(desk.table()))
    for address in addresses:
        text = Client().get(address).content.decode()
        assert "called_at" not in text
        assert "Ruft" not in text
