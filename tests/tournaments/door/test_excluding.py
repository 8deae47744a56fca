"""Excluding a player: their record is kept, they leave the standings, the fee is kept (RULES 5.8)."""

import pytest

from scoring.queries.standings import current_standings
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round
from tests.tournaments.door.doors import Cashier
from tournaments.models import Participant, Seat
from tournaments.rulesets.loader import preset
from tournaments.services import door

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    """Five players have paid and played a round."""
    desk = Cashier()
    for person in ParticipantFactory.create_batch(5, tournament=desk.tournament):
        door.take_fee(desk.tournament, person.start_number, by="kasse", at=AT)
    a_played_round(desk.tournament)
    return desk


def exclude(desk: Cashier, start_number: int = 2, reason: str = "falsch eingetragen") -> str:
    """Return the page that follows."""
    address = desk.url("exclude", start_number)
    return desk.client.post(address, {"reason": reason}, follow=True).content.decode()


def person(desk: Cashier, start_number: int = 2) -> Participant:
    return Participant.objects.get(tournament=desk.tournament, start_number=start_number)


def listed(desk: Cashier) -> set[int]:
    return {row.start_number for row in current_standings(desk.tournament).rows}


def test_rules_5_8_an_excluded_player_leaves_the_standings_and_keeps_their_record(desk: Cashier) -> None:
    """RULES 5.8."""
    page = exclude(desk)
    assert "ist ausgeschlossen und steht nicht mehr in der Rangliste." in page
    assert "falsch eingetragen" in page
    assert listed(desk) == {1, 3, 4, 5}
    assert Seat.objects.get(participant=person(desk)).result.accepted


def test_rules_5_8_the_fee_is_not_paid_back(desk: Cashier) -> None:
    """RULES 5.8: not even by mistake."""
    assert "Startgebühr zurückzahlen" not in exclude(desk)
    assert "ist ausgeschlossen; die Startgebühr wird dann nicht zurückgezahlt." in desk.act(2, "refund")
    assert list(person(desk).payments.values_list("kind", "cents")) == [("fee", 300)]


@pytest.mark.parametrize("reason", ["", "   "])
def test_rules_5_8_an_exclusion_needs_a_reason(desk: Cashier, reason: str) -> None:
    """RULES 5.8."""
    page = exclude(desk, reason=reason)
    assert "nur mit einer Begründung" in page
    assert person(desk).excluded_at is None


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ({"offered": "cheating"}, "Falschspiel"),
        ({"offered": "protest", "reason": "dreimal ermahnt"}, "zu lautes Protestieren: dreimal ermahnt"),
        ({"reason": "etwas anderes"}, "etwas anderes"),
    ],
)
def test_sheet_5_reasons_for_an_exclusion_are_offered(typed: dict[str, str], reason: str) -> None:
    """RULES 5.8: with the fields of the form; under other sheets the organiser finds the words."""
    desk = Cashier(tournament=TournamentFactory.create(ruleset=preset("schafkopf").to_dict()))
    ParticipantFactory.create_batch(2, tournament=desk.tournament)
    page = desk.get("person", 2)
    offered = ("Falschspiel", "wissentlich falsche Eintragung", "zu lautes Protestieren")
    assert [word for word in offered if word not in page] == []
    desk.client.post(desk.url("exclude", 2), typed)
    assert person(desk).excluded_reason == reason


def test_nobody_is_excluded_twice(desk: Cashier) -> None:
    exclude(desk)
    exclude(desk, reason="noch einmal")
    assert person(desk).excluded_reason == "falsch eingetragen"


def test_an_exclusion_can_be_taken_back(desk: Cashier) -> None:
    exclude(desk)
    page = desk.client.post(desk.url("readmit", 2), follow=True).content.decode()
    assert "ist zurückgenommen." in page
    assert listed(desk) == {1, 2, 3, 4, 5}
    again = desk.client.post(desk.url("readmit", 2), follow=True).content.decode()
    assert "ist nicht ausgeschlossen" in again


def test_the_cashier_excludes_nobody(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    assert "Ausschließen" not in cashier.get("person", 2)
    for name in ("exclude", "readmit"):
        assert cashier.client.post(cashier.url(name, 2), {"reason": "x"}).status_code in (403, 404)
    assert person(desk).excluded_at is None
