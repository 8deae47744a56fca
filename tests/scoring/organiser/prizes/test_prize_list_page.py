"""The list of the prize-giving: who gets what, the best rank last, and what a person has to decide."""

from typing import Any

import pytest

from scoring.core.prize_plan import PrizePlan
from scoring.services.prizes import set_prize_plan
from tests.factories import AT, a_played_round
from tests.scoring.pages import Staff, text_of
from tournaments.models import Payment
from tournaments.services.door import set_presence, withdraw

pytestmark = pytest.mark.django_db

PLAN: dict[str, Any] = {
    "rounding_cents": 50,
    "prizes": [
        {"for": "rank", "from": 1, "to": 1, "share": 50},
        {"for": "rank", "from": 2, "to": 3, "cents": 400},
        {"for": "rank", "from": 5, "to": 5, "thing": "Wurst"},
        {"for": "last", "thing": "Trostpreis"},
    ],
}


def evening(players: int = 5, **changes: Any) -> Staff:
    """Return an evening of one table, played once: players rank in the order of the seats."""
    desk = Staff(players)
    for person in desk.tournament.participants.all():
        Payment.objects.create(participant=person, kind="fee", cents=300, at=AT, by="kasse")
    set_prize_plan(desk.tournament, PrizePlan.from_dict({**PLAN, **changes}))
    return desk


def listed(page: Any) -> list[tuple[str, list[int], str]]:
    return [
        (row["name"], [person["award"].start_number for person in row["people"]], row["gives"])
        for row in page.context["rows"]
    ]


def seats(desk: Staff) -> list[int]:
    numbers = desk.table().seats.order_by("seat_number").values_list("participant__start_number", flat=True)
    return list(numbers)


def test_before_anything_is_played_nobody_gets_anything() -> None:
    page = evening().get("prize_list")
    assert "Noch kein Ergebnis" in text_of(page)
    assert listed(page) == []


def test_special_prizes_come_first_and_the_best_rank_last() -> None:
    """15.00 less 8.00 in amounts leaves 7.00, and half of it is 3.50."""
    desk = evening()
    a_played_round(desk.tournament)
    first, second, third, _fourth, last = seats(desk)
    page = desk.get("prize_list")
    assert listed(page) == [
        ("Letzter Rang", [last], "Trostpreis"),
        ("Rang 5", [last], "Wurst"),
        ("Rang 3", [third], "4,00\xa0€"),
        ("Rang 2", [second], "4,00\xa0€"),
        ("Rang 1", [first], "3,50\xa0€"),
    ]
    assert "Nach dem Stand von jetzt; es wird noch gespielt." in text_of(page)
    assert [row["open"] for row in page.context["rows"]] == [""] * 5


def test_at_the_end_it_is_the_order_of_the_prize_giving() -> None:
    desk = evening()
    for number in (1, 2, 3):
        a_played_round(desk.tournament, number)
    assert "In der Reihenfolge der Siegerehrung" in text_of(desk.get("prize_list"))
    assert "Wer was bekommt" in text_of(desk.get("standings"))
    assert "Wer was bekommt" in text_of(desk.get("overview"))


def test_a_thing_for_two_waits_for_a_person() -> None:
    """Six at the table: ranks 5 and 6 both have one point and share rank 5."""
    desk = evening(6)
    a_played_round(desk.tournament)
    page = desk.get("prize_list")
    assert listed(page)[:2] == [
        ("Letzter Rang", sorted(seats(desk)[4:]), "Trostpreis"),
        ("Rang 5", sorted(seats(desk)[4:]), "Wurst"),
    ]
    assert "Sie teilen sich den Rang, und Sachen werden nicht geteilt" in text_of(page)
    assert "Mehrere sind gleich, und Sachen werden nicht geteilt" in text_of(page)


def test_who_went_home_and_a_plan_above_the_pot_are_taken_into_account() -> None:
    desk = evening(present_only=True, costs_cents=1000)
    a_played_round(desk.tournament)
    gone, second, *_others = seats(desk)
    withdraw(desk.tournament, gone, by="kasse", at=AT)
    page = desk.get("prize_list")
    assert ("Rang 2", [second], "4,00\xa0€") in listed(page)
    assert all(gone not in numbers for _name, numbers, _gives in listed(page))
    assert "Der Plan gibt 3,00 € mehr her, als da ist." in text_of(page)


def test_who_was_found_missing_is_passed_over_as_well() -> None:
    desk = evening(present_only=True)
    a_played_round(desk.tournament)
    last = seats(desk)[-1]
    set_presence(desk.tournament, last, present=False)
    assert all(last not in numbers for _name, numbers, _gives in listed(desk.get("prize_list")))
    set_presence(desk.tournament, last, present=True)
    assert any(last in numbers for _name, numbers, _gives in listed(desk.get("prize_list")))


def test_money_of_a_shared_rank_is_said_for_each() -> None:
    desk = evening(10)
    a_played_round(desk.tournament)
    by_name = {name: gives for name, _numbers, gives in listed(desk.get("prize_list"))}
    assert by_name["Rang 3"] == "je 2,00\xa0€"


def test_without_a_plan_the_list_leads_to_the_plan() -> None:
    desk = Staff(5)
    assert desk.get("prize_list").url == desk.url("prize_plan")
    assert "Wer was bekommt" not in text_of(desk.get("standings"))
