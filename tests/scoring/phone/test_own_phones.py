"""Players confirm and object on their own phones, without the pen."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import SheetEntry
from scoring.services import sheets
from scoring.services.rounds import close
from scoring.sheet_log import open_sheet
from tests.factories import AT
from tests.scoring.pages import Staff
from tests.scoring.phone.test_phone_api import KNOCK, entered, entry, outcomes, post, send
from tournaments.models import Table

pytestmark = pytest.mark.django_db
RANKS = {"ranks": {str(seat): seat for seat in range(1, 6)}}


@pytest.fixture
def desk() -> Staff:
    desk = Staff(5)
    desk.draw()
    return desk


@pytest.fixture
def scribe(desk: Staff) -> Client:
    """Return the phone that holds the pen, after one deal."""
    phone = entered(desk.table())
    post(phone, "/s/pen", {})
    send(phone, entry())
    return phone


def speak(phone: Client, kind: str = "confirmed", data: Any = None, *, seen: Any = 1, **changed: Any) -> Any:
    said = entry(kind, {"seat_number": 2} if data is None else data, **changed)
    return post(phone, "/s/own", {"seen": seen, "entry": said})


def objection(seat: int) -> dict[str, Any]:
    return {"seat_number": seat, "note": "Ein Strich fehlt"}


def kinds(table: Table) -> list[str]:
    return [one.kind for one in open_sheet(table.pk).log.entries]


def test_a_confirmation_from_ones_own_phone_leaves_the_pen_where_it_is(desk: Staff, scribe: Client) -> None:
    before = scribe.get("/s/sheet").json()["pen"]
    own = entered(desk.table())
    answer = speak(own)
    assert (answer.status_code, answer.json()["pen"]["mine"]) == (200, False)
    assert open_sheet(desk.table().pk).log.confirmed == {2}
    assert scribe.get("/s/sheet").json()["pen"] == before
    rows = SheetEntry.objects.filter(sheet__table=desk.table()).values_list("kind", "by", "pen_epoch")
    assert list(rows) == [("deal", "scribe", 1), ("confirmed", "scribe", None)]
    assert outcomes(send(scribe, entry("confirmed", {"seat_number": 2}), entry())) == [
        "duplicate",
        "recorded",
    ]


def test_the_same_word_again_changes_nothing(desk: Staff, scribe: Client) -> None:
    own, one = entered(desk.table()), str(uuid4())
    assert speak(own, id=one).status_code == speak(own, id=one).status_code == speak(own).status_code == 200
    assert kinds(desk.table()) == ["deal", "confirmed"]
    assert speak(own, data={"seat_number": 3}, id=one).status_code == 409


def test_nobody_confirms_what_was_not_shown(desk: Staff, scribe: Client) -> None:
    own = entered(desk.table())
    send(scribe, entry("confirmed", {"seat_number": 1}))
    assert speak(own).status_code == 200  # only a confirmation was added
    send(scribe, entry())
    answer = speak(own, data={"seat_number": 3}, seen=3)
    assert (answer.status_code, "Inzwischen ist etwas eingetragen" in answer.json()["error"]) == (409, True)
    assert speak(own, data={"seat_number": 3}, seen=4).status_code == 200


def test_an_objection_stops_the_hand_in_and_a_second_one_is_not_needed(desk: Staff, scribe: Client) -> None:
    own = entered(desk.table())
    assert speak(own, "objected", objection(2)).status_code == 200
    assert "steht schon" in speak(own, "objected", objection(2), seen=2).json()["error"]
    assert speak(own, "objected", objection(3), seen=2).status_code == 200
    assert scribe.get("/s/sheet").json()["state"] == "objected"
    stands = open_sheet(desk.table().pk).log.objections[0].entry_id
    assert outcomes(send(scribe, entry("voided", {"entry": stands}))) == ["recorded"]
    assert speak(own, "objected", objection(2), seen=4).status_code == 200


@pytest.mark.parametrize(
    ("kind", "data"), [("deal", KNOCK), ("submitted", {}), ("stroke", {"seat_number": 1, "mark": "schnauz"})]
)
def test_nothing_else_is_written_without_the_pen(desk: Staff, scribe: Client, kind: str, data: Any) -> None:
    assert speak(entered(desk.table()), kind, data).status_code == 409
    assert kinds(desk.table()) == ["deal"]


@pytest.mark.parametrize("seen", [-1, 1.5, "1", None, True])
def test_what_was_seen_is_a_number(desk: Staff, scribe: Client, seen: Any) -> None:
    assert speak(entered(desk.table()), seen=seen).status_code == 400


def test_a_stranger_a_wrong_seat_and_a_closed_sheet_are_refused(desk: Staff, scribe: Client) -> None:
    own = entered(desk.table())
    assert speak(Client()).status_code == 401
    assert speak(own, data={"seat_number": 9}).status_code == 409
    assert post(own, "/s/own", {"seen": 1, "entry": {"id": str(uuid4())}}).status_code == 400
    sheets.write(desk.table(), [("ranked", RANKS), ("accepted", {"reason": "x"})], by="x", at=AT)
    assert speak(own, seen=3).status_code == 409
    close(desk.tournament, 1, at=AT)
    assert "abgeschlossen" in speak(own, seen=3).json()["error"]
    assert kinds(desk.table()) == ["deal", "ranked", "accepted"]


@pytest.mark.parametrize("own_seats", [(1, 2, 3, 4), (2, 4), ()])
def test_the_rule_of_the_whole_table_works_in_both_ways(own_seats: tuple[int, ...]) -> None:
    """RULES 5.6: each confirmation counts, from whichever phone."""
    desk = Staff(4, ruleset="schafkopf")
    desk.draw()
    scribe, own = entered(desk.table()), entered(desk.table())
    post(scribe, "/s/pen", {})
    totals = {str(seat): 0 for seat in range(1, 5)}
    fact = dict.fromkeys(("points", "tout_won", "tout_played", "solo_won", "solo_played"), totals)
    sheets.write(desk.table(), [("totalled", fact)], by="x", at=AT)
    epoch = scribe.get("/s/sheet").json()["pen"]["epoch"]
    for seat in range(1, 5):
        assert outcomes(send(scribe, entry("submitted", {}), pen_epoch=epoch)) == ["refused"]
        confirmation = entry("confirmed", {"seat_number": seat})
        if seat in own_seats:
            assert speak(own, data={"seat_number": seat}, seen=seat).status_code == 200
        else:
            assert outcomes(send(scribe, confirmation, pen_epoch=epoch)) == ["recorded"]
    assert outcomes(send(scribe, entry("submitted", {}), pen_epoch=epoch)) == ["recorded"]
