"""The scribe's office under rule sheet 3: from the scribe's phone to a volunteer, if the whole table agrees."""

import logging
from typing import Any

import pytest
from django.test import Client

from scoring.documents import dump, export_tournament, import_tournament
from scoring.services.rounds import close
from scoring.services.sheets import take_pen, write
from tests.factories import AT
from tests.scoring.pages import Staff, text_of
from tests.scoring.phone.test_phone_api import entered, post
from tournaments.models import Table
from tournaments.services.rounds import name_scribe, revoke_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Staff:
    """Create a table of five under rule sheet 3."""
    desk = Staff(5, ruleset="fce")
    desk.draw()
    return desk


@pytest.fixture
def phone(desk: Staff) -> Client:
    return writing(desk.table())


def writing(table: Table) -> Client:
    """Return a phone that holds the pen of the table."""
    phone = entered(table)
    assert post(phone, "/s/pen", {}).status_code == 200
    return phone


def give(phone: Client, seat: Any = 4, *, agreed: Any = True) -> Any:
    return post(phone, "/s/scribe", {"seat_number": seat, "agreed": agreed})


def stored(desk: Staff) -> tuple[int | None, str, bool]:
    """Return the start number of the named scribe, who named them, and whether all agreed."""
    table = desk.table()
    return (table.scribe.start_number if table.scribe else None), table.scribe_by, table.scribe_agreed


def test_sheet_3_the_office_goes_to_a_volunteer_if_the_whole_table_agrees(desk: Staff, phone: Client) -> None:
    """RULES 3.1: the phone, the organiser, the hall and the document say who writes, and that all agreed."""
    volunteer = desk.table().seats.get(seat_number=4).participant
    assert phone.get("/s/sheet").json()["scribe"] == {"seat_number": 1, "agreed": False}
    answer = give(phone)
    assert (answer.status_code, answer.json()["scribe"]) == (200, {"seat_number": 4, "agreed": True})
    assert stored(desk) == (volunteer.start_number, "", True)
    assert f"Es schreibt {volunteer.name} (am Tisch weitergegeben, alle einverstanden, " in text_of(
        desk.get("sheet", 1, 1)
    )
    assert f"Es schreibt {volunteer.name}, alle einverstanden." in text_of(desk.get("round", 1))
    assert "am Tisch weitergegeben, alle einverstanden" in text_of(desk.get("scribes", 1))
    assert text_of(Client().get(f"/t/{desk.tournament.slug}/")).count("schreibt die Tischliste") == 1

    document = export_tournament(desk.tournament)
    [table] = document["rounds"][0]["tables"]
    scribe = table["scribe"]
    assert (scribe["seat_number"], scribe["by"], scribe["agreed"]) == (4, "", True)
    public = Client().get(f"/t/{desk.tournament.slug}/rounds/1.json").json()["tables"][0]["scribe"]
    assert public == {"seat_number": 4, "at": scribe["at"]}
    document["tournament"]["slug"] = "kopie"
    assert dump(export_tournament(import_tournament(dump(document), at=AT))) == dump(document)


def test_the_link_and_the_pen_stay_where_they_are(desk: Staff, phone: Client) -> None:
    before = phone.get("/s/sheet").json()["pen"]
    give(phone)
    assert phone.get("/s/sheet").json()["pen"] == before
    assert entered(desk.table()).get("/s/sheet").status_code == 200


def test_the_same_volunteer_again_changes_nothing(desk: Staff, phone: Client) -> None:
    give(phone)
    first = desk.table().scribe_at
    assert give(phone).status_code == 200
    assert desk.table().scribe_at == first


def test_the_organisers_choice_ends_the_tables(desk: Staff, phone: Client) -> None:
    give(phone)
    name_scribe(desk.tournament, 1, 1, 2, by="spielleitung", at=AT)
    assert stored(desk)[1:] == ("spielleitung", False)
    name_scribe(desk.tournament, 1, 1, None, by="spielleitung", at=AT)
    assert stored(desk) == (None, "", False)
    assert phone.get("/s/sheet").json()["scribe"] == {"seat_number": 1, "agreed": False}


# --- refused -------------------------------------------------------------------------------------------------------


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]


def test_without_the_consent_of_all_nothing_changes(desk: Staff, phone: Client) -> None:
    status, sentence = refusal(give(phone, agreed=False))
    assert (status, stored(desk)) == (409, (None, "", False))
    assert "nur, wenn alle am Tisch einverstanden sind" in sentence


@pytest.mark.parametrize("ruleset", ["schnauz-placing", "konradsreuth", "knockout", "schafkopf"])
def test_only_where_the_rule_sheet_wants_it(ruleset: str) -> None:
    desk = Staff(5 if ruleset != "schafkopf" else 4, ruleset=ruleset)
    desk.draw()
    status, sentence = refusal(give(writing(desk.table())))
    assert (status, stored(desk)) == (409, (None, "", False))
    assert "gibt der Tisch das Schreiben nicht selbst weiter" in sentence


def test_only_the_phone_with_the_pen_gives_it_away(desk: Staff, phone: Client) -> None:
    status, sentence = refusal(give(entered(desk.table())))
    assert (status, stored(desk)) == (409, (None, "", False))
    assert "Ein anderes Handy schreibt" in sentence
    assert give(phone).status_code == 200  # the control


def test_only_while_the_sheet_is_not_handed_in(desk: Staff, phone: Client) -> None:
    write(desk.table(), [("accepted", {"reason": "Zeit"})], by="x", at=AT)
    assert refusal(give(phone))[0] == 409
    write(desk.table(), [("reopened", {"reason": "weiter"})], by="x", at=AT)
    close(desk.tournament, 1, reason="x", at=AT)
    assert refusal(give(phone))[0] == 409
    assert stored(desk) == (None, "", False)


def test_only_with_a_link_that_is_valid(desk: Staff, phone: Client) -> None:
    revoke_link(desk.tournament, 1, 1)
    assert [give(phone).status_code, give(Client()).status_code] == [401, 401]
    assert stored(desk) == (None, "", False)


def test_only_to_a_player_of_this_table() -> None:
    desk = Staff(10, ruleset="fce")
    desk.draw()
    phone = writing(desk.table(1))
    assert refusal(give(phone, 6))[0] == 409
    other = desk.table(2)
    elsewhere = post(phone, "/s/scribe", {"seat_number": 2, "agreed": True}, **{"Sheet-Key": str(other.pk)})
    assert elsewhere.status_code == 409
    assert Table.objects.exclude(scribe=None).count() == 0


@pytest.mark.parametrize(
    "body",
    [
        {"seat_number": 4},
        {"seat_number": 4, "agreed": "yes"},
        {"seat_number": "4", "agreed": True},
        {"seat_number": True, "agreed": True},
        {"seat_number": 0, "agreed": True},
        {"seat_number": 13, "agreed": True},
        {"seat_number": 4, "agreed": True, "name": "x"},
    ],
)
def test_a_body_in_bad_shape_is_unreadable(desk: Staff, phone: Client, body: dict[str, Any]) -> None:
    assert refusal(post(phone, "/s/scribe", body))[0] == 400
    assert stored(desk) == (None, "", False)


def test_no_name_reaches_the_log(desk: Staff, phone: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        give(phone)
        give(phone, agreed=False)
    names = [seat.participant.name for seat in desk.table().seats.select_related("participant")]
    said = [record.getMessage() for record in caplog.records if not record.name.startswith("django.db")]
    assert not any(name in line for name in names for line in said)


def test_the_pen_that_moves_takes_the_right_along(desk: Staff, phone: Client) -> None:
    take_pen(desk.table(), device="b" * 32, at=AT)
    assert give(phone).status_code == 409
