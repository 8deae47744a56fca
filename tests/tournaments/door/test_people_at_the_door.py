"""Actions on registered players: check in, pay, refund, withdraw, correct, find."""

import re

import pytest

from tests.factories import AT, ParticipantFactory, a_round
from tests.tournaments.door.doors import FRAGMENT, Cashier, figures, numbers
from tournaments.models import Participant, Payment
from tournaments.services import door, exclusion, people_lists
from tournaments.services.desks import close_desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def state(desk: Cashier, start_number: int = 1) -> tuple[str, bool]:
    person = Participant.objects.get(tournament=desk.tournament, start_number=start_number)
    return person.presence, person.withdrawn_at is not None


def ledger(desk: Cashier) -> list[tuple[str, int]]:
    return list(
        Payment.objects.filter(participant__tournament=desk.tournament)
        .order_by("id")
        .values_list("kind", "cents")
    )


def announce(desk: Cashier, *names: str) -> None:
    people_lists.announce(desk.tournament, [door.Newcomer(name) for name in names], by="liste", at=AT)


def test_one_tap_checks_in_and_takes_the_fee(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    answer = desk.act(1, "present-paid")
    assert state(desk) == ("present", False)
    assert ledger(desk) == [("fee", 300)]
    assert figures(answer)["unpaid"] == "0"
    assert "ist da · 3,00\u00a0€ kassiert" in answer


def test_a_check_in_is_taken_back_with_its_fee(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    answer = desk.act(1, "present-paid")
    assert desk.url("act", 1, "announced-refund") in answer
    desk.act(1, "announced-refund")
    assert state(desk) == ("announced", False)
    assert ledger(desk) == [("fee", 300), ("refund", 300)]


def test_what_was_paid_before_stays_when_a_check_in_is_taken_back(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    person = desk.tournament.participants.get()
    person.payments.create(kind="fee", cents=100, at=AT, by="kasse")
    desk.act(1, "present-paid")
    desk.act(1, "announced-refund")
    assert ledger(desk) == [("fee", 100), ("fee", 200), ("refund", 200)]


def test_undoing_the_check_in_of_an_absent_player_makes_them_absent_again(desk: Cashier) -> None:
    desk.register("Huber Sepp", unpaid="on")
    desk.act(1, "absent")
    assert desk.url("act", 1, "absent-refund") in desk.act(1, "present-paid")
    desk.act(1, "absent-refund")
    assert state(desk) == ("absent", False)
    assert ledger(desk) == [("fee", 300), ("refund", 300)]


def test_a_player_who_pays_later_is_present_and_owes_the_fee(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    answer = desk.act(1, "present")
    assert state(desk) == ("present", False)
    assert ledger(desk) == []
    assert figures(answer)["unpaid"] == "1"
    assert "ist da · 3,00\u00a0€ offen" in answer
    assert desk.url("act", 1, "announced") in answer  # undo


def test_a_row_offers_both_keys_and_one_to_who_has_paid(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    desk.act(2, "pay")
    page = " ".join(desk.get("desk").split())
    assert 'id="present-paid-1"' in page
    assert ">Ist da, 3,00 €</button>" in page
    assert 'id="present-1"' in page
    assert 'id="present-paid-2"' not in page
    assert 'id="present-2"' in page


def test_two_keys_at_two_desks_take_one_fee(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    desk.act(1, "present-paid")
    answer = desk.act(1, "present-paid")
    assert ledger(desk) == [("fee", 300)]
    assert "ist schon als anwesend vermerkt" in answer


def test_the_withdrawn_and_the_excluded_are_not_checked_in(desk: Cashier) -> None:
    announce(desk, "Huber Sepp", "Meier Anna")
    desk.act(1, "withdraw")
    exclusion.exclude(desk.tournament, 2, reason="Falschspiel", by="leitung", at=AT)
    desk.act(1, "present-paid")
    desk.act(2, "present-paid")
    assert ledger(desk) == []
    assert state(desk, 2)[0] == "announced"


def test_a_check_in_is_taken_back(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    desk.act(1, "present")
    desk.act(1, "announced")
    assert state(desk) == ("announced", False)


def test_rules_1_2_the_fee_of_3_euro_is_booked_once(desk: Cashier) -> None:
    assert "offen 3,00\u00a0€" in desk.register("Huber Sepp", unpaid="on")
    assert "hat bezahlt · 3,00\u00a0€" in desk.act(1, "pay")
    answer = desk.act(1, "pay")
    assert ledger(desk) == [("fee", 300)]
    assert "hat die Startgebühr schon bezahlt: 3,00\u00a0€. Es ist nichts mehr zu kassieren." in answer


def test_a_payment_in_advance_is_shown_with_its_amount(desk: Cashier) -> None:
    announce(desk, "Huber Sepp")
    desk.act(1, "pay")
    assert re.search("bezahlt\\s+3,00\u00a0€</span>", desk.get("desk"))
    hint = desk.client.get(desk.url("list"), {"name": "1"}, headers=FRAGMENT).content.decode()
    assert "Hat schon bezahlt: 3,00\u00a0€." in hint


def test_a_mistake_is_booked_back_and_nothing_is_edited(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "refund")
    desk.act(1, "pay")
    assert ledger(desk) == [("fee", 300), ("refund", 300), ("fee", 300)]


def test_a_refund_never_exceeds_the_payments(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "refund")
    answer = desk.act(1, "refund")
    assert ledger(desk) == [("fee", 300), ("refund", 300)]
    assert "nichts auszuzahlen" in answer


def test_a_withdrawn_player_stays_in_the_list_and_may_return(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    answer = desk.act(1, "withdraw")
    assert state(desk) == ("present", True)
    assert figures(answer)["present"] == "0"
    assert numbers(answer) == [1]
    desk.act(1, "return")
    assert state(desk) == ("present", False)


def test_a_registration_is_taken_back_with_its_money(desk: Cashier) -> None:
    answer = desk.register("Huber Sepp")
    assert desk.url("act", 1, "unregister") in answer
    desk.act(1, "unregister")
    assert state(desk) == ("present", True)
    assert ledger(desk) == [("fee", 300), ("refund", 300)]
    desk.register("Meier Anna")
    assert state(desk, 2) == ("present", False)  # number 1 is not given again


def test_a_player_who_has_played_cannot_be_unregistered(desk: Cashier) -> None:
    ParticipantFactory.create_batch(5, tournament=desk.tournament)
    a_round(desk.tournament)
    answer = desk.act(1, "unregister")
    assert state(desk) == ("present", False)
    assert "hat schon an einem Tisch gesessen" in answer


def test_the_roll_call_takes_one_tap_a_missing_person(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.register("Zacherl Anna")
    page = desk.get("roll_call")
    assert page.index("Huber, Sepp") < page.index("Zacherl, Anna")
    response = desk.client.post(
        desk.url("act", 1, "absent"), {"from": "roll-call"}, headers={"HX-Request": "true"}
    )
    answer = response.content.decode()
    assert answer.lstrip().startswith('<li id="person-1"')
    assert figures(answer) == {"present": "1", "absent": "1", "announced": "0"}
    assert state(desk) == ("absent", False)


def test_the_roll_call_works_without_javascript(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    response = desk.client.post(desk.url("act", 1, "absent"), {"from": "roll-call"})
    assert response.status_code == 302
    assert response["Location"] == desk.url("roll_call") + "#person-1"


def test_the_withdrawn_are_not_called(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "withdraw")
    assert 'id="person-1"' not in desk.get("roll_call")


def test_a_name_is_corrected(desk: Cashier) -> None:
    desk.register("Hubr Sepp")
    response = desk.client.post(desk.url("person", 1), {"name": "Huber Sepp", "club": "SV Ort"})
    assert response.status_code == 302
    assert desk.tournament.participants.get().name == "Huber Sepp"


def test_a_bad_correction_changes_nothing_and_keeps_what_was_typed(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    response = desk.client.post(desk.url("person", 1), {"name": "Huber\u202e Sepp", "club": "SV Ort"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "U+202E" in page
    assert 'value="SV Ort"' in page
    assert desk.tournament.participants.get().name == "Huber Sepp"


FOUND = {
    "mül": [1],
    "mul": [1],
    "MUELLER": [1],
    "jörg mü": [1],
    "stamm": [1],
    "2": [2],
    "anna": [2],
    "anna müller": [],
    "-": [2, 1],
    "9" * 500: [],
    "\x00": [2, 1],
}


def test_people_are_found_by_the_beginnings_of_their_names(desk: Cashier) -> None:
    desk.register("Müller, Jörg", club="Stammtisch Krone")
    desk.register("Anna Strauß")
    answers = {text: desk.client.get(desk.url("desk"), {"q": text}) for text in FOUND}
    assert {text: numbers(answer.content.decode()) for text, answer in answers.items()} == FOUND


def test_the_unpaid_have_a_list_of_their_own(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.register("Meier Anna", unpaid="on")
    assert numbers(desk.get("desk", query="?only=unpaid")) == [2]


def test_an_action_keeps_the_search(desk: Cashier) -> None:
    desk.register("Huber Sepp", unpaid="on")
    desk.register("Meier Anna", unpaid="on")
    response = desk.client.post(desk.url("act", 1, "pay"), {"q": "huber"}, headers={"HX-Request": "true"})
    assert numbers(response.content.decode()) == [1]


def test_unknown_players_and_actions_are_404(desk: Cashier) -> None:
    other = ParticipantFactory.create(start_number=99)
    for number in (other.start_number, 0, 2**31 - 1):
        assert desk.client.post(desk.url("act", number, "pay")).status_code == 404
        assert desk.client.get(desk.url("person", number)).status_code == 404
    desk.register("Huber Sepp")
    assert desk.client.post(desk.url("act", 1, "explode")).status_code == 404
    assert Payment.objects.filter(participant=other).count() == 0


def test_a_get_changes_nothing(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    assert desk.client.get(desk.url("act", 1, "withdraw")).status_code == 405
    assert state(desk) == ("present", False)


@pytest.mark.parametrize("foreign", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_an_action_never_redirects_to_another_site(desk: Cashier, foreign: str) -> None:
    desk.register("Huber Sepp")
    answer = desk.client.post(desk.url("act", 1, "absent"), {"next": foreign})
    assert answer["Location"].startswith(desk.url("desk"))


# --- who leaves, and who comes back ------------------------------------------------------------------------------


def shown_in(page: str) -> str:
    return " ".join(page.replace("\xa0", " ").split())


def test_leaving_and_the_refund_are_one_step_also_before_the_start(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    assert "Geht heim, bekommt 3,00 € zurück" in shown_in(desk.get("desk"))
    assert "Geht heim, bekommt 3,00 € zurück" in shown_in(desk.get("person", 1))
    answer = desk.act(1, "withdraw-refund")
    assert "ist abgemeldet · 3,00 € zurück" in shown_in(answer)
    assert (state(desk), ledger(desk)) == (("present", True), [("fee", 300), ("refund", 300)])
    assert desk.url("act", 1, "stay-paid") in answer
    desk.act(1, "stay-paid")
    assert (state(desk), ledger(desk)[2:]) == (("present", False), [("fee", 300)])


def test_who_was_only_announced_and_has_paid_leaves_with_the_refund_and_undo_makes_nobody_present(
    desk: Cashier,
) -> None:
    announce(desk, "Huber Sepp")
    desk.act(1, "pay")
    desk.act(1, "withdraw-refund")
    desk.act(1, "stay-paid")
    assert (state(desk), ledger(desk)) == (
        ("announced", False),
        [("fee", 300), ("refund", 300), ("fee", 300)],
    )
    assert desk.url("act", 1, "stay") in desk.act(1, "withdraw")
    desk.act(1, "stay")
    assert state(desk) == ("announced", False)


def test_nobody_leaves_with_a_refund_from_a_closed_desk(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    close_desk(desk.tournament, 1, pieces={"100": 3}, by="x", at=AT)
    assert "ist abgeschlossen" in desk.act(1, "withdraw-refund")
    assert (state(desk), ledger(desk)) == (("present", False), [("fee", 300)])


@pytest.mark.parametrize("typed", ["Huber Sepp", "sepp huber", "1"])
def test_who_is_back_is_one_enter(desk: Cashier, typed: str) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "withdraw-refund")
    hint = desk.client.get(desk.url("list"), {"name": typed}, headers={"HX-Request": "true"})
    assert "ist wieder da." in shown_in(hint.content.decode())
    answer = desk.register(typed)
    assert "ist wieder da · 3,00 € kassiert" in shown_in(answer)
    assert (numbers(answer), state(desk)) == ([1], ("present", False))
    assert ledger(desk) == [("fee", 300), ("refund", 300), ("fee", 300)]
    assert desk.url("act", 1, "withdraw-latest") in answer
    desk.act(1, "withdraw-latest")
    assert (state(desk), ledger(desk)[3:]) == (("present", True), [("refund", 300)])


def test_who_is_back_and_has_paid_pays_nothing_and_who_pays_later_owes(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.register("Meier Anna")
    desk.act(1, "withdraw")
    desk.act(2, "withdraw-refund")
    answer = desk.register("Huber Sepp")
    assert desk.url("act", 1, "withdraw") in answer
    assert "ist wieder da · 3,00 € offen" in shown_in(desk.register("Meier Anna", unpaid="on"))
    assert ledger(desk) == [("fee", 300), ("fee", 300), ("refund", 300)]


def test_who_is_back_may_pay_a_part(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    desk.act(1, "withdraw-refund")
    assert "ist wieder da · 1,00 € kassiert · 2,00 € offen" in shown_in(desk.register("1 1,00"))
    assert ledger(desk)[2:] == [("fee", 100)]


def test_a_namesake_of_who_has_left_is_registered_with_the_other_button(desk: Cashier) -> None:
    desk.register("Huber Sepp", club="Krone")
    desk.act(1, "withdraw")
    assert "Diesen Namen gibt es schon" in desk.register("Huber Sepp", club="Adler")
    desk.register("Huber Sepp", as_new="on", others="1")
    assert state(desk, 1) == ("present", True)
    assert state(desk, 2) == ("present", False)


def test_the_excluded_do_not_come_back_by_their_name(desk: Cashier) -> None:
    desk.register("Huber Sepp")
    exclusion.exclude(desk.tournament, 1, reason="Falschspiel", by="leitung", at=AT)
    assert "Diesen Namen gibt es schon" in desk.register("Huber Sepp")
