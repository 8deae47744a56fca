"""Two cash desks at once: no number is given twice, no fee is taken twice, and none while its desk is closed."""

from datetime import UTC, date, datetime
from threading import Barrier, Event
from uuid import uuid4

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Max

from tests.races import at_once
from tournaments.core.refusal import Refusal
from tournaments.models import Participant, Tournament
from tournaments.queries.desks import DeskRow, desk_row, desk_rows
from tournaments.rulesets.loader import preset
from tournaments.services.desks import close_desk, enter_cash, set_up_desk
from tournaments.services.door import Newcomer, check_in, register, take_fee
from tournaments.services.people_lists import announce
from tournaments.services.tournaments import create_tournament

AT = datetime(2026, 11, 21, 18, 25, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tournament(committed: None) -> Tournament:
    return create_tournament(
        slug=f"abend-{uuid4()}"[:40],
        name="Preisschnauz",
        played_on=date(2026, 11, 21),
        place="",
        names="full",
        ruleset=preset("schnauz-placing"),
        owner=None,
        at=AT,
    )


def test_two_desks_give_every_number_once(tournament: Tournament) -> None:
    def desk(name: str) -> list[int]:
        return [
            register(
                tournament, Newcomer(f"Spieler {name} {n}"), paid=True, by=name, at=AT, desk=name
            ).start_number
            for n in range(20)
        ]

    answers = at_once(lambda: desk("eins"), lambda: desk("zwei"))
    numbers = [number for answer in answers if isinstance(answer, list) for number in answer]
    assert sorted(numbers) == list(range(1, 41))


def test_without_the_lock_two_desks_would_give_one_number_twice(tournament: Tournament) -> None:
    """Control: without the lock the same steps interleave between reading and writing."""
    both_have_read = Barrier(2, timeout=60)

    def desk() -> int:
        with transaction.atomic():
            last = tournament.participants.aggregate(last=Max("start_number"))["last"] or 0
            both_have_read.wait()
            return tournament.participants.create(
                start_number=last + 1, name="Spieler", registered_at=AT, registered_by="x"
            ).start_number

    answers = at_once(desk, desk)
    assert {type(answer) for answer in answers} == {int, IntegrityError}


def test_two_desks_take_one_fee_once(tournament: Tournament) -> None:
    number = register(tournament, Newcomer("Spieler"), paid=False, by="eins", at=AT).start_number

    def desk() -> object:
        return take_fee(tournament, number, by="x", at=AT)

    at_once(desk, desk)
    player = Participant.objects.get(tournament=tournament, start_number=number)
    assert [payment.cents for payment in player.payments.all()] == [300]


def test_two_desks_check_one_player_in_once(tournament: Tournament) -> None:
    (player,) = announce(tournament, [Newcomer("Spieler")], by="eins", at=AT)

    def desk() -> object:
        return check_in(tournament, player.start_number, by="x", at=AT)

    answers = at_once(desk, desk)
    assert [payment.cents for payment in player.payments.all()] == [300]
    assert [answer.code for answer in answers if isinstance(answer, Refusal)] == ["already_present"]


# --- closing while money comes in ----------------------------------------------------------------------------------


def expected(tournament: Tournament) -> DeskRow:
    return desk_row(tournament, 1)


@pytest.mark.parametrize("attempt", range(5))
def test_a_fee_is_in_the_count_or_refused(tournament: Tournament, attempt: int) -> None:
    """Whichever is first: a desk that is closed holds what was counted, with or without the fee."""
    register(tournament, Newcomer("Spieler"), paid=True, by="eins", at=AT, desk="Kasse 1")
    number = register(tournament, Newcomer("Spieler 2"), paid=False, by="eins", at=AT).start_number

    def close() -> object:
        return close_desk(tournament, 1, pieces={"100": 3}, by="eins", at=AT)

    def fee() -> object:
        return take_fee(tournament, number, by="zwei", at=AT, desk="Kasse 1")

    closed, taken = at_once(close, fee)
    codes = [answer.code for answer in (closed, taken) if isinstance(answer, Refusal)]
    cents = expected(tournament)
    assert (codes, cents.is_closed, cents.expected_cents) in (
        (["desk_closed"], True, 300),
        (["count_differs"], False, 600),
    )


def test_without_the_lock_a_fee_would_slip_into_a_closed_desk(tournament: Tournament) -> None:
    """Control: with the triggers off, a desk is looked at before it is closed and written to afterwards."""
    player = register(tournament, Newcomer("Spieler"), paid=True, by="eins", at=AT, desk="Kasse 1")
    have_looked = Barrier(2, timeout=60)

    def without_triggers() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")

    def close() -> None:
        with transaction.atomic():
            without_triggers()
            counted = expected(tournament).expected_cents
            have_looked.wait()
            desk = tournament.desks.get(number=1)
            desk.entries.create(tournament=tournament, kind="count", cents=counted, by="eins", at=AT)
            desk.changes.create(kind="closed", by="eins", at=AT)

    def fee() -> None:
        with transaction.atomic():
            without_triggers()
            assert not expected(tournament).is_closed
            have_looked.wait()
            player.payments.create(kind="fee", cents=300, by="zwei", at=AT, desk="Kasse 1")

    assert at_once(close, fee) == [None, None]
    cents = expected(tournament)
    assert (cents.is_closed, cents.difference_cents) == (True, -300)


def test_the_database_lets_nothing_into_a_desk_that_is_being_closed(tournament: Tournament) -> None:
    """Raw writes of two transactions: the payment waits for the closing, and is refused."""
    player = register(tournament, Newcomer("Spieler"), paid=True, by="eins", at=AT, desk="Kasse 1")
    is_closing = Event()

    def close() -> None:
        with transaction.atomic():
            tournament.desks.get(number=1).changes.create(kind="closed", by="eins", at=AT)
            is_closing.set()
            wait_for_lock()

    def fee() -> object:
        is_closing.wait(60)
        return player.payments.create(kind="fee", cents=300, by="zwei", at=AT, desk="Kasse 1")

    closed, taken = at_once(close, fee)
    assert closed is None
    assert isinstance(taken, IntegrityError)
    assert player.payments.count() == 1


def wait_for_lock() -> None:
    """Return when another connection waits for a lock of this one."""
    waiting = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    )
    with connection.cursor() as cursor:
        cursor.execute(waiting)
        while not cursor.fetchone()[0]:
            cursor.execute(waiting)


def test_two_desks_hand_over_at_once_and_nothing_is_lost(tournament: Tournament) -> None:
    for number, name in enumerate(("Kasse 1", "Kasse 2"), start=1):
        set_up_desk(tournament, name)
        enter_cash(tournament, number, "float", cents=5000, by="x", at=AT)

    def desk(number: int, other: int) -> object:
        for _ in range(10):
            enter_cash(tournament, number, "transfer", to=other, cents=100 * number, by="x", at=AT)
        return None

    at_once(lambda: desk(1, 2), lambda: desk(2, 1))
    assert [row.expected_cents for row in desk_rows(tournament)] == [6000, 4000]


def test_a_killed_desk_leaves_a_complete_line_or_none(tournament: Tournament) -> None:
    """The connection of one desk is cut within its closing: no count without a closing, and the other desk goes on."""
    register(tournament, Newcomer("Spieler"), paid=True, by="eins", at=AT, desk="Kasse 1")

    def dies() -> None:
        with transaction.atomic():
            close_desk(tournament, 1, pieces={"100": 3}, by="eins", at=AT)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    (answer,) = at_once(dies)
    assert isinstance(answer, OperationalError)
    cents = expected(tournament)
    assert (cents.is_closed, cents.counted_cents) == (False, None)
    close_desk(tournament, 1, pieces={"100": 3}, by="zwei", at=AT)
    assert expected(tournament).is_closed
