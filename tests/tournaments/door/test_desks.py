"""Cash desks: what must be in them, closing with a count, reopening; kinds of fees, part payments, refunds."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from scoring.queries.draw_options import head_count
from tests.factories import AT, TournamentFactory
from tests.tournaments.door.doors import Cashier, figures, numbers
from tournaments.core.refusal import Refusal
from tournaments.models import Payment, Tournament
from tournaments.queries.desks import CountedPiece, DeskRow, desk_lines, desk_row, desk_rows, taken_cents
from tournaments.queries.door import door as door_of
from tournaments.queries.ledger import ledger, unpaid
from tournaments.services import desks, door
from tournaments.services.people_lists import announce
from tournaments.text.refusals import message

pytestmark = pytest.mark.django_db

BY: Any = {"by": "kasse", "at": AT}
FEES = [
    {"key": "full", "name": "voll", "cents": 300},
    {"key": "less", "name": "ermäßigt", "cents": 150},
    {"key": "free", "name": "frei", "cents": 0},
]


@pytest.fixture
def tournament() -> Tournament:
    return TournamentFactory.create(fees=FEES)


def register(tournament: Tournament, name: str = "", fee: str = "", **more: Any) -> int:
    wanted: dict[str, Any] = {"paid": True, "desk": "Kasse 1", **BY, **more}
    name = name or f"Spieler {tournament.participants.count() + 1}"
    return door.register(tournament, door.Newcomer(name, fee=fee), **wanted).start_number


def row(tournament: Tournament, name: str) -> DeskRow:
    return next(desk for desk in desk_rows(tournament) if desk.name == name)


def refused(write: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        write()
    assert message(caught.value)
    return caught.value


def a_busy_desk(tournament: Tournament) -> None:
    """Desk 1: float 50, three fees, one refund, 2 in, 12.50 out, 20 handed over to desk 2, a prize of 5."""
    for name in ("Kasse 1", "Kasse 2"):
        desks.set_up_desk(tournament, name)
    desks.enter_cash(tournament, 1, "float", cents=5000, **BY)
    for _ in range(3):
        register(tournament)
    door.refund_fee(tournament, 3, desk="Kasse 1", **BY)
    desks.enter_cash(tournament, 1, "in", cents=200, reason="Fund", **BY)
    desks.enter_cash(tournament, 1, "out", cents=1250, reason="Karten", **BY)
    desks.enter_cash(tournament, 1, "transfer", to=2, cents=2000, **BY)
    player = tournament.participants.get(start_number=1)
    player.payments.create(kind=Payment.Kind.PAYOUT, cents=500, desk="Kasse 1", **BY)


# --- what must be in a desk ----------------------------------------------------------------------------------------


def test_the_expected_sum_of_a_desk_is_income_minus_expenses(tournament: Tournament) -> None:
    a_busy_desk(tournament)
    first, second = desk_rows(tournament)
    assert (first.expected_cents, second.expected_cents) == (5000 + 900 - 300 + 200 - 1250 - 2000 - 500, 2000)
    assert (first.fees, first.refunds, first.payouts, first.is_closed) == (3, 1, 1, False)
    assert ledger(tournament).desks == (("Kasse 1", first.expected_cents), ("Kasse 2", 2000))
    assert door_of(tournament).cash_cents == ledger(tournament).total_cents == first.expected_cents + 2000


def test_the_door_counts_a_float_before_anybody_is_registered(tournament: Tournament) -> None:
    desks.set_up_desk(tournament, "Kasse 1")
    desks.enter_cash(tournament, 1, "float", cents=5000, **BY)
    assert door_of(tournament).cash_cents == 5000


def test_the_command_prints_every_desk_to_the_cent(
    tournament: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    a_busy_desk(tournament)
    register(tournament, desk="")
    desks.close_desk(tournament, 1, pieces={"1000": 2, "50": 1}, reason="verzählt", **BY)
    Tournament.objects.update(prize_plan={"costs_cents": 250, "prizes": []})
    call_command("cash", tournament.slug)
    assert capsys.readouterr().out == EXPECTED


EXPECTED = """{
 "desks": {
  "Kasse 1": {
   "float": 5000,
   "fees": 900,
   "refunds": 300,
   "in": 200,
   "out": 3250,
   "payouts": 500,
   "expected": 2050,
   "counted": 2050,
   "difference": 0
  },
  "Kasse 2": {
   "float": 0,
   "fees": 0,
   "refunds": 0,
   "in": 2000,
   "out": 0,
   "payouts": 0,
   "expected": 2000,
   "counted": null,
   "difference": null
  },
  "": {
   "float": 0,
   "fees": 300,
   "refunds": 0,
   "in": 0,
   "out": 0,
   "payouts": 0,
   "expected": 300,
   "counted": null,
   "difference": null
  }
 },
 "pot_cents": 650,
 "prizes_cents": 0
}
"""


# --- closing and reopening -----------------------------------------------------------------------------------------


def test_a_count_that_is_right_closes_a_desk_without_a_word(tournament: Tournament) -> None:
    register(tournament)
    desks.close_desk(tournament, 1, pieces={"200": 1, "50": 2, "20": 0}, **BY)
    desk = row(tournament, "Kasse 1")
    assert (desk.is_closed, desk.counted_cents, desk.difference_cents) == (True, 300, 0)
    count, closing = desk_lines(tournament, 1)
    assert (count.kind, count.pieces, closing.kind) == (
        "count",
        (CountedPiece(200, 1), CountedPiece(50, 2)),
        "closed",
    )


@pytest.mark.parametrize(
    ("pieces", "said"), [({"200": 1}, "1,00 € zu wenig"), ({"500": 1}, "2,00 € zu viel")]
)
def test_a_difference_needs_a_word(tournament: Tournament, pieces: dict[str, int], said: str) -> None:
    register(tournament)
    refusal = refused(lambda: desks.close_desk(tournament, 1, pieces=pieces, **BY))
    assert said in message(refusal).replace("\u00a0", " ")
    assert not row(tournament, "Kasse 1").is_closed
    assert tournament.cash_entries.count() == 0
    desks.close_desk(tournament, 1, pieces=pieces, reason="verzählt", **BY)
    assert row(tournament, "Kasse 1").is_closed


def test_a_closed_desk_refuses_every_write_until_it_is_opened_with_a_reason(tournament: Tournament) -> None:
    number = register(tournament)
    unpaid_player = register(tournament, paid=False)
    register(tournament, desk="Kasse 2")
    desks.close_desk(tournament, 1, pieces={"100": 3}, **BY)
    writes: list[Callable[[], object]] = [
        lambda: register(tournament),
        lambda: door.take_fee(tournament, unpaid_player, desk="Kasse 1", **BY),
        lambda: door.refund_fee(tournament, number, desk="Kasse 1", **BY),
        lambda: desks.enter_cash(tournament, 1, "float", cents=100, **BY),
        lambda: desks.enter_cash(tournament, 1, "in", cents=100, reason="Fund", **BY),
        lambda: desks.enter_cash(tournament, 1, "out", cents=100, reason="Karten", **BY),
        lambda: desks.enter_cash(tournament, 2, "transfer", to=1, cents=100, **BY),
        lambda: desks.enter_cash(tournament, 1, "transfer", to=2, cents=100, **BY),
        lambda: desks.close_desk(tournament, 1, pieces={}, reason="noch einmal", **BY),
    ]
    before = ledger(tournament)
    assert {refused(write).code for write in writes} == {"desk_closed"}
    assert ledger(tournament) == before
    assert tournament.participants.count() == 3
    assert refused(lambda: desks.reopen_desk(tournament, 1, reason=" ", **BY)).code == "reason_needed"
    desks.reopen_desk(tournament, 1, reason="Nachzügler", **BY)
    for write in writes:
        write()


def test_invalid_movements_of_a_desk_are_refused(tournament: Tournament) -> None:
    register(tournament)
    codes = [
        refused(lambda: desks.enter_cash(tournament, 1, "transfer", to=1, cents=100, **BY)).code,
        refused(lambda: desks.enter_cash(tournament, 1, "transfer", to=7, cents=100, **BY)).code,
        refused(lambda: desks.enter_cash(tournament, 1, "out", cents=0, reason="Karten", **BY)).code,
        refused(lambda: desks.enter_cash(tournament, 1, "out", cents=100, reason="", **BY)).code,
        refused(lambda: desks.reopen_desk(tournament, 1, reason="Irrtum", **BY)).code,
        refused(lambda: desk_row(tournament, 7)).code,
    ]
    wanted = [
        "transfer_to_itself",
        "unknown_desk",
        "amount_needed",
        "reason_needed",
        "desk_is_open",
        "unknown_desk",
    ]
    assert codes == wanted


# --- kinds of fees -------------------------------------------------------------------------------------------------


def test_each_kind_of_fee_has_its_amount(tournament: Tournament) -> None:
    for fee in ("", "full", "less", "free"):
        register(tournament, fee=fee)
    paid = Payment.objects.filter(participant__tournament=tournament).order_by("id")
    assert list(paid.values_list("participant__start_number", "cents")) == [(1, 300), (2, 300), (3, 150)]
    assert refused(lambda: register(tournament, fee="vip")).code == "fee_unknown"
    assert unpaid(tournament).players == 0


def test_a_part_is_paid_and_the_rest_is_owed_everywhere(tournament: Tournament) -> None:
    desk = Cashier(tournament=tournament)
    register(tournament, part_cents=100)
    register(tournament, fee="less", paid=False)
    assert refused(lambda: door.take_fee(tournament, 1, cents=201, **BY)).code == "paid_too_much"
    assert refused(lambda: door.take_fee(tournament, 1, cents=0, **BY)).code == "amount_needed"
    rows = unpaid(tournament)
    assert (rows.players, rows.cents) == (2, 200 + 150)
    assert door_of(tournament).unpaid_cents == rows.cents
    assert head_count(tournament).unpaid == int(figures(desk.get("desk"))["unpaid"]) == 2
    assert numbers(desk.get("desk", query="?only=unpaid")) == [2, 1]
    assert "<dd>3,50\u00a0€</dd>" in desk.get("cash")
    door.take_fee(tournament, 1, **BY)
    door.take_fee(tournament, 2, **BY)
    assert unpaid(tournament).players == 0


def test_a_change_of_kind_leaves_money_to_give_back_or_to_ask_for(tournament: Tournament) -> None:
    register(tournament)
    door.choose_fee(tournament, 1, fee="less", **BY)
    person = door_of(tournament).rows[0]
    assert (person.surplus_cents, person.owed_cents) == (150, 0)
    door.refund_surplus(tournament, 1, desk="Kasse 1", **BY)
    assert refused(lambda: door.refund_surplus(tournament, 1, **BY)).code == "nothing_to_refund"
    assert row(tournament, "Kasse 1").expected_cents == 150
    door.choose_fee(tournament, 1, fee="full", **BY)
    assert unpaid(tournament).cents == 150
    changes = tournament.participants.get().changes.order_by("id")
    assert list(changes.values_list("kind", "text")) == [("fee", "voll"), ("fee", "ermäßigt")]
    assert refused(lambda: door.choose_fee(tournament, 1, fee="vip", **BY)).code == "fee_unknown"


def test_a_prize_paid_out_is_no_fee_paid_back(tournament: Tournament) -> None:
    register(tournament)
    tournament.participants.get().payments.create(kind="payout", cents=900, desk="Kasse 1", **BY)
    assert unpaid(tournament).players == 0
    assert door_of(tournament).rows[0].paid_cents == 300


# --- names ---------------------------------------------------------------------------------------------------------


def names_and_sums(tournament: Tournament) -> dict[str, int]:
    return {desk.name: desk.expected_cents for desk in desk_rows(tournament)}


def test_a_renamed_desk_keeps_its_money_and_says_its_earlier_name(tournament: Tournament) -> None:
    register(tournament, desk="Kase 1")
    desks.enter_cash(tournament, 1, "float", cents=5000, **BY)
    desks.rename_desk(tournament, 1, " Kasse  1 ", **BY)
    assert names_and_sums(tournament) == {"Kasse 1": 5300}
    assert [(line.kind, line.reason) for line in desk_lines(tournament, 1)] == [
        ("float", ""),
        ("named", "Kase 1"),
    ]
    assert {line.desk for line in ledger(tournament).lines} == {"Kasse 1"}


def test_a_device_with_the_earlier_name_books_to_the_renamed_desk(tournament: Tournament) -> None:
    register(tournament, desk="Kase 1")
    desks.rename_desk(tournament, 1, "Kasse 1", **BY)
    register(tournament, desk="Kase 1")
    assert names_and_sums(tournament) == {"Kasse 1": 600}


def test_a_desk_that_is_set_up_takes_an_earlier_name_of_another(tournament: Tournament) -> None:
    register(tournament, desk="Kasse 2")
    desks.rename_desk(tournament, 1, "Kasse 1", **BY)
    desks.set_up_desk(tournament, "Kasse 2")
    register(tournament, desk="Kasse 2")
    assert names_and_sums(tournament) == {"Kasse 1": 300, "Kasse 2": 300}


def test_capitals_make_no_other_desk(tournament: Tournament) -> None:
    register(tournament, desk="Kasse 1")
    register(tournament, desk="kasse 1")
    assert desks.set_up_desk(tournament, "KASSE 1").number == 1
    desks.rename_desk(tournament, 1, "KASSE 1", **BY)
    assert names_and_sums(tournament) == {"KASSE 1": 600}


def test_a_desk_gets_no_name_of_another_and_none_when_it_is_closed(tournament: Tournament) -> None:
    for name in ("Kasse 1", "Kasse 2"):
        desks.set_up_desk(tournament, name)
    assert refused(lambda: desks.rename_desk(tournament, 1, "kasse 2", **BY)).code == "desk_twice"
    assert refused(lambda: desks.rename_desk(tournament, 1, " ", **BY)).code == "text_empty"
    assert refused(lambda: desks.rename_desk(tournament, 7, "Theke", **BY)).code == "unknown_desk"
    desks.close_desk(tournament, 1, pieces={}, **BY)
    assert refused(lambda: desks.rename_desk(tournament, 1, "Theke", **BY)).code == "desk_closed"


def test_money_without_a_name_is_taken_along_to_a_new_desk(tournament: Tournament) -> None:
    register(tournament, desk="")
    desks.take_along(tournament, "Kasse 1", reason="Mitgenommen", **BY)
    assert names_and_sums(tournament) == {"Kasse 1": 300}
    register(tournament, desk="")
    assert names_and_sums(tournament) == {"Kasse 1": 300, "": 300}


def test_money_without_a_name_is_handed_over_to_a_desk_that_exists(tournament: Tournament) -> None:
    register(tournament, desk="Kasse 1")
    register(tournament, desk="")
    desks.take_along(tournament, "kasse 1", reason="Mitgenommen", **BY)
    assert names_and_sums(tournament) == {"Kasse 1": 600, "": 0}
    nothing = refused(lambda: desks.take_along(tournament, "Kasse 1", reason="Mitgenommen", **BY))
    assert nothing.code == "amount_needed"


def test_only_an_open_desk_without_a_name_is_taken_along(tournament: Tournament) -> None:
    def take_along() -> object:
        return desks.take_along(tournament, "Kasse 1", reason="Mitgenommen", **BY)

    assert refused(take_along).code == "unknown_desk"
    register(tournament, desk="")
    desks.close_desk(tournament, 1, pieces={"100": 3}, **BY)
    assert refused(take_along).code == "desk_closed"


# --- more than there is, and taking back ---------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "to"), [("out", None), ("transfer", 2)])
def test_more_than_there_is_leaves_a_desk_only_when_it_is_confirmed(
    tournament: Tournament, kind: str, to: int | None
) -> None:
    for name in ("Kasse 1", "Kasse 2"):
        desks.set_up_desk(tournament, name)
    register(tournament)

    def take(confirmed: str = "", cents: int = 50_000) -> object:
        return desks.enter_cash(
            tournament, 1, kind, cents=cents, reason="Bank", to=to, confirmed=confirmed, **BY
        )

    asked = refused(take)
    assert (asked.code, asked.params) == ("more_than_there", {"wanted_cents": 50_000, "there_cents": 300})
    assert "3,00\u00a0€" in message(asked)
    assert "500,00\u00a0€" in message(asked)
    confirmed = desks.confirmation(wanted_cents=50_000, there_cents=300)
    assert refused(lambda: take(confirmed, 60_000)).code == "more_than_there"
    take(confirmed)
    assert row(tournament, "Kasse 1").expected_cents == 300 - 50_000
    assert refused(lambda: take(confirmed)).code == "more_than_there"


@pytest.mark.parametrize(("kind", "to"), [("float", None), ("in", None), ("out", None), ("transfer", 2)])
def test_a_movement_is_taken_back_once_by_a_line_that_says_so(
    tournament: Tournament, kind: str, to: int | None
) -> None:
    for name in ("Kasse 1", "Kasse 2"):
        desks.set_up_desk(tournament, name)
    register(tournament)
    before = desk_rows(tournament)
    movement = desks.enter_cash(tournament, 1, kind, cents=200, reason="Irrtum", to=to, **BY)

    def take_back(desk: int = 1, entry: int = movement.pk) -> object:
        return desks.take_back_movement(tournament, desk, entry, reason="Zurückgenommen", **BY)

    other = 2 if to is None else 7
    assert refused(lambda: take_back(other)).code == "unknown_movement"
    take_back(to or 1)
    assert desk_rows(tournament) == before
    assert ledger(tournament).total_cents == 300
    first, counter_entry = desk_lines(tournament, 1)
    assert (first.movement, first.is_taken_back) == (None, True)
    assert (counter_entry.movement, counter_entry.is_taken_back) == (None, False)
    assert (counter_entry.cents, counter_entry.reason) == (-first.cents, "Zurückgenommen: Irrtum")
    assert refused(take_back).code == "movement_taken_back"
    last = tournament.cash_entries.get(takes_back=movement)
    assert refused(lambda: take_back(1, last.pk)).code == "unknown_movement"


def test_a_movement_of_a_closed_desk_is_not_taken_back(tournament: Tournament) -> None:
    for name in ("Kasse 1", "Kasse 2"):
        desks.set_up_desk(tournament, name)
    desks.enter_cash(tournament, 1, "float", cents=200, **BY)
    movement = desks.enter_cash(tournament, 1, "transfer", to=2, cents=200, **BY)
    desks.close_desk(tournament, 2, pieces={"200": 1}, **BY)
    refusal = refused(
        lambda: desks.take_back_movement(tournament, 1, movement.pk, reason="Zurückgenommen", **BY)
    )
    assert (refusal.code, refusal.params) == ("desk_closed", {"desk": "Kasse 2"})


# --- money that never was in a drawer ------------------------------------------------------------------------------


def test_money_paid_in_advance_is_in_no_desk_and_nobody_counts_it(tournament: Tournament) -> None:
    newcomers = [door.Newcomer("Huber Sepp", paid_cents=300)]
    announce(tournament, newcomers, desk="Vorab bezahlt", **BY)
    register(tournament)
    assert door_of(tournament).cash_cents == ledger(tournament).total_cents == 300
    assert [line.total_cents for line in ledger(tournament).lines] == [0, 300]
    assert taken_cents(tournament) == 600
    in_advance = row(tournament, "Vorab bezahlt").number
    for write in (
        lambda: desks.enter_cash(tournament, in_advance, "float", cents=100, **BY),
        lambda: desks.close_desk(tournament, in_advance, pieces={"100": 3}, **BY),
        lambda: desks.rename_desk(tournament, in_advance, "Kasse 3", **BY),
    ):
        assert refused(write).code == "unknown_desk"
    assert refused(lambda: desks.set_up_desk(tournament, "vorab bezahlt")).code == "desk_twice"
    announce(tournament, [door.Newcomer("Meier Anna", paid_cents=300)], desk="Paid in advance", **BY)
    assert row(tournament, "Vorab bezahlt").fees == 2
