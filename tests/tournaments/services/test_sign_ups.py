"""Players who register themselves, until a desk confirms them: places, waiting list, limits, and what they may change."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments.core.refusal import Refusal
from tournaments.core.sign_up_codes import plain_code
from tournaments.links import new_code, new_sign_up_code
from tournaments.models import Participant, SignUp, Tournament
from tournaments.queries.door import door
from tournaments.queries.sign_ups import own_sign_ups, sign_ups_to_confirm
from tournaments.rulesets.loader import preset
from tournaments.services import own_evening, sign_ups
from tournaments.services.door import take_back_fee, take_fee, withdraw
from tournaments.services.sign_ups import Sender

pytestmark = pytest.mark.django_db

ENDS = AT + timedelta(hours=2)
HOME = Sender(address="192.0.2.1", browser="")


def terms(tournament: Tournament, **more: Any) -> None:
    values = {"is_open": True, "closes_at": ENDS, "most": None, "only_in_hall": False, "without_desk": False}
    sign_ups.set_terms(tournament, **(values | more), at=AT)  # type: ignore[arg-type]


def an_evening(**more: Any) -> Tournament:
    tournament = TournamentFactory.create(
        ruleset=preset("schnauz-placing").to_dict() | {"entry_fee_cents": 300}
    )
    terms(tournament, **more)
    return tournament


def signed_up(
    tournament: Tournament, name: str = "Huber Sepp", *, sender: Sender = HOME, at: datetime = AT, **more: Any
) -> tuple[SignUp, str]:
    code = more.pop("code", new_sign_up_code())
    values: dict[str, Any] = {"club": "SV Ort", "names": "", "in_hall": False} | more
    return sign_ups.sign_up(tournament, name=name, code=code, sender=sender, at=at, **values), code


def refused(expected: str, *function: Any, **values: Any) -> None:
    with pytest.raises(Refusal, check=lambda refusal: refusal.code == expected):
        function[0](*function[1:], **values)


def waiting(tournament: Tournament) -> list[int]:
    return [row.number for row in sign_ups_to_confirm(tournament) if row.waits]


def test_a_sign_up_has_a_number_and_is_no_player() -> None:
    tournament = an_evening()
    assert [signed_up(tournament, name)[0].number for name in ("Huber Sepp", "Meier Anna")] == [1, 2]
    assert not tournament.participants.exists()


def test_a_form_sent_again_returns_the_same_sign_up() -> None:
    tournament = an_evening()
    first, code = signed_up(tournament)
    assert signed_up(tournament, code=code)[0] == first
    assert tournament.sign_ups.count() == 1


@pytest.mark.parametrize(
    ("code", "changed", "more"),
    [
        ("sign_up_closed", {"is_open": False}, {}),
        ("sign_up_only_in_hall", {"only_in_hall": True}, {}),
        ("sign_up_over", {}, {"at": ENDS}),
        ("sign_up_code_unknown", {}, {"code": "short"}),
        ("name_empty", {}, {"name": " "}),
        ("name_is_number", {}, {"name": "1925"}),
        ("text_too_long", {}, {"club": "x" * 81}),
    ],
)
def test_refused_sign_ups(code: str, changed: dict[str, Any], more: dict[str, Any]) -> None:
    tournament = an_evening(**changed)
    refused(code, signed_up, tournament, **more)
    assert not tournament.sign_ups.exists()


def test_without_terms_nobody_signs_up() -> None:
    refused("sign_up_closed", signed_up, TournamentFactory.create())


def test_the_hall_code_is_accepted_when_sign_up_from_home_is_closed() -> None:
    tournament = an_evening(only_in_hall=True)
    made, _code = signed_up(tournament, in_hall=True, at=ENDS + timedelta(hours=1))
    assert made.arrived_at is not None


def test_in_a_knockout_nobody_joins_after_the_first_round() -> None:
    tournament = TournamentFactory.create(ruleset=preset("knockout").to_dict())
    terms(tournament)
    ParticipantFactory.create_batch(10, tournament=tournament)
    a_round(tournament)
    tournament.rounds.update(state="closed", closed_at=AT, closed_reason="x")
    refused("joining_ended_with_round_1", signed_up, tournament)


# --- places -------------------------------------------------------------------------------------------------------


def test_beyond_the_limit_one_waits_and_moves_up_when_somebody_withdraws() -> None:
    tournament = an_evening(most=2)
    _first, code = signed_up(tournament, "Huber Sepp")
    for name in ("Meier Anna", "Moser Max", "Maier Eva"):
        signed_up(tournament, name)
    assert waiting(tournament) == [3, 4]
    sign_ups.withdraw_sign_up(tournament, code, at=AT)
    assert waiting(tournament) == [4]


def test_a_place_that_was_given_is_not_taken_away() -> None:
    tournament = an_evening(most=2)
    signed_up(tournament, "Huber Sepp")
    ParticipantFactory.create_batch(5, tournament=tournament)
    terms(tournament, most=1)
    assert waiting(tournament) == []
    signed_up(tournament, "Meier Anna")
    assert waiting(tournament) == [2]


def test_who_waits_moves_up_when_a_player_leaves_or_there_are_more_places() -> None:
    tournament = an_evening(most=1)
    ParticipantFactory.create(tournament=tournament)
    for name in ("Huber Sepp", "Meier Anna"):
        signed_up(tournament, name)
    assert waiting(tournament) == [1, 2]
    withdraw(tournament, 1, by="kasse", at=AT)
    assert waiting(tournament) == [2]
    terms(tournament, most=2)
    assert waiting(tournament) == []


def test_a_sign_up_shows_its_place_on_the_waiting_list() -> None:
    tournament = an_evening(most=1)
    codes = [signed_up(tournament, name)[1] for name in ("Huber Sepp", "Meier Anna", "Moser Max")]
    assert [own.waits for own in own_sign_ups(tournament, codes)] == [0, 1, 2]


# --- one's own ----------------------------------------------------------------------------------------------------


def test_the_code_gives_the_right_to_change_and_withdraw() -> None:
    tournament = an_evening()
    _made, code = signed_up(tournament)
    sign_ups.change_sign_up(tournament, code, name="Huber Josef", club="", names="number")
    [own] = own_sign_ups(tournament, [code])
    assert (own.name, own.club, own.names) == ("Huber Josef", "", "number")
    sign_ups.withdraw_sign_up(tournament, f"{code[:4]}-{code[4:8]} {code[8:].lower()}", at=AT)
    refused("sign_up_withdrawn", sign_ups.arrive, tournament, code, in_hall=False, at=AT)


def test_another_code_or_that_of_another_tournament_changes_nothing() -> None:
    tournament, other = an_evening(), an_evening()
    _made, code = signed_up(other)
    signed_up(tournament)
    for wrong in (code, new_sign_up_code(), ""):
        refused("sign_up_code_unknown", sign_ups.withdraw_sign_up, tournament, wrong, at=AT)
    assert not tournament.sign_ups.exclude(withdrawn_at=None).exists()
    assert own_sign_ups(tournament, [code]) == []


# --- the desk -----------------------------------------------------------------------------------------------------


def test_arrived_sign_ups_come_first_in_order_of_arrival() -> None:
    tournament = an_evening()
    codes = [signed_up(tournament, name)[1] for name in ("Huber Sepp", "Meier Anna", "Moser Max")]
    for minute, code in enumerate((codes[2], codes[1])):
        sign_ups.arrive(tournament, code, in_hall=False, at=AT + timedelta(minutes=minute))
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [3, 2, 1]


def test_a_confirmed_sign_up_is_a_present_player_who_has_paid_with_the_wished_public_name() -> None:
    tournament = an_evening()
    _made, code = signed_up(tournament, names="number")
    person = sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    assert (person.start_number, person.name, person.club) == (1, "Huber Sepp", "SV Ort")
    assert (person.presence, person.names) == ("present", "number")
    assert [payment.cents for payment in person.payments.all()] == [300]
    [own] = own_sign_ups(tournament, [code])
    assert (own.start_number, own.is_confirmed) == (1, True)
    assert sign_ups_to_confirm(tournament) == ()
    refused("sign_up_confirmed_as", sign_ups.confirm, tournament, 1, paid=True, by="kasse", at=AT)
    refused("sign_up_confirmed", sign_ups.withdraw_sign_up, tournament, code, at=AT)


def test_a_confirmation_books_a_part_of_the_fee_or_nothing() -> None:
    tournament = an_evening()
    for name in ("Huber Sepp", "Meier Anna"):
        signed_up(tournament, name)
    part = sign_ups.confirm(tournament, 1, paid=True, part_cents=100, by="kasse", at=AT)
    nothing = sign_ups.confirm(tournament, 2, paid=False, by="kasse", at=AT)
    assert [list(row.payments.values_list("cents", flat=True)) for row in (part, nothing)] == [[100], []]


@pytest.mark.parametrize("spelt", ["Sepp Huber", "HUBER Sepp", "Hubber Sepp"])
def test_a_name_that_is_there_already_is_put_beside_it_and_never_merged_by_itself(spelt: str) -> None:
    tournament = an_evening()
    signed_up(tournament, spelt)
    ParticipantFactory.create(tournament=tournament, name="Huber Sepp", start_number=7)
    rows = door(tournament)
    assert [row.start_number for row in rows.players_alike(rows.sign_ups[0])] == [7]
    assert tournament.participants.count() == 1


def test_two_sign_ups_of_one_name_are_beside_each_other() -> None:
    tournament = an_evening()
    for name in ("Müller Jörg", "Joerg Mueller", "Huber Sepp"):
        signed_up(tournament, name)
    rows = door(tournament)
    alike = {row.number: [like.number for like in rows.sign_ups_alike(row)] for row in rows.sign_ups}
    assert alike == {1: [2], 2: [1], 3: []}


def test_the_desk_says_that_it_is_a_player_who_is_there_already() -> None:
    tournament = an_evening()
    known = ParticipantFactory.create(tournament=tournament, presence="announced", names="number")
    signed_up(tournament)
    person = sign_ups.confirm(tournament, 1, paid=False, same_as=1, by="kasse", at=AT)
    assert (person.pk, person.presence, person.names) == (known.pk, "present", "number")
    assert tournament.participants.count() == 1
    signed_up(tournament, "Meier Anna")
    refused("sign_up_confirmed_as", sign_ups.confirm, tournament, 2, paid=False, same_as=1, by="x", at=AT)


def test_a_confirmation_by_mistake_is_taken_back() -> None:
    tournament = an_evening()
    signed_up(tournament)
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    sign_ups.take_back_confirmation(tournament, 1, by="kasse", at=AT)
    [row] = sign_ups_to_confirm(tournament)
    assert (row.name, row.club) == ("Huber Sepp", "SV Ort")
    person = tournament.participants.get()
    assert person.withdrawn_at is not None
    assert [(paid.kind, paid.cents) for paid in person.payments.order_by("id")] == [
        ("fee", 300),
        ("refund", 300),
    ]
    again = sign_ups.confirm(tournament, 1, paid=False, others=[1], by="kasse", at=AT)
    assert again.start_number == 2


def test_jokes_are_discarded_together_and_others_move_up() -> None:
    tournament = an_evening(most=2)
    joker = Sender("192.0.2.9", "a browser")
    for name in ("Donald Duck", "Dagobert Duck"):
        signed_up(tournament, name, sender=joker)
    signed_up(tournament, "Huber Sepp")
    assert sign_ups.discard(tournament, 1, of_sender=True, by="kasse", at=AT) == 2
    assert [(row.number, row.waits) for row in sign_ups_to_confirm(tournament)] == [(3, False)]
    refused("sign_up_unknown", sign_ups.confirm, tournament, 1, paid=True, by="kasse", at=AT)
    refused("sign_up_unknown", sign_ups.discard, tournament, 1, by="kasse", at=AT)
    assert sign_ups.take_back_discard(tournament, 2, at=AT) == 2
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [1, 2, 3]


@pytest.mark.parametrize("browsers", [("one", "another"), ("", "")])
@pytest.mark.parametrize("in_hall", [True, False])
def test_those_behind_one_router_are_no_one_sender(browsers: tuple[str, str], in_hall: bool) -> None:
    tournament = an_evening()
    for name, browser in zip(("Huber Sepp", "Meier Anna"), browsers, strict=True):
        signed_up(tournament, name, sender=Sender("192.0.2.1", browser), in_hall=in_hall)
    assert sign_ups.discard(tournament, 1, of_sender=True, by="kasse", at=AT) == 1
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [2]


def test_an_arrival_by_mistake_is_taken_back_until_there_is_a_player() -> None:
    tournament = an_evening()
    _entry, code = signed_up(tournament)
    sign_ups.arrive(tournament, code, in_hall=False, at=AT)
    assert sign_ups.take_back_arrival(tournament, code).arrived_at is None
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    refused("sign_up_confirmed", sign_ups.take_back_arrival, tournament, code)


def test_a_code_has_none_of_the_letters_that_look_like_digits_and_is_read_with_either() -> None:
    codes = "".join(new_sign_up_code() + new_code() for _ in range(200))
    assert set(codes) - {"-"} == set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    tournament = an_evening()
    signed_up(tournament, code="OIOI-ABCD-2345".replace("-", ""))  # as a version before made them
    for typed in ("OIOI-ABCD-2345", "0101abcd2345", "o1oi abcd 2345"):
        assert [row.number for row in own_sign_ups(tournament, [plain_code(typed)])] == [1]
    assert plain_code("OIOI-ABCD-234") == ""


def test_a_single_sign_up_is_discarded_and_withdrawn_ones_stay_withdrawn() -> None:
    tournament = an_evening()
    codes = [signed_up(tournament, name)[1] for name in ("Huber Sepp", "Meier Anna", "Moser Max")]
    sign_ups.withdraw_sign_up(tournament, codes[2], at=AT)
    assert sign_ups.discard(tournament, 1, by="kasse", at=AT) == 1
    refused("sign_up_unknown", sign_ups.take_back_discard, tournament, 3, at=AT)
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [2]


def test_a_confirmation_as_somebody_who_is_another_is_taken_back_and_they_are_as_before() -> None:
    tournament = an_evening()
    ParticipantFactory.create(tournament=tournament, presence="announced", names="number")
    signed_up(tournament, names="full")
    later = AT + timedelta(minutes=5)
    sign_ups.confirm(tournament, 1, paid=True, same_as=1, by="kasse", at=later)
    sign_ups.take_back_look(tournament, 1, presence="announced", names="number", by="kasse", at=later)
    known = tournament.participants.get()
    assert (known.presence, known.names, known.withdrawn_at) == ("announced", "number", None)
    assert [(paid.kind, paid.cents) for paid in known.payments.order_by("id")] == [
        ("fee", 300),
        ("refund", 300),
    ]
    assert [row.start_number for row in sign_ups_to_confirm(tournament)] == [0]
    refused("sign_up_unknown", sign_ups.take_back_look, tournament, 1, by="kasse", at=later)


def test_only_the_payment_of_the_confirmation_is_taken_back_with_it() -> None:
    """Two desks in the same moment: one confirms, and another takes the fee."""
    tournament = an_evening(without_desk=True)
    signed_up(tournament, in_hall=True)
    sign_ups.confirm(tournament, 1, paid=False, by="kasse", at=AT)
    take_fee(tournament, 1, by="andere", at=AT)
    sign_ups.take_back_look(tournament, 1, by="kasse", at=AT)
    assert [row.kind for row in tournament.participants.get().payments.order_by("id")] == ["fee"]


def test_a_confirmation_whose_payment_went_back_already_is_taken_back() -> None:
    tournament = an_evening(without_desk=True)
    signed_up(tournament, in_hall=True)
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    take_back_fee(tournament, 1, by="kasse", at=AT)
    assert sign_ups.take_back_look(tournament, 1, by="kasse", at=AT).confirmed_at is None
    assert [row.kind for row in tournament.participants.get().payments.order_by("id")] == ["fee", "refund"]


def test_of_two_batches_that_were_discarded_in_one_moment_one_comes_back() -> None:
    tournament = an_evening()
    jokers = [Sender("192.0.2.9", f"browser {number}") for number in (8, 9)]
    for number, name in enumerate(("Donald Duck", "Dagobert Duck", "Daisy Duck", "Micky Maus")):
        signed_up(tournament, name, sender=jokers[number % 2])
    for number in (1, 2):
        assert sign_ups.discard(tournament, number, of_sender=True, by="kasse", at=AT) == 2
    assert sign_ups.take_back_discard(tournament, 4, at=AT) == 2
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [2, 4]


def test_who_was_discarded_with_one_that_is_erased_comes_back_alone() -> None:
    tournament = an_evening()
    for name in ("Donald Duck", "Dagobert Duck", "Daisy Duck"):
        signed_up(tournament, name, sender=Sender("192.0.2.9", "a browser"))
    sign_ups.discard(tournament, 1, of_sender=True, by="kasse", at=AT)
    tournament.sign_ups.get(number=1).delete()
    assert sign_ups.take_back_discard(tournament, 2, at=AT) == 1
    assert [row.number for row in sign_ups_to_confirm(tournament)] == [2]


def test_who_takes_part_without_a_desk_stays_a_player_when_that_is_taken_back() -> None:
    tournament = an_evening(without_desk=True)
    signed_up(tournament, in_hall=True, names="full")
    later = AT + timedelta(minutes=5)
    sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=later)
    sign_ups.take_back_look(tournament, 1, by="kasse", at=later)
    person = tournament.participants.get()
    assert (person.presence, person.names, person.withdrawn_at) == ("present", "number", None)
    assert [paid.kind for paid in person.payments.order_by("id")] == ["fee", "refund"]
    assert [row.start_number for row in sign_ups_to_confirm(tournament)] == [1]


# --- without a desk -----------------------------------------------------------------------------------------------


def test_without_a_desk_the_hall_code_makes_a_player_whom_the_public_sees_as_a_number() -> None:
    tournament = an_evening(without_desk=True)
    signed_up(tournament, in_hall=True, names="short")
    person = tournament.participants.get()
    assert (person.name, person.names, person.presence) == ("Huber Sepp", "number", "present")
    assert [row.start_number for row in sign_ups_to_confirm(tournament)] == [1]
    seen = sign_ups.confirm(tournament, 1, paid=True, by="kasse", at=AT)
    assert (seen.pk, seen.names) == (person.pk, "short")
    assert [payment.cents for payment in seen.payments.all()] == [300]


def test_without_a_desk_nobody_is_a_player_from_home_or_from_the_waiting_list() -> None:
    tournament = an_evening(without_desk=True, most=1)
    _made, code = signed_up(tournament)
    sign_ups.arrive(tournament, code, in_hall=False, at=AT)
    signed_up(tournament, "Meier Anna", in_hall=True)
    assert not tournament.participants.exists()
    sign_ups.arrive(tournament, code, in_hall=True, at=AT)
    assert [person.name for person in tournament.participants.all()] == ["Huber Sepp"]


# --- limits -------------------------------------------------------------------------------------------------------


def test_one_browser_has_a_limit_that_a_hall_behind_one_address_does_not_reach() -> None:
    tournament = an_evening()
    browser = Sender("192.0.2.1", "browser-1")
    for number in range(sign_ups.MOST_OF_A_BROWSER):
        signed_up(tournament, f"Spieler {number}", sender=browser)
    refused("sign_ups_too_many", signed_up, tournament, sender=browser)
    for number in range(60):
        signed_up(tournament, f"Gast {number}", sender=Sender("192.0.2.1", f"phone-{number}"))
    signed_up(tournament, sender=browser, at=AT + sign_ups.WINDOW)


def test_a_flood_from_home_leaves_the_hall_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ups, "MOST_OF_AN_ADDRESS", 5)
    tournament = an_evening()
    for number in range(5):
        signed_up(tournament, f"Spieler {number}")
    refused("sign_ups_too_many", signed_up, tournament)
    signed_up(tournament, in_hall=True)
    signed_up(tournament, sender=Sender("192.0.2.2", ""))


def test_a_tournament_has_a_limit_of_open_sign_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ups, "MOST_OPEN", 1)
    tournament = an_evening()
    signed_up(tournament)
    refused("sign_ups_enough", signed_up, tournament)
    sign_ups.confirm(tournament, 1, paid=False, by="kasse", at=AT)
    signed_up(tournament)


def test_sign_ups_are_deleted_a_week_after_the_evening() -> None:
    past, today = an_evening(), an_evening()
    for tournament in (past, today):
        signed_up(tournament)
    Tournament.objects.filter(pk=past.pk).update(played_on=date(2026, 11, 13))
    assert sign_ups.forget_sign_ups(at=AT) == 1
    assert [row.tournament_id for row in SignUp.objects.all()] == [today.pk]


# --- the evening --------------------------------------------------------------------------------------------------


def a_player(tournament: Tournament) -> str:
    _made, code = signed_up(tournament)
    sign_ups.confirm(tournament, tournament.sign_ups.latest("number").number, paid=False, by="kasse", at=AT)
    return code


def test_going_home_counts_at_the_next_draw_and_one_may_come_back() -> None:
    tournament = an_evening()
    code = a_player(tournament)
    own_evening.go_home(tournament, code, at=AT)
    person = Participant.objects.get(tournament=tournament)
    assert [(change.kind, change.by) for change in person.changes.all()] == [("withdrawn", "")]
    own_evening.come_back(tournament, code, at=AT)
    person.refresh_from_db()
    assert person.withdrawn_at is None
    withdraw(tournament, 1, by="kasse", at=AT)
    refused("withdrawn_by_desk", own_evening.come_back, tournament, code, at=AT)


def test_a_pausing_player_is_left_out_of_one_draw() -> None:
    tournament = an_evening()
    code = a_player(tournament)
    ParticipantFactory.create_batch(10, tournament=tournament)
    assert own_evening.pause(tournament, code).pauses_round == 1
    assert not a_round(tournament).seats.filter(participant__start_number=1).exists()
    tournament.rounds.update(state="closed", closed_at=AT, closed_reason="x")
    assert a_round(tournament, 2).seats.filter(participant__start_number=1).exists()


def test_a_pause_is_taken_back_by_the_player_or_the_desk() -> None:
    tournament = an_evening()
    code = a_player(tournament)
    own_evening.pause(tournament, code)
    assert own_evening.end_pause(tournament, code).pauses_round is None
    own_evening.pause(tournament, code)
    assert own_evening.end_pause_of(tournament, 1).pauses_round is None


def test_in_a_knockout_nobody_pauses() -> None:
    tournament = TournamentFactory.create(ruleset=preset("knockout").to_dict())
    terms(tournament)
    refused("pause_impossible", own_evening.pause, tournament, a_player(tournament))


def test_an_unconfirmed_sign_up_cannot_go_home_or_pause() -> None:
    tournament = an_evening()
    _made, code = signed_up(tournament)
    refused("sign_up_not_confirmed", own_evening.go_home, tournament, code, at=AT)
    refused("sign_up_code_unknown", own_evening.pause, tournament, new_sign_up_code())
