"""The clock of a round: the organiser sets its minutes, starts and stops it; the wall counts down."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from scoring.models import RoundClock
from scoring.queries.public_view import public_view
from scoring.queries.round_clock import clock_of
from scoring.services.round_clock import start_clock, stop_clock
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.races import at_once
from tests.scoring.pages import Staff, text_of
from tournaments.core.refusal import Refusal
from tournaments.services.rounds import give_start_sign

MINUTE = timedelta(minutes=1)


@pytest.fixture
def desk(db: None) -> Staff:
    desk = Staff(10)
    desk.draw()
    return desk


def start(
    desk: Staff, minutes: int = 45, *, number: int = 1, after: timedelta = MINUTE, wait: int = 0
) -> RoundClock:
    return start_clock(desk.tournament, number, minutes=minutes, wait=wait, by="x", at=AT + after)


def ends_at(desk: Staff) -> Any:
    """Return when the round ends by its clock, as the public and the organiser read it."""
    view, row = public_view(desk.tournament.slug).round, clock_of(desk.tournament)
    assert view is not None
    assert row is None or row.ends_at == view.ends_at
    return view.ends_at


def test_a_round_has_no_clock_until_the_organiser_starts_it(desk: Staff) -> None:
    assert ends_at(desk) is None
    assert start(desk).by == "x"
    assert ends_at(desk) == AT + 46 * MINUTE
    stop_clock(desk.tournament, 1, by="y", at=AT + 5 * MINUTE)
    assert ends_at(desk) is None
    stored = RoundClock.objects.get()
    assert (stored.stopped_at, stored.by) == (AT + 5 * MINUTE, "y")


def test_a_clock_that_runs_keeps_its_start_and_one_that_was_stopped_begins_anew(desk: Staff) -> None:
    start(desk, 45)
    start(desk, 60, after=10 * MINUTE)
    assert ends_at(desk) == AT + 61 * MINUTE
    stop_clock(desk.tournament, 1, by="x", at=AT + 20 * MINUTE)
    stop_clock(desk.tournament, 1, by="y", at=AT + 30 * MINUTE)
    assert RoundClock.objects.get().stopped_at == AT + 20 * MINUTE
    start(desk, 30, after=40 * MINUTE)
    assert ends_at(desk) == AT + 70 * MINUTE


def begins_at(desk: Staff) -> Any:
    view, row = public_view(desk.tournament.slug).round, clock_of(desk.tournament)
    assert view is not None
    assert row is not None
    assert row.begins_at == view.begins_at
    return view.begins_at


def test_a_clock_that_waits_begins_later_and_can_be_set_anew_until_then(desk: Staff) -> None:
    start(desk, 45, wait=10)
    assert (begins_at(desk), ends_at(desk)) == (AT + 11 * MINUTE, AT + 56 * MINUTE)
    start(desk, 45, after=5 * MINUTE, wait=3)
    assert (begins_at(desk), ends_at(desk)) == (AT + 8 * MINUTE, AT + 53 * MINUTE)
    start(desk, 60, after=20 * MINUTE, wait=3)  # it has begun: the minutes only
    assert (begins_at(desk), ends_at(desk)) == (AT + 8 * MINUTE, AT + 68 * MINUTE)


def test_the_sign_to_all_tables_begins_a_clock_that_waits(desk: Staff) -> None:
    start(desk, 45, wait=10)
    give_start_sign(desk.tournament, 1, at=AT + 4 * MINUTE)
    assert (begins_at(desk), ends_at(desk)) == (AT + 4 * MINUTE, AT + 49 * MINUTE)
    start(desk, 60, after=6 * MINUTE)
    assert (begins_at(desk), ends_at(desk)) == (AT + 4 * MINUTE, AT + 64 * MINUTE)


def test_a_clock_that_is_started_after_the_sign_begins_then(desk: Staff) -> None:
    give_start_sign(desk.tournament, 1, at=AT)
    start(desk, 45, after=5 * MINUTE)
    assert begins_at(desk) == AT + 5 * MINUTE


@pytest.mark.parametrize("wait", [-1, 61])
def test_a_wait_without_end_is_refused(desk: Staff, wait: int) -> None:
    with pytest.raises(Refusal) as refused:
        start(desk, wait=wait)
    assert refused.value.code == "clock_wait"
    assert desk.post("start_clock", round=1, minutes=45, wait=wait).status_code == 422
    assert not RoundClock.objects.exists()


@pytest.mark.parametrize(
    ("number", "minutes", "code"),
    [
        (1, 0, "clock_minutes"),
        (1, 241, "clock_minutes"),
        (2, 45, "round_not_released"),
        (3, 45, "round_not_drawn"),
    ],
)
def test_wrong_minutes_and_rounds_are_refused(desk: Staff, number: int, minutes: int, code: str) -> None:
    close(desk.tournament, 1, reason="früher aus", at=AT)
    desk.draw(2, released=False)
    if number == 1:
        desk = Staff(10)
        desk.draw()
    with pytest.raises(Refusal) as refused:
        start(desk, minutes, number=number)
    assert refused.value.code == code
    assert not RoundClock.objects.exists()


def test_the_clock_ends_with_its_round(desk: Staff) -> None:
    start(desk)
    close(desk.tournament, 1, reason="früher aus", at=AT)
    assert (ends_at(desk), clock_of(desk.tournament)) == (None, None)
    with pytest.raises(Refusal) as refused:
        start(desk)
    assert refused.value.code == "round_is_closed"
    desk.draw(2)
    assert ends_at(desk) is None


def test_the_organiser_starts_changes_and_stops_it_on_the_page_of_the_screens(desk: Staff) -> None:
    assert "Die 1. Spielrunde läuft ohne Uhr." in text_of(desk.get("screens"))
    assert desk.post("start_clock", round=1, minutes=45).status_code == 302
    assert ends_at(desk) is not None
    assert "Minuten ändern" in text_of(desk.get("screens"))
    assert desk.post("stop_clock", round=1).status_code == 302
    assert desk.post("start_clock", round=1, minutes=45, wait=10).status_code == 302
    page = text_of(desk.get("screens"))
    assert "Die 1. Spielrunde beginnt um" in page
    assert 'name="wait" value="10"' in page
    answer = desk.post("start_clock", round=1, minutes=241)
    assert answer.status_code == 422
    assert desk.post("start_clock", round=2, minutes=45).status_code == 422
    assert desk.post("stop_clock", round="x").status_code == 404
    assert desk.post("stop_clock", round=1).status_code == 302
    assert ends_at(desk) is None


@pytest.mark.usefixtures("committed")
def test_two_organisers_who_start_it_at_once_start_one_clock() -> None:
    for _ in range(4):
        tournament = TournamentFactory.create()
        ParticipantFactory.create_batch(5, tournament=tournament)
        a_round(tournament)
        start = partial(start_clock, tournament, 1, minutes=45, by="x")
        clocks = at_once(partial(start, at=AT + MINUTE), partial(start, at=AT + 2 * MINUTE))
        assert len({clock.started_at for clock in clocks if isinstance(clock, RoundClock)}) == 1
        assert RoundClock.objects.filter(tournament=tournament).count() == 1
