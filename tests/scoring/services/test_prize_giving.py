"""Giving prizes: money is a payout of a desk, and nothing is given twice, too much, or by a page that is out of date."""

from collections.abc import Callable
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from scoring.core.prize_plan import PrizePlan
from scoring.models import PrizeHandout
from scoring.services import prize_giving as services
from scoring.services import purge, sheets
from scoring.services.prizes import set_prize_plan
from tests.factories import AT, ParticipantFactory, TournamentFactory
from tests.races import at_once
from tests.scoring.prize_giving import (
    PLAN,
    award_of,
    by_seat,
    giving_of,
    play,
    play_otherwise,
    prize_evening,
)
from tournaments.core.refusal import Refusal
from tournaments.models import CashEntry, Payment, Table, Tournament
from tournaments.queries.desks import desk_rows, taken_cents
from tournaments.services.desks import close_desk
from tournaments.services.exclusion import exclude

TIMES = 6


@pytest.fixture
def tournament(db: None) -> Tournament:
    """Return a tournament that five players have finished."""
    evening = prize_evening().tournament
    play(evening)
    return evening


def give(tournament: Tournament, number: int, prize: str = "rank", **more: Any) -> PrizeHandout:
    seen = more.pop("seen", None) or award_of(tournament, number, prize).version
    return services.give_prize(
        tournament, number, prize, seen=seen, by="leitung", at=AT, **{"desk": "Kasse 1", **more}
    )


def absent(tournament: Tournament, number: int, prize: str = "rank") -> PrizeHandout:
    seen = award_of(tournament, number, prize).version
    return services.mark_absent(tournament, number, prize, seen=seen, by="leitung", at=AT)


def back(tournament: Tournament, number: int, prize: str = "rank", **more: Any) -> PrizeHandout:
    seen = award_of(tournament, number, prize).version
    return services.take_back(
        tournament, number, prize, seen=seen, reason="Preis zurück", by="x", at=AT, desk="Kasse 1", **more
    )


def refused(write: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        write()
    return caught.value.code


def desk_of(tournament: Tournament, name: str = "Kasse 1") -> Any:
    return next(row for row in desk_rows(tournament) if row.name == name)


# --- giving --------------------------------------------------------------------------------------------------------


def test_a_money_prize_is_a_payout_of_the_desk(tournament: Tournament) -> None:
    first, *_others = by_seat(tournament)
    handout = give(tournament, first)
    assert handout.payment is not None
    assert (handout.payment.kind, handout.payment.cents, handout.payment.desk) == ("payout", 700, "Kasse 1")
    assert (desk_of(tournament).payouts_cents, desk_of(tournament).expected_cents) == (700, -700)
    assert taken_cents(tournament) == 1500
    assert refused(lambda: give(tournament, first)) == "prize_is_given"


def test_a_thing_is_given_without_a_desk(tournament: Tournament) -> None:
    last = by_seat(tournament)[-1]
    handout = give(tournament, last, "last")
    assert (handout.things, handout.payment) == (["Trostpreis"], None)
    assert desk_rows(tournament) == ()


def test_an_absent_winner_keeps_the_prize(tournament: Tournament) -> None:
    first, second, *_others = by_seat(tournament)
    absent(tournament, first)
    absent(tournament, second)
    assert award_of(tournament, first).is_absent
    assert giving_of(tournament).rest_cents == 1300
    give(tournament, first)
    assert not award_of(tournament, first).has_rest
    assert refused(lambda: absent(tournament, first)) == "prize_is_given"


def test_a_prize_taken_back_is_open_again(tournament: Tournament) -> None:
    first, *_others = by_seat(tournament)
    give(tournament, first)
    handout = back(tournament, first, everything=True)
    assert handout.cash is not None
    assert (handout.cash.kind, handout.cash.cents, handout.cash.reason) == ("back", 700, "Preis zurück")
    assert desk_of(tournament).expected_cents == 0
    assert award_of(tournament, first).rest_cents == 700
    assert refused(lambda: back(tournament, first, everything=True)) == "prize_not_had"
    give(tournament, first)
    assert desk_of(tournament).expected_cents == -700


def test_nothing_is_given_before_the_last_round_is_closed(tournament: Tournament) -> None:
    early = prize_evening().tournament
    assert refused(lambda: give(early, 1, seen="x")) == "nobody_has_won"
    first, *_others = by_seat(tournament)
    seen = award_of(tournament, first).version
    tournament.rounds.update(state="released")
    assert refused(lambda: give(tournament, first, seen=seen)) == "nobody_has_won"


def test_a_closed_desk_pays_nothing(tournament: Tournament) -> None:
    first, second, *_others = by_seat(tournament)
    give(tournament, first)
    close_desk(tournament, desk_of(tournament).number, pieces={}, reason="Sollte -7 sein", by="x", at=AT)
    assert refused(lambda: give(tournament, second)) == "desk_closed"
    assert give(tournament, second, desk="Kasse 2").payment is not None


def test_an_outdated_page_gives_no_prize(tournament: Tournament) -> None:
    first, second, *_others = by_seat(tournament)
    seen = {number: award_of(tournament, number).version for number in (first, second)}
    set_prize_plan(
        tournament,
        PrizePlan.from_dict({**PLAN, "prizes": [{"for": "rank", "from": 1, "to": 1, "cents": 800}]}),
    )
    for number in (first, second):
        assert refused(partial(give, tournament, number, seen=seen[number])) == "prize_changed"
    give(tournament, first)
    assert desk_of(tournament).payouts_cents == 800


def test_unknown_players_and_prizes_are_refused(tournament: Tournament) -> None:
    first, *_others = by_seat(tournament)
    assert refused(lambda: give(tournament, 99, seen="x")) == "unknown_participant"
    assert refused(lambda: give(tournament, first, "lot", seen="x")) == "prize_changed"
    assert not PrizeHandout.objects.filter(tournament=tournament).exists()


def test_a_shared_thing_goes_to_the_one_who_was_chosen(db: None) -> None:
    """Six at the table: ranks 5 and 6 have one point each and share rank 5, with the ham."""
    plan = [{"for": "rank", "from": 5, "to": 5, "thing": "Schinken", "cents": 500}]
    tournament = prize_evening(6, prizes=plan).tournament
    play(tournament)
    *_others, first, second = by_seat(tournament)
    assert refused(lambda: give(tournament, first, thing="Wurst")) == "prize_thing_gone"
    assert give(tournament, first, thing="Schinken").things == ["Schinken"]
    assert refused(lambda: give(tournament, second, thing="Schinken")) == "prize_thing_gone"
    assert give(tournament, second).cents == 250
    assert all(row.is_settled for row in giving_of(tournament).rows)


# --- corrections ---------------------------------------------------------------------------------------------------


def test_a_corrected_sheet_shows_who_got_too_much_and_settles_to_the_cent(tournament: Tournament) -> None:
    first, second, third, _fourth, _last = by_seat(tournament)
    for number in (first, second, third):
        give(tournament, number)
    play_otherwise(Table.objects.get(round__tournament=tournament), [2, 1, 3, 4, 5])
    assert [(award.start_number, award.over_cents) for award in giving_of(tournament).over] == [(first, 400)]
    assert award_of(tournament, second).rest_cents == 400
    back(tournament, first)
    give(tournament, second)
    assert not giving_of(tournament).over
    assert desk_of(tournament).payouts_cents - desk_of(tournament).in_cents == 1300
    assert -desk_of(tournament).expected_cents == 1300


def test_who_is_excluded_after_the_prize_giving_has_too_much(tournament: Tournament) -> None:
    first, second, *_others = by_seat(tournament)
    give(tournament, first)
    exclude(tournament, first, reason="falsch angeschrieben", by="x", at=AT)
    giving = giving_of(tournament)
    assert [(award.start_number, award.over_cents) for award in giving.over] == [(first, 700)]
    back(tournament, first)
    assert not giving_of(tournament).over
    assert award_of(tournament, second).due_cents == 700


def test_while_a_sheet_is_corrected_nothing_is_given_but_money_may_come_back(tournament: Tournament) -> None:
    first, *_others = by_seat(tournament)
    give(tournament, first)
    table = Table.objects.get(round__tournament=tournament)
    sheets.write(table, [("reopened", {"reason": "verschrieben"})], by="x", at=AT)
    back(tournament, first, everything=True)
    assert desk_of(tournament).expected_cents == 0


# --- the database --------------------------------------------------------------------------------------------------


def test_a_deleted_practice_tournament_takes_its_handouts_along(tournament: Tournament) -> None:
    give(tournament, by_seat(tournament)[0])
    Tournament.objects.filter(pk=tournament.pk).update(is_practice=True)
    purge.delete_practice_tournament(tournament, by="leitung", at=AT)
    assert not PrizeHandout.objects.exists()


@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET cents = 1", "DELETE FROM {}", "TRUNCATE {}", "UPDATE {} SET at = now()"]
)
def test_a_handout_is_append_only(tournament: Tournament, statement: str) -> None:
    give(tournament, by_seat(tournament)[0])
    with connection.cursor() as cursor:  # check deferred constraints as at the end of a transaction
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format("scoring_prizehandout"))


def test_the_database_wants_the_money_of_a_handout_in_the_ledger(tournament: Tournament) -> None:
    first, second, *_others = by_seat(tournament)
    player = tournament.participants.get(start_number=first)
    other = tournament.participants.get(start_number=second)
    payout = Payment.objects.create(participant=player, kind="payout", cents=700, at=AT, by="x")
    fee = player.payments.get(kind="fee")
    desk = tournament.desks.create(number=9, name="Kasse 9")
    line = CashEntry.objects.create(
        tournament=tournament, desk=desk, kind="back", cents=900, reason="zurück", by="x", at=AT
    )
    stranger = ParticipantFactory.create(tournament=TournamentFactory.create())
    columns = {"kind": "given", "cents": 700, "payment": payout}
    for guard, row in (
        ("handout_money_is_a_payout", {"kind": "given", "cents": 700}),
        ("differs from its payout", {"kind": "given", "cents": 800, "payment": payout}),
        ("differs from its payout", {"kind": "given", "cents": 300, "payment": fee}),
        ("differs from its payout", {**columns, "participant": other}),
        ("another tournament", {**columns, "participant": stranger}),
        ("handout_gives_something", {"kind": "absent", "cents": 700}),
        ("handout_gives_something", {"kind": "given"}),
        ("handout_kind_known", {"kind": "stolen", "things": ["Schinken"]}),
        ("more money came back", {"kind": "back", "cents": 900, "cash": line}),
        ("differs from the money", {"kind": "back", "cents": 700, "cash": line}),
    ):
        with pytest.raises(DatabaseError, match=guard), transaction.atomic():
            PrizeHandout.objects.create(
                **{
                    "tournament": tournament,
                    "participant": player,
                    "prize": "rank",
                    "number": 1,
                    "by": "x",
                    "at": AT,
                }
                | row
            )
    written = {
        "tournament": tournament,
        "participant": player,
        "prize": "rank",
        "number": 1,
        "by": "x",
        "at": AT,
    }
    PrizeHandout.objects.create(**written | columns)
    with pytest.raises(DatabaseError, match="handout_number_once"), transaction.atomic():
        PrizeHandout.objects.create(**written, kind="absent")
    with pytest.raises(DatabaseError, match="handout_money_back_is_cash"), transaction.atomic():
        PrizeHandout.objects.create(**written | {"number": 2}, kind="back", cents=700)


# --- races ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("committed")
def test_two_people_give_one_prize_once() -> None:
    for _ in range(TIMES):
        tournament = prize_evening().tournament
        play(tournament)
        first, *_others = by_seat(tournament)
        seen = award_of(tournament, first).version
        answers = at_once(*[partial(give, tournament, first, seen=seen, desk=f"Kasse {n}") for n in (1, 2)])
        (said,) = [answer for answer in answers if isinstance(answer, Refusal)]
        assert said.code == "prize_changed"
        assert sum(row.payouts_cents for row in desk_rows(tournament)) == 700


@pytest.mark.usefixtures("committed")
def test_without_lock_and_version_two_people_would_pay_twice() -> None:
    """Control: the same steps without the lock interleave between reading and writing."""
    tournament = prize_evening().tournament
    play(tournament)
    player = tournament.participants.get(start_number=by_seat(tournament)[0])
    both_have_read = Barrier(2, timeout=60)

    def pay_out() -> int:
        rest = award_of(tournament, player.start_number).rest_cents
        both_have_read.wait()
        player.payments.create(kind="payout", cents=rest, at=AT, by="x", desk="")
        return rest

    assert at_once(pay_out, pay_out) == [700, 700]
    assert sum(player.payments.filter(kind="payout").values_list("cents", flat=True)) == 1400


@pytest.mark.usefixtures("committed")
def test_a_plan_that_changes_while_a_prize_is_given_pays_by_one_of_them() -> None:
    """Either the prize is given by the old plan, or it is refused; nobody gets the old amount under the new plan unseen."""
    for _ in range(TIMES):
        tournament = prize_evening().tournament
        play(tournament)
        first, *_others = by_seat(tournament)
        seen = award_of(tournament, first).version
        new = PrizePlan.from_dict({"prizes": [{"for": "rank", "from": 1, "to": 1, "cents": 900}]})
        handout, _planned = at_once(
            partial(give, tournament, first, seen=seen), partial(set_prize_plan, tournament, new)
        )
        award = award_of(tournament, first)
        if isinstance(handout, Refusal):
            assert (handout.code, award.had_cents, award.rest_cents) == ("prize_changed", 0, 900)
        else:
            assert (award.had_cents, award.rest_cents) == (700, 200)
        tournament.refresh_from_db()


@pytest.mark.usefixtures("committed")
def test_without_the_version_the_new_amount_would_be_paid_unseen() -> None:
    """Control: with the version that is there now, whatever the page had shown, another amount leaves the desk."""
    tournament = prize_evening().tournament
    play(tournament)
    first, *_others = by_seat(tournament)
    new = PrizePlan.from_dict({"prizes": [{"for": "rank", "from": 1, "to": 1, "cents": 900}]})
    set_prize_plan(tournament, new)
    assert give(tournament, first).cents == 900
